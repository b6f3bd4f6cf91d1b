// Writes filled tables: the rows of a data set, or those of the user's table with missing fields replaced.
#include "lgode/eval/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "fill_choice.h"
#include "fill_values.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/recordings.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/gaps.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/csv/rewrite.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/import.h"

namespace lgode::eval {
namespace {

constexpr const char* kImputed = "imputed";

std::vector<std::string> columns_of(const data::Description& description) {
  return description.columns.empty() ? std::vector<std::string>{"system", "object", "time"} : description.columns;
}

// Formats numbers, times and names as in the table.
class TableText {
 public:
  explicit TableText(const data::Description& description)
      : description_(description),
        time_(description),
        delimiter_(description.delimiter.empty() ? ',' : description.delimiter.front()) {}

  char delimiter() const { return delimiter_; }
  std::string field(std::string_view text) const { return table::csv_field(text, delimiter_); }
  template <class T>
  std::string number(T value) const {
    return localised(fmt::format("{}", value));
  }
  // The value that fills a gap; empty if there is none.
  std::string filled(std::span<const FillValue> fills, std::size_t feature) const {
    if (fills.empty() || std::isnan(fills[feature].value)) return {};
    // The model computes in float32; others are rounded to what is surely exact.
    if (fills[feature].method == FillMethod::kModel) return number(static_cast<float>(fills[feature].value));
    return localised(fmt::format("{:.10g}", fills[feature].value));
  }
  std::string time(double time) const {
    return time_.dates() ? time_(time) : localised(data::count_text(time, description_.rate));
  }
  std::optional<double> parse_time(std::string_view text) const {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (time_.dates()) return time_.parse(text);
    const std::optional<double> number = table::parse_number(text, description_.decimal_comma);
    return number && description_.rate > 0 ? *number / description_.rate : number;
  }

 private:
  std::string localised(std::string text) const {
    if (description_.decimal_comma) std::replace(text.begin(), text.end(), '.', ',');
    return text;
  }

  const data::Description& description_;
  data::TimeText time_;
  char delimiter_;
};

// Separates the names of imputed features: a blank, unless names have blanks themselves.
std::string name_separator(const data::Description& description) {
  const auto& features = description.features;
  return std::any_of(features.begin(), features.end(),
                     [](const data::Feature& f) { return f.name.find(' ') != std::string::npos; })
             ? "|"
             : " ";
}

void count(Filled& filled, std::size_t feature, const FillValue& value) {
  ++filled.values;
  const auto found = std::find_if(filled.features.begin(), filled.features.end(),
                                  [&](const FeatureFill& f) { return f.feature == feature; });
  if (found == filled.features.end()) return;
  ++(value.method == FillMethod::kModel    ? found->by_model
     : value.method == FillMethod::kLinear ? found->by_linear
                                           : found->by_hermite);
  if (value.method == found->method) return;
  ++(value.cause == FillCause::kLongGap   ? found->long_gap
     : value.cause == FillCause::kOutside ? found->outside
     : value.cause == FillCause::kUnseen  ? found->unseen
                                          : found->never);
}

// Writes the rows of a data set, system by system.
class OwnTable {
 public:
  OwnTable(const data::Dataset& whole, const Gaps& gaps, const FillValues& values, Filled& filled)
      : set_(whole),
        gaps_(gaps),
        values_(values),
        filled_(filled),
        text_(whole.description()),
        separator_(name_separator(whole.description())),
        width_(static_cast<std::size_t>(whole.features())) {}

  std::string header() const {
    std::vector<std::string> names = columns_of(set_.description());
    if (names[0].empty()) names[0] = "system";
    if (!has_system_column()) names.erase(names.begin());
    for (const data::Feature& feature : set_.description().features)
      if (!feature.derived) names.push_back(feature.name);
    names.emplace_back(kImputed);
    return line(names);
  }

  std::string system(std::int64_t s) {
    std::string text;
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
      const std::int64_t object = set_.first_object(s) + o;
      const auto times = set_.times_of(object);
      std::vector<double> all;
      std::set_union(times.begin(), times.end(), gaps_.times(object).begin(), gaps_.times(object).end(),
                     std::back_inserter(all));
      std::size_t k = 0;
      for (const double time : all) {
        std::vector<std::string> row;
        if (has_system_column()) row.push_back(set_.system_id(s));
        row.push_back(set_.object_id(s, o));
        row.push_back(text_.time(time));
        const bool seen = k < times.size() && times[k] == time;
        add_values(row, seen ? set_.values_of(object).subspan(k * width_, width_) : std::span<const double>(),
                   values_.at(object, time));
        k += seen ? 1 : 0;
        filled_.new_rows += seen ? 0 : 1;
        text += line(row);
      }
      filled_.rows += static_cast<std::int64_t>(all.size());
    }
    return text;
  }

