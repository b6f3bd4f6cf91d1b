// The files of the paper's motion data: walks of subject 35 of the CMU database, docs/motion.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lgode::app {

// The first file that is missing in a folder; empty if none is.
std::string missing_motion_file(const std::filesystem::path& folder);

// Skeleton and trials as arguments of `lgode import cmu`.
std::vector<std::string> motion_words(const std::filesystem::path& folder);

}  // namespace lgode::app
