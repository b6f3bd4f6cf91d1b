// Fuzzes AMC files: motion of a small skeleton, and the kinematics of what was accepted.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "lgode/data/motion/skeleton.h"
#include "target.h"

namespace {

constexpr const char* kSkeleton =
    ":units\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n"
    "begin\n id 1\n name upper\n direction 1 0 0\n length 2\n axis 0 0 0 XYZ\n dof rx ry rz\nend\n"
    "begin\n id 2\n name lower\n direction 0 1 0\n length 1\n axis 0 0 90 XYZ\n dof rx\nend\n"
    "begin\n id 3\n name tip\n direction 0 0 1\n length 1\n axis 0 0 0 XYZ\nend\n"
    ":hierarchy\nbegin\n root upper\n upper lower\n lower tip\nend\n";

}  // namespace

void lgode::fuzz::run(std::string_view input) {
  static const data::Skeleton skeleton = data::parse_asf(kSkeleton, "skeleton");
  const data::Motion motion = data::parse_amc(input, "fuzz.amc", skeleton);
  const auto width = static_cast<std::size_t>(skeleton.channels());
  if (motion.channels.size() != static_cast<std::size_t>(motion.frames) * width) std::abort();
  std::vector<double> positions(3 * skeleton.bones.size());
  for (std::size_t f = 0; f < static_cast<std::size_t>(motion.frames); ++f) {
    data::joint_positions(skeleton, std::span(motion.channels).subspan(f * width, width), positions);
    for (const double x : positions)
      if (std::isnan(x)) std::abort();
  }
}
