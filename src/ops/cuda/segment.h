// Segment operators, time encodings and dropout masks on a GPU, without autograd. Arguments as the operators of the
// same name in lgode/ops, which check them.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace lgode::ops::cuda {

at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets);
at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets);
at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::int64_t rows);
at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency, at::ScalarType dtype);
// names int32 [B, 4], begin int64 [B+1], both on the device. [count] float32
at::Tensor dropout_mask(const at::Tensor& names, const at::Tensor& begin, std::int64_t count, double rate);

}  // namespace lgode::ops::cuda
