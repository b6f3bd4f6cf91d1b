// Counts, lengths, ranges and relations of a data set for lgode info. Empty rows do not count as observations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/data/first_range.h"
#include "lgode/data/presence.h"
#include "lgode/data/time_text.h"
#include "lgode/use/format.h"
#include "lgode/use/summary.h"
#include "lgode/use/text_table.h"

namespace lgode::use {
namespace {

using nlohmann::ordered_json;

ordered_json spread(std::vector<std::int64_t> numbers) {
  if (numbers.empty()) return nullptr;
  std::sort(numbers.begin(), numbers.end());
  return {{"min", numbers.front()}, {"median", numbers[numbers.size() / 2]}, {"max", numbers.back()}};
}

ordered_json range_of(double low, double high) {
  return low <= high ? ordered_json{{"min", low}, {"max", high}} : ordered_json(nullptr);
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Counted from each system's origin, because systems may have different clocks.
ordered_json time_range(const data::Dataset& dataset, const data::ObservedTimes& observed) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::int64_t system = 0; system < dataset.systems(); ++system) {
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const auto times = observed.of(object);
      if (times.empty()) continue;
      low = std::min(low, times.front() - dataset.origin(system));
      high = std::max(high, times.back() - dataset.origin(system));
    }
  }
  return range_of(low, high);
}

// First and last time where times are dates.
ordered_json dates_of(const data::Dataset& dataset, const data::ObservedTimes& observed) {
  const data::TimeText text(dataset.description());
  if (!text.dates()) return nullptr;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::int64_t object = 0; object < dataset.objects(); ++object) {
    const auto times = observed.of(object);
    if (times.empty()) continue;
    low = std::min(low, times.front());
    high = std::max(high, times.back());
  }
  return low <= high ? ordered_json{{"first", text(low)}, {"last", text(high)}} : ordered_json(nullptr);
}

// Observations that training can use: the first range of training systems.
ordered_json first_range_of(const data::Dataset& dataset, const data::ObservedTimes& observed) {
  std::int64_t inside = 0, all = 0, late = 0;
  for (const std::int64_t system : dataset.systems_in(data::Part::kTrain)) {
    std::int64_t here = 0, in_range = 0;
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const auto times = observed.of(object);
      here += static_cast<std::int64_t>(times.size());
      in_range += std::count_if(times.begin(), times.end(),
                                [&](double time) { return data::before_range_end(dataset, system, time); });
    }
    all += here;
    inside += in_range;
    late += here > 0 && in_range == 0 ? 1 : 0;
  }
  return {{"observations", inside}, {"training_observations", all}, {"systems_beyond", late}};
}

// Derived features have no values of their own.
ordered_json features_of(const data::Dataset& dataset) {
  const auto& features = dataset.description().features;
  ordered_json list = ordered_json::array();
  const auto values = dataset.arrays().values;
  for (std::size_t f = 0; f < features.size(); ++f) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::int64_t present = 0;
    for (std::size_t i = f; i < values.size(); i += features.size()) {
      if (std::isnan(values[i])) continue;
      ++present;
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    const int position = features[f].velocity_of;
    const double missing = share_of(dataset.observations() - present, dataset.observations());
    list.push_back({{"name", features[f].name},
                    {"unit", features[f].unit},
                    {"scale_group", features[f].scale_group},
                    {"velocity_of", position < 0 ? ordered_json(nullptr) : ordered_json(features[position].name)},
                    {"derived", features[f].derived},
                    {"range", range_of(low, high)},
                    {"missing", features[f].derived ? ordered_json(nullptr) : ordered_json(missing)}});
  }
  return list;
}

