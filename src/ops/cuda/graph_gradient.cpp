// Goes through a solve from its end in pieces. Each piece has three parts: room for the factors of the weight
// gradients, the kernel that writes them, and batched matrix products with one batch entry per evaluation, added up in
// order.
#include "ops/cuda/graph_gradient.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

#include <algorithm>

namespace lgode::ops::cuda {
namespace {

constexpr std::int64_t kPieceShare = 8;  // a piece may take 1/kPieceShare of the device's memory

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

float* numbers(const at::Tensor& t) { return t.defined() ? t.data_ptr<float>() : nullptr; }

// A range of steps whose factors of the weight gradients exist at the same time.
struct Piece {
  int first = 0, last = 0;
  bool end = false;                        // with the slope at the last node
  std::int64_t from = 0, evaluations = 0;  // number of the first evaluation, and how many there are
  // Written by the kernel: one factor of each weight gradient, [evaluations, depth, width].
  at::Tensor g, d2, d1, duv, h, de;
};

class SolveBackward {
 public:
  SolveBackward(Solve& s, const at::Tensor& states, const at::Tensor& slopes, const at::Tensor& dstates,
                const at::Tensor& dslopes)
      : s_(s),
        states_(states),
        slopes_(slopes),
        dstates_(dstates.defined() ? dstates.contiguous() : dstates),
        dslopes_(dslopes.defined() ? dslopes.contiguous() : dslopes),
        full_(states.options().requires_grad(false)),
        again_(s.kept.zs == nullptr && s.steps() >= 0),
        lambda_(at::zeros({s.tiles->rows, s.size.zp()}, full_)),
        bias_(at::zeros({s.tiles->tiles, s.model.biases}, full_)),
        flat_(at::zeros({s.layout->total}, full_)) {
    if (!dslopes_.defined() && s.tiles->alternating) dslopes_ = at::zeros_like(slopes);
    // The kernel adds the gradient of a node's state together with the gradient of its slope or of the step after it.
    if (s.adjoint && dstates_.defined()) lambda_.slice(1, 0, s.size.z).copy_(dstates_[s.steps()]);
    if (s.keep.defined()) dkeep_ = at::zeros_like(s.keep), dadd_ = at::zeros_like(s.add);
  }

  SolveGradients run() {
    const int most = steps_of_piece();
    // Without any step there is still the slope at the start.
    for (int last = s_.steps(); (last == s_.steps() && !s_.adjoint) || last > 0; last -= most) {
      Piece p = make_piece(std::max(0, last - most), last);
      launch(p);
      add_weight_gradients(p);
    }
    add_bias_gradients();
    return {lambda_.slice(1, 0, s_.size.z).contiguous(), dkeep_, dadd_, flat_};
  }

 private:
  // An even number: a piece begins with a jump step where every other one is.
  int steps_of_piece() const {
    const std::int64_t memory = static_cast<std::int64_t>(at::cuda::getCurrentDeviceProperties()->totalGlobalMem);
    const std::int64_t a_step = s_.work.stages * (s_.piece_bytes() + (again_ ? s_.kept_bytes() : 0));
    return static_cast<int>(std::max<std::int64_t>(1, memory / kPieceShare / std::max<std::int64_t>(2 * a_step, 1))) *
           2;
  }

  // Evaluates the piece again where the forward kept nothing, and allocates its factors.
  Piece make_piece(int first, int last) {
    Piece p;
    p.first = first, p.last = last;
    p.end = last == s_.steps() && !s_.adjoint;
    p.from = s_.work.evaluation(first);
    p.evaluations = s_.work.evaluation(last) - p.from + (p.end ? 1 : 0);
    if (again_) evaluate_again(p);
    const auto factor = [&](std::int64_t depth, std::int64_t width) {
      return at::empty({p.evaluations, depth, width}, full_.dtype(s_.dtype()));
    };
    const std::int64_t rows = s_.tiles->rows, slots = s_.tiles->chunks * kChunk, zp = s_.size.zp(), hp = s_.size.hp();
    p.g = factor(rows, zp), p.d2 = factor(rows, hp), p.d1 = factor(rows, hp), p.duv = factor(rows, s_.uvp());
    p.h = factor(slots, hp), p.de = factor(slots, hp);
    if (p.end && !dslopes_.defined() && p.evaluations > 0)  // the kernel skips this evaluation: its factors are zero
      for (const at::Tensor& t : {p.g, p.d2, p.d1, p.duv, p.h, p.de}) t[p.evaluations - 1].zero_();
    clear_spare_chunks(p);
    return p;
  }

