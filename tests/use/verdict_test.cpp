// What evaluations come to, in a sentence.
#include "lgode/use/verdict.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace lgode::use {
namespace {

eval::Scores scores(double mse, double distance) {
  eval::Scores out;
  out.mse = mse, out.distance = distance;
  return out;
}

class VerdictTest : public ::testing::Test {
 protected:
  VerdictTest() {
    info.features = {{.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}};
    info.config = {{"epochs", 100}};
    info.epoch = 50;
    evaluation.model = scores(0.5, 1.5);
    evaluation.classical = {{"hold", scores(2, 4)}, {"kalman", scores(1, 3)}};
  }
  Verdict of(eval::Comparison comparison) {
    evaluation.comparisons = {{"hold", {}}, {"kalman", comparison}};
    return verdict(evaluation, info, subject);
  }

  eval::RunInfo info;
  eval::Evaluation evaluation;
  Subject subject{.run = "runs/my run", .data = "mine.safetensors"};
  const eval::Comparison worse{.systems = 40, .better = 4, .difference = 2, .standard_error = 0.1};
};

TEST_F(VerdictTest, AheadOfTheBestMethodByHowMuchAndHowCertain) {
  const Verdict found = of({.systems = 40, .better = 37, .difference = -0.5, .standard_error = 0.1});
  EXPECT_EQ(found.kind, Verdict::Kind::kAhead);
  EXPECT_EQ(found.against, "kalman");
  EXPECT_DOUBLE_EQ(found.ratio, 0.5);
  EXPECT_EQ(found.text,
            "Ahead of Kalman smoother, the best classical method: mean squared error 50 % lower (mean distance 1.5 "
            "against 3 m), lower in 37 of 40 systems; beyond chance at 95 %.");
  EXPECT_TRUE(found.advice.empty());
}

TEST_F(VerdictTest, FewSystemsNeedAClearerDifference) {
  const eval::Comparison many = {.systems = 40, .better = 30, .difference = -0.5, .standard_error = 0.2};
  eval::Comparison few = many;
  few.systems = 3, few.better = 3;
  EXPECT_EQ(of(many).kind, Verdict::Kind::kAhead);
  EXPECT_EQ(of(few).kind, Verdict::Kind::kUndecided);
  EXPECT_NE(of(few).text.find("that may be chance"), std::string::npos) << of(few).text;
  EXPECT_NE(of(few).advice.find("lgode split mine.safetensors --test 0.4 --out"), std::string::npos) << of(few).advice;
  subject.data = "new.csv", subject.table = true;
  EXPECT_EQ(of(few).advice.find("lgode split"), std::string::npos) << of(few).advice;
  EXPECT_NE(of(few).advice.find("More systems"), std::string::npos) << of(few).advice;
  EXPECT_NE(of({.systems = 1, .better = 1, .difference = -9}).text.find("one system cannot tell"), std::string::npos);
}

TEST_F(VerdictTest, LevelIsSaidOfErrorsThatHardlyDiffer) {
  const eval::Comparison unsure = {.systems = 10, .better = 4, .difference = 0.1, .standard_error = 1};
  for (const auto& [error, text] : {std::pair{3.0, "Perhaps behind Kalman smoother"},
                                    {1.04, "Level with Kalman smoother"},
                                    {0.97, "Level with Kalman smoother"},
                                    {0.6, "Perhaps ahead of Kalman smoother"}}) {
    evaluation.model = scores(error, 3);
    EXPECT_EQ(of(unsure).kind, Verdict::Kind::kUndecided);
    EXPECT_TRUE(of(unsure).text.starts_with(text)) << of(unsure).text;
  }
}

TEST_F(VerdictTest, BehindSaysWhatToTry) {
  evaluation.model = scores(3, 0.0 / 0.0);
  const eval::Comparison clear = {.systems = 40, .better = 4, .difference = 2, .standard_error = 0.1};
  const Verdict found = of(clear);
  EXPECT_EQ(found.kind, Verdict::Kind::kBehind);
  EXPECT_EQ(found.text,
            "Behind Kalman smoother, the best classical method: mean squared error 3 times as large (300.0 against "
            "100.0 x 10^-2), higher in 36 of 40 systems; beyond chance at 95 %.");
  EXPECT_EQ(found.advice.find("--resume"), std::string::npos);
  info.epoch = 95;
  EXPECT_NE(of(clear).advice.find("lgode train --resume --epochs 300 --out 'runs/my run'"), std::string::npos)
      << of(clear).advice;
}

TEST_F(VerdictTest, AdviceIsACommandThatRuns) {
  evaluation.model = scores(3, 5);
  info.task.task = data::Task::kExtrapolate;
  EXPECT_TRUE(of(worse).advice.starts_with(
      "lgode predict 'runs/my run' --data mine.safetensors --with auto --out forecast.csv takes"))
      << of(worse).advice;
  subject.data = "new.csv", subject.table = true;
  EXPECT_NE(of(worse).advice.find(" --table new.csv --with auto"), std::string::npos) << of(worse).advice;
  subject.data.clear(), subject.table = false;
  EXPECT_NE(of(worse).advice.find(" --data DATA --with auto"), std::string::npos) << of(worse).advice;
}

TEST_F(VerdictTest, ARunThatInterpolatesFills) {
  evaluation.model = scores(3, 5);
  info.task.task = data::Task::kInterpolate;
  EXPECT_TRUE(of(worse).advice.starts_with(
      "lgode predict 'runs/my run' --data mine.safetensors --fill --fill-with kalman --out filled.csv fills"))
      << of(worse).advice;
  // Of the methods that fill the best one.
  evaluation.classical = {{"hold", scores(0.1, 1)}, {"linear", scores(0.3, 1)}, {"hermite", scores(0.2, 1)}};
  evaluation.comparisons = {{"hold", worse}};
  const std::string advice = verdict(evaluation, info, subject).advice;
  EXPECT_NE(advice.find("--fill-with hermite"), std::string::npos) << advice;
}

TEST_F(VerdictTest, ARunThatTheClockEndedGoesOn) {
  evaluation.model = scores(3, 5);
  subject.limits.minutes = 20;
  EXPECT_NE(of(worse).advice.find("lgode train --resume --minutes 60 --out 'runs/my run'"), std::string::npos)
      << of(worse).advice;
  subject.run = "runs/a/best.safetensors";
  EXPECT_NE(of(worse).advice.find("--out runs/a"), std::string::npos) << of(worse).advice;
  EXPECT_EQ(of(worse).advice.find("best.safetensors"), std::string::npos) << of(worse).advice;
  EXPECT_FALSE(limits_of("runs/a/best.safetensors").minutes);
  EXPECT_FALSE(limits_of("runs/a/best.safetensors").epochs);
}

// The best checkpoint of a training that was continued in vain has the limit of its own time.
TEST_F(VerdictTest, EpochsAreThoseOfTheWholeTraining) {
  const lgode::testing::TempFolder folder;
  std::ofstream(folder / "config.json") << R"({"epochs": 300})";
  EXPECT_EQ(limits_of(folder / "best.safetensors").epochs, 300);
  std::ofstream(folder / "config.json") << R"({"seed": 2})";
  EXPECT_EQ(limits_of(folder / "best.safetensors").epochs, 0);
  evaluation.model = scores(3, 5);
  info.epoch = 98;
  EXPECT_NE(of(worse).advice.find("--resume --epochs 300"), std::string::npos) << of(worse).advice;
  for (const std::int64_t epochs : {300, 0}) {
    subject.limits.epochs = epochs;
    EXPECT_EQ(of(worse).advice.find("--resume"), std::string::npos) << of(worse).advice;
  }
}

TEST_F(VerdictTest, AdviceOfThePackageIsCalls) {
  evaluation.model = scores(3, 5);
  subject.run.clear(), subject.data.clear(), subject.python = true;
  info.task.task = data::Task::kExtrapolate;
  EXPECT_TRUE(of(worse).advice.starts_with("model.predict(data, method=\"auto\")")) << of(worse).advice;
  EXPECT_EQ(of(worse).advice.find("lgode import"), std::string::npos) << of(worse).advice;
  subject.limits.minutes = 20;
  EXPECT_NE(of(worse).advice.find("model.fit(data, resume=True, minutes=60)"), std::string::npos) << of(worse).advice;
  EXPECT_EQ(of({.systems = 3, .better = 3, .difference = -0.1, .standard_error = 1}).advice.find("lgode split"),
            std::string::npos);
}

TEST_F(VerdictTest, NothingToCompareIsNoVerdict) {
  evaluation.classical.clear();
  EXPECT_EQ(of({}).kind, Verdict::Kind::kNone);
  EXPECT_EQ(of({}).text, "");
  EXPECT_EQ(verdict_json(evaluation, info, subject).at("kind"), "none");
}

TEST_F(VerdictTest, TheDominatingObjectIsNamed) {
  EXPECT_EQ(worst_object_text(evaluation), "");
  evaluation.worst_object =
      eval::WorstObject{.object = "ball", .mse = 0.00141, .share = 0.83, .next = "6", .next_mse = 8e-5};
  EXPECT_EQ(
      worst_object_text(evaluation),
      "Object ball dominates the error: 0.1410 x 10^-2, 83 % of the sum over objects; the next one, 6, has 0.008.");
}

TEST_F(VerdictTest, IntervalsAreNotPraisedWhereTheyAreTooNarrow) {
  EXPECT_EQ(interval_verdict(evaluation, true, true), "");
  eval::Evaluation::Intervals& intervals = evaluation.intervals.emplace();
  intervals.model.all.score = 1, intervals.model.reached.values = 100, intervals.model.standard_error = 0.01;
  intervals.model.reached.coverage[2] = 0.704;
  intervals.classical.emplace_back("kalman", eval::IntervalScores()).second.all.score = 2;
  EXPECT_EQ(interval_verdict(evaluation, true, false),
            "70.4 % +- 1.0 % of the values are in 90 % as far as the calibration reaches: the intervals are too narrow "
            "here, but their score is 0.5 times that of Kalman smoother.");
  intervals.model.reached.coverage[2] = 0.967;
  EXPECT_NE(interval_verdict(evaluation, true, false).find("wider than they promise here, but their score"),
            std::string::npos);
  intervals.model.reached.coverage[2] = 0.9;
  EXPECT_NE(interval_verdict(evaluation, true, true).find("hold what they promise, and their score"),
            std::string::npos);
}

}  // namespace
}  // namespace lgode::use
