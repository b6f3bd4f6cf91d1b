// Figures of other people, each with the place where it was read. No LibTorch.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace lgode::benchmark {

// What a row of a table says.
enum class Measure {
  kOne,   // ADE/FDE of one path
  kBest,  // best of 20
  kMae,   // of imputations
};

struct Source {
  std::string_view what, link;
};
const std::vector<Source>& sources();

struct Figure {
  double first = 0;                   // ADE or MAE
  std::optional<double> second = {};  // FDE
};

struct Published {
  std::string_view benchmark;
  std::vector<std::string_view> groups;  // whose tables show it
  Measure measure = Measure::kOne;
  std::string_view method;
  std::vector<Figure> folds;        // in the order of the benchmark's; empty: only the mean is published
  std::optional<Figure> mean = {};  // as published; unset: the mean of the folds
  std::size_t source = 0;           // in sources()
  bool from_others = false;         // measured or collected by others than the method's authors
};
const std::vector<Published>& published();

}  // namespace lgode::benchmark
