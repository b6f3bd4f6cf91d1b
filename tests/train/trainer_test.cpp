// Training in memory: single steps, stops at any step, given models, and the parts of the loop.
#include "lgode/train/trainer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/eval/predict.h"
#include "lgode/model/decay.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/ode_rnn.h"
#include "lgode/train/cost.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/run_lock.h"
#include "support/batches.h"
#include "support/numeric.h"
#include "support/temp_folder.h"

namespace lgode::train {
namespace {

// Ten training systems, with an incomplete last batch, objects without observations, and missing values.
data::Dataset small_set() {
  return lgode::testing::random_dataset({.objects = {3, 2, 4, 1, 3, 2, 2, 3, 1, 2, 3}, .missing = 0.1, .blind = true});
}

RunConfig small_config(std::int64_t epochs = 3) {
  RunConfig config;
  config.train.epochs = epochs, config.train.batch = 4, config.train.kl_warmup = 5;
  config.task.validation = 0.2, config.task.centre = data::Centre::kNone;
  model::ModelOptions& m = config.model;
  m.encoder_width = 8, m.sequence_width = 8, m.latent = 4, m.augment = 4, m.hidden = 8, m.dropout = 0.2;
  return config;
}

at::Tensor weights(Trainer& trainer) { return trainer.model().parameters().flat().clone(); }

TEST(TrainerTest, SingleStepsAreTheWholeRun) {
  const data::Dataset set = small_set();
  Trainer whole(small_config(), set, {});
  std::vector<double> losses;
  const TrainResult result = whole.run({.on_epoch = [&](const EpochReport& r) { losses.push_back(r.loss); }});
  EXPECT_TRUE(result.finished);

  Trainer single(small_config(), set, {});
  std::vector<double> own;
  while (!single.done()) {
    single.step();
    if (single.epoch_is_over()) own.push_back(single.finish_epoch().loss);
  }
  EXPECT_EQ(own, losses);
  EXPECT_TRUE(weights(single).equal(weights(whole)));
  EXPECT_EQ(single.result().best_validation, result.best_validation);
  EXPECT_EQ(single.progress().step, whole.start().steps);
}

TEST(TrainerTest, StopsAtAnExactStepAndGoesOnWithTheSameBits) {
  const data::Dataset set = small_set();
  Trainer whole(small_config(), set, {});
  whole.run();
  const std::int64_t steps = whole.start().steps;
  ASSERT_GT(steps, 4);
  const lgode::testing::TempFolder folder;
  for (std::int64_t stop = 1; stop < steps; ++stop) {
    Trainer first(small_config(), set, {});
    EXPECT_FALSE(first.run({.stop_after = stop}).finished);
    EXPECT_EQ(first.progress().step, stop);
    first.save(folder / "half.safetensors");
    Trainer second(small_config(), set, {});
    second.load(folder / "half.safetensors");
    EXPECT_EQ(second.progress().step, stop);
    EXPECT_TRUE(second.run().finished);
    EXPECT_TRUE(weights(second).equal(weights(whole))) << stop;
  }
}

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

// Weights and errors are the same bits whether or not the cost was estimated before the first step.
TEST(TrainerTest, TheEstimateChangesNoBit) {
  const data::Dataset set = small_set();
  Trainer plain(small_config(), set, {}), estimated(small_config(), set, {});
  plain.run();
  Cost cost;
  estimated.run({.on_start = [&](const StartReport& r) { cost = r.cost.value(); }});
  EXPECT_TRUE(weights(estimated).equal(weights(plain)));
  EXPECT_EQ(estimated.result().best_validation, plain.result().best_validation);
  EXPECT_EQ(cost.parameters, plain.model().parameters().count());
  EXPECT_GT(cost.objects, 0);
  EXPECT_GT(cost.observations, cost.objects);
  EXPECT_GT(cost.relations, 0);
  EXPECT_GT(cost.step_seconds, 0);
  EXPECT_NEAR(cost.epoch_seconds, static_cast<double>(plain.start().steps_per_epoch) * cost.step_seconds,
              0.4 * cost.step_seconds);
  EXPECT_GT(cost.seconds, 2.9 * static_cast<double>(plain.start().steps_per_epoch) * cost.step_seconds);
  EXPECT_GT(cost.memory, 1e6);
  EXPECT_GT(cost.machine, cost.memory);
}

TEST(CostTest, APartOfABatchHasTheFirstObjectsAlone) {
  const data::BatchMaker maker = lgode::testing::random_maker({.objects = {6, 1}});
  const data::Batch whole = maker.make({0}, data::View::kValidate);
  const data::Batch part = first_objects(whole, 4), all = first_objects(whole, 100);
  EXPECT_EQ(all.relation_sources, whole.relation_sources);
  EXPECT_EQ(all.target_values, whole.target_values);
  ASSERT_EQ(part.objects(), 4);
  EXPECT_EQ(part.observations(), whole.observation_offsets[4]);
  EXPECT_EQ(part.targets(), whole.target_offsets[4]);
  EXPECT_EQ(part.observation_values.size(), 3 * part.observation_times.size());
  EXPECT_EQ(part.target_seen.size(), part.target_times.size());
  for (const std::int64_t source : part.relation_sources) EXPECT_LT(source, 4);
  EXPECT_EQ(part.relation_offsets.back(), static_cast<std::int64_t>(part.relation_sources.size()));
  EXPECT_LT(part.relation_sources.size(), whole.relation_sources.size());
  EXPECT_LT(work_of(part, model::Interaction::kNeighbours), work_of(whole, model::Interaction::kNeighbours));
  EXPECT_LT(work_of(whole, model::Interaction::kNeighbours), work_of(whole, model::Interaction::kAll));
}

// Three training systems: one as usual, one that is observed only before the middle, one that is never observed.
TEST(TrainerTest, SystemsThatAreLeftOutAreCountedByReason) {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  for (const double last : {0.9, 0.4, 0.0}) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0.1; t <= last; t += 0.1) builder.add_observation(t, std::vector<double>{t});
  }
  RunConfig config = small_config(1);
  config.task.task = data::Task::kExtrapolate, config.task.validation = 0;
  const StartReport report = Trainer(config, builder.finish("three"), {}).start();
  EXPECT_EQ(report.train_systems, 1);
  EXPECT_EQ(report.left_out.without_targets, 1);
  EXPECT_EQ(report.left_out.unseen, 1);
  EXPECT_EQ(report.left_out.between, 0);
}

