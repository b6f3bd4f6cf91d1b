// One pass over a data set for lgode info: counts, lengths, ranges, gaps and relations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "format.h"
#include "lgode/data/dataset.h"
#include "lgode/data/time_text.h"
#include "summary.h"
#include "table.h"

namespace lgode::app {
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
ordered_json time_range(const data::Dataset& dataset) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::int64_t system = 0; system < dataset.systems(); ++system) {
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const auto times = dataset.times_of(object);
      if (times.empty()) continue;
      low = std::min(low, times.front() - dataset.origin(system));
      high = std::max(high, times.back() - dataset.origin(system));
    }
  }
  return range_of(low, high);
}

// First and last time where times are dates.
ordered_json dates_of(const data::Dataset& dataset) {
  const auto times = dataset.arrays().times;
  const data::TimeText text(dataset.description());
  if (!text.dates() || times.empty()) return nullptr;
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  return {{"first", text(*first)}, {"last", text(*last)}};
}

// Observations that training can use: those of training systems earlier than origin + conditioning_length, with the
// margin of data::BatchMaker.
ordered_json first_range_of(const data::Dataset& dataset) {
  constexpr double kTimeMargin = 1e-9;
  const data::Description& description = dataset.description();
  const double length = description.conditioning_length - kTimeMargin * description.time_scale;
  std::int64_t inside = 0, all = 0, late = 0;
  for (const std::int64_t system : dataset.systems_in(data::Part::kTrain)) {
    std::int64_t here = 0, in_range = 0;
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const auto times = dataset.times_of(object);
      here += static_cast<std::int64_t>(times.size());
      in_range += std::count_if(times.begin(), times.end(),
                                [&](double time) { return time - dataset.origin(system) < length; });
    }
    all += here;
    inside += in_range;
    late += here > 0 && in_range == 0 ? 1 : 0;
  }
  return {{"observations", inside}, {"training_observations", all}, {"systems_beyond", late}};
}

ordered_json features_of(const data::Dataset& dataset) {
  const auto& features = dataset.description().features;
  ordered_json list = ordered_json::array();
  const auto values = dataset.arrays().values;
  for (std::size_t f = 0; f < features.size(); ++f) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::int64_t missing = 0;
    for (std::size_t i = f; i < values.size(); i += features.size()) {
      if (std::isnan(values[i])) {
        ++missing;
        continue;
      }
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    const int position = features[f].velocity_of;
    list.push_back({{"name", features[f].name},
                    {"unit", features[f].unit},
                    {"scale_group", features[f].scale_group},
                    {"velocity_of", position < 0 ? ordered_json(nullptr) : ordered_json(features[position].name)},
                    {"range", range_of(low, high)},
                    {"missing", share_of(missing, dataset.observations())}});
  }
  return list;
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
  return {{"count", dataset.relations()},
          {"types", types},
          {"density", share_of(dataset.relations(), pairs)},
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

std::string relations_text(const ordered_json& relations) {
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

std::string first_range_text(const ordered_json& range) {
  const auto inside = range["observations"].get<std::int64_t>(),
             all = range["training_observations"].get<std::int64_t>();
  const auto beyond = range["systems_beyond"].get<std::int64_t>();
  std::string text =
      fmt::format("in first range   {} of {}\n", format_count(inside), format_plural(all, "training observation"));
  if (2 * inside < all)
    text +=
        "warning          training uses only what lies in the first range, less than half; see conditioning_length\n";
  if (beyond > 0)
    text += fmt::format("warning          {} first observed beyond the first range; set origins\n",
                        format_plural(beyond, "training system"));
  return text;
}

}  // namespace

ordered_json summarise_dataset(const data::Dataset& dataset) {
  const data::Description& description = dataset.description();
  std::vector<std::int64_t> objects, lengths;
  std::int64_t train = 0;
  for (std::int64_t system = 0; system < dataset.systems(); ++system) {
    objects.push_back(dataset.objects_of(system));
    train += dataset.part(system) == data::Part::kTrain ? 1 : 0;
  }
  for (std::int64_t object = 0; object < dataset.objects(); ++object)
    lengths.push_back(static_cast<std::int64_t>(dataset.times_of(object).size()));
  const auto values = dataset.arrays().values;
  const auto missing = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  return {{"kind", "dataset"},
          {"name", description.name},
          {"source", description.source},
          {"systems", {{"train", train}, {"test", dataset.systems() - train}}},
          {"objects", dataset.objects()},
          {"objects_per_system", spread(objects)},
          {"observations", dataset.observations()},
          {"observations_per_object", spread(lengths)},
          {"time", time_range(dataset)},
          {"dates", dates_of(dataset)},
          {"time_unit", description.time_unit},
          {"time_scale", description.time_scale},
          {"conditioning_length", description.conditioning_length},
          {"first_range", first_range_of(dataset)},
          {"features", features_of(dataset)},
          {"missing", share_of(missing, static_cast<std::int64_t>(values.size()))},
          {"relations", relations_of(dataset)}};
}

std::string dataset_text(const ordered_json& summary) {
  const auto text = [&](const char* key) { return summary[key].get<std::string>(); };
  const std::string unit = text("time_unit").empty() ? "" : fmt::format(" {}", text("time_unit"));
  std::string result = fmt::format("data set         {}\n", text("name").empty() ? "without a name" : text("name"));
  if (!text("source").empty()) result += fmt::format("made by          {}\n", text("source"));
  result += fmt::format("systems          {} training, {} test\n", format_count(summary["systems"]["train"]),
                        format_count(summary["systems"]["test"]));
  result += fmt::format("objects          {} in all, {} per system\n", format_count(summary["objects"]),
                        spread_text(summary["objects_per_system"], false));
  result += fmt::format("observations     {} in all, {} per object\n", format_count(summary["observations"]),
                        spread_text(summary["observations_per_object"], true));
  result += fmt::format("time             {}{} since each system's origin\n", range_text(summary["time"]), unit);
  if (!summary["dates"].is_null())
    result += fmt::format("dates            {} to {}\n", summary["dates"]["first"].get<std::string>(),
                          summary["dates"]["last"].get<std::string>());
  result += fmt::format("first range      {}{}\n", format_number(summary["conditioning_length"]), unit);
  result += first_range_text(summary["first_range"]);
  result += fmt::format("time scale       {}{} to the model's unit\n", format_number(summary["time_scale"]), unit);
  if (summary.contains("training"))
    result += fmt::format("window           {} of model time, {}{} (at --observed 0.6)\n",
                          format_number(summary["training"]["window"]),
                          format_number(summary["training"]["window_length"]), unit);
  result += fmt::format("missing          {} of all values\n", format_percent(summary["missing"]));
  result += fmt::format("relations        {}\n", relations_text(summary["relations"]));
  const auto loose = summary.value("objects_without_relations", std::int64_t{0});
  if (loose > 0) result += fmt::format("without any      {}\n", format_plural(loose, "object"));
  result += '\n';
  Table table({"feature", "unit", "range", "missing", "outliers", "velocity of"});
  for (const auto& feature : summary["features"]) {
    table.add({feature["name"], feature["unit"], range_text(feature["range"]), format_percent(feature["missing"]),
               format_count(feature.value("outliers", std::int64_t{0})),
               feature["velocity_of"].is_null() ? "" : feature["velocity_of"].get<std::string>()});
  }
  return result + table.left().text();
}

}  // namespace lgode::app
