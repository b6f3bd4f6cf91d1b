// Writes a data set as tables. Numbers are the shortest text that reads back as the same; a missing value is an empty
// field. Derived features are not in the tables.
#include "lgode/data/export_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unordered_set>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/csv.h"
#include "lgode/data/import_csv.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormatKey = "lgode.csv";

void check_names(const Dataset& dataset) {
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
  for (const Feature& feature : dataset.description().features)
    for (const char* taken : {"system", "object", "time"})
      if (feature.name == taken)
        throw DataError(fmt::format("feature '{}' has the name of a column that every table has", taken));
}

// Dates only where they are exact.
TimeText time_text(const Dataset& dataset, bool& seconds) {
  const TimeText text(dataset.description());
  const auto times = dataset.arrays().times;
  seconds = text.dates() && !std::all_of(times.begin(), times.end(), [&](double t) { return text.exact(t); });
  return seconds ? TimeText(Description{}) : text;
}

void write_observations(const Dataset& dataset, const TimeText& time_of, FileSink& file,
                        const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  std::string text = "system,object,time";
  const std::vector<Feature>& features = dataset.description().features;
  for (const Feature& feature : features)
    if (!feature.derived) text += fmt::format(",{}", csv_field(feature.name));
  text += '\n';
  const auto width = static_cast<std::size_t>(dataset.features());
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    const std::string system = csv_field(dataset.system_id(s));
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) {
      const std::string head = fmt::format("{},{},", system, csv_field(dataset.object_id(s, o)));
      const auto times = dataset.times_of(dataset.first_object(s) + o);
      const auto values = dataset.values_of(dataset.first_object(s) + o);
      for (std::size_t k = 0; k < times.size(); ++k) {
        text += head;
        text += time_of(times[k]);
        for (std::size_t f = 0; f < width; ++f) {
          if (features[f].derived) continue;
          text += ',';
          if (!std::isnan(values[k * width + f])) fmt::format_to(std::back_inserter(text), "{}", values[k * width + f]);
        }
        text += '\n';
      }
      if (text.size() > std::size_t{1} << 20) {
        file.write(std::string_view(text));
        text.clear();
      }
    }
    if (progress) progress(s + 1, dataset.systems());
  }
  file.write(std::string_view(text));
}

void write_edges(const Dataset& dataset, FileSink& file) {
  std::string text = "system,source,target,type,weight\n";
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    const std::string system = csv_field(dataset.system_id(s));
    const std::int64_t first = dataset.first_relation(s);
    for (std::int64_t e = first; e < first + dataset.relations_of(s); ++e) {
      const Relation r = dataset.relation(e);
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", system, csv_field(dataset.object_id(s, r.source)),
                     csv_field(dataset.object_id(s, r.target)),
                     csv_field(dataset.description().relation_types[static_cast<std::size_t>(r.type)]), r.weight);
    }
    file.write(std::string_view(text));
    text.clear();
  }
  file.write(std::string_view(text));
}

std::string dataset_json(const Dataset& dataset, bool seconds) {
  Json systems = Json::array();
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    Json objects = Json::array();
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) objects.push_back(dataset.object_id(s, o));
    systems.push_back({{"id", dataset.system_id(s)},
                       {"part", dataset.part(s) == Part::kTrain ? "train" : "test"},
                       {"origin", dataset.origin(s)},
                       {"objects", std::move(objects)}});
  }
  const Json json = {{kFormatKey, 1},
                     {"times", seconds || dataset.description().time_format.empty() ? "numbers" : "dates"},
                     {"description", Json::parse(description_json(dataset.description()))},
                     {"systems", std::move(systems)}};
  return lenient_json_text(json, 1) + "\n";
}

}  // namespace

void export_csv(const Dataset& dataset, const std::filesystem::path& folder, Overwrite overwrite,
                const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  check_names(dataset);
  for (const char* name : {kObservationsName, kEdgesName, kDatasetName}) check_writable(folder / name, overwrite);
  bool seconds = false;
  const TimeText times = time_text(dataset, seconds);
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
    // After a failure no file is left; files that were replaced on request are lost.
    std::error_code ignored;
    for (const std::filesystem::path& path : written) std::filesystem::remove(path, ignored);
    throw;
  }
}

CsvImport folder_import(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kDatasetName;
  const std::string where = path.string();
  CsvImport options;
  options.observations = {folder / kObservationsName};
  options.edges = Edges::kTable;
  options.edge_table = folder / kEdgesName;
  options.delimiter = ',';
  options.system = "system";
  CsvImport::Known known;
  try {
    const Json json = Json::parse(read_text(path));
    if (json.value(kFormatKey, 0) != 1)
      throw DataError(fmt::format("{}: is not from a folder that lgode export csv wrote", where));
    known.description = read_description(json_text(json.at("description")), where);
    known.seconds = json.at("times").get<std::string>() == "numbers";
    for (const Json& system : json.at("systems")) {
      const std::string part = system.at("part").get<std::string>();
      if (part != "train" && part != "test")
        throw DataError(fmt::format("{}: a system has the part '{}', expected train or test", where, part));
      known.parts.push_back(part == "train" ? Part::kTrain : Part::kTest);
      known.origins.push_back(system.at("origin").get<double>());
      known.objects.push_back(system.at("objects").get<std::vector<std::string>>());
    }
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: is damaged or incomplete: {}", where, error.what()));
  }
  options.same_features = known.description.features;
  for (const Feature& feature : known.description.features)
    if (!feature.derived) options.features.push_back(feature.name);
  options.known = std::move(known);
  return options;
}

}  // namespace lgode::data
