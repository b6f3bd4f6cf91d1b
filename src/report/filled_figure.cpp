// Draws a filled table: a row of panels per feature, a column per object, each with a scale of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/report/filled_table.h"
#include "panel.h"

namespace lgode::report {
namespace {

constexpr double kObserved = 2.2, kImputed = 2.8;  // radii

// The objects to draw: the named ones, or the first ones.
std::vector<const FilledObject*> chosen(const FilledTable& table, const FilledFigureOptions& options) {
  std::vector<const FilledObject*> all;
  std::vector<std::string> systems, names;
  for (const FilledObject& object : table.objects) {
    systems.push_back(object.system);
    if (object.system != options.system) continue;
    all.push_back(&object);
    names.push_back(object.id);
  }
  if (all.empty())
    throw ConfigError(
        fmt::format("the table has no system '{}'{}", options.system, did_you_mean(options.system, systems)));
  if (options.objects.empty()) {
    all.resize(std::min(all.size(), static_cast<std::size_t>(options.most > 0 ? options.most : 4)));
    return all;
  }
  std::vector<const FilledObject*> out;
  for (const std::string& name : options.objects) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ConfigError(
          fmt::format("system '{}' has no object '{}'{}", options.system, name, did_you_mean(name, names)));
    out.push_back(all[static_cast<std::size_t>(found - names.begin())]);
  }
  return out;
}

const FilledObject* same_object(const FilledTable* table, const FilledObject& object) {
  if (table == nullptr) return nullptr;
  const auto found = std::find_if(table->objects.begin(), table->objects.end(), [&](const FilledObject& o) {
    return o.system == object.system && o.id == object.id;
  });
  return found == table->objects.end() ? nullptr : &*found;
}

// The values of one feature as points of a panel; a table of true values may begin earlier and end later.
std::vector<Point> points_of(const Panel& panel, const FilledObject& object, std::size_t feature, std::size_t width) {
  std::vector<Point> out;
  for (std::size_t k = 0; k < object.times.size(); ++k) {
    const double value = object.values[k * width + feature], time = object.times[k];
    if (std::isfinite(value) && time >= panel.across.low && time <= panel.across.high)
      out.push_back(panel.at(time, value));
  }
  return out;
}

void draw_object(Drawing& drawing, const Panel& panel, const FilledObject& object, const FilledObject* truth,
                 std::size_t feature, std::size_t width, Colour colour) {
  if (!object.low.empty())
    for (std::size_t k = 0; k < object.times.size(); ++k) {
      const double low = object.low[k * width + feature], high = object.high[k * width + feature];
      if (std::isfinite(low) && std::isfinite(high))
        drawing.line({panel.at(object.times[k], low), panel.at(object.times[k], high)}, colour.tint(0.35), 3);
    }
  if (truth != nullptr) drawing.line(points_of(panel, *truth, feature, width), kGrey, 1.2);
  drawing.line(points_of(panel, object, feature, width), colour, 0.8);
  for (std::size_t k = 0; k < object.times.size(); ++k) {
    const double value = object.values[k * width + feature];
    if (!std::isfinite(value)) continue;
    const Point at = panel.at(object.times[k], value);
    if (object.imputed[k * width + feature] != 0)
      drawing.ring(at, kImputed, colour, 1.3);
    else
      drawing.disc(at, kObserved, colour);
  }
}

void key(Drawing& drawing, double y, const FilledTable& table, bool truth) {
  const Colour blue = palette(0);
  double x = 52;
  const auto entry = [&](const std::string& words, const std::function<void(double)>& sample) {
    sample(x);
    drawing.text({x + 30, y + 4}, words, kSmall);
    x += 44 + 6.2 * static_cast<double>(words.size());
  };
  entry("observed", [&](double at) { drawing.disc({at + 12, y}, kObserved, blue); });
  entry("imputed", [&](double at) { drawing.ring({at + 12, y}, kImputed, blue, 1.3); });
  if (!table.interval.empty())
    entry(table.interval, [&](double at) { drawing.line({{at + 12, y - 7}, {at + 12, y + 7}}, blue.tint(0.35), 3); });
  if (truth) entry("truth", [&](double at) { drawing.line({{at, y}, {at + 24, y}}, kGrey, 1.2); });
}

}  // namespace

Drawing filled_figure(const FilledTable& table, const data::Description& data, const FilledFigureOptions& options) {
  const std::vector<const FilledObject*> objects = chosen(table, options);
  const std::size_t width = data.features.size();
  const double top = options.title.empty() ? 34 : 58;
  const double column = std::clamp(820.0 / static_cast<double>(objects.size()), 150.0, 400.0);
  constexpr double kHeight = 130, kGap = 44;
  Drawing drawing(std::max(52 + column * static_cast<double>(objects.size()), 460.0),
                  top + (kHeight + kGap) * static_cast<double>(options.features.size()) + 34);
  if (!options.title.empty())
    drawing.text({drawing.width() / 2, 20}, options.title, kTitle, kInk, Anchor::kMiddle, true);
  Range across;
  for (const FilledObject* object : objects)
    for (const double time : object->times) across.add(time);
  for (std::size_t row = 0; row < options.features.size(); ++row) {
    const auto f = static_cast<std::size_t>(options.features[row]);
    for (std::size_t n = 0; n < objects.size(); ++n) {
      const FilledObject* truth = same_object(options.truth, *objects[n]);
      // A range of its own: objects may be far apart, and gaps small.
      Range up;
      for (const FilledObject* object : {objects[n], truth})
        for (std::size_t k = 0; object != nullptr && k < object->times.size(); ++k) {
          if (object->times[k] < across.low || object->times[k] > across.high) continue;
          const std::size_t cell = k * width + f;
          up.add(object->values[cell]);
          if (!object->low.empty()) up.add(object->low[cell]), up.add(object->high[cell]);
        }
      const Panel panel{52 + column * static_cast<double>(n),
                        top + (kHeight + kGap) * static_cast<double>(row),
                        column - 50,
                        kHeight,
                        across.padded(0.02),
                        up.padded(0.05)};
      draw_object(drawing, panel, *objects[n], truth, f, width, palette(n));
      panel.frame(drawing, row == 0 ? objects[n]->id : "",
                  row + 1 == options.features.size() ? with_unit("time", data.time_unit) : "",
                  n == 0 ? with_unit(data.features[f].name, data.features[f].unit) : "");
    }
  }
  key(drawing, drawing.height() - 12, table, options.truth != nullptr);
  return drawing;
}

}  // namespace lgode::report
