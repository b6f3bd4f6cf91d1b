// A table that a run has not seen, read as the table of its training data was: columns, rate, units, derived
// velocities, relations. The command and the Python package share these decisions. Independent of LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run_info.h"
#include "lgode/table/import.h"
#include "lgode/use/message.h"

namespace lgode::use {

// What is done with the table.
enum class TableUse : std::uint8_t {
  kPredict,   // whole recordings
  kEvaluate,  // in windows, where the training data was cut into windows
};

// How a table is read for a run. `table`: RunInfo::table, `length`: RunInfo::conditioning_length.
// ConfigError, which says what to do, where the run is of an early version and does not describe its table.
table::ImportOptions new_table_options(const data::Description& table, double length, TableUse use);
// A model counts relations by its own types: the set with these in its description.
data::Dataset with_relation_types(data::Dataset set, const std::vector<std::string>& types);
// ConfigError where the training data listed its relations, and the table comes without any.
void check_relations(const data::Description& table, bool given);

struct NewTable {
  std::vector<std::string> files;  // names or patterns; several files are one table
  std::string edges;               // a table or a rule (table::choose_relations); empty: the rule of the training data
  TableUse use = TableUse::kPredict;
  bool skip_bad_rows = false;
  int threads = 0;
  std::filesystem::path scratch_folder = ".";
};
// Reads the table from CSV files. `notes`: what the user should know about the import. Errors as table::import_csv().
data::Dataset read_new_table(const eval::RunInfo& info, const NewTable& table, Messages& notes,
                             const StopFlag* stop = nullptr);

// A time or a length as the table has them: counts become physical where its times are counts.
double physical_time(const data::Dataset& set, double number);
Length physical_length(const data::Dataset& set, const Length& length);

}  // namespace lgode::use