// A step that does not end: the state of the last whole one is saved meanwhile, and a run goes on from it with the same
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

TEST(RunLockTest, OneTrainingPerFolder) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  const std::string id = std::to_string(::getpid());
  {
    const RunLock lock(folder / "run");
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { RunLock again(folder / "run"); }, [&] { check_idle(folder / "run"); },
             [&] { train(small_config(), set, folder / "run", Overwrite::kRefuse, {}, {}); }}) {
      try {
        call();
        ADD_FAILURE() << "not refused";
      } catch (const DataError& error) {
        EXPECT_NE(std::string(error.what()).find("process " + id), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run"));  // made for the lock
  train(small_config(1), set, folder / "run", Overwrite::kRefuse, {}, {});
  check_idle(folder / "run");
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / ".lock"));
  std::ofstream(folder / "run" / ".lock") << "1\n";  // left behind by a process that was killed
  check_idle(folder / "run");
  resume(folder / "run", set, {}, {});
}

// A run of two epochs that is lengthened to four is the run that was meant to restart after two.
TEST(RunLockTest, AReleasedLockLeavesNoFolder) {
  const lgode::testing::TempFolder folder;
  RunLock lock(folder / "a" / "run");
  EXPECT_TRUE(std::filesystem::exists(folder / "a" / "run"));
  lock.release();
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(TrainerTest, ALongerRunIsTheOneThatItsConfigDescribes) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  train(small_config(2), set, folder / "run", Overwrite::kRefuse, {}, {});
  const RunConfig longer = lengthen(load_config(folder / "run"), epochs_done(folder / "run"), 4, {});
  EXPECT_TRUE(resume(folder / "run", set, {}, {}, longer).finished);
  const RunConfig written = load_config(folder / "run");
  EXPECT_EQ(written.train.epochs, 4);
  EXPECT_EQ(written.train.restarts, "2:0.0001");
  Trainer whole(written, set, {});
  EXPECT_EQ(whole.run().epochs, 4);
  Trainer end(written, set, {});
  end.load(folder / "run" / "checkpoint.safetensors");
  EXPECT_TRUE(weights(end).equal(weights(whole)));
  EXPECT_THROW(lengthen(written, epochs_done(folder / "run"), 4, {}), ConfigError);
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

TEST(TrainerTest, AModelInMemoryGoesOn) {
  const data::Dataset set = small_set();
  const RunConfig config = small_config(1);
  auto model = model::make_model(config.model, shape_for(set, config), 99);
  const at::Tensor before = model->parameters().flat().clone();
  Trainer trainer(config, set, {}, std::move(model));
  EXPECT_TRUE(weights(trainer).equal(before));
  trainer.step();
  EXPECT_FALSE(weights(trainer).equal(before));
}

TEST(TrainerTest, TheBestWeightsPredictWithoutAFile) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.run();
  eval::PredictOptions options;
  options.systems = {0, 10};
  options.samples = 3;
  std::int64_t systems = 0;
  eval::predict(trainer.best(), set, options, [&](const eval::SystemPrediction& p) {
    ++systems;
    // The first object of the first system was never observed.
    const std::size_t per_object = p.mean.size() / static_cast<std::size_t>(p.objects);
    for (std::size_t k = 0; k < p.mean.size(); ++k)
      EXPECT_EQ(std::isfinite(p.mean[k]), p.system != 0 || k >= per_object) << p.system << " " << k;
  });
  EXPECT_EQ(systems, 2);
}