// Share of the values that observations lack.
double missing_of(const data::Dataset& dataset) {
  const auto& features = dataset.description().features;
  const auto values = dataset.arrays().values;
  const auto own = std::count_if(features.begin(), features.end(), [](const auto& f) { return !f.derived; });
  const auto present = std::count_if(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
  return share_of(dataset.observations() * own - present, dataset.observations() * own);
}

bool is_symmetric(const data::Dataset& dataset) {
  for (std::int64_t system = 0; system < dataset.systems(); ++system) {
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, float>> present;
    const std::int64_t first = dataset.first_relation(system);
    for (std::int64_t e = first; e < first + dataset.relations_of(system); ++e) {
      const data::Relation r = dataset.relation(e);
      present.emplace(r.source, r.target, r.type, r.weight);
    }
    for (const auto& [source, target, type, weight] : present)
      if (!present.contains({target, source, type, weight})) return false;
  }
  return true;
}

ordered_json rule_of(const data::Description& description) {
  const data::EdgeRule& rule = description.edges;
  ordered_json json;
  switch (rule.kind) {
    case data::EdgeRule::Kind::kListed:
      return "listed";
    case data::EdgeRule::Kind::kAll:
      return "all";
    case data::EdgeRule::Kind::kNearest:
      json["nearest"] = rule.neighbours;
      break;
    case data::EdgeRule::Kind::kWithin:
      json["within"] = rule.radius;
      break;
  }
  json["unit"] = description.features[static_cast<std::size_t>(rule.positions.front())].unit;
  for (const int f : rule.positions) {
    const data::Feature& feature = description.features[static_cast<std::size_t>(f)];
    json["by"].push_back(feature.name);
    if (feature.unit != json["unit"].get<std::string>()) json["unit"] = "";
  }
  return json;
}

ordered_json relations_of(const data::Dataset& dataset) {
  const auto& arrays = dataset.arrays();
  const auto& names = dataset.description().relation_types;
  std::vector<std::int64_t> counts(names.size());
  for (const std::int32_t type : arrays.relation_types) ++counts[type];
  ordered_json types = ordered_json::array();
  for (std::size_t t = 0; t < names.size(); ++t) types.push_back({{"name", names[t]}, {"count", counts[t]}});
  std::int64_t pairs = 0;
  for (std::int64_t system = 0; system < dataset.systems(); ++system)
    pairs += dataset.objects_of(system) * (dataset.objects_of(system) - 1);
  const auto weights = arrays.relation_weights;
  const bool listed = dataset.description().edges.kind == data::EdgeRule::Kind::kListed;
  return {{"rule", rule_of(dataset.description())},
          {"count", dataset.relations()},
          {"types", types},
          {"density", listed ? ordered_json(share_of(dataset.relations(), pairs)) : ordered_json(nullptr)},
          {"symmetric", is_symmetric(dataset)},
          {"weighted", std::any_of(weights.begin(), weights.end(), [](float w) { return w != 1.0F; })}};
}

std::string spread_text(const ordered_json& spread, bool median) {
  if (spread.is_null()) return "none";
  const std::string low = format_count(spread["min"]), high = format_count(spread["max"]);
  if (low == high) return low;
  return median ? fmt::format("{} to {}, median {}", low, high, format_count(spread["median"]))
                : fmt::format("{} to {}", low, high);
}

std::string range_text(const ordered_json& range) {
  return range.is_null() ? "none" : fmt::format("{} to {}", format_number(range["min"]), format_number(range["max"]));
}

std::string rule_text(const ordered_json& relations) {
  const ordered_json& rule = relations["rule"];
  std::string text = "all pairs among those present";
  if (rule.is_object()) {
    const std::string unit = rule["unit"].get<std::string>();
    text = rule.contains("nearest")
               ? fmt::format("{} nearest", format_count(rule["nearest"]))
               : fmt::format("within {}{}{}", format_number(rule["within"]), unit.empty() ? "" : " ", unit);
    text += fmt::format(" by {}", fmt::join(rule["by"].get<std::vector<std::string>>(), ", "));
  }
  if (!relations.contains("per_object") || relations["per_object"].is_null()) return text;
  const double number = relations["per_object"];
  text += fmt::format("; about {} per object",
                      number < 10 ? fmt::format("{:.2g}", number) : format_count(std::llround(number)));
  return text;
}

std::string relations_text(const ordered_json& relations) {
  if (relations["rule"] != "listed") return rule_text(relations);
  std::string text = format_count(relations["count"]);
  if (relations["count"] == 0) return text;
  text += fmt::format(", {} of all ordered pairs, {}, {}", format_percent(relations["density"]),
                      relations["symmetric"].get<bool>() ? "symmetric" : "directed",
                      relations["weighted"].get<bool>() ? "weighted" : "not weighted");
  if (relations["types"].size() < 2) return text;
  for (const auto& type : relations["types"])
    text += fmt::format("\n                 {}: {}", type["name"].get<std::string>(), format_count(type["count"]));
  return text;
}

// "2,310 in total, 1 to 40 per system; 512 stay, 700 enter, 650 leave, 448 enter and leave"; the latter only where any
// do.
std::string objects_text(const ordered_json& summary) {
  std::string text = fmt::format("{} in total, {} per system", format_count(summary["objects"]),
                                 spread_text(summary["objects_per_system"], false));
  if (!summary.contains("presence")) return text;
  const ordered_json& presence = summary["presence"];
  const auto count = [&](const char* key) { return presence[key].get<std::int64_t>(); };
  if (count("enter") + count("leave") + count("enter_and_leave") > 0)
    text +=
        fmt::format("; {} stay, {} enter, {} leave, {} enter and leave", format_count(count("stay")),
                    format_count(count("enter")), format_count(count("leave")), format_count(count("enter_and_leave")));
  if (count("without_forecast") > 0)
    text += fmt::format(
        "\nno forecast      {} first seen {} leaves them out", format_plural(count("without_forecast"), "object"),
        summary.contains("frames") ? "after the frames that a forecast sees, which"
                                   : "in the second half of the first range: a forecast from its middle");
  return text;
}

std::string windows_text(const ordered_json& windows) {
  const std::string per =
      windows["recordings"] == 1 ? "" : fmt::format(", {} each", spread_text(windows["windows_per_recording"], true));
  return fmt::format("windows          {} of {}{}; recordings: {} training, {} test, {} in both\n",
                     format_count(windows["windows"]), format_plural(windows["recordings"], "recording"), per,
                     format_count(windows["training"]), format_count(windows["test"]), format_count(windows["both"]));
}

// "8 + 12 frames of 0.4 s; objects in all of them are targets"
std::string frames_text(const ordered_json& frames, const std::string& unit) {
  std::string text = fmt::format("frames           {} + {} frames of {}{}", format_count(frames["seen"]),
                                 format_count(frames["asked"]), format_number(frames["step"]), unit);
  text += frames["all_present"].get<bool>() ? "; objects in all of them are forecast" : "";
  if (const std::int64_t least = frames["min_objects"]; least > 1)
    text += fmt::format("; at least {} per test window", format_plural(least, "such object"));
  return text + "\n";
}

// One line where all gaps are multiples of one step.
std::string grid_text(const ordered_json& gaps, const std::string& unit) {
  const ordered_json& grid = gaps["grid"];
  const auto count = gaps["count"].get<std::int64_t>();
  const std::string step = format_number(grid["step"]) + unit;
  if (grid["regular"].get<bool>()) {
    const auto longer = grid["longer"].get<std::int64_t>();
    return fmt::format("gaps             {} (regular){}\n", step,
                       longer == 0 ? "" : fmt::format(", {} of {} longer", format_count(longer), format_count(count)));
  }
  std::string text = fmt::format("gaps             multiples of {}:", step);
  std::string comma;
  const auto add = [&](const std::string& what, std::int64_t part) {
    if (part > 0) text += fmt::format("{} {} {:.2g} %", std::exchange(comma, ","), what, 100 * share_of(part, count));
  };
  for (std::size_t k = 0; k < grid["multiples"].size(); ++k) add(fmt::format("{} x", k + 1), grid["multiples"][k]);
  add("more", grid["more"]);
  add("others", grid["others"]);
  return text + '\n';
}

// "1,234 values: 300 gaps of 0.2 to 4 s, median 0.4 s, nine of ten at most 1 s; 12 values before the first or after the
// last observation"
std::string fill_text(const ordered_json& fill, const std::string& unit) {
  std::string text = fmt::format("to fill          {}", format_plural(fill["values"].get<std::int64_t>(), "value"));
  const auto count = fill["gaps"].get<std::int64_t>();
  const auto length = [&](const char* key) { return format_number(fill[key]) + unit; };
  if (count == 1)
    text += fmt::format(": a gap of {}", length("max"));
  else if (count > 1 && format_number(fill["min"]) == format_number(fill["max"]))
    text += fmt::format(": {} gaps of {}", format_count(count), length("max"));
  else if (count > 1)
    text += fmt::format(": {} gaps of {} to {}, median {}, nine of ten at most {}", format_count(count),
                        format_number(fill["min"]), length("max"), length("median"), length("ninety"));
  const auto open = fill["open"].get<std::int64_t>();
  if (open > 0)
    text += fmt::format("{} {} before the first or after the last observation of an object", count > 0 ? ";" : ":",
                        format_count(open));
  return text + "\n";
}

std::string first_range_text(const ordered_json& range) {
  const auto inside = range["observations"].get<std::int64_t>(),
             all = range["training_observations"].get<std::int64_t>();
  const auto beyond = range["systems_beyond"].get<std::int64_t>();
  std::string text =
      fmt::format("in first range   {} of {}\n", format_count(inside), format_plural(all, "training observation"));
  if (2 * inside < all)
    text += "warning          training uses only what is in the first range, less than half; see conditioning_length\n";
  if (beyond > 0)
    text += fmt::format("warning          {} first observed beyond the first range; set origins\n",
                        format_plural(beyond, "training system"));
  return text;
}

}  // namespace

