// Random numbers that depend on a seed and a name only: every user opens its own stream, so that results do not
// depend on threads, order or interruptions. The generator is Philox4x32-10 (Salmon et al., SC 2011). Of libm it uses
// only the exact square root, so that all x86-64 machines give the same bits. Not for cryptography.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace lgode {

// The purpose of a stream; part of its name, so that two uses never share numbers.
enum class RandomUse : std::uint64_t {
  kSimulate = 1,
  kNoise,
  kSplit,
  kShuffle,
  kSeen,
  kStart,
  kInit,
  kLatent,
  kDropout,
  kPredict,
  kTest,
  kMotion,
  kHide,
  kFill,
  kTurn,
  kResize,
};

// The multipliers and key increments of Philox4x32.
inline constexpr std::array<std::uint32_t, 2> kPhiloxMultiplier = {0xD2511F53U, 0xCD9E8D57U};
inline constexpr std::array<std::uint32_t, 2> kPhiloxWeyl = {0x9E3779B9U, 0xBB67AE85U};

// Philox4x32-10: four random words from a counter and a key.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = static_cast<std::uint64_t>(kPhiloxMultiplier[0]) * counter[0];
    const std::uint64_t p1 = static_cast<std::uint64_t>(kPhiloxMultiplier[1]) * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key = {key[0] + kPhiloxWeyl[0], key[1] + kPhiloxWeyl[1]};
  }
  return counter;
}

class Random {
 public:
  // A stream named by seed, use and any further integers (system, epoch, step, ...).
  Random(std::uint64_t seed, RandomUse use, std::initializer_list<std::uint64_t> name = {});
  // A stream named by a text.
  Random(std::uint64_t seed, RandomUse use, std::string_view name);

  std::uint32_t next_u32() {
    if (used_ == 4) refill();
    return block_[static_cast<std::size_t>(used_++)];
  }
  std::uint64_t next_u64() {
    const std::uint64_t low = next_u32();
    return low | (static_cast<std::uint64_t>(next_u32()) << 32);
  }
  double uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }  // [0, 1), 53 bits
  double uniform(double low, double high);                                      // [low, high); low if they are equal
  std::uint64_t below(std::uint64_t bound);                   // {0 .. bound-1} without bias; bound >= 1
  std::int64_t between(std::int64_t low, std::int64_t high);  // {low .. high}
  bool coin() { return (next_u32() >> 31) != 0; }
  double normal();  // N(0, 1), by inversion (Wichura, AS 241)

  // Key and name, with which a kernel can draw the same words.
  std::array<std::uint32_t, 4> id() const { return {key_[0], key_[1], name_[0], name_[1]}; }

  // The same words as repeated calls of next_u32, about twice as fast.
  void fill(std::span<std::uint32_t> words);

  // k of {0 .. n-1} without replacement, ascending, in O(n) time. 0 <= k <= n.
  std::vector<std::int64_t> choose(std::int64_t n, std::int64_t k);
  // A random order of {0 .. n-1} (Fisher-Yates).
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  void open(std::uint64_t seed, RandomUse use, std::span<const std::uint64_t> name);
  void refill() {
    block_ = philox4x32(
        {static_cast<std::uint32_t>(index_), static_cast<std::uint32_t>(index_ >> 32), name_[0], name_[1]}, key_);
    ++index_;
    used_ = 0;
  }

  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 2> name_{};  // upper half of the counter
  std::uint64_t index_ = 0;              // lower half: the next block
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

// The inverse of the standard normal distribution function, p in (0, 1); relative error about 1e-16.
double inverse_normal_cdf(double p);

// The natural logarithm in plain double arithmetic, x > 0 and finite; error below 2 ulp, same bits everywhere.
double portable_log(double x);

}  // namespace lgode
