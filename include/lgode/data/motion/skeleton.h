// Motion capture in Acclaim's two text files, as the CMU database has it: a skeleton (ASF) and motion of it (AMC), and
// the forward kinematics that make joint positions of them. After the Acclaim Skeleton File Definition 1.10 (Schafer,
// 1995) and Vicon's notes on it. Skins, masses and bones that change their length (channel "l") are not read.
//
// Shapes: B bones with the root, C channels of all bones together, F frames.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::data {

using Vector3 = std::array<double, 3>;

enum class Channel : std::uint8_t { kTx, kTy, kTz, kRx, kRy, kRz };
constexpr bool is_rotation(Channel channel) { return channel >= Channel::kRx; }
constexpr std::size_t axis_of(Channel channel) { return static_cast<std::size_t>(channel) % 3; }  // 0 x, 1 y, 2 z
std::string_view channel_name(Channel channel);                                                   // "tx", ...

// The limits of a channel as the file states them; they are not enforced. Radians, or the file's length unit.
struct Limits {
  double low = 0.0;
  double high = 0.0;
};

// A bone goes from the end of its parent to its own end. The root is a bone of no length.
struct Bone {
  std::string name;
  std::int32_t parent = -1;                            // root: -1
  Vector3 direction{};                                 // unit vector in world axes, at rest
  double length = 0.0;                                 // the file's unit
  Vector3 axis{};                                      // angles of its own axes against the world's, radians
  std::array<std::uint8_t, 3> axis_order = {0, 1, 2};  // which of them rotates first, about fixed axes
  std::vector<Channel> channels;                       // in the order of the AMC file and of the rotations
  std::vector<Limits> limits;                          // one per channel, or none
};

struct Skeleton {
  std::string name;
  double length_unit = 1.0;         // the file's "units length"; CMU: value / length_unit are inches
  Vector3 position{};               // where the root starts from
  std::vector<Bone> bones;          // [B] the root first, the others as in the file
  std::vector<std::int32_t> order;  // [B] indices of bones, every parent before its children

  std::int64_t channels() const;  // C
};

// Motion of a skeleton.
struct Motion {
  std::int64_t frames = 0;
  std::int64_t first_frame = 1;  // its number in the file
  std::vector<double> channels;  // [F, C] bone by bone in the skeleton's order; radians and the file's unit of length
};

// Each reads the text of a file; `where` names it in errors. DataError says line, value and what was expected: bytes
// that are not plain text, unknown sections or words, invalid numbers, bones absent, repeated or
// unknown, a hierarchy that is not a tree, degrees of freedom too many or too few, frames out of order, incomplete or
// cut off.
Skeleton parse_asf(std::string_view text, const std::string& where);
Motion parse_amc(std::string_view text, const std::string& where, const Skeleton& skeleton);

Skeleton read_asf(const std::filesystem::path& path);
Motion read_amc(const std::filesystem::path& path, const Skeleton& skeleton);

// World positions of all bones' ends in one frame, [B, 3]; `channels` is a row of Motion::channels, [C].
//   G_i = G_parent C_i M_i C_i^-1,   p_i = p_parent + G_i (t_i + length_i direction_i)
// C_i rotates the world's axes into the bone's, M_i and t_i are the rotation and the shift that its channels give. The
// root's orientation rotates the skeleton before its channels do: G = M C, p = position + t.
void joint_positions(const Skeleton& skeleton, std::span<const double> channels, std::span<double> positions);

// How many of the motion's values are outside their limits; limits of a cleaned-up capture are often exceeded.
std::int64_t beyond_limits(const Skeleton& skeleton, const Motion& motion);

}  // namespace lgode::data
