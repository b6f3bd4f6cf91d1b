// The functions of engine.h that lgode-engine needs for all commands.
#include "engine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "engine/trial_start.h"
#include "lgode/core/error.h"
#include "lgode/ops/context.h"
#include "lgode/ops/simd.h"
#include "starter.h"

namespace lgode::app {

namespace {

// For tests and measurements: the fused operators behave as on another processor.
void hold_simd() {
  const char* simd = std::getenv("LGODE_SIMD");
  if (simd == nullptr || *simd == '\0') return;
  try {
    ops::hold_simd(simd);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("environment variable LGODE_SIMD: {}", error.what()));
  }
}

}  // namespace

bool is_gpu(const std::string& device) { return ops::pick_device(device).is_cuda(); }

void before_reading(const std::string& /*path*/) {}

void before_work() {}

bool enter(char** /*words*/) {
  start_within_limit();
  hold_simd();
  const char* value = std::getenv(kStarter);
  if (value == nullptr) return false;
  const std::string starter = value;
  unsetenv(kStarter);
  if (starter != kThisBuild)
    throw ConfigError(
        fmt::format("lgode is {}, but lgode-engine is {}; build or install both programs again", starter, kThisBuild));
  return true;
}

}  // namespace lgode::app
