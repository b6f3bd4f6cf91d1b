// Reads skeletons from ASF files. Sections start with a colon. Keywords are case-insensitive, names are not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/nearest.h"
#include "lgode/data/motion/skeleton.h"
#include "motion_text.h"

namespace lgode::data {
namespace {

// Directions in files have six digits.
constexpr double kUnitTolerance = 1e-2;

class AsfReader {
 public:
  AsfReader(std::string_view text, const std::string& where) : lines_(text, where) {
    Bone root;
    root.name = "root";
    skeleton_.bones.push_back(root);
    index_["root"] = 0;
  }

  Skeleton read() {
    bool more = lines_.next();
    if (!more) lines_.fail_at(1, "the file has no content, expected a skeleton (:root, :bonedata, :hierarchy)");
    while (more) more = section();
    finish();
    return std::move(skeleton_);
  }

 private:
  using Parts = std::map<std::string, bool>;

  bool at_section() const { return lines_.words().front().front() == ':'; }

  // Reads one section, its title being the current line; false at the end of the file.
  bool section() {
    if (!at_section())
      lines_.fail(
          fmt::format("'{}' is outside any section, expected a word that starts with ':'", lines_.words().front()));
    const std::string title = lower(lines_.words().front());
    if (title != ":documentation" && !seen_.insert({title, lines_.line()}).second)
      lines_.fail(fmt::format("section '{}' comes twice, first in line {}", title, seen_[title]));
    if (title == ":version") return one_line([&] { lines_.number(1, "the format's version"); });
    if (title == ":name") return one_line([&] { skeleton_.name = lines_.word(1, "a name"); });
    if (title == ":units") return body([&] { unit_line(); });
    if (title == ":documentation" || title == ":skin") return body([] {});
    if (title == ":root") return body([&] { root_line(); });
    if (title == ":bonedata") return bones();
    if (title == ":hierarchy") return hierarchy();
    lines_.fail(
        fmt::format("section '{}' is unknown{}; expected :version, :name, :units, :documentation, :root, "
                    ":bonedata, :hierarchy or :skin",
                    title, suggestion(title, {":version", ":name", ":units", ":root", ":bonedata", ":hierarchy"})));
  }

  static std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const std::string near = nearest(word, known);
    return near.empty() ? "" : fmt::format(", did you mean '{}'?", near);
  }

  template <class Line>
  bool one_line(Line&& line) {
    line();
    return lines_.next();
  }

  // Calls `line` for each line up to the next section.
  template <class Line>
  bool body(Line&& line) {
    while (lines_.next()) {
      if (at_section()) return true;
      line();
    }
    return false;
  }

  void unit_line() {
    const std::string key = lower(lines_.words().front());
    if (key == "mass") {
      lines_.number(1, "the unit of mass");
      lines_.expect_words(2, "one number");
    } else if (key == "length") {
      skeleton_.length_unit = lines_.number(1, "the unit of length");
      lines_.expect_words(2, "one number");
      if (!(skeleton_.length_unit > 0))
        lines_.fail(fmt::format("the unit of length is {}, expected a positive number", lines_.words()[1]));
    } else if (key == "angle") {
      to_radians_ = angle_unit(lower(lines_.word(1, "deg or rad")));
    } else {
      lines_.fail(fmt::format("unit '{}' is unknown, expected mass, length or angle", lines_.words().front()));
    }
  }

  double angle_unit(const std::string& word) const {
    if (word == "deg") return std::numbers::pi / 180.0;
    if (word == "rad") return 1.0;
    lines_.fail(fmt::format("angles are in '{}', expected deg or rad", word));
  }

  void root_line() {
    Bone& root = skeleton_.bones.front();
    const std::string key = lower(lines_.words().front());
    if (key == "order") {
      root.channels = channels();
    } else if (key == "axis") {
      root.axis_order = axis_order(1);
    } else if (key == "position") {
      skeleton_.position = vector(1);
      lines_.expect_words(4, "three coordinates");
    } else if (key == "orientation") {
      root.axis = vector(1);
      lines_.expect_words(4, "three angles");
    } else {
      lines_.fail(fmt::format("'{}' is unknown in :root, expected order, axis, position or orientation",
                              lines_.words().front()));
    }
  }

  // The words after the first one, each a channel, none twice.
  std::vector<Channel> channels() const {
    std::vector<Channel> found;
    for (std::size_t i = 1; i < lines_.words().size(); ++i) {
      Channel channel{};
      if (!parse_channel(lines_.words()[i], channel))
        lines_.fail(
            fmt::format("degree of freedom '{}' is unknown, expected tx, ty, tz, rx, ry or rz{}", lines_.words()[i],
                        lower(lines_.words()[i]) == "l" ? "; bones that change their length are not read" : ""));
      if (std::find(found.begin(), found.end(), channel) != found.end())
        lines_.fail(fmt::format("degree of freedom '{}' comes twice", lines_.words()[i]));
      found.push_back(channel);
    }
    return found;
  }

