// Random numbers that depend on a seed and a name only: every consumer opens its own stream, so that results do not
// depend on threads, order or interruption. The generator is Philox4x32-10 (Salmon et al., SC 2011). No libm: the same
// bits on every x86-64 machine. Not for cryptography.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace lgode {

// What a stream is for; part of its name, so that two uses never share numbers.
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
};

class Random {
 public:
  // A stream named by seed, use and any further integers (system, epoch, step, ...).
  Random(std::uint64_t seed, RandomUse use, std::initializer_list<std::uint64_t> name = {});

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  double uniform();                          // [0, 1), 53 bits
  double uniform(double low, double high);   // [low, high)
  std::uint64_t below(std::uint64_t bound);  // {0 .. bound-1} without bias; bound >= 1
  std::int64_t between(std::int64_t low, std::int64_t high);  // {low .. high}
  bool coin();
  double normal();                           // N(0, 1), by inversion (Wichura, AS 241)

  // k of {0 .. n-1} without replacement, ascending.
  std::vector<std::int64_t> choose(std::int64_t n, std::int64_t k);
  // A random order of {0 .. n-1} (Fisher-Yates).
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  void refill();

  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> counter_{};
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

// The inverse of the standard normal distribution function, p in (0, 1); relative error about 1e-16.
double inverse_normal_cdf(double p);

// The natural logarithm in plain double arithmetic, x > 0 and finite; error below 2 ulp, same bits everywhere.
double portable_log(double x);

}  // namespace lgode
