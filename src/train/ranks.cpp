// Texts and numbers between ranks, as tensors.
#include "lgode/train/ranks.h"

#include <cstring>

namespace lgode::train {

std::string Ranks::broadcast(const std::string& text) {
  at::Tensor length = at::scalar_tensor(static_cast<std::int64_t>(text.size()), at::kLong).reshape({1});
  broadcast(length);
  const auto count = length.item<std::int64_t>();
  if (count == 0) return {};
  at::Tensor bytes = at::empty({count}, at::kByte);
  if (rank() == 0) std::memcpy(bytes.data_ptr(), text.data(), text.size());
  broadcast(bytes);
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<std::size_t>(count)};
}

std::vector<double> Ranks::sum(const std::vector<double>& values) {
  if (values.empty()) return {};
  at::Tensor all = at::empty({static_cast<std::int64_t>(values.size())}, at::kDouble);
  std::memcpy(all.data_ptr(), values.data(), values.size() * sizeof(double));
  sum(all);
  const auto* sums = all.data_ptr<double>();
  return {sums, sums + values.size()};
}

}  // namespace lgode::train
