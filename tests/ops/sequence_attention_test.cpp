// Sequence attention: the reference against Eq. 6 in plain loops, the fused form against the reference.
#include "lgode/ops/sequence_attention.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lgode/ops/temporal_attention.h"
#include "lgode/ops/time_encoding.h"
#include "support/numeric.h"
#include "support/simd.h"
#include "support/temporal.h"

namespace lgode::ops {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::for_each_simd;
using lgode::testing::mix;
using lgode::testing::random_tensor;
using lgode::testing::rounding;

constexpr double kFrequency = 200.0;

struct Problem {
  at::Tensor h, times, offsets;
  SequenceWeights weights;

  std::vector<at::Tensor> leaves() const { return {h, weights.w_t, weights.b_t, weights.w_a}; }
  at::Tensor run(Impl impl) const { return sequence_attention(h, weights, times, offsets, kFrequency, impl); }
};

// Objects with `lengths` observations; times in [-1, 1], or all the same.
Problem make_problem(const std::vector<std::int64_t>& lengths, std::int64_t d, std::int64_t u, at::ScalarType dtype,
                     bool equal_times = false) {
  Random random(11, RandomUse::kTest);
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t n : lengths) offsets.push_back(offsets.back() + n);
  auto leaf = [&](std::vector<std::int64_t> shape, double size) {
    return random_tensor(std::move(shape), random, size).to(dtype).requires_grad_(true);
  };
  Problem p;
  p.h = leaf({offsets.back(), d}, 1.0);
  const double size = 1.0 / std::sqrt(static_cast<double>(d));
  p.weights = {leaf({u, d + 1}, size), leaf({u}, size), leaf({u, u}, 1.0 / std::sqrt(static_cast<double>(u)))};
  p.times = at::empty({offsets.back()}, at::kDouble);
  for (std::int64_t r = 0; r < offsets.back(); ++r)
    p.times.data_ptr<double>()[r] = equal_times ? 0.25 : random.uniform(-1.0, 1.0);
  p.offsets = at::tensor(offsets, at::kLong);
  return p;
}

// The header's equations (Eq. 6), row by row.
at::Tensor slow_sequence(const Problem& p) {
  const SequenceWeights& w = p.weights;
  const std::int64_t u = w.b_t.size(0);
  std::vector<at::Tensor> out;
  for (std::int64_t i = 0; i + 1 < p.offsets.numel(); ++i) {
    const std::int64_t begin = p.offsets[i].item<std::int64_t>(), end = p.offsets[i + 1].item<std::int64_t>();
    std::vector<at::Tensor> hat;
    at::Tensor mean = at::zeros({u}, at::kDouble), sum = at::zeros({u}, at::kDouble);
    for (std::int64_t r = begin; r < end; ++r) {
      const at::Tensor gap = p.times.slice(0, r, r + 1);
      hat.push_back(at::relu(at::mv(w.w_t, at::cat({p.h[r], gap})) + w.b_t) +
                    time_encoding(gap, u, kFrequency, gap.options())[0]);
      mean = mean + hat.back() / static_cast<double>(end - begin);
    }
    const at::Tensor a = at::tanh(at::mv(w.w_a, mean));
    for (const at::Tensor& x : hat) sum = sum + at::sigmoid(at::dot(a, x)) * x / static_cast<double>(end - begin);
    out.push_back(sum);
  }
  return at::stack(out);
}

TEST(SequenceAttentionTest, ReferenceMatchesTheEquations) {
  const Problem p = make_problem({3, 0, 1, 5}, 6, 7, at::kDouble);
  expect_close(p.run(Impl::kReference), slow_sequence(p));
}

TEST(SequenceAttentionTest, ReferenceGradientsMatchFiniteDifferences) {
  const Problem p = make_problem({3, 0, 1, 4}, 4, 5, at::kDouble);
  expect_gradients([&] { return mix(p.run(Impl::kReference), 0.4); }, p.leaves());
}

struct SequenceCase {
  const char* name;
  std::vector<std::int64_t> lengths;
  std::int64_t d, u;
  bool equal_times;
};
std::ostream& operator<<(std::ostream& out, const SequenceCase& c) { return out << c.name; }
class FusedSequenceTest : public ::testing::TestWithParam<SequenceCase> {};

