#include "lgode/ops/device.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

namespace lgode::ops {

int gpu_count() { return static_cast<int>(c10::cuda::device_count()); }

std::string gpu_name(at::Device device) { return at::cuda::getDeviceProperties(device.index())->name; }

void synchronise(at::Device device) {
  if (device.is_cpu()) return;
  const c10::cuda::CUDAGuard guard(device);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace lgode::ops
