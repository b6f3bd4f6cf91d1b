// Two passes per row: angles in double, reduced to [-pi, pi] and rounded to float, then sine and cosine in float.
#include "time_encoding_kernel.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/time_encoding_kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 2 pi in two parts. The first has 32 bits, so that its product with a whole number below 2^21 is exact even without
// fused multiply-add.
constexpr double kTurnHigh = 0x1.921fb544p+2;
constexpr double kTurnLow = 0x1.0b4611a62633145cp-32;
constexpr double kPerTurn = 0x1.45f306dc9c882a54p-3;  // 1 / (2 pi)

// angle_i = time rate_i minus whole turns, so that |angle_i| <= pi; `pairs` is a multiple of the vector length.
void reduced_angles(double time, const double* rate, std::int64_t pairs, float* angle) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> f;
  const auto t = hn::Set(d, time), per_turn = hn::Set(d, kPerTurn), high = hn::Set(d, kTurnHigh),
             low = hn::Set(d, kTurnLow);
  for (std::int64_t i = 0; i < pairs; i += static_cast<std::int64_t>(hn::Lanes(d))) {
    const auto whole = hn::Mul(t, hn::LoadU(d, rate + i));
    const auto turns = hn::Round(hn::Mul(whole, per_turn));
    const auto rest = hn::NegMulAdd(turns, low, hn::NegMulAdd(turns, high, whole));
    hn::StoreU(hn::DemoteTo(f, rest), f, angle + i);
  }
}

void encode_times_simd(const double* times, std::int64_t count, const double* rate, std::int64_t width, float* out) {
  const hn::ScalableTag<float> f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  const std::int64_t pairs = (width + 1) / 2, padded = (pairs + n - 1) / n * n;
  // If a row ends within a vector, it is computed in `own` and then copied.
  const bool fits = width == 2 * padded;
  std::vector<double> rates(static_cast<std::size_t>(padded), 0.0);
  std::copy_n(rate, pairs, rates.begin());
  std::vector<float> angle(static_cast<std::size_t>(padded)), own(fits ? 0 : static_cast<std::size_t>(2 * padded));
  for (std::int64_t row = 0; row < count; ++row, out += width) {
    reduced_angles(times[row], rates.data(), padded, angle.data());
    float* to = fits ? out : own.data();
    for (std::int64_t i = 0; i < padded; i += n) {
      // Eq. 5: TE_2i = sin(angle_i), TE_2i+1 = cos(angle_i)
      const auto x = hn::LoadU(f, angle.data() + i);
      hn::StoreInterleaved2(hn::Sin(f, x), hn::Cos(f, x), f, to + 2 * i);
    }
    if (!fits) std::copy_n(to, width, out);
  }
}

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lgode::ops::cpu {

HWY_EXPORT(encode_times_simd);

void encode_times(const double* times, std::int64_t count, const double* rate, std::int64_t width, float* out) {
  HWY_DYNAMIC_DISPATCH(encode_times_simd)(times, count, rate, width, out);
}

}  // namespace lgode::ops::cpu
#endif
