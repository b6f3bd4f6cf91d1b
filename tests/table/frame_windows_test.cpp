// Windows of numbered frames: which are cut from recordings, what a forecast sees of them and is asked for, what is
// refused; and the benchmark of pedestrians, whose numbers a program of its own gives (experiments/scenes/ade_fde.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "lgode/core/error.h"
#include "lgode/data/classical/classical.h"
#include "lgode/table/import.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;

struct Walk {
  std::string name;
  std::vector<int> frames = {};
};

std::vector<int> range(int from, int to) {
  std::vector<int> out;
  for (int k = from; k < to; ++k) out.push_back(k);
  return out;
}

class FrameWindows : public ::testing::Test {
 protected:
  // Adds a recording; frames are ten numbers apart.
  void add(const std::string& recording, const std::vector<Walk>& walks) {
    for (const Walk& walk : walks)
      for (const int k : walk.frames)
        text_ += fmt::format("{},{},{},{},{}\n", recording, walk.name, 10 * k, 0.5 * k, 0.1 * k * k);
  }
  ImportOptions options(std::int64_t seen = 3, std::int64_t asked = 2) const {
    ImportOptions options;
    std::ofstream(folder_ / "obs.csv") << "system,object,time,x,y\n" << text_;
    options.observations = {folder_ / "obs.csv"};
    options.scratch_folder = folder_.path();
    options.roles.time_unit = "frame";
    options.roles.rate = 25;
    options.arrangement.frames.seen = seen, options.arrangement.frames.asked = asked;
    options.arrangement.split = 1;
    return options;
  }
  data::Dataset import(const ImportOptions& options) {
    report_ = {};
    return import_csv(options, report_);
  }
  data::Dataset import() { return import(options()); }

  TempFolder folder_;
  std::string text_;
  ImportReport report_;
};

std::vector<std::string> ids(const data::Dataset& set) { return set.description().system_ids; }
using Names = std::vector<std::string>;

data::BatchMaker forecasts(const data::Dataset& set, double observed = 0.6) {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.observed = observed;
  task.start = data::Start::kRandom;
  task.centre = data::Centre::kNone;
  data::Normalisation ones;
  ones.scale.assign(static_cast<std::size_t>(set.features()), 1.0);
  return {set, ones, task};
}

TEST_F(FrameWindows, BeginAtEveryFrameWhoseNextOnesAreThere) {
  // The frame 7 is missing; a and b together make the others.
  add("r", {{"a", {0, 1, 2, 3, 4, 5, 6}}, {"b", {4, 5, 6, 8, 9, 10, 11, 12}}});
  const data::Dataset set = import();
  EXPECT_EQ(ids(set), (Names{"r/0", "r/1", "r/2", "r/8"}));
  const data::FrameWindows& frames = set.description().frames;
  EXPECT_EQ(frames.seen, 3);
  EXPECT_EQ(frames.asked, 2);
  EXPECT_EQ(frames.step, 0.4);
  EXPECT_EQ(set.description().conditioning_length, frames.length());
  EXPECT_EQ(set.origin(3), 80.0 / 25);
  // b is there from frame 4 on: in the last of the five frames of the first window.
  EXPECT_EQ(set.objects_of(0), 2);
  EXPECT_EQ(set.times_of(1).size(), 1U);
  EXPECT_EQ(set.description().recordings, (Names{"r", "r", "r", "r"}));
  EXPECT_EQ(report_.outside_windows, 0);
}

TEST_F(FrameWindows, StrideCountsFrames) {
  add("r", {{"a", range(0, 12)}});
  ImportOptions given = options();
  given.arrangement.stride = 3;
  EXPECT_EQ(ids(import(given)), (Names{"r/0", "r/3", "r/6"}));
  EXPECT_EQ(report_.outside_windows, 1);
}

TEST_F(FrameWindows, TimesMayBeRounded) {
  // Thirty per second to the millisecond: distances of 33 and 34.
  for (int k = 0; k < 300; ++k) text_ += fmt::format("r,a,{:.3f},1,{}\n", k / 30.0, k % 7);
  ImportOptions given = options(60, 40);
  given.roles.rate = 0, given.roles.time_unit = "s";
  const data::Dataset set = import(given);
  EXPECT_EQ(set.systems(), 201);
  EXPECT_NEAR(set.description().frames.step, 1 / 30.0, 1e-5);
  const data::Scene scene = forecasts(set).scene(150, data::View::kTest);
  EXPECT_EQ(scene.context.size(), 60U);
  EXPECT_EQ(scene.targets->size(), 40U);
}