// The selected weights are those of the best epoch, not of the last one.
TEST(TrainerTest, BestIsWhatWasSelected) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(6), set, {});
  at::Tensor kept;
  double lowest = std::numeric_limits<double>::infinity();
  trainer.run({.on_epoch = [&](const EpochReport& r) {
    EXPECT_EQ(r.best, *r.validation < lowest);
    if (r.best) kept = weights(trainer), lowest = *r.validation;
    if (r.epoch != 3) return;
    at::NoGradGuard no_grad;
    trainer.model().parameters()["decoder.bias"].fill_(100.0);  // makes all later epochs worse
  }});
  ASSERT_LE(trainer.result().best_epoch, 3);
  ASSERT_FALSE(weights(trainer).equal(kept));
  EXPECT_TRUE(trainer.best().model->parameters().flat().equal(kept));
  EXPECT_EQ(trainer.result().best_validation, lowest);
}

TEST(TrainerTest, DivergenceIsAnErrorOfItsOwnAndLeavesTheWeightsBeforeIt) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.step();
  {
    at::NoGradGuard no_grad;
    trainer.model().parameters()["decoder.bias"].fill_(std::numeric_limits<double>::quiet_NaN());
  }
  const at::Tensor before = weights(trainer);
  EXPECT_THROW(trainer.step(), DivergedError);
  EXPECT_EQ(trainer.progress().step, 1);
  EXPECT_EQ(trainer.progress().step_in_epoch, 1);
  EXPECT_TRUE(weights(trainer).nan_to_num(7).equal(before.nan_to_num(7)));
}

TEST(TrainerTest, AModelOfAnotherShapeIsRefused) {
  const data::Dataset set = small_set();
  RunConfig config = small_config(1);
  model::ModelShape shape = shape_for(set, config);
  shape.window = 0.123;
  EXPECT_THROW(Trainer(config, set, {}, model::make_model(config.model, shape, 1)), c10::ValueError);
}