  std::array<std::uint8_t, 3> axis_order(std::size_t at) const {
    const std::string word = lower(lines_.word(at, "an order of axes such as XYZ"));
    std::string sorted = word;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != "xyz") lines_.fail(fmt::format("order of axes '{}' is invalid, expected such as XYZ", word));
    std::array<std::uint8_t, 3> order{};
    for (std::size_t i = 0; i < 3; ++i) order[i] = static_cast<std::uint8_t>(word[i] - 'x');
    return order;
  }

  Vector3 vector(std::size_t at) const {
    return {lines_.number(at, "three numbers"), lines_.number(at + 1, "three numbers"),
            lines_.number(at + 2, "three numbers")};
  }

  bool bones() {
    while (lines_.next()) {
      if (at_section()) return true;
      if (lower(lines_.words().front()) != "begin")
        lines_.fail(fmt::format("'{}' is between bones, expected begin", lines_.words().front()));
      bone();
    }
    return false;
  }

  void bone() {
    const std::int64_t begin = lines_.line();
    Bone bone;
    Parts given;
    std::vector<double> limits;
    std::string key;
    while (true) {
      if (!lines_.next() || at_section()) lines_.fail_at(begin, "this bone has no end; is the file cut off?");
      double first = 0.0;
      // Limits continue for as many lines as there are channels.
      const bool goes_on = key == "limits" && parse_number(lines_.words().front(), first);
      if (!goes_on) key = lower(lines_.words().front());
      if (key == "end") break;
      if (!goes_on && !given.insert({key, true}).second)
        lines_.fail(fmt::format("'{}' comes twice in one bone", lines_.words().front()));
      bone_line(key, goes_on ? 0 : 1, bone, limits);
    }
    check_bone(begin, given, bone, limits);
    index_[bone.name] = static_cast<std::int32_t>(skeleton_.bones.size());
    bone_lines_.push_back(begin);
    skeleton_.bones.push_back(std::move(bone));
  }

  void bone_line(const std::string& key, std::size_t at, Bone& bone, std::vector<double>& limits) const {
    if (key == "id") {
      lines_.whole(1, "the bone's number");
    } else if (key == "name") {
      bone.name = lines_.word(1, "a name");
      if (index_.contains(bone.name)) lines_.fail(fmt::format("bone '{}' comes twice", bone.name));
    } else if (key == "direction") {
      bone.direction = vector(1);
      lines_.expect_words(4, "three numbers");
    } else if (key == "length") {
      bone.length = lines_.number(1, "a length");
      lines_.expect_words(2, "one number, with a point if any");
      if (bone.length < 0) lines_.fail(fmt::format("a bone's length is {}, expected 0 or more", bone.length));
    } else if (key == "axis") {
      bone.axis = vector(1);
      bone.axis_order = axis_order(4);
      lines_.expect_words(5, "three angles and an order of axes");
    } else if (key == "dof") {
      bone.channels = channels();
    } else if (key == "limits") {
      for (; at < lines_.words().size(); ++at) limits.push_back(limit(at));
    } else if (key != "bodymass" && key != "cofmass") {
      lines_.fail(
          fmt::format("'{}' is unknown in a bone{}; expected id, name, direction, length, axis, dof, limits, "
                      "bodymass, cofmass or end",
                      key, suggestion(key, {"name", "direction", "length", "axis", "dof", "limits"})));
    }
  }

  // Infinite limits occur in real files.
  double limit(std::size_t at) const {
    double value = 0.0;
    if (!parse_number(lines_.words()[at], value))
      lines_.fail(fmt::format("limit '{}' is not a number", lines_.words()[at]));
    return value;
  }

  void check_bone(std::int64_t begin, const Parts& given, Bone& bone, const std::vector<double>& limits) const {
    for (const char* key : {"name", "direction", "length", "axis"})
      if (!given.contains(key)) lines_.fail_at(begin, fmt::format("this bone has no {}", key));
    const auto& d = bone.direction;
    const double norm = std::hypot(d[0], d[1], d[2]);
    if (bone.length > 0 && !(std::abs(norm - 1.0) <= kUnitTolerance))
      lines_.fail_at(begin, fmt::format("the direction of bone '{}' has length {:.6g}, expected 1", bone.name, norm));
    if (bone.length > 0)
      for (double& x : bone.direction) x /= norm;
    if (limits.size() % 2 != 0 || (!limits.empty() && limits.size() != 2 * bone.channels.size()))
      lines_.fail_at(begin, fmt::format("bone '{}' has {} limits, expected two for each of its {} degrees of freedom",
                                        bone.name, limits.size(), bone.channels.size()));
    for (std::size_t i = 0; i < limits.size(); i += 2) {
      if (limits[i] > limits[i + 1])
        lines_.fail_at(begin, fmt::format("bone '{}' has the limits {} to {}, expected the lower one first", bone.name,
                                          limits[i], limits[i + 1]));
      bone.limits.push_back({limits[i], limits[i + 1]});
    }
  }

