// The one way of a batch's tensors to a device, which keeps a list of them.
//
// A captured step (ops/device.h) works on fixed addresses: before it is replayed for another batch, all that it reads
// of a batch is copied there. Whatever was uploaded is in the list, so that no tensor can be forgotten.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace lgode::ops {

class Upload {
 public:
  explicit Upload(at::Device device = at::kCPU) : device_(device) {}

  at::Device device() const { return device_; }

  // The tensor on the device, listed. An undefined tensor stays undefined and is not listed.
  at::Tensor operator()(const at::Tensor& host) {
    if (!host.defined()) return host;
    return tensors_.emplace_back(host.to(device_));
  }
  template <class T>
  at::Tensor operator()(const std::vector<T>& values) {
    return (*this)(at::tensor(values, at::TensorOptions(c10::CppTypeToScalarType<T>::value)));
  }
  // A number on the host that decides which work is launched, beside the sizes of the tensors.
  void shaped_by(std::int64_t number) { numbers_.push_back(number); }

  const std::vector<at::Tensor>& tensors() const { return tensors_; }
  // Uploads with the same shape launch the same work on the same numbers of bytes.
  std::vector<std::int64_t> shape() const {
    std::vector<std::int64_t> all = numbers_;
    for (const at::Tensor& t : tensors_) all.insert(all.end(), t.sizes().begin(), t.sizes().end());
    return all;
  }

 private:
  at::Device device_;
  std::vector<at::Tensor> tensors_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace lgode::ops