TEST(ProgressTest, DamagedNumbersAreRefused) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.run({.stop_after = 4});
  const nlohmann::json good = trainer.progress().to_json();
  EXPECT_EQ(Progress::from_json(good, "x").to_json(), good);
  for (const auto& [key, value] : std::vector<std::pair<std::string, nlohmann::json>>{{"step", -5},
                                                                                      {"step", 1e300},
                                                                                      {"epoch", 0.5},
                                                                                      {"epoch", -7},
                                                                                      {"epoch", "two"},
                                                                                      {"step_in_epoch", -100000},
                                                                                      {"step_in_epoch", 1000000},
                                                                                      {"counted", 1000},
                                                                                      {"loss", nullptr},
                                                                                      {"best_epoch", 99}}) {
    nlohmann::json bad = good;
    bad[key] = value;
    EXPECT_THROW(Progress::from_json(bad, "x"), DataError) << key << " " << value;
  }
  EXPECT_THROW(Progress::from_json(nlohmann::json::array(), "x"), DataError);
}

// Numbers that agree with each other but not with the run.
TEST(ProgressTest, ProgressOfAnotherRunIsRefused) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  Trainer first(small_config(), set, {});
  first.run({.stop_after = 4});
  first.save(folder / "a.safetensors");
  RunConfig other = small_config();
  other.train.batch = 2;
  Trainer second(other, set, {});
  EXPECT_THROW(second.load(folder / "a.safetensors"), DataError);
}

TEST(TrainerTest, AStopInValidationLeavesTheEpochToBeFinished) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  while (!trainer.epoch_is_over()) trainer.step();
  StopFlag stop;
  stop.request();
  EXPECT_THROW(trainer.finish_epoch(&stop), Interrupted);
  EXPECT_EQ(trainer.progress().epoch, 0);
  EXPECT_TRUE(trainer.epoch_is_over());
  EXPECT_EQ(trainer.finish_epoch().epoch, 1);
}

TEST(TrainerTest, AStopIsHeardBetweenSteps) {
  const data::Dataset set = small_set();
  StopFlag stop;
  Trainer trainer(small_config(), set, {});
  const TrainResult result = trainer.run({.on_step =
                                              [&](const StepReport& r) {
                                                if (r.step == 2) stop.request();
                                              },
                                          .stop = &stop});
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.steps, 2);
  EXPECT_EQ(result.epochs, 0);
}

// Calls restore the number of threads and the gradient mode.
TEST(TrainerTest, CallsLeaveTheProcessAsItWas) {
  const data::Dataset set = small_set();
  const int threads = at::get_num_threads();
  ops::Context context;
  context.threads = threads + 1;
  Trainer trainer(small_config(1), set, context);
  for (const bool gradients : {true, false}) {
    at::AutoGradMode mode(gradients);
    trainer.step();
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(at::GradMode::is_enabled(), gradients);
  }
  trainer.run();
  eval::predict(trainer.best(), set, {.samples = 0}, [&](const eval::SystemPrediction&) {
    EXPECT_EQ(at::get_num_threads(), threads + 1);  // within the call
    EXPECT_FALSE(at::GradMode::is_enabled());
  });
  EXPECT_EQ(at::get_num_threads(), threads);
  EXPECT_TRUE(at::GradMode::is_enabled());
}

