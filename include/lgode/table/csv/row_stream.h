// Rows of a table as they arrive, through a pipe or from a file, read like the table of a data set: with its columns,
// delimiter, missing words, dates and rate, or another rate. A table without the set's column of systems is one system
// without a name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/table/problem.h"

namespace lgode::table {

struct StreamRow {
  std::string system, object;
  double time = 0;             // physical
  std::vector<double> values;  // [D] NaN where missing, and for derived features
  std::int64_t line = 0;       // of the table, from 1
};

// A relation by names; `system` empty: of every system.
struct NamedRelation {
  std::string system, source, target;
  std::int32_t type = 0;
  float weight = 1.0F;
};

class RowStream {
 public:
  // ConfigError on missing columns and, unless `ignore_others`, on columns that the set does not have.
  // `rate`: times are counts, this many per second; 0: as in the set's table.
  RowStream(const std::filesystem::path& path, data::Description description, bool ignore_others,
            const StopFlag* stop = nullptr, double rate = 0);
  ~RowStream();

  // Waits for rows and replaces `rows` by those that have arrived; false at the end. Bad rows are skipped and added to
  // `bad`. Interrupted on a stop request.
  bool next(std::vector<StreamRow>& rows, std::vector<Problem>& bad);
  const std::filesystem::path& path() const;
  double rate() const;  // of the counts that times are; 0: they are not

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A table of relations: source, target and, if present, system, type (one of the set's) and weight.
// DataError on bad rows.
std::vector<NamedRelation> read_named_relations(const std::filesystem::path& path,
                                                const data::Description& description);

}  // namespace lgode::table
