// Checks of the files that a command line names: tables given where a data set or a run is expected, and an output that
// would replace its own input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "text/flags.h"

namespace lgode::app {

// Whether the path names an existing table, by its ending: .csv, .tsv or .txt in any case.
bool is_table(const std::string& path);

// "lgode import csv --observations obs.csv --out obs.safetensors", and what to do with its result: `next` before and
// `more` after the name of the new file.
std::string import_advice(const std::string& path, const std::string& next, const std::string& more = "");

// DataError with that advice if the path names a table. `command`: the one that was called, "lgode train"; `also`: what
// it reads other than data sets and runs, such as ", and pages".
void refuse_table(const std::string& path, const std::string& command, const std::string& next,
                  const std::string& more = "", const std::string& also = "");

// Throws ConfigError if `out` is one of the inputs; `what` names the result, such as "the data set".
void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs, const char* what);

// The flag --spreadsheet-safe, and the set as it is written: with quotes before the ids that a spreadsheet would run,
// or as it is, with a note about such ids on standard error.
void add_spreadsheet_safe(Flags app, bool& safe);
data::Dataset safe_for_spreadsheets(const data::Dataset& dataset, bool safe);

}  // namespace lgode::app
