// Forward kinematics: from the channels of a frame to the positions of all joints.
#include <array>
#include <cmath>
#include <vector>

#include "lgode/data/motion/skeleton.h"

namespace lgode::data {
namespace {

using Matrix3 = std::array<Vector3, 3>;  // rows

constexpr Matrix3 kIdentity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}

Matrix3 transposed(const Matrix3& a) {
  return {{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}

Vector3 product(const Matrix3& a, const Vector3& x) {
  Vector3 y{};
  for (std::size_t i = 0; i < 3; ++i) y[i] = a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2];
  return y;
}

// A right-handed rotation about one axis.
Matrix3 turn(std::size_t axis, double angle) {
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;
  Matrix3 r = kIdentity;
  r[u][u] = r[v][v] = std::cos(angle);
  r[v][u] = std::sin(angle);
  r[u][v] = -r[v][u];
  return r;
}

// C: rotations about fixed axes, the first of the order first.
Matrix3 axes_of(const Bone& bone) {
  Matrix3 c = kIdentity;
  for (const std::uint8_t axis : bone.axis_order) c = product(turn(axis, bone.axis[axis]), c);
  return c;
}

}  // namespace

void joint_positions(const Skeleton& skeleton, std::span<const double> channels, std::span<double> positions) {
  std::vector<const double*> first(skeleton.bones.size());
  const double* next = channels.data();
  for (std::size_t b = 0; b < first.size(); ++b) {
    first[b] = next;
    next += skeleton.bones[b].channels.size();
  }
  std::vector<Matrix3> frames(skeleton.bones.size());
  for (const std::int32_t index : skeleton.order) {
    const auto b = static_cast<std::size_t>(index);
    const Bone& bone = skeleton.bones[b];
    Matrix3 m = kIdentity;
    Vector3 shift{};
    for (std::size_t i = 0; i < bone.channels.size(); ++i) {
      const std::size_t axis = axis_of(bone.channels[i]);
      if (is_rotation(bone.channels[i]))
        m = product(turn(axis, first[b][i]), m);
      else
        shift[axis] = first[b][i];
    }
    const Matrix3 c = axes_of(bone);
    double* p = positions.data() + 3 * b;
    if (bone.parent < 0) {
      frames[b] = product(m, c);
      for (std::size_t i = 0; i < 3; ++i) p[i] = skeleton.position[i] + shift[i];
      continue;
    }
    const auto parent = static_cast<std::size_t>(bone.parent);
    frames[b] = product(frames[parent], product(product(c, m), transposed(c)));
    for (std::size_t i = 0; i < 3; ++i) shift[i] += bone.length * bone.direction[i];
    const Vector3 step = product(frames[b], shift);
    for (std::size_t i = 0; i < 3; ++i) p[i] = positions[3 * parent + i] + step[i];
  }
}

std::int64_t beyond_limits(const Skeleton& skeleton, const Motion& motion) {
  std::vector<Limits> limits;
  constexpr double kFar = HUGE_VAL;
  for (const Bone& bone : skeleton.bones)
    for (std::size_t i = 0; i < bone.channels.size(); ++i)
      limits.push_back(bone.limits.empty() ? Limits{-kFar, kFar} : bone.limits[i]);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < motion.channels.size(); ++i) {
    const Limits& limit = limits[i % limits.size()];
    count += motion.channels[i] < limit.low || motion.channels[i] > limit.high ? 1 : 0;
  }
  return count;
}

}  // namespace lgode::data
