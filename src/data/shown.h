// What a batch shows of one system, in physical units: the encoder's observations of the objects that are present, and
// what follows from them alone: derived velocities, means, relations by rule. Internal to batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"

namespace lgode::data {

class Shown {
 public:
  Shown(const Dataset& dataset, std::int64_t system) : dataset_(dataset), system_(system) {}

  // Room for so many objects, and rows of all of them together.
  void reserve(std::size_t objects, std::size_t rows);
  // Adds an object (index within the system; ascending) with the rows shown of it, which may be none.
  void add_object(std::int64_t object, std::span<const std::int64_t> rows);
  // Hides a share of the values at random; each row keeps at least one.
  void hide(double share, Random random);
  // Computes derived velocities from neighbouring shown values of the position: the difference from the previous one
  // (at the first: to the next one) or, with both_sides, the slope of the parabola through both neighbours. With
  // `leave` there is none at the first, nor after a longer time than that.
  void derive(bool both_sides, std::optional<double> leave);

  const std::vector<std::int64_t>& objects() const { return objects_; }
  std::span<const double> times(std::size_t n) const;   // of the n-th object that was added
  std::span<const double> values(std::size_t n) const;  // [rows, D] NaN: missing, or hidden
  // Mean of each feature over all that is shown; 0 where nothing is.
  std::vector<double> mean() const;
  // The same over the first time that shows the feature.
  std::vector<double> first_mean() const;
  // Relations among the objects that were added, by target: those listed, or by the set's rule. Distance is measured
  // between the objects' last shown positions, or between their mean ones.
  void append_relations(Batch& batch, bool last_positions) const;

 private:
  void append_listed(Batch& batch) const;
  void append_all(Batch& batch) const;
  void append_near(Batch& batch, bool last_positions) const;
  // [objects, P] NaN where none is shown.
  std::vector<double> places(bool last) const;

  const Dataset& dataset_;
  std::int64_t system_;
  std::vector<std::int64_t> objects_;
  std::vector<std::size_t> offsets_{0};  // [objects+1] rows
  std::vector<double> times_, values_;
};

}  // namespace lgode::data
