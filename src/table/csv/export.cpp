// Writes a data set as tables. Numbers are the shortest text that reads back as the same; a missing value is an empty
// field. Derived features are not in the tables.
#include "lgode/table/csv/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unordered_set>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/import.h"

namespace lgode::table {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormatKey = "lgode.csv";

void check_names(const data::Dataset& dataset) {
  std::unordered_set<std::string> systems;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    const std::string system = dataset.system_id(s);
    if (!systems.insert(system).second)
      throw DataError(fmt::format("two systems are named '{}', which a table cannot distinguish", system));
    std::set<std::string> objects;
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o)
      if (!objects.insert(dataset.object_id(s, o)).second)
        throw DataError(fmt::format("system '{}' has two objects named '{}', which a table cannot distinguish", system,
                                    dataset.object_id(s, o)));
    if (system.empty() || objects.contains(""))
      throw DataError("a system or an object has an empty name, which a table cannot hold");
  }
  for (const data::Feature& feature : dataset.description().features)
    for (const char* taken : {"system", "object", "time"})
      if (feature.name == taken)
        throw DataError(fmt::format("feature '{}' has the name of a column that every table has", taken));
}

// Dates only where they are exact.
data::TimeText time_text(const data::Dataset& dataset, bool& seconds) {
  const data::TimeText text(dataset.description());
  const auto times = dataset.arrays().times;
  seconds = text.dates() && !std::all_of(times.begin(), times.end(), [&](double t) { return text.exact(t); });
  return seconds ? data::TimeText(data::Description{}) : text;
}

void write_observations(const data::Dataset& dataset, const data::TimeText& time_of, FileSink& file,
                        const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  constexpr std::size_t kTogether = std::size_t{1} << 20;
  CsvText text;
  std::vector<std::string> names = {"system", "object", "time"};
  const std::vector<data::Feature>& features = dataset.description().features;
  for (std::string& name : data::measured_names(dataset.description())) names.push_back(std::move(name));
  text.header(names);
  const auto width = static_cast<std::size_t>(dataset.features());
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    const std::string system = csv_field(dataset.system_id(s));
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) {
      const std::string head = fmt::format("{},{}", system, csv_field(dataset.object_id(s, o)));
      const auto times = dataset.times_of(dataset.first_object(s) + o);
      const auto values = dataset.values_of(dataset.first_object(s) + o);
      for (std::size_t k = 0; k < times.size(); ++k) {
        text.raw(head).time(time_of, times[k]);
        for (std::size_t f = 0; f < width; ++f)
          if (!features[f].derived) text.value(values[k * width + f]);
        text.end_row();
      }
      text.flush(file, kTogether);
    }
    if (progress) progress(s + 1, dataset.systems());
  }
  text.flush(file);
}

void write_edges(const data::Dataset& dataset, FileSink& file) {
  CsvText text;
  text.header(std::vector{"system", "source", "target", "type", "weight"});
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    const std::string system = csv_field(dataset.system_id(s));
    const std::int64_t first = dataset.first_relation(s);
    for (std::int64_t e = first; e < first + dataset.relations_of(s); ++e) {
      const data::Relation r = dataset.relation(e);
      text.raw(system).field(dataset.object_id(s, r.source)).field(dataset.object_id(s, r.target));
      text.field(dataset.description().relation_types[static_cast<std::size_t>(r.type)]).number(r.weight).end_row();
    }
    text.flush(file);
  }
  text.flush(file);
}

std::string dataset_json(const data::Dataset& dataset, bool seconds) {
  Json systems = Json::array();
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    Json objects = Json::array();
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) objects.push_back(dataset.object_id(s, o));
    systems.push_back({{"id", dataset.system_id(s)},
                       {"part", dataset.part(s) == data::Part::kTrain ? "train" : "test"},
                       {"origin", dataset.origin(s)},
                       {"objects", std::move(objects)}});
  }
  const Json json = {{kFormatKey, 1},
                     {"times", seconds || dataset.description().time_format.empty() ? "numbers" : "dates"},
                     {"description", Json::parse(data::description_json(dataset.description()))},
                     {"systems", std::move(systems)}};
  return lenient_json_text(json, 1) + "\n";
}

}  // namespace

std::vector<std::string> formula_ids(const data::Dataset& dataset) {
  std::set<std::string> found;
  const data::Description& description = dataset.description();
  for (const auto* ids : {&description.system_ids, &description.object_ids})
    for (const std::string& id : *ids)
      if (runs_in_spreadsheet(id)) found.insert(id);
  return {found.begin(), found.end()};
}

data::Dataset with_safe_ids(const data::Dataset& dataset) {
  data::Description description = dataset.description();
  for (auto* ids : {&description.system_ids, &description.object_ids, &description.recordings})
    for (std::string& id : *ids) id = spreadsheet_safe(id);
  return {std::move(description), dataset.arrays(), std::make_shared<data::Dataset>(dataset), "the data set"};
}

void export_csv(const data::Dataset& dataset, const std::filesystem::path& folder, Overwrite overwrite,
                const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  check_names(dataset);
  for (const char* name : {kObservationsName, kEdgesName, kDatasetName}) check_writable(folder / name, overwrite);
  bool seconds = false;
  const data::TimeText times = time_text(dataset, seconds);
  NewFolders folders(folder, folder);
  std::vector<std::filesystem::path> written;
  try {
    write_file(folder / kObservationsName, overwrite,
               [&](FileSink& file) { write_observations(dataset, times, file, progress, stop); });
    written.push_back(folder / kObservationsName);
    write_file(folder / kEdgesName, overwrite, [&](FileSink& file) { write_edges(dataset, file); });
    written.push_back(folder / kEdgesName);
    write_file(folder / kDatasetName, overwrite, dataset_json(dataset, seconds));
    folders.keep();
  } catch (...) {
    // A failure leaves no file; files replaced on request are lost.
    std::error_code ignored;
    for (const std::filesystem::path& path : written) std::filesystem::remove(path, ignored);
    throw;
  }
}

ImportOptions folder_import(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kDatasetName;
  const std::string where = path.string();
  ImportOptions options;
  options.observations = {folder / kObservationsName};
  options.relations.table = folder / kEdgesName;
  options.format.delimiter = ',';
  options.roles.system = "system";
  ImportOptions::Known known;
  try {
    const Json json = Json::parse(read_text(path));
    if (json.value(kFormatKey, 0) != 1)
      throw DataError(fmt::format("{}: is not from a folder that lgode export csv wrote", where));
    known.description = data::read_description(json_text(json.at("description")), where);
    known.seconds = json.at("times").get<std::string>() == "numbers";
    for (const Json& system : json.at("systems")) {
      const std::string part = system.at("part").get<std::string>();
      if (part != "train" && part != "test")
        throw DataError(fmt::format("{}: a system has the part '{}', expected train or test", where, part));
      known.parts.push_back(part == "train" ? data::Part::kTrain : data::Part::kTest);
      known.origins.push_back(system.at("origin").get<double>());
      known.objects.push_back(system.at("objects").get<std::vector<std::string>>());
    }
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: is damaged or incomplete: {}", where, error.what()));
  }
  options.roles.same_features = known.description.features;
  options.roles.features = data::measured_names(known.description);
  options.known = std::move(known);
  return options;
}

}  // namespace lgode::table