  bool hierarchy() {
    parents_line_.assign(skeleton_.bones.size(), 0);
    const std::int64_t title = lines_.line();
    if (!lines_.next() || lower(lines_.words().front()) != "begin")
      lines_.fail_at(title, "expected begin after :hierarchy");
    while (true) {
      if (!lines_.next() || at_section()) lines_.fail_at(title, ":hierarchy has no end; is the file cut off?");
      if (lower(lines_.words().front()) == "end") return lines_.next();
      const std::int32_t parent = known(lines_.words().front());
      for (std::size_t i = 1; i < lines_.words().size(); ++i) join(parent, known(lines_.words()[i]));
    }
  }

  std::int32_t known(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    if (found != index_.end()) return found->second;
    std::vector<std::string> names;
    for (const Bone& bone : skeleton_.bones) names.push_back(bone.name);
    lines_.fail(fmt::format("bone '{}' is not among the {} of :bonedata{}", name, names.size() - 1,
                            suggestion(std::string(name), names)));
  }

  void join(std::int32_t parent, std::int32_t child) {
    const auto c = static_cast<std::size_t>(child);
    Bone& bone = skeleton_.bones[c];
    if (child == 0) lines_.fail("root is a child of another bone, expected it at the top");
    if (bone.parent >= 0)
      lines_.fail(
          fmt::format("bone '{}' has a second parent, the first one is in line {}", bone.name, parents_line_[c]));
    bone.parent = parent;
    parents_line_[c] = lines_.line();
  }

  void finish() {
    for (const char* title : {":root", ":bonedata", ":hierarchy"})
      if (!seen_.contains(title)) lines_.fail_at(lines_.lines(), fmt::format("the file has no {} section", title));
    if (skeleton_.bones.front().channels.empty())
      lines_.fail_at(seen_[":root"], ":root has no order, expected such as TX TY TZ RX RY RZ");
    settle_order();
    // Units may come after what they measure.
    for (Bone& bone : skeleton_.bones) {
      for (double& angle : bone.axis) angle *= to_radians_;
      for (std::size_t i = 0; i < bone.limits.size(); ++i) {
        if (!is_rotation(bone.channels[i])) continue;
        bone.limits[i].low *= to_radians_;
        bone.limits[i].high *= to_radians_;
      }
    }
  }

  // From the root down; a bone that is not reached has no parent or is part of a cycle.
  void settle_order() {
    std::vector<std::vector<std::int32_t>> children(skeleton_.bones.size());
    for (std::size_t b = 1; b < skeleton_.bones.size(); ++b) {
      const Bone& bone = skeleton_.bones[b];
      if (bone.parent < 0)
        lines_.fail_at(bone_lines_[b - 1], fmt::format("bone '{}' has no parent in :hierarchy", bone.name));
      children[static_cast<std::size_t>(bone.parent)].push_back(static_cast<std::int32_t>(b));
    }
    skeleton_.order = {0};
    for (std::size_t i = 0; i < skeleton_.order.size(); ++i)
      for (const std::int32_t child : children[static_cast<std::size_t>(skeleton_.order[i])])
        skeleton_.order.push_back(child);
    if (skeleton_.order.size() == skeleton_.bones.size()) return;
    std::vector<bool> reached(skeleton_.bones.size());
    for (const std::int32_t b : skeleton_.order) reached[static_cast<std::size_t>(b)] = true;
    const auto lost = static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
    lines_.fail_at(parents_line_[lost], fmt::format("bone '{}' is not connected to the root, its parents form a cycle",
                                                    skeleton_.bones[lost].name));
  }

  MotionLines lines_;
  Skeleton skeleton_;
  double to_radians_ = std::numbers::pi / 180.0;
  std::map<std::string, std::int64_t> seen_;   // section to line
  std::map<std::string, std::int32_t> index_;  // bone by name
  std::vector<std::int64_t> bone_lines_;       // [B-1] where a bone begins
  std::vector<std::int64_t> parents_line_;     // [B] where the hierarchy names it as a child
};

}  // namespace

std::int64_t Skeleton::channels() const {
  std::size_t count = 0;
  for (const Bone& bone : bones) count += bone.channels.size();
  return static_cast<std::int64_t>(count);
}

Skeleton parse_asf(std::string_view text, const std::string& where) { return AsfReader(text, where).read(); }

Skeleton read_asf(const std::filesystem::path& path) { return parse_asf(read_text(path), path.string()); }

}  // namespace lgode::data
