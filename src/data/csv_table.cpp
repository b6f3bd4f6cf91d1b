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
#include <map>
#include <memory>
#include <set>

#include "csv_layout.h"
#include "lgode/core/error.h"
#include "lgode/core/parallel.h"

namespace lgode::data {
namespace {

constexpr const char* kNumberOrDate = "a time: a number, ISO 8601 such as 2024-03-01T12:30:00Z, or a time of day";
constexpr const char* kDate = "an ISO 8601 time such as 2024-03-01 or 2024-03-01T12:30:00Z, in the years 1678 to 2261";
constexpr const char* kClock = "a time of day such as 12:30 or 12:30:05.25, as in the first row";
constexpr const char* kOneKind = "one table has numbers, dates or times of day, not several kinds";
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
  int digits = 0;        // most digits of a fraction of a second
  bool seconds = false;  // a time of day has seconds
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
      if (!layout_.system.empty()) out_.bad_ids.emplace(system_of(cursor.fields()));
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
    if (layout_.kind == TimeKind::kDate) return parse_date(field, time);
    if (layout_.kind == TimeKind::kClock) return parse_time_of_day(field, time);
    const std::optional<double> number = parse_csv_number(field, layout_.decimal_comma);
    if (number && std::abs(*number) <= layout_.largest_time) {
      time = *number;
      out_.compact_dates = out_.compact_dates && is_compact_date(*number);
      return true;
    }
    if (parse_iso8601(trim(field)) || parse_clock(trim(field)))
      return refuse(layout_.time, field, fmt::format("a number, as in the first row; {}", kOneKind));
    if (number)
      return refuse(
          layout_.time, field,
          fmt::format("a time in the range from {0:g} to {1:g}", -layout_.largest_time, layout_.largest_time));
    if (looks_like_date(trim(field))) return refuse(layout_.time, field, kDate);
    return refuse(layout_.time, field, number_expected(field, kNumberOrDate));
  }

