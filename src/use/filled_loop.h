// The loop that fills tables: which cells are filled, which rows are new, what is counted. Where the cells go, a CSV
// file or arrays, is left to a sink. Internal to filled tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "filled_values.h"

namespace lgode::use {

// Takes the cells of one row after the other.
class FilledSink {
 public:
  virtual ~FilledSink() = default;
  // A row begins that no table of the user has: object `o` of system `s` of the recordings.
  virtual void begin(std::int64_t s, std::int64_t o, double time) = 0;
  // One of these for each feature that is not derived, in their order. kept(): what the row has; NaN stays missing.
  virtual void filled(std::size_t feature, const eval::FillValue& value) = 0;
  virtual void kept(std::size_t feature, double value) = 0;
  // The row ends; the names of its filled features.
  virtual void end(const std::string& imputed) = 0;
};

class FillLoop {
 public:
  // `all_times`: rows may be added. All must outlive this object.
  FillLoop(const eval::FilledGaps& gaps, bool all_times, Filled& filled);

  // All rows of the recordings, and those that fill their gaps.
  void rows_of_set(FilledSink& sink) const;
  // A row of the user's table, which goes to the sink without begin(). It has object() (index over the recordings) and
  // time(), unset where they are unknown, and missing(feature). Nothing is done where there is nothing to do.
  template <class Row>
  void row_of_table(Row& row, FilledSink& sink) {
    const auto missing = [&](std::size_t f) { return row.missing(f); };
    const bool whole = std::none_of(features_.begin(), features_.end(), missing);
    if (whole && !all_times_) return;
    const std::optional<std::int64_t> object = row.object();
    const std::optional<double> time = row.time();
    const bool known = object && time;
    std::uint8_t* unread = all_times_ && known ? unread_.add(*object, *time) : nullptr;
    if (whole) return;
    const std::span<const eval::FillValue> fills = known ? gaps_.at(*object, *time) : Fills();
    write(
        fills, missing, [](std::size_t) { return kNothing; }, unread, sink);
  }
  // After all rows of the user's table: rows at times at which it has none for an object.
  void new_rows_of_table(FilledSink& sink) const;

  const std::vector<std::size_t>& features() const { return features_; }  // that are not derived
  const UnreadRows& unread() const { return unread_; }

 private:
  using Fills = std::span<const eval::FillValue>;
  static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

  // `fills`: [D], or empty. `unread`: [D] null, or what is filled is marked there.
  template <class Missing, class Value>
  void write(Fills fills, const Missing& missing, const Value& value, std::uint8_t* unread, FilledSink& sink) const {
    std::string names;
    bool open = false;
    for (const std::size_t f : features_) {
      if (!missing(f)) {
        sink.kept(f, value(f));
      } else if (fills.empty() || std::isnan(fills[f].value)) {
        ++filled_.open_values;
        open = true;
        sink.kept(f, kNothing);
      } else {
        sink.filled(f, fills[f]);
        if (unread != nullptr) unread[f] = 1;
        names += (names.empty() ? "" : separator_) + gaps_.set().description().features[f].name;
        count(f, fills[f]);
      }
    }
    filled_.open_rows += open ? 1 : 0;
    sink.end(names);
  }
  void count(std::size_t feature, const eval::FillValue& value) const;

  const eval::FilledGaps& gaps_;
  bool all_times_;
  Filled& filled_;
  std::vector<std::size_t> features_;
  std::string separator_;  // of names
  UnreadRows unread_;
};

}  // namespace lgode::use
