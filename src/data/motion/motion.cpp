// Builds systems from joint positions: windows, velocities, and the frames that each joint keeps.
#include "lgode/data/motion/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/random.h"

namespace lgode::data {
namespace {

constexpr std::size_t kFeatures = 6;  // x, y, z, vx, vy, vz

struct Cut {
  std::int64_t length = 0;  // frames of a window; 0: whole trials
  std::int64_t stride = 0;
};

Cut cut_of(Part part, const MotionOptions& o) {
  if (o.window == 0) return {0, 0};
  if (part == Part::kTrain) return {o.window, o.stride.value_or(o.window - 1)};
  const std::int64_t length = o.test_window.value_or(2 * o.window);
  return {length, o.test_stride.value_or(length)};
}

void check(const MotionOptions& o) {
  const auto require = [](bool holds, const char* option, const auto& value, const char* expected) {
    if (!holds) throw ConfigError(fmt::format("`{}` {}: expected {}", option, value, expected));
  };
  constexpr std::int64_t kMost = 1'000'000'000;
  require(o.rate > 0 && std::isfinite(o.rate), "rate", o.rate, "a positive number of frames per second");
  require(o.window == 0 || (o.window >= 2 && o.window <= kMost), "window", o.window,
          "0 (whole trials) or 2 frames or more");
  if (o.window == 0 && (o.stride || o.test_window || o.test_stride))
    throw ConfigError("`window` 0 (whole trials) does not go with `stride`, `test_window` and `test_stride`");
  const auto positive = [&](const char* option, const std::optional<std::int64_t>& value, std::int64_t low) {
    require(!value || (*value >= low && *value <= kMost), option, value.value_or(0),
            low == 1 ? "1 frame or more" : "2 frames or more");
  };
  positive("stride", o.stride, 1);
  positive("test_window", o.test_window, 2);
  positive("test_stride", o.test_stride, 1);
}

// The paper's counts for 50 frames, and as large a share of any other number: 30, 42, and 40 of 49 later ones.
std::int64_t fewest(std::int64_t frames) { return std::max<std::int64_t>(1, (6 * frames + 5) / 10); }
std::int64_t most(std::int64_t frames) { return std::max(fewest(frames), (42 * frames + 25) / 50); }
std::int64_t later(std::int64_t frames) { return (40 * frames + 24) / 49; }

// A number for random streams that does not depend on the other trials (FNV-1a hash).
std::uint64_t number_of(const std::string& name) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

class MotionBuilder {
 public:
  MotionBuilder(const Skeleton& skeleton, const std::vector<Trial>& trials, const MotionOptions& options,
                const std::string& source)
      : skeleton_(skeleton), o_(options), first_range_(options.window), builder_(describe(trials, source)) {}

  void add(const Trial& trial) {
    const std::int64_t frames = trial.frames(skeleton_);
    const Cut cut = cut_of(trial.part, o_);
    const std::int64_t length = cut.length == 0 ? frames : cut.length;
    for (std::int64_t w = 0; w < windows_of(frames, trial.part, o_); ++w) add_window(trial, w * cut.stride, length);
  }

  Dataset finish(const std::string& where) { return builder_.finish(where); }

 private:
  Description describe(const std::vector<Trial>& trials, const std::string& source) {
    std::int64_t shortest = first_range_;
    if (o_.window == 0) {
      // The longest training trial is the range; test trials may be longer.
      shortest = std::numeric_limits<std::int64_t>::max();
      const bool training =
          std::any_of(trials.begin(), trials.end(), [](const Trial& t) { return t.part == Part::kTrain; });
      for (const Trial& trial : trials) {
        if (training && trial.part != Part::kTrain) continue;
        first_range_ = std::max(first_range_, trial.frames(skeleton_));
        shortest = std::min(shortest, trial.frames(skeleton_));
      }
    }
    Description d;
    d.name = "motion";
    d.source = source;
    d.time_unit = std::string(1, 's');
    const char* unit = "ASF length";
    for (const char* name : {"x", "y", "z"}) d.features.push_back({name, unit, 0, -1});
    for (int axis = 0; axis < 3; ++axis)
      d.features.push_back({std::array{"vx", "vy", "vz"}[static_cast<std::size_t>(axis)], "ASF length/s", 1, axis});
    d.relation_types = {"bone"};
    // The model's unit of time ends with the last frame of the range, the range itself with the first one after it.
    d.time_scale = static_cast<double>(std::max<std::int64_t>(1, first_range_ - 1)) / o_.rate;
    d.conditioning_length = static_cast<double>(first_range_) / o_.rate;
    const bool all = o_.sampling == Sampling::kNone;
    d.max_length = all ? first_range_ : std::max<std::int64_t>(1, first_range_ - 1);
    d.min_length = std::min(d.max_length, all ? shortest : fewest(shortest));
    return d;
  }

