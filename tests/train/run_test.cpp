// Training into a run folder: the same bits as in memory, whether it is stopped, resumed, lengthened or begins from
// another run.
#include "lgode/train/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/trainer.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

TEST(TrainerTest, ARunInAFolderIsTheSameTraining) {
  const data::Dataset set = small_set();
  Trainer here(small_config(), set, {});
  here.run();
  const lgode::testing::TempFolder folder;
  train(small_config(), set, folder / "run", Overwrite::kRefuse, {}, {.stop_after = 5});
  resume(folder / "run", set, {}, {});
  const eval::Run run = eval::load_run(folder / "run", {});
  EXPECT_TRUE(run.model->parameters().flat().equal(here.best().model->parameters().flat()));
  EXPECT_EQ(run.info.validation, here.best().info.validation);
  EXPECT_THROW(train(small_config(), set, folder / "run", Overwrite::kRefuse, {}, {}), ExistsError);
}

// A step that does not end: the state of the last whole one is saved meanwhile, and a run resumes from it with the same
// bits.
TEST(TrainerTest, AStopWithinALongStepSavesTheLastWholeOne) {
  const data::Dataset set = small_set();
  Trainer whole(small_config(), set, {});
  whole.run();
  for (const std::int64_t at : {1, 2}) {  // within an epoch, and at its end, before the validation
    const lgode::testing::TempFolder folder;
    StopFlag stop;
    std::atomic<bool> ended{false};
    TrainHooks hooks;
    hooks.stop = &stop;
    hooks.patience = 0.05;
    hooks.on_step = [&](const StepReport& r) {
      if (r.epoch != 2 || r.step != at) return;
      stop.request();
      while (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    hooks.on_overdue = [&](const std::optional<TrainResult>& result) {
      ASSERT_TRUE(result);
      EXPECT_FALSE(result->finished);
      EXPECT_EQ(result->epochs, 1);
      EXPECT_EQ(result->steps_in_epoch, at);
      EXPECT_EQ(result->steps, whole.start().steps_per_epoch + at);
      std::filesystem::create_directory(folder / "left");
      for (const char* name : {"config.json", "checkpoint.safetensors", "best.safetensors", "metrics.jsonl"})
        std::filesystem::copy_file(folder / "run" / name, folder / "left" / name);
      ended = true;
    };
    train(small_config(), set, folder / "run", Overwrite::kRefuse, {}, hooks);
    ASSERT_TRUE(ended);
    EXPECT_TRUE(resume(folder / "left", set, {}, {}).finished);
    Trainer end(small_config(), set, {});
    end.load(folder / "left" / "checkpoint.safetensors");
    EXPECT_TRUE(weights(end).equal(weights(whole)));
  }
}

// A run of two epochs that is lengthened to four is the run that was meant to restart after two.
TEST(TrainerTest, ALongerRunIsTheOneThatItsConfigDescribes) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  train(small_config(2), set, folder / "run", Overwrite::kRefuse, {}, {});
  const RunConfig longer = lengthen(load_config(folder / "run"), progress_of(folder / "run"), {.epochs = 4});
  EXPECT_TRUE(resume(folder / "run", set, {}, {}, longer).finished);
  const RunConfig written = load_config(folder / "run");
  EXPECT_EQ(written.train.epochs, 4);
  EXPECT_EQ(written.train.restarts, "2:0.001");
  Trainer whole(written, set, {});
  EXPECT_EQ(whole.run().epochs, 4);
  Trainer end(written, set, {});
  end.load(folder / "run" / "checkpoint.safetensors");
  EXPECT_TRUE(weights(end).equal(weights(whole)));
  EXPECT_THROW(lengthen(written, progress_of(folder / "run"), {.epochs = 4}), ConfigError);
}

// The weights of another run on other data: its scales and its clock stay, and the first predictions are its own.
TEST(TrainerTest, ARunFromAnotherKeepsWhatTheWeightsMean) {
  const data::Dataset first = small_set();
  const lgode::testing::TempFolder folder;
  train(small_config(2), first, folder / "first", Overwrite::kRefuse, {}, {});
  const eval::Run old = eval::load_run(folder / "first", {});
  data::Description d = first.description();
  d.time_scale = 1.7;
  std::vector<double> values(first.arrays().values.begin(), first.arrays().values.end());
  for (double& x : values) x *= 3;
  data::Dataset::Arrays arrays = first.arrays();
  arrays.values = values;
  const data::Dataset second(d, arrays, nullptr, "second");
  RunConfig config = small_config(0);
  config.train.from = (folder / "first").string();
  train(config, second, folder / "second", Overwrite::kRefuse, {}, {});
  const eval::Run begun = eval::load_run(folder / "second", {});
  EXPECT_TRUE(begun.model->parameters().flat().equal(old.model->parameters().flat()));
  EXPECT_EQ(begun.info.normalisation.scale, old.info.normalisation.scale);
  EXPECT_EQ(begun.info.time_scale, old.info.time_scale);
  EXPECT_EQ(begun.info.step, 0);
  EXPECT_EQ(begun.info.config["from"], config.train.from);
  // Stopped and resumed, without the first run: the same bits.
  config.train.epochs = 2;
  train(config, second, folder / "whole", Overwrite::kRefuse, {}, {});
  train(config, second, folder / "parts", Overwrite::kRefuse, {}, {.stop_after = 3});
  std::filesystem::rename(folder / "first", folder / "gone");
  resume(folder / "parts", second, {}, {});
  const eval::Run whole = eval::load_run(folder / "whole", {}), parts = eval::load_run(folder / "parts", {});
  EXPECT_TRUE(whole.model->parameters().flat().equal(parts.model->parameters().flat()));
  EXPECT_FALSE(whole.model->parameters().flat().equal(old.model->parameters().flat()));
  EXPECT_EQ(parts.info.normalisation.scale, old.info.normalisation.scale);
}

TEST(TrainerTest, ARunFromAnotherNamesWhatDiffers) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  train(small_config(1), set, folder / "first", Overwrite::kRefuse, {}, {});
  const auto expect = [&](const RunConfig& config, const data::Dataset& data, const std::vector<std::string>& words) {
    try {
      train(config, data, folder / "second", Overwrite::kRefuse, {}, {});
      ADD_FAILURE() << "not refused: " << words.front();
    } catch (const ConfigError& error) {
      for (const std::string& word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "second"));
  };
  RunConfig config = small_config(1);
  config.train.from = (folder / "first").string();
  RunConfig wider = config, centred = config;
  wider.model.latent = 6;
  expect(wider, set, {"`latent` is 4 there, 6 here"});
  centred.task.centre = data::Centre::kSystem;
  expect(centred, set, {"`centre`", "not centred"});
  data::Description d = set.description();
  d.features[1].name = "height";
  expect(config, data::Dataset(d, set.arrays(), nullptr, "other"), {"x, y, vx", "x, height, vx"});
  d = set.description();
  d.relation_types[0] = "pulls";
  expect(config, data::Dataset(d, set.arrays(), nullptr, "other"), {"relation types", "pulls"});
}

