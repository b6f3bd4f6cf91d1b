// Writes report pages: what lgode report and lgode train have in common.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "commands/arguments.h"
#include "lgode/data/dataset.h"
#include "lgode/report/run_record.h"

namespace lgode::app {

// Where the page goes: --out, or report.html in the run folder (next to a checkpoint).
std::filesystem::path report_path(const std::string& run, const std::string& out);

// ExistsError if a file is there that is not a page of ours and may not be replaced.
void check_page_writable(const std::filesystem::path& path, bool force);

// The part of a report that needs neither weights nor data: run, settings, learning curve.
nlohmann::ordered_json record_json(const report::RunRecord& record);
nlohmann::ordered_json data_json(const data::Dataset& dataset, const std::string& path);

// Writes a page, prints where and how large it is and what is omitted (`left_out` of the data).
void write_page(const std::filesystem::path& path, const std::string& title, const nlohmann::ordered_json& data,
                bool quiet);

// A page of the record alone. `note`: why there are no predictions.
void write_record_page(const report::RunRecord& record, const std::filesystem::path& path, const std::string& note,
                       bool quiet);

// Shows a file in the browser; prints a note where there is none.
void open_in_browser(const std::filesystem::path& path);

}  // namespace lgode::app
