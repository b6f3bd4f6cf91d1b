// Hashes as text, and of many bytes.
#include "lgode/core/hash.h"

#include <fmt/format.h>

#include <array>

namespace lgode {

void Hash::add_wide(std::span<const std::byte> bytes) {
  constexpr std::size_t kLanes = 4, kWord = sizeof(std::uint64_t), kBlock = kLanes * kWord;
  // Four hashes do not wait for each other.
  std::array<Hash, kLanes> lanes;
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at + lane * kWord, kWord);
      lanes[lane].mix(word);
      lanes[lane].value_ ^= lanes[lane].value_ >> 29;
    }
  std::array<std::uint64_t, kLanes> values{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) values[lane] = lanes[lane].value_;
  add(std::span<const std::uint64_t>(values));
  add(bytes.subspan(at));
}

std::string Hash::text() const { return fmt::format("{:016x}", value_); }

}  // namespace lgode
