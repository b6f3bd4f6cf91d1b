// Skeletons and motion: what the readers make of good files, positions worked out by hand and by quaternions, and what
// holds on recorded walks.
#include "lgode/data/motion/skeleton.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/random.h"
#include "lgode/data/motion/motion.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::fixture_text;
using lgode::testing::recorded_data;
using lgode::testing::replaced;

constexpr double kPi = std::numbers::pi;

Skeleton arm() { return parse_asf(fixture_text("motion/arm.asf"), "arm.asf"); }

std::vector<double> positions_at(const Skeleton& skeleton, const Motion& motion, std::int64_t frame) {
  std::vector<double> positions(3 * skeleton.bones.size());
  const auto width = static_cast<std::size_t>(skeleton.channels());
  joint_positions(skeleton, std::span(motion.channels).subspan(static_cast<std::size_t>(frame) * width, width),
                  positions);
  return positions;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LE(std::abs(got[i] - expected[i]), tolerance) << "at " << i;
}

TEST(Asf, ReadsASkeleton) {
  const Skeleton s = arm();
  EXPECT_EQ(s.name, "arm");
  EXPECT_EQ(s.length_unit, 0.5);
  ASSERT_EQ(s.bones.size(), 4U);
  EXPECT_EQ(s.bones[0].name, "root");
  EXPECT_EQ(s.bones[0].parent, -1);
  EXPECT_EQ(s.bones[1].name, "upper");
  EXPECT_EQ(s.bones[1].length, 2.0);
  EXPECT_EQ(s.bones[2].parent, 1);
  EXPECT_EQ(s.bones[3].parent, 2);
  EXPECT_EQ(s.bones[2].axis[2], kPi / 2);
  EXPECT_EQ(s.bones[1].channels, (std::vector{Channel::kRx, Channel::kRy, Channel::kRz}));
  EXPECT_TRUE(s.bones[3].channels.empty());
  ASSERT_EQ(s.bones[1].limits.size(), 3U);
  EXPECT_EQ(s.bones[1].limits[0].low, -kPi);
  EXPECT_TRUE(std::isinf(s.bones[1].limits[2].low));
  EXPECT_EQ(s.order, (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(s.channels(), 10);
}

TEST(Asf, ParentsMayComeLater) {
  std::string text = fixture_text("motion/arm.asf");
  text = replaced(text, "name upper", "name x");
  text = replaced(text, "name lower", "name upper");
  text = replaced(text, "name x", "name lower");
  const Skeleton s = parse_asf(text, "arm.asf");
  EXPECT_EQ(s.bones[1].name, "lower");
  EXPECT_EQ(s.bones[1].parent, 2);
  EXPECT_EQ(s.order, (std::vector<std::int32_t>{0, 2, 1, 3}));
}

TEST(Asf, LineEndsAndCaseDoNotMatter) {
  std::string text = fixture_text("motion/arm.asf");
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Skeleton s = parse_asf(replaced(windows, "dof rx ry rz", "DOF RX RY RZ"), "arm.asf");
  EXPECT_EQ(s.bones[1].channels.size(), 3U);
  EXPECT_EQ(s.bones[3].parent, 2);
}

TEST(Amc, ReadsMotion) {
  const Skeleton s = arm();
  const Motion m = parse_amc(fixture_text("motion/arm.amc"), "arm.amc", s);
  EXPECT_EQ(m.frames, 5);
  EXPECT_EQ(m.first_frame, 1);
  ASSERT_EQ(m.channels.size(), 50U);
  EXPECT_EQ(m.channels[0], 1.0);
  EXPECT_EQ(m.channels[18], kPi / 2);  // frame 2, upper, rz
  EXPECT_EQ(m.channels[49], kPi / 2);  // frame 5, lower, rx
}

TEST(Amc, BonesMayComeInAnyOrder) {
  const Skeleton s = arm();
  const Motion m = parse_amc("7\nlower 9\nupper 1 2 3\nroot 4 5 6 7 8 9\n", "arm.amc", s);
  EXPECT_EQ(m.first_frame, 7);
  EXPECT_EQ(m.channels[0], 4.0);
  EXPECT_EQ(m.channels[7], 2.0 * (kPi / 180.0));
  EXPECT_EQ(m.channels[9], 9.0 * (kPi / 180.0));
}

TEST(Amc, CountsWhatLiesBeyondLimits) {
  const Skeleton s = arm();
  EXPECT_EQ(beyond_limits(s, parse_amc("1\nroot 999 0 0 0 0 999\nupper 179 90 -999\nlower 170\n", "a", s)), 0);
  EXPECT_EQ(beyond_limits(s, parse_amc("1\nroot 0 0 0 0 0 0\nupper 181 91 121\nlower -11\n", "a", s)), 4);
}

// Worked out by hand: root at (1, 2, 3), an arm of length 2 along x, 1 along y, 1 along z.
TEST(Kinematics, PositionsByHand) {
  const Skeleton s = arm();
  const Motion m = parse_amc(fixture_text("motion/arm.amc"), "arm.amc", s);
  const double tolerance = 1e-15 * 8;
  // At rest.
  expect_near(positions_at(s, m, 0), {1, 2, 3, 3, 2, 3, 3, 3, 3, 3, 3, 4}, tolerance);
  // The upper arm turned about z: x becomes y, y becomes -x, for all that hangs on it.
  expect_near(positions_at(s, m, 1), {1, 2, 3, 1, 4, 3, 0, 4, 3, 0, 4, 4}, tolerance);
  // The whole turned about y: x becomes -z, z becomes x.
  expect_near(positions_at(s, m, 2), {1, 2, 3, 1, 2, 1, 1, 3, 1, 2, 3, 1}, tolerance);
  // First about x (y becomes z, z becomes -y), then about z; the other order would end elsewhere.
  expect_near(positions_at(s, m, 3), {1, 2, 3, 1, 4, 3, 1, 4, 4, 2, 4, 4}, tolerance);
  // The lower arm's own x axis is the world's y: the tip turns from z to x.
  expect_near(positions_at(s, m, 4), {1, 2, 3, 3, 2, 3, 3, 3, 3, 4, 3, 3}, tolerance);
}

TEST(Kinematics, OrderOfAxes) {
  // The bone's z axis by hand: XYZ makes it -y, YXZ makes it x.
  const auto end_of = [](const char* order) {
    std::string text = fixture_text("motion/arm.asf");
    text = replaced(text, "axis 0 0 0 XYZ\n    dof rx ry rz", fmt::format("axis 90 90 0 {}\n    dof rx ry rz", order));
    const Skeleton s = parse_asf(text, "arm.asf");
    const Motion m = parse_amc("1\nroot 0 0 0 0 0 0\nupper 0 0 90\nlower 0\n", "arm.amc", s);
    const std::vector<double> all = positions_at(s, m, 0);
    return std::vector<double>(all.begin() + 3, all.begin() + 6);
  };
  expect_near(end_of("XYZ"), {0, 0, 2}, 1e-15);
  expect_near(end_of("YXZ"), {2, 0, 0}, 1e-15);
}

TEST(Kinematics, RootOrderPositionAndOrientation) {
  std::string text = fixture_text("motion/arm.asf");
  text = replaced(text, "order TX TY TZ RX RY RZ", "order RZ TY RX TX RY TZ");
  text = replaced(text, "position 0 0 0", "position 10 20 30");
  text = replaced(text, "orientation 0 0 0", "orientation 0 0 90");
  const Skeleton s = parse_asf(text, "arm.asf");
  // First the offset (x becomes y), then about z (y becomes -x), then about x, which leaves -x.
  const Motion m = parse_amc("1\nroot 90 2 90 1 0 3\nupper 0 0 0\nlower 0\n", "arm.amc", s);
  const std::vector<double> p = positions_at(s, m, 0);
  expect_near({p.begin(), p.begin() + 6}, {11, 22, 33, 9, 22, 33}, 1e-14);
}

TEST(Kinematics, ShiftsMoveABone) {
  std::string text = fixture_text("motion/arm.asf");
  text = replaced(text, "dof rx\n    limits (-10.0 170.0)", "dof ty rx");
  const Skeleton s = parse_asf(text, "arm.asf");
  const Motion m = parse_amc("1\nroot 0 0 0 0 0 0\nupper 0 0 0\nlower 5 0\n", "arm.amc", s);
  const std::vector<double> p = positions_at(s, m, 0);
  expect_near({p.begin() + 6, p.end()}, {2, 6, 0, 2, 6, 1}, 1e-15);
}

// The same kinematics by other means.
struct Quaternion {
  double w = 1;
  Vector3 v{};
};
Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.v[0] * b.v[0] - a.v[1] * b.v[1] - a.v[2] * b.v[2],
          {a.w * b.v[0] + b.w * a.v[0] + a.v[1] * b.v[2] - a.v[2] * b.v[1],
           a.w * b.v[1] + b.w * a.v[1] + a.v[2] * b.v[0] - a.v[0] * b.v[2],
           a.w * b.v[2] + b.w * a.v[2] + a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
Quaternion inverse(const Quaternion& a) { return {a.w, {-a.v[0], -a.v[1], -a.v[2]}}; }
Quaternion about(std::size_t axis, double angle) {
  Quaternion q{std::cos(angle / 2), {}};
  q.v[axis] = std::sin(angle / 2);
  return q;
}

std::vector<double> positions_by_quaternions(const Skeleton& s, std::span<const double> channels) {
  std::vector<double> p(3 * s.bones.size());
  std::vector<Quaternion> frames(s.bones.size());
  std::vector<std::size_t> first(s.bones.size());
  for (std::size_t b = 1; b < first.size(); ++b) first[b] = first[b - 1] + s.bones[b - 1].channels.size();
  for (const std::int32_t index : s.order) {
    const auto b = static_cast<std::size_t>(index);
    const Bone& bone = s.bones[b];
    Quaternion own;
    Quaternion turn;
    Vector3 step{};
    for (const std::uint8_t axis : bone.axis_order) own = about(axis, bone.axis[axis]) * own;
    for (std::size_t i = 0; i < bone.channels.size(); ++i) {
      const double value = channels[first[b] + i];
      const std::size_t axis = axis_of(bone.channels[i]);
      if (is_rotation(bone.channels[i]))
        turn = about(axis, value) * turn;
      else
        step[axis] += value;
    }
    if (b == 0) {
      frames[b] = turn * own;
      for (std::size_t i = 0; i < 3; ++i) p[i] = s.position[i] + step[i];
      continue;
    }
    const auto parent = static_cast<std::size_t>(bone.parent);
    frames[b] = frames[parent] * own * turn * inverse(own);
    for (std::size_t i = 0; i < 3; ++i) step[i] += bone.length * bone.direction[i];
    const Quaternion end = frames[b] * Quaternion{0, step} * inverse(frames[b]);
    for (std::size_t i = 0; i < 3; ++i) p[3 * b + i] = p[3 * parent + i] + end.v[i];
  }
  return p;
}

// A skeleton of any shape; parents may come after their children.
Skeleton random_skeleton(Random& random, std::int64_t bones) {
  Skeleton s;
  s.name = "random";
  s.length_unit = random.uniform(0.1, 2.0);
  for (double& x : s.position) x = random.normal();
  const std::vector<std::int64_t> places = random.permutation(bones);
  s.bones.resize(static_cast<std::size_t>(bones) + 1);
  const auto turns = [&](Bone& bone) {
    for (double& x : bone.axis) x = random.uniform(-kPi, kPi);
    const std::vector<std::int64_t> order = random.permutation(3);
    for (std::size_t i = 0; i < 3; ++i) bone.axis_order[i] = static_cast<std::uint8_t>(order[i]);
    const std::int64_t count = bone.parent < 0 ? 6 : random.between(0, 4);
    for (const std::int64_t c : random.permutation(6)) {
      if (static_cast<std::int64_t>(bone.channels.size()) == count) break;
      bone.channels.push_back(static_cast<Channel>(c));
    }
  };
  s.bones[0].name = "root";
  turns(s.bones[0]);
  s.order = {0};
  for (std::int64_t k = 0; k < bones; ++k) {
    const auto index = static_cast<std::int32_t>(places[static_cast<std::size_t>(k)] + 1);
    Bone& bone = s.bones[static_cast<std::size_t>(index)];
    bone.name = fmt::format("b{}", index);
    bone.parent = s.order[random.below(s.order.size())];
    bone.length = random.uniform(0.0, 3.0);
    for (double& x : bone.direction) x = random.normal();
    const double norm = std::hypot(bone.direction[0], bone.direction[1], bone.direction[2]);
    for (double& x : bone.direction) x /= norm;
    turns(bone);
    if (random.coin())
      for (std::size_t i = 0; i < bone.channels.size(); ++i)
        bone.limits.push_back({-random.uniform(), random.uniform()});
    s.order.push_back(index);
  }
  return s;
}

Motion random_motion(Random& random, const Skeleton& skeleton, std::int64_t frames) {
  Motion m;
  m.frames = frames;
  m.first_frame = random.between(0, 50);
  for (std::int64_t i = 0; i < frames * skeleton.channels(); ++i) m.channels.push_back(random.uniform(-7.0, 7.0));
  return m;
}

TEST(Kinematics, AgreesWithQuaternions) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, RandomUse::kTest);
    const Skeleton s = random_skeleton(random, random.between(1, 20));
    const Motion m = random_motion(random, s, 3);
    for (std::int64_t f = 0; f < m.frames; ++f) {
      const auto width = static_cast<std::size_t>(s.channels());
      const auto row = std::span(m.channels).subspan(static_cast<std::size_t>(f) * width, width);
      // Places within about 200 of the origin; a few roundings per bone.
      expect_near(positions_at(s, m, f), positions_by_quaternions(s, row), 200 * 21 * 20 * 2.3e-16);
    }
  }
}

