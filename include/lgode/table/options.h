// The options of an import, in parts: how a table is written, which column is what, who acts on whom, and how
// recordings are arranged as systems. Flags of the command and keywords of Python follow from one declaration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/options.h"
#include "lgode/data/dataset.h"

namespace lgode::table {

// How the files of a table are written.
struct TableFormat {
  std::vector<std::string> columns = {};  // names of all columns ("_": skipped) where the files have no line of names
  std::vector<std::string> missing = {};  // texts that mean a missing value, in addition to the usual ones
  char delimiter = 0;                     // 0: found from the first line
  bool decimal_comma = false;
};

enum class Velocities { kGiven, kDifference };

// Whether objects are named by a column, or each file is one object, named after it.
enum class ObjectFrom { kColumn, kFile };
// What the column of objects is called where there is none, in what is written and in Description::columns.
inline constexpr const char* kFileObject = "file";

// Which column is what, and what times and features mean.
struct Roles {
  // Columns by name; where it is empty: "system" if there is such a column, "object", "time", and all others as
  // features. A system may be a list of columns as in CSV, "game,period"; their texts are joined with /.
  std::string system, object, time;
  bool system_may_lack = false;  // a table without the columns of `system` is one system per file
  ObjectFrom object_from = ObjectFrom::kColumn;
  std::vector<std::string> features;
  std::map<std::string, std::string> velocity_of;  // position, by velocity
  // Adds a derived velocity (Feature::derived) for each of the positions, or each feature that is not a velocity, that
  // has none.
  Velocities velocities = Velocities::kGiven;
  std::map<std::string, std::string> units;  // of features
  std::string time_unit;                     // "s" where times are dates, or counts
  double rate = 0;                           // times are counts, this many per second; 0: they are times
  bool keep_columns = false;                 // do not refuse a table whose columns of objects and times look exchanged
  // Where it is not empty: the features of the set, in place of all options for features; derived ones are not in the
  // table.
  std::vector<data::Feature> same_features;
};

// Who acts on whom: the relations of a table, or a rule.
struct RelationSource {
  std::optional<std::filesystem::path> table;
  data::EdgeRule::Kind rule = data::EdgeRule::Kind::kAll;  // without a table; kListed: there are no relations
  std::int64_t neighbours = 0;                             // of kNearest
  double radius = 0;                                       // of kWithin
  std::vector<std::string>
      positions;  // features that distance is measured in; empty: the features that have a velocity, or all
  std::map<std::string, std::string> columns;  // of the table: what system, source, target, type and weight are called
  bool undirected = false;                     // an edge of the table goes both ways
  std::vector<std::string> same_types;         // the types of the set's relations; a table may have no others
};

// Whether a text is a rule (none, all, k-nearest=K, within=R), not the name of a file.
bool is_rule(const std::string& text);
// Sets the source from such a text: a rule or a file. ConfigError names `edges`.
void choose_relations(const std::string& text, RelationSource& source);
// For all objects, such as the rule of a set imported earlier.
void choose_relations(const data::Description& description, RelationSource& source);

// How the recordings of a table become systems that train and test.
struct Arrangement {
  std::optional<double> split;  // share of the systems that train; default 0.8 where there are two or more
  // Systems of the table or windows of them ("rec/3"); * and ? match any text and any character.
  std::vector<std::string> test_systems;
  std::uint64_t seed = 1;
  std::optional<Length> window, stride;  // cut each system into systems of this length, this far apart
  // Cuts each system into windows of frames instead, each `stride` frames (default 1) after the one before; `step` is
  // found.
  data::FrameWindows frames;
  std::optional<Length> every;        // keep one row of each object per interval of this length
  std::optional<Length> first_range;  // conditioning length; default: window, or the longest training system
  bool for_prediction = false;        // no system trains: all are in the test part
};

struct ImportOptions {
  // One table: all files have the same columns. Without a column of systems each of several files is a system, named
  // after the file without its extension.
  std::vector<std::filesystem::path> observations;
  bool file_systems = false;  // also where there is one file
  std::string file_system;    // the system of a single file without a column of systems, in place of the file's name
  TableFormat format;
  Roles roles;
  RelationSource relations;
  Arrangement arrangement;

  std::int64_t max_errors = 20;  // reported in detail; 0: all
  bool skip_bad_rows = false;
  int threads = 0;                             // 0: all cores
  std::optional<std::uint64_t> memory;         // above this many bytes work in a file; default: half of the machine's
  std::filesystem::path scratch_folder = ".";  // for that file
  std::string name, source;                    // of the description

  // For a folder that export_csv wrote: what the tables cannot hold. Rows must agree with it.
  struct Known {
    data::Description description;
    std::vector<data::Part> parts;
    std::vector<double> origins;
    std::vector<std::vector<std::string>> objects;  // ids, by system
    bool seconds = false;                           // times are numbers, even if the description has dates
  };
  std::optional<Known> known;
};

// The options that a user sets, each with its help. The last group, kWorkGroup, does not change the result.
void declare(OptionSet& options, ImportOptions& import);
inline constexpr const char* kFormatGroup = "Format";
inline constexpr const char* kWorkGroup = "Work";

// Throws ConfigError on options that contradict each other or are out of range.
void check_options(const ImportOptions& options);

// The files that names and patterns (*, ?, [a-z]) match, in alphabetical order per pattern. ConfigError where a
// pattern matches nothing or a file is there twice.
std::vector<std::filesystem::path> find_files(const std::vector<std::string>& names);
// Whether a path says nothing about the table: /dev/fd/63, a pipe, the standard input.
bool is_nameless(const std::filesystem::path& path);
// What a file is called as a system or an object: its name without `.csv`, `.csv.gz` and the like; "table" for a pipe
// such as <(zcat x.gz), which has no name.
std::string file_name(const std::filesystem::path& path);
// Name and source of a set that has none, after its files: the name of the file or, of several, of their folder.
void name_after_files(ImportOptions& options);

// The options that read a table like the table of an imported set: columns, delimiter, missing words, times and
// features. Files, relations and split are the caller's.
ImportOptions table_import(const data::Description& description);
// The same for the table itself, in a file of any name: where one file made the whole set, its rows are those of the
// set's one recording.
ImportOptions same_table_import(const data::Description& description);
// The options that read a new table for a model that was trained on a set with this description: also its relations and
// how it was thinned. All systems are whole, and in the test part. A table without the column of systems is one system.
ImportOptions new_table_import(const data::Description& description);

}  // namespace lgode::table
