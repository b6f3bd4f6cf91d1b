// The tables of a benchmark from its records: ours and the classical rows beside published figures and their sources,
// as Markdown and as a page. No LibTorch.
#pragma once

#include <string>
#include <vector>

#include "lgode/benchmark/protocol.h"
#include "lgode/benchmark/published.h"
#include "lgode/benchmark/record.h"

namespace lgode::benchmark {

struct TableRow {
  enum class Kind { kOurs, kClassical, kPublished };
  Kind kind = Kind::kOurs;
  std::string name;
  std::vector<std::string> cells;  // one per column, "–" where there is none
};

struct Table {
  std::string title;
  std::vector<std::string> columns;  // folds, and the mean where there are several
  std::vector<TableRow> rows;
};

struct Report {
  std::string title;
  std::vector<Table> tables;
  std::vector<std::string> notes;
  std::vector<Source> sources;  // of the published rows; they refer to them by number, from 1
};

// Means over seeds, with the deviation (n - 1) of the mean column where there are several. A table without rows of ours
// or classical ones is left out. Where frames are hidden, published rows appear only if constant velocity on our masks
// agrees with the published files (masks_are_comparable); a note says so.
Report make_report(const Protocol& protocol, const std::vector<Record>& records, std::vector<std::string> notes = {});

std::string markdown(const Report& report);

// A page of its own: no script, and nothing to load.
std::string page(const Report& report);

}  // namespace lgode::benchmark
