// GPU queues, captured work and marks, by LibTorch's CUDA streams, graphs and events. Without CUDA: fused_absent.cpp.
#include "lgode/ops/device.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <map>
#include <mutex>
#include <utility>

namespace lgode::ops {

int gpu_count() { return static_cast<int>(c10::cuda::device_count()); }

std::string gpu_name(at::Device device) { return at::cuda::getDeviceProperties(device.index())->name; }

std::string gpu_id(at::Device device) {
  const cudaDeviceProp* about = at::cuda::getDeviceProperties(device.index());
  return std::to_string(about->pciDomainID) + ":" + std::to_string(about->pciBusID) + ":" +
         std::to_string(about->pciDeviceID);
}

std::int64_t gpu_memory(at::Device device) {
  return c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).reserved_bytes[0].current;
}

void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to) {
  // One list per dtype: few launches.
  std::map<at::ScalarType, std::pair<std::vector<at::Tensor>, std::vector<at::Tensor>>> lists;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].numel() == 0) continue;
    auto& [sources, targets] = lists[from[i].scalar_type()];
    sources.push_back(from[i]), targets.push_back(to[i]);
  }
  at::NoGradGuard no_grad;
  for (auto& [type, list] : lists) at::_foreach_copy_(list.second, list.first, /*non_blocking=*/true);
}

// Flags of an event that sleeps while it waits: a spinning thread would take a core from other trainings.
constexpr unsigned kSleeping = cudaEventDisableTiming | cudaEventBlockingSync;

struct Lane::State {
  c10::cuda::CUDAStream stream;
};
Lane::Lane(at::Device device) {
  // Streams of high priority differ from the streams of a Queue.
  if (!device.is_cpu())
    state_ =
        std::make_shared<const State>(State{c10::cuda::getStreamFromPool(/*isHighPriority=*/true, device.index())});
}

struct LaneScope::State {
  explicit State(c10::cuda::CUDAStream stream) : guard(stream) {}
  c10::cuda::CUDAStreamGuard guard;
};
LaneScope::LaneScope(const Lane& lane) {
  if (lane.state_ != nullptr) state_ = std::make_unique<State>(lane.state_->stream);
}
LaneScope::~LaneScope() = default;

struct Queue::State {
  explicit State(c10::cuda::CUDAStream stream) : guard(stream) {}
  c10::cuda::CUDAStreamGuard guard;
};
Queue::Queue(at::Device device) {
  if (!device.is_cpu())
    state_ = std::make_unique<State>(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index()));
}
Queue::Queue(const Lane& lane) {
  if (lane.state_ != nullptr) state_ = std::make_unique<State>(lane.state_->stream);
}
Queue::~Queue() {
  if (state_ == nullptr) return;
  at::cuda::CUDAEvent done(kSleeping);
  done.record(state_->guard.current_stream());
  done.synchronize();
}

struct CaptureMemory::State {
  std::mutex mutex;
  std::weak_ptr<const at::cuda::MempoolId_t> current;

  // The pool of the existing captures. A new one when there are none, because LibTorch then discards the old one.
  std::shared_ptr<const at::cuda::MempoolId_t> pool() {
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const at::cuda::MempoolId_t> memory = current.lock();
    if (memory == nullptr) {
      memory = std::make_shared<const at::cuda::MempoolId_t>(at::cuda::graph_pool_handle());
      current = memory;
    }
    return memory;
  }
};
CaptureMemory::CaptureMemory() : state_(std::make_shared<State>()) {}
const CaptureMemory& CaptureMemory::of_process() {
  static const CaptureMemory memory;
  return memory;
}

struct CapturedWork::State {
  std::shared_ptr<const at::cuda::MempoolId_t> memory;
  at::cuda::CUDAGraph graph;
};
CapturedWork::CapturedWork(at::Device device, const std::function<void()>& work, const CaptureMemory& memory)
    : state_(std::make_unique<State>()) {
  state_->memory = memory.state_->pool();
  const c10::cuda::CUDAGuard guard(device);
  // Thread-local mode: other threads may call CUDA meanwhile.
  state_->graph.capture_begin(*state_->memory, cudaStreamCaptureModeThreadLocal);
  try {
    work();
  } catch (...) {
    try {
      state_->graph.capture_end();
    } catch (const c10::Error&) {  // the first error is the informative one
    }
    throw;
  }
  state_->graph.capture_end();
}
CapturedWork::~CapturedWork() = default;
CapturedWork::CapturedWork(CapturedWork&&) noexcept = default;
CapturedWork& CapturedWork::operator=(CapturedWork&&) noexcept = default;
void CapturedWork::replay() { state_->graph.replay(); }

struct DeviceMark::State {
  at::cuda::CUDAEvent event{kSleeping};
};
DeviceMark::DeviceMark(at::Device device) : state_(device.is_cpu() ? nullptr : std::make_shared<State>()) {
  if (state_ != nullptr) state_->event.record(at::cuda::getCurrentCUDAStream(device.index()));
}
void DeviceMark::wait() const {
  if (state_ != nullptr) state_->event.synchronize();
}

}  // namespace lgode::ops
