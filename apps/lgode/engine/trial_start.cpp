// Starts threads and takes buffers as the largest training would.
#include "engine/trial_start.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <future>
#include <vector>

#include "lgode/core/parallel.h"
#include "lgode/ops/context.h"
#include "memory_limit.h"

namespace lgode::app {
namespace {

// What must be free after the start, for a data set and a small model.
constexpr std::size_t kRoom = std::size_t{160} << 20;

void multiply() {
  const at::Tensor matrix = at::ones({256, 256});
  at::mm(matrix, matrix);
}

// OpenBLAS hands a buffer to each of its threads, and to each thread that calls it at the same time.
void take_buffers() {
  multiply();
  at::parallel_for(0, hardware_threads(), 1, [](std::int64_t, std::int64_t) {});
  std::vector<std::future<void>> all;
  for (int i = 0; i < hardware_threads(); ++i) all.push_back(ops::helpers().run(multiply));
  multiply();
  for (std::future<void>& one : all) one.get();
}

bool has_room() {
  void* room = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room != MAP_FAILED && ::munmap(room, kRoom) == 0;
}

}  // namespace

void start_within_limit() {
  if (!memory_is_limited()) return;
  const bool trial = std::getenv(kTrialStart) != nullptr;
  try {
    take_buffers();
  } catch (const std::exception&) {
    if (trial) ::_exit(1);
    throw;
  }
  if (trial) ::_exit(has_room() ? 0 : 1);
}

}  // namespace lgode::app
