// Binds the kernels of graph_kernel.h: cuts a batch into tiles, packs the weights, keeps what the gradient needs, and
// forms the weight gradients by batched matrix products with one batch entry per evaluation, added up in order.
#include "ops/cuda/graph_rk.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <numeric>

#include "ops/cuda/graph_kernel.h"
#include "ops/graph_weights.h"
#include "ops/tensor_holder.h"

namespace lgode::ops {

struct GraphTiles {
  std::int64_t tiles = 0, rows = 0, chunks = 0, steps = 0;
  int tile_rows = 16;                        // rows that the kernel is compiled for: 16, 32, 64 or 128
  std::vector<std::int64_t> first_chunk;     // [R+1] of each list
  std::vector<std::int64_t> padding;         // [R] at most this many of a list's last chunks belong to no tile
  at::Tensor row_begin, chunk_begin, count;  // int32
  at::Tensor target, source;                 // uint8 [chunks, kChunk]
  at::Tensor weight;                         // float32 [chunks, kChunk]
  at::Tensor step;                           // float32 [K, rows]
  // Assimilation, as in GraphWork.
  bool alternating = false;
  at::Tensor jump;     // int32 [K, rows]; undefined: none
  at::Tensor present;  // uint8 [K+1, rows]; undefined: all
  at::Tensor read;     // uint8 [K, tiles]; undefined: all
  std::vector<Tie> ties;
  std::int64_t precise = 0;
};

namespace cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// What the forward keeps may take 1/kKeptShare of the device's memory, a piece of the backward 1/kPieceShare. A piece
// is a range of steps whose factors of the weight gradients exist at the same time.
constexpr std::int64_t kKeptShare = 4, kPieceShare = 8;
constexpr std::int64_t kMostPrecise = 16;
constexpr std::int64_t kPaddedSteps = 8;  // padded plans have a multiple of so many steps

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Factors factors_of(Precision precision) {
  switch (precision) {
    case Precision::kTf32:
      return Factors::kTf32;
    case Precision::kFloat32:
      return Factors::kFloat32;
    default:
      return Factors::kBf16;
  }
}

// First row of each tile of whole systems: as many tiles as the device has multiprocessors, unless tiles would have
// more than `usual` rows. Empty if a system has more than `most` rows.
std::vector<int> cut_rows(const std::vector<std::int64_t>& offsets, std::int64_t processors, std::int64_t usual,
                          std::int64_t most) {
  std::int64_t largest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) largest = std::max(largest, offsets[s + 1] - offsets[s]);
  if (largest > most) return {};
  const std::int64_t limit = std::max(largest, std::min(usual, ceiling(offsets.back(), processors)));
  std::vector<int> begin{0};
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    if (offsets[s + 1] - begin.back() > limit) begin.push_back(static_cast<int>(offsets[s]));
  if (begin.back() < offsets.back()) begin.push_back(static_cast<int>(offsets.back()));
  return begin;
}

// One solve: the data that forward and backward share. Names as in graph_kernel.h.
struct Solve {
  std::shared_ptr<const GraphTiles> tiles;
  GraphSize size;
  std::unique_ptr<GraphLayout> layout;
  bool adjoint = false;  // the gradient is that of the continuous adjoint, of states only
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
  void make_room(std::int64_t first, std::int64_t evaluations, const at::TensorOptions& options) {
    const at::TensorOptions factor = options.dtype(dtype()).requires_grad(false);
    const std::int64_t rows = tiles->rows, hp = size.hp();
    zs = at::empty({evaluations, rows, wide()}, factor);
    a1 = at::empty({evaluations, rows, hp}, factor);
    a2 = at::empty({evaluations, rows, hp}, factor);
    uv = at::empty({evaluations, rows, uvp()}, is_bf16() ? factor.dtype(at::kHalf) : factor);
    signs = at::empty({evaluations, tiles->chunks, 2 * hp}, factor.dtype(at::kInt));
    kept = {static_cast<int>(first), zs.data_ptr(), a1.data_ptr(),
            a2.data_ptr(),           uv.data_ptr(), reinterpret_cast<std::uint32_t*>(signs.data_ptr())};
  }
};