// Compares fused in float32 with the reference in float64: forward and every gradient, on 1, 2 and 3 threads, every
// SIMD target.
TEST_P(FusedSequenceTest, MatchesReference) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const SequenceCase& c = GetParam();
  auto run = [&](at::ScalarType dtype, Impl impl) {
    const Problem p = make_problem(c.lengths, c.d, c.u, dtype, c.equal_times);
    const at::Tensor out = p.run(impl);
    std::vector<at::Tensor> all = autograd_gradients(mix(out, 0.7), p.leaves());
    all.push_back(out.detach());
    return all;
  };
  const std::vector<at::Tensor> expected = run(at::kDouble, Impl::kReference);
  const std::int64_t length = std::max({expected[0].size(0), c.d, c.u});
  const int before = at::get_num_threads();
  for (int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    for_each_simd([&] {
      const std::vector<at::Tensor> got = run(at::kFloat, Impl::kFused), again = run(at::kFloat, Impl::kFused);
      for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i) + ", " + std::to_string(threads) + " threads");
        expect_close(got[i].to(at::kDouble), expected[i], rounding(at::kFloat, length));
        EXPECT_TRUE(got[i].equal(again[i]));
      }
    });
  }
  at::set_num_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FusedSequenceTest,
                         ::testing::Values(SequenceCase{"usual", std::vector<std::int64_t>(20, 36), 64, 128, false},
                                           SequenceCase{"odd", {3, 1, 7, 2, 5}, 10, 7, false},
                                           SequenceCase{"narrow", {2, 3}, 1, 1, false},
                                           SequenceCase{"one_observation", {1}, 16, 16, false},
                                           SequenceCase{"one_each", {1, 1, 1, 1}, 33, 80, false},
                                           SequenceCase{"some_empty", {0, 4, 0, 0, 9, 0}, 16, 48, false},
                                           SequenceCase{"all_empty", {0, 0, 0}, 16, 48, false},
                                           SequenceCase{"nothing", {}, 16, 48, false},
                                           SequenceCase{"equal_times", {6, 3, 8}, 16, 32, true},
                                           SequenceCase{"long", {700, 3, 255, 1, 258}, 24, 40, false}),
                         [](const auto& c) { return c.param.name; });

TEST(FusedSequenceTest, ObjectsWithoutObservationsGiveZero) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const Problem p = make_problem({0, 4, 0}, 16, 20, at::kFloat);
  for (Impl impl : {Impl::kFused, Impl::kReference}) {
    const at::Tensor out = p.run(impl);
    EXPECT_TRUE(out[0].eq(0).all().item<bool>() && out[2].eq(0).all().item<bool>());
    EXPECT_FALSE(out[1].eq(0).any().item<bool>());
  }
}

TEST(FusedSequenceTest, StridedInputsGiveTheSame) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  Problem p = make_problem({3, 4, 2}, 16, 16, at::kFloat);
  const std::vector<at::Tensor> expected = autograd_gradients(mix(p.run(Impl::kFused), 0.2), p.leaves());
  auto strided = [](const at::Tensor& t) {  // every second number of a wider one
    return at::stack({t.detach(), t.detach() + 1}, t.dim()).select(t.dim(), 0).requires_grad_(true);
  };
  p.h = strided(p.h);
  p.weights = {strided(p.weights.w_t), strided(p.weights.b_t), strided(p.weights.w_a)};
  p.times = at::stack({p.times, p.times}, 1).select(1, 0);
  ASSERT_FALSE(p.h.is_contiguous());
  const std::vector<at::Tensor> got = autograd_gradients(mix(p.run(Impl::kFused), 0.2), p.leaves());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i].equal(expected[i]));
}

TEST(SequenceAttentionTest, WrongArgumentsAreRefused) {
  const Problem p = make_problem({3, 4}, 6, 7, at::kDouble);
  auto call = [&](const at::Tensor& h, const SequenceWeights& w, const at::Tensor& offsets, Impl impl) {
    return sequence_attention(h, w, p.times, offsets, kFrequency, impl);
  };
  EXPECT_THROW(call(p.h.slice(0, 1), p.weights, p.offsets, Impl::kAuto), c10::ValueError);     // a row too few
  EXPECT_THROW(call(p.h.slice(1, 1), p.weights, p.offsets, Impl::kAuto), c10::ValueError);     // other width
  EXPECT_THROW(call(p.h, p.weights, p.offsets.slice(0, 0, 2), Impl::kAuto), c10::ValueError);  // rows left over
  EXPECT_THROW(call(p.h, p.weights, p.offsets, Impl::kFused), c10::ValueError);                // float64
}

}  // namespace
}  // namespace lgode::ops
