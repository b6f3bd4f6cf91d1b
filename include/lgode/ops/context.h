// Settings of a computation: device, threads, precision, gradients and spare memory. Training, evaluation and
// prediction take a context; there are no global settings. Results are always float32; only training steps may round
// more.
//
// LibTorch stores some of these settings per thread (number of threads, gradient mode) and one per process (float32
// products on a GPU in TF32). A ContextScope sets them during its lifetime and then restores the previous values, so
// that no library call leaves the process changed.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>

#include "lgode/core/helpers.h"
#include "lgode/ops/impl.h"
#include "lgode/ops/spare_memory.h"

namespace lgode::ops {

struct Context {
  at::Device device = at::kCPU;
  int threads = 0;                            // for parallel work on the CPU; 0: the calling thread's current number
  Precision precision = Precision::kFloat32;  // of matrix products; never kAuto
  bool gradients = false;                     // whether results can be differentiated
  std::shared_ptr<SpareMemory> spare = std::make_shared<SpareMemory>();  // copies of a context share it

  Context with_gradients(Precision allowed) const;  // for training steps
  Context without_gradients() const;                // for results: float32
};

// The device for "auto", "cpu" or "cuda". ConfigError for "cuda" if there is no usable GPU.
at::Device pick_device(const std::string& name);

// The precision of training steps on a device for the one that an option asks for. ConfigError for kBf16 on a CPU
// without bf16 dot products; float32 instead if the option was not given but `saved`, perhaps by a run on another
// machine.
Precision pick_precision(Precision asked, at::Device device, bool saved = false);

// A context on that device with this number of threads (0: one per core).
Context make_context(const std::string& device, std::int64_t threads);

// Description of the hardware to store with results: "AMD EPYC, 2 threads", with the GPU's name before it on a GPU.
std::string machine_name(const Context& context);

// Threads for preparing batches, as many as there are cores, on which LibTorch itself uses one thread. One set for the
// process, made by the first call.
Helpers& helpers();

class ContextScope {
 public:
  explicit ContextScope(const Context& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lgode::ops
