// Pages of runs: the parts that need no LibTorch.
#include "commands/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/process.h"
#include "lgode/report/page.h"
#include "lgode/use/format.h"

namespace lgode::app {
namespace {

using use::format_plural;
namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string edges_text(const data::EdgeRule& rule) {
  switch (rule.kind) {
    case data::EdgeRule::Kind::kAll:
      return "all pairs";
    case data::EdgeRule::Kind::kNearest:
      return fmt::format("the {} nearest", rule.neighbours);
    case data::EdgeRule::Kind::kWithin:
      return fmt::format("within {:g}", rule.radius);
    default:
      return "listed";
  }
}

std::string size_text(std::size_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{} kB", (bytes + 999) / 1000)
                           : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

fs::path report_path(const std::string& run, const std::string& out) {
  if (!out.empty()) return out;
  const fs::path path = run;
  return (fs::is_directory(path) ? path : path.parent_path()) / "report.html";
}

void check_page_writable(const fs::path& path, bool force) {
  check_writable(path, force || report::is_page(path) ? Overwrite::kAllow : Overwrite::kRefuse);
}

ordered_json record_json(const report::RunRecord& record) {
  ordered_json out = {{"kind", "run"},
                      {"run", record.to_json()},
                      {"settings", record.settings},
                      {"curve", record.curve},
                      {"left_out", ordered_json::array()}};
  if (record.curve_left_out > 0)
    out["left_out"].push_back(fmt::format("{} of the learning curve", format_plural(record.curve_left_out, "epoch")));
  return out;
}

ordered_json data_json(const data::Dataset& dataset, const std::string& path) {
  const data::Description& d = dataset.description();
  const std::vector<int> positions = data::position_features(d.features);
  ordered_json features = ordered_json::array();
  for (std::size_t f = 0; f < d.features.size(); ++f) {
    const data::Feature& feature = d.features[f];
    if (feature.derived) continue;
    const bool position = std::find(positions.begin(), positions.end(), static_cast<int>(f)) != positions.end();
    features.push_back({{"name", feature.name}, {"unit", feature.unit}, {"position", position}});
  }
  std::int64_t fewest = dataset.systems() > 0 ? dataset.objects_of(0) : 0, most = fewest;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    fewest = std::min(fewest, dataset.objects_of(s));
    most = std::max(most, dataset.objects_of(s));
  }
  const auto train = static_cast<std::int64_t>(dataset.systems_in(data::Part::kTrain).size());
  return {{"name", d.name},
          {"path", path},
          {"source", d.source},
          {"train_systems", train},
          {"test_systems", dataset.systems() - train},
          {"fewest_objects", fewest},
          {"most_objects", most},
          {"observations", dataset.observations()},
          {"features", features},
          {"relation_types", d.relation_types},
          {"relations", edges_text(d.edges)},
          {"time_unit", d.time_unit},
          {"time_origin", d.time_origin}};
}

void write_page(const fs::path& path, const std::string& title, const ordered_json& data, bool quiet) {
  const std::string text = report::page(title, data);
  write_file(path, Overwrite::kAllow, text);
  if (quiet) return;
  fmt::print("report: {}, {}\n", path.string(), size_text(text.size()));
  for (const ordered_json& what : data.value("left_out", ordered_json::array()))
    fmt::print("  omitted: {}\n", what.get<std::string>());
}

void write_record_page(const report::RunRecord& record, const fs::path& path, const std::string& note, bool quiet) {
  ordered_json data = record_json(record);
  data["note"] = note;
  write_page(path, fmt::format("{}: report", record.name), data, quiet);
}

void open_in_browser(const fs::path& path) {
  std::fflush(stdout);
  const std::string full = fs::absolute(path).string();
  int code = kNotStarted;
  try {
    for (const char* opener : {"xdg-open", "open"})
      if (code == kNotStarted)
        code = ChildProcess({.program = opener, .words = {opener, full}, .own = false}).wait().code;
  } catch (const DataError&) {  // no process: no browser
  }
  if (code != 0) fmt::print(stderr, "note: no browser could be opened here; open {} in one\n", full);
}

}  // namespace lgode::app
