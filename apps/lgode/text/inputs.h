// Checks of the files that a command line names: tables given where a data set or a run is expected, and an output that
// would replace its own input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace lgode::app
