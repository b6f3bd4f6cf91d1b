// Writes predictions as CSV row by row, or collects them in flat arrays for safetensors; summarises such files.
#include "lgode/use/prediction_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/prediction.h"
#include "lgode/table/csv/write.h"
#include "lgode/use/format.h"
#include "lgode/use/own_columns.h"

namespace lgode::use {
namespace {

using table::csv_field;

constexpr const char* kNotesKey = "lgode.prediction";

// The quantiles of a prediction that are written.
std::vector<const std::vector<double>*> written(const eval::SystemPrediction& part) {
  std::vector<const std::vector<double>*> all;
  for (const std::vector<double>& values : part.quantiles) all.push_back(&values);
  if (all.empty()) all = {&part.low, &part.high};
  return all;
}
std::vector<std::string> quantile_names(std::vector<double> quantiles) {
  if (quantiles.empty()) quantiles = {0.05, 0.95};
  std::vector<std::string> names;
  names.reserve(quantiles.size());
  for (const double q : quantiles) names.push_back(eval::quantile_name(q));
  return names;
}

// How rows of a file begin: system, object and time.
class RowNames {
 public:
  RowNames(const data::Dataset& dataset, const PredictionForm& form, const std::vector<std::string>& others)
      : dataset_(dataset),
        form_(form),
        own_(dataset, others),
        text_(form.relative ? data::Description{} : dataset.description()) {}

  std::vector<std::string> header() const {
    return form_.own_names ? own_.header() : std::vector<std::string>{"system", "object", "time"};
  }
  // The fields of system and object.
  std::string of(std::int64_t system, std::int64_t object) const {
    const std::string id = dataset_.system_id(system);
    std::string head;
    for (const std::string& entry : form_.own_names ? own_.system(id) : std::vector<std::string>{id})
      head += csv_field(entry) + ',';
    return head + csv_field(dataset_.object_id(system, object));
  }
  // A physical time as the file has it, as a number and as text.
  double number(std::int64_t system, double time) const {
    const double since = form_.relative ? time - dataset_.origin(system) : time;
    const double rate = own_rate();
    return rate > 0 ? since * rate : since;
  }
  std::string text(std::int64_t system, double time) const {
    return table::time_field(text_, form_.relative ? time - dataset_.origin(system) : time, own_rate(), {});
  }

 private:
  double own_rate() const { return form_.own_names ? dataset_.description().rate : 0; }

  const data::Dataset& dataset_;
  PredictionForm form_;
  OwnColumns own_;
  data::TimeText text_;
};

// The values of one path of an object, a row for each time and feature. `use` adds the fields after the feature.
template <class Use>
void append_rows(table::CsvText& csv, const std::string& head, const std::vector<std::string>& times,
                 const std::vector<std::string>& features, const std::vector<std::size_t>& predicted,
                 std::size_t object, const Use& use) {
  for (std::size_t k = 0; k < times.size(); ++k)
    for (const std::size_t f : predicted) {
      csv.raw(head).raw(times[k]).raw(features[f]);
      use((object * times.size() + k) * features.size() + f);
      csv.end_row();
    }
}

// Objects without a prediction have no rows. `features`: names as they stand in the file. With futures, the rows of the
// mean path come first, as future 0, then those of each future, with its value as mean.
void append_csv(table::CsvText& csv, const data::Dataset& dataset, const std::vector<std::string>& features,
                const RowNames& names, const eval::SystemPrediction& part) {
  const std::vector<std::size_t> predicted = data::measured_features(dataset.description());
  const std::vector<const std::vector<double>*> quantiles = written(part);
  std::vector<std::string> times;
  for (const double time : part.times) times.push_back(names.text(part.system, time));
  for (std::int64_t object = 0; object < part.objects; ++object) {
    if (!eval::has_prediction(part, object)) continue;
    const std::string head = names.of(part.system, object);
    const auto at = static_cast<std::size_t>(object);
    const std::size_t futures = part.futures.size();
    append_rows(csv, head, times, features, predicted, at, [&](std::size_t i) {
      csv.number(part.mean[i]).number(part.deviation[i]);
      for (const std::vector<double>* values : quantiles) csv.number((*values)[i]);
      if (futures > 0) csv.raw("0").raw("");
    });
    for (std::size_t j = 0; j < futures; ++j)
      append_rows(csv, head, times, features, predicted, at, [&](std::size_t i) {
        csv.number(part.futures[j][i]).raw("");
        for (std::size_t q = 0; q < quantiles.size(); ++q) csv.raw("");
        csv.raw(std::to_string(j + 1)).number(part.probability[at * futures + j]);
      });
  }
}

void write_csv(const std::filesystem::path& path, Overwrite overwrite, const data::Dataset& dataset,
               const std::vector<double>& quantiles, const PredictionSource& source, const PredictionForm& form) {
  std::vector<std::string> features;
  for (const data::Feature& feature : dataset.description().features) features.push_back(csv_field(feature.name));
  write_file(path, overwrite, [&](FileSink& file) {
    std::vector<std::string> values = {"feature", "mean", "std"};
    for (std::string& name : quantile_names(quantiles)) values.push_back(std::move(name));
    if (form.futures > 0) values.insert(values.end(), {"future", "probability"});
    const RowNames names(dataset, form, values);
    std::vector<std::string> columns = names.header();
    columns.insert(columns.end(), values.begin(), values.end());
    table::CsvText csv;
    csv.header(columns);
    csv.flush(file);
    source([&](const eval::SystemPrediction& part) {
      append_csv(csv, dataset, features, names, part);
      csv.flush(file);
    });
  });
}

// All predictions as flat arrays; named as in the file.
struct Arrays {
  std::vector<std::int64_t> systems;
  std::vector<std::int64_t> object_offsets{0}, time_offsets{0}, row_offsets{0};
  std::vector<double> times;
  std::vector<double> mean, deviation;
  std::vector<std::vector<double>> quantiles, paths, futures;
  std::vector<std::vector<double>> probability;  // of each future, by object

