// Offsets of the dynamics' weights (Eq. 10) in one flat float buffer, for kernels that need them side by side and
// padded. Gradients use the same layout. No LibTorch.
#pragma once

#include <cstdint>
#include <vector>

namespace lgode::ops {

struct GraphSize {
  // R lists of pairs (one per message network), width Z of the state, hidden width H
  std::int64_t lists = 0, z = 0, h = 0;
  std::int64_t extra = 0;  // further inputs behind the state
  // Zp, Hp: Z with the extra inputs, and H, rounded up to a multiple of 16
  std::int64_t zp() const { return (z + extra + 15) / 16 * 16; }
  std::int64_t hp() const { return (h + 15) / 16 * 16; }
};

// Offsets in floats. Matrices are stored inputs by outputs, so that Y = X W.
struct GraphLayout {
  explicit GraphLayout(const GraphSize& size);
  struct Matrix {
    std::int64_t at, inputs, outputs;
  };
  std::vector<Matrix> matrices;  // all matrices, without the biases
  // MLP_r, first layer: [Zp, R*2*Hp], [R*2*Hp]; per list W_a for the target, then W_b for the source (its bias is zero)
  std::int64_t w1 = 0, b1 = 0;
  std::vector<std::int64_t> w2, b2;  // MLP_r, second layer: [Hp, Hp], [Hp] per list
  std::int64_t o1 = 0, c1 = 0;       // MLP_o, first layer: [Zp+Hp, Hp], [Hp]
  std::int64_t o2 = 0, c2 = 0;       // MLP_o, second layer: [Hp, Hp], [Hp]
  std::int64_t o3 = 0, c3 = 0;       // MLP_o, last layer: [Hp, Zp], [Zp]
  std::int64_t total = 0;            // number of floats
};

}  // namespace lgode::ops
