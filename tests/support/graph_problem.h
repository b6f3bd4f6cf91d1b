// A random field over random pairs, for tests of the graph ODE's operators.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/ops/graph_rk.h"
#include "support/numeric.h"
#include "support/temporal.h"

namespace lgode::testing {

struct Problem {
  ops::DynamicsWeights weights;
  ops::PairGraph pairs;
  at::Tensor z;
  std::vector<std::int64_t> row_offsets{0};

  std::vector<at::Tensor> leaves() const {
    std::vector<at::Tensor> all = weights.tensors();
    all.push_back(z);
    return all;
  }
};

// Systems of the given sizes; every ordered pair is in a random list or, if `sparse`, maybe in none.
inline Problem make_problem(const std::vector<std::int64_t>& systems, std::int64_t lists, std::int64_t width,
                            std::int64_t hidden, at::ScalarType dtype, bool weighted, bool sparse = false) {
  Problem p;
  Random random(17, RandomUse::kTest);
  auto leaf = [&](std::vector<std::int64_t> shape, double size) {
    return random_tensor(std::move(shape), random, size).to(dtype).requires_grad_(true);
  };
  const double size = 1.0 / std::sqrt(static_cast<double>(hidden));
  for (std::int64_t r = 0; r < lists; ++r)
    p.weights.messages.push_back(
        {leaf({hidden, 2 * width}, size), leaf({hidden}, size), leaf({hidden, hidden}, size), leaf({hidden}, size)});
  p.weights.w1 = leaf({hidden, width + hidden}, size), p.weights.b1 = leaf({hidden}, size);
  p.weights.w2 = leaf({hidden, hidden}, size), p.weights.b2 = leaf({hidden}, size);
  p.weights.w3 = leaf({width, hidden}, size), p.weights.b3 = leaf({width}, size);
  struct List {
    std::vector<std::int64_t> target, source, before{0};
    std::vector<double> weight;
  };
  std::vector<List> all(static_cast<std::size_t>(lists));
  for (std::int64_t count : systems) {
    const std::int64_t first = p.row_offsets.back();
    p.row_offsets.push_back(first + count);
    for (std::int64_t i = first; i < first + count; ++i) {
      for (std::int64_t j = first; j < first + count; ++j) {
        if (i == j || (sparse && random.coin())) continue;
        List& list = all[random.below(static_cast<std::uint64_t>(lists))];
        list.target.push_back(i), list.source.push_back(j), list.weight.push_back(0.5 + random.uniform());
      }
      for (List& list : all) list.before.push_back(static_cast<std::int64_t>(list.target.size()));
    }
  }
  for (const List& list : all) {
    ops::PairGraph::List l{at::tensor(list.target, at::kLong), at::tensor(list.source, at::kLong),
                           at::tensor(list.before, at::kLong), at::Tensor(), list.before};
    if (weighted) l.weight = at::tensor(list.weight, at::kDouble).to(dtype).unsqueeze(1);
    p.pairs.lists.push_back(l);
  }
  p.pairs.rows = p.row_offsets.back();
  p.z = leaf({p.pairs.rows, width}, 1.0);
  return p;
}

}  // namespace lgode::testing
