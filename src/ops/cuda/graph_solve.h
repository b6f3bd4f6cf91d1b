// What the forward and the backward of one fused solve on a GPU share: tiles, weights in the kernels' order, and what
// is kept for the gradient. Names as in graph_kernel.h.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/cuda/graph_kernel.h"
#include "ops/cuda/graph_tiles.h"
#include "ops/graph_layout.h"

namespace lgode::ops::cuda {

Factors factors_of(Precision precision);

struct Solve {
  std::shared_ptr<const GraphTiles> tiles;
  GraphSize size;
  std::unique_ptr<GraphLayout> layout;
  bool adjoint = false;  // gradient by the continuous adjoint, of states only
  GraphModel model;
  GraphWork work;
  at::Tensor flat, fragments, transposed;
  bool differentiated = false;
  GraphKept kept;
  at::Tensor zs, a1, a2, uv, signs;
  at::Tensor keep, add;  // detached; undefined where there are no jumps
  at::Tensor scratch;
  // Of a float32 solve without gradients: kHalves, tried first, and where it failed. Undefined: not tried.
  GraphModel first_model;
  at::Tensor first_fragments, first_scratch, failed;

  int z() const { return static_cast<int>(size.z); }
  int steps() const { return static_cast<int>(tiles->steps); }
  std::int64_t wide() const { return size.zp() + size.hp(); }
  std::int64_t uvp() const { return size.lists * 2 * size.hp(); }
  bool is_bf16() const { return model.factors == Factors::kBf16; }
  at::ScalarType dtype() const { return is_bf16() ? at::kBFloat16 : at::kFloat; }  // of factors
  std::int64_t bytes() const { return is_bf16() ? 2 : 4; }                         // of a factor
  std::int64_t kept_bytes() const {                                                // per evaluation
    return tiles->rows * (wide() + 2 * size.hp() + uvp()) * bytes() + tiles->chunks * size.hp() * 8;
  }
  std::int64_t piece_bytes() const {  // per evaluation
    return (tiles->rows * (size.zp() + 2 * size.hp() + uvp()) + 2 * tiles->chunks * kChunk * size.hp()) * bytes();
  }

  // Allocates what the forward keeps for evaluations [first, first + evaluations).
  void make_room(std::int64_t first, std::int64_t evaluations, const at::TensorOptions& options);
};

// Copies the weights to `flat` and packs them as fragments, where a backward can follow also transposed.
void pack(Solve& s, const std::vector<at::Tensor>& weights);

// Fills `work` from the tiles and the rule; allocates the scratch memory.
void describe(Solve& s, const ode::Tableau& rule);

}  // namespace lgode::ops::cuda
