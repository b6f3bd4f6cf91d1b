// The GPUs that operators are built for.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lgode::ops {

// 0 in a build without CUDA, too.
int gpu_count();
std::string gpu_name(at::Device device);
// Bytes of the device that LibTorch holds for this process.
std::int64_t gpu_memory(at::Device device);

// Whether ragged tensors have the sizes of their content or are padded, so that many batches have the same sizes and a
// capture of one serves the others.
enum class Shapes { kExact, kPadded };
// Padded sizes are multiples of this: a power of two, about an eighth of n or less, at least 32.
inline std::int64_t padding_step(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(n / 8, 32))));
}
inline std::int64_t padded_size(std::int64_t n) {
  return (n + padding_step(n) - 1) / padding_step(n) * padding_step(n);
}
inline std::int64_t size_of(std::int64_t n, Shapes shapes) { return shapes == Shapes::kPadded ? padded_size(n) : n; }

// Copies each tensor to the one with its number, which has its size and dtype, on one GPU.
void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to);

// While one lives, what this thread asks of the device goes to a queue of its own, past the work of others, which can
// be captured; when it goes, all of that is done. Tensors made meanwhile must outlive the work of other queues that
// uses them: see DeviceMark.
class Queue {
 public:
  explicit Queue(at::Device device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;  // null on a CPU
};

// Work on a GPU that is captured once (as a CUDA graph), in a Queue, and then repeated by one launch, on the same
// addresses. All captures share the memory in which their work makes tensors: what they leave must be in tensors that
// were there before.
class CapturedWork {
 public:
  // `work` must not wait for the device, and must have run before. It is not run now.
  CapturedWork(at::Device device, const std::function<void()>& work);
  ~CapturedWork();
  CapturedWork(CapturedWork&&) noexcept;
  CapturedWork& operator=(CapturedWork&&) noexcept;
  void replay();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A place in the device's queue.
class DeviceMark {
 public:
  explicit DeviceMark(at::Device device);  // behind all that was asked so far
  void wait() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // null on a CPU
};

}  // namespace lgode::ops
