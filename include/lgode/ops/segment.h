// Sums, copies and softmax over runs of rows. A run is [offsets[i], offsets[i+1]); empty runs are allowed. All are
// differentiable in x. Dtypes float32 and float64; CPU and CUDA. Offsets and indices are int64 on x's device.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>

namespace lgode::ops {

// [M, c] -> [N, c]: out_i = sum of the rows of run i.
at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets);

// [M, c] -> [N, c]: the mean instead; zeros for an empty run.
at::Tensor segment_mean(const at::Tensor& x, const at::Tensor& offsets);

// [N, c] -> [M, c]: row i repeated over run i. `rows`: M, where the caller knows it (a GPU need not be asked then).
at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::optional<std::int64_t> rows = {});

// [n, c], [m] -> [m, c]: out_i = x[index_i]. The gradient adds up rows that were taken more than once.
at::Tensor gather_rows(const at::Tensor& x, const at::Tensor& index);

// [M, c] -> [N, c]: the largest entry of each run, column by column; -infinity for an empty run. A constant for the
// gradient.
at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets);

// [M, c] -> [M, c]: softmax over the rows of each run, column by column.
at::Tensor segment_softmax(const at::Tensor& x, const at::Tensor& offsets);

}  // namespace lgode::ops
