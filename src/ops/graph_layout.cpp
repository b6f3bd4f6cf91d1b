// Assigns the offsets of the flat buffer, one matrix after the other.
#include "ops/graph_layout.h"

namespace lgode::ops {

GraphLayout::GraphLayout(const GraphSize& size) {
  const std::int64_t zp = size.zp(), hp = size.hp();
  auto take = [&](std::int64_t count) {
    const std::int64_t at = total;
    total += count;
    return at;
  };
  auto matrix = [&](std::int64_t inputs, std::int64_t outputs) {
    matrices.push_back({total, inputs, outputs});
    return take(inputs * outputs);
  };
  w1 = matrix(zp, size.lists * 2 * hp), b1 = take(size.lists * 2 * hp);
  for (std::int64_t r = 0; r < size.lists; ++r) w2.push_back(matrix(hp, hp)), b2.push_back(take(hp));
  o1 = matrix(zp + hp, hp), c1 = take(hp);
  o2 = matrix(hp, hp), c2 = take(hp);
  o3 = matrix(hp, zp), c3 = take(zp);
}

}  // namespace lgode::ops
