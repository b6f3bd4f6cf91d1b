// The files of the paper's motion data: walks of subject 35 of the CMU database, docs/motion.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lgode::app {

// The first file that a folder lacks; empty where all are there.
std::string missing_motion_file(const std::filesystem::path& folder);

// Skeleton and trials as `lgode import cmu` wants them.
std::vector<std::string> motion_words(const std::filesystem::path& folder);

}  // namespace lgode::app
