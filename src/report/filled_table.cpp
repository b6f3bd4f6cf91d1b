// Reads filled tables, their intervals and tables of true values.
#include "lgode/report/filled_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"
#include "lgode/table/clock.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/import.h"

namespace lgode::report {
namespace {

constexpr const char* kImputed = "imputed";
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

using Fields = std::span<const std::string_view>;
using Key = std::pair<std::string, std::string>;  // system and object

std::size_t place_of(const table::CsvFile& file, const std::string& name, const char* advice) {
  const auto& header = file.header();
  if (const auto found = file.column(name)) return *found;
  throw DataError(fmt::format("{}: has no column '{}'{}; it has {}; {}", file.path().string(), name,
                              did_you_mean(name, header), fmt::join(header, ", "), advice));
}

// Calls `row` for each row that has as many fields as the header; returns the number of other rows.
template <class Row>
std::int64_t each_row(table::CsvFile& file, const Row& row) {
  std::int64_t others = 0;
  const auto one = [&](Fields fields) {
    if (fields.size() != file.header().size() || !row(fields)) ++others;
  };
  std::string block;
  while (file.next(block)) {
    table::CsvCursor cursor(block, file.delimiter());
    while (cursor.next())
      if (cursor.fault())
        ++others;
      else
        one(cursor.fields());
    block.clear();
  }
  return others;
}

// The table that a filled one was made from, as the notes next to it say.
std::filesystem::path original_of(const std::filesystem::path& path) {
  std::ifstream notes(std::filesystem::path(path).replace_extension(".json"));
  if (!notes) return path;
  const auto json = nlohmann::json::parse(notes, nullptr, /*allow_exceptions=*/false);
  const bool known = json.is_object() && json.contains("table") && json["table"].is_string();
  return known ? std::filesystem::path(json["table"].get<std::string>()) : path;
}

// Reads rows with the column names and formats of the data set's own table.
class TableReader {
 public:
  TableReader(const std::filesystem::path& path, const data::Description& description, bool filled)
      : description_(description),
        times_(description),
        missing_(description.missing, description.decimal_comma),
        file_(path, description.delimiter.empty() ? char{0} : description.delimiter.front(), false,
              names(description, filled)),
        filled_(filled) {
    constexpr const char* kAdvice = "column names come from the imported table: pass its data set as `data`";
    const bool own = description.columns.empty();
    if (!own) check_systems(description.columns[0], kAdvice);
    // Of files that are objects, a filled table has the column, the truth may not.
    const std::string object = own ? "object" : description.columns[1];
    const bool is_file = object == table::kFileObject && !file_.column(object);
    object_ = is_file ? file_.header().size() : place_of(file_, object, kAdvice);
    file_object_ = table::file_name(filled ? original_of(path) : path);
    time_ = place_of(file_, own ? "time" : description.columns[2], kAdvice);
    for (std::size_t f = 0; f < description.features.size(); ++f)
      if (!description.features[f].derived)
        columns_.emplace_back(f, place_of(file_, description.features[f].name, kAdvice));
    if (filled) imputed_ = place_of(file_, kImputed, "expected a table that lgode predict wrote with `fill`");
    separator_ = std::any_of(description.features.begin(), description.features.end(),
                             [](const data::Feature& f) { return f.name.find(' ') != std::string::npos; })
                     ? '|'
                     : ' ';
    system_.emplace(file_, import(path, description));
  }

  FilledTable read() {
    FilledTable out;
    out.skipped_rows = each_row(file_, [&](Fields fields) { return add(fields, out); });
    for (FilledObject& object : out.objects) sort(object);
    return out;
  }

 private:
  static std::vector<std::string> names(const data::Description& description, bool filled) {
    std::vector<std::string> out = description.header;
    if (filled && !out.empty()) out.emplace_back(kImputed);
    return out;
  }
  static table::ImportOptions import(const std::filesystem::path& path, const data::Description& description) {
    table::ImportOptions out = table::table_import(description);
    out.observations = {path};
    return out;
  }

  // A system of several columns is a list as in CSV.
  void check_systems(const std::string& columns, const char* advice) const {
    table::CsvCursor list(columns, ',');
    if (!list.next()) return;
    for (const std::string_view name : list.fields()) place_of(file_, std::string(name), advice);
  }

  bool add(Fields fields, FilledTable& out) {
    const std::optional<double> when = times_(fields[time_]);
    if (!when || !std::isfinite(*when)) return false;
    const Key key{system_->columns().empty() ? std::string() : (*system_)(fields),
                  std::string(object_ < fields.size() ? fields[object_] : file_object_)};
    const auto [at, fresh] = index_.emplace(key, out.objects.size());
    if (fresh) out.objects.push_back({key.first, key.second, {}, {}, {}, {}, {}});
    FilledObject& object = out.objects[at->second];
    const std::size_t row = object.times.size(), width = description_.features.size();
    object.times.push_back(*when);
    object.values.resize((row + 1) * width, kNothing);
    object.imputed.resize((row + 1) * width, 0);
    for (const auto& [f, column] : columns_) {
      if (missing_(fields[column])) continue;
      const auto number = table::parse_number(fields[column], description_.decimal_comma);
      if (number) object.values[row * width + f] = *number;
      if (filled_ && is_named(fields[imputed_], description_.features[f].name)) object.imputed[row * width + f] = 1;
    }
    return true;
  }

