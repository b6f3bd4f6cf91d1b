// The two tables from result records: our means next to the paper's numbers and the classical baselines, for both
// protocols. Nothing is trained or evaluated here.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgode/reproduce/plan.h"
#include "lgode/reproduce/record.h"

namespace lgode::reproduce {

struct TableContext {
  std::string scale;                           // empty: unknown
  std::string commit;                          // of the program that makes the tables
  std::vector<Cell> planned;                   // shown as "not done" where they have no record
  std::map<std::string, std::string> skipped;  // data set -> why its cells were skipped
  std::vector<std::string> notes;              // listed below the tables
};

// Mean and standard deviation (n - 1) over seeds, for each protocol; ratios to the paper's numbers; what failed and
// why. Errors are not multiplied by 100.
//
// Only records with the same settings are averaged. Where a cell has several settings, those with the most training
// systems count, among them those with the lowest mean validation error; the notes list the others, and second records
// of the same seed. The classical baselines have the models' contexts: they are taken from the records, one per seed.
nlohmann::ordered_json make_tables(const std::vector<Record>& records, const TableContext& context);

// The same as Markdown, errors x 10^-2.
std::string tables_markdown(const nlohmann::ordered_json& tables);

struct Average {
  double mean = 0, deviation = 0;  // deviation 0 for a single value
};
Average average(const std::vector<double>& values);  // at least one

}  // namespace lgode::reproduce
