// Sums, means, softmax and repetition over segments, against worked cases and finite differences.
#include "lgode/ops/segment.h"

#include <gtest/gtest.h>

#include "support/numeric.h"

namespace lgode::ops {
namespace {

using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::mix;

at::Tensor offsets(const std::vector<std::int64_t>& values) { return at::tensor(values, at::kLong); }

at::Tensor numbers(std::int64_t rows, std::int64_t columns, double phase = 0.3) {
  return at::sin(at::arange(rows * columns, at::kDouble) * 1.3 + phase).view({rows, columns}).requires_grad_(true);
}

TEST(SegmentTest, SumOfHandWorkedRuns) {
  const at::Tensor x = at::tensor(std::vector<double>{1, 2, 3, 4, 5, 6}, at::kDouble).view({3, 2});
  const at::Tensor expected = at::tensor(std::vector<double>{4, 6, 0, 0, 5, 6}, at::kDouble).view({3, 2});
  expect_close(segment_sum(x, offsets({0, 2, 2, 3})), expected);
}

TEST(SegmentTest, MeanOfEmptyRunIsZero) {
  const at::Tensor x = at::tensor(std::vector<double>{1, 3, 8}, at::kDouble).view({3, 1});
  expect_close(segment_mean(x, offsets({0, 2, 2, 3})),
               at::tensor(std::vector<double>{2, 0, 8}, at::kDouble).view({3, 1}));
}

TEST(SegmentTest, ExpandRepeatsRows) {
  const at::Tensor x = at::tensor(std::vector<double>{7, 8, 9}, at::kDouble).view({3, 1});
  expect_close(segment_expand(x, offsets({0, 2, 2, 3})),
               at::tensor(std::vector<double>{7, 7, 9}, at::kDouble).view({3, 1}));
}

TEST(SegmentTest, SoftmaxSumsToOneAndSurvivesLargeScores) {
  const at::Tensor x = at::tensor(std::vector<double>{1000, 1001, -5, 3}, at::kDouble).view({4, 1});
  const at::Tensor y = segment_softmax(x, offsets({0, 2, 4}));
  expect_close(segment_sum(y, offsets({0, 2, 4})), at::ones({2, 1}, at::kDouble));
  EXPECT_NEAR(y[1][0].item<double>(), 1.0 / (1.0 + std::exp(-1.0)), 1e-12);
}

TEST(SegmentTest, NothingAtAll) {
  EXPECT_EQ(segment_sum(at::zeros({0, 3}), offsets({0})).sizes(), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(segment_sum(at::zeros({0, 3}), offsets({0, 0, 0})).sizes(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(gather_rows(at::zeros({2, 3}), at::zeros({0}, at::kLong)).size(0), 0);
}

TEST(SegmentTest, StridedInputsGiveTheSame) {
  const at::Tensor x = numbers(5, 6).detach();
  expect_close(segment_sum(x.t().slice(1, 0, 4), offsets({0, 3, 6})),
               segment_sum(x.t().slice(1, 0, 4).contiguous(), offsets({0, 3, 6})));
}

TEST(SegmentTest, GradientsMatchFiniteDifferences) {
  const at::Tensor x = numbers(7, 3), n = numbers(4, 3, 1.1);
  const at::Tensor runs = offsets({0, 3, 3, 4, 7}),
                   index = at::tensor(std::vector<std::int64_t>{3, 0, 3, 1}, at::kLong);
  expect_gradients([&] { return mix(segment_sum(x, runs), 0.1); }, {x});
  expect_gradients([&] { return mix(segment_mean(x, runs), 0.2); }, {x});
  expect_gradients([&] { return mix(segment_expand(n, runs), 0.3); }, {n});
  expect_gradients([&] { return mix(segment_softmax(x, runs), 0.4); }, {x});
  expect_gradients([&] { return mix(gather_rows(n, index), 0.5); }, {n});
}

TEST(SegmentTest, WrongShapesAreRefused) {
  EXPECT_THROW(segment_sum(at::zeros({3}), offsets({0, 3})), c10::ValueError);
  EXPECT_THROW(segment_expand(at::zeros({3, 1}), offsets({0, 3})), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ops