 private:
  bool has_system_column() const {
    const auto& columns = set_.description().columns;
    return columns.empty() || !columns[0].empty() || set_.systems() > 1;
  }

  // Adds the observed values, those for missing ones, and finally the names of the filled features.
  void add_values(std::vector<std::string>& row, std::span<const double> observed, std::span<const FillValue> fills) {
    std::string names;
    bool open = false;
    for (std::size_t f = 0; f < width_; ++f) {
      const data::Feature& feature = set_.description().features[f];
      if (feature.derived) continue;
      if (!observed.empty() && !std::isnan(observed[f])) {
        row.push_back(text_.number(observed[f]));
        continue;
      }
      row.push_back(text_.filled(fills, f));
      if (row.back().empty()) {
        ++filled_.open_values;
        open = true;
        continue;
      }
      names += (names.empty() ? "" : separator_) + feature.name;
      count(filled_, f, fills[f]);
    }
    filled_.open_rows += open ? 1 : 0;
    row.push_back(names);
  }

  std::string line(const std::vector<std::string>& fields) const {
    std::string text;
    for (const std::string& field : fields) text += text_.field(field) + text_.delimiter();
    text.back() = '\n';
    return text;
  }

  const data::Dataset& set_;
  const Gaps& gaps_;
  const FillValues& values_;
  Filled& filled_;
  TableText text_;
  std::string separator_;
  std::size_t width_;
};

// Writes the rows of the user's table; `whole` is the data set that was read from it.
class UserTable {
 public:
  UserTable(const std::filesystem::path& table, const data::Dataset& whole, const Gaps& gaps, const FillValues& values,
            Filled& filled)
      : path_(table),
        set_(whole),
        gaps_(gaps),
        values_(values),
        filled_(filled),
        text_(whole.description()),
        separator_(name_separator(whole.description())),
        file_(table, text_.delimiter(), false, whole.description().header),
        missing_(whole.description().missing, whole.description().decimal_comma),
        system_(file_, table::table_import(whole.description())) {
    const std::vector<std::string>& columns = set_.description().columns;
    object_ = place(columns[1]);
    time_ = place(columns[2]);
    const std::vector<data::Feature>& features = set_.description().features;
    for (std::size_t f = 0; f < features.size(); ++f)
      if (!features[f].derived) columns_.push_back({f, place(features[f].name)});
    no_header_ = set_.description().header.size();
    for (std::int64_t s = 0; s < set_.systems(); ++s)
      for (std::int64_t o = 0; o < set_.objects_of(s); ++o)
        object_of_.emplace(key(data::recording_of(set_, s), set_.object_id(s, o)), set_.first_object(s) + o);
  }

  void write(FileSink& out, bool new_rows) {
    table::CsvRewrite rewrite;
    rewrite.table = path_;
    rewrite.delimiter = text_.delimiter();
    rewrite.column = kImputed;
    rewrite.no_header = no_header_;
    rewrite.change = [&](auto fields, auto replace) { return change(fields, replace); };
    all_times_ = new_rows;
    if (new_rows) rewrite.more = [&] { return more(); };
    filled_.rows += table::rewrite_csv(rewrite, out);
  }

 private:
  std::size_t place(const std::string& name) const {
    const auto& header = file_.header();
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  }

  static std::string key(std::string_view system, std::string_view object) {
    return fmt::format("{}:{}{}", system.size(), system, object);
  }

  std::string change(std::span<const std::string_view> fields, std::span<std::optional<std::string>> replace) {
    if (all_times_) remember(fields);
    const bool gap =
        std::any_of(columns_.begin(), columns_.end(), [&](const Column& c) { return missing_(fields[c.place]); });
    if (!gap) return {};
    const std::span<const FillValue> fills = find(fields);
    std::string names;
    bool open = false;
    for (const auto& [f, column] : columns_) {
      if (!missing_(fields[column])) continue;
      const std::string text = text_.filled(fills, f);
      if (text.empty()) {
        ++filled_.open_values;
        open = true;
        continue;
      }
      replace[column] = text;
      names += (names.empty() ? "" : separator_) + set_.description().features[f].name;
      count(filled_, f, fills[f]);
    }
    filled_.open_rows += open ? 1 : 0;
    return names;
  }

