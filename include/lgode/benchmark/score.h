// Errors of paths. ADE is the mean distance over the 12 frames, FDE the distance at the last one; both are averaged
// over people. Best of K: the smallest ADE and the smallest FDE of a person's K paths, which may be of different ones.
// No LibTorch.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "lgode/benchmark/masks.h"
#include "lgode/benchmark/paths.h"

namespace lgode::benchmark {

struct Distances {
  double ade = 0, fde = 0;
};
Distances distances(const Track& track, const Path& path);

// What one group of one fold comes to.
struct Score {
  std::int64_t people = 0;  // of forecasts
  double ade = 0, fde = 0;
  std::int64_t futures = 0;  // K; 0: the one path only
  std::optional<Distances> best;
  std::int64_t values = 0;  // of imputations: hidden coordinates
  double mae = 0;

  nlohmann::ordered_json to_json() const;
  // Throws nlohmann::json::exception where something lacks.
  static Score from_json(const nlohmann::json& json);
};

class ScoreSum {
 public:
  // `futures`: none or K paths, as many for everybody.
  void add(const Track& track, const Path& path, std::span<const Path> futures = {});
  // The mean absolute error of hidden coordinates, x and y one by one.
  void add(const Track& track, const Hidden& hidden, const Past& past);
  Score mean() const;

 private:
  Score sum_;
};

}  // namespace lgode::benchmark
