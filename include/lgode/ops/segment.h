// Sums, copies and softmax over runs of rows. Run i is the rows [offsets[i], offsets[i+1]); empty runs are allowed.
//
// Shapes: M rows, N runs, c columns. All are differentiable in x, except segment_max. Dtypes: float32, float64.
// Devices: CPU, CUDA. Offsets and indices are int64 on x's device. Errors: TORCH_CHECK_VALUE.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "lgode/ops/upload.h"

namespace lgode::ops {

// [M, c] -> [N, c]: out_i = sum of the rows of run i.
at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets);

// [M, c] -> [N, c]: the mean instead; zeros for an empty run.
at::Tensor segment_mean(const at::Tensor& x, const at::Tensor& offsets);

// [N, c] -> [M, c]: row i repeated over run i. `rows`: M if the caller has it; else it is read from the GPU, with a
// wait.
at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::optional<std::int64_t> rows = {});

// [n, c], [m] -> [m, c]: out_i = x[index_i]. An index may occur several times; the gradient sums over its uses.
at::Tensor gather_rows(const at::Tensor& x, const at::Tensor& index);

// The same where index is known on the host: the gradient is summed in a fixed order on every device.
struct GatherIndex {
  at::Tensor index;    // [m]
  at::Tensor uses;     // [m] entries of index, sorted by their row; undefined in an upload for prediction
  at::Tensor offsets;  // [n+1] runs of `uses`, one per row
};
// `write` stores the `count` entries of the index, all below `rows`.
GatherIndex gather_index(std::int64_t count, std::int64_t rows, const std::function<void(std::int64_t*)>& write,
                         Upload& upload);
at::Tensor gather_rows(const at::Tensor& x, const GatherIndex& index);

// [M, c] -> [N, c]: the largest entry of each run, column by column; -infinity for an empty run. No gradient: treated
// as a constant.
at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets);

// [M, c] -> [M, c]: softmax over the rows of each run, column by column.
at::Tensor segment_softmax(const at::Tensor& x, const at::Tensor& offsets);

}  // namespace lgode::ops
