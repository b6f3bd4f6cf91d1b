// Segment operators: checks, autograd nodes and the CPU's loops; on a GPU the kernels of ops/cuda/segment_kernel.cu.
// The loops are plain because ATen's index_add_ dispatches row by row.
#include "lgode/ops/segment.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ops/cuda/segment.h"
#include "ops/parallel.h"

namespace lgode::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr std::int64_t kGrain = 64;  // rows per task

void check(const at::Tensor& x, const at::Tensor& offsets) {
  TORCH_CHECK_VALUE(x.dim() == 2, "expected a matrix, got ", x.dim(), " dimensions");
  TORCH_CHECK_VALUE(offsets.dim() == 1 && offsets.numel() >= 1 && offsets.scalar_type() == at::kLong,
                    "expected int64 offsets [N+1]");
}

template <class T>
void sum_runs(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out) {
  parallel_for(0, runs, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T* o = out + i * width;
      std::fill_n(o, width, T(0));
      for (std::int64_t r = offsets[i]; r < offsets[i + 1]; ++r)
        for (std::int64_t c = 0; c < width; ++c) o[c] += x[r * width + c];
    }
  });
}

template <class T>
void expand_runs(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out) {
  parallel_for(0, runs, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t r = offsets[i]; r < offsets[i + 1]; ++r) std::copy_n(x + i * width, width, out + r * width);
  });
}

// Each thread has its own columns, so that no two threads write to the same element.
template <class T>
void scatter_rows(const T* grad, const std::int64_t* index, std::int64_t count, std::int64_t width, T* out) {
  parallel_for(0, width, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = 0; r < count; ++r)
      for (std::int64_t c = begin; c < end; ++c) out[index[r] * width + c] += grad[r * width + c];
  });
}

at::Tensor plain_segment_sum(const at::Tensor& x, const at::Tensor& offsets) {
  const std::int64_t runs = offsets.numel() - 1;
  if (!x.is_cpu()) return cuda::segment_sum(x, offsets);
  const at::Tensor in = x.contiguous();
  at::Tensor out = at::empty({runs, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_sum", [&] {
    sum_runs(in.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), runs, in.size(1), out.data_ptr<scalar_t>());
  });
  return out;
}

at::Tensor plain_segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::int64_t rows) {
  if (!x.is_cpu()) return cuda::segment_expand(x, offsets, rows);
  const at::Tensor in = x.contiguous();
  at::Tensor out = at::empty({rows, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_expand", [&] {
    expand_runs(in.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), in.size(0), in.size(1),
                out.data_ptr<scalar_t>());
  });
  return out;
}

struct SegmentSum : Function<SegmentSum> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& offsets) {
    ctx->saved_data["rows"] = x.size(0);
    ctx->save_for_backward({offsets});
    return plain_segment_sum(x, offsets);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    return {plain_segment_expand(grad[0], ctx->get_saved_variables()[0], ctx->saved_data["rows"].toInt()), {}};
  }
};

struct SegmentExpand : Function<SegmentExpand> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& offsets, std::int64_t rows) {
    ctx->save_for_backward({offsets});
    return plain_segment_expand(x, offsets, rows);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    return {plain_segment_sum(grad[0], ctx->get_saved_variables()[0]), {}, {}};
  }
};

struct GatherRows : Function<GatherRows> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& index) {
    ctx->saved_data["rows"] = x.size(0);
    ctx->save_for_backward({index});
    return x.index_select(0, index);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const at::Tensor index = ctx->get_saved_variables()[0].contiguous();
    const at::Tensor g = grad[0].contiguous();
    at::Tensor out = at::zeros({ctx->saved_data["rows"].toInt(), g.size(1)}, g.options());
    if (!g.is_cpu()) return {out.index_add_(0, index, g), {}};
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "gather_rows", [&] {
      scatter_rows(g.data_ptr<scalar_t>(), index.data_ptr<std::int64_t>(), g.size(0), g.size(1),
                   out.data_ptr<scalar_t>());
    });
    return {out, {}};
  }
};

