// The weights of a model by name. All are views of one flat buffer, and so are their gradients: the optimiser updates
// them with single vector operations.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/core/random.h"

namespace lgode::model {

class Parameters {
 public:
  static constexpr std::int64_t kTail = 8;  // numbers behind the gradient

  struct Entry {
    std::string name;
    std::vector<std::int64_t> shape;
    double bound = 0.0;  // initial values are uniform in +-bound
    double value = 0.0;  // initial value if bound is 0
    at::Tensor tensor;   // a leaf that requires gradients, view of flat()
  };

  // Call before finish(). Returns the entry's index.
  std::size_t add(std::string name, std::vector<std::int64_t> shape, double bound, double value = 0.0);
  // A linear layer, initialised as in LibTorch: weight and bias uniform in +-1/sqrt(inputs).
  void add_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias = true);

  // Allocates the buffers and draws the initial values. Each entry has its own random stream, named after it: two
  // models with a common piece get the same initial values for that piece.
  void finish(at::ScalarType dtype, at::Device device, std::uint64_t seed);

  const at::Tensor& operator[](const std::string& name) const;
  const std::vector<Entry>& entries() const { return entries_; }
  at::Tensor& flat() { return flat_; }
  at::Tensor& flat_grad() { return flat_grad_; }
  // flat_grad() followed by room for a few numbers that are summed over processes together with it.
  at::Tensor& reduced() { return reduced_; }
  at::Tensor reduced_tail() const { return reduced_.narrow(0, flat_.numel(), kTail); }
  std::int64_t count() const { return flat_.numel(); }

 private:
  std::vector<Entry> entries_;
  at::Tensor flat_, flat_grad_, reduced_;
};

}  // namespace lgode::model
