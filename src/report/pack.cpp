// Packs arrays into base64.
#include "pack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lgode::report {

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8U | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kLetters[three >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

nlohmann::ordered_json pack16(const std::vector<double>& values) {
  constexpr double kSteps = 65534;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  if (low > high) low = high = 0;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * values.size());
  for (const double value : values) {
    std::uint32_t q = 65535;
    if (std::isfinite(value))
      q = high > low ? static_cast<std::uint32_t>(std::lround((value - low) / (high - low) * kSteps)) : 0U;
    bytes.push_back(static_cast<std::uint8_t>(q & 255U));
    bytes.push_back(static_cast<std::uint8_t>(q >> 8U));
  }
  return {{"low", low}, {"high", high}, {"data", base64(bytes)}};
}

std::string pack32(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * values.size());
  for (const float value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k) & 255U));
  }
  return base64(bytes);
}

}  // namespace lgode::report
