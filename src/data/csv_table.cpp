// Reads the observation table: blocks of the file are parsed in parallel and joined in their order, so that the result
// does not depend on the number of threads.
#include "csv_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/parallel.h"

namespace lgode::data {
namespace {

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr const char* kNumberOrDate = "a time: a number, or ISO 8601 such as 2024-03-01T12:30:00Z";
constexpr const char* kDate = "an ISO 8601 time such as 2024-03-01 or 2024-03-01T12:30:00Z, in the years 1678 to 2261";
// Nanoseconds since 1970 are about 2e18; beyond this, differences of times are lost in rounding.
constexpr double kLargestTime = 1e20;

// What the rows are read with.
struct Layout {
  std::size_t width = 0;  // columns of the table
  std::size_t system = kNoColumn, object = 0, time = 0;
  std::vector<std::size_t> features;
  std::vector<std::string> names;  // of all columns
  char delimiter = ',';
  bool decimal_comma = false;
  bool dates = false;
  bool zoned = false;  // dates have a zone
  double largest_time = 0;
  bool all_features = false;  // by default, not chosen

  std::string column(std::size_t i) const { return names[i].empty() ? std::to_string(i + 1) : names[i]; }
};

// The rows of one block, with objects and lines of its own.
struct BlockRows {
  std::string text;
  std::vector<std::pair<std::string, std::string>> keys;  // system and object
  std::vector<std::int64_t> key_lines;                    // where each was first seen
  std::vector<std::uint32_t> object, line;
  std::vector<double> time, values;
  std::vector<CsvProblem> problems;
  std::unordered_set<std::string> bad_ids;
  bool compact_dates = true;  // every time is a number such as 20240301
  std::int64_t lines = 0;
  int digits = 0;  // most digits of a fraction of a second
  bool unclosed = false;
};

struct KeyHash {
  std::size_t operator()(const std::pair<std::string_view, std::string_view>& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.first) * 0x9E3779B97F4A7C15ULL ^ hash(key.second);
  }
};

class BlockParser {
 public:
  BlockParser(const Layout& layout, BlockRows& out) : layout_(layout), out_(out) {}

  void parse() {
    CsvCursor cursor(out_.text, layout_.delimiter);
    const std::size_t guess = out_.text.size() / (8 * layout_.width) + 1;
    out_.object.reserve(guess), out_.line.reserve(guess), out_.time.reserve(guess);
    out_.values.reserve(guess * layout_.features.size());
    while (cursor.next()) {
      line_ = cursor.line();
      if (parse_row(cursor)) continue;
      out_.values.resize(out_.object.size() * layout_.features.size());
      if (cursor.fault() || cursor.fields().size() != layout_.width) continue;
      out_.bad_ids.emplace(cursor.fields()[layout_.object]);
      if (layout_.system != kNoColumn) out_.bad_ids.emplace(cursor.fields()[layout_.system]);
    }
    out_.lines = cursor.lines();
  }

 private:
  bool refuse(std::size_t column, std::string_view found, std::string expected) {
    out_.problems.push_back(
        {line_, column == kNoColumn ? "" : layout_.column(column), std::string(found), std::move(expected)});
    return false;
  }

  bool parse_row(const CsvCursor& cursor) {
    const auto fields = cursor.fields();
    if (cursor.fault()) {
      out_.unclosed |= cursor.fault()->unclosed;
      return refuse(std::min(cursor.fault()->field, layout_.width - 1), cursor.fault()->found,
                    cursor.fault()->expected);
    }
    if (fields.size() != layout_.width) return refuse_width(fields.size());
    double time = 0;
    if (!parse_time(fields[layout_.time], time)) return false;
    for (const std::size_t column : layout_.features) {
      double value = 0;
      if (!parse_value(column, fields[column], value)) return false;
      out_.values.push_back(value);
    }
    std::uint32_t object = 0;
    if (!find_object(fields, object)) return false;
    out_.object.push_back(object);
    out_.line.push_back(static_cast<std::uint32_t>(line_));
    out_.time.push_back(time);
    return true;
  }

