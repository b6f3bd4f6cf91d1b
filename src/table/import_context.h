// What the steps of an import share. Internal to the import.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/scratch.h"
#include "lgode/core/stop.h"
#include "lgode/table/import.h"
#include "lgode/table/problem.h"
#include "table/observations.h"

namespace lgode::table {

struct ImportContext {
  const ImportOptions& options;
  ImportReport& report;
  const std::function<void(std::int64_t, std::int64_t)>& progress;
  const StopFlag* stop;
  const TextTable* edges = nullptr;  // in place of the file of edges

  bool has_edges() const { return edges != nullptr || options.relations.table.has_value(); }
  void check_stop() const;
};

std::vector<std::string> file_names(const ImportOptions& options);
// The table in messages.
std::string table_name(const ImportOptions& options);

// The rows of CSV files, and of a table in memory, which must outlive the result.
ObservationTable read_observations(const ImportContext& context, const ScratchPlace& place, Problems& problems);
ObservationTable index_rows(const ImportContext& context, const MemoryTable& memory, const ScratchPlace& place,
                            Problems& problems);

// Advice where bad rows stop an import: skipping helps only where rows are left, and not where most of many are bad, or
// where one text stands for a missing value.
std::string bad_rows_advice(const ImportOptions& options, const Problems& problems, std::int64_t good);

// Columns of text among those that would be features.
struct TextColumns {
  std::vector<std::pair<std::string, std::string>> texts;  // name, and a text of it
  std::vector<std::string> others;

  // Throws TextColumnsError if there are any.
  void refuse(const std::string& where) const;
};

}  // namespace lgode::table
