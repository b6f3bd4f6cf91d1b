// The output of lgode info, as JSON and as text. The text is made from the JSON, so that both agree.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace lgode::data {
class Dataset;
}

namespace lgode::use {

// What a file that lgode wrote holds: "dataset", "checkpoint" or "prediction"; a folder is a run's, "checkpoint".
// DataError for any other file.
std::string kind_of(const std::filesystem::path& path);

nlohmann::ordered_json summarise_dataset(const data::Dataset& dataset);
std::string dataset_text(const nlohmann::ordered_json& summary);  // options by their keys in backquotes
// Whether the gaps are told in one line: the summary has a check-up, in which they are multiples of one step.
bool has_grid(const nlohmann::ordered_json& summary);
// Adds the findings of data::check_up to the summary; and these as text, to follow the rest. Warnings name options by
// their keys in backquotes.
void add_checkup(nlohmann::ordered_json& summary, const data::Dataset& dataset);
std::string checkup_text(const nlohmann::ordered_json& summary);

// A checkpoint file or a run folder.
nlohmann::ordered_json summarise_run(const std::filesystem::path& path);
std::string run_text(const nlohmann::ordered_json& summary);

}  // namespace lgode::use
