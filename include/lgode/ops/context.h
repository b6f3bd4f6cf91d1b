// What computations run on: device, threads, precision, gradients and spare memory. Whoever computes is handed a
// context; nothing of it is process-wide.
//
// LibTorch keeps some of these settings for the calling thread (number of threads, gradient mode) and one for the
// process (float32 products on a GPU in TF32). A ContextScope sets them for as long as it lives and then puts back what
// was there, so that no library call leaves the process changed.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>

#include "lgode/ops/impl.h"
#include "lgode/ops/spare_memory.h"

namespace lgode::ops {

struct Context {
  at::Device device = at::kCPU;
  int threads = 0;                            // for parallel work on the CPU; 0: as many as the calling thread has now
  Precision precision = Precision::kFloat32;  // of matrix products on a GPU
  bool gradients = false;                     // whether results can be differentiated
  std::shared_ptr<SpareMemory> spare = std::make_shared<SpareMemory>();  // copies of a context share it

  Context with_gradients(Precision allowed) const;  // for training steps
  Context without_gradients() const;                // for results: float32
};

// The device for "auto", "cpu" or "cuda". ConfigError where there is no usable GPU.
at::Device pick_device(const std::string& name);

// A context on that device with so many threads (0: all cores).
Context make_context(const std::string& device, std::int64_t threads);

// "AMD EPYC, 2 threads" and the like: processor (and accelerator), for result records.
std::string machine_name(const Context& context);

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
