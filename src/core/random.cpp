// The random streams: naming, bulk generation, and the distributions that need more than a shift. Normal numbers come
// from plain arithmetic and IEEE square roots, so that their bits are the same on every machine.
#include "lgode/core/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "lgode/core/clones.h"

namespace lgode {
namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of x affects every bit of the result.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// Absorbs words one by one; two of them with different starts name a stream by 128 bits.
class NameHash {
 public:
  explicit NameHash(std::uint64_t start) : state_(start) {}
  void absorb(std::uint64_t word) { state_ = mix((state_ ^ mix(word + kGolden)) * 3 + kGolden); }
  std::array<std::uint32_t, 2> words() const {
    return {static_cast<std::uint32_t>(state_), static_cast<std::uint32_t>(state_ >> 32)};
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
  std::uint64_t state_;
};

constexpr int kBulk = 16;  // blocks computed side by side
constexpr std::size_t kBulkWords = 4 * kBulk;

// Blocks index .. index+15 in order. Integer arithmetic only, so every clone gives the same words.
LGODE_CLONES("avx2", "default")
void philox_bulk(std::uint64_t index, const std::uint32_t* name, const std::uint32_t* key, std::uint32_t* words) {
  std::uint32_t c0[kBulk], c1[kBulk], c2[kBulk], c3[kBulk];
  for (int i = 0; i < kBulk; ++i) {
    const std::uint64_t block = index + static_cast<std::uint64_t>(i);
    c0[i] = static_cast<std::uint32_t>(block);
    c1[i] = static_cast<std::uint32_t>(block >> 32);
    c2[i] = name[0];
    c3[i] = name[1];
  }
  std::uint32_t k0 = key[0];
  std::uint32_t k1 = key[1];
  for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 1  // unrolled first, the loop would not be vectorised
    for (int i = 0; i < kBulk; ++i) {
      const std::uint64_t p0 = static_cast<std::uint64_t>(kPhiloxMultiplier[0]) * c0[i];
      const std::uint64_t p1 = static_cast<std::uint64_t>(kPhiloxMultiplier[1]) * c2[i];
      c0[i] = static_cast<std::uint32_t>(p1 >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<std::uint32_t>(p1);
      c2[i] = static_cast<std::uint32_t>(p0 >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<std::uint32_t>(p0);
    }
    k0 += kPhiloxWeyl[0];
    k1 += kPhiloxWeyl[1];
  }
  for (int i = 0; i < kBulk; ++i) {
    words[4 * i] = c0[i];
    words[4 * i + 1] = c1[i];
    words[4 * i + 2] = c2[i];
    words[4 * i + 3] = c3[i];
  }
}

// Coefficients from the highest power down.
template <std::size_t N>
double horner(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[0];
  for (std::size_t i = 1; i < N; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// AS 241, routine PPND16: numerators and denominators of the three rational approximations.
constexpr std::array<double, 8> kCentreTop = {
    2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
    1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0};
constexpr std::array<double, 8> kCentreBottom = {
    5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
    5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0};
constexpr std::array<double, 8> kMiddleTop = {
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0,
    3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0};
constexpr std::array<double, 8> kMiddleBottom = {
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
    6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1.0};
constexpr std::array<double, 8> kTailTop = {
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
    2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0};
constexpr std::array<double, 8> kTailBottom = {
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
    1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};

}  // namespace

Random::Random(std::uint64_t seed, RandomUse use, std::initializer_list<std::uint64_t> name) {
  open(seed, use, {name.begin(), name.size()});
}

// The text's length, then its bytes, eight to a word.
Random::Random(std::uint64_t seed, RandomUse use, std::string_view name) {
  std::vector<std::uint64_t> words{name.size()};
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i % 8 == 0) words.push_back(0);
    words.back() |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i])) << (8 * (i % 8));
  }
  open(seed, use, words);
}

void Random::open(std::uint64_t seed, RandomUse use, std::span<const std::uint64_t> name) {
  // Starts: the first digits of pi and of e, in hexadecimal.
  NameHash key(0x243F6A8885A308D3U);
  NameHash counter(0xADF85458A2BB4A9AU);
  for (NameHash* hash : {&key, &counter}) {
    hash->absorb(seed);
    hash->absorb(static_cast<std::uint64_t>(use));
    hash->absorb(name.size());
    for (const std::uint64_t word : name) hash->absorb(word);
  }
  key_ = key.words();
  name_ = counter.words();
}

