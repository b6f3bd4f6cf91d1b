// What the user is told about a prediction.
#include "lgode/use/predict.h"

#include <gtest/gtest.h>

#include "support/batches.h"
#include "support/runs.h"

namespace lgode::use {
namespace {

TEST(UsePredict, CountsAndWarns) {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3}}, 3);
  const eval::Run run = lgode::testing::run_on(set, task);
  eval::PredictOptions options;
  options.systems = {1};
  options.samples = 0;
  const double start = eval::batch_maker(run.info, set).default_start(1);
  const double far = start + 3 * eval::trained_reach(run.info);
  options.times = {start, far};
  std::int64_t calls = 0;
  const Predicted predicted = use::predict(run, set, options, [&](const eval::SystemPrediction&) { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(predicted.systems, 1);
  EXPECT_DOUBLE_EQ(predicted.farthest, far - start);
  EXPECT_EQ(predicted.values, (3 - predicted.unseen) * 2 * set.features());
  const Messages found = messages(predicted, run, {});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, Message::Kind::kWarning);
  EXPECT_NE(found[0].text.find("but training looked"), std::string::npos) << found[0].text;
}

TEST(UsePredict, EveryMessage) {
  eval::Run run;
  Predicted predicted;
  EXPECT_TRUE(messages(predicted, run, {}).empty());
  predicted.skipped = {.nothing_seen = 1, .before_start = 2, .too_far = 3};
  predicted.unseen = 2;
  const Messages found = messages(predicted, run, {});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].text, "1 system was skipped: the model sees no observation of them with this `start`");
  EXPECT_EQ(found[1].text, "2 systems were skipped: times to predict are before the start of the prediction");
  EXPECT_EQ(found[2].text,
            "3 systems were skipped: times to predict are more than 100 ranges of the model after the start");
  EXPECT_EQ(found[3].text,
            "2 objects were not seen in the range and have no prediction; a model trained with `unseen` predict "
            "predicts such objects from the others");
}

}  // namespace
}  // namespace lgode::use