// Everything in a step that depends on its batch is in the upload, so that a captured step can be replayed with
// another batch.
TEST(StepInputTest, EveryTensorOfAStepIsInTheUploadsList) {
  const data::Dataset set = small_set();
  for (const char* kind : {"lg-ode", "latent-ode", "weight-decay"}) {
    RunConfig config = small_config();
    config.task.unseen = data::Unseen::kPredict;  // lets it borrow from others
    config.model.kind = std::string(kind) == "lg-ode"       ? model::ModelKind::kLgOde
                        : std::string(kind) == "latent-ode" ? model::ModelKind::kLatentOde
                                                            : model::ModelKind::kWeightDecay;
    const auto model = model::make_model(config.model, shape_for(set, config), 1);
    const data::BatchMaker maker(set, data::fit_normalisation(set, data::normalisation_systems(set, config.task)),
                                 config.task);
    const StepMaker steps(*model, maker, {0, 1, 2, 3}, 4, config.train, {});
    const StepInput in = steps.make(0);
    ASSERT_TRUE(in.has_targets);
    std::set<const void*> listed;
    for (const at::Tensor& t : in.uploaded.tensors()) listed.insert(t.data_ptr());
    const model::BatchTensors& b = in.batch;
    ASSERT_TRUE(b.borrowing.any());
    const auto* rollout = dynamic_cast<const model::OdeRollout*>(in.rollout.get());
    ASSERT_NE(rollout, nullptr);
    std::vector<at::Tensor> others{rollout->from, rollout->ahead.readings->terms.index,
                                   rollout->ahead.readings->terms.weight};
    for (const ops::PairGraph::List& list : rollout->ahead.pairs.lists)
      others.insert(others.end(), {list.target, list.source, list.target_offsets, list.weight});
    if (const auto* turns = dynamic_cast<const model::SeriesTurns*>(b.encoder_input.get()))
      others.insert(others.end(), {turns->gaps, turns->rows});
    if (const auto* decay = dynamic_cast<const model::DecayInput*>(b.encoder_input.get()))
      for (const model::SystemGroup& g : decay->groups)
        others.insert(others.end(), {g.rows, g.present, g.place, g.slots, g.relations});
    for (const at::Tensor& t : others) {
      EXPECT_TRUE(!t.defined() || listed.contains(t.data_ptr())) << kind << " " << t.sizes();
    }
    for (const at::Tensor& t :
         {b.inputs, b.times, b.observation_offsets, b.object_offsets, b.target_offsets, b.target_values, b.target_mask,
          b.target_seen, b.borrowing.objects, b.borrowing.offsets, b.borrowing.sources, in.noise, in.rates})
      EXPECT_TRUE(listed.contains(t.data_ptr())) << kind << " " << t.sizes();
  }
}

TEST(StepInputTest, AnEpochsStepsShowEverySystemOnce) {
  const data::Dataset set = small_set();
  const RunConfig config = small_config();
  const auto model = model::make_model(config.model, shape_for(set, config), 1);
  const data::BatchMaker maker(set, data::fit_normalisation(set, {0}), config.task);
  const StepMaker steps(*model, maker, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 4, config.train, {});
  ASSERT_EQ(steps.steps_per_epoch(), 3);
  std::vector<std::vector<std::int64_t>> orders;
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    std::vector<std::int64_t> all;
    for (std::int64_t k = 0; k < 3; ++k)
      for (const std::int64_t s : steps.systems_of(3 * epoch + k)) all.push_back(s);
    EXPECT_EQ(all.size(), 10U);
    EXPECT_EQ(std::set<std::int64_t>(all.begin(), all.end()).size(), 10U);
    orders.push_back(all);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_EQ(steps.systems_of(2).size(), 2U);
}

TEST(PrefetchTest, ComesInOrderAndStaysWithinItsBound) {
  std::atomic<int> started{0};
  Helpers helpers(3);
  Prefetch<int> values(
      helpers,
      [&](std::int64_t i) {
        ++started;
        if (i == 7) throw DataError("seven");
        return static_cast<int>(i * i);
      },
      3, 9, 2);
  EXPECT_EQ(values.take(), 9);
  EXPECT_LE(started, 2);
  values.fill();
  values.settle();
  EXPECT_LE(started, 3);
  EXPECT_EQ(values.take(), 16);
  EXPECT_EQ(values.take(), 25);
  EXPECT_EQ(values.take(), 36);
  EXPECT_THROW(values.take(), DataError);
  EXPECT_EQ(values.take(), 64);
  EXPECT_THROW(values.take(), std::out_of_range);
}

