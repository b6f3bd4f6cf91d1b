// Binds the kernels of graph_kernel.h to autograd, and checks what the device can take. graph_tiles.h cuts the batch,
// graph_solve.h packs the weights, graph_gradient.h makes the gradient.
#include "ops/cuda/graph_rk.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "ops/cuda/graph_gradient.h"
#include "ops/graph_weights.h"
#include "ops/tensor_holder.h"

namespace lgode::ops::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr std::int64_t kKeptShare = 4;  // what the forward keeps may take 1/kKeptShare of the device's memory

struct FusedSolve : Function<FusedSolve> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& z0, const at::Tensor& /*keep*/,
                               const at::Tensor& /*add*/, at::TensorList weights, const std::shared_ptr<Solve>& solve) {
    const c10::cuda::CUDAGuard guard(z0.device());
    Solve& s = *solve;
    const at::Tensor states = at::empty({s.steps() + 1, z0.size(0), z0.size(1)}, z0.options());
    const at::Tensor slopes = at::empty_like(states);
    states[0].copy_(z0);
    const std::int64_t evaluations = s.work.evaluation(s.steps()) + 1;
    const std::int64_t memory = static_cast<std::int64_t>(at::cuda::getCurrentDeviceProperties()->totalGlobalMem);
    if (s.differentiated && !s.adjoint && s.kept_bytes() * evaluations <= memory / kKeptShare)
      s.make_room(0, evaluations, z0.options());
    const auto solve_all = [&](const GraphModel& model, const GraphWork& work) {
      C10_CUDA_CHECK(graph_forward(model, work, s.z(), s.tiles->tile_rows, 0, s.steps(), true, states.data_ptr<float>(),
                                   slopes.data_ptr<float>(), s.kept, at::cuda::getCurrentCUDAStream()));
    };
    GraphWork work = s.work;
    if (s.failed.defined()) {
      work.scratch = reinterpret_cast<char*>(s.first_scratch.data_ptr());
      work.failed = s.failed.data_ptr<int>();
      solve_all(s.first_model, work);
      work = s.work;
      work.only = s.failed.data_ptr<int>();  // most often none
    }
    solve_all(s.model, work);
    variable_list saved{tensor_holder(solve), states, slopes};
    saved.insert(saved.end(), weights.begin(), weights.end());
    ctx->save_for_backward(saved);
    if (s.adjoint) ctx->mark_non_differentiable({slopes});
    return {states, slopes};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    Solve& s = *static_cast<Solve*>(saved[0].data_ptr());
    const at::Tensor &states = saved[1], &slopes = saved[2];
    const variable_list weights(saved.begin() + 3, saved.end());
    const c10::cuda::CUDAGuard guard(states.device());
    const SolveGradients found = differentiate(s, states, slopes, grad[0], grad[1]);
    variable_list out{found.z0, found.keep, found.add};
    const variable_list gradients = unflatten_gradients(found.flat, weights, s.size, *s.layout);
    out.insert(out.end(), gradients.begin(), gradients.end());
    out.emplace_back();
    return out;
  }
};

// Whether the kernels' shared memory for tiles of this many rows is available. Float32 needs no extra inputs.
bool fits(at::Device device, GraphSize size, int rows, const SolveKind& kind, Factors factors) {
  GraphModel model;
  model.factors = factors;
  const bool bf16 = model.factors == Factors::kBf16;
  if (!bf16) size.extra = 0;
  if (!bf16 && kind.gradients && rows == kMaxRows) return false;
  model.zp = static_cast<int>(size.zp()), model.hp = static_cast<int>(size.hp());
  const GraphMemory memory = graph_memory(model, rows);
  const int shared = kind.gradients ? std::max(memory.forward, memory.backward) : memory.forward;
  return static_cast<std::size_t>(shared) <= at::cuda::getDeviceProperties(device.index())->sharedMemPerBlockOptin;
}
bool fits(at::Device device, const GraphSize& size, int rows, const SolveKind& kind) {
  return fits(device, size, rows, kind, factors_of(kind.precision));
}

}  // namespace

