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

  // The rows of some systems.
  std::string systems(const std::vector<std::int64_t>& list, Filled& filled) {
    rows_.clear();
    for (const std::int64_t s : list) rows_.push_back(collect_rows(s));
    predict_gaps(list);
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string head = has_system_column() ? data::csv_field(set_.system_id(list[i])) + "," : "";
      for (std::int64_t o = 0; o < set_.objects_of(list[i]); ++o)
        for (const Row& row : rows_[i][static_cast<std::size_t>(o)])
          append(text, head + data::csv_field(set_.object_id(list[i], o)), row, filled);
    }
    return text;
  }

 private:
  struct Row {
    double time = 0;
    bool added = false;
    std::vector<double> values;
    std::vector<bool> imputed;
  };
  using SystemRows = std::vector<std::vector<Row>>;  // by object

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

  SystemRows collect_rows(std::int64_t s) const {
    std::vector<double> all;
    if (options_.all_times) {
      for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
        const auto times = set_.times_of(set_.first_object(s) + o);
        all.insert(all.end(), times.begin(), times.end());
      }
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    SystemRows result(static_cast<std::size_t>(set_.objects_of(s)));
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o) {
      std::vector<Row>& rows = result[static_cast<std::size_t>(o)];
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
    return result;
  }

  // The number of the first range, counted on, that a time lies in; its start is never after the time.
  std::int64_t segment(std::int64_t s, double time) const {
    const double length = run_.info.conditioning_length;
    const auto k = static_cast<std::int64_t>(std::floor((time - set_.origin(s)) / length));
    return static_cast<double>(k) * length + set_.origin(s) > time ? k - 1 : k;
  }

  // Each range by itself, with the observations in it; all systems that have such a range together.
  void predict_gaps(const std::vector<std::int64_t>& list) {
    std::map<std::int64_t, std::map<std::size_t, std::vector<double>>> wanted;  // by range and place in the list
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const std::vector<Row>& rows : rows_[i])
        for (const Row& row : rows)
          if (std::find(row.imputed.begin(), row.imputed.end(), true) != row.imputed.end())
            wanted[segment(list[i], row.time)][i].push_back(row.time);
    for (auto& [k, by_system] : wanted) {
      eval::PredictOptions predict = options_.predict;
      predict.systems.clear();
      predict.relative = true;
      predict.start = static_cast<double>(k) * run_.info.conditioning_length;
      std::vector<std::size_t> places;
      for (auto& [i, times] : by_system) {
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        predict.systems.push_back(list[i]);
        predict.own_times.push_back(times);
        places.push_back(i);
      }
      std::size_t next = 0;
      eval::predict(
          run_, set_, predict, [&](const eval::SystemPrediction& p) { take(p, rows_[places[next++]]); }, stop_);
    }
  }

  void take(const eval::SystemPrediction& p, SystemRows& system) const {
    for (std::size_t o = 0; o < system.size(); ++o) {
      for (Row& row : system[o]) {
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
  std::vector<SystemRows> rows_;  // of the systems at hand
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
    const std::vector<std::int64_t>& all = options.predict.systems;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.size(), at + static_cast<std::size_t>(options.predict.batch));
      file.write(std::string_view(filler.systems(
          {all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(end)}, filled)));
      at = end;
      if (progress) progress(static_cast<std::int64_t>(at), static_cast<std::int64_t>(all.size()));
    }
  });
  return filled;
}

}  // namespace lgode::app
