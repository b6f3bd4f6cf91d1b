// The GPUs that operators are built for.
#pragma once

#include <ATen/ATen.h>

#include <string>

namespace lgode::ops {

// 0 in a build without CUDA, too.
int gpu_count();
std::string gpu_name(at::Device device);
// Waits until the device has done all that was asked of it; nothing on a CPU.
void synchronise(at::Device device);

}  // namespace lgode::ops