void describe(GraphModel& m, const Solve& s) {
  const GraphLayout& l = *s.layout;
  m.zp = static_cast<int>(s.size.zp()), m.hp = static_cast<int>(s.size.hp()), m.lists = static_cast<int>(s.size.lists);
  m.biases = 3 * m.lists * m.hp + 2 * m.hp + m.zp;
  m.w1 = static_cast<int>(l.w1), m.b1 = static_cast<int>(l.b1);
  for (int r = 0; r < m.lists; ++r) m.w2[r] = static_cast<int>(l.w2[r]), m.b2[r] = static_cast<int>(l.b2[r]);
  m.o1 = static_cast<int>(l.o1), m.c1 = static_cast<int>(l.c1), m.o2 = static_cast<int>(l.o2);
  m.c2 = static_cast<int>(l.c2), m.o3 = static_cast<int>(l.o3), m.c3 = static_cast<int>(l.c3);
  m.flat = s.flat.data_ptr<float>();
}

at::Tensor make_scratch(const Solve& s, const GraphModel& model) {
  return at::empty({s.tiles->tiles * graph_memory(model, s.tiles->tile_rows).scratch},
                   s.flat.options().dtype(at::kByte));
}

void describe(Solve& s, const ode::Tableau& rule) {
  const GraphTiles& t = *s.tiles;
  GraphWork& w = s.work;
  w.tiles = static_cast<int>(t.tiles), w.rows = static_cast<int>(t.rows), w.chunks = static_cast<int>(t.chunks);
  w.stages = rule.stages();
  w.row_begin = t.row_begin.data_ptr<int>(), w.chunk_begin = t.chunk_begin.data_ptr<int>();
  w.count = t.count.data_ptr<int>();
  w.target = t.target.data_ptr<std::uint8_t>(), w.source = t.source.data_ptr<std::uint8_t>();
  w.weight = t.weight.data_ptr<float>();
  w.step = t.step.data_ptr<float>();
  w.steps = static_cast<int>(t.steps);
  w.alternating = t.alternating;
  w.precise = static_cast<int>(s.size.extra);
  if (s.keep.defined()) {
    w.jump = t.jump.data_ptr<int>();
    w.keep = s.keep.data_ptr<float>(), w.add = s.add.data_ptr<float>();
  }
  if (t.present.defined()) w.present = t.present.data_ptr<std::uint8_t>();
  if (t.read.defined()) w.read = t.read.data_ptr<std::uint8_t>();
  for (const Tie& tie : t.ties)
    w.tie[w.ties++] = {static_cast<int>(tie.position), static_cast<int>(tie.velocity), static_cast<float>(tie.factor),
                       tie.remainder};
  s.scratch = make_scratch(s, s.model);
  w.scratch = reinterpret_cast<char*>(s.scratch.data_ptr());
  for (int i = 0; i < w.stages; ++i) {
    w.b[i] = static_cast<float>(rule.b[i]);
    for (std::size_t j = 0; j < rule.a[i].size(); ++j) w.a[i][j] = static_cast<float>(rule.a[i][j]);
  }
}

// The weights as fragments of a model's factors, where a backward can follow also transposed.
void pack(const Solve& s, GraphModel& model, at::Tensor& fragments, at::Tensor* transposed) {
  describe(model, s);
  fragments = at::empty({s.layout->total * fragment_bytes(model.factors)}, s.flat.options().dtype(at::kByte));
  if (transposed != nullptr) *transposed = at::empty_like(fragments);
  model.fragments = fragments.data_ptr(), model.transposed = transposed != nullptr ? transposed->data_ptr() : nullptr;
  std::vector<PackedMatrix> matrices;
  for (const GraphLayout::Matrix& m : s.layout->matrices)
    matrices.push_back({static_cast<int>(m.at), static_cast<int>(m.inputs), static_cast<int>(m.outputs)});
  C10_CUDA_CHECK(pack_fragments(model, matrices.data(), static_cast<int>(matrices.size()), fragments.data_ptr(),
                                transposed != nullptr ? transposed->data_ptr() : nullptr,
                                at::cuda::getCurrentCUDAStream()));
}

