// Draws a system: paths in the plane, a strip of poses, or values over time.
#include "lgode/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <span>

#include "figure_key.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "panel.h"

namespace lgode::report {
namespace {

constexpr std::size_t kEllipse = 20;  // corners
constexpr double kNearest = 1.5;      // pixels between points of a future

// One feature of an object: observations and prediction.
class Series {
 public:
  Series(const SystemView& view, std::size_t object, int feature)
      : object_(view.objects[object]), times_(view.times), width_(static_cast<std::size_t>(view.features())) {
    f_ = static_cast<std::size_t>(feature);
    mean_ = view.mean.data() + object * times_.size() * width_;
    low_ = view.low.data() + object * times_.size() * width_;
    high_ = view.high.data() + object * times_.size() * width_;
    const auto count = static_cast<std::size_t>(view.futures.count);
    futures_ = view.futures.values.data() + object * count * times_.size() * width_;
    probability_ = std::span(view.futures.probability).subspan(object * count, count);
  }
  double observed(std::size_t k) const { return object_.values[k * width_ + f_]; }
  double mean(std::size_t k) const { return mean_[k * width_ + f_]; }
  double low(std::size_t k) const { return low_[k * width_ + f_]; }
  double high(std::size_t k) const { return high_[k * width_ + f_]; }
  // Of the j-th most probable future.
  double future(std::size_t j, std::size_t k) const { return futures_[(j * times_.size() + k) * width_ + f_]; }
  std::span<const double> probability() const { return probability_; }
  // On the line between neighbouring observations; NaN outside them.
  double truth_at(double time) const {
    double before = std::numeric_limits<double>::quiet_NaN(), at = before;
    for (std::size_t k = 0; k < object_.times.size(); ++k) {
      const double x = observed(k), t = object_.times[k];
      if (std::isnan(x)) continue;
      if (t >= time) {
        if (t == time || std::isnan(before)) return t == time ? x : std::numeric_limits<double>::quiet_NaN();
        return before + (x - before) * (time - at) / (t - at);
      }
      before = x, at = t;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  double mean_at(double time) const {
    if (times_.empty() || time < times_.front() - 1e-9 || time > times_.back() + 1e-9)
      return std::numeric_limits<double>::quiet_NaN();
    const auto next = std::lower_bound(times_.begin(), times_.end(), time);
    const std::size_t k =
        std::clamp<std::size_t>(static_cast<std::size_t>(next - times_.begin()), 1, times_.size() - 1);
    const double share = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
    return mean(k - 1) + share * (mean(k) - mean(k - 1));
  }
  const ObjectView& object() const { return object_; }

 private:
  const ObjectView& object_;
  const std::vector<double>& times_;
  std::size_t width_, f_ = 0;
  const double *mean_ = nullptr, *low_ = nullptr, *high_ = nullptr, *futures_ = nullptr;
  std::span<const double> probability_;
};

// Objects that are drawn: the named ones; or all, or evenly spaced ones.
std::vector<std::size_t> chosen(const SystemView& view, const FigureOptions& options, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(view.objects.size());
  std::vector<std::size_t> out;
  for (const std::string& name : options.names) {
    std::vector<std::string> ids;
    for (const ObjectView& object : view.objects) ids.push_back(object.id);
    const auto found = std::find(ids.begin(), ids.end(), name);
    if (found == ids.end())
      throw ConfigError(fmt::format("system '{}' has no object '{}'{}", view.id, name, did_you_mean(name, ids)));
    out.push_back(static_cast<std::size_t>(found - ids.begin()));
  }
  if (!out.empty()) return out;
  if (options.objects > 0) most = options.objects;
  for (std::int64_t k = 0; k < std::min(count, most); ++k)
    out.push_back(static_cast<std::size_t>(count <= most ? k : k * count / most));
  return out;
}

// A point of a path; NaN where one coordinate is unknown.
Point point_or_gap(const Panel& panel, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) ? panel.at(x, y) : Point{std::nan(""), std::nan("")};
}

// The band of a path in the plane: an ellipse at each of the `times`.
void ellipses(Drawing& drawing, const Panel& panel, std::size_t times, const Series& x, const Series& y,
              Colour colour) {
  const Range &across = panel.across, &up = panel.up;
  for (std::size_t k = 0; k < times; ++k) {
    if (!std::isfinite(x.low(k)) || !std::isfinite(y.low(k))) continue;
    std::vector<Point> corners;
    const double rx = 0.5 * (x.high(k) - x.low(k)), ry = 0.5 * (y.high(k) - y.low(k));
    const double cx = 0.5 * (x.high(k) + x.low(k)), cy = 0.5 * (y.high(k) + y.low(k));
    for (std::size_t c = 0; c < kEllipse; ++c) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(c) / kEllipse;
      const Point p = panel.at(std::clamp(cx + rx * std::cos(angle), across.low, across.high),
                               std::clamp(cy + ry * std::sin(angle), up.low, up.high));
      corners.push_back(p);
    }
    drawing.area(corners, colour);
  }
}

// Observations as a line: faint before the start of a forecast, and a disc at the end.
void true_path(Drawing& drawing, const Panel& panel, const SystemView& view, const Series& x, const Series& y,
               Colour colour) {
  const ObjectView& object = x.object();
  std::vector<Point> before, after;
  for (std::size_t k = 0; k < object.times.size(); ++k)
    (view.forecast && object.times[k] < view.start ? before : after)
        .push_back(point_or_gap(panel, x.observed(k), y.observed(k)));
  if (!before.empty() && !after.empty()) before.push_back(after.front());
  broken_line(drawing, before, colour.with_opacity(kFaint), 2.2);
  broken_line(drawing, after, colour, 1.8);
  if (!after.empty() && std::isfinite(after.back().x)) drawing.disc(after.back(), 3.4, colour);
}

// The futures of an object as thin lines, the least probable one first. `point_of`: of future j at time k.
template <class PointOf>
void draw_futures(Drawing& drawing, std::span<const double> probability, std::size_t times, Colour colour,
                  const PointOf& point_of) {
  for (std::size_t j = probability.size(); j-- > 0;) {
    const double opacity = future_opacity(probability[j], probability.front());
    std::vector<Point> points;
    for (std::size_t k = 0; opacity > 0 && k < times; ++k) {
      const Point p = point_of(j, k);
      // Many lines of many points: those that nobody could see are left out.
      const bool visible = points.empty() || !(std::hypot(p.x - points.back().x, p.y - points.back().y) < kNearest);
      if (visible || k + 1 == times) points.push_back(p);
    }
    broken_line(drawing, points, colour.with_opacity(opacity), kFutureWidth);
  }
}

// The prediction as a line, with the observations that the model saw and a disc at the end.
void predicted_path(Drawing& drawing, const Panel& panel, const SystemView& view, const Series& x, const Series& y,
                    Colour colour) {
  const ObjectView& object = x.object();
  std::vector<Point> seen, predicted;
  for (std::size_t k = 0; k < object.times.size(); ++k)
    if (object.seen[k] != 0) seen.push_back(point_or_gap(panel, x.observed(k), y.observed(k)));
  for (std::size_t k = 0; k < view.times.size(); ++k) predicted.push_back(point_or_gap(panel, x.mean(k), y.mean(k)));
  if (view.forecast) broken_line(drawing, seen, colour.with_opacity(kFaint), 2.2);
  broken_line(drawing, predicted, colour, 1.8);
  for (const Point& p : seen)
    if (std::isfinite(p.x)) drawing.disc(p, view.forecast ? 1.6 : 2.4, colour.with_opacity(view.forecast ? 0.6 : 1));
  if (!predicted.empty() && std::isfinite(predicted.back().x)) drawing.disc(predicted.back(), 3.4, colour);
}

// Truth on the left, prediction on the right, on the same scale.
Drawing plane(const SystemView& view, const data::Description& data, const FigureOptions& options, int fx, int fy) {
  const std::vector<std::size_t> objects = chosen(view, options, 40);
  constexpr double kWidth = 720, kTop = 58, kPanel = 300;
  Range across, up;
  for (const std::size_t o : objects) {
    const Series x(view, o, fx), y(view, o, fy);
    for (std::size_t k = 0; k < view.objects[o].times.size(); ++k) across.add(x.observed(k)), up.add(y.observed(k));
    for (std::size_t k = 0; k < view.times.size(); ++k) across.add(x.mean(k)), up.add(y.mean(k));
    for (std::size_t j = 0; j < x.probability().size(); ++j)
      for (std::size_t k = 0; k < view.times.size(); ++k) across.add(x.future(j, k)), up.add(y.future(j, k));
  }
  across = across.padded(0.06), up = up.padded(0.06);
  const double size = std::max(across.size(), up.size());  // the same scale on both axes
  across = {across.middle() - size / 2, across.middle() + size / 2};
  up = {up.middle() - size / 2, up.middle() + size / 2};
  const double top = kTop + (options.title.empty() ? -22 : 0);
  const FigureKey key(view, false);
  Drawing drawing(kWidth, top + kPanel + 54 + key.height(kWidth));
  if (!options.title.empty()) drawing.text({kWidth / 2, 20}, options.title, kTitle, kInk, Anchor::kMiddle, true);
  const Panel truth{52, top, kPanel, kPanel, across, up}, path{400, top, kPanel, kPanel, across, up};

  // Bands below everything else; opaque tints, so that neighbouring ellipses are one area.
  for (std::size_t n = 0; n < objects.size(); ++n)
    ellipses(drawing, path, view.times.size(), Series(view, objects[n], fx), Series(view, objects[n], fy),
             palette(n).tint(0.18));
  const auto name = [&](int f) {
    return with_unit(data.features[static_cast<std::size_t>(f)].name, data.features[static_cast<std::size_t>(f)].unit);
  };
  truth.frame(drawing, "ground truth", name(fx), name(fy));
  path.frame(drawing, view.forecast ? "forecast" : "interpolation", name(fx), "", false);
  for (std::size_t n = 0; n < objects.size(); ++n) {
    const Series x(view, objects[n], fx), y(view, objects[n], fy);
    true_path(drawing, truth, view, x, y, palette(n));
    draw_futures(drawing, x.probability(), view.times.size(), palette(n),
                 [&](std::size_t j, std::size_t k) { return point_or_gap(path, x.future(j, k), y.future(j, k)); });
    predicted_path(drawing, path, view, x, y, palette(n));
  }
  key.draw(drawing, 52);
  return drawing;
}

using Place = std::array<double, 3>;

// A pose seen from the side: rotated about the vertical, then a little from above.
class Camera {
 public:
  Camera(int up) : up_(static_cast<std::size_t>(up)) {}
  Point operator()(const Place& p) const {
    const double a = p[(up_ + 1) % 3], b = p[(up_ + 2) % 3], h = p[up_];
    constexpr double kTurn = 0.6, kTilt = 0.18;
    const double side = a * std::cos(kTurn) + b * std::sin(kTurn), depth = b * std::cos(kTurn) - a * std::sin(kTurn);
    return {side, -(h * std::cos(kTilt) + depth * std::sin(kTilt))};
  }