  // `predicted`: the places of the file's features among `width`.
  void add(const eval::SystemPrediction& part, const std::vector<std::size_t>& predicted, std::size_t width) {
    const auto count = static_cast<std::int64_t>(part.times.size());
    systems.push_back(part.system);
    object_offsets.push_back(object_offsets.back() + part.objects);
    time_offsets.push_back(time_offsets.back() + count);
    row_offsets.push_back(row_offsets.back() + part.objects * count);
    times.insert(times.end(), part.times.begin(), part.times.end());
    const auto append = [&](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t row = 0; row < from.size(); row += width)
        for (const std::size_t f : predicted) to.push_back(from[row + f]);
    };
    append(mean, part.mean);
    append(deviation, part.deviation);
    const std::vector<const std::vector<double>*> wanted = written(part);
    quantiles.resize(wanted.size()), paths.resize(part.paths.size());
    for (std::size_t q = 0; q < wanted.size(); ++q) append(quantiles[q], *wanted[q]);
    for (std::size_t s = 0; s < paths.size(); ++s) append(paths[s], part.paths[s]);
    futures.resize(part.futures.size()), probability.resize(part.futures.size());
    for (std::size_t j = 0; j < futures.size(); ++j) {
      append(futures[j], part.futures[j]);
      for (std::size_t i = j; i < part.probability.size(); i += futures.size())
        probability[j].push_back(part.probability[i]);
    }
  }
};

nlohmann::json describe(const data::Dataset& dataset, const Arrays& arrays) {
  nlohmann::json features = nlohmann::json::array();
  for (const data::Feature& feature : dataset.description().features)
    if (!feature.derived) features.push_back({{"name", feature.name}, {"unit", feature.unit}});
  nlohmann::json systems = nlohmann::json::array(), objects = nlohmann::json::array();
  for (const std::int64_t system : arrays.systems) {
    systems.push_back(dataset.system_id(system));
    for (std::int64_t object = 0; object < dataset.objects_of(system); ++object)
      objects.push_back(dataset.object_id(system, object));
  }
  return {{"features", features},
          {"time_unit", dataset.description().time_unit},
          {"time_origin", dataset.description().time_origin},
          {"time_format", dataset.description().time_format},
          {"system_ids", systems},
          {"object_ids", objects}};
}

void write_tensors(const std::filesystem::path& path, Overwrite overwrite, const data::Dataset& dataset,
                   nlohmann::json notes, const std::vector<double>& quantiles, const PredictionSource& source,
                   const PredictionForm& form) {
  Arrays arrays;
  const std::vector<std::size_t> predicted = data::measured_features(dataset.description());
  const RowNames names_of(dataset, form, {});
  source([&](const eval::SystemPrediction& part) {
    const std::size_t before = arrays.times.size();
    arrays.add(part, predicted, static_cast<std::size_t>(dataset.features()));
    for (std::size_t k = before; k < arrays.times.size(); ++k)
      arrays.times[k] = names_of.number(part.system, arrays.times[k]);
  });
  notes.update(describe(dataset, arrays));
  notes["relative"] = form.relative;
  if (form.own_names) notes["columns"] = names_of.header();
  if (form.own_names && dataset.description().rate > 0) notes["time_unit"] = "count";
  const auto flat = []<class T>(const std::vector<T>& values) {
    return tensor_view(std::span<const T>(values), {static_cast<std::int64_t>(values.size())});
  };
  const std::int64_t rows = arrays.row_offsets.back();
  const auto table = [&](const std::vector<double>& values) {
    return tensor_view(std::span<const double>(values), {rows, static_cast<std::int64_t>(predicted.size())});
  };
  SafetensorsContent content;
  content.tensors = {{"systems", flat(arrays.systems)},
                     {"object_offsets", flat(arrays.object_offsets)},
                     {"time_offsets", flat(arrays.time_offsets)},
                     {"row_offsets", flat(arrays.row_offsets)},
                     {"times", flat(arrays.times)},
                     {"mean", table(arrays.mean)},
                     {"std", table(arrays.deviation)}};
  const std::vector<std::string> names = quantile_names(quantiles);
  arrays.quantiles.resize(names.size());
  for (std::size_t q = 0; q < names.size(); ++q) content.tensors.emplace_back(names[q], table(arrays.quantiles[q]));
  std::vector<double> paths, futures, probability;
  const auto add_joined = [&](const char* name, const std::vector<std::vector<double>>& several,
                              std::vector<double>& joined, std::vector<std::int64_t> sizes) {
    if (several.empty()) return;
    for (const std::vector<double>& one : several) joined.insert(joined.end(), one.begin(), one.end());
    sizes.insert(sizes.begin(), static_cast<std::int64_t>(several.size()));
    content.tensors.emplace_back(name, tensor_view(std::span<const double>(joined), sizes));
  };
  const auto width = static_cast<std::int64_t>(predicted.size());
  add_joined("paths", arrays.paths, paths, {rows, width});
  add_joined("futures", arrays.futures, futures, {rows, width});
  add_joined("probability", arrays.probability, probability, {arrays.object_offsets.back()});
  content.metadata = {{data::kKindKey, kPredictionKind}, {"lgode.version", "1"}, {kNotesKey, json_text(notes)}};
  write_safetensors(path, overwrite, content);
}

nlohmann::json read_notes(const SafetensorsFile& file) {
  const nlohmann::json notes = parse_json(file.meta(kNotesKey));
  if (!notes.is_object())
    throw DataError(fmt::format("{}: the metadata entry {} is not a JSON object", file.path().string(), kNotesKey));
  return notes;
}

// "12" or "12 to 40".
std::string count_range(const nlohmann::ordered_json& range) {
  const std::string low = format_count(range["min"]), high = format_count(range["max"]);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::string feature_names(const nlohmann::ordered_json& features) {
  std::string names;
  for (const auto& feature : features) {
    const auto unit = feature.value("unit", std::string());
    names += (names.empty() ? "" : ", ") + feature.value("name", std::string()) + (unit.empty() ? "" : " in " + unit);
  }
  return names;
}

}  // namespace

std::filesystem::path fill_notes_path(const std::filesystem::path& table) {
  return std::filesystem::path(table).replace_extension(".json");
}

std::filesystem::path fill_intervals_path(const std::filesystem::path& table) {
  return std::filesystem::path(table).replace_extension(".intervals.csv");
}

void check_prediction_name(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".csv" && extension != ".safetensors")
    throw ConfigError(fmt::format("`out` {}: the name must end in .csv or .safetensors", path.string()));
}

