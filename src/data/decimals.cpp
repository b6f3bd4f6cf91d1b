// Rounds to decimals.
#include "lgode/data/decimals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lgode::data {
namespace {

constexpr int kExactPowers = 22;  // 10^22 is the largest power of ten that is a double
constexpr std::array<double, kExactPowers + 1> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr double kWhole = 9007199254740992.0;  // 2^53

// The largest power of ten that is not above `x`, as an exponent.
int exponent_of_ten(double x) { return static_cast<int>(std::floor(std::log10(x))); }

// The double that is nearest to the value with this many decimals; negative: zeros before the point.
double to_decimals(double value, int decimals) {
  if (std::abs(decimals) > kExactPowers) {
    constexpr int kMost = std::numeric_limits<double>::max_digits10 - 1;
    const int digits = exponent_of_ten(std::abs(value)) + decimals;  // after the first
    if (digits < 0 || digits > kMost) return value;
    std::array<char, 64> text{};
    *fmt::format_to_n(text.data(), text.size() - 1, "{:.{}e}", value, digits).out = '\0';
    return std::strtod(text.data(), nullptr);
  }
  const double power = kPowers[static_cast<std::size_t>(std::abs(decimals))];
  if (decimals < 0) return std::round(value / power) * power;
  const double whole = value * power;
  return std::abs(whole) < kWhole ? std::round(whole) / power : value;
}

}  // namespace

double in_units(double normalised, double scale, double centre) {
  constexpr int kLeastExponent = -8, kMantissa = std::numeric_limits<float>::digits - 1;
  const double exact = static_cast<double>(static_cast<float>(normalised));
  const double value = centre + scale * exact;
  if (!std::isfinite(value)) return value;
  int exponent = exact == 0 ? std::numeric_limits<int>::min() : std::ilogb(exact);
  if (centre != 0) exponent = std::max(exponent, kLeastExponent);
  if (exponent == std::numeric_limits<int>::min()) return value;
  const double step = scale * std::ldexp(1.0, exponent - kMantissa);  // between float32 numbers
  if (!(step > 0) || !std::isfinite(step)) return value;
  const int decimals = -exponent_of_ten(step) - 1;
  const double coarse = to_decimals(value, decimals);
  return std::abs(coarse - value) < 0.5 * step ? coarse : to_decimals(value, decimals + 1);
}

double rounded(double value, double scale, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int size = exponent_of_ten(std::abs(value));
  return to_decimals(value, digits - 1 - (scale > 0 ? std::min(size, exponent_of_ten(scale)) : size));
}

}  // namespace lgode::data