 private:
  std::size_t up_;
};

struct Pose {
  std::vector<Point> joints;  // relative to the middle of the pose
};

// Of truth, or else of the prediction.
Pose pose_at(const SystemView& view, const Camera& camera, const std::vector<int>& positions, double time, bool truth) {
  Pose pose;
  Range a, b;
  for (std::size_t o = 0; o < view.objects.size(); ++o) {
    Place place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Series series(view, o, positions[axis]);
      place[axis] = truth ? series.truth_at(time) : series.mean_at(time);
    }
    pose.joints.push_back(camera(place));
    a.add(pose.joints.back().x), b.add(pose.joints.back().y);
  }
  for (Point& p : pose.joints) p.x -= a.middle(), p.y -= b.high;
  return pose;
}

// Times of the poses, from the first that is shown to the last.
std::vector<double> pose_times(const SystemView& view, int poses) {
  const double from = view.forecast ? view.begin : view.start;
  std::vector<double> times;
  for (int p = 0; p < poses; ++p) {
    // Of a forecast three sevenths are before the start.
    const int before = view.forecast ? std::max(1, 3 * poses / 7) : 0;
    times.push_back(p < before ? from + (view.start - from) * (p + 0.5) / before
                               : view.start + (view.end - view.start) * (p - before + 0.25) / (poses - before - 0.5));
  }
  return times;
}

using Bones = std::set<std::pair<std::int32_t, std::int32_t>>;

// Relations between joints as lines, unless there are too many of them for a skeleton.
Bones bones_of(const SystemView& view) {
  Bones bones;
  if (view.relations.size() <= 4 * view.objects.size())
    for (const data::Relation& r : view.relations) bones.insert(std::minmax(r.source, r.target));
  return bones;
}

// `put`: from the pose to the page.
template <class Put>
void draw_pose(Drawing& drawing, const Pose& pose, const Bones& bones, Colour colour, const Put& put) {
  for (const auto& [s, t] : bones) {
    const Point &one = pose.joints[static_cast<std::size_t>(s)], &other = pose.joints[static_cast<std::size_t>(t)];
    if (std::isfinite(one.x) && std::isfinite(other.x)) drawing.line({put(one), put(other)}, colour, 2);
  }
  for (const Point& joint : pose.joints)
    if (std::isfinite(joint.x)) drawing.disc(put(joint), bones.empty() ? 2.4 : 1.7, colour);
}

// Poses of truth above poses of the prediction, at the same times.
Drawing strip(const SystemView& view, const data::Description& data, const FigureOptions& options,
              const std::vector<int>& positions) {
  const Camera camera(up_axis(view, positions));
  const int poses = std::max(2, options.poses);
  const std::vector<double> times = pose_times(view, poses);
  const auto observed = [&](double time) { return view.forecast && time < view.start; };
  std::array<std::vector<Pose>, 2> rows;
  Range a, b;
  for (const double time : times)
    for (const bool truth : {true, false}) {
      Pose pose = pose_at(view, camera, positions, time, truth || observed(time));
      for (const Point& p : pose.joints) a.add(p.x), b.add(p.y);
      rows[truth ? 0 : 1].push_back(std::move(pose));
    }
  constexpr double kWidth = 860, kLeft = 92;
  const double cell = (kWidth - kLeft - 10) / poses, top = options.title.empty() ? 16 : 38;
  const double scale = std::min(0.92 * cell / std::max(a.size(), 1e-9), 200 / std::max(b.size(), 1e-9));
  const double height = scale * b.size() + 16;
  Drawing drawing(kWidth, top + 2 * height + 58);
  if (!options.title.empty()) drawing.text({kWidth / 2, 20}, options.title, kTitle, kInk, Anchor::kMiddle, true);
  const auto middle = [&](std::size_t p) { return kLeft + cell * (static_cast<double>(p) + 0.5); };
  const Bones bones = bones_of(view);
  for (std::size_t row = 0; row < 2; ++row) {
    const double ground = top + height * static_cast<double>(row + 1) - 8;
    const char* prediction = view.forecast ? "forecast" : "interpolation";
    drawing.text({10, ground - height / 2}, row == 0 ? "ground truth" : prediction, kSmall, kInk, Anchor::kStart, true);
    const Colour solid = row == 0 ? Colour{60, 60, 60, 1} : palette(0);
    for (std::size_t p = 0; p < rows[row].size(); ++p)
      draw_pose(drawing, rows[row][p], bones, solid.with_opacity(observed(times[p]) ? kFaint : 1),
                [&](const Point& joint) {
                  return Point{middle(p) + scale * joint.x, ground + scale * joint.y};
                });
  }
  const double axis = top + 2 * height + 8;
  drawing.line({{kLeft, axis}, {kWidth - 10, axis}}, kGrey, 0.8);
  for (std::size_t p = 0; p < times.size(); ++p)
    drawing.text({middle(p), axis + 15}, fmt::format("{:.3g}", times[p]), kSmall - 1, kInk, Anchor::kMiddle);
  drawing.text(
      {kLeft + (kWidth - kLeft) / 2, axis + 33},
      with_unit("time", data.time_unit) +
          (view.forecast ? fmt::format("; the forecast starts at {:.3g}, observed poses are faint", view.start) : ""),
      kSmall, kInk, Anchor::kMiddle);
  return drawing;
}

// Band, prediction and observations of one object over time.
void draw_values(Drawing& drawing, const Panel& panel, const SystemView& view, const Series& s, Colour colour) {
  std::vector<Point> band, mean;
  for (std::size_t k = 0; k < view.times.size(); ++k)
    if (std::isfinite(s.high(k))) band.push_back(panel.at(view.times[k], s.high(k)));
  for (std::size_t k = view.times.size(); k-- > 0;)
    if (std::isfinite(s.low(k))) band.push_back(panel.at(view.times[k], s.low(k)));
  drawing.area(band, colour.tint(0.22));
  for (std::size_t k = 0; k < view.times.size(); ++k)
    mean.push_back(std::isfinite(s.mean(k)) ? panel.at(view.times[k], s.mean(k)) : Point{std::nan(""), std::nan("")});
  if (view.forecast)
    drawing.line({panel.at(view.start, panel.up.low), panel.at(view.start, panel.up.high)}, kPale, 1, {3, 3});
  draw_futures(drawing, s.probability(), view.times.size(), colour,
               [&](std::size_t j, std::size_t k) { return point_or_gap(panel, view.times[k], s.future(j, k)); });
  broken_line(drawing, mean, colour, 1.8);
  const ObjectView& object = s.object();
  for (std::size_t k = 0; k < object.times.size(); ++k) {
    if (!std::isfinite(s.observed(k))) continue;
    const Point p = panel.at(object.times[k], s.observed(k));
    if (object.seen[k] != 0)
      drawing.disc(p, 2.2, colour.with_opacity(view.forecast ? 0.55 : 1));
    else
      drawing.ring(p, 1.9, kGrey, 0.9);
  }
}

// A row per feature, a column per object.
Drawing over_time(const SystemView& view, const data::Description& data, const FigureOptions& options,
                  const std::vector<int>& features) {
  const std::vector<std::size_t> objects = chosen(view, options, 4);
  const double top = options.title.empty() ? 34 : 58;
  const double width = std::clamp(820.0 / static_cast<double>(std::max<std::size_t>(objects.size(), 1)), 150.0, 400.0);
  constexpr double kHeight = 130, kGap = 44;
  const FigureKey key(view, true);
  const double across = 52 + width * static_cast<double>(objects.size());
  Drawing drawing(across, top + (kHeight + kGap) * static_cast<double>(features.size()) + 16 + key.height(across));
  if (!options.title.empty())
    drawing.text({drawing.width() / 2, 20}, options.title, kTitle, kInk, Anchor::kMiddle, true);
  for (std::size_t row = 0; row < features.size(); ++row) {
    const data::Feature& feature = data.features[static_cast<std::size_t>(features[row])];
    Range up;
    for (const std::size_t o : objects) {
      const Series s(view, o, features[row]);
      for (std::size_t k = 0; k < view.objects[o].times.size(); ++k) up.add(s.observed(k));
      for (std::size_t k = 0; k < view.times.size(); ++k) {
        up.add(s.mean(k)), up.add(s.low(k)), up.add(s.high(k));
        for (std::size_t j = 0; j < s.probability().size(); ++j) up.add(s.future(j, k));
      }
    }
    for (std::size_t n = 0; n < objects.size(); ++n) {
      const Series s(view, objects[n], features[row]);
      const ObjectView& object = view.objects[objects[n]];
      const Panel panel{52 + width * static_cast<double>(n),
                        top + (kHeight + kGap) * static_cast<double>(row),
                        width - 26,
                        kHeight,
                        Range{view.begin, view.end},
                        up.padded(0.05)};
      draw_values(drawing, panel, view, s, palette(n));
      panel.frame(drawing, row == 0 ? object.id : "",
                  row + 1 == features.size() ? with_unit("time", data.time_unit) : "",
                  n == 0 ? with_unit(feature.name, feature.unit) : "", n == 0);
    }
  }
  key.draw(drawing, 52);
  return drawing;
}

}  // namespace

int up_axis(const SystemView& system, const std::vector<int>& positions) {
  std::array<double, 3> extent{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < system.times.size(); k += 10) {
      Range range;
      for (std::size_t o = 0; o < system.objects.size(); ++o) range.add(Series(system, o, positions[axis]).mean(k));
      if (range.low <= range.high) extent[axis] += range.size();
    }
  int up = 2;
  for (const int axis : {1, 0})
    if (extent[static_cast<std::size_t>(axis)] > 1.1 * extent[static_cast<std::size_t>(up)]) up = axis;
  return up;
}

Drawing figure(const SystemView& system, const data::Description& data, const FigureOptions& options) {
  std::vector<int> positions;
  for (const int f : data::position_features(data.features))
    if (!data.features[static_cast<std::size_t>(f)].derived) positions.push_back(f);
  if (!options.features.empty()) return over_time(system, data, options, options.features);
  if (positions.size() == 2) return plane(system, data, options, positions[0], positions[1]);
  if (positions.size() == 3) return strip(system, data, options, positions);
  return over_time(system, data, options, positions);
}

}  // namespace lgode::report
