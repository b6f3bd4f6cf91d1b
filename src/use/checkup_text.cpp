// The part of lgode info that shows the check-up of a data set.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "lgode/core/json_text.h"
#include "lgode/data/checkup.h"
#include "lgode/data/fill_gaps.h"
#include "lgode/use/format.h"
#include "lgode/use/summary.h"

namespace lgode::use {
namespace {

using nlohmann::ordered_json;

ordered_json spread_json(const data::Checkup::Spread& spread) {
  if (spread.count == 0) return nullptr;
  ordered_json bins = ordered_json::array();
  for (const auto& bin : spread.histogram) bins.push_back({{"from", bin.from}, {"to", bin.to}, {"count", bin.count}});
  return {{"count", spread.count},
          {"min", spread.low},
          {"median", spread.median},
          {"max", spread.high},
          {"histogram", std::move(bins)}};
}

// Null where gaps are not multiples of one step.
ordered_json grid_json(const data::Checkup::Grid& grid) {
  if (grid.step == 0) return nullptr;
  return {{"step", grid.step}, {"regular", grid.regular}, {"multiples", grid.multiples},
          {"more", grid.more}, {"others", grid.others},   {"longer", grid.longer}};
}

// What a fill meets; null where no value is missing.
ordered_json fill_json(const data::Dataset& dataset) {
  const data::FillGaps gaps = data::fill_gaps(dataset);
  if (gaps.values == 0) return nullptr;
  const auto at = [&](double share) -> ordered_json {
    if (gaps.lengths.empty()) return nullptr;
    return gaps.lengths[static_cast<std::size_t>(share * static_cast<double>(gaps.lengths.size() - 1))];
  };
  return {{"values", gaps.values}, {"open", gaps.open}, {"gaps", gaps.lengths.size()},
          {"min", at(0)},          {"median", at(0.5)}, {"ninety", at(0.9)},
          {"max", at(1)}};
}

ordered_json presence_json(const data::Presence& presence) {
  return {{"stay", presence.stay},
          {"enter", presence.enter},
          {"leave", presence.leave},
          {"enter_and_leave", presence.enter_and_leave},
          {"without_forecast", presence.late}};
}

ordered_json windows_json(const data::WindowCount& count) {
  if (count.windows.empty()) return nullptr;
  std::vector<std::int64_t> sorted = count.windows;
  std::sort(sorted.begin(), sorted.end());
  return {{"windows", std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0})},
          {"recordings", sorted.size()},
          {"windows_per_recording",
           {{"min", sorted.front()}, {"median", sorted[sorted.size() / 2]}, {"max", sorted.back()}}},
          {"training", count.train},
          {"test", count.test},
          {"both", count.both},
          {"near_in_both", count.near},
          {"length", count.length}};
}

ordered_json pairs_json(const data::PairCount& pairs, const data::Dataset& dataset) {
  if (pairs.most_in < 0) return nullptr;
  return {{"per_system", pairs.pairs},
          {"largest_system", {{"id", dataset.system_id(pairs.most_in)}, {"objects", pairs.most_objects}}}};
}

const char* name_of(data::PartDifference::Kind kind) {
  switch (kind) {
    case data::PartDifference::Kind::kRange:
      return "outside";
    case data::PartDifference::Kind::kSpeed:
      return "speed";
    case data::PartDifference::Kind::kObjects:
      return "objects";
    case data::PartDifference::Kind::kObservations:
      return "observations";
    case data::PartDifference::Kind::kGap:
      return "gap";
    case data::PartDifference::Kind::kMissing:
      return "missing";
  }
  return "";
}

ordered_json differences_json(const data::Checkup& check, const data::Dataset& dataset) {
  ordered_json list = ordered_json::array();
  for (const data::PartDifference& difference : check.differences) {
    const auto f = static_cast<std::size_t>(std::max(difference.feature, 0));
    list.push_back({{"kind", name_of(difference.kind)},
                    {"feature", difference.feature < 0 ? ordered_json(nullptr)
                                                       : ordered_json(dataset.description().features[f].name)},
                    {"training", difference.train},
                    {"test", difference.test},
                    {"what", difference.what}});
  }
  return list;
}