  bool refuse_width(std::size_t count) {
    const bool comma = layout_.delimiter == ',' && count > layout_.width;
    return refuse(
        kNoColumn, fmt::format("{} field{}", count, count == 1 ? "" : "s"),
        fmt::format("{} as in the header{}", layout_.width,
                    comma ? "; decimal commas need another `delimiter`, and fields with commas need quotes" : ""));
  }

  bool parse_time(std::string_view field, double& time) {
    if (!layout_.dates) {
      const std::optional<double> number = parse_csv_number(field, layout_.decimal_comma);
      if (number && std::abs(*number) <= layout_.largest_time) {
        time = *number;
        out_.compact_dates = out_.compact_dates && is_compact_date(*number);
        return true;
      }
      if (parse_iso8601(trim(field)))
        return refuse(layout_.time, field, "a number, as in the first row; one table has numbers or dates, not both");
      if (number)
        return refuse(layout_.time, field,
                      fmt::format("a time in the range from {0:g} to {1:g}", -kLargestTime, kLargestTime));
      if (looks_like_date(trim(field))) return refuse(layout_.time, field, kDate);
      return refuse(layout_.time, field, number_expected(field, kNumberOrDate));
    }
    const std::optional<Instant> instant = parse_iso8601(trim(field));
    if (!instant) return refuse(layout_.time, field, kDate);
    if (instant->style.zone.empty() == layout_.zoned)
      return refuse(
          layout_.time, field,
          layout_.zoned ? "a time with its zone, as in the first row" : "a time without zone, as in the first row");
    out_.digits = std::max(out_.digits, instant->style.digits);
    time = std::bit_cast<double>(instant->nanoseconds);
    return true;
  }

  static std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? text : text.substr(first, text.find_last_not_of(' ') - first + 1);
  }

  // A year and a dash: 1600-01-01, 2024-03, 2024-W10-5; or the form without dashes, with a time of day.
  static bool looks_like_date(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == text.size()) return false;
    return (digits == 4 && text[4] == '-') || (digits == 8 && (text[8] == 'T' || text[8] == 't'));
  }

  // YYYYMMDD, and as such a date of the last or this century.
  static bool is_compact_date(double number) {
    if (!(number >= 19000101 && number <= 20991231) || number != std::floor(number)) return false;
    const auto digits = static_cast<std::int64_t>(number);
    const std::int64_t month = digits / 100 % 100, day = digits % 100;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
  }

  bool parse_value(std::size_t column, std::string_view field, double& value) {
    if (field.empty()) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    const std::optional<double> number = parse_csv_number(field, layout_.decimal_comma);
    if (number && std::isfinite(*number)) {
      value = *number;
      return true;
    }
    if (is_missing_text(field)) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    if (number) return refuse(column, field, "a finite number; leave the field empty where the value is missing");
    std::string expected = number_expected(field, "a number, or an empty field where it is missing");
    if (layout_.all_features && advised_.insert(column).second)
      expected += "; if this column is no feature, name those that are with `features`";
    return refuse(column, field, std::move(expected));
  }

  // Adds advice if the field is a number in another notation.
  std::string number_expected(std::string_view field, std::string expected) const {
    const bool comma = !layout_.decimal_comma && field.find(',') != std::string_view::npos &&
                       parse_csv_number(field, true).has_value();
    if (comma) return expected + "; numbers with decimal commas are read with `decimal_comma`";
    const bool digits = !field.empty() && field.find_first_not_of(" +-.0123456789eE") == std::string_view::npos &&
                        field.find_first_of("eE") != std::string_view::npos;
    return digits ? expected + ", from -1.8e308 to 1.8e308" : expected;
  }

  // The object of the row, which is often that of the row before.
  bool find_object(std::span<const std::string_view> fields, std::uint32_t& object) {
    const std::string_view system = layout_.system == kNoColumn ? std::string_view() : fields[layout_.system];
    const std::string_view id = fields[layout_.object];
    if (last_ < out_.keys.size() && out_.keys[last_].first == system && out_.keys[last_].second == id) {
      object = last_;
      return true;
    }
    const auto found = known_.find({system, id});
    if (found != known_.end()) {
      object = last_ = found->second;
      return true;
    }
    if (layout_.system != kNoColumn && !check_id(layout_.system, system, "system")) return false;
    if (!check_id(layout_.object, id, "object")) return false;
    object = last_ = static_cast<std::uint32_t>(out_.keys.size());
    out_.keys.emplace_back(system, id);
    out_.key_lines.push_back(line_);
    // Fields may live in the cursor, for this row only.
    names_.emplace_back(system);
    const std::string_view kept_system = names_.back();
    names_.emplace_back(id);
    known_.emplace(std::pair{kept_system, std::string_view(names_.back())}, object);
    return true;
  }

  bool check_id(std::size_t column, std::string_view id, const char* what) {
    if (id.empty()) return refuse(column, id, fmt::format("the id of the {}", what));
    if (!is_utf8(id))
      return refuse(column, id, fmt::format("the id of the {} in UTF-8; save the file in this encoding", what));
    return true;
  }

  const Layout& layout_;
  BlockRows& out_;
  std::int64_t line_ = 0;
  std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();
  std::set<std::size_t> advised_;  // columns about which advice was given
  std::deque<std::string> names_;
  std::unordered_map<std::pair<std::string_view, std::string_view>, std::uint32_t, KeyHash> known_;
};

