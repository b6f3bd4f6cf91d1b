#include "fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/csv.h"
#include "lgode/data/time_text.h"

namespace lgode::app {
namespace {

// As in batches: this share of the time scale counts as none.
constexpr double kTimeMargin = 1e-9;

class Filler {
 public:
  Filler(const eval::Run& run, const data::Dataset& dataset, const FillOptions& options, const StopFlag* stop)
      : run_(run),
        set_(dataset),
        options_(options),
        stop_(stop),
        time_text_(dataset.description()),
        width_(static_cast<std::size_t>(dataset.features())) {}

  std::string header() const {
    std::string text;
    for (const std::string& name : names()) text += data::csv_field(name) + ",";
    for (const data::Feature& feature : set_.description().features) text += data::csv_field(feature.name) + ",";
    return text + "imputed\n";
  }

  // The rows of one system.
  std::string system(std::int64_t s, Filled& filled) {
    collect_rows(s);
    predict_gaps(s);
    std::string text;
    const std::string head = has_system_column() ? data::csv_field(set_.system_id(s)) + "," : "";
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o)
      for (Row& row : rows_[static_cast<std::size_t>(o)])
        append(text, head + data::csv_field(set_.object_id(s, o)), row, filled);
    return text;
  }

 private:
  struct Row {
    double time = 0;
    bool added = false;
    std::vector<double> values;
    std::vector<bool> imputed;
  };

  bool has_system_column() const {
    const auto& columns = set_.description().columns;
    return columns.empty() || !columns[0].empty() || set_.systems() > 1;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> columns = set_.description().columns;
    if (columns.empty()) columns = {"system", "object", "time"};
    if (columns[0].empty()) columns[0] = "system";
    if (!has_system_column()) columns.erase(columns.begin());
    return columns;
  }

  void collect_rows(std::int64_t s) {
    std::vector<double> all;
    if (options_.all_times) {
      for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
        const auto times = set_.times_of(set_.first_object(s) + o);
        all.insert(all.end(), times.begin(), times.end());
      }
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    rows_.assign(static_cast<std::size_t>(set_.objects_of(s)), {});
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
      std::vector<Row>& rows = rows_[static_cast<std::size_t>(o)];
      const auto times = set_.times_of(set_.first_object(s) + o);
      const auto values = set_.values_of(set_.first_object(s) + o);
      for (std::size_t k = 0; k < times.size(); ++k)
        rows.push_back({times[k],
                        false,
                        {values.begin() + static_cast<std::ptrdiff_t>(k * width_),
                         values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width_)},
                        {}});
      for (const double t : all)
        if (!std::binary_search(times.begin(), times.end(), t))
          rows.push_back({t, true, std::vector<double>(width_, std::numeric_limits<double>::quiet_NaN()), {}});
      std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
      for (Row& row : rows)
        for (const double value : row.values) row.imputed.push_back(std::isnan(value));
    }
  }

  // The number of the first range, counted on, that a time lies in.
  std::int64_t segment(std::int64_t s, double time) const {
    const double since = (time - set_.origin(s)) / run_.info.conditioning_length;
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(since + kTimeMargin)));
  }

  // Each range by itself, with the observations in it.
  void predict_gaps(std::int64_t s) {
    std::map<std::int64_t, std::vector<double>> wanted;
    for (const std::vector<Row>& rows : rows_)
      for (const Row& row : rows)
        if (std::find(row.imputed.begin(), row.imputed.end(), true) != row.imputed.end())
          wanted[segment(s, row.time)].push_back(row.time);
    for (auto& [k, times] : wanted) {
      std::sort(times.begin(), times.end());
      times.erase(std::unique(times.begin(), times.end()), times.end());
      eval::PredictOptions predict = options_.predict;
      predict.systems = {s};
      predict.own_times = {times};
      predict.relative = true;
      // Before its origin a system has no clock; what lies there is told from the earliest time asked for.
      predict.start = std::min(static_cast<double>(k) * run_.info.conditioning_length, times.front() - set_.origin(s));
      eval::predict(
          run_, set_, predict, [&](const eval::SystemPrediction& p) { take(p); }, stop_);
    }
  }

  void take(const eval::SystemPrediction& p) {
    for (std::size_t o = 0; o < rows_.size(); ++o) {
      for (Row& row : rows_[o]) {
        const auto at = std::lower_bound(p.times.begin(), p.times.end(), row.time);
        if (at == p.times.end() || *at != row.time) continue;
        const std::size_t first = (o * p.times.size() + static_cast<std::size_t>(at - p.times.begin())) * width_;
        for (std::size_t f = 0; f < width_; ++f)
          if (row.imputed[f]) row.values[f] = p.mean[first + f];
      }
    }
  }

  void append(std::string& text, const std::string& head, const Row& row, Filled& filled) {
    fmt::format_to(std::back_inserter(text), "{},{}", head, time_text_(row.time));
    std::string which;
    for (std::size_t f = 0; f < width_; ++f) {
      if (row.imputed[f]) {
        fmt::format_to(std::back_inserter(text), ",{}", static_cast<float>(row.values[f]));
        which += (which.empty() ? "" : " ") + set_.description().features[f].name;
        ++filled.values;
      } else {
        fmt::format_to(std::back_inserter(text), ",{}", row.values[f]);
      }
    }
    text += "," + data::csv_field(which) + "\n";
    ++filled.rows;
    filled.new_rows += row.added ? 1 : 0;
  }

  const eval::Run& run_;
  const data::Dataset& set_;
  const FillOptions& options_;
  const StopFlag* stop_;
  data::TimeText time_text_;
  std::size_t width_;
  std::vector<std::vector<Row>> rows_;  // by object
};

}  // namespace

Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const eval::Run& run,
                    const data::Dataset& dataset, const FillOptions& options,
                    const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  if (run.info.task.task != data::Task::kInterpolate)
    throw ConfigError("--fill: the model forecasts; gaps are filled by one trained with --task interpolate");
  Filled filled;
  Filler filler(run, dataset, options, stop);
  write_file(path, overwrite, [&](FileSink& file) {
    file.write(std::string_view(filler.header()));
    std::int64_t done = 0;
    for (const std::int64_t system : options.predict.systems) {
      file.write(std::string_view(filler.system(system, filled)));
      if (progress) progress(++done, static_cast<std::int64_t>(options.predict.systems.size()));
    }
  });
  return filled;
}

}  // namespace lgode::app
