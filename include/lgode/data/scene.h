// A scene: the context and the targets of one system. BatchMaker makes
// scenes by the rules of a task and assembles batches from them (data/batch_maker.h); a caller may choose other rows,
// or rows that are in no data set.
//
// Shapes: N objects of the system, M rows, D features, E relations, P position features. Physical units and times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/dataset.h"
#include "lgode/data/outliers.h"

namespace lgode::data {

// The number of a row within its object.
using RowIndex = std::int32_t;

// Rows of each object, ascending. One list for all objects: a batch has many.
class ObjectRows {
 public:
  std::size_t objects() const { return offsets_.size() - 1; }
  std::size_t size() const { return rows_.size(); }  // of all objects
  bool empty() const { return rows_.empty(); }
  std::span<const RowIndex> operator[](std::size_t object) const {
    return std::span(rows_).subspan(offsets_[object], offsets_[object + 1] - offsets_[object]);
  }
  void reserve(std::size_t objects, std::size_t rows) { offsets_.reserve(objects + 1), rows_.reserve(rows); }
  // The next object's.
  void add(std::span<const RowIndex> rows) {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    offsets_.push_back(rows_.size());
  }
  // The next object's: those from `begin` to `end` (excluded) that are wanted.
  template <class Wanted>
  void add_range(RowIndex begin, RowIndex end, const Wanted& wanted) {
    for (RowIndex k = begin; k < end; ++k)
      if (wanted(k)) rows_.push_back(k);
    offsets_.push_back(rows_.size());
  }
  void add_range(RowIndex begin, RowIndex end) {
    const std::size_t before = rows_.size();
    rows_.resize(before + static_cast<std::size_t>(end - begin));
    std::iota(rows_.begin() + static_cast<std::ptrdiff_t>(before), rows_.end(), begin);
    offsets_.push_back(rows_.size());
  }

 private:
  std::vector<RowIndex> rows_;
  std::vector<std::size_t> offsets_{0};
};

// Where the rows of a scene are: all rows of one system, as views of a data set's arrays or of a
// caller's own, which must outlive them. Features and the rule of relations come from the BatchMaker's data set.
//
// Further inputs of a model enter here as one more view: attributes per object [N, A], inputs that
// are known ahead of time, or the times between which a listed relation holds. SceneContext then selects the part for
// a scene, and BatchMaker::assemble appends that to the batch.
struct SceneSource {
  std::span<const std::int64_t> offsets = {};  // [N+1] rows of each object in the two arrays below
  std::span<const double> times = {};          // [M] ascending within an object
  std::span<const double> values = {};         // [M, D] NaN where missing
  // Listed relations, [E] each.
  std::span<const std::int32_t> relation_sources = {}, relation_targets = {}, relation_types = {};
  std::span<const float> relation_weights = {};
  double origin = 0;           // where the system's own clock starts
  std::size_t features = 0;    // D
  bool has_empty_rows = true;  // whether a row may lack all values; false saves the search for them