// As flatten_weights(), in one launch.
at::Tensor gather(const Solve& s, const variable_list& weights) {
  variable_list own;
  for (const at::Tensor& w : weights) own.push_back(w.contiguous());
  std::vector<WeightPlace> places;
  for (const MatrixPlace& p : matrix_places(s.size, *s.layout)) {
    const at::Tensor& w = own[p.tensor];
    places.push_back({w.data_ptr<float>() + p.column, static_cast<int>(w.size(1)), static_cast<int>(p.inputs),
                      static_cast<int>(w.size(0)), static_cast<int>(p.offset + p.row * p.outputs + p.out_column),
                      static_cast<int>(p.outputs)});
  }
  for (const auto& [tensor, offset] : bias_places(s.size, *s.layout))
    places.push_back(
        {own[tensor].data_ptr<float>(), 1, 1, static_cast<int>(own[tensor].numel()), static_cast<int>(offset), 0});
  const at::Tensor flat = at::zeros({s.layout->total}, own[0].options().requires_grad(false));
  C10_CUDA_CHECK(gather_weights(places.data(), static_cast<int>(places.size()), flat.data_ptr<float>(),
                                at::cuda::getCurrentCUDAStream()));
  return flat;
}

void pack(Solve& s, const variable_list& weights) {
  s.flat = gather(s, weights);
  // Rests of the first columns have the weights of these columns.
  const auto repeat = [&](std::int64_t at, std::int64_t outputs) {
    s.flat.narrow(0, at + s.size.z * outputs, s.size.extra * outputs)
        .copy_(s.flat.narrow(0, at, s.size.extra * outputs));
  };
  repeat(s.layout->w1, s.uvp()), repeat(s.layout->o1, s.size.hp());
  pack(s, s.model, s.fragments, s.differentiated ? &s.transposed : nullptr);
  if (s.failed.defined()) {
    pack(s, s.first_model, s.first_fragments, nullptr);
    s.first_scratch = make_scratch(s, s.first_model);
  }
}

