// Declares and checks the options of an import, and sets them after a data set.
#include "lgode/table/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "lgode/core/error.h"
#include "lgode/data/measured_features.h"

namespace lgode::table {
namespace {

using Kind = data::EdgeRule::Kind;

// A number after a prefix such as "within=".
template <class Number>
bool read_after(std::string_view text, std::string_view prefix, Number& value) {
  if (!text.starts_with(prefix)) return false;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, value);
  return error == std::errc() && stop == end;
}

std::string relations_text(const RelationSource& source) {
  if (source.table) return source.table->string();
  return source.rule == Kind::kNearest  ? fmt::format("k-nearest={}", source.neighbours)
         : source.rule == Kind::kWithin ? fmt::format("within={}", source.radius)
         : source.rule == Kind::kAll    ? "all"
                                        : "none";
}

[[noreturn]] void refuse(const std::string& accepts) { throw ConfigError(accepts); }

Option relations_option(RelationSource& source) {
  Option option;
  option.key = "edges";
  option.type = "text";
  option.accepts = "a table, none, all, k-nearest=K or within=R";
  option.help =
      "who acts on whom: a table with columns source and target and, if present, system, type and weight; or a rule "
      "for the objects that are observed together";
  option.get = [&source]() -> nlohmann::json { return relations_text(source); };
  option.set = [&source, accepts = option.accepts](const nlohmann::json& value) {
    if (!value.is_string()) refuse(accepts);
    choose_relations(value.get<std::string>(), source);
  };
  option.parse = [](const std::string& text) -> nlohmann::json { return text; };
  return option.show("FILE|none|all|k-nearest=K|within=R", "all");
}

Option delimiter_option(char& delimiter) {
  Option option;
  option.key = "delimiter";
  option.type = "text";
  option.accepts = "one character such as , ; | or the word tab";
  option.help = "between fields: , ; | or tab";
  option.get = [&delimiter]() -> nlohmann::json {
    if (delimiter == 0) return nullptr;
    return delimiter == '\t' ? std::string("tab") : std::string(1, delimiter);
  };
  option.set = [&delimiter, accepts = option.accepts](const nlohmann::json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (value.is_null())
      delimiter = 0;
    else if (text == "tab" || text == "\t" || text == "\\t")
      delimiter = '\t';
    else if (text.size() == 1 && text.find_first_of("\"\n\r.") == std::string::npos)
      delimiter = text[0];
    else
      refuse(accepts);
  };
  option.parse = [](const std::string& text) -> nlohmann::json { return text; };
  return option.show("C", "found from the first line");
}

// 8+12; unset: null.
Option frames_option(data::FrameWindows& frames) {
  Option option;
  option.key = "frames";
  option.type = "text";
  option.accepts = "frames that are seen and frames that are forecast, 1 to 1000000 each, such as 8+12";
  option.help =
      "cut each system into windows of so many consecutive frames: a forecast sees the first ones and is asked for the "
      "others";
  option.get = [&frames]() -> nlohmann::json {
    return frames ? nlohmann::json(fmt::format("{}+{}", frames.seen, frames.asked)) : nlohmann::json();
  };
  option.set = [&frames, accepts = option.accepts](const nlohmann::json& value) {
    constexpr std::int64_t kMost = 1'000'000;
    frames.seen = frames.asked = 0;
    if (value.is_null()) return;
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    const std::size_t plus = std::min(text.find('+'), text.size());
    std::int64_t seen = 0, asked = 0;
    if (!read_after(text.substr(0, plus), "", seen) || !read_after(text.substr(plus), "+", asked) || seen < 1 ||
        seen > kMost || asked < 1 || asked > kMost)
      refuse(accepts);
    frames.seen = seen, frames.asked = asked;
  };
  option.parse = [](const std::string& text) -> nlohmann::json { return text; };
  return option.show("SEEN+ASKED");
}

Option memory_option(std::optional<std::uint64_t>& bytes) {
  Option option;
  option.key = "memory";
  option.type = "integer";
  option.accepts = "integer >= 1";
  option.help = "work in a temporary file where more megabytes are needed, next to the data set";
  option.get = [&bytes]() -> nlohmann::json { return bytes ? nlohmann::json(*bytes >> 20U) : nlohmann::json(); };
  option.set = [&bytes, accepts = option.accepts](const nlohmann::json& value) {
    if (!value.is_null() && !(value.is_number_integer() && value.get<std::int64_t>() >= 1)) refuse(accepts);
    bytes.reset();
    if (!value.is_null()) bytes = value.get<std::uint64_t>() << 20U;
  };
  option.parse = [accepts = option.accepts](const std::string& text) -> nlohmann::json {
    std::int64_t value = 0;
    if (!read_after(text, "", value)) refuse(accepts);
    return value;
  };
  return option.show("MB", "half of the machine's");
}

void declare(OptionSet& o, TableFormat& format) {
  o.group(kFormatGroup);
  o.add("columns", &format.columns,
        "names of all columns, in their order, of files without a line of names; _ skips a column")
      .show("A,B,...");
  o.add("missing_values", &format.missing,
        "texts that mean a missing value, in addition to an empty field, NaN, NA, N/A, #N/A, null, None and -")
      .show("A,B,...");
  o.add(delimiter_option(format.delimiter));
  o.add("decimal_comma", &format.decimal_comma, "numbers are written 3,14");
}

void declare(OptionSet& o, Roles& roles) {
  o.group("Columns");
  o.add("system", &roles.system, "column with the system's id: which recording a row belongs to; several: game,period")
      .show("COLUMN", "system if there is one, else a file is one system");
  o.add("object", &roles.object, "column with the object's id, any text").show("COLUMN", "object");
  o.add_choice("object_from", &roles.object_from, {{"column", ObjectFrom::kColumn}, {"file", ObjectFrom::kFile}},
               "file: each file is one object, named after it; files of one folder are one system, named after the "
               "folder")
      .show("column|file", "column");
  o.add("time", &roles.time, "column with the time: a number, ISO 8601, or a time of day").show("COLUMN", "time");
  o.add("features", &roles.features, "columns with values").show("A,B,...", "all others");
  o.add("velocity_of", &roles.velocity_of, "features that are velocities of others").show("VX=X,...");
  o.add_choice("velocities", &roles.velocities,
               {{"given", Velocities::kGiven}, {"difference", Velocities::kDifference}},
               "difference: derive the velocities that the table lacks from the positions in the context")
      .show("given|difference", "given");
  o.add("units", &roles.units, "units of features, for people").show("X=m,...");
  o.add("time_unit", &roles.time_unit, "unit of numeric times, for people").show("TEXT");
  o.add("rate", &roles.rate, {0.0, std::numeric_limits<double>::max(), true},
        "times are counts (frames), N per second; the data set and all lengths are in seconds")
      .show("N")
      .expect("the number of counts per second, above 0")
      .default_value = nullptr;  // 0 means that times are not counts; it is not accepted
  o.add("keep_columns", &roles.keep_columns,
        "import a table even where its columns of objects and times look exchanged");
}

void declare(OptionSet& o, RelationSource& relations) {
  o.group("Relations");
  o.add(relations_option(relations));
  o.add("edge_columns", &relations.columns, "columns of the edge table for system, source, target, type, weight")
      .show("source=FROM,...");
  o.add("undirected", &relations.undirected, "each edge of the table acts in both directions");
  o.add("positions", &relations.positions, "features that k-nearest and within measure distance in")
      .show("X,Y,...", "the features that have a velocity, or all");
}

void declare(OptionSet& o, Arrangement& arrangement) {
  o.group("Systems");
  o.add_unset(
       "split", &arrangement.split, {},
       "share of the systems that train, drawn at random; with `window` and fewer than five recordings, the first "
       "windows of each")
      .show("SHARE", "0.8");
  o.add("test_systems", &arrangement.test_systems,
        "systems, or windows of them (rec/3), to test on; * and ? as in zara*; the others train")
      .show("A,B,...");
  o.add("seed", &arrangement.seed, "seed of the random split").show("N", "1");
  o.add("window", &arrangement.window, "cut each system into windows of this length: 60, 5min, 2h").show("LENGTH");
  o.add(frames_option(arrangement.frames));
  o.add("all_present", &arrangement.frames.all_present,
        "with `frames`: only objects that are observed in all frames are forecast; the others are seen and act");
  o.add("min_objects", &arrangement.frames.min_objects, {1},
        "with `frames`: leave out test windows with fewer objects to forecast; without any, a window is in no part")
      .show("N", "1");
  o.add("stride", &arrangement.stride, "from one window's start to the next; with `frames` a number of frames")
      .show("LENGTH", "the window's length, or one frame");
  o.add("every", &arrangement.every, "thin: of each object keep one row per interval of this length").show("LENGTH");
  o.add("first_range", &arrangement.first_range, "span of time that one task covers")
      .show("LENGTH", "the window, or the longest training system");
  o.add("for_prediction", &arrangement.for_prediction,
        "no system trains: all are in the test part, for a model that is trained already");
}

bool is_time_unit(const std::string& unit) {
  constexpr std::array kUnits = {"ns",     "us",      "ms", "s",    "sec",   "second", "seconds", "min",
                                 "minute", "minutes", "h",  "hour", "hours", "d",      "day",     "days"};
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

// Lengths with a unit are in seconds, which must be the unit of the times.
void check_lengths(const ImportOptions& options) {
  const std::string& unit = options.roles.time_unit;
  const bool seconds = unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds";
  const Arrangement& a = options.arrangement;
  for (const auto& [option, length] : {std::pair{"`window`", &a.window}, std::pair{"`stride`", &a.stride},
                                       std::pair{"`first_range`", &a.first_range}, std::pair{"`every`", &a.every}}) {
    if (!*length) continue;
    const Length& given = **length;
    if (!(given.value > 0 && std::isfinite(given.value)))
      throw ConfigError(fmt::format("{} {}: expected a length above 0", option, given.value));
    if (given.seconds && !seconds && options.roles.rate == 0)
      throw ConfigError(fmt::format(
          "{} {}: is in seconds, but times are in '{}'; give the length in that unit as a number, or say with `rate` "
          "how many of them make a second",
          option, given.text, unit));
  }
}

// What goes with windows of frames.
void check_frames(const Arrangement& a) {
  const data::FrameWindows unset;
  if (!a.frames) {
    if (a.frames.all_present || a.frames.min_objects != unset.min_objects)
      throw ConfigError(fmt::format("`{}` needs `frames`", a.frames.all_present ? "all_present" : "min_objects"));
    return;
  }
  if (a.window || a.first_range)
    throw ConfigError(fmt::format("`frames` does not go with `{}`: the frames are the window and its range; omit one",
                                  a.window ? "window" : "first_range"));
  if (a.stride && (a.stride->seconds || !(a.stride->value >= 1 && a.stride->value <= 1e9) ||
                   a.stride->value != std::floor(a.stride->value)))
    throw ConfigError(fmt::format("`stride` {}: with `frames`, expected a whole number of frames, at least 1",
                                  a.stride->seconds ? a.stride->text : fmt::format("{}", a.stride->value)));
}

}  // namespace

bool is_rule(const std::string& text) {
  return text.empty() || text == "all" || text == "none" || text.starts_with("k-nearest") || text == "within" ||
         text.starts_with("within=");
}

void choose_relations(const std::string& text, RelationSource& source) {
  source.table.reset();
  source.rule = text.empty() || text == "all"   ? Kind::kAll
                : text.starts_with("k-nearest") ? Kind::kNearest
                : text.starts_with("within")    ? Kind::kWithin
                                                : Kind::kListed;
  if (!is_rule(text)) {
    source.rule = Kind::kListed;
    source.table = text;
    if (text.find('=') != std::string::npos && !std::filesystem::exists(text))
      throw ConfigError(fmt::format(
          "`edges` {}: is neither a file nor a rule; expected a table, none, all, k-nearest=K or within=R", text));
  }
  if (source.rule == Kind::kWithin &&
      !(read_after(text, "within=", source.radius) && source.radius > 0 && std::isfinite(source.radius)))
    throw ConfigError(fmt::format("`edges` {}: expected within=R with a distance R above 0", text));
  if (source.rule == Kind::kNearest && (!read_after(text, "k-nearest=", source.neighbours) || source.neighbours < 1))
    throw ConfigError(fmt::format("`edges` {}: expected k-nearest=K with K at least 1", text));
}

void choose_relations(const data::Description& description, RelationSource& source) {
  const data::EdgeRule& rule = description.edges;
  source.rule = rule.kind;
  source.neighbours = rule.neighbours, source.radius = rule.radius;
  source.positions.clear();
  for (const int f : rule.positions) source.positions.push_back(description.features[static_cast<std::size_t>(f)].name);
}

void declare(OptionSet& o, ImportOptions& import) {
  declare(o, import.format);
  declare(o, import.roles);
  declare(o, import.relations);
  declare(o, import.arrangement);
  o.group(kWorkGroup);
  o.add("max_errors", &import.max_errors, {0}, "bad rows to report in detail; 0: all").show("N", "20");
  o.add("skip_bad_rows", &import.skip_bad_rows,
        "skip every row with a bad field, and every bad edge, and report how many");
  o.add("threads", &import.threads, {0}, "threads; 0: all cores").show("N", "0");
  o.add(memory_option(import.memory));
}

void check_options(const ImportOptions& options) {
  const Arrangement& arrangement = options.arrangement;
  if (arrangement.split && !arrangement.test_systems.empty())
    throw ConfigError("`split` does not go with `test_systems`");
  if (arrangement.for_prediction && (arrangement.split || !arrangement.test_systems.empty()))
    throw ConfigError(fmt::format("`for_prediction` does not go with `{}`: no system trains",
                                  arrangement.split ? "split" : "test_systems"));
  if (options.observations.empty()) throw ConfigError("`observations`: expected at least one file");
  check_frames(arrangement);
  if (arrangement.stride && !arrangement.window && !arrangement.frames)
    throw ConfigError("`stride` needs `window` or `frames`");
  if (arrangement.split && !(*arrangement.split >= 0 && *arrangement.split <= 1))
    throw ConfigError(fmt::format("`split` {}: expected a share from 0 to 1", *arrangement.split));
  check_lengths(options);
  if (!(options.roles.rate >= 0 && std::isfinite(options.roles.rate)))
    throw ConfigError(fmt::format("`rate` {}: expected the number of counts per second, above 0", options.roles.rate));
  if (options.roles.rate > 0 && is_time_unit(options.roles.time_unit))
    throw ConfigError(fmt::format(
        "`rate` {}: is for times that are counts, such as frames, but `time_unit` says that they are in {}; "
        "omit `rate`, or omit `time_unit` to convert the times to seconds",
        options.roles.rate, options.roles.time_unit));
  if (!options.relations.table && options.relations.rule == data::EdgeRule::Kind::kWithin &&
      !(options.relations.radius > 0 && std::isfinite(options.relations.radius)))
    throw ConfigError(fmt::format("`edges` within={}: expected a distance above 0", options.relations.radius));
}

ImportOptions table_import(const data::Description& description) {
  ImportOptions options;
  Roles& roles = options.roles;
  TableFormat& format = options.format;
  const std::vector<std::string>& columns = description.columns;
  roles.system = columns.empty() ? "system" : columns[0];
  roles.object = columns.empty() ? "object" : columns[1];
  roles.time = columns.empty() ? "time" : columns[2];
  if (roles.object == kFileObject) roles.object_from = ObjectFrom::kFile;
  // Systems that no column names are files.
  const auto& names = description.recordings.empty() ? description.system_ids : description.recordings;
  options.file_systems = roles.system.empty() && !names.empty() && !names.front().empty();
  format.columns = description.header;
  format.missing = description.missing;
  roles.rate = description.rate;
  roles.keep_columns = true;
  format.delimiter = description.delimiter.empty() ? '\0' : description.delimiter.front();
  format.decimal_comma = description.decimal_comma;
  roles.same_features = description.features;
  roles.features = data::measured_names(description);
  return options;
}

ImportOptions same_table_import(const data::Description& description) {
  ImportOptions options = table_import(description);
  const auto& names = description.recordings.empty() ? description.system_ids : description.recordings;
  const bool one = options.file_systems && std::all_of(names.begin(), names.end(),
                                                       [&](const std::string& name) { return name == names.front(); });
  if (one) options.file_system = names.front();
  return options;
}

ImportOptions new_table_import(const data::Description& description) {
  ImportOptions options = table_import(description);
  options.roles.system_may_lack = true;
  options.format.delimiter = 0;  // may be another one
  options.roles.time_unit = description.rate > 0 ? "" : description.time_unit;
  choose_relations(description, options.relations);
  options.relations.same_types = description.relation_types;
  options.relations.columns = description.edge_columns;
  options.relations.undirected = description.undirected;
  if (description.every > 0) options.arrangement.every = description.every;
  options.arrangement.for_prediction = true;
  return options;
}

}  // namespace lgode::table
