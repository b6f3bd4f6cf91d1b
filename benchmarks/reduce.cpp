// Times the sum over ranks of float32 buffers of several sizes. Start it with RANK, WORLD_SIZE, MASTER_ADDR and
// MASTER_PORT set, as for lgode train; rank 0 prints JSON.
//   reduce_bench cpu|cuda auto|gloo|nccl NUMBERS...
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/median.h"
#include "lgode/ops/device.h"
#include "lgode/train/ranks.h"

namespace {

using namespace lgode;
using Clock = std::chrono::steady_clock;

constexpr int kWarmUp = 20, kRounds = 200;

double median_us(train::Ranks& ranks, const at::Device device, std::int64_t numbers) {
  at::Tensor buffer = at::zeros({numbers}, at::TensorOptions(at::kFloat).device(device));
  std::vector<double> times;
  for (int round = 0; round < kWarmUp + kRounds; ++round) {
    ops::DeviceMark(device).wait();
    const Clock::time_point begin = Clock::now();
    ranks.sum(buffer);
    ops::DeviceMark(device).wait();
    if (round >= kWarmUp) times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return median(std::move(times));
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3) throw ConfigError("usage: reduce_bench cpu|cuda auto|gloo|nccl NUMBERS...");
  const auto place = train::find_place("auto");
  if (!place) throw ConfigError("RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are not set");
  train::JoinOptions options;
  options.backend = words[1];
  const bool gpu = words[0] == "cuda";
  const auto device_of = [](int local_rank) {
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(local_rank % ops::gpu_count()));
  };
  if (gpu) options.gpu = [&](int local_rank) { return ops::gpu_id(device_of(local_rank)); };
  const auto ranks = train::join(*place, options);
  const at::Device device = gpu ? device_of(ranks->local_rank()) : at::Device(at::kCPU);
  const ops::Queue queue(device);
  std::string rows;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::int64_t numbers = std::stoll(words[i]);
    rows += fmt::format("{}{{\"bytes\": {}, \"us\": {:.1f}}}", i > 2 ? ", " : "", 4 * numbers,
                        median_us(*ranks, device, numbers));
  }
  if (ranks->rank() == 0)
    fmt::print("{{\"ranks\": {}, \"backend\": \"{}\", \"device\": \"{}\", \"sums\": [{}]}}\n", ranks->size(),
               ranks->backend(), words[0], rows);
  ranks->leave();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "reduce_bench: {}\n", error.what());
    return 1;
  }
}
