// A data set of recorded motion: every joint of a skeleton is an object, every bone relates the two joints at its ends,
// both ways. Features are position and velocity in the skeleton file's units; time is in seconds since the window's
// first frame.
//
// The paper's set is subject 35 of the CMU database at the default options: training windows of 50 frames that share
// their border frames, of which a joint keeps 30 to 42; test windows of 100, of which it keeps 30 to 42 of the first 50
// and 40 of the frames 51 to 99, counted from 0. Other lengths keep the proportions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/options.h"
#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/data/motion/skeleton.h"

namespace lgode::data {

enum class Sampling { kPaper, kNone };  // some frames of each joint, or all of them
// From the previous frame and this one, which uses nothing of the future, or from the two frames around.
enum class VelocityRule { kBackward, kCentral };

struct MotionOptions {
  double rate = 120.0;                      // frames per second
  std::int64_t window = 50;                 // frames of a training window; 0: whole trials
  std::optional<std::int64_t> stride;       // from one training window to the next; window - 1
  std::optional<std::int64_t> test_window;  // 2 * window
  std::optional<std::int64_t> test_stride;  // test_window
  Sampling sampling = Sampling::kPaper;
  VelocityRule velocity = VelocityRule::kBackward;
  std::uint64_t seed = 1;
};

// Flags of `lgode import cmu` and keywords of Python follow from the declaration. The defaults are the values that the
// fields have.
void declare_motion(OptionSet& set, MotionOptions& options);

// How a set was made, for its description.
std::string motion_source(const std::filesystem::path& asf, const Skeleton& skeleton, const MotionOptions& options);

struct TrialFile {
  std::filesystem::path path;
  Part part;

  std::string name() const { return path.stem().string(); }
};

// The files that words name, the training ones first: a file as it is, a folder for its .amc files, a pattern for its
// matches, both sorted. ConfigError without a trial, DataError for a word without a file or a trial named twice.
std::vector<TrialFile> find_trials(const std::vector<std::string>& train, const std::vector<std::string>& test);

// One recording.
struct Trial {
  std::string name;  // "35_01"
  Part part = Part::kTrain;
  std::int64_t first_frame = 1;   // its number in the file
  std::vector<double> positions;  // [F, B, 3]

  std::int64_t frames(const Skeleton& skeleton) const {
    return static_cast<std::int64_t>(positions.size() / (3 * skeleton.bones.size()));
  }
};

// The positions of a motion. A stop request throws Interrupted.
Trial make_trial(const Skeleton& skeleton, const Motion& motion, std::string name, Part part,
                 const StopFlag* stop = nullptr);

// How many windows a trial of this many frames gives; a tail shorter than a window is dropped.
std::int64_t windows_of(std::int64_t frames, Part part, const MotionOptions& options);

// Systems are called "35_01:50", the trial and the number of its first frame, or "35_01" where trials are whole.
// Throws ConfigError naming an option with an impossible value, and DataError if no trial is as long as a window.
Dataset motion_dataset(const Skeleton& skeleton, const std::vector<Trial>& trials, const MotionOptions& options,
                       const std::string& source);

}  // namespace lgode::data