std::string written(const Skeleton& s) {
  std::string text =
      fmt::format(":version 1.10\n:name {}\n:units\n length {}\n angle rad\n:root\n order", s.name, s.length_unit);
  const auto channels = [&](const Bone& bone) {
    for (const Channel c : bone.channels) text += fmt::format(" {}", channel_name(c));
    text += '\n';
  };
  const auto order = [](const Bone& bone) {
    std::string word;
    for (const std::uint8_t axis : bone.axis_order) word += static_cast<char>('X' + axis);
    return word;
  };
  channels(s.bones[0]);
  text += fmt::format(" axis {}\n position {}\n orientation {}\n:bonedata\n", order(s.bones[0]),
                      fmt::join(s.position, " "), fmt::join(s.bones[0].axis, " "));
  for (std::size_t b = 1; b < s.bones.size(); ++b) {
    const Bone& bone = s.bones[b];
    text += fmt::format("begin\n id {}\n name {}\n direction {}\n length {}\n axis {} {}\n", b, bone.name,
                        fmt::join(bone.direction, " "), bone.length, fmt::join(bone.axis, " "), order(bone));
    if (!bone.channels.empty()) text += " dof";
    if (!bone.channels.empty()) channels(bone);
    if (!bone.limits.empty()) text += " limits";
    for (const Limits& limit : bone.limits) text += fmt::format(" ({} {})\n", limit.low, limit.high);
    text += "end\n";
  }
  text += ":hierarchy\nbegin\n";
  for (std::size_t b = 1; b < s.bones.size(); ++b)
    text += fmt::format("{} {}\n", s.bones[static_cast<std::size_t>(s.bones[b].parent)].name, s.bones[b].name);
  return text + "end\n";
}