TEST_F(FrameWindows, ForecastsSeeTheFirstFramesAndAreAskedForTheOthers) {
  add("r", {{"a", range(0, 6)}, {"gone", {0, 1}}, {"late", {3, 4, 5}}});
  const data::Dataset set = import();
  ASSERT_EQ(set.systems(), 2);
  const data::BatchMaker maker = forecasts(set);
  for (const data::View view : {data::View::kTrain, data::View::kValidate, data::View::kTest}) {
    // Whatever the share to observe and the random start.
    const data::Scene scene = maker.scene(0, view, 3, 5);
    EXPECT_EQ(scene.start, 20.0 / 25);
    EXPECT_EQ(std::vector<data::RowIndex>(scene.context[0].begin(), scene.context[0].end()),
              (std::vector<data::RowIndex>{0, 1, 2}));
    EXPECT_EQ(scene.targets->operator[](0).size(), 2U);
    EXPECT_EQ(scene.context[1].size(), 2U);  // gone
    EXPECT_EQ(scene.targets->operator[](1).size(), 0U);
    EXPECT_EQ(scene.context[2].size(), 0U);  // late
    EXPECT_EQ(scene.targets->operator[](2).size(), 2U);
  }
  const data::Batch batch = maker.make({0}, data::View::kTest);
  EXPECT_EQ(batch.objects(), 2);
  EXPECT_EQ(batch.unseen_objects, 1);
  EXPECT_NEAR(batch.target_times[0] * set.description().time_scale, 0.4, 1e-12);
  EXPECT_NEAR(maker.target_span(data::View::kTest), 0.4, 1e-6);  // of a range of five frames
  // A prediction without a start sees the same.
  EXPECT_EQ(maker.default_start(std::int64_t{0}), 20.0 / 25);
  data::BatchMaker::Request request;
  request.times = {1.2};
  EXPECT_EQ(maker.scene(request).context.size(), 5U);
  request.start = 20.0 / 25;
  EXPECT_EQ(maker.scene(request).context.size(), 4U);
}

TEST_F(FrameWindows, AllPresentTargetsAreThereInAllFrames) {
  add("r", {{"a", range(0, 5)}, {"gap", {0, 1, 3, 4}}, {"late", {3, 4}}});
  ImportOptions given = options();
  given.arrangement.frames.all_present = true;
  const data::Dataset set = import(given);
  ASSERT_EQ(set.systems(), 1);
  const data::Batch batch = forecasts(set).make({0}, data::View::kTest);
  EXPECT_EQ(batch.object, (std::vector<std::int64_t>{0, 1}));  // the one with a gap is seen, and acts
  EXPECT_EQ(batch.target_offsets, (std::vector<std::int64_t>{0, 2, 2}));
  EXPECT_EQ(batch.unseen_objects, 0);
  EXPECT_NE(set.fingerprint(), import().fingerprint());
}

TEST_F(FrameWindows, MinObjectsLeavesOutTestWindows) {
  add("one", {{"a", range(0, 9)}, {"b", range(0, 6)}});
  add("two", {{"a", range(0, 9)}, {"b", range(0, 6)}});
  add("two", {{"c", {15, 16, 17}}, {"d", {17, 18, 19}}});  // nobody in all five frames
  ImportOptions given = options();
  given.arrangement.split.reset();
  given.arrangement.test_systems = {"two"};
  given.arrangement.frames.all_present = true;
  given.arrangement.frames.min_objects = 2;
  const data::Dataset set = import(given);
  EXPECT_EQ(ids(set), (Names{"one/0", "one/1", "one/2", "one/3", "one/4", "two/0", "two/1"}));
  EXPECT_EQ(report_.few_targets, 4);
  EXPECT_EQ(set.description().frames.min_objects, 2);
  given.arrangement.frames.min_objects = 3;
  expect_error<DataError>([&] { import(given); },
                          {"`frames`: no window to test on", "at least 3 objects", "all 5 frames", "the most are 2"});
}

TEST_F(FrameWindows, EveryKeepsWholeFrames) {
  // b enters between the frames that are kept.
  add("r", {{"a", range(0, 20)}, {"b", range(3, 20)}});
  ImportOptions given = options();
  given.arrangement.every = 0.8;
  const data::Dataset set = import(given);
  EXPECT_EQ(set.description().frames.step, 0.8);
  EXPECT_EQ(ids(set).size(), 6U);
  EXPECT_EQ(set.times_of(set.first_object(0) + 1)[0], 40.0 / 25);
}

TEST_F(FrameWindows, RefusesWhatHasNoFrames) {
  add("good", {{"a", range(0, 30)}});
  std::string good = text_;
  text_ += "bad,a,0,1,1\nbad,a,10,1,2\nbad,a,13,1,1\nbad,a,20,1,1\nbad,a,30,1,1\nbad,a,40,1,1\n";
  expect_error<DataError>([&] { import(); }, {"recording 'bad' is irregular", "6 frames from 0 to 1.6",
                                              "5 are expected, one every 0.4", "is at 0.52", "`every`"});
  text_ = good;
  for (int k = 0; k < 9; ++k) text_ += fmt::format("slow,a,{},1,1\n", 12 * k);
  expect_error<DataError>([&] { import(); }, {"recording 'slow' has a frame every 0.48", "one every 0.4"});
  text_ = good + "short,a,0,1,1\nshort,a,10,1,1\n";
  EXPECT_EQ(import().systems(), 26);
  EXPECT_EQ(std::count(report_.notes.begin(), report_.notes.end(),
                       "recording 'short' has no 5 frames in a row, and so no window"),
            1);
  expect_error<DataError>([&] { import(options(20, 11)); }, {"no recording has 31 frames in a row", "longest has 30"});
  text_ = "r,a,0,1,2\n";
  expect_error<DataError>([&] { import(); }, {"`frames`: no recording has two frames, expected 5 in a row"});
}

