// Numbers as short text. Internal to reports.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::report {

std::string base64(std::span<const std::uint8_t> bytes);

// {"low", "high", "data"}: 16-bit whole numbers, little-endian, base64; q encodes low + q (high - low) / 65534, and
// 65535 for a missing number.
nlohmann::ordered_json pack16(const std::vector<double>& values);
// 32-bit floats, little-endian, base64.
std::string pack32(const std::vector<float>& values);

}  // namespace lgode::report