  bool parse_date(std::string_view field, double& time) {
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

  bool parse_time_of_day(std::string_view field, double& time) {
    const std::optional<Instant> instant = parse_clock(trim(field));
    if (!instant) return refuse(layout_.time, field, kClock);
    out_.digits = std::max(out_.digits, instant->style.digits);
    out_.seconds |= instant->style.seconds;
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
    if (field.empty() || layout_.missing.own(field)) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    const std::optional<double> number = parse_csv_number(field, layout_.decimal_comma);
    if (number && std::abs(*number) <= kLargestValue) {
      value = *number;
      return true;
    }
    if (is_missing_text(field)) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    if (number && std::isfinite(*number))
      return refuse(column, field, fmt::format("a number from {:g} to {:g}", -kLargestValue, kLargestValue));
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
    const std::string_view system = system_of(fields);
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
    for (const std::size_t column : layout_.system)
      if (!check_id(column, fields[column], "system")) return false;
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

  // Valid until the next row.
  std::string_view system_of(std::span<const std::string_view> fields) {
    if (layout_.system.empty()) return layout_.file_system;
    if (layout_.system.size() == 1) return fields[layout_.system.front()];
    join_system(fields, layout_.system, joined_);
    return joined_;
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
  std::string joined_;
  std::deque<std::string> names_;
  std::unordered_map<std::pair<std::string_view, std::string_view>, std::uint32_t, KeyHash> known_;
};

// Joins the rows of blocks in the order of the file.
class Joiner {
 public:
  Joiner(ObservationTable& table, const CsvImport& options, CsvProblems& problems)
      : table_(table), options_(options), problems_(problems) {}

  // The blocks that follow are those of another file.
  void begin_file(const std::filesystem::path& path, std::int64_t first_line) {
    const std::int64_t before = table_.files.empty() ? 0 : table_.files.back().lines_before + line_;
    table_.files.push_back({path.string(), before});
    line_ = first_line;
  }

  void add(const BlockRows& block) {
    for (const CsvProblem& problem : block.problems) {
      CsvProblem placed = problem;
      placed.line += line_;
      placed.file = table_.files.size() - 1;
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
      line[i] = static_cast<std::uint32_t>(table_.files.back().lines_before + block.line[i] + line_);
    }
    copy(block.time, table_.rows.time);
    copy(block.values, table_.rows.values);
    table_.style.digits = std::max(table_.style.digits, block.digits);
    table_.style.seconds |= block.seconds;
    table_.compact_dates = table_.compact_dates && block.compact_dates;
    table_.bad_ids.insert(block.bad_ids.begin(), block.bad_ids.end());
    line_ += block.lines;
  }

 private:
  std::uint32_t place(const BlockRows& block, std::size_t k) {
    const auto& [system, object] = block.keys[k];
    if (!options_.known) {
      const std::uint32_t s = table_.index.add_system(system);
      note_file(s);
      return table_.index.add(s, object);
    }
    const auto s = table_.index.find_system(system);
    const auto o = s ? table_.index.find(*s, object) : std::nullopt;
    if (o) return *o;
    throw DataError(CsvProblem{block.key_lines[k] + line_, "object", object,
                               fmt::format("an object of system '{}' that dataset.json lists", system)}
                        .text(table_.files.back().path));
  }

  void note_file(std::uint32_t system) {
    if (system >= file_of_.size()) file_of_.resize(system + 1, table_.files.size());
    if (file_of_[system] != table_.files.size()) table_.shared_systems.insert(system);
  }

  static void copy(const std::vector<double>& from, ScratchArray<double>& to) {
    const auto place = to.extend(from.size());
    if (!from.empty()) std::memcpy(place.data(), from.data(), place.size_bytes());
  }

  ObservationTable& table_;
  const CsvImport& options_;
  CsvProblems& problems_;
  std::int64_t line_ = 0;
  std::vector<std::size_t> file_of_;  // by system: the first file that has it, from 1
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

std::pair<std::size_t, std::int64_t> ObservationTable::place(std::int64_t line) const {
  std::size_t file = files.size() - 1;
  while (file > 0 && files[file].lines_before >= line) --file;
  return {file, line - files[file].lines_before};
}

namespace {

// All files have the columns of the first, in any order, and its delimiter.
void check_same(const CsvFile& file, const CsvFile& first) {
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  if (sorted(file.header()) != sorted(first.header()))
    throw DataError(fmt::format("{}: has the columns {}, but {} has {}; files of one table need the same columns",
                                file.path().string(), fmt::join(file.header(), ", "), first.path().string(),
                                fmt::join(first.header(), ", ")));
  if (file.delimiter() != first.delimiter())
    throw DataError(fmt::format("{}: has '{}' between its fields, but {} has '{}'; files of one table need the same",
                                file.path().string(), file.delimiter(), first.path().string(), first.delimiter()));
}

// Reads the files one after another; blocks of one file in parallel.
class TableReader {
 public:
  TableReader(const ImportContext& context, const ScratchPlace& place, CsvProblems& problems)
      : context_(context),
        options_(context.options),
        problems_(problems),
        table_(place),
        joiner_(table_, options_, problems),
        threads_(options_.threads > 0 ? options_.threads : hardware_threads()) {}

  ObservationTable read() {
    if (options_.known) fill_known(*options_.known, table_.index);
    for (const std::filesystem::path& path : options_.observations) {
      std::error_code error;
      const std::uintmax_t size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path) : 0;
      total_ = size == 0 ? -1 : total_ < 0 ? total_ : total_ + static_cast<std::int64_t>(size);
    }
    for (const std::filesystem::path& path : options_.observations) read_file(path);
    table_.dates = kind_ == TimeKind::kDate || kind_ == TimeKind::kClock;
    table_.compact_dates = table_.compact_dates && !table_.dates && table_.rows.time.size() > 0;
    return std::move(table_);
  }

 private:
  void read_file(const std::filesystem::path& path) {
    auto file = std::make_unique<CsvFile>(path, options_.delimiter, options_.known.has_value(), options_.columns);
    if (first_) check_same(*file, *first_);
    Layout layout = make_layout(*file, options_, options_.observations.size() > 1 || options_.file_systems);
    check_name(layout, path);
    layout.kind = kind_;
    layout.zoned = zoned_;
    if (first_)
      order_features(layout);
    else
      describe(*file, layout);
    joiner_.begin_file(path, file->header_lines() + 1);
    read_blocks(*file, layout);
    done_ += file->bytes_read();
    kind_ = layout.kind;
    zoned_ = layout.zoned;
    if (!first_) first_ = std::move(file);
  }

  void check_name(const Layout& layout, const std::filesystem::path& path) {
    if (layout.file_system.empty()) return;
    const auto [before, fresh] = named_.try_emplace(layout.file_system, path.string());
    if (!fresh)
      throw ConfigError(fmt::format(
          "`observations`: {} and {} would both be system '{}', which a file without a column of systems is "
          "named after; rename one, or name a column with `system`",
          before->second, path.string(), layout.file_system));
  }

  // Rows hold the features in the order of the first file; this one may have its columns in another.
  void order_features(Layout& layout) const {
    for (std::size_t f = 0; f < table_.features.size(); ++f) {
      const auto found = std::find(layout.names.begin(), layout.names.end(), table_.features[f]);
      layout.features[f] = static_cast<std::size_t>(found - layout.names.begin());
    }
  }

  void describe(const CsvFile& file, const Layout& layout) {
    table_.delimiter = file.delimiter();
    table_.columns = {layout.system.size() > 1    ? options_.system
                      : layout.system.size() == 1 ? layout.names[layout.system.front()]
                                                  : "",
                      layout.names[layout.object], layout.names[layout.time]};
    for (const std::size_t column : layout.features) table_.features.push_back(layout.names[column]);
  }

  void read_blocks(CsvFile& file, Layout& layout) {
    for (bool more = true; more;) {
      context_.check_stop();
      std::vector<BlockRows> blocks;
      for (int i = 0; i < 2 * threads_ && more; ++i) {
        blocks.emplace_back();
        more = file.next(blocks.back().text);
        if (!more) blocks.pop_back();
      }
      if (layout.kind == TimeKind::kUnknown && !blocks.empty())
        find_time_kind(blocks.front().text, layout, table_.style);
      parallel_tasks(static_cast<std::int64_t>(blocks.size()), threads_,
                     [&](std::int64_t i) { BlockParser(layout, blocks[static_cast<std::size_t>(i)]).parse(); });
      for (const BlockRows& block : blocks) {
        joiner_.add(block);
        // An open quote swallows everything after it, so skipping the row would skip the rest of the table.
        if (block.unclosed) problems_.throw_if_any("close the quote");
      }
      if (context_.progress) context_.progress(done_ + file.bytes_read(), std::max<std::int64_t>(total_, 0));
    }
  }

  const ImportContext& context_;
  const CsvImport& options_;
  CsvProblems& problems_;
  ObservationTable table_;
  Joiner joiner_;
  int threads_;
  std::unique_ptr<CsvFile> first_;
  std::map<std::string, std::string> named_;  // files by the system that they are
  TimeKind kind_ = TimeKind::kUnknown;
  bool zoned_ = false;
  std::int64_t done_ = 0, total_ = 0;  // bytes; total_ < 0: unknown
};

}  // namespace

ObservationTable read_observations(const ImportContext& context, const ScratchPlace& place, CsvProblems& problems) {
  return TableReader(context, place, problems).read();
}

}  // namespace lgode::data