std::size_t default_column(const CsvFile& file, const char* name, const char* option) {
  const auto& header = file.header();
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  throw ConfigError(fmt::format("{}: has no column '{}'; name the one to take with {}; its columns are {}{}",
                                file.path().string(), name, option, fmt::join(header, ", "),
                                header.size() < 2 ? "; is the `delimiter` right?" : ""));
}

// Two columns with the same name cannot be distinguished.
void check_once(const CsvFile& file, const std::vector<std::size_t>& used) {
  const auto& header = file.header();
  for (const std::size_t column : used) {
    for (std::size_t other = 0; other < header.size(); ++other) {
      if (other == column || header[other] != header[column]) continue;
      throw DataError(fmt::format("{}: columns {} and {} are both named '{}'; rename one", file.path().string(),
                                  std::min(column, other) + 1, std::max(column, other) + 1, header[column]));
    }
  }
}

std::vector<std::size_t> feature_columns(const CsvFile& file, const CsvImport& options, const Layout& layout) {
  std::vector<std::size_t> columns;
  for (const std::string& name : options.features) columns.push_back(find_column(file, name, "`features`"));
  if (options.features.empty()) {
    for (std::size_t c = 0; c < file.header().size(); ++c) {
      // A column without a name is most often a row number that some program wrote.
      const bool taken = c == layout.system || c == layout.object || c == layout.time;
      if (!taken && !file.header()[c].empty()) columns.push_back(c);
    }
  }
  if (columns.empty())
    throw ConfigError(fmt::format("{}: has no column left that could be a feature; its columns are {}",
                                  file.path().string(), fmt::join(file.header(), ", ")));
  const std::set<std::size_t> once(columns.begin(), columns.end());
  if (once.size() < columns.size()) throw ConfigError("`features`: names a column twice");
  for (const std::size_t c : columns)
    if (c == layout.object || c == layout.time || c == layout.system)
      throw ConfigError(
          fmt::format("`features` {}: this column is the system, the object or the time", file.header()[c]));
  return columns;
}

