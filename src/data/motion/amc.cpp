// Reads motion from AMC files: a line with the frame's number, then one line per bone with its degrees of freedom.
#include <fmt/format.h>

#include <map>
#include <numbers>

#include "lgode/core/file.h"
#include "lgode/core/nearest.h"
#include "lgode/data/motion/skeleton.h"
#include "motion_text.h"

namespace lgode::data {
namespace {

class AmcReader {
 public:
  AmcReader(std::string_view text, const std::string& where, const Skeleton& skeleton)
      : lines_(text, where), skeleton_(skeleton) {
    for (const Bone& bone : skeleton.bones) {
      index_[bone.name] = first_channel_.size();
      first_channel_.push_back(width_);
      width_ += bone.channels.size();
    }
    bone_line_.resize(skeleton.bones.size());
  }

  Motion read() {
    while (lines_.next()) {
      if (lines_.words().front().front() == ':')
        keyword();
      else if (is_frame_line())
        begin_frame();
      else
        bone_line();
    }
    if (motion_.frames == 0) lines_.fail_at(lines_.lines(), "the file has no frames; is it cut off?");
    end_frame(/*last=*/true);
    return std::move(motion_);
  }

 private:
  bool is_frame_line() const {
    double value = 0.0;
    return lines_.words().size() == 1 && parse_number(lines_.words().front(), value);
  }

  void keyword() {
    const std::string word = lower(lines_.words().front());
    if (motion_.frames > 0) lines_.fail(fmt::format("'{}' is among the frames, expected it before them", word));
    if (word == ":degrees")
      to_radians_ = std::numbers::pi / 180.0;
    else if (word == ":radians")
      to_radians_ = 1.0;
    else if (word != ":fully-specified")
      lines_.fail(fmt::format("'{}' is unknown, expected :FULLY-SPECIFIED, :DEGREES or :RADIANS", word));
  }

  void begin_frame() {
    const std::int64_t number = lines_.whole(0, "a frame's number");
    if (motion_.frames == 0) {
      if (number < 0) lines_.fail(fmt::format("the first frame is {}, expected 0 or more", number));
      motion_.first_frame = number;
    } else {
      end_frame(/*last=*/false);
      if (number != frame_ + 1)
        lines_.fail(fmt::format("frame {} comes after {}, expected {}", number, frame_, frame_ + 1));
    }
    frame_ = number;
    frame_at_ = lines_.line();
    ++motion_.frames;
    motion_.channels.resize(motion_.channels.size() + width_);
    bone_line_.assign(bone_line_.size(), 0);
  }

  void bone_line() {
    const std::string name(lines_.words().front());
    if (motion_.frames == 0)
      lines_.fail(fmt::format("'{}' is before the first frame, expected a frame's number", name));
    const auto found = index_.find(name);
    if (found == index_.end()) unknown(name);
    const std::size_t b = found->second;
    const Bone& bone = skeleton_.bones[b];
    if (bone_line_[b] != 0)
      lines_.fail(fmt::format("bone '{}' comes twice in frame {}, first in line {}", name, frame_, bone_line_[b]));
    bone_line_[b] = lines_.line();
    if (lines_.words().size() != bone.channels.size() + 1)
      lines_.fail(fmt::format("bone '{}' has {} values in frame {}, expected {} ({})", name, lines_.words().size() - 1,
                              frame_, bone.channels.size(), channel_names(bone)));
    double* values = motion_.channels.data() + motion_.channels.size() - width_ + first_channel_[b];
    for (std::size_t i = 0; i < bone.channels.size(); ++i) {
      const double value = lines_.number(i + 1, fmt::format("{} of bone '{}'", channel_name(bone.channels[i]), name));
      values[i] = is_rotation(bone.channels[i]) ? value * to_radians_ : value;
    }
  }

  static std::string channel_names(const Bone& bone) {
    std::string names;
    for (const Channel channel : bone.channels)
      names += fmt::format("{}{}", names.empty() ? "" : " ", channel_name(channel));
    return names.empty() ? "it cannot move" : names;
  }

  [[noreturn]] void unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const Bone& bone : skeleton_.bones) names.push_back(bone.name);
    const std::string near = nearest(name, names);
    lines_.fail(fmt::format(
        "bone '{}' is not in the skeleton{}", name,
        near.empty() ? "; is this the skeleton of another subject?" : fmt::format(", did you mean '{}'?", near)));
  }

  // Every bone that can move must be present.
  void end_frame(bool last) const {
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      if (bone_line_[b] != 0 || skeleton_.bones[b].channels.empty()) continue;
      const std::string& name = skeleton_.bones[b].name;
      if (last)
        lines_.fail_at(lines_.lines(),
                       fmt::format("the file ends within frame {}, before bone '{}'; is it cut off?", frame_, name));
      lines_.fail_at(frame_at_, fmt::format("frame {} lacks bone '{}'", frame_, name));
    }
  }

  MotionLines lines_;
  const Skeleton& skeleton_;
  Motion motion_;
  // The format's default.
  double to_radians_ = std::numbers::pi / 180.0;
  std::map<std::string, std::size_t> index_;  // bone by name
  std::vector<std::size_t> first_channel_;    // [B]
  std::size_t width_ = 0;                     // C
  std::int64_t frame_ = 0;
  std::int64_t frame_at_ = 0;
  std::vector<std::int64_t> bone_line_;  // [B] where the current frame has it; 0: not yet
};

}  // namespace

Motion parse_amc(std::string_view text, const std::string& where, const Skeleton& skeleton) {
  return AmcReader(text, where, skeleton).read();
}

Motion read_amc(const std::filesystem::path& path, const Skeleton& skeleton) {
  return parse_amc(read_text(path), path.string(), skeleton);
}

}  // namespace lgode::data
