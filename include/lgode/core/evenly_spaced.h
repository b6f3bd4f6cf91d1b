// Some entries of a list, evenly spaced: how a sample of systems or objects is chosen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lgode {

// At most `most` entries, in their order, beginning with the first one; all of them if there are no more.
template <class T>
std::vector<T> evenly_spaced(const std::vector<T>& all, std::size_t most) {
  const std::size_t count = std::min(most, all.size());
  std::vector<T> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

}  // namespace lgode