  // A row that cannot be read is still in the table and must not be added as a new one.
  void remember(std::span<const std::string_view> fields) {
    const auto object = object_of_.find(key(system_(fields), fields[object_]));
    const std::optional<double> time = text_.parse_time(fields[time_]);
    if (object != object_of_.end() && time) there_.emplace(object->second, *time);
    auto& texts = system_fields_[system_(fields)];
    if (texts.empty())
      for (const std::size_t column : system_.columns()) texts.emplace_back(column, fields[column]);
  }

  std::span<const FillValue> find(std::span<const std::string_view> fields) const {
    const auto object = object_of_.find(key(system_(fields), fields[object_]));
    const std::optional<double> time = text_.parse_time(fields[time_]);
    if (object == object_of_.end() || !time) return {};
    return values_.at(object->second, *time);
  }

  // New rows, at times at which the table has no row for an object.
  std::vector<std::vector<std::string>> more() {
    std::vector<std::vector<std::string>> rows;
    for (std::int64_t s = 0; s < set_.systems(); ++s) {
      for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
        const std::int64_t object = set_.first_object(s) + o;
        const auto times = set_.times_of(object);
        for (const double time : gaps_.times(object)) {
          if (std::binary_search(times.begin(), times.end(), time) || there_.contains({object, time})) continue;
          std::vector<std::string>& row = rows.emplace_back(file_.header().size() + 1);
          for (const auto& [column, text] : system_fields_[data::recording_of(set_, s)]) row[column] = text;
          row[object_] = set_.object_id(s, o);
          row[time_] = text_.time(time);
          const std::span<const FillValue> fills = values_.at(object, time);
          for (const auto& [f, column] : columns_) {
            row[column] = text_.filled(fills, f);
            if (row[column].empty()) {
              ++filled_.open_values;
              continue;
            }
            row.back() += (row.back().empty() ? "" : separator_) + set_.description().features[f].name;
            count(filled_, f, fills[f]);
          }
        }
      }
    }
    filled_.new_rows += static_cast<std::int64_t>(rows.size());
    filled_.rows += static_cast<std::int64_t>(rows.size());
    return rows;
  }

  std::filesystem::path path_;
  const data::Dataset& set_;
  const Gaps& gaps_;
  const FillValues& values_;
  Filled& filled_;
  TableText text_;
  std::string separator_;
  table::CsvFile file_;
  table::MissingWords missing_;
  table::SystemOfRow system_;
  std::size_t no_header_ = 0;
  std::size_t object_ = 0, time_ = 0;
  struct Column {
    std::size_t feature = 0, place = 0;  // in the table
  };
  std::vector<Column> columns_;
  bool all_times_ = false;
  std::unordered_map<std::string, std::int64_t> object_of_;
  std::set<std::pair<std::int64_t, double>> there_;  // object and time of the table's rows
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>> system_fields_;  // of new rows
};

// A table without a column of systems is one of several files, and its name says which system it is.
void check_system(const std::filesystem::path& table, const table::CsvFile& file, const table::ImportOptions& import,
                  const data::Dataset& dataset) {
  if (!import.file_systems || !table::SystemOfRow(file, import).columns().empty()) return;
  const std::string name = table.stem().string();
  std::vector<std::string> names;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) names.push_back(data::recording_of(dataset, s));
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw ConfigError(fmt::format(
      "`table` {}: the data set was made of several files, and a file's name says which system it is; there is no "
      "system '{}'{}",
      table.string(), name, did_you_mean(name, names)));
}

// Reads the table as whole recordings, with the settings of the data set's import.
data::Dataset read_table(const FillOptions& options, const data::Dataset& dataset, Filled& filled,
                         const StopFlag* stop) {
  const data::Description& description = dataset.description();
  table::ImportOptions import = table::table_import(description);
  import.observations = {options.table};
  const table::CsvFile file(options.table, import.format.delimiter, false, import.format.columns);
  if (std::find(file.header().begin(), file.header().end(), kImputed) != file.header().end())
    throw ConfigError(
        fmt::format("{}: has a column '{}' already; rename it or leave it out", options.table.string(), kImputed));
  check_system(options.table, file, import, dataset);
  import.relations.rule = data::EdgeRule::Kind::kListed;
  import.arrangement.split = 1.0;
  import.skip_bad_rows = true;
  import.scratch_folder = options.scratch_folder;
  table::ImportReport report;
  data::Dataset whole = table::import_csv(import, report, {}, stop);
  filled.bad_rows = report.skipped_rows;
  if (whole.description().time_format.empty() != description.time_format.empty())
    throw DataError(
        fmt::format("{}: either the table or the data set has dates, the other plain times", options.table.string()));
  return whole;
}