std::string written(const Motion& m, const Skeleton& s) {
  std::string text = ":FULLY-SPECIFIED\n:RADIANS\n";
  auto next = m.channels.begin();
  for (std::int64_t f = 0; f < m.frames; ++f) {
    text += fmt::format("{}\n", m.first_frame + f);
    for (const Bone& bone : s.bones) {
      const auto end = next + static_cast<std::ptrdiff_t>(bone.channels.size());
      if (!bone.channels.empty()) text += fmt::format("{} {}\n", bone.name, fmt::join(next, end, " "));
      next = end;
    }
  }
  return text;
}

TEST(Motion, WrittenAndReadItIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed, RandomUse::kTest, {2});
    const Skeleton s = random_skeleton(random, random.between(1, 12));
    const Skeleton t = parse_asf(written(s), "written");
    EXPECT_EQ(t.length_unit, s.length_unit);
    EXPECT_EQ(t.position, s.position);
    ASSERT_EQ(t.bones.size(), s.bones.size());
    for (std::size_t b = 0; b < s.bones.size(); ++b) {
      EXPECT_EQ(t.bones[b].name, s.bones[b].name);
      EXPECT_EQ(t.bones[b].parent, s.bones[b].parent);
      EXPECT_EQ(t.bones[b].length, s.bones[b].length);
      EXPECT_EQ(t.bones[b].axis, s.bones[b].axis);
      EXPECT_EQ(t.bones[b].axis_order, s.bones[b].axis_order);
      EXPECT_EQ(t.bones[b].channels, s.bones[b].channels);
      ASSERT_EQ(t.bones[b].limits.size(), s.bones[b].limits.size());
      for (std::size_t i = 0; i < s.bones[b].limits.size(); ++i)
        EXPECT_EQ(t.bones[b].limits[i].high, s.bones[b].limits[i].high);
      // Directions are made unit vectors again.
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(t.bones[b].direction[i], s.bones[b].direction[i], 1e-15);
    }
    const Motion m = random_motion(random, s, random.between(1, 5));
    const Motion n = parse_amc(written(m, s), "written", t);
    EXPECT_EQ(n.frames, m.frames);
    EXPECT_EQ(n.first_frame, m.first_frame);
    EXPECT_EQ(n.channels, m.channels);
  }
}

