// What the tests on a GPU share: the device, what happens without one, and a measure of differences.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "lgode/ops/device.h"

namespace lgode::testing {

inline const at::Device kGpu(at::kCUDA, 0);

#define LGODE_NEEDS_GPU()                                                                                         \
  do {                                                                                                            \
    if (ops::gpu_count() == 0) {                                                                                  \
      if (std::getenv("LGODE_REQUIRE_GPU") != nullptr) FAIL() << "LGODE_REQUIRE_GPU is set, but there is no GPU"; \
      GTEST_SKIP() << "no GPU";                                                                                   \
    }                                                                                                             \
  } while (false)

// |got - expected| / |expected|, norms over all elements.
inline double relative_error(const at::Tensor& got, const at::Tensor& expected) {
  const at::Tensor g = got.detach().to(at::kCPU).to(at::kDouble), e = expected.detach().to(at::kCPU).to(at::kDouble);
  if (e.numel() == 0) return g.numel() == 0 ? 0 : NAN;
  return ((g - e).norm() / e.norm().clamp_min(1e-12)).item<double>();
}

}  // namespace lgode::testing