ordered_json summarise_dataset(const data::Dataset& dataset) {
  const data::Description& description = dataset.description();
  const data::ObservedTimes observed(dataset);
  std::vector<std::int64_t> objects, lengths;
  std::int64_t train = 0;
  for (std::int64_t system = 0; system < dataset.systems(); ++system) {
    objects.push_back(dataset.objects_of(system));
    train += dataset.part(system) == data::Part::kTrain ? 1 : 0;
  }
  for (std::int64_t object = 0; object < dataset.objects(); ++object)
    lengths.push_back(static_cast<std::int64_t>(observed.of(object).size()));
  ordered_json out = {{"kind", "dataset"},
                      {"name", description.name},
                      {"source", description.source},
                      {"systems", {{"train", train}, {"test", dataset.systems() - train}}},
                      {"objects", dataset.objects()},
                      {"objects_per_system", spread(objects)},
                      {"observations", dataset.observations()},
                      {"observations_per_object", spread(lengths)},
                      {"empty_rows", dataset.empty_rows()},
                      {"time", time_range(dataset, observed)},
                      {"dates", dates_of(dataset, observed)},
                      {"time_unit", description.time_unit},
                      {"time_scale", description.time_scale},
                      {"conditioning_length", description.conditioning_length},
                      {"first_range", first_range_of(dataset, observed)},
                      {"features", features_of(dataset)},
                      {"missing", missing_of(dataset)},
                      {"relations", relations_of(dataset)}};
  if (const data::FrameWindows& frames = description.frames)
    out["frames"] = {{"seen", frames.seen},
                     {"asked", frames.asked},
                     {"step", frames.step},
                     {"all_present", frames.all_present},
                     {"min_objects", frames.min_objects}};
  return out;
}