// gradient [in, out] += sum over e and k of x[e, k, in] y[e, k, out]; x, y [E, depth, *], slices of larger tensors.
void add_weight_gradient(const at::Tensor& x, const at::Tensor& y, Factors factors, const at::Tensor& gradient) {
  const std::int64_t batch = x.size(0), depth = x.size(1), in = x.size(2), out = y.size(2);
  if (batch == 0 || depth == 0) return;
  const at::Tensor parts = at::empty({batch, in * out}, gradient.options());
  const float one = 1, zero = 0;
  const cudaDataType_t type = factors == Factors::kBf16 ? CUDA_R_16BF : CUDA_R_32F;
  TORCH_CUDABLAS_CHECK(cublasGemmStridedBatchedEx(
      at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_N, CUBLAS_OP_T, static_cast<int>(out), static_cast<int>(in),
      static_cast<int>(depth), &one, y.data_ptr(), type, static_cast<int>(y.stride(1)), y.stride(0), x.data_ptr(), type,
      static_cast<int>(x.stride(1)), x.stride(0), &zero, parts.data_ptr(), CUDA_R_32F, static_cast<int>(out), in * out,
      static_cast<int>(batch), factors == Factors::kTf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
      CUBLAS_GEMM_DEFAULT));
  gradient.add_(parts.sum(0));
}

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
    auto data = [](const at::Tensor& t) -> const float* { return t.defined() ? t.data_ptr<float>() : nullptr; };
    const at::Tensor dstates = grad[0].defined() ? grad[0].contiguous() : grad[0];
    at::Tensor dslopes = grad[1].defined() ? grad[1].contiguous() : grad[1];
    if (!dslopes.defined() && s.tiles->alternating) dslopes = at::zeros_like(slopes);

    const std::int64_t rows = s.tiles->rows, zp = s.size.zp(), hp = s.size.hp(), stages = s.work.stages;
    const at::TensorOptions full = states.options().requires_grad(false);
    const at::Tensor lambda = at::zeros({rows, zp}, full);
    // The kernel adds the gradient of a node's state together with that of its slope or of the step after it.
    if (s.adjoint && dstates.defined()) lambda.slice(1, 0, s.size.z).copy_(dstates[s.steps()]);
    const at::Tensor bias = at::zeros({s.tiles->tiles, s.model.biases}, full);
    const at::Tensor flat = at::zeros({s.layout->total}, full);
    at::Tensor dkeep, dadd;
    if (s.keep.defined()) dkeep = at::zeros_like(s.keep), dadd = at::zeros_like(s.add);
    const cudaStream_t stream = at::cuda::getCurrentCUDAStream();

    const std::int64_t memory = static_cast<std::int64_t>(at::cuda::getCurrentDeviceProperties()->totalGlobalMem);
    const bool again = s.kept.zs == nullptr && s.steps() >= 0;
    const std::int64_t a_step = stages * (s.piece_bytes() + (again ? s.kept_bytes() : 0));
    // An even number of steps: a piece begins with a jump step where every other one is.
    const auto most =
        static_cast<int>(std::max<std::int64_t>(1, memory / kPieceShare / std::max<std::int64_t>(2 * a_step, 1))) * 2;
    // Without any step there is still the slope at the start.
    for (int last = s.steps(); (last == s.steps() && !s.adjoint) || last > 0; last -= most) {
      const int first = std::max(0, last - most);
      const bool end = last == s.steps() && !s.adjoint;  // with the slope at the last node
      const std::int64_t from = s.work.evaluation(first);
      const std::int64_t evaluations = s.work.evaluation(last) - from + (end ? 1 : 0);
      if (again) {
        s.make_room(from, evaluations, full);
        C10_CUDA_CHECK(s.adjoint ? graph_forward_back(s.model, s.work, s.z(), s.tiles->tile_rows, first, last,
                                                      states.data_ptr<float>(), s.kept, stream)
                                 : graph_forward(s.model, s.work, s.z(), s.tiles->tile_rows, first, last, end,
                                                 states.data_ptr<float>(), slopes.data_ptr<float>(), s.kept, stream));
      }
      auto factor = [&](std::int64_t depth, std::int64_t width) {
        return at::empty({evaluations, depth, width}, full.dtype(s.dtype()));
      };
      const at::Tensor g = factor(rows, zp), d2 = factor(rows, hp), d1 = factor(rows, hp), duv = factor(rows, s.uvp());
      const at::Tensor h = factor(s.tiles->chunks * kChunk, hp), de = factor(s.tiles->chunks * kChunk, hp);
      // The kernel counts evaluations from kept.first. Its outputs begin with this piece, so what is kept must, too.
      const std::int64_t skip = from - s.kept.first;
      GraphKept kept = s.kept;
      kept.first += static_cast<int>(skip);
      const auto move = [&](void*& array, std::int64_t width) {
        array = static_cast<char*>(array) + skip * rows * width * s.bytes();
      };
      move(kept.zs, s.wide()), move(kept.a1, hp), move(kept.a2, hp), move(kept.uv, s.uvp());
      kept.signs += skip * s.tiles->chunks * 2 * hp;
      if (end && !dslopes.defined() && evaluations > 0)  // the kernel skips this evaluation: its factors are zero
        for (const at::Tensor& t : {g, d2, d1, duv, h, de}) t[evaluations - 1].zero_();
      // The kernel writes no factors for chunks of no tile. Which chunks these are depends on the batch, so clear all
      // that may be.
      for (std::int64_t r = 0; r < s.size.lists; ++r)
        if (const std::int64_t spare =
                std::max(s.tiles->first_chunk[r], s.tiles->first_chunk[r + 1] - s.tiles->padding[r]),
            to = s.tiles->first_chunk[r + 1];
            spare < to)
          for (const at::Tensor& t : {h, de}) t.slice(1, spare * kChunk, to * kChunk).zero_();
      auto numbers = [](const at::Tensor& t) { return t.defined() ? t.data_ptr<float>() : nullptr; };
      C10_CUDA_CHECK(
          graph_backward(s.model, s.adjoint ? s.work.adjoint() : s.work, s.z(), s.tiles->tile_rows, first, last, end,
                         numbers(states), data(dstates), data(dslopes), kept,
                         {g.data_ptr(), d2.data_ptr(), d1.data_ptr(), duv.data_ptr(), h.data_ptr(), de.data_ptr(),
                          bias.data_ptr<float>(), lambda.data_ptr<float>(), numbers(dkeep), numbers(dadd)},
                         stream));

      auto matrix = [&](std::int64_t at, std::int64_t in, std::int64_t out) { return flat.narrow(0, at, in * out); };
      const at::Tensor zs = s.zs.narrow(0, skip, evaluations);
      const GraphLayout& l = *s.layout;
      add_weight_gradient(zs.narrow(2, 0, zp), duv, s.model.factors, matrix(l.w1, zp, s.uvp()));
      for (std::int64_t r = 0; r < s.size.lists; ++r) {
        const std::int64_t begin = s.tiles->first_chunk[r] * kChunk, end_slot = s.tiles->first_chunk[r + 1] * kChunk;
        add_weight_gradient(h.slice(1, begin, end_slot), de.slice(1, begin, end_slot), s.model.factors,
                            matrix(l.w2[r], hp, hp));
      }
      add_weight_gradient(zs, d1, s.model.factors, matrix(l.o1, s.wide(), hp));
      add_weight_gradient(s.a1.narrow(0, skip, evaluations), d2, s.model.factors, matrix(l.o2, hp, hp));
      add_weight_gradient(s.a2.narrow(0, skip, evaluations), g, s.model.factors, matrix(l.o3, hp, zp));
    }

    const at::Tensor biases = bias.sum(0);
    const GraphLayout& l = *s.layout;
    std::int64_t at = 0;
    auto put = [&](std::int64_t offset, std::int64_t count) {
      flat.narrow(0, offset, count).copy_(biases.narrow(0, at, count));
      at += count;
    };
    put(l.b1, s.uvp());
    for (std::int64_t r = 0; r < s.size.lists; ++r) put(l.b2[r], hp);
    put(l.c1, hp), put(l.c2, hp), put(l.c3, zp);

    variable_list out{lambda.slice(1, 0, s.size.z).contiguous(), dkeep, dadd};
    const variable_list gradients = unflatten_gradients(flat, weights, s.size, l);
    out.insert(out.end(), gradients.begin(), gradients.end());
    out.emplace_back();
    return out;
  }
};

