// What a page says about a run and its data, and files of pages.
#include "lgode/report/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/report/page.h"
#include "lgode/use/format.h"

namespace lgode::report {
namespace {

using nlohmann::ordered_json;
using use::format_plural;
namespace fs = std::filesystem;

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

}  // namespace

fs::path default_page_path(const std::string& run) {
  const fs::path path = run;
  return (fs::is_directory(path) ? path : path.parent_path()) / "report.html";
}

void check_page_writable(const fs::path& path, Overwrite overwrite) {
  check_writable(path, is_page(path) ? Overwrite::kAllow : overwrite);
}

ordered_json record_json(const RunRecord& record) {
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

WrittenPage write_page(const fs::path& path, const std::string& title, const ordered_json& data) {
  const std::string text = page(title, data);
  write_file(path, Overwrite::kAllow, text);
  WrittenPage written{.path = path, .bytes = text.size(), .left_out = {}};
  for (const ordered_json& what : data.value("left_out", ordered_json::array()))
    written.left_out.push_back(what.get<std::string>());
  return written;
}

WrittenPage write_record_page(const RunRecord& record, const fs::path& path, const std::string& note) {
  ordered_json data = record_json(record);
  data["note"] = note;
  return write_page(path, fmt::format("{}: report", record.name), data);
}

std::string record_only_note(const RunRecord& record, const std::string& data, bool data_given) {
  if (!record.has_weights) return "The run has no weights yet, so there is nothing to evaluate or to predict.";
  if (data_given) return {};
  if (data.empty())
    return "The run names no data set, so nothing was evaluated or predicted; lgode report RUN --data DATA does that.";
  if (fs::exists(data)) return {};
  return fmt::format(
      "The data set of the run, {}, is absent, so nothing was evaluated or predicted; lgode report RUN --data DATA "
      "does "
      "that with its new path.",
      data);
}

}  // namespace lgode::report