  bool is_named(std::string_view list, std::string_view name) const {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(separator_), list.size());
      if (list.substr(0, end) == name) return true;
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
  }

  // Rows of a table may come in any order.
  void sort(FilledObject& object) const {
    std::vector<std::size_t> order(object.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return object.times[a] < object.times[b]; });
    const FilledObject before = object;
    const std::size_t width = description_.features.size();
    for (std::size_t k = 0; k < order.size(); ++k) {
      object.times[k] = before.times[order[k]];
      for (std::size_t f = 0; f < width; ++f) {
        object.values[k * width + f] = before.values[order[k] * width + f];
        object.imputed[k * width + f] = before.imputed[order[k] * width + f];
      }
    }
  }

  const data::Description& description_;
  table::TableTimes times_;
  table::MissingWords missing_;
  table::CsvFile file_;
  std::optional<table::SystemOfRow> system_;
  bool filled_;
  std::string file_object_;  // the object of all rows, where no column has it
  std::size_t object_ = 0, time_ = 0, imputed_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> columns_;  // feature, place in the table
  char separator_ = ' ';
  std::map<Key, std::size_t> index_;
};

// The row of an object at a time, up to rounding; unset if there is none.
std::optional<std::size_t> row_at(const FilledObject& object, double time) {
  const double near = 1e-9 * std::max(1.0, std::abs(time));
  const auto found = std::lower_bound(object.times.begin(), object.times.end(), time - near);
  if (found == object.times.end() || *found > time + near) return std::nullopt;
  return static_cast<std::size_t>(found - object.times.begin());
}

// The columns of a table of intervals that say which row a value belongs to: those of the filled table or, in files of
// earlier versions, system, object and time, with physical times.
class RowKeys {
 public:
  RowKeys(const std::vector<std::string>& header, std::size_t count, const data::Description& description)
      : systems_(count - 2), own_(with_points(description)), physical_(description) {
    const std::vector<std::string>& names = description.columns;
    has_own_ = names.empty() || (header[count - 2] == names[1] && header[count - 1] == names[2]);
  }

  std::string system(Fields fields) const {
    std::string id;
    for (std::size_t c = 0; c < systems_; ++c) id.append(c > 0 ? "/" : "").append(fields[c]);
    return id;
  }
  std::string object(Fields fields) const { return std::string(fields[systems_]); }
  std::optional<double> time(Fields fields) const {
    return has_own_ ? own_(fields[systems_ + 1]) : physical_.parse(fields[systems_ + 1]);
  }

 private:
  // These tables have decimal points, whatever the user's table has.
  static data::Description with_points(data::Description description) {
    description.decimal_comma = false;
    return description;
  }

  std::size_t systems_;
  table::TableTimes own_;
  data::TimeText physical_;
  bool has_own_ = true;
};

// "q05" and "q97.5" are 5 and 97.5.
std::optional<double> percent_of(const std::string& column) {
  return column.starts_with('q') ? table::parse_number(std::string_view(column).substr(1), false) : std::nullopt;
}

// On the line between the neighbouring observations of a feature; before and after all of them, the nearest.
double straight_line(const FilledObject& object, std::size_t row, std::size_t feature, std::size_t width) {
  const auto seen = [&](std::size_t k) {
    return object.imputed[k * width + feature] == 0 && !std::isnan(object.values[k * width + feature]);
  };
  std::optional<std::size_t> before, after;
  for (std::size_t k = row; k-- > 0 && !before;)
    if (seen(k)) before = k;
  for (std::size_t k = row + 1; k < object.times.size() && !after; ++k)
    if (seen(k)) after = k;
  if (!before && !after) return kNothing;
  const auto value = [&](std::size_t k) { return object.values[k * width + feature]; };
  if (!before || !after) return value(before ? *before : *after);
  const double share = (object.times[row] - object.times[*before]) / (object.times[*after] - object.times[*before]);
  return value(*before) + share * (value(*after) - value(*before));
}

std::map<Key, std::size_t> index_of(const FilledTable& table) {
  std::map<Key, std::size_t> out;
  for (std::size_t o = 0; o < table.objects.size(); ++o) out[{table.objects[o].system, table.objects[o].id}] = o;
  return out;
}

}  // namespace

bool is_filled_table(const std::filesystem::path& path) {
  const table::CsvFile file(path, 0);
  if (std::find(file.header().begin(), file.header().end(), kImputed) != file.header().end()) return true;
  std::ifstream notes(std::filesystem::path(path).replace_extension(".json"));
  return notes && nlohmann::json::parse(notes, nullptr, /*allow_exceptions=*/false).contains("fill_with");
}

FilledTable read_filled_table(const std::filesystem::path& path, const data::Description& description, bool filled) {
  return TableReader(path, description, filled).read();
}

