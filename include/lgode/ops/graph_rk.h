// The graph neural ODE: its right-hand side, and a whole solve.
//
// Eqs. 2 and 10:
//   dz_i/dt = MLP_o([z_i | sum_j w_ij e_ij]),   e_ij = MLP_r^type([z_i | z_j])
// MLP_r: two ReLU layers of width H; MLP_o: two ReLU layers of width H and a linear one back to Z.
//
// Shapes: n rows (objects, once per latent sample), Z = latent + augmentation, H hidden, R message networks, P pairs of
// one list.
// Dtypes: float32, float64. Devices: CPU, CUDA. Gradients for the state and all weights. Errors: TORCH_CHECK_VALUE.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/ode/solve.h"
#include "lgode/ops/device.h"
#include "lgode/ops/impl.h"
#include "lgode/ops/spare_memory.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// The pairs, arranged in the tiles of the fused solve on a GPU.
struct GraphTiles;

// Ordered pairs, one list per message network, each sorted by target row. Rows of a system are consecutive, so the
// pairs of the first m rows are a prefix of every list.
struct PairGraph {
  struct List {
    at::Tensor target, source;               // [P] int64 rows, on the state's device
    at::Tensor target_offsets;               // [n+1] int64, on the state's device
    at::Tensor weight;                       // [P, 1] in the state's dtype; undefined if all are 1
    std::vector<std::int64_t> pairs_before;  // [n+1] host copy of target_offsets
  };
  std::vector<List> lists;  // R
  std::int64_t rows = 0;
  std::shared_ptr<const GraphTiles> tiles;  // set by to_device(); null: no fused solve on a GPU
};

// dz/dt of column `position` is factor times column `velocity`; with `remainder` the network's output is added.
struct Tie {
  std::int64_t position = 0, velocity = 0;
  double factor = 1.0;
  bool remainder = false;
};

// Changes of the state in addition to the dynamics, for one plan of K steps. A step between equal nodes has no length:
// it only sets the state of a row with a jump to keep * z + add.
struct Events {
  std::vector<Tie> ties;
  std::vector<std::int32_t> jump;     // [K, n] jump of a step and row, -1: none; empty: there are none
  std::vector<std::uint8_t> present;  // [K+1, n] by node; 0: the row is frozen and sends no messages; empty: all 1
  // [K+1, n] by node; 0: the slope is not read there. Before a step without length it may be left at zero, which saves
  // an evaluation; empty: all 1
  std::vector<std::uint8_t> read = {};
  std::int64_t precise = 0;  // the first columns that enter bf16 products with twice the digits
};
// Widths of the state and of the hidden layers.
struct FieldSize {
  std::int64_t width = 0, hidden = 0;
};

// What a solve on a GPU must be able to do.
struct SolveKind {
  Precision precision = Precision::kBf16;
  ode::Gradient gradient = ode::Gradient::kRecompute;
  bool gradients = true;  // whether the solve is differentiated at all
  bool at_nodes = false;  // only states at nodes are read, no slopes
  bool beside = false;    // other solves run at the same time, so that it need not fill the GPU
};

// Uploads pairs whose tensors are on the CPU and prepares them for solves over `plan`, with `events` if given.
// With padded shapes, if there are tiles, the result is for the fused solve only. `size`: where it is known, tiles can
// be larger. `kind`: of the solves.
PairGraph to_device(PairGraph pairs, const ode::StepPlan& plan, Upload& upload, Shapes shapes = Shapes::kExact,
                    const FieldSize& size = {}, const Events* events = nullptr, const SolveKind& kind = {});
// The same for graph_field() alone: without tiles.
PairGraph lists_to_device(PairGraph pairs, Upload& upload);

struct DynamicsWeights {
  struct Message {
    at::Tensor w1, b1;  // [H, 2Z], [H]; columns: state of the target, then of the source
    at::Tensor w2, b2;  // [H, H], [H]
  };
  std::vector<Message> messages;  // R
  at::Tensor w1, b1;              // MLP_o: [H, Z+H], [H]; columns: own state, then the sum of messages
  at::Tensor w2, b2;              // [H, H], [H]
  at::Tensor w3, b3;              // [Z, H], [Z]

  std::vector<at::Tensor> tensors() const;
};

// The weights of the negated right-hand side: a solve with them runs backwards in time.
DynamicsWeights reversed(DynamicsWeights weights);

// z [m, Z] -> dz/dt [m, Z] for the first m rows. Reference: per pair, as written above. Otherwise: the first message
// layer once per node, W[z_i | z_j] + b = (W_a z_i + b) + W_b z_j.
at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs,
                       Impl impl = Impl::kAuto);

// graph_field() as the right-hand side for the ode module.
ode::Field make_graph_field(const DynamicsWeights& weights, const PairGraph& pairs, Impl impl = Impl::kAuto);

// Whether graph_rk() uses the fused solve on this GPU for batches that have tiles. float32 states [n, width].
bool has_fused_solve(at::Device device, std::int64_t networks, const FieldSize& size, const ode::Tableau& rule,
                     const SolveKind& kind, Impl impl, std::int64_t precise = 0);

// Whether solves on this device can multiply in bf16: on a GPU always, on a CPU with AVX512_BF16 in a build with the
// fused operators, unless hold_simd() excludes AVX-512.
bool has_bf16(at::Device device);

struct Assimilation {
  Events events;
  at::Tensor keep, add;  // [J, Z] with gradients; undefined where there are no jumps
};

struct SolveOptions {
  ode::Gradient gradient = ode::Gradient::kRecompute;
  Impl impl = Impl::kAuto;
  Precision precision = Precision::kFloat32;
  std::shared_ptr<SpareMemory> spare = {};  // for the fused solve on the CPU; null: every solve allocates
  bool at_nodes = false;                    // only states at nodes will be read; slopes then may have no gradient
};

// Eq. 1: a whole solve from z0 [n, Z] over a plan. Fused (float32, gradient mode recompute, rules with cubic dense
// output): each tile of systems goes through all steps in cache, and the backward recomputes values that are not kept.
// Otherwise ode::solve over graph_field. On a GPU the fused solve also has the continuous adjoint, if only states at
// nodes are read. On a CPU it multiplies in float32, or in bf16 if the precision asks for it, which is an error where
// has_bf16() is false.
ode::Trajectory graph_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                         const ode::StepPlan& plan, const ode::Tableau& rule, const SolveOptions& options = {});

// The same with ties, jumps and rows that enter and leave. Reference: plain ATen operations, gradients by autograd.
ode::Trajectory assimilating_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                                const ode::StepPlan& plan, const ode::Tableau& rule, const Assimilation& assimilation,
                                const SolveOptions& options = {});

}  // namespace lgode::ops
