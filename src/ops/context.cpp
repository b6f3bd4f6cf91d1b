// Makes and describes contexts, and applies one for the lifetime of a scope.
#include "lgode/ops/context.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <mutex>
#include <string>

#include "lgode/core/error.h"
#include "lgode/core/parallel.h"
#include "lgode/core/threads.h"
#include "lgode/ops/device.h"
#include "lgode/ops/graph_rk.h"

namespace lgode::ops {
namespace {

// The name that LibTorch's setter expects.
const char* precision_name(at::Float32MatmulPrecision precision) {
  switch (precision) {
    case at::Float32MatmulPrecision::HIGH:
      return "high";
    case at::Float32MatmulPrecision::MEDIUM:
      return "medium";
    default:
      return "highest";
  }
}

}  // namespace

Context Context::with_gradients(Precision allowed) const {
  Context out = *this;
  out.gradients = true;
  out.precision = allowed;
  return out;
}

Context Context::without_gradients() const {
  Context out = *this;
  out.gradients = false;
  out.precision = Precision::kFloat32;
  return out;
}

at::Device pick_device(const std::string& name) {
  const bool cuda = gpu_count() > 0;
  if (name == "cuda" && !cuda)
    throw ConfigError(at::hasCUDA() ? "`device` cuda: no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES, or "
                                      "use `device` cpu"
                                    : "`device` cuda: this build has no CUDA; build with a LibTorch that has it, "
                                      "or use `device` cpu");
  return name == "cuda" || (name == "auto" && cuda) ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
}

Precision pick_precision(Precision asked, at::Device device, bool saved) {
  if (asked == Precision::kAuto) return device.is_cpu() ? Precision::kFloat32 : Precision::kBf16;
  if (asked != Precision::kBf16 || has_bf16(device)) return asked;
  if (saved) return Precision::kFloat32;
  throw ConfigError(
      "`precision` bf16: this CPU has no bf16 dot products (AVX512_BF16), or LGODE_SIMD or the build excludes them; "
      "use `precision` auto, which is float32 on a CPU, or a GPU");
}

Context make_context(const std::string& device, std::int64_t threads) {
  Context context;
  context.device = pick_device(device);
  context.threads = usable_threads(threads);
  return context;
}

std::string machine_name(const Context& context) {
  std::ifstream info("/proc/cpuinfo");
  std::string line, name = "unknown processor";
  while (std::getline(info, line))
    if (line.starts_with("model name")) {
      name = line.substr(line.find(':') + 2);
      break;
    }
  const int threads = context.threads > 0 ? context.threads : at::get_num_threads();
  const std::string gpu = context.device.is_cuda() ? gpu_name(context.device) + " beside " : "";
  return fmt::format("{}{}, {} thread{}", gpu, name, threads, threads == 1 ? "" : "s");
}

namespace {

struct HelpersOfProcess {
  std::mutex mutex;
  std::unique_ptr<Helpers> all;
  pid_t owner = 0;

  // A forked process does not have its parent's threads, and must not wait for them.
  void forget_others() {
    if (owner != getpid()) static_cast<void>(all.release());
  }
  ~HelpersOfProcess() { forget_others(); }
};

}  // namespace

Helpers& helpers() {
  static HelpersOfProcess process;
  const std::lock_guard lock(process.mutex);
  process.forget_others();
  if (process.all == nullptr) {
    const int before = at::get_num_threads();
    at::set_num_threads(1);  // the default of new threads; this thread has its own
    process.all = std::make_unique<Helpers>(hardware_threads(), [] { at::get_num_threads(); });
    at::set_num_threads(before);
    process.owner = getpid();
  }
  return *process.all;
}

struct ContextScope::State {
  at::AutoGradMode gradients;
  int threads = 0;       // to restore; 0: unchanged
  std::string products;  // to restore; empty: unchanged
};

ContextScope::ContextScope(const Context& context) : state_(new State{at::AutoGradMode(context.gradients), 0, {}}) {
  if (context.threads > 0 && context.threads != at::get_num_threads()) {
    state_->threads = at::get_num_threads();
    at::set_num_threads(context.threads);
  }
  if (context.device.is_cuda()) {
    state_->products = precision_name(at::globalContext().float32MatmulPrecision());
    at::globalContext().setFloat32MatmulPrecision(context.precision == Precision::kTf32 ? "high" : "highest");
  }
}

ContextScope::~ContextScope() {
  if (state_->threads > 0) at::set_num_threads(state_->threads);
  if (!state_->products.empty()) at::globalContext().setFloat32MatmulPrecision(state_->products);
}

}  // namespace lgode::ops