struct GatherInOrder : Function<GatherInOrder> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& index, const at::Tensor& uses,
                            const at::Tensor& offsets) {
    ctx->save_for_backward({uses, offsets});
    return x.index_select(0, index);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    return {plain_segment_sum(grad[0].index_select(0, saved[0]), saved[1]), {}, {}, {}};
  }
};

}  // namespace

GatherIndex gather_index(std::int64_t count, std::int64_t rows, const std::function<void(std::int64_t*)>& write,
                         Upload& upload) {
  if (upload.purpose() == Purpose::kPrediction) return {upload.written<std::int64_t>({count}, write), {}, {}};
  std::vector<std::int64_t> index(static_cast<std::size_t>(count));
  write(index.data());
  std::vector<std::int64_t> uses(index.size()), offsets(static_cast<std::size_t>(rows) + 1, 0);
  for (const std::int64_t row : index) ++offsets[row + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < index.size(); ++i) uses[next[index[i]]++] = static_cast<std::int64_t>(i);
  return {upload(index), upload(uses), upload(offsets)};
}

at::Tensor gather_rows(const at::Tensor& x, const GatherIndex& index) {
  if (!index.uses.defined()) return gather_rows(x, index.index);
  TORCH_CHECK_VALUE(x.dim() == 2 && x.size(0) == index.offsets.numel() - 1, "gather_rows: the index is for ",
                    index.offsets.numel() - 1, " rows, got ", x.sizes());
  return GatherInOrder::apply(x, index.index, index.uses, index.offsets);
}

at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets) {
  check(x, offsets);
  return SegmentSum::apply(x, offsets.contiguous());
}

at::Tensor segment_mean(const at::Tensor& x, const at::Tensor& offsets) {
  const at::Tensor lengths = (offsets.slice(0, 1) - offsets.slice(0, 0, -1)).clamp_min(1).to(x.scalar_type());
  return segment_sum(x, offsets) / lengths.unsqueeze(1);
}

at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::optional<std::int64_t> rows) {
  check(x, offsets);
  TORCH_CHECK_VALUE(x.size(0) == offsets.numel() - 1, "expected one row per run: ", offsets.numel() - 1, ", got ",
                    x.size(0));
  return SegmentExpand::apply(x, offsets.contiguous(), rows ? *rows : offsets[-1].item<std::int64_t>());
}

at::Tensor gather_rows(const at::Tensor& x, const at::Tensor& index) {
  TORCH_CHECK_VALUE(x.dim() == 2 && index.dim() == 1, "expected a matrix and a vector of rows");
  return GatherRows::apply(x, index);
}

at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets) {
  if (!x.is_cpu()) return cuda::segment_max(x.detach(), offsets.to(x.device()).contiguous());
  const at::Tensor in = x.detach().contiguous();
  const at::Tensor& o = offsets;
  const std::int64_t runs = o.numel() - 1, width = in.size(1);
  at::Tensor out = at::empty({runs, width}, in.options());
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment_max", [&] {
    const scalar_t* v = in.data_ptr<scalar_t>();
    const std::int64_t* off = o.data_ptr<std::int64_t>();
    scalar_t* m = out.data_ptr<scalar_t>();
    parallel_for(0, runs, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::fill_n(m + i * width, width, -std::numeric_limits<scalar_t>::infinity());
        for (std::int64_t r = off[i]; r < off[i + 1]; ++r)
          for (std::int64_t c = 0; c < width; ++c) m[i * width + c] = std::max(m[i * width + c], v[r * width + c]);
      }
    });
  });
  return out;
}

at::Tensor segment_softmax(const at::Tensor& x, const at::Tensor& offsets) {
  check(x, offsets);
  // Rows after the last run are not used, but must stay finite: a zero gradient times infinity would be NaN.
  const at::Tensor e = (x - segment_expand(segment_max(x, offsets), offsets, x.size(0))).clamp_max(0).exp();
  return e / segment_expand(segment_sum(e, offsets), offsets, x.size(0)).clamp_min(1e-30);
}

}  // namespace lgode::ops
