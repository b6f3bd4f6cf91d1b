// Runs a check once for every SIMD target that is built and that this machine can execute. Only once, with the current
// target, if LGODE_SIMD is set, and under ThreadSanitizer: threads behave the same on all targets, and the others take
// minutes there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#if __has_include(<hwy/targets.h>)
#include <hwy/highway.h>
#include <hwy/targets.h>
#endif

namespace lgode::testing {

inline void for_each_simd(const std::function<void()>& check) {
#if __has_include(<hwy/targets.h>) && !defined(__SANITIZE_THREAD__)
  if (std::getenv("LGODE_SIMD") != nullptr) {
    check();
    return;
  }
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
#else
  check();
#endif
}

}  // namespace lgode::testing
