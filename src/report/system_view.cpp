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

// Values of the path at every n-th time, of rows of `times` times.
std::vector<double> every(const std::vector<double>& values, std::size_t times, std::size_t width, std::size_t n) {
  std::vector<double> out;
  const std::size_t each = times * width;
  for (std::size_t row = 0; each > 0 && row < values.size() / each; ++row)
    for (std::size_t k = 0; k < times; k += n)
      for (std::size_t f = 0; f < width; ++f) out.push_back(values[row * each + k * width + f]);
  return out;
}

ordered_json futures_json(const SystemView& view, std::size_t width, const std::vector<int>& features) {
  const FuturesView& futures = view.futures;
  const std::size_t stride = futures_stride(view.times.size());
  return {{"count", futures.count},
          {"total", futures.total},
          {"stride", stride},
          {"probability", pack16(futures.probability)},
          {"values", by_feature(every(futures.values, view.times.size(), width, stride), width, features)}};
}

}  // namespace

double future_opacity(double probability, double most) {
  constexpr double kFaintest = 0.15, kStrongest = 0.8;
  if (std::isnan(probability) || !(most > 0)) return 0;
  return std::clamp(kStrongest * probability / most, kFaintest, kStrongest);
}

std::size_t futures_stride(std::size_t times) {
  constexpr std::size_t kIntervals = 30;
  for (std::size_t n = times / kIntervals; n > 1; --n)
    if ((times - 1) % n == 0 && (times - 1) / n >= kIntervals) return n;
  return 1;
}

SystemView with_fewer_objects(const SystemView& view, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(view.objects.size());
  if (count <= most) return view;
  SystemView out = view;
  out.objects.clear(), out.mean.clear(), out.low.clear(), out.high.clear(), out.relations.clear();
  out.futures.values.clear(), out.futures.probability.clear();
  std::vector<std::int32_t> place(static_cast<std::size_t>(count), -1);
  for (std::int64_t k = 0; k < most; ++k) {
    const auto i = static_cast<std::size_t>(k * count / most);
    place[i] = static_cast<std::int32_t>(k);
    out.objects.push_back(view.objects[i]);
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
      const std::size_t each = from.size() / static_cast<std::size_t>(count);
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i * each),
                from.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
    };
    copy(view.mean, out.mean), copy(view.low, out.low), copy(view.high, out.high);
    copy(view.futures.values, out.futures.values), copy(view.futures.probability, out.futures.probability);
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

SystemView with_fewer_futures(const SystemView& view, std::int64_t most) {
  const FuturesView& all = view.futures;
  if (all.count <= most) return view;
  SystemView out = view;
  out.futures = {.count = most, .total = all.total, .values = {}, .probability = {}};
  const std::size_t objects = view.objects.size(), count = static_cast<std::size_t>(all.count);
  const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
    const std::size_t each = objects == 0 ? 0 : from.size() / objects,
                      kept = each / count * static_cast<std::size_t>(most);
    for (std::size_t o = 0; o < objects; ++o)
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(o * each),
                from.begin() + static_cast<std::ptrdiff_t>(o * each + kept));
  };
  copy(all.values, out.futures.values), copy(all.probability, out.futures.probability);
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
  ordered_json out = {{"system", view.system},
                      {"id", view.id},
                      {"part", view.part},
                      {"rank", view.rank},
                      {"place", view.place},
                      {"of", view.of},
                      {"mse", json_number<ordered_json>(view.mse)},
                      {"surprise", json_number<ordered_json>(view.surprise)},
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
  if (view.futures.count > 0) out["futures"] = futures_json(view, width, features);
  return out;
}

std::string rank_of(std::int64_t place, std::int64_t count) {
  if (place == 0) return "best";
  if (place == count - 1) return "worst";
  return place == (count - 1) / 2 ? "median" : "";
}

std::vector<std::int64_t> shown_places(const std::vector<double>& surprises, std::int64_t wanted) {
  const auto count = static_cast<std::int64_t>(surprises.size());
  wanted = std::min(wanted, count);
  std::vector<std::int64_t> by_surprise;
  for (std::int64_t place = 0; place < count; ++place)
    if (!std::isnan(surprises[static_cast<std::size_t>(place)])) by_surprise.push_back(place);
  if (by_surprise.empty()) return spread_places(count, wanted);
  std::stable_sort(by_surprise.begin(), by_surprise.end(), [&](std::int64_t a, std::int64_t b) {
    return surprises[static_cast<std::size_t>(a)] > surprises[static_cast<std::size_t>(b)];
  });
  const std::vector<std::int64_t> spread = spread_places(count, wanted - wanted / 4);
  std::set<std::int64_t> places(spread.begin(), spread.end());
  const auto full = [&] { return static_cast<std::int64_t>(places.size()) >= wanted; };
  for (const std::int64_t place : by_surprise)
    if (!full()) places.insert(place);
  for (const std::int64_t place : spread_places(count, wanted))
    if (!full()) places.insert(place);
  return {places.begin(), places.end()};
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
