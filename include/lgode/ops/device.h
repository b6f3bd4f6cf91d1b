// The GPUs that operators are built for.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>

namespace lgode::ops {

// 0 in a build without CUDA, too.
int gpu_count();
std::string gpu_name(at::Device device);

// While one lives, what this thread copies to the device goes past the work that is queued there; when it goes, all has
// arrived. Tensors made meanwhile must outlive the work that uses them: see DeviceMark.
class Upload {
 public:
  explicit Upload(at::Device device);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;  // null on a CPU
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