Layout make_layout(const CsvFile& file, const CsvImport& options) {
  Layout layout;
  layout.names = file.header();
  layout.width = layout.names.size();
  layout.delimiter = file.delimiter();
  layout.decimal_comma = options.decimal_comma;
  if (options.decimal_comma && layout.delimiter == ',')
    throw ConfigError(
        fmt::format("`decimal_comma`: {} has commas between its columns; pass another `delimiter` if that is wrong",
                    file.path().string()));
  const auto& header = file.header();
  if (!options.system.empty())
    layout.system = find_column(file, options.system, "`system`");
  else if (const auto found = std::find(header.begin(), header.end(), "system"); found != header.end())
    layout.system = static_cast<std::size_t>(found - header.begin());
  layout.object = options.object.empty() ? default_column(file, "object", "`object`")
                                         : find_column(file, options.object, "`object`");
  layout.time =
      options.time.empty() ? default_column(file, "time", "`time`") : find_column(file, options.time, "`time`");
  layout.features = feature_columns(file, options, layout);
  layout.all_features = options.features.empty();
  layout.largest_time = options.known ? std::numeric_limits<double>::max() : kLargestTime;
  std::vector<std::size_t> used = layout.features;
  used.push_back(layout.object), used.push_back(layout.time);
  if (layout.system != kNoColumn) used.push_back(layout.system);
  check_once(file, used);
  return layout;
}

// Whether times are dates: decided by the first time that can be read.
void find_time_kind(const std::string& block, Layout& layout, TimeStyle& style) {
  CsvCursor cursor(block, layout.delimiter);
  while (cursor.next()) {
    if (cursor.fault() || cursor.fields().size() != layout.width) continue;
    std::string_view field = cursor.fields()[layout.time];
    if (parse_csv_number(field, layout.decimal_comma)) return;
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ')) field.remove_suffix(1);
    const std::optional<Instant> instant = parse_iso8601(field);
    if (!instant) continue;
    layout.dates = true;
    layout.zoned = !instant->style.zone.empty();
    style = instant->style;
    return;
  }
}

// Joins the rows of blocks in the order of the file.
class Joiner {
 public:
  Joiner(ObservationTable& table, const CsvImport& options, CsvProblems& problems, std::int64_t first_line)
      : table_(table), options_(options), problems_(problems), line_(first_line) {}

  void add(const BlockRows& block) {
    for (const CsvProblem& problem : block.problems) {
      CsvProblem placed = problem;
      placed.line += line_;
      problems_.add(std::move(placed));
    }
    std::vector<std::uint32_t> objects;
    objects.reserve(block.keys.size());
    for (std::size_t k = 0; k < block.keys.size(); ++k) objects.push_back(place(block, k));
    const std::size_t rows = block.object.size();
    const auto object = table_.rows.object.extend(rows);
    const auto line = table_.rows.line.extend(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      object[i] = objects[block.object[i]];
      line[i] = static_cast<std::uint32_t>(block.line[i] + line_);
    }
    copy(block.time, table_.rows.time);
    copy(block.values, table_.rows.values);
    table_.style.digits = std::max(table_.style.digits, block.digits);
    table_.compact_dates = table_.compact_dates && block.compact_dates;
    table_.bad_ids.insert(block.bad_ids.begin(), block.bad_ids.end());
    line_ += block.lines;
  }

 private:
  std::uint32_t place(const BlockRows& block, std::size_t k) {
    const auto& [system, object] = block.keys[k];
    if (!options_.known) return table_.index.add(table_.index.add_system(system), object);
    const auto s = table_.index.find_system(system);
    const auto o = s ? table_.index.find(*s, object) : std::nullopt;
    if (o) return *o;
    throw DataError(CsvProblem{block.key_lines[k] + line_, "object", object,
                               fmt::format("an object of system '{}' that dataset.json lists", system)}
                        .text(options_.observations.string()));
  }

  static void copy(const std::vector<double>& from, ScratchArray<double>& to) {
    const auto place = to.extend(from.size());
    if (!from.empty()) std::memcpy(place.data(), from.data(), place.size_bytes());
  }

