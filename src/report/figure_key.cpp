// Lays out the key of a figure.
#include "figure_key.h"

#include <algorithm>

#include "panel.h"

namespace lgode::report {
namespace {

constexpr double kLine = 18;  // height of a line of entries

void futures_sample(Drawing& drawing, Point at) {
  for (const auto& [end, opacity] : {std::pair(-6.0, 0.3), std::pair(0.0, 0.8), std::pair(6.0, 0.15)})
    drawing.line({at, {at.x + 24, at.y + end}}, palette(0).with_opacity(opacity), kFutureWidth);
}

}  // namespace

FigureKey::FigureKey(const SystemView& view, bool truth) {
  const Colour blue = palette(0);
  const auto add = [&](std::string words, std::function<void(Drawing&, Point)> sample) {
    entries_.push_back({std::move(words), std::move(sample)});
  };
  if (view.forecast)
    add("observed part", [=](Drawing& d, Point at) {
      d.line({at, {at.x + 24, at.y}}, blue.with_opacity(kFaint), 2.4);
    });
  add("observations", [=](Drawing& d, Point at) { d.disc({at.x + 12, at.y}, 2.6, blue); });
  add("prediction", [=](Drawing& d, Point at) { d.line({at, {at.x + 24, at.y}}, blue, 2); });
  if (view.futures.count > 0) add("futures by probability", futures_sample);
  add("90 % interval", [=](Drawing& d, Point at) {
    d.area({{at.x, at.y - 5}, {at.x + 24, at.y - 5}, {at.x + 24, at.y + 5}, {at.x, at.y + 5}}, blue.tint(0.25));
  });
  if (truth)
    add("truth, not shown to the model", [](Drawing& d, Point at) { d.ring({at.x + 12, at.y}, 2.2, kGrey, 0.9); });
}

template <class Put>
int FigureKey::each(double x, double width, const Put& put) const {
  const double first = x;
  int line = 0;
  for (const Entry& entry : entries_) {
    const double room = 36 + 5.6 * static_cast<double>(entry.words.size());
    if (x > first && x + room > width) x = first, ++line;
    put(entry, x, line);
    x += room + 8;
  }
  return line + 1;
}

double FigureKey::height(double width) const {
  return kLine * each(52, width, [](const Entry&, double, int) {});
}

void FigureKey::draw(Drawing& drawing, double x) const {
  const int lines = each(x, drawing.width(), [](const Entry&, double, int) {});
  each(x, drawing.width(), [&](const Entry& entry, double at, int line) {
    const double y = drawing.height() - 14 - kLine * (lines - 1 - line);
    entry.sample(drawing, {at, y});
    drawing.text({at + 30, y + 4}, entry.words, kSmall);
  });
}

}  // namespace lgode::report