std::vector<std::int64_t> all_systems(const data::Dataset& set) {
  std::vector<std::int64_t> systems(static_cast<std::size_t>(set.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  return systems;
}

// Systems that know values to compare on: the run's validation part, if the data set is that of the training.
std::vector<std::int64_t> validation_systems(const Run& run, const data::Dataset& dataset) {
  if (run.info.data_fingerprint.empty() || !dataset.has_fingerprint(run.info.data_fingerprint)) return {};
  const data::BatchMaker maker(dataset, run.info.normalisation, run.info.task,
                               {run.info.time_scale, run.info.conditioning_length});
  return data::split_parts(maker).validation;
}

bool forecasts(const Run& run) { return run.info.task.task != data::Task::kInterpolate; }

// Decides how each feature is filled: by what the run's validation part shows, if the data set is that of the training;
// else, and if no gap can be cut there, by the data that is filled.
void choose(const Run& run, const data::Dataset& dataset, const data::Dataset& whole,
            const std::vector<std::int64_t>& systems, const Gaps& gaps, const FillOptions& options, Filled& filled,
            const StopFlag* stop) {
  filled.data_of_training = !run.info.data_fingerprint.empty() && dataset.has_fingerprint(run.info.data_fingerprint);
  const auto compare = [&](const data::Dataset& known, const std::vector<std::int64_t>& known_systems) {
    filled.model_cannot =
        forecasts(run) || (!options.with && !takes_missing(run.info) && (whole.has_missing() || known.has_missing()));
    const FillTrial trial{
        run, dataset, whole, gaps, systems, known, known_systems, options.predict, !filled.model_cannot};
    filled.features = choose_fills(trial, !options.with, stop);
    return std::any_of(filled.features.begin(), filled.features.end(),
                       [](const FeatureFill& feature) { return feature.compared > 0; });
  };
  const std::vector<std::int64_t> validation = validation_systems(run, dataset);
  filled.compared_on_validation = !validation.empty() && (compare(dataset, validation) || options.with.has_value());
  if (!filled.compared_on_validation) compare(whole, systems);
  if (options.with)
    for (FeatureFill& feature : filled.features) feature.method = *options.with;
}

// The intervals of all filled values as CSV.
class IntervalTable {
 public:
  IntervalTable(const Run& run, const data::Dataset& whole, const Gaps& gaps, const FillValues& values,
                std::vector<double> quantiles)
      : run_(run),
        set_(whole),
        gaps_(gaps),
        values_(values),
        time_(whole.description()),
        quantiles_(std::move(quantiles)) {
    if (quantiles_.empty()) quantiles_ = {0.05, 0.95};
    for (const FillMethod method : {FillMethod::kModel, FillMethod::kLinear, FillMethod::kHermite})
      calibration_.push_back(method == FillMethod::kModel
                                 ? &run.calibrations.model
                                 : run.calibrations.of(method == FillMethod::kLinear ? "linear" : "cubic_hermite"));
  }

  std::string header() const {
    std::string text = "system,object,time,feature,value,method";
    for (const double q : quantiles_) text += "," + quantile_name(q);
    return text + "\n";
  }

  std::string system(std::int64_t s, std::int64_t& rows) const {
    std::string text;
    const std::vector<data::Feature>& features = set_.description().features;
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
      const std::int64_t object = set_.first_object(s) + o;
      if (gaps_.times(object).empty()) continue;
      const ObjectPaths paths(set_, object);
      const auto times = set_.times_of(object);
      for (const double time : gaps_.times(object)) {
        const auto found = std::lower_bound(times.begin(), times.end(), time);
        const bool there = found != times.end() && *found == time;
        const std::span<const FillValue> fills = values_.at(object, time);
        for (std::size_t f = 0; f < features.size(); ++f) {
          const auto k = static_cast<std::size_t>(found - times.begin());
          if (features[f].derived || std::isnan(fills[f].value)) continue;
          if (there && !std::isnan(set_.values_of(object)[k * features.size() + f])) continue;
          text += line(s, o, time, f, fills[f], paths);
          ++rows;
        }
      }
    }
    return text;
  }

 private:
  std::string line(std::int64_t s, std::int64_t o, double time, std::size_t f, const FillValue& fill,
                   const ObjectPaths& paths) const {
    std::string text = fmt::format(
        "{},{},{},{},{:.10g},{}", table::csv_field(set_.system_id(s)), table::csv_field(set_.object_id(s, o)),
        time_(time), table::csv_field(set_.description().features[f].name), fill.value, fill_method_name(fill.method));
    const Calibration* calibration = calibration_[static_cast<std::size_t>(fill.method)];
    const double scale = run_.info.normalisation.scale[f];
    const double spread = gaps_.spreads(set_.first_object(s) + o, time)[f] / scale;
    const double distance = paths.distance(f, time) / run_.info.time_scale;
    const bool known = calibration != nullptr && !calibration->empty() && std::isfinite(distance);
    for (const double q : quantiles_)
      text += known ? fmt::format(",{:.7g}", fill.value + scale * calibration->offset(static_cast<std::int64_t>(f), q,
                                                                                      distance, spread))
                    : ",";
    return text + "\n";
  }

  const Run& run_;
  const data::Dataset& set_;
  const Gaps& gaps_;
  const FillValues& values_;
  data::TimeText time_;
  std::vector<double> quantiles_;
  std::vector<const Calibration*> calibration_;  // by FillMethod
};

std::vector<FillMethod> methods_of(const Filled& filled, std::int64_t features) {
  std::vector<FillMethod> methods(static_cast<std::size_t>(features), FillMethod::kLinear);
  for (const FeatureFill& feature : filled.features) methods[feature.feature] = feature.method;
  return methods;
}

}  // namespace

