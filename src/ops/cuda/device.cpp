#include "lgode/ops/device.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

namespace lgode::ops {

int gpu_count() { return static_cast<int>(c10::cuda::device_count()); }

std::string gpu_name(at::Device device) { return at::cuda::getDeviceProperties(device.index())->name; }

struct Upload::State {
  explicit State(at::Device device) : guard(c10::cuda::getStreamFromPool(false, device.index())) {}
  c10::cuda::CUDAStreamGuard guard;
};
Upload::Upload(at::Device device) : state_(device.is_cpu() ? nullptr : std::make_unique<State>(device)) {}
Upload::~Upload() {
  if (state_ != nullptr) cudaStreamSynchronize(state_->guard.current_stream());
}

struct DeviceMark::State {
  at::cuda::CUDAEvent event;
};
DeviceMark::DeviceMark(at::Device device) : state_(device.is_cpu() ? nullptr : std::make_shared<State>()) {
  if (state_ != nullptr) state_->event.record(at::cuda::getCurrentCUDAStream(device.index()));
}
void DeviceMark::wait() const {
  if (state_ != nullptr) state_->event.synchronize();
}

}  // namespace lgode::ops