// Subject 35 of the CMU database.
class RecordedMotion : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = recorded_data() / "cmu-mocap-35";
    if (!std::filesystem::exists(folder_ / "35.asf"))
      GTEST_SKIP() << "no recorded motion at " << folder_ << "; LGODE_TEST_DATA says where it is";
    skeleton_ = read_asf(folder_ / "35.asf");
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".amc") files_.push_back(entry.path());
    std::sort(files_.begin(), files_.end());
  }

  std::filesystem::path folder_;
  Skeleton skeleton_;
  std::vector<std::filesystem::path> files_;
};

TEST_F(RecordedMotion, BonesKeepTheirLengths) {
  ASSERT_EQ(skeleton_.bones.size(), 31U);
  EXPECT_EQ(skeleton_.length_unit, 0.45);
  ASSERT_EQ(files_.size(), 33U);
  std::int64_t frames = 0;
  for (const auto& file : files_) {
    const Motion m = read_amc(file, skeleton_);
    const Trial trial = make_trial(skeleton_, m, file.stem().string(), Part::kTrain);
    frames += m.frames;
    double worst = 0;
    for (std::size_t f = 0; f < static_cast<std::size_t>(m.frames); ++f) {
      const double* p = trial.positions.data() + f * 93;
      for (std::size_t b = 1; b < 31; ++b) {
        const double* q = p + 3 * skeleton_.bones[b].parent;
        const double length = std::hypot(p[3 * b] - q[0], p[3 * b + 1] - q[1], p[3 * b + 2] - q[2]);
        worst = std::max(worst, std::abs(length - skeleton_.bones[b].length));
      }
    }
    EXPECT_LT(worst, 1e-12) << file;
  }
  EXPECT_EQ(frames, 11199);
}