  void add_window(const Trial& trial, std::int64_t first, std::int64_t length) {
    const bool whole = o_.window == 0;
    builder_.begin_system(trial.part, 0.0,
                          whole ? trial.name : fmt::format("{}:{}", trial.name, trial.first_frame + first));
    for (std::size_t joint = 0; joint < skeleton_.bones.size(); ++joint) {
      builder_.add_object(skeleton_.bones[joint].name);
      for (const std::int64_t k : kept(trial, first, length, joint))
        builder_.add_observation(static_cast<double>(k) / o_.rate, values(trial, first + k, joint));
    }
    for (std::size_t b = 1; b < skeleton_.bones.size(); ++b) {
      const auto child = static_cast<std::int32_t>(b);
      builder_.add_relation({skeleton_.bones[b].parent, child, 0, 1.0F});
      builder_.add_relation({child, skeleton_.bones[b].parent, 0, 1.0F});
    }
  }

  // The frames of a window that a joint keeps, ascending.
  std::vector<std::int64_t> kept(const Trial& trial, std::int64_t first, std::int64_t length, std::size_t joint) const {
    std::vector<std::int64_t> frames;
    if (o_.sampling == Sampling::kNone) {
      frames.resize(static_cast<std::size_t>(length));
      std::iota(frames.begin(), frames.end(), 0);
      return frames;
    }
    Random random(o_.seed, RandomUse::kMotion, {number_of(trial.name), static_cast<std::uint64_t>(first), joint});
    const std::int64_t range = std::min(length, first_range_);
    frames = random.choose(range, random.between(fewest(range), most(range)));
    // Counted from 0, the paper's later frames are 51 to 99: the one after the range is excluded.
    const std::int64_t rest = length - range - 1;
    if (rest > 0)
      for (const std::int64_t k : random.choose(rest, later(rest))) frames.push_back(range + 1 + k);
    return frames;
  }

  std::array<double, kFeatures> values(const Trial& trial, std::int64_t frame, std::size_t joint) const {
    const auto at = [&](std::int64_t f, std::size_t axis) {
      return trial.positions[(static_cast<std::size_t>(f) * skeleton_.bones.size() + joint) * 3 + axis];
    };
    // One-sided where a neighbour is beyond the trial; one frame alone has no velocity.
    const std::int64_t last = trial.frames(skeleton_) - 1;
    const std::int64_t before = std::max<std::int64_t>(0, frame - 1);
    std::int64_t after = std::min(last, frame + 1);
    if (o_.velocity == VelocityRule::kBackward && frame > 0) after = frame;
    std::array<double, kFeatures> v{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      v[axis] = at(frame, axis);
      v[3 + axis] = after > before
                        ? (at(after, axis) - at(before, axis)) * o_.rate / static_cast<double>(after - before)
                        : std::numeric_limits<double>::quiet_NaN();
    }
    return v;
  }

  const Skeleton& skeleton_;
  const MotionOptions& o_;
  std::int64_t first_range_;  // frames
  DatasetBuilder builder_;
};

}  // namespace

Trial make_trial(const Skeleton& skeleton, const Motion& motion, std::string name, Part part, const StopFlag* stop) {
  Trial trial{std::move(name), part, motion.first_frame, {}};
  const auto width = static_cast<std::size_t>(skeleton.channels());
  const std::size_t row = 3 * skeleton.bones.size();
  trial.positions.resize(static_cast<std::size_t>(motion.frames) * row);
  const std::span<const double> channels(motion.channels);
  for (std::size_t f = 0; f < static_cast<std::size_t>(motion.frames); ++f) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    joint_positions(skeleton, channels.subspan(f * width, width), std::span(trial.positions).subspan(f * row, row));
  }
  return trial;
}

std::int64_t windows_of(std::int64_t frames, Part part, const MotionOptions& options) {
  check(options);
  const Cut cut = cut_of(part, options);
  if (cut.length == 0) return frames > 0 ? 1 : 0;
  return frames < cut.length ? 0 : (frames - cut.length) / cut.stride + 1;
}

Dataset motion_dataset(const Skeleton& skeleton, const std::vector<Trial>& trials, const MotionOptions& options,
                       const std::string& source) {
  check(options);
  std::int64_t windows = 0;
  std::int64_t longest = 0;
  for (const Trial& trial : trials) {
    windows += windows_of(trial.frames(skeleton), trial.part, options);
    longest = std::max(longest, trial.frames(skeleton));
  }
  if (windows == 0)
    throw DataError(
        fmt::format("no trial is as long as a window: the longest has {} frames, a window {}; choose "
                    "a smaller `window`, or 0 for whole trials",
                    longest, options.window));
  MotionBuilder builder(skeleton, trials, options, source);
  for (const Trial& trial : trials) builder.add(trial);
  return builder.finish("motion");
}

}  // namespace lgode::data