// Whether the kernels' shared memory for tiles of so many rows is there. Float32 needs no extra inputs.
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

// Where there are jumps, every other step of each system has no length, from the first on. Ties do not share columns.
bool are_supported(const Events& events, const ode::StepPlan& plan) {
  if (events.ties.size() > kMaxTies || events.precise > kMostPrecise) return false;
  for (const Tie& x : events.ties)
    for (const Tie& y : events.ties)
      if (&x != &y && (x.position == y.position || x.velocity == y.velocity)) return false;
  if (events.jump.empty()) return true;
  for (const std::vector<double>& nodes : plan.nodes)
    for (std::size_t k = 0; k + 1 < nodes.size(); k += 2)
      if (nodes[k] != nodes[k + 1]) return false;
  return true;
}

}  // namespace

std::shared_ptr<const GraphTiles> make_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                             Shapes shapes, const FieldSize& size, const Events* events,
                                             const SolveKind& kind) {
  const auto lists = static_cast<std::int64_t>(pairs.lists.size());
  if (lists > kMaxLists || (events != nullptr && !are_supported(*events, plan))) return nullptr;
  const std::int64_t precise = events != nullptr ? events->precise : 0;
  int widest = kSharedRows;
  for (const int rows : {64, kMaxRows})
    if (size.width > 0 && fits(upload.device(), {lists, size.width, size.hidden, precise}, rows, kind)) widest = rows;
  const int processors = at::cuda::getDeviceProperties(upload.device().index())->multiProcessorCount;
  // Small tiles take as long per row, but are done earlier: beside others, the last solve is not to run alone for long.
  const bool small = kind.beside && !kind.gradients && kind.precision == Precision::kFloat32;
  const std::vector<int> begin =
      cut_rows(plan.row_offsets, kind.beside ? 1 : processors, small ? kSharedRows / 2 : kSharedRows, widest);
  if (begin.empty()) return nullptr;
  auto t = std::make_shared<GraphTiles>();
  if (events != nullptr) {
    t->alternating = !events->jump.empty();
    t->ties = events->ties;
    t->precise = events->precise;
  }
  t->tiles = static_cast<std::int64_t>(begin.size()) - 1;
  t->rows = plan.rows();
  t->steps = plan.max_steps();
  // Padded steps have no length and no jumps. An even number of them.
  if (shapes == Shapes::kPadded && t->alternating) t->steps = ceiling(t->steps, kPaddedSteps) * kPaddedSteps;
  int most = 0;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) most = std::max(most, begin[i + 1] - begin[i]);
  t->tile_rows = most <= 16 ? 16 : most <= kSharedRows ? kSharedRows : most <= 64 ? 64 : kMaxRows;

  std::vector<int> chunk_begin, count;
  std::vector<std::uint8_t> target, source;
  std::vector<float> weight;
  t->first_chunk = {0};
  for (const PairGraph::List& list : pairs.lists) {
    const auto* to = list.target.data_ptr<std::int64_t>();
    const auto* from = list.source.data_ptr<std::int64_t>();
    const at::Tensor weights = list.weight.defined() ? list.weight.to(at::kFloat).contiguous() : at::Tensor();
    for (std::int64_t tile = 0; tile < t->tiles; ++tile) {
      chunk_begin.push_back(static_cast<int>(count.size()));
      const std::int64_t end = list.pairs_before[begin[tile + 1]];
      for (std::int64_t p = list.pairs_before[begin[tile]]; p < end; p += kChunk) {
        const auto here = static_cast<int>(std::min<std::int64_t>(kChunk, end - p));
        const std::size_t slot = target.size();
        count.push_back(here);
        target.resize(slot + kChunk, kNoRow), source.resize(slot + kChunk, kNoRow);
        weight.resize(slot + kChunk, 0.0F);
        for (int i = 0; i < here; ++i) {
          target[slot + i] = static_cast<std::uint8_t>(to[p + i] - begin[tile]);
          source[slot + i] = static_cast<std::uint8_t>(from[p + i] - begin[tile]);
          weight[slot + i] = weights.defined() ? weights.data_ptr<float>()[p + i] : 1.0F;
        }
      }
    }
    chunk_begin.push_back(static_cast<int>(count.size()));
    // Padded shapes: append chunks that belong to no tile.
    const std::int64_t here = static_cast<std::int64_t>(count.size()) - t->first_chunk.back();
    const std::int64_t padded = size_of(here, shapes);
    t->padding.push_back(shapes == Shapes::kPadded ? padding_step(padded) : 0);
    count.resize(count.size() + (padded - here), 0);
    target.resize(count.size() * kChunk, kNoRow), source.resize(count.size() * kChunk, kNoRow);
    weight.resize(count.size() * kChunk, 0.0F);
    t->first_chunk.push_back(static_cast<std::int64_t>(count.size()));
  }
  t->chunks = static_cast<std::int64_t>(count.size());

  t->row_begin = upload(begin), t->chunk_begin = upload(chunk_begin);
  t->count = upload(count);
  t->target = upload(target), t->source = upload(source);
  t->weight = upload(weight);
  t->step = upload.written<float>({t->steps * t->rows}, [&](float* to) {
    std::fill(to, to + t->steps * t->rows, 0.0F);
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      for (std::int64_t k = 0; k < plan.steps(s); ++k)
        std::fill(to + k * t->rows + plan.row_offsets[s], to + k * t->rows + plan.row_offsets[s + 1],
                  static_cast<float>(plan.nodes[s][k + 1] - plan.nodes[s][k]));
  });
  // What the plan has, followed by a value for padded steps.
  const auto followed = [&](const auto& values, std::int64_t size, auto rest) {
    return upload.written<decltype(rest)>({size}, [&](auto* to) {
      std::fill(std::copy(values.begin(), values.begin() + std::min<std::ptrdiff_t>(values.size(), size), to),
                to + size, rest);
    });
  };
  if (t->alternating) t->jump = followed(events->jump, t->steps * t->rows, std::int32_t{-1});
  if (events != nullptr && !events->present.empty())
    t->present = followed(events->present, (t->steps + 1) * t->rows, std::uint8_t{1});
  if (t->alternating && !events->read.empty()) {
    std::vector<std::uint8_t> read(static_cast<std::size_t>(t->steps * t->tiles), 0);
    // With padded steps the node after the plan's last step is a jump step, too, and its slope may be read.
    for (std::int64_t k = 0; k < std::min(t->steps, plan.max_steps() + 1); ++k)
      for (std::int64_t tile = 0; tile < t->tiles; ++tile) {
        const auto at = events->read.begin() + k * t->rows;
        read[k * t->tiles + tile] = *std::max_element(at + begin[tile], at + begin[tile + 1]);
      }
    t->read = upload(read);
  }
  for (const std::int64_t number : {t->tiles, t->rows, t->chunks, t->steps, std::int64_t{t->tile_rows}})
    upload.shaped_by(number);
  for (const std::int64_t chunk : t->first_chunk) upload.shaped_by(chunk);
  return t;
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
  // An undefined tensor is no valid argument of a Function; a constant stands for it.
  const at::Tensor none = at::zeros({0, z0.size(1)}, z0.options().requires_grad(false));
  const variable_list out =
      FusedSolve::apply(z0, jumps ? keep : none, jumps ? add : none, at::TensorList(tensors), solve);
  return {plan, out[0], out[1], at::Tensor()};
}

}  // namespace cuda
}  // namespace lgode::ops
