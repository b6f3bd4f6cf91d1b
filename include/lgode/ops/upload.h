// Uploads a batch's tensors to a device and keeps a list of them.
//
// A captured step (ops/device.h) reads fixed addresses: before it is replayed for another batch, all tensors of that
// batch are copied to these addresses. All uploads go through this class, so the list is complete.
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
  // Notes a number on the host that, like the tensors' sizes, determines which work is launched.
  void shaped_by(std::int64_t number) { numbers_.push_back(number); }

  const std::vector<at::Tensor>& tensors() const { return tensors_; }
  // Batches with equal shape() launch the same work on tensors of the same sizes.
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
