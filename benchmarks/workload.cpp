// The shared data set and model of workload.h.
#include "workload.h"

#include <numeric>

#include "lgode/data/simulate.h"

namespace lgode::bench {

const data::BatchMaker& springs() {
  static const data::BatchMaker maker = [] {
    const data::Dataset set = data::simulate({.train = 256, .test = 1});
    return data::BatchMaker(set, data::fit_normalisation(set, set.systems_in(data::Part::kTrain)), {.observed = 0.6});
  }();
  return maker;
}

data::Batch springs_batch(std::int64_t systems) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(systems));
  std::iota(list.begin(), list.end(), 0);
  return springs().make(list, data::View::kTrain);
}

model::LgOde make_model(const model::ModelOptions& options, at::Device device) {
  return {options, {4, 1, false, data::default_window(springs().dataset(), 0.6)}, 1, at::kFloat, device};
}

}  // namespace lgode::bench