TEST_F(RecordedMotion, AgreesWithQuaternions) {
  for (const char* name : {"35_01.amc", "35_17.amc", "35_34.amc"}) {
    const Motion m = read_amc(folder_ / name, skeleton_);
    for (std::int64_t f = 0; f < m.frames; f += 10) {
      const auto row = std::span(m.channels).subspan(static_cast<std::size_t>(f) * 62, 62);
      expect_near(positions_at(skeleton_, m, f), positions_by_quaternions(skeleton_, row), 1e-11);
    }
  }
}

// People walk upright, on the ground, forwards: what mirrored or swapped axes would break.
TEST_F(RecordedMotion, WalksLookLikeWalks) {
  const auto bone = [&](const char* name) {
    const auto found =
        std::find_if(skeleton_.bones.begin(), skeleton_.bones.end(), [&](const Bone& b) { return b.name == name; });
    return static_cast<std::size_t>(found - skeleton_.bones.begin());
  };
  const Motion m = read_amc(folder_ / "35_01.amc", skeleton_);
  const Trial trial = make_trial(skeleton_, m, "35_01", Part::kTrain);
  for (std::size_t f = 0; f < static_cast<std::size_t>(m.frames); ++f) {
    const double* p = trial.positions.data() + f * 93;
    EXPECT_GT(p[3 * bone("head") + 1], p[1] + 8);                                  // the head is above the hips
    EXPECT_LT(std::min(p[3 * bone("ltoes") + 1], p[3 * bone("rtoes") + 1]), 1.5);  // a foot is on the ground
    EXPECT_GT(p[3 * bone("ltoes") + 2] - p[3 * bone("lfoot") + 2], -2);  // toes point the way they walk, towards z
  }
  const std::size_t last = (static_cast<std::size_t>(m.frames) - 1) * 93;
  EXPECT_GT(trial.positions[last + 2] - trial.positions[2], 40);
}

}  // namespace
}  // namespace lgode::data