  ObservationTable& table_;
  const CsvImport& options_;
  CsvProblems& problems_;
  std::int64_t line_;
};

void fill_known(const CsvImport::Known& known, ObjectIndex& index) {
  const auto& ids = known.description.system_ids;
  for (std::size_t s = 0; s < known.objects.size(); ++s) {
    const std::uint32_t system = index.add_system(ids.empty() ? std::to_string(s) : ids[s]);
    for (const std::string& id : known.objects[s]) index.add(system, id);
  }
}

}  // namespace

void ImportContext::check_stop() const {
  if (stop != nullptr && stop->requested()) throw Interrupted();
}

std::string ObjectIndex::key(std::uint32_t system, std::string_view id) {
  return std::to_string(system) + ':' + std::string(id);
}

std::uint32_t ObjectIndex::add_system(std::string_view id) {
  const auto [found, fresh] = system_of_.try_emplace(std::string(id), static_cast<std::uint32_t>(systems_.size()));
  if (fresh) systems_.emplace_back(id);
  return found->second;
}

std::uint32_t ObjectIndex::add(std::uint32_t system, std::string_view id) {
  const auto [found, fresh] = object_of_.try_emplace(key(system, id), static_cast<std::uint32_t>(objects_.size()));
  if (fresh) objects_.push_back({system, std::string(id)});
  return found->second;
}

std::optional<std::uint32_t> ObjectIndex::find_system(std::string_view id) const {
  const auto found = system_of_.find(std::string(id));
  return found == system_of_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> ObjectIndex::find(std::uint32_t system, std::string_view id) const {
  const auto found = object_of_.find(key(system, id));
  return found == object_of_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t find_column(const CsvFile& file, const std::string& name, const std::string& option) {
  const auto& header = file.header();
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  throw ConfigError(fmt::format("{} {}: {} has no such column{}; its columns are {}", option, name,
                                file.path().string(), did_you_mean(name, header), fmt::join(header, ", ")));
}

ObservationTable read_observations(const ImportContext& context, const ScratchPlace& place, CsvProblems& problems) {
  const CsvImport& options = context.options;
  CsvFile file(options.observations, options.delimiter, options.known.has_value());
  ObservationTable table(place);
  Layout layout = make_layout(file, options);
  table.delimiter = file.delimiter();
  table.columns = {layout.system == kNoColumn ? "" : layout.names[layout.system], layout.names[layout.object],
                   layout.names[layout.time]};
  for (const std::size_t column : layout.features) table.features.push_back(layout.names[column]);
  if (options.known) fill_known(*options.known, table.index);
  Joiner joiner(table, options, problems, file.header_lines() + 1);
  const int threads = options.threads > 0 ? options.threads : hardware_threads();
  bool first = true;
  bool more = true;
  while (more) {
    context.check_stop();
    std::vector<BlockRows> blocks;
    for (int i = 0; i < 2 * threads && more; ++i) {
      blocks.emplace_back();
      more = file.next(blocks.back().text);
      if (!more) blocks.pop_back();
    }
    if (first && !blocks.empty()) find_time_kind(blocks.front().text, layout, table.style);
    first = false;
    parallel_tasks(static_cast<std::int64_t>(blocks.size()), threads,
                   [&](std::int64_t i) { BlockParser(layout, blocks[static_cast<std::size_t>(i)]).parse(); });
    for (const BlockRows& block : blocks) {
      joiner.add(block);
      // An open quote swallows everything after it, so skipping the row would skip the rest of the table.
      if (block.unclosed) problems.throw_if_any("close the quote");
    }
    if (context.progress) context.progress(file.bytes_read(), file.size().value_or(0));
  }
  table.dates = layout.dates;
  table.compact_dates = table.compact_dates && !table.dates && table.rows.time.size() > 0;
  return table;
}

}  // namespace lgode::data
