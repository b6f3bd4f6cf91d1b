// The weights of a model by name, all views of one flat buffer, and their gradients likewise: one vector operation
// serves them all.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/core/random.h"

namespace lgode::model {

class Parameters {
 public:
  struct Entry {
    std::string name;
    std::vector<std::int64_t> shape;
    double bound = 0.0;  // starts uniform in +-bound
    double value = 0.0;  // where bound is 0: starts as this constant
    at::Tensor tensor;   // a leaf that requires gradients, view of flat()
  };

  // Declared before finish(); returns the entry's number.
  std::size_t add(std::string name, std::vector<std::int64_t> shape, double bound, double value = 0.0);
  // A linear layer as LibTorch starts it: weight and bias uniform in +-1/sqrt(inputs).
  void add_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias = true);

  // Allocates and draws the initial values. The random stream of an entry is named by the entry, so that two models
  // with a piece in common start with the same values there, whatever else they have.
  void finish(at::ScalarType dtype, at::Device device, std::uint64_t seed);

  const at::Tensor& operator[](const std::string& name) const;
  const std::vector<Entry>& entries() const { return entries_; }
  at::Tensor& flat() { return flat_; }
  at::Tensor& flat_grad() { return flat_grad_; }
  std::int64_t count() const { return flat_.numel(); }

 private:
  std::vector<Entry> entries_;
  at::Tensor flat_, flat_grad_;
};

}  // namespace lgode::model
