// Pages of runs: the parts that need neither weights nor LibTorch, and writing them. What evaluates and predicts for
// them is in use/run_page.h.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/data/dataset.h"
#include "lgode/report/run_record.h"

namespace lgode::report {

// A page that was written.
struct WrittenPage {
  std::filesystem::path path;
  std::size_t bytes = 0;
  std::vector<std::string> left_out;  // what it omits, for people
};

// report.html in the run folder, or next to a checkpoint.
std::filesystem::path default_page_path(const std::string& run);

// ExistsError if a file is there that is not a page of ours and may not be replaced.
void check_page_writable(const std::filesystem::path& path, Overwrite overwrite);

// The part of a page that needs neither weights nor data: run, settings, learning curve.
nlohmann::ordered_json record_json(const RunRecord& record);
nlohmann::ordered_json data_json(const data::Dataset& dataset, const std::string& path);

// Writes a page; `left_out` of the data is what it omits.
WrittenPage write_page(const std::filesystem::path& path, const std::string& title, const nlohmann::ordered_json& data);

// A page of the record alone. `note`: why there are no predictions.
WrittenPage write_record_page(const RunRecord& record, const std::filesystem::path& path, const std::string& note);

// Why a run has nothing but its record to show, as the note of its page: no weights, or no data set (`data`: its path,
// which may be empty) where the user named none. Empty: it can be evaluated.
std::string record_only_note(const RunRecord& record, const std::string& data, bool data_given);

}  // namespace lgode::report
