// Converts the dynamics' weights from their own tensors to the flat buffer of graph_layout.h, and gradients back.
// float32, any device. Not differentiable: the fused solves have their own backward.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "ops/graph_layout.h"

namespace lgode::ops {

// A range of columns of one of the model's matrices (outputs by inputs), and its place in the buffer.
struct MatrixPlace {
  std::size_t tensor;           // index in DynamicsWeights::tensors()
  std::int64_t column, inputs;  // first column and number of columns in the model's matrix
  std::int64_t offset;          // of the matrix in the buffer
  std::int64_t row, outputs;    // first row in the buffer's matrix; number of its columns, padded
  std::int64_t out_column;      // first column in the buffer's matrix
  std::int64_t padded_inputs;   // number of rows of the buffer's matrix
};
std::vector<MatrixPlace> matrix_places(const GraphSize& size, const GraphLayout& layout);

// For each bias its index in DynamicsWeights::tensors() and its offset in the buffer.
std::vector<std::pair<std::size_t, std::int64_t>> bias_places(const GraphSize& size, const GraphLayout& layout);

// tensors: in the order of DynamicsWeights::tensors(). Returns [layout.total] on their device, padded with zeros.
at::Tensor flatten_weights(const std::vector<at::Tensor>& tensors, const GraphSize& size, const GraphLayout& layout);

// The inverse, for gradients: new tensors in the shapes of `tensors`.
std::vector<at::Tensor> unflatten_gradients(const at::Tensor& flat, const std::vector<at::Tensor>& tensors,
                                            const GraphSize& size, const GraphLayout& layout);

}  // namespace lgode::ops