// Stopped before the first step, while it is validated, and later.
TEST(TrainerTest, SelectionOfTheInitialWeightsSurvivesAStop) {
  const data::Dataset set = small_set();
  RunConfig config = assimilating_config();
  config.train.lr = 0.5, config.train.clip = 0;
  const lgode::testing::TempFolder folder;
  train(config, set, folder / "whole", Overwrite::kRefuse, {}, {});
  const auto lines = [&](const std::string& run) {
    const std::string text = read_text(folder / run / "metrics.jsonl");
    EXPECT_NE(text.find("\"epoch\":0,"), std::string::npos) << text;
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("whole"), 4);
  for (const std::int64_t stop : {-1, 0, 1, 4}) {
    const std::string run = std::to_string(stop);
    StopFlag flag;
    if (stop < 0) flag.request();
    TrainHooks hooks{.stop = &flag};
    if (stop >= 0) hooks.stop_after = stop;
    EXPECT_FALSE(train(config, set, folder / run, Overwrite::kRefuse, {}, hooks).finished);
    EXPECT_EQ(resume(folder / run, set, {}, {}).best_epoch, 0);
    EXPECT_EQ(lines(run), 4);
    for (const char* name : {"best.safetensors", "checkpoint.safetensors"})
      EXPECT_EQ(read_text(folder / run / name), read_text(folder / "whole" / name)) << stop << " " << name;
  }
}

TEST(MetricsLogTest, DropsLinesOfWorkThatWillBeDoneAgain) {
  const lgode::testing::TempFolder folder;
  MetricsLog log(folder / "metrics.jsonl", 0);
  for (std::int64_t epoch = 1; epoch <= 3; ++epoch) {
    EpochReport r;
    r.epoch = epoch;
    log.append(r);
  }
  MetricsLog again(folder / "metrics.jsonl", 2);
  EpochReport r;
  r.epoch = 3, r.validation = std::numeric_limits<double>::quiet_NaN();
  again.append(r);
  const std::string text = read_text(folder / "metrics.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find("\"validation_mse\":null"), std::string::npos) << text;
}

}  // namespace
}  // namespace lgode::train
