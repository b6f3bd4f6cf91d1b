// The command line of lgode follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lgode::app {

struct FollowArguments {
  std::string run, input = "/dev/stdin", edges, state;
  std::optional<double> horizon, step;
  double every = 0, late = 0, save_every = 10;
  std::int64_t times = 10, samples = 100, threads = 1;
  std::uint64_t seed = 1;
  bool skip_bad = false, ignore_others = false;
};

}  // namespace lgode::app
