// The encoder's products and sums on a GPU where no gradient is needed, float32: raw pointers and a stream, no
// LibTorch. A kernel of a layer reads a row once and writes it once, whatever happens to it in between. No two threads
// add to the same number; what becomes of a row does not depend on the others.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

// y = x W + bias, or residual + ReLU(x W + bias) if `residual` is not null; if `norm_weight` is not null, x is
// normalised first (ops/layer_norm.h). Factors are sums of two f16 numbers (mma.cuh), scaled by the largest of their
// row of x and by the largest of W, so that no number is too large: 22 digits of a factor's 24.
struct RowsProduct {
  int rows = 0, inputs = 0, outputs = 0;
  const float* x = nullptr;                                  // [rows, inputs]
  const float* weight = nullptr;                             // [inputs, outputs]
  const float* bias = nullptr;                               // [outputs]; null: zeros
  const float *norm_weight = nullptr, *norm_bias = nullptr;  // [inputs]
  const float* residual = nullptr;                           // [rows, outputs]
};
// Whether there is a kernel: 64 inputs and a multiple of 16 outputs, at most 256, or 144 inputs, which are not
// normalised, and 64 outputs.
bool has_rows_product(int inputs, int outputs);
// y may be the residual itself.
cudaError_t rows_product(const RowsProduct& problem, float* y, cudaStream_t stream);

// The weights of a layer with 64 columns and one head, folded as in ops/attention_fold.h, in one launch.
struct LayerWeights {
  const float *w_t = nullptr, *b_t = nullptr;  // [64, 65], [64]
  const float *w_q = nullptr, *b_q = nullptr;  // [64, 64], [64]
  const float *w_k = nullptr, *b_k = nullptr;  // [2, 64, 64], [2, 64]
  const float *w_v = nullptr, *b_v = nullptr;  // [2, 64, 64], [2, 64]
};
struct FoldedLayer {
  float *w_in = nullptr, *b_in = nullptr;  // [64, 208], [208]
  float* slope = nullptr;                  // [64]
  float* w_out = nullptr;                  // [144, 64]
};
cudaError_t fold_layer(const LayerWeights& weights, const FoldedLayer& folded, cudaStream_t stream);

// Eq. 6, the sequence of an object. Rows of object i: [offsets[i], offsets[i+1]).
struct SequenceProblem {
  int objects = 0, width = 0;             // at most 256 columns
  const std::int64_t* offsets = nullptr;  // [objects+1]
  const double* times = nullptr;          // [rows]
  const float* slope = nullptr;           // [width] weight of the time
  const float* bias = nullptr;            // [width]
  double frequency = 0;                   // of the time encoding
};
// hat <- ReLU(hat + slope t + bias) + TE(t), in place, and its mean over each object [objects, width].
cudaError_t sequence_hat(const SequenceProblem& problem, float* hat, float* mean, cudaStream_t stream);
// u [objects, width]: mean of sigmoid(a_i . hat) hat, a [objects, width]
cudaError_t sequence_gate(const SequenceProblem& problem, const float* hat, const float* a, float* u,
                          cudaStream_t stream);

}  // namespace lgode::ops::cuda
