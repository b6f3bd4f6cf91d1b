// What lgode train prints before its first step, and how far a stopped run came.
#include "text/start_text.h"

#include <gtest/gtest.h>

namespace lgode::app {
namespace {

std::string text(const train::StartReport& report) {
  std::string all;
  for (const std::string& line : start_lines(report)) all += line + "\n";
  return all;
}

TEST(StartTextTest, SaysSizeAndCost) {
  train::StartReport report;
  report.cost = train::Cost{.objects = 60,
                            .observations = 1800,
                            .relations = 240,
                            .parameters = 23456,
                            .step_seconds = 0.0123,
                            .epoch_seconds = 3.4,
                            .seconds = 102,
                            .memory = 0.42e9,
                            .machine = 8e9};
  EXPECT_EQ(text(report),
            "size: 60 objects, 1,800 observations and 240 relations in a typical batch; 23,456 parameters\n"
            "cost: about 12 ms per step, 3.4 s per epoch, 1 min 42 s in total; at most about 420 MB of memory\n");
  report.cost->memory = 0;  // on a GPU
  report.done = 7;
  EXPECT_NE(text(report).find("resuming after 7 steps\n"), std::string::npos) << text(report);
  EXPECT_NE(text(report).find("1 min 42 s for the rest\n"), std::string::npos) << text(report);
}

TEST(StartTextTest, SaysWhatHappensToMissingValues) {
  train::StartReport report;
  report.hidden_values = 0.1;
  EXPECT_NE(text(report).find("hidden values: 10 % of the context"), std::string::npos) << text(report);
  report = {};
  report.will_lack_values = true;
  EXPECT_NE(text(report).find("outside its training part only"), std::string::npos) << text(report);
  EXPECT_NE(text(report).find("--hide-values 0.2"), std::string::npos) << text(report);
}

TEST(StartTextTest, WarnsOfMoreMemoryThanThereIs) {
  train::StartReport report;
  report.cost = train::Cost{.step_seconds = 1, .memory = 9e9, .machine = 8e9};
  for (const char* word : {"9.0 GB", "8.0 GB", "--batch", "--edges k-nearest=K", "--interaction neighbours"})
    EXPECT_NE(text(report).find(word), std::string::npos) << word << " in\n" << text(report);
  report.cost->memory = 7e9;
  EXPECT_EQ(text(report).find("warning"), std::string::npos) << text(report);
}

TEST(StartTextTest, SaysWhyAndHowManySystemsAreLeftOut) {
  train::StartReport report;
  EXPECT_EQ(text(report), "");
  report.none_held_out = true;
  EXPECT_NE(text(report).find("no system is held out"), std::string::npos) << text(report);
  report.left_out = {.without_targets = 1, .unseen = 2, .between = 30};
  report.train_systems = 5, report.validation_systems = 2;
  for (const char* words :
       {"1 system is skipped: no observation to predict", "2 systems are skipped: no observation to show",
        "30 systems are skipped: windows of the same recording", "note: 1 system", "warning: 30 systems",
        "7 of 40 are left", "--validation 0 keeps them"})
    EXPECT_NE(text(report).find(words), std::string::npos) << words << " in\n" << text(report);
}

TEST(StartTextTest, StepsAreThoseSinceTheLastWholeEpoch) {
  EXPECT_EQ(format_stop({.epochs = 45, .steps = 182, .steps_in_epoch = 2}),
            "45 whole epochs and 2 steps (182 steps in total)");
  EXPECT_EQ(format_stop({.epochs = 1, .steps = 5, .steps_in_epoch = 1}), "1 whole epoch and 1 step (5 steps in total)");
  EXPECT_EQ(format_stop({.epochs = 308, .steps = 616, .steps_in_epoch = 0}), "308 whole epochs (616 steps in total)");
  EXPECT_EQ(format_stop({.epochs = 0, .steps = 7, .steps_in_epoch = 7}), "7 steps");
}

}  // namespace
}  // namespace lgode::app