std::string_view fill_method_name(FillMethod method) {
  switch (method) {
    case FillMethod::kModel:
      return "model";
    case FillMethod::kLinear:
      return "linear";
    case FillMethod::kHermite:
      return "hermite";
  }
  return "";
}

Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillCallbacks& callbacks,
                    const StopFlag* stop) {
  if (forecasts(run) && (!options.without_forecaster || options.with == FillMethod::kModel))
    throw ConfigError("the model forecasts; to fill gaps, use a model trained with `task` interpolate");
  Filled filled;
  const bool user = !options.table.empty();
  const bool cut = !dataset.description().recordings.empty();
  std::optional<data::Dataset> made;
  if (user)
    made = read_table(options, dataset, filled, stop);
  else if (cut)
    made = data::join_recordings(dataset, options.predict.systems);
  const data::Dataset& whole = made ? *made : dataset;
  if (whole.features() != dataset.features())
    throw DataError(fmt::format("{}: has {} features, the data set {}", options.table.string(), whole.features(),
                                dataset.features()));
  if (user && callbacks.table_read) callbacks.table_read(whole);
  const std::vector<std::int64_t> systems = made ? all_systems(whole) : options.predict.systems;
  Gaps gaps(run, dataset, whole, options.all_times);
  gaps.find(systems);
  filled.blind_times = gaps.blind_times();
  choose(run, dataset, whole, systems, gaps, options, filled, stop);
  const std::vector<FillMethod> methods = methods_of(filled, whole.features());
  const double longest =
      options.with ? std::numeric_limits<double>::infinity() : run.info.conditioning_length;  // not compared beyond
  FillValues values(whole, gaps, methods, longest);
  values.compute(systems);
  const bool model_wanted = std::find(methods.begin(), methods.end(), FillMethod::kModel) != methods.end() ||
                            (!options.with && values.incomplete());
  if (model_wanted && !filled.model_cannot) {
    gaps.predict(options.predict, callbacks.progress, stop);
    values.compute(systems);
  }
  write_file(path, overwrite, [&](FileSink& file) {
    if (user) {
      UserTable(options.table, whole, gaps, values, filled).write(file, options.all_times);
    } else {
      OwnTable table(whole, gaps, values, filled);
      file.write(std::string_view(table.header()));
      for (const std::int64_t s : systems) file.write(std::string_view(table.system(s)));
    }
    if (stop != nullptr && stop->requested()) throw Interrupted();
    if (callbacks.before_commit) callbacks.before_commit();
  });
  if (!options.intervals.empty() && !run.calibrations.empty() && !forecasts(run))
    write_file(options.intervals, overwrite, [&](FileSink& file) {
      const IntervalTable table(run, whole, gaps, values, options.predict.quantiles);
      file.write(std::string_view(table.header()));
      for (const std::int64_t s : systems) file.write(std::string_view(table.system(s, filled.interval_rows)));
    });
  return filled;
}

}  // namespace lgode::eval