  void evaluate_again(const Piece& p) {
    s_.make_room(p.from, p.evaluations, full_);
    C10_CUDA_CHECK(s_.adjoint ? graph_forward_back(s_.model, s_.work, s_.z(), s_.tiles->tile_rows, p.first, p.last,
                                                   states_.data_ptr<float>(), s_.kept, stream_)
                              : graph_forward(s_.model, s_.work, s_.z(), s_.tiles->tile_rows, p.first, p.last, p.end,
                                              states_.data_ptr<float>(), slopes_.data_ptr<float>(), s_.kept, stream_));
  }

  // The kernel writes no factors for chunks of no tile. Which chunks these are depends on the batch, so clear all that
  // may be.
  void clear_spare_chunks(const Piece& p) const {
    const GraphTiles& t = *s_.tiles;
    for (std::int64_t r = 0; r < s_.size.lists; ++r) {
      const std::int64_t to = t.first_chunk[r + 1], spare = std::max(t.first_chunk[r], to - t.padding[r]);
      if (spare == to) continue;
      for (const at::Tensor& factor : {p.h, p.de}) factor.slice(1, spare * kChunk, to * kChunk).zero_();
    }
  }

  // Stored values, from the piece's first evaluation on: the kernel counts evaluations from kept.first, and its outputs
  // begin with the piece.
  GraphKept kept_from(const Piece& p) const {
    const std::int64_t skip = p.from - s_.kept.first, rows = s_.tiles->rows, hp = s_.size.hp();
    GraphKept kept = s_.kept;
    kept.first += static_cast<int>(skip);
    const auto move = [&](void*& array, std::int64_t width) {
      array = static_cast<char*>(array) + skip * rows * width * s_.bytes();
    };
    move(kept.zs, s_.wide()), move(kept.a1, hp), move(kept.a2, hp), move(kept.uv, s_.uvp());
    kept.signs += skip * s_.tiles->chunks * 2 * hp;
    return kept;
  }

  void launch(const Piece& p) {
    C10_CUDA_CHECK(graph_backward(s_.model, s_.adjoint ? s_.work.adjoint() : s_.work, s_.z(), s_.tiles->tile_rows,
                                  p.first, p.last, p.end, numbers(states_), numbers(dstates_), numbers(dslopes_),
                                  kept_from(p),
                                  {p.g.data_ptr(), p.d2.data_ptr(), p.d1.data_ptr(), p.duv.data_ptr(), p.h.data_ptr(),
                                   p.de.data_ptr(), numbers(bias_), numbers(lambda_), numbers(dkeep_), numbers(dadd_)},
                                  stream_));
  }

  void add_weight_gradients(const Piece& p) {
    const GraphLayout& l = *s_.layout;
    const std::int64_t skip = p.from - s_.kept.first, zp = s_.size.zp(), hp = s_.size.hp();
    const auto kept = [&](const at::Tensor& t) { return t.narrow(0, skip, p.evaluations); };
    const auto add = [&](const at::Tensor& x, const at::Tensor& y, std::int64_t at) {
      const std::int64_t in = x.size(2), out = y.size(2);
      add_weight_gradient(x, y, s_.model.factors, flat_.narrow(0, at, in * out));
    };
    add(kept(s_.zs).narrow(2, 0, zp), p.duv, l.w1);
    for (std::int64_t r = 0; r < s_.size.lists; ++r) {
      const std::int64_t begin = s_.tiles->first_chunk[r] * kChunk, end = s_.tiles->first_chunk[r + 1] * kChunk;
      add(p.h.slice(1, begin, end), p.de.slice(1, begin, end), l.w2[r]);
    }
    add(kept(s_.zs), p.d1, l.o1);
    add(kept(s_.a1), p.d2, l.o2);
    add(kept(s_.a2), p.g, l.o3);
  }

  void add_bias_gradients() {
    const at::Tensor biases = bias_.sum(0);
    const GraphLayout& l = *s_.layout;
    std::int64_t at = 0;
    const auto put = [&](std::int64_t offset, std::int64_t count) {
      flat_.narrow(0, offset, count).copy_(biases.narrow(0, at, count));
      at += count;
    };
    put(l.b1, s_.uvp());
    for (std::int64_t r = 0; r < s_.size.lists; ++r) put(l.b2[r], s_.size.hp());
    put(l.c1, s_.size.hp()), put(l.c2, s_.size.hp()), put(l.c3, s_.size.zp());
  }

  Solve& s_;
  at::Tensor states_, slopes_, dstates_, dslopes_;
  at::TensorOptions full_;
  bool again_;  // the forward kept nothing
  at::Tensor lambda_, bias_, flat_, dkeep_, dadd_;
  cudaStream_t stream_ = at::cuda::getCurrentCUDAStream();
};

}  // namespace

SolveGradients differentiate(Solve& s, const at::Tensor& states, const at::Tensor& slopes, const at::Tensor& dstates,
                             const at::Tensor& dslopes) {
  return SolveBackward(s, states, slopes, dstates, dslopes).run();
}

}  // namespace lgode::ops::cuda