bool has_grid(const ordered_json& summary) {
  return summary.contains("gaps") && !summary["gaps"].is_null() && !summary["gaps"]["grid"].is_null();
}

std::string dataset_text(const ordered_json& summary) {
  const auto text = [&](const char* key) { return summary[key].get<std::string>(); };
  const std::string unit = text("time_unit").empty() ? "" : fmt::format(" {}", text("time_unit"));
  std::string result = fmt::format("data set         {}\n", text("name").empty() ? "without a name" : text("name"));
  if (!text("source").empty()) result += fmt::format("made by          {}\n", text("source"));
  result += fmt::format("systems          {} training, {} test\n", format_count(summary["systems"]["train"]),
                        format_count(summary["systems"]["test"]));
  if (summary.contains("windows") && !summary["windows"].is_null()) result += windows_text(summary["windows"]);
  if (summary.contains("frames")) result += frames_text(summary["frames"], unit);
  result += fmt::format("objects          {}\n", objects_text(summary));
  result += fmt::format("observations     {} in total, {} per object\n", format_count(summary["observations"]),
                        spread_text(summary["observations_per_object"], true));
  if (summary["empty_rows"] > 0)
    result +=
        fmt::format("empty rows       {}: places to fill, not observations\n", format_count(summary["empty_rows"]));
  result += fmt::format("time             {}{} since each system's origin\n", range_text(summary["time"]), unit);
  if (!summary["dates"].is_null())
    result += fmt::format("dates            {} to {}\n", summary["dates"]["first"].get<std::string>(),
                          summary["dates"]["last"].get<std::string>());
  result += fmt::format("first range      {}{}\n", format_number(summary["conditioning_length"]), unit);
  result += first_range_text(summary["first_range"]);
  result += fmt::format("time scale       {}{} to the model's unit\n", format_number(summary["time_scale"]), unit);
  if (has_grid(summary)) result += grid_text(summary["gaps"], unit);
  if (summary.contains("training"))
    result += fmt::format("window           {} of model time, {}{} (at `observed` 0.6)\n",
                          format_number(summary["training"]["window"]),
                          format_number(summary["training"]["window_length"]), unit);
  result += fmt::format("missing          {} of all values\n", format_percent(summary["missing"]));
  if (summary.contains("to_fill") && !summary["to_fill"].is_null()) result += fill_text(summary["to_fill"], unit);
  result += fmt::format("relations        {}\n", relations_text(summary["relations"]));
  const auto loose = summary.value("objects_without_relations", std::int64_t{0});
  if (loose > 0) result += fmt::format("without any      {}\n", format_plural(loose, "object"));
  result += '\n';
  Table table({"feature", "unit", "range", "missing", "outliers", "velocity of"});
  for (const auto& feature : summary["features"]) {
    const std::string position = feature["velocity_of"].is_null() ? "" : feature["velocity_of"].get<std::string>();
    if (feature["derived"].get<bool>())
      table.add({feature["name"], feature["unit"], fmt::format("derived, from {}", position), "", "", position});
    else
      table.add({feature["name"], feature["unit"], range_text(feature["range"]), format_percent(feature["missing"]),
                 format_count(feature.value("outliers", std::int64_t{0})), position});
  }
  return result + table.left().text();
}

}  // namespace lgode::use
