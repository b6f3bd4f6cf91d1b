// How the dynamics' weights lie in one flat buffer, for kernels that want them side by side and padded. No LibTorch.
#pragma once

#include <cstdint>
#include <vector>

namespace lgode::ops {

struct GraphSize {
  std::int64_t lists = 0, z = 0, h = 0;
  std::int64_t zp() const { return (z + 15) / 16 * 16; }
  std::int64_t hp() const { return (h + 15) / 16 * 16; }
};

// Where each matrix starts in one flat buffer of floats: inputs by outputs, so that Y = X W; and the gradients
// likewise.
struct GraphLayout {
  explicit GraphLayout(const GraphSize& size);
  struct Matrix {
    std::int64_t at, inputs, outputs;
  };
  std::vector<Matrix> matrices;      // all of them
  std::int64_t w1 = 0, b1 = 0;       // [Zp, R*2*Hp], [R*2*Hp]: for each list W_a, then W_b (its bias is zero)
  std::vector<std::int64_t> w2, b2;  // [Hp, Hp], [Hp] a list
  std::int64_t o1 = 0, c1 = 0;       // [Zp+Hp, Hp], [Hp]
  std::int64_t o2 = 0, c2 = 0;       // [Hp, Hp], [Hp]
  std::int64_t o3 = 0, c3 = 0;       // [Hp, Zp], [Zp]
  std::int64_t total = 0;
};

}  // namespace lgode::ops
