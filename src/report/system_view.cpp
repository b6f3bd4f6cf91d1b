// Thins out systems and writes them as JSON.
#include "lgode/report/system_view.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "lgode/core/json_text.h"
#include "pack.h"

namespace lgode::report {
namespace {

using nlohmann::ordered_json;

// One packed array per feature, object by object.
ordered_json by_feature(const std::vector<double>& values, std::size_t width, const std::vector<int>& features) {
  ordered_json out = ordered_json::array();
  for (const int f : features) {
    std::vector<double> one;
    one.reserve(width == 0 ? 0 : values.size() / width);
    for (std::size_t at = static_cast<std::size_t>(f); at < values.size(); at += width) one.push_back(values[at]);
    out.push_back(pack16(one));
  }
  return out;
}

}  // namespace

SystemView with_fewer_objects(const SystemView& view, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(view.objects.size());
  if (count <= most) return view;
  SystemView out = view;
  out.objects.clear(), out.mean.clear(), out.low.clear(), out.high.clear(), out.relations.clear();
  std::vector<std::int32_t> place(static_cast<std::size_t>(count), -1);
  const std::size_t each = view.mean.size() / static_cast<std::size_t>(count);
  for (std::int64_t k = 0; k < most; ++k) {
    const auto i = static_cast<std::size_t>(k * count / most);
    place[i] = static_cast<std::int32_t>(k);
    out.objects.push_back(view.objects[i]);
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i * each),
                from.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
    };
    copy(view.mean, out.mean), copy(view.low, out.low), copy(view.high, out.high);
  }
  for (data::Relation relation : view.relations) {
    relation.source = place[static_cast<std::size_t>(relation.source)];
    relation.target = place[static_cast<std::size_t>(relation.target)];
    if (relation.source >= 0 && relation.target >= 0) out.relations.push_back(relation);
  }
  return out;
}

SystemView with_fewer_relations(const SystemView& view, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(view.relations.size());
  if (count <= most) return view;
  SystemView out = view;
  out.relations.clear();
  for (std::int64_t k = 0; k < most; ++k)
    out.relations.push_back(view.relations[static_cast<std::size_t>(k * count / most)]);
  return out;
}

ordered_json system_json(const SystemView& view, const std::vector<int>& features) {
  ordered_json ids = ordered_json::array(), errors = ordered_json::array(), counts = ordered_json::array();
  ordered_json relations = ordered_json::array();
  std::vector<float> times;
  std::vector<double> values;
  std::vector<std::uint8_t> flags;
  std::size_t width = static_cast<std::size_t>(view.features());
  for (const ObjectView& object : view.objects) {
    ids.push_back(object.id);
    errors.push_back(json_number<ordered_json>(object.mse));
    counts.push_back(object.times.size());
    for (std::size_t k = 0; k < object.times.size(); ++k) {
      times.push_back(static_cast<float>(object.times[k] - view.begin));
      flags.push_back(static_cast<std::uint8_t>(object.seen[k] | object.asked[k] << 1U));
    }
    values.insert(values.end(), object.values.begin(), object.values.end());
    if (width == 0 && !object.times.empty()) width = object.values.size() / object.times.size();
  }
  std::vector<float> path_times;
  for (const double t : view.times) path_times.push_back(static_cast<float>(t - view.begin));
  for (const data::Relation& r : view.relations)
    for (const std::int32_t x : {r.source, r.target, r.type}) relations.push_back(x);
  return {{"system", view.system},
          {"id", view.id},
          {"part", view.part},
          {"rank", view.rank},
          {"place", view.place},
          {"of", view.of},
          {"mse", json_number<ordered_json>(view.mse)},
          {"forecast", view.forecast},
          {"begin", view.begin},
          {"start", view.start},
          {"end", view.end},
          {"objects", {{"ids", ids}, {"mse", errors}, {"total", view.objects_total}}},
          {"observations",
           {{"counts", counts},
            {"times", pack32(times)},
            {"flags", base64(flags)},
            {"values", by_feature(values, width, features)}}},
          {"path",
           {{"times", pack32(path_times)},
            {"mean", by_feature(view.mean, width, features)},
            {"low", by_feature(view.low, width, features)},
            {"high", by_feature(view.high, width, features)}}},
          {"relations", relations},
          {"relations_total", view.relations_total}};
}

std::string rank_of(std::int64_t place, std::int64_t count) {
  if (place == 0) return "best";
  if (place == count - 1) return "worst";
  return place == (count - 1) / 2 ? "median" : "";
}

std::vector<std::int64_t> spread_places(std::int64_t count, std::int64_t wanted) {
  wanted = std::min(wanted, count);
  std::set<std::int64_t> places;
  if (wanted > 0) places.insert(0);
  if (wanted > 1) places.insert(count - 1);
  if (wanted > 2) places.insert((count - 1) / 2);
  // Evenly spaced ones, then any unused ones, until there are enough.
  for (std::int64_t k = 1; k + 1 < wanted && static_cast<std::int64_t>(places.size()) < wanted; ++k)
    places.insert(k * (count - 1) / (wanted - 1));
  for (std::int64_t k = 0; k < count && static_cast<std::int64_t>(places.size()) < wanted; ++k) places.insert(k);
  return {places.begin(), places.end()};
}

}  // namespace lgode::report