double Random::uniform(double low, double high) {
  if (!(low < high)) return low;
  for (;;) {
    const double x = low + (high - low) * uniform();
    if (x < high) return x;  // the sum may round up to `high`
  }
}

// Lemire, ACM TOMACS 29 (2019): the high half of a product, redrawn where the low half shows a bias.
std::uint64_t Random::below(std::uint64_t bound) {
  if (bound <= 0xFFFFFFFFU) {
    const auto narrow = static_cast<std::uint32_t>(bound);
    std::uint64_t product = static_cast<std::uint64_t>(next_u32()) * narrow;
    if (static_cast<std::uint32_t>(product) < narrow) {
      const std::uint32_t threshold = (0U - narrow) % narrow;
      while (static_cast<std::uint32_t>(product) < threshold) product = static_cast<std::uint64_t>(next_u32()) * narrow;
    }
    return product >> 32;
  }
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const Wide product = static_cast<Wide>(next_u64()) * bound;
    if (static_cast<std::uint64_t>(product) >= threshold) return static_cast<std::uint64_t>(product >> 64);
  }
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = count == 0 ? next_u64() : below(count);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::normal() {
  // The middles of 2^52 equal parts of (0, 1): exact in double, never 0 or 1.
  return inverse_normal_cdf((static_cast<double>(next_u64() >> 12) + 0.5) * 0x1p-52);
}

void Random::fill(std::span<std::uint32_t> words) {
  std::size_t done = 0;
  while (done < words.size() && used_ < 4) words[done++] = next_u32();
  for (; words.size() - done >= kBulkWords; done += kBulkWords, index_ += kBulk) {
    philox_bulk(index_, name_.data(), key_.data(), words.data() + done);
  }
  while (done < words.size()) words[done++] = next_u32();
}

// Selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S).
std::vector<std::int64_t> Random::choose(std::int64_t n, std::int64_t k) {
  std::vector<std::int64_t> chosen;
  chosen.reserve(static_cast<std::size_t>(std::max<std::int64_t>(k, 0)));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t wanted = k - static_cast<std::int64_t>(chosen.size());
    if (wanted <= 0) break;
    if (static_cast<std::int64_t>(below(static_cast<std::uint64_t>(n - i))) < wanted) chosen.push_back(i);
  }
  return chosen;
}

std::vector<std::int64_t> Random::permutation(std::int64_t n) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

double inverse_normal_cdf(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(kCentreTop, r) / horner(kCentreBottom, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1.0 - p));
  const double x = r <= 5.0 ? horner(kMiddleTop, r - 1.6) / horner(kMiddleBottom, r - 1.6)
                            : horner(kTailTop, r - 5.0) / horner(kTailBottom, r - 5.0);
  return q < 0 ? -x : x;
}

// With x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), and s = f / (2 + f): log(1 + f) = f - s (f - R(s^2)), where R is
// the minimax polynomial of Sun's fdlibm (e_log.c); k log 2 is added in two parts.
double portable_log(double x) {
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr std::array<double, 7> kMinimax = {
      1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
      2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01};
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDU;  // the bits of sqrt(1/2), rounded up

  std::int64_t exponent = 0;
  if (x < 0x1p-1022) {  // subnormal
    x *= 0x1p54;
    exponent = -54;
  }
  // Subtracting the bits of sqrt(1/2) leaves the number of powers of two between it and x in the exponent field.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t shift = static_cast<std::int64_t>(bits - kSqrtHalf) >> 52;
  exponent += shift;
  const double f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(shift) << 52)) - 1.0;

  const double s = f / (2.0 + f);
  const double z = s * s;
  const double half_square = 0.5 * f * f;
  const double r = z * horner(kMinimax, z);
  const auto k = static_cast<double>(exponent);
  return k * kLn2High - ((half_square - (s * (half_square + r) + k * kLn2Low)) - f);
}

}  // namespace lgode
