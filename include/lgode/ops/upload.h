// Uploads a batch's tensors to a device and keeps a list of them.
//
// A captured step (ops/device.h) reads fixed addresses: before it is replayed for another batch, all tensors of that
// batch are copied to these addresses. All uploads go through this class, so the list is complete.
//
// A packed upload to a GPU collects all tensors in one block of pinned memory and copies it at once: dozens of small
// copies cost more than the work of a small batch.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lgode::ops {

// The purpose of an upload. A prediction needs neither the values of targets nor inputs that only gradients read.
enum class Purpose { kTraining, kPrediction };

class Upload {
 public:
  explicit Upload(at::Device device = at::kCPU) : device_(device) {}
  // A packed upload. `bytes`: expected size of all tensors; the excess takes a further block. On a CPU this is an
  // ordinary upload.
  static Upload packed(at::Device device, std::int64_t bytes, Purpose purpose);

  at::Device device() const { return device_; }
  Purpose purpose() const { return purpose_; }

  // The tensor on the device, listed. An undefined tensor stays undefined and is not listed. Packed: it has no content
  // before send().
  at::Tensor operator()(const at::Tensor& host) {
    if (!host.defined()) return host;
    return tensors_.emplace_back(packed_ ? pack(host) : host.to(device_));
  }
  template <class T>
  at::Tensor operator()(const std::vector<T>& values) {
    constexpr at::ScalarType kType = c10::CppTypeToScalarType<T>::value;
    const auto count = static_cast<std::int64_t>(values.size());
    if (packed_) return written<T>({count}, [&](T* to) { std::copy(values.begin(), values.end(), to); });
    return (*this)(at::tensor(values, at::TensorOptions(kType)));
  }
  // A tensor of these sizes, listed, whose values write(T*) stores; packed, they are stored where the copy starts from.
  // `write` may upload other tensors.
  template <class T, class Write>
  at::Tensor written(at::IntArrayRef sizes, const Write& write) {
    constexpr at::ScalarType kType = c10::CppTypeToScalarType<T>::value;
    if (packed_) {
      void* to = nullptr;
      const at::Tensor there = tensors_.emplace_back(room(sizes, kType, &to));
      write(static_cast<T*>(to));
      return there;
    }
    const at::Tensor host = at::empty(sizes, at::TensorOptions(kType));
    write(host.data_ptr<T>());
    return (*this)(host);
  }
  // `count` values as T, followed by zeros up to `size` elements.
  template <class T, class From>
  at::Tensor padded(const From* values, std::int64_t count, std::int64_t size) {
    return written<T>({size}, [&](T* to) {
      T* const end = to + size;
      to = std::transform(values, values + count, to, [](From value) { return static_cast<T>(value); });
      std::fill(to, end, T(0));
    });
  }
  // Notes a number on the host that, like the tensors' sizes, determines which work is launched.
  void shaped_by(std::int64_t number) { numbers_.push_back(number); }

  // Packed: copies everything to the device, in the current queue, without waiting. A second call has no effect.
  void send();
  // The same, but to the tensors of another packed upload with the same shape(); this one's then stay without content,
  // unless it has been sent.
  void send_to(const Upload& other);

  const std::vector<at::Tensor>& tensors() const { return tensors_; }
  // Packed bytes, and whether they fill one block only: then send_to() is one copy.
  std::int64_t bytes() const;
  bool in_one_block() const { return blocks_.size() == 1; }
  // Batches with equal shape() launch the same work on tensors of the same sizes.
  std::vector<std::int64_t> shape() const {
    std::vector<std::int64_t> all = numbers_;
    for (const at::Tensor& t : tensors_) all.insert(all.end(), t.sizes().begin(), t.sizes().end());
    return all;
  }

 private:
  // Equal places in both.
  struct Block {
    at::Tensor host, device;  // uint8; host: pinned
    std::int64_t used = 0;
  };

  at::Tensor pack(const at::Tensor& host);
  // A tensor in a block, and the place of its values on the host.
  at::Tensor room(at::IntArrayRef sizes, at::ScalarType type, void** host);

  at::Device device_;
  Purpose purpose_ = Purpose::kTraining;
  bool packed_ = false, sent_ = false;
  std::vector<Block> blocks_;
  std::vector<at::Tensor> tensors_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace lgode::ops