void read_intervals(const std::filesystem::path& path, const data::Description& description, FilledTable& table) {
  table::CsvFile file(path, ',');
  constexpr const char* kAdvice = "expected the intervals that lgode predict wrote with `fill`";
  const std::size_t feature = place_of(file, "feature", kAdvice);
  if (feature < 2)
    throw DataError(
        fmt::format("{}: has no columns of objects and times before 'feature'; {}", path.string(), kAdvice));
  const RowKeys keys(file.header(), feature, description);
  std::vector<std::pair<double, std::size_t>> quantiles;
  for (std::size_t c = 0; c < file.header().size(); ++c)
    if (const auto percent = percent_of(file.header()[c])) quantiles.emplace_back(*percent, c);
  std::sort(quantiles.begin(), quantiles.end());
  if (quantiles.size() < 2)
    throw DataError(fmt::format("{}: has fewer than two columns of quantiles (q05, q95); {}", path.string(), kAdvice));
  const std::size_t width = description.features.size();
  const bool systems =
      std::any_of(table.objects.begin(), table.objects.end(), [](const FilledObject& o) { return !o.system.empty(); });
  const auto index = index_of(table);
  for (FilledObject& o : table.objects) o.low.assign(o.values.size(), kNothing), o.high = o.low;
  const std::int64_t bad = each_row(file, [&](Fields fields) {
    const auto found = index.find({systems ? keys.system(fields) : std::string(), keys.object(fields)});
    const auto when = keys.time(fields);
    const auto named = std::find_if(description.features.begin(), description.features.end(),
                                    [&](const data::Feature& f) { return f.name == fields[feature]; });
    const auto row = found != index.end() && when ? row_at(table.objects[found->second], *when) : std::nullopt;
    if (!row || named == description.features.end()) return false;
    const auto feature_of = static_cast<std::size_t>(named - description.features.begin());
    FilledObject& o = table.objects[found->second];
    // A row that cannot be read may have the same time.
    std::size_t at = *row;
    while (at + 1 < o.times.size() && o.times[at + 1] == o.times[at] && o.imputed[at * width + feature_of] == 0) ++at;
    const std::size_t cell = at * width + feature_of;
    o.low[cell] = table::parse_number(fields[quantiles.front().second], false).value_or(kNothing);
    o.high[cell] = table::parse_number(fields[quantiles.back().second], false).value_or(kNothing);
    return o.imputed[cell] != 0;
  });
  if (bad > 0)
    throw DataError(fmt::format(
        "{}: {} of its rows belong to no imputed value of the table; it is of another table, or one of the two was "
        "edited: fill again, or rename this file to draw no intervals",
        path.string(), bad));
  table.interval = fmt::format("{:g} % interval", quantiles.back().first - quantiles.front().first);
}

void check_truth(const FilledTable& table, const FilledTable& truth, const data::Description& description,
                 const std::filesystem::path& path) {
  const auto index = index_of(truth);
  const std::size_t width = description.features.size();
  for (const FilledObject& object : table.objects) {
    const auto found = index.find({object.system, object.id});
    if (found == index.end()) continue;
    const FilledObject& known = truth.objects[found->second];
    for (std::size_t k = 0; k < object.times.size(); ++k) {
      const auto row = row_at(known, object.times[k]);
      for (std::size_t f = 0; row && f < width; ++f)
        if (object.imputed[k * width + f] != 0 && !std::isnan(known.values[*row * width + f])) return;
    }
  }
  const std::vector<std::string> own{"system", "object", "time"};
  std::vector<std::string> names = description.columns.empty() ? own : description.columns;
  std::erase(names, "");
  throw DataError(fmt::format(
      "{}: has the true value of none of the imputed values; rows belong together where the columns {} are the same: "
      "pass the table from which the values were removed, with the names and times of the filled table",
      path.string(), fmt::join(names, ", ")));
}

FillErrors fill_errors(const FilledTable& table, const FilledTable& truth, std::size_t feature) {
  const auto index = index_of(truth);
  FillErrors out;
  for (const FilledObject& object : table.objects) {
    const auto found = index.find({object.system, object.id});
    if (found == index.end() || object.times.empty()) continue;
    const FilledObject& known = truth.objects[found->second];
    const std::size_t width = object.values.size() / object.times.size();
    for (std::size_t k = 0; k < object.times.size(); ++k) {
      if (object.imputed[k * width + feature] == 0) continue;
      const auto row = row_at(known, object.times[k]);
      const double line = straight_line(object, k, feature, width);
      if (!row || std::isnan(known.values[*row * width + feature]) || std::isnan(line)) continue;
      const double exact = known.values[*row * width + feature];
      const double miss = object.values[k * width + feature] - exact;
      out.root_mean_square += miss * miss;
      out.straight += (line - exact) * (line - exact);
      ++out.values;
    }
  }
  if (out.values > 0) {
    out.root_mean_square = std::sqrt(out.root_mean_square / static_cast<double>(out.values));
    out.straight = std::sqrt(out.straight / static_cast<double>(out.values));
  }
  return out;
}

}  // namespace lgode::report
