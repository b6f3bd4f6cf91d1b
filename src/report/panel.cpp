// Axes and tick marks of a panel.
#include "panel.h"

#include <fmt/format.h>

namespace lgode::report {
namespace {

// Steps of 1, 2 or 5 times a power of ten, about `count` of them.
std::vector<double> ticks(const Range& range, int count) {
  const double rough = range.size() / count, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  std::vector<double> out;
  for (double t = std::ceil(range.low / step) * step; t <= range.high + 1e-9 * step; t += step)
    out.push_back(std::abs(t) < 1e-9 * step ? 0 : t);
  return out;
}

}  // namespace

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

void broken_line(Drawing& drawing, const std::vector<Point>& points, Colour colour, double width,
                 const std::vector<double>& dash) {
  std::vector<Point> piece;
  for (const Point& p : points) {
    if (std::isfinite(p.x) && std::isfinite(p.y)) {
      piece.push_back(p);
      continue;
    }
    drawing.line(piece, colour, width, dash);
    piece.clear();
  }
  drawing.line(piece, colour, width, dash);
}

void Panel::frame(Drawing& drawing, const std::string& title, const std::string& across_label,
                  const std::string& up_label, bool up_numbers) const {
  drawing.line({{x, y}, {x, y + height}, {x + width, y + height}}, kGrey, 0.8);
  for (const double t : ticks(across, std::max(2, static_cast<int>(width / 60)))) {
    const Point p = at(t, up.low);
    drawing.line({p, {p.x, p.y + 4}}, kGrey, 0.8);
    drawing.text({p.x, p.y + 16}, fmt::format("{:.4g}", t), kSmall - 1, kInk, Anchor::kMiddle);
  }
  for (const double t : ticks(up, std::max(2, static_cast<int>(height / 45)))) {
    const Point p = at(across.low, t);
    drawing.line({p, {p.x - 4, p.y}}, kGrey, 0.8);
    if (up_numbers) drawing.text({p.x - 7, p.y + 3.5}, fmt::format("{:.4g}", t), kSmall - 1, kInk, Anchor::kEnd);
  }
  drawing.text({x + width / 2, y + height + 32}, across_label, kSmall, kInk, Anchor::kMiddle);
  if (!up_label.empty()) drawing.text({x - (up_numbers ? 38 : 4), y - 8}, up_label, kSmall, kInk, Anchor::kStart);
  if (!title.empty()) drawing.text({x + width / 2, y - 8}, title, kLabel, kInk, Anchor::kMiddle, true);
}

}  // namespace lgode::report
