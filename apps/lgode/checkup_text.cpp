// The part of lgode info that shows the check-up of a data set.
#include <fmt/format.h>

#include <algorithm>

#include "flag_text.h"
#include "format.h"
#include "lgode/data/checkup.h"
#include "summary.h"

namespace lgode::app {
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
  summary["gaps"] = spread_json(check.gaps);
  summary["lengths"] = spread_json(check.lengths);
  summary["unobserved_objects"] = check.unobserved;
  summary["objects_observed_once"] = check.observed_once;
  summary["objects_without_relations"] = check.loose;
  summary["close_times"] = check.close_times;
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
    to["constant"] = feature.constant;
    to["outliers"] = feature.outliers;
  }
  ordered_json warnings = ordered_json::array();
  for (const auto& warning : check.warnings)
    warnings.push_back({{"what", with_flags(warning.what)}, {"advice", with_flags(warning.advice)}});
  summary["warnings"] = std::move(warnings);
}

std::string checkup_text(const ordered_json& summary) {
  std::string text = histogram_text("gaps between an object's observations", summary["gaps"], false);
  text += histogram_text("observations per object", summary["lengths"], true);
  text += '\n';
  for (const auto& warning : summary["warnings"])
    text += fmt::format("warning: {}; {}\n", warning["what"].get<std::string>(), warning["advice"].get<std::string>());
  if (summary["warnings"].empty()) text += "no problems found\n";
  return text;
}

}  // namespace lgode::app
