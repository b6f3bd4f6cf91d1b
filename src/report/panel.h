// What the figures share: ranges of values, tick marks, a panel with axes, and lines with gaps.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lgode/report/drawing.h"

namespace lgode::report {

inline constexpr double kSmall = 11, kLabel = 12, kTitle = 13;  // heights of letters
inline constexpr double kFaint = 0.35;                          // opacity of observations
inline constexpr double kFutureWidth = 0.9;                     // of a future's line

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  double size() const { return high - low; }
  double middle() const { return 0.5 * (low + high); }
  // Never empty, with a margin around.
  Range padded(double share) const {
    if (!(low <= high)) return {0, 1};
    const double pad = size() > 0 ? share * size() : std::max(1e-6, 0.1 * std::abs(low));
    return {low - pad, high + pad};
  }
};

// "time (s)"; the name alone without a unit.
std::string with_unit(const std::string& name, const std::string& unit);

// A line that is interrupted where a point is unknown.
void broken_line(Drawing& drawing, const std::vector<Point>& points, Colour colour, double width,
                 const std::vector<double>& dash = {});

// A rectangle that maps values to pixels, with axes and tick marks.
struct Panel {
  double x = 0, y = 0, width = 0, height = 0;
  Range across, up;

  Point at(double a, double b) const {
    return {x + (a - across.low) / across.size() * width, y + height - (b - up.low) / up.size() * height};
  }
  void frame(Drawing& drawing, const std::string& title, const std::string& across_label, const std::string& up_label,
             bool up_numbers = true) const;
};

}  // namespace lgode::report