TEST(SelectionTest, KeepsTheLowestFiniteErrorOrTheLatest) {
  Selection s;
  EXPECT_FALSE(s.offer(std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_TRUE(s.offer(2.0, 2));
  EXPECT_FALSE(s.offer(2.0, 3));
  EXPECT_FALSE(s.offer(3.0, 4));
  EXPECT_TRUE(s.offer(1.0, 5));
  EXPECT_FALSE(s.offer(std::numeric_limits<double>::infinity(), 6));
  EXPECT_EQ(s.best, 1.0);
  EXPECT_EQ(s.epoch, 5);
  Selection latest;  // without a validation part
  EXPECT_TRUE(latest.offer({}, 1));
  EXPECT_TRUE(latest.offer({}, 2));
  EXPECT_EQ(latest.epoch, 2);
}

RunConfig assimilating_config() {
  RunConfig config = small_config();
  config.model.kind = model::ModelKind::kAssimilate;
  config.model.state = 4;
  return config;
}

TEST(TrainerTest, TheWeightsBeforeTheFirstStepTakePartInSelection) {
  const data::Dataset set = small_set();
  for (const double lr : {1e-9, 2.0}) {  // the second spoils the weights
    RunConfig config = assimilating_config();
    config.train.lr = lr, config.train.clip = 0;
    Trainer trainer(config, set, {});
    const at::Tensor before = weights(trainer);
    double initial = -1;
    std::vector<double> errors;
    const TrainResult result =
        trainer.run({.on_initial = [&](double e) { initial = e; },
                     .on_epoch = [&](const EpochReport& r) { errors.push_back(r.validation.value()); }});
    EXPECT_EQ(initial, Trainer(config, set, {}).validation_scores()->mse);
    EXPECT_EQ(result.best_validation, std::min(initial, *std::min_element(errors.begin(), errors.end())));
    if (lr < 1) continue;
    EXPECT_EQ(result.best_epoch, 0);
    EXPECT_TRUE(trainer.best().model->parameters().flat().equal(before));
    EXPECT_EQ(trainer.best().info.step, 0);
  }
  Trainer other(small_config(), set, {});
  other.run({.on_initial = [](double) { FAIL() << "only the assimilating model predicts before it is trained"; }});
}

// Stopped before the first step, while it is validated, and later.
TEST(TrainerTest, SelectionOfTheInitialWeightsSurvivesAStop) {
  const data::Dataset set = small_set();
  RunConfig config = assimilating_config();
  config.train.lr = 2.0, config.train.clip = 0;
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

// Turned systems train another model, validation never turns, and a resumed training draws the same angles.
TEST(TrainerTest, TurnsTheTrainingSystemsOnly) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}, {"vy", "m/s", 1, 1}};
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 2.0;
  data::DatasetBuilder builder(d);
  Random random(1, RandomUse::kTest);
  for (int s = 0; s < 10; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0.1; t < 2; t += 0.3) {
      const double angle = random.uniform(0, 6), v = random.uniform(0, 2);
      builder.add_observation(t, std::vector<double>{v * t + angle, t * t, v, 2 * t});
    }
  }
  const data::Dataset set = builder.finish("street");
  RunConfig plain = small_config();
  plain.task.centre = data::Centre::kSystem;
  RunConfig turned = plain;
  turned.train.turn = Turn::kRandom;
  Trainer a(plain, set, {}), b(turned, set, {});
  EXPECT_EQ(a.validation_scores()->mse, b.validation_scores()->mse);
  a.run(), b.run();
  EXPECT_FALSE(weights(a).equal(weights(b)));
  const lgode::testing::TempFolder folder;
  Trainer first(turned, set, {}), second(turned, set, {});
  first.run({.stop_after = 4});
  first.save(folder / "half.safetensors");
  second.load(folder / "half.safetensors");
  second.run();
  EXPECT_TRUE(weights(second).equal(weights(b)));
  EXPECT_THROW(Trainer(turned, small_set(), {}), ConfigError);  // y has no velocity
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
