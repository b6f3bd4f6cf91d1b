// Names and limits the SIMD targets that Highway chooses between at run time.
#include "lgode/ops/simd.h"

#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <array>
#include <utility>

#include "lgode/core/error.h"
#include "ops/cpu/attention_kernel.h"

namespace lgode::ops {
namespace {

constexpr std::array<std::pair<const char*, std::int64_t>, 4> kTargets = {
    {{"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}, {"scalar", HWY_SCALAR}}};

std::int64_t target_of(const std::string& name) {
  for (const auto& [known, target] : kTargets)
    if (name == known) return target;
  throw ConfigError(fmt::format("SIMD instructions '{}': expected avx512, avx2, sse4 or scalar", name));
}

}  // namespace

const char* simd_name() { return cpu::simd_name(); }

bool has_simd(const std::string& name) {
  const std::int64_t target = target_of(name);
  return target == HWY_SCALAR || (hwy::SupportedTargets() & target) != 0;
}

void hold_simd(const std::string& name) {
  if (!has_simd(name)) throw ConfigError(fmt::format("SIMD instructions '{}': this processor has none", name));
  // Better targets have lower bits: disable all bits below the wanted one.
  hwy::DisableTargets(target_of(name) - 1);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace lgode::ops