// One line per bin, with a bar that shows its share of the largest.
std::string histogram_text(const std::string& title, const ordered_json& spread, bool whole) {
  if (spread.is_null() || spread["histogram"].size() < 2) return {};
  std::int64_t largest = 1;
  std::size_t width = 0;
  std::vector<std::string> names;
  for (const auto& bin : spread["histogram"]) {
    largest = std::max(largest, bin["count"].get<std::int64_t>());
    const double from = bin["from"], to = bin["to"].get<double>() - (whole ? 1 : 0);
    names.push_back(from == to ? format_number(from) : fmt::format("{} to {}", format_number(from), format_number(to)));
    width = std::max(width, names.back().size());
  }
  std::string text = fmt::format("\n{}\n", title);
  constexpr std::int64_t kLongest = 40;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto count = spread["histogram"][i]["count"].get<std::int64_t>();
    const std::int64_t length = count == 0 ? 0 : std::max<std::int64_t>(1, count * kLongest / largest);
    std::string line =
        fmt::format("  {:>{}}  {:#<{}}{}{}", names[i], width, "", length, length == 0 ? "" : " ", format_count(count));
    text += line + '\n';
  }
  return text;
}

}  // namespace

void add_checkup(ordered_json& summary, const data::Dataset& dataset) {
  const data::Checkup check = data::check_up(dataset);
  summary["presence"] = presence_json(check.presence);
  summary["windows"] = windows_json(check.windows);
  summary["gaps"] = spread_json(check.gaps);
  if (!summary["gaps"].is_null()) summary["gaps"]["grid"] = grid_json(check.grid);
  summary["to_fill"] = fill_json(dataset);
  summary["lengths"] = spread_json(check.lengths);
  summary["unobserved_objects"] = check.unobserved;
  summary["objects_observed_once"] = check.observed_once;
  summary["objects_without_relations"] = check.loose;
  summary["relations"]["per_object"] = json_number<ordered_json>(check.pairs.related);
  summary["pairs"] = pairs_json(check.pairs, dataset);
  summary["differences"] = differences_json(check, dataset);
  summary["close_times"] = check.close_times;
  summary["outlier_observations"] = check.outliers;
  summary["training"] = {{"window", check.window},
                         {"window_length", check.window_length},
                         {"observed", 0.6},
                         {"shortest_system", check.shortest},
                         {"longest_system", check.longest},
                         {"test_goes_on", check.goes_on}};
  for (std::size_t f = 0; f < check.features.size(); ++f) {
    const auto& feature = check.features[f];
    ordered_json& to = summary["features"][f];
    to["mean"] = feature.values > 0 ? ordered_json(feature.mean) : ordered_json(nullptr);
    to["deviation"] = feature.values > 0 ? ordered_json(feature.deviation) : ordered_json(nullptr);
    if (to["derived"].get<bool>()) continue;
    to["constant"] = feature.constant;
    to["outliers"] = feature.outliers;
  }
  ordered_json warnings = ordered_json::array();
  for (const auto& warning : check.warnings) warnings.push_back({{"what", warning.what}, {"advice", warning.advice}});
  summary["warnings"] = std::move(warnings);
}

std::string checkup_text(const ordered_json& summary) {
  std::string text;
  if (!has_grid(summary)) text += histogram_text("gaps between an object's observations", summary["gaps"], false);
  text += histogram_text("observations per object", summary["lengths"], true);
  text += '\n';
  for (const auto& warning : summary["warnings"])
    text += fmt::format("warning: {}; {}\n", warning["what"].get<std::string>(), warning["advice"].get<std::string>());
  if (summary["warnings"].empty()) text += "no problems found\n";
  return text;
}

}  // namespace lgode::use
