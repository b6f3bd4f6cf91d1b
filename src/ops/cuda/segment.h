// Segment operators and dropout masks on a GPU.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace lgode::ops::cuda {

at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets);
at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::int64_t rows);
// streams int32 [B, 4], begin int64 [B+1], both on the CPU. [begin.back()] float32
at::Tensor dropout_mask(const at::Tensor& streams, const at::Tensor& begin, double rate, at::Device device);

}  // namespace lgode::ops::cuda
