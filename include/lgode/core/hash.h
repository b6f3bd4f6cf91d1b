// A 64-bit hash of numbers and text. Detects contents that differ by chance, damage or mistake: two contents of the
// same sizes that differ within one word of eight bytes never have the same hash. Not for cryptography.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace lgode {

class Hash {
 public:
  template <class T>
  void add(std::span<const T> values) {
    const std::span<const std::byte> bytes = std::as_bytes(values);
    mix(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
      mix(word);
      value_ ^= value_ >> 29;
    }
  }
  void add(std::int64_t value) { add(std::span<const std::int64_t>(&value, 1)); }
  void add(double value) { add(std::span<const double>(&value, 1)); }
  void add(std::string_view text) { add(std::span<const char>(text)); }
  // For many bytes, another value than add() and three times as fast: word n goes into hash n % 4, and these are added.
  void add_wide(std::span<const std::byte> bytes);
  // As 16 hexadecimal digits.
  std::string text() const;

 private:
  void mix(std::uint64_t word) { value_ = (value_ ^ word) * 0x9E3779B97F4A7C15ULL; }

  std::uint64_t value_ = 0x243F6A8885A308D3ULL;
};

}  // namespace lgode