void write_predictions(const std::filesystem::path& path, Overwrite overwrite, const data::Dataset& dataset,
                       const nlohmann::json& notes, const std::vector<double>& quantiles,
                       const PredictionSource& source, const PredictionForm& form) {
  if (path.extension() == ".csv")
    write_csv(path, overwrite, dataset, quantiles, source, form);
  else
    write_tensors(path, overwrite, dataset, notes, quantiles, source, form);
}

void read_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                      const std::vector<double>& quantiles, const PredictionSink& sink) {
  const SafetensorsFile file(path);
  const std::vector<std::size_t> predicted = data::measured_features(dataset.description());
  const auto width = static_cast<std::size_t>(dataset.features());
  const auto systems = file.values<std::int64_t>("systems"), objects = file.values<std::int64_t>("object_offsets");
  const auto time_offsets = file.values<std::int64_t>("time_offsets");
  const auto row_offsets = file.values<std::int64_t>("row_offsets");
  const auto times = file.values<double>("times");
  const std::vector<std::string> names = quantile_names(quantiles);
  for (std::size_t k = 0; k < systems.size(); ++k) {
    eval::SystemPrediction part;
    part.system = systems[k];
    part.objects = objects[k + 1] - objects[k];
    part.times.assign(times.begin() + time_offsets[k], times.begin() + time_offsets[k + 1]);
    const auto rows = static_cast<std::size_t>(row_offsets[k + 1] - row_offsets[k]);
    const auto column = [&](const double* from) {
      std::vector<double> values(rows * width, std::numeric_limits<double>::quiet_NaN());
      from += static_cast<std::size_t>(row_offsets[k]) * predicted.size();
      for (std::size_t row = 0; row < rows; ++row)
        for (const std::size_t f : predicted) values[row * width + f] = *from++;
      return values;
    };
    part.mean = column(file.values<double>("mean").data());
    part.deviation = column(file.values<double>("std").data());
    for (const std::string& name : names) part.quantiles.push_back(column(file.values<double>(name).data()));
    const auto several = [&](const char* name, std::vector<std::vector<double>>& to) {
      if (!file.has(name)) return;
      const auto values = file.values<double>(name);
      const std::size_t one = static_cast<std::size_t>(row_offsets.back()) * predicted.size();
      for (std::size_t at = 0; one > 0 && at < values.size(); at += one) to.push_back(column(&values[at]));
    };
    several("paths", part.paths), several("futures", part.futures);
    if (!part.futures.empty()) {
      const auto probability = file.values<double>("probability");
      const auto all = static_cast<std::size_t>(objects.back());
      for (std::int64_t object = objects[k]; object < objects[k + 1]; ++object)
        for (std::size_t j = 0; j < part.futures.size(); ++j)
          part.probability.push_back(probability[j * all + static_cast<std::size_t>(object)]);
    }
    sink(part);
  }
}