std::shared_ptr<const GraphTiles> make_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                             Shapes shapes, const FieldSize& size, const Events* events,
                                             const SolveKind& kind) {
  const auto lists = static_cast<std::int64_t>(pairs.lists.size());
  const std::int64_t precise = events != nullptr ? events->precise : 0;
  TileSize rows;
  for (const int more : {64, kMaxRows})
    if (size.width > 0 && fits(upload.device(), {lists, size.width, size.hidden, precise}, more, kind))
      rows.widest = more;
  rows.processors = kind.beside ? 1 : at::cuda::getDeviceProperties(upload.device().index())->multiProcessorCount;
  // Small tiles take as long per row, but end earlier: next to others, the last solve should not run alone for long.
  if (kind.beside && !kind.gradients && kind.precision == Precision::kFloat32) rows.usual = kSharedRows / 2;
  return cut_tiles(pairs, plan, upload, shapes, events, rows);
}

bool has_solve(at::Device device, const GraphSize& size, const GraphTiles* tiles, const ode::Tableau& rule,
               const SolveKind& kind) {
  if (!device.is_cuda() || !rule.mid.empty() || rule.stages() > kMaxStages) return false;
  const auto is_zero = [](double b) { return b == 0; };
  const bool adjoint =
      kind.gradient == ode::Gradient::kAdjoint && kind.at_nodes && std::none_of(rule.b.begin(), rule.b.end(), is_zero);
  if (kind.gradients && kind.gradient != ode::Gradient::kRecompute && !adjoint) return false;
  if (adjoint && tiles != nullptr && tiles->alternating) return false;
  const std::int64_t precise = tiles != nullptr ? tiles->precise : size.extra;
  return fits(device, {size.lists, size.z, size.h, precise}, tiles != nullptr ? tiles->tile_rows : kSharedRows, kind);
}

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule, const SolveKind& kind,
                            const at::Tensor& keep, const at::Tensor& add) {
  const std::vector<at::Tensor> tensors = weights.tensors();
  auto solve = std::make_shared<Solve>();
  solve->tiles = pairs.tiles;
  solve->model.factors = factors_of(kind.precision);
  solve->adjoint = kind.gradient == ode::Gradient::kAdjoint;
  solve->size = {static_cast<std::int64_t>(pairs.lists.size()), z0.size(1), weights.w2.size(0),
                 solve->is_bf16() ? pairs.tiles->precise : 0};
  solve->layout = std::make_unique<GraphLayout>(solve->size);
  variable_list values;
  for (const at::Tensor& t : tensors) values.push_back(t.detach());
  const c10::cuda::CUDAGuard guard(z0.device());
  const bool jumps = keep.defined() && keep.size(0) > 0;
  TORCH_CHECK_VALUE(!jumps || pairs.tiles->jump.defined(),
                    "assimilating_rk: the pairs were uploaded without the events");
  if (jumps) solve->keep = keep.detach().contiguous(), solve->add = add.detach().contiguous();
  auto differentiated = [](const at::Tensor& t) { return t.requires_grad(); };
  solve->differentiated = at::GradMode::is_enabled() &&
                          (z0.requires_grad() || std::any_of(tensors.begin(), tensors.end(), differentiated) ||
                           (jumps && (keep.requires_grad() || add.requires_grad())));
  const SolveKind as_is{.precision = kind.precision, .gradients = false};
  if (solve->model.factors == Factors::kFloat32 && !solve->differentiated &&
      fits(z0.device(), solve->size, pairs.tiles->tile_rows, as_is, Factors::kHalves)) {
    solve->first_model.factors = Factors::kHalves;
    solve->failed = at::empty({pairs.tiles->tiles}, z0.options().dtype(at::kInt).requires_grad(false));
  }
  pack(*solve, values);
  describe(*solve, rule);
  // An undefined tensor is not a valid argument of a Function; a constant replaces it.
  const at::Tensor none = at::zeros({0, z0.size(1)}, z0.options().requires_grad(false));
  const variable_list out =
      FusedSolve::apply(z0, jumps ? keep : none, jumps ? add : none, at::TensorList(tensors), solve);
  return {plan, out[0], out[1], at::Tensor()};
}

}  // namespace lgode::ops::cuda
