// Access to GPUs for the rest of the library: names, memory, padded sizes, queues and captured work. In a build without
// CUDA all of this exists, too: there are zero GPUs then.
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

// 0 in a build without CUDA.
int gpu_count();
std::string gpu_name(at::Device device);
// Which GPU of this machine a device is, however many of them the process sees.
std::string gpu_id(at::Device device);
// Bytes of device memory that LibTorch has reserved for this process.
std::int64_t gpu_memory(at::Device device);

// Whether ragged tensors have the exact sizes of their content or are padded. With padding, many batches have the same
// sizes, and work captured for one of them can be replayed for the others.
enum class Shapes { kExact, kPadded };
// Padded sizes are multiples of this power of two: at most n / 8, but at least 32.
inline std::int64_t padding_step(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(n / 8, 32))));
}
inline std::int64_t padded_size(std::int64_t n) {
  return (n + padding_step(n) - 1) / padding_step(n) * padding_step(n);
}
inline std::int64_t size_of(std::int64_t n, Shapes shapes) { return shapes == Shapes::kPadded ? padded_size(n) : n; }

// Copies from[i] to to[i], which has the same size and dtype; all on one GPU.
void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to);

// A CUDA stream for Queues that follow each other, so that they share its workspaces. It has priority over other
// streams.
class Lane {
 public:
  explicit Lane(at::Device device);

 private:
  friend class Queue;
  friend class LaneScope;
  struct State;
  std::shared_ptr<const State> state_;  // null on a CPU
};

// During its lifetime, the device work of this thread goes to the lane, of which a Queue exists. Does not wait.
class LaneScope {
 public:
  explicit LaneScope(const Lane& lane);
  ~LaneScope();
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;  // null on a CPU
};

// During its lifetime, the device work of this thread goes to a queue (CUDA stream) of its own, independent of other
// work; such work can be captured. The destructor waits until all of it is done. If other queues use tensors made in
// this one, keep the tensors alive until that work is done: see DeviceMark.
class Queue {
 public:
  explicit Queue(at::Device device);
  explicit Queue(const Lane& lane);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;  // null on a CPU
};

// The memory of captures for their temporaries. Captures with the same memory overwrite each other's: they must not be
// replayed at the same time.
class CaptureMemory {
 public:
  CaptureMemory();
  // The default.
  static const CaptureMemory& of_process();

 private:
  friend class CapturedWork;
  struct State;
  std::shared_ptr<State> state_;
};

// GPU work that is captured once (as a CUDA graph), in a Queue, and then replayed by one launch, on the same addresses.
// Captures with the same memory allocate their tensors from it, so one replay may overwrite temporaries of another:
// results must be written to tensors that existed before the capture.
class CapturedWork {
 public:
  // `work` must not wait for the device, and must have run once before. It is captured here, not executed.
  CapturedWork(at::Device device, const std::function<void()>& work,
               const CaptureMemory& memory = CaptureMemory::of_process());
  ~CapturedWork();
  CapturedWork(CapturedWork&&) noexcept;
  CapturedWork& operator=(CapturedWork&&) noexcept;
  void replay();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A position in the current queue of the device, to wait for (CUDA event).
class DeviceMark {
 public:
  explicit DeviceMark(at::Device device);  // after all work queued so far
  void wait() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // null on a CPU
};

}  // namespace lgode::ops