  std::int64_t objects() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::span<const double> times_of(std::int64_t object) const {
    const auto o = static_cast<std::size_t>(object), first = static_cast<std::size_t>(offsets[o]);
    return times.subspan(first, static_cast<std::size_t>(offsets[o + 1]) - first);
  }
  std::span<const double> values_of(std::int64_t object) const {  // [K, D]
    const auto o = static_cast<std::size_t>(object), first = static_cast<std::size_t>(offsets[o]);
    return values.subspan(first * features, (static_cast<std::size_t>(offsets[o + 1]) - first) * features);
  }
  std::span<const double> row(std::int64_t object, std::int64_t k) const {  // [D]
    return values.subspan(static_cast<std::size_t>(offsets[static_cast<std::size_t>(object)] + k) * features, features);
  }
  // Whether row k has no value at all. Such rows are never in a scene that BatchMaker makes.
  bool is_empty(std::int64_t object, std::int64_t k) const;
  std::vector<Relation> relations() const;
};
SceneSource source_of(const Dataset& dataset, std::int64_t system);

// First and last observation of a system.
struct TimeSpan {
  double first = 0, last = 0;
};
// Empty where there is none.
std::optional<TimeSpan> observed_span(const SceneSource& source);

struct Scene {
  SceneSource source = {};
  // Names the scene in its batch (Batch::system) and in the random draws of its predictions. Of a data set's system its
  // index.
  std::int64_t number = 0;
  double start = 0;         // physical
  double model_start = 0;   // the same in model time since the origin, without the rounding of a conversion
  ObjectRows context = {};  // rows that the encoder sees
  // Targets: rows, whose values are known; else `times`, the same for every object.
  std::optional<ObjectRows> targets = {};
  std::vector<double> times = {};  // physical, absolute, ascending
  // Training: the number of the draw of the values that are masked; none: nothing is masked.
  std::optional<std::int64_t> mask_draw = {};
  // Where relations are listed: instead of the source's. Objects are counted within the system.
  std::optional<std::vector<Relation>> relations = {};
  // [D] physical, subtracted from the values; instead of the context's: where earlier rows decided.
  std::optional<std::vector<double>> centre = {};
};

// A position and the time of its observation; NaN: unknown.
struct Sighting {
  double time = std::numeric_limits<double>::quiet_NaN(), position = std::numeric_limits<double>::quiet_NaN();
};
// The derived velocity at `now`: the difference from the sighting before. NaN if either is unknown, if they are farther
// apart than `leave`, or if a gate does not allow the change of the position, its `feature`.
double velocity_since(const Sighting& before, const Sighting& now, double leave, const OutlierGate* gate = nullptr,
                      std::size_t feature = 0);

// Mean of each feature over the first time with a value.
class FirstMean {
 public:
  explicit FirstMean(std::size_t features)
      : time_(features, std::numeric_limits<double>::infinity()), sum_(features, 0.0), count_(features, 0) {}
  // [D] NaN: missing. Rows may come in any order.
  void add(double time, std::span<const double> values);
  bool known(std::size_t feature) const { return count_[feature] > 0; }
  double operator[](std::size_t feature) const {  // 0 where unknown
    return known(feature) ? sum_[feature] / static_cast<double>(count_[feature]) : 0.0;
  }

 private:
  std::vector<double> time_, sum_;
  std::vector<std::int64_t> count_;
};

// The context of a scene as values, of the objects that are present, and what follows from it alone: derived
// velocities, means, positions, relations.
class SceneContext {
 public:
  // Both must outlive this object.
  SceneContext(const SceneSource& source, const std::vector<Feature>& features)
      : source_(source), features_(features) {}

  // Room for this many objects, and rows of all of them together.
  void reserve(std::size_t objects, std::size_t rows);
  // Adds an object (index within the system; ascending) with its rows, which may be none.
  void add_object(std::int64_t object, std::span<const RowIndex> rows);
  // Masks a share of the values at random; each row keeps at least one.
  void mask(double share, Random random);
  // Computes derived velocities from neighbouring values of the position: the difference from the previous one (at the
  // first: to the next one) or, with both_sides, the slope of the parabola through both neighbours. With `leave` there
  // is none at the first, nor after a gap longer than that. No difference is taken over a change that `gate` does not
  // allow: a jump that is believed is no velocity.
  void derive(bool both_sides, std::optional<double> leave, const OutlierGate* gate = nullptr);

  const std::vector<std::int64_t>& objects() const { return objects_; }
  std::span<const double> times(std::size_t n) const;   // of the n-th object added
  std::span<const double> values(std::size_t n) const;  // [rows, D] NaN: missing, or masked
  // [D] over all values; 0 where there is none.
  std::vector<double> mean() const;
  // [D] see FirstMean.
  std::vector<double> first_mean() const;
  // [objects, P] the last value of each position, or the mean one; NaN where there is none.
  std::vector<double> positions(const std::vector<int>& position_features, bool last) const;
  // Among the added objects, which are counted by their place (data/relation_rule.h). `listed`: read where
  // the rule is kListed. Distance is measured between last or mean positions.
  std::vector<Relation> relations(const EdgeRule& rule, std::vector<Relation> listed, bool last_positions) const;

 private:
  const SceneSource& source_;
  const std::vector<Feature>& features_;
  std::vector<std::int64_t> objects_;
  std::vector<std::size_t> offsets_{0};  // [objects+1] rows
  std::vector<double> times_, values_;
};

}  // namespace lgode::data
