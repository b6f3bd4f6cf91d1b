// The dynamics' weights between their own tensors and the flat buffer of graph_layout.h.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "ops/graph_layout.h"

namespace lgode::ops {

// Columns of a matrix of the model (outputs by inputs) and their place in the buffer.
struct MatrixPlace {
  std::size_t tensor;           // number in DynamicsWeights::tensors()
  std::int64_t column, inputs;  // columns of the matrix
  std::int64_t offset;          // of the matrix in the buffer
  std::int64_t row, outputs;    // first row there; its columns, padded
  std::int64_t out_column;      // first column there
  std::int64_t padded_inputs;   // its rows
};
std::vector<MatrixPlace> matrix_places(const GraphSize& size, const GraphLayout& layout);

// Number of the bias in DynamicsWeights::tensors() and its offset.
std::vector<std::pair<std::size_t, std::int64_t>> bias_places(const GraphSize& size, const GraphLayout& layout);

// tensors: as DynamicsWeights::tensors() lists them. Returns [layout.total] on their device, padded with zeros.
at::Tensor flatten_weights(const std::vector<at::Tensor>& tensors, const GraphSize& size, const GraphLayout& layout);

// Gradients from such a buffer, in the shapes of `tensors`.
std::vector<at::Tensor> unflatten_gradients(const at::Tensor& flat, const std::vector<at::Tensor>& tensors,
                                            const GraphSize& size, const GraphLayout& layout);

}  // namespace lgode::ops
