// Declares, allocates and initialises weights.
#include "lgode/model/parameters.h"

#include <cmath>

namespace lgode::model {

std::size_t Parameters::add(std::string name, std::vector<std::int64_t> shape, double bound, double value) {
  entries_.push_back({std::move(name), std::move(shape), bound, value, {}});
  return entries_.size() - 1;
}

void Parameters::add_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
  add(name + ".weight", {outputs, inputs}, bound);
  if (bias) add(name + ".bias", {outputs}, bound);
}

void Parameters::finish(at::ScalarType dtype, at::Device device, std::uint64_t seed) {
  std::int64_t total = 0;
  for (const Entry& e : entries_) total += c10::multiply_integers(e.shape);
  at::Tensor host = at::empty({total}, at::kDouble);
  double* values = host.data_ptr<double>();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Random random(seed, RandomUse::kInit, entries_[i].name);
    for (std::int64_t k = c10::multiply_integers(entries_[i].shape); k > 0; --k)
      *values++ = entries_[i].bound > 0 ? random.uniform(-entries_[i].bound, entries_[i].bound) : entries_[i].value;
  }
  flat_ = host.to(dtype).to(device);
  reduced_ = at::zeros({total + kTail}, flat_.options());
  flat_grad_ = reduced_.narrow(0, 0, total);
  std::int64_t at = 0;
  for (Entry& e : entries_) {
    const std::int64_t size = c10::multiply_integers(e.shape);
    e.tensor = flat_.narrow(0, at, size).view(e.shape).detach().requires_grad_(true);
    e.tensor.mutable_grad() = flat_grad_.narrow(0, at, size).view(e.shape);
    at += size;
  }
}

const at::Tensor& Parameters::operator[](const std::string& name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return e.tensor;
  TORCH_CHECK_VALUE(false, "no parameter is named ", name);
}

}  // namespace lgode::model