// --- The benchmark: windows of 20 frames of 0.4 s at every frame, 8 seen, 12 forecast, people present in all 20.

struct Errors {
  std::size_t people = 0;
  double ade = 0, fde = 0;
};

class Pedestrians : public FrameWindows, public ::testing::WithParamInterface<std::int64_t> {
 protected:
  static constexpr std::size_t kAsked = 12;

  data::Dataset scene(const Names& files, std::int64_t least) {
    ImportOptions given;
    for (const std::string& file : files) given.observations.push_back(folder() / (file + ".txt"));
    given.file_systems = true;
    given.scratch_folder = folder_.path();
    given.format.columns = {"time", "object", "x", "y"};
    given.roles.time_unit = "frame";
    given.roles.rate = 25;
    given.roles.velocities = Velocities::kDifference;
    given.arrangement.frames = {.seen = 8, .asked = kAsked, .all_present = true, .min_objects = least};
    given.arrangement.for_prediction = true;
    return import(given);
  }
  // Mean and last distance of the constant velocity from the path, per person.
  static Errors constant_velocity(const data::Dataset& set) {
    const data::BatchMaker maker = forecasts(set);
    Errors out;
    for (std::int64_t s = 0; s < set.systems(); ++s) {
      const data::Batch batch = maker.make({s}, data::View::kTest);
      const std::vector<float> path =
          data::predict_classical(Classical::kConstantVelocity, batch, set.description().features,
                                  maker.normalisation(), maker.clock().time_scale);
      const auto width = static_cast<std::size_t>(batch.features);
      for (std::int64_t n = 0; n < batch.objects(); ++n) {
        const auto first = static_cast<std::size_t>(batch.target_offsets[static_cast<std::size_t>(n)]);
        const auto count = static_cast<std::size_t>(batch.target_offsets[static_cast<std::size_t>(n) + 1]) - first;
        if (count == 0) continue;
        EXPECT_EQ(count, kAsked);
        double sum = 0, last = 0;
        for (std::size_t t = first; t < first + count; ++t) {
          last = std::hypot(path[t * width] - batch.target_values[t * width],
                            path[t * width + 1] - batch.target_values[t * width + 1]);
          sum += last;
        }
        ++out.people, out.ade += sum / static_cast<double>(count), out.fde += last;
      }
    }
    out.ade /= static_cast<double>(out.people), out.fde /= static_cast<double>(out.people);
    return out;
  }
  static std::filesystem::path folder() { return lgode::testing::recorded_data() / "pedestrians"; }
};

// People, ADE and FDE of constant velocity as experiments/scenes/ade_fde.py counts them, with at least two people per
// window and with one.
const std::map<std::string, std::pair<Names, std::map<std::int64_t, Errors>>> kScenes = {
    {"eth", {{"biwi_eth"}, {{2, {181, 0.995403, 2.234381}}, {1, {364, 1.075458, 2.281890}}}}},
    {"hotel", {{"biwi_hotel"}, {{2, {1053, 0.322666, 0.616897}}, {1, {1197, 0.319356, 0.614198}}}}},
    {"univ", {{"students001", "students003"}, {{2, {24334, 0.524190, 1.165097}}, {1, {24334, 0.524190, 1.165097}}}}},
    {"zara1", {{"crowds_zara01"}, {{2, {2253, 0.431317, 0.960418}}, {1, {2356, 0.427223, 0.952377}}}}},
    {"zara2", {{"crowds_zara02"}, {{2, {5833, 0.325705, 0.728399}}, {1, {5910, 0.323937, 0.724414}}}}},
};

TEST_P(Pedestrians, HaveTheBenchmarksNumbers) {
  if (!std::filesystem::exists(folder()))
    GTEST_SKIP() << "no recorded pedestrians in " << folder() << "; LGODE_TEST_DATA names their folder's parent";
  double ade = 0, fde = 0;
  for (const auto& [name, scene_of] : kScenes) {
    const Errors expected = scene_of.second.at(GetParam()),
                 found = constant_velocity(scene(scene_of.first, GetParam()));
    EXPECT_EQ(found.people, expected.people) << name;
    EXPECT_NEAR(found.ade, expected.ade, 1e-5) << name;
    EXPECT_NEAR(found.fde, expected.fde, 1e-5) << name;
    ade += found.ade / 5, fde += found.fde / 5;
  }
  EXPECT_NEAR(ade, GetParam() == 2 ? 0.5199 : 0.5340, 1e-4);
  EXPECT_NEAR(fde, GetParam() == 2 ? 1.1410 : 1.1476, 1e-4);
}
INSTANTIATE_TEST_SUITE_P(Least, Pedestrians, ::testing::Values(2, 1));

}  // namespace
}  // namespace lgode::table
