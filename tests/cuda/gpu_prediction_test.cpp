// Predictions on a GPU: in pieces, replayed, and by two models at the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/eval/path_runner.h"
#include "lgode/model/model.h"
#include "support/batches.h"

namespace lgode {
namespace {

using lgode::testing::kGpu;
using lgode::testing::relative_error;

// Requests for ragged systems with missing values and objects without observations, and their paths.
struct Predictions {
  data::BatchMaker maker;
  std::vector<data::BatchMaker::Request> requests;

  explicit Predictions(data::Task task)
      : maker(lgode::testing::random_maker({.objects = {3, 3, 5, 2, 4, 4, 3, 3, 5, 2, 4, 4, 3, 3, 5, 2, 4, 4, 3, 1},
                                            .min_length = 4,
                                            .max_length = 12,
                                            .missing = 0.2,
                                            .blind_share = 0.1},
                                           {.task = task})) {
    for (std::int64_t s = 0; s < maker.dataset().systems(); ++s) {
      data::BatchMaker::Request& request = requests.emplace_back();
      request.system = s;
      for (std::int64_t k = 0; k <= 5 + s % 3; ++k)
        request.times.push_back(maker.default_start(s) + 0.2 * static_cast<double>(k));
    }
  }

  std::shared_ptr<const model::Model> model(model::ModelKind kind, std::uint64_t seed) const {
    model::ModelOptions options;
    options.kind = kind;
    const bool forecast = maker.task().task == data::Task::kExtrapolate;
    return model::make_model(options, {3, 2, true, 0.5, 3, 0.2, forecast, {{0, 2, 1.3, true}}}, seed, at::kFloat, kGpu);
  }

  // Appends the paths [T, D] of each system of a batch to the list, at its place.
  static void sort(const data::Batch& batch, const at::Tensor& path, std::size_t first, std::vector<at::Tensor>& to) {
    for (std::int64_t b = 0; b < batch.systems(); ++b)
      to[first + static_cast<std::size_t>(batch.place[static_cast<std::size_t>(b)])] =
          path.slice(
                  0, batch.target_offsets[static_cast<std::size_t>(batch.object_offsets[static_cast<std::size_t>(b)])],
                  batch.target_offsets[static_cast<std::size_t>(batch.object_offsets[static_cast<std::size_t>(b) + 1])])
              .to(at::kCPU)
              .clone();
  }

  // All in one batch, launched operation by operation.
  std::vector<at::Tensor> at_once(const model::Model& model, const ops::Context& context) const {
    const ops::ContextScope scope(context);
    std::vector<at::Tensor> out(requests.size());
    const model::BatchTensors batch = model.tensors(maker.make_prediction(requests));
    sort(batch.batch, model.mean_path(batch, *model.prepare(batch.batch, model::rollout_options(context, 1))), 0, out);
    return out;
  }

  std::vector<at::Tensor> in_pieces(eval::PathRunner& runner, std::size_t piece) const {
    std::vector<at::Tensor> out(requests.size());
    eval::PathRunner::Work work;
    work.count = static_cast<std::int64_t>((requests.size() + piece - 1) / piece);
    work.make = [&](std::int64_t i) {
      const std::size_t first = static_cast<std::size_t>(i) * piece, last = std::min(first + piece, requests.size());
      return maker.make_prediction({requests.begin() + static_cast<std::ptrdiff_t>(first),
                                    requests.begin() + static_cast<std::ptrdiff_t>(last)});
    };
    work.take = [&](std::int64_t i, const eval::PathResult& result) {
      sort(result.batch(), result.values().select(0, 0), static_cast<std::size_t>(i) * piece, out);
    };
    runner.run(work, {});
    return out;
  }
};

void expect_same_paths(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].defined(), expected[i].defined()) << i;
    if (got[i].defined()) {
      EXPECT_LE(relative_error(got[i], expected[i]), tolerance) << i;
    }
  }
}

// Products may be split differently in batches of another size. With bf16 a different rounding in front of a product is
// one of 2^-9.
TEST(GpuPredictionTest, PiecesAndReplaysGiveThePathsOfOneBatch) {
  LGODE_NEEDS_GPU();
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate})
    for (const model::ModelKind kind : {model::ModelKind::kLgOde, model::ModelKind::kAssimilate})
      for (const ops::Precision precision : {ops::Precision::kFloat32, ops::Precision::kBf16}) {
        const Predictions all(task);
        ops::Context context = ops::make_context("cuda", 4);
        context.precision = precision;
        const auto model = all.model(kind, 7);
        const double tolerance = precision == ops::Precision::kBf16 ? 1e-2 : 5e-6;
        const std::vector<at::Tensor> expected = all.at_once(*model, context);
        eval::PathRunner runner(model, context);
        std::vector<at::Tensor> launched;
        for (int call = 0; call < 5; ++call) {
          SCOPED_TRACE("call " + std::to_string(call));
          const std::vector<at::Tensor> got = all.in_pieces(runner, 6);
          expect_same_paths(got, expected, tolerance);
          if (call == 0) launched = got;
          // The same shapes: the same kernels.
          expect_same_paths(got, launched, precision == ops::Precision::kBf16 ? tolerance : 1e-6);
          expect_same_paths(all.in_pieces(runner, 1), expected, tolerance);
        }
        EXPECT_EQ(runner.captures() > 0, model->takes_padded(precision));
      }
}

TEST(GpuPredictionTest, TwoModelsPredictAtTheSameTime) {
  LGODE_NEEDS_GPU();
  const Predictions all(data::Task::kInterpolate);
  const ops::Context context = ops::make_context("cuda", 2);
  const auto work = [&](std::uint64_t seed, double& worst) {
    const auto model = all.model(model::ModelKind::kLgOde, seed);
    const std::vector<at::Tensor> expected = all.at_once(*model, context);
    eval::PathRunner runner(model, context);
    worst = 0;
    for (int call = 0; call < 20; ++call) {
      const std::vector<at::Tensor> got = all.in_pieces(runner, 6);
      for (std::size_t i = 0; i < got.size(); ++i)
        if (expected[i].defined()) worst = std::max(worst, relative_error(got[i], expected[i]));
    }
  };
  double first = NAN, second = NAN;
  {
    std::jthread one([&] { work(3, first); }), two([&] { work(4, second); });
  }
  EXPECT_LE(first, 5e-6);
  EXPECT_LE(second, 5e-6);
}

}  // namespace
}  // namespace lgode