nlohmann::ordered_json summarise_predictions(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  const nlohmann::json notes = read_notes(file);
  const auto objects = file.values<std::int64_t>("object_offsets");
  const auto offsets = file.values<std::int64_t>("time_offsets");
  const auto times = file.values<double>("times");
  if (objects.empty()) throw DataError(fmt::format("{}: object_offsets is empty", path.string()));
  nlohmann::ordered_json summary = {{"kind", kPredictionKind},
                                    {"systems", objects.size() - 1},
                                    {"objects", objects.back()},
                                    {"values", file.at("mean").elements()},
                                    {"times", times.size()},
                                    {"times_per_system", nullptr},
                                    {"time", nullptr}};
  if (offsets.size() > 1) {
    std::vector<std::int64_t> counts(offsets.size() - 1);
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] = offsets[s + 1] - offsets[s];
    const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
    summary["times_per_system"] = {{"min", *low}, {"max", *high}};
  }
  if (!times.empty()) {
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    summary["time"] = {{"min", *low}, {"max", *high}};
  }
  for (const char* key : {"run", "data", "samples", "seed", "time_unit", "features"})
    if (notes.contains(key)) summary[key] = notes[key];
  return summary;
}

std::string prediction_text(const nlohmann::ordered_json& summary) {
  const auto text = [&](const char* key) { return summary.value(key, std::string()); };
  std::string result = fmt::format("prediction       {}\n", format_plural(summary["values"], "value"));
  result += fmt::format("systems          {}\n", format_count(summary["systems"]));
  result += fmt::format("objects          {} in total\n", format_count(summary["objects"]));
  if (!summary["times_per_system"].is_null())
    result += fmt::format("times            {} per system\n", count_range(summary["times_per_system"]));
  // Physical times may be large and close together.
  const std::string unit = text("time_unit").empty() ? "" : fmt::format(" {}", text("time_unit"));
  if (!summary["time"].is_null())
    result += fmt::format("range            {:.12g} to {:.12g}{}\n", summary["time"]["min"].get<double>(),
                          summary["time"]["max"].get<double>(), unit);
  if (summary.contains("features")) result += fmt::format("features         {}\n", feature_names(summary["features"]));
  if (summary.contains("samples"))
    result += fmt::format("samples          {}, seed {}\n", format_count(summary["samples"]),
                          summary.value("seed", std::uint64_t{0}));
  if (summary.contains("run")) result += fmt::format("run              {}\n", text("run"));
  if (summary.contains("data")) result += fmt::format("data             {}\n", text("data"));
  return result;
}

}  // namespace lgode::use
