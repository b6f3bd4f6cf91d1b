// A data set: many systems of objects with irregular observations and relations, as flat arrays and offsets that may
// be in memory or in a memory-mapped file. Physical units and physical time; nothing is normalised here.
// docs/data-format.md is the layout on disk.
//
// Shapes: S systems, O objects, M observations and E relations of all systems together, D features.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/file.h"

namespace lgode::data {

enum class Part : std::uint8_t { kTrain = 0, kTest = 1 };

struct Feature {
  std::string name;
  std::string unit;      // may be empty
  int scale_group = 0;   // features of one group are normalised by one scale
  int velocity_of = -1;  // index of the feature whose time derivative this is, or -1
  // A velocity that is not in the data: a batch derives it from the observations of its context. All values are missing
  // (NaN) in the arrays; it is an input of models, never a target or a prediction.
  bool derived = false;

  bool operator==(const Feature&) const = default;
};

// Who acts on whom, where the relations are not listed: decided per batch among its objects, from their context.
struct EdgeRule {
  enum class Kind : std::uint8_t {
    kListed,   // the relations are in the arrays (none: there are none)
    kAll,      // all ordered pairs
    kNearest,  // the `neighbours` nearest objects act on an object
    kWithin,   // all objects within `radius` of an object act on it
  };
  Kind kind = Kind::kListed;
  std::int64_t neighbours = 0;  // of kNearest, > 0
  double radius = 0;            // of kWithin, > 0, in the unit of the positions
  std::vector<int> positions;   // features that distance is measured in; not empty for kNearest and kWithin
};

// Systems that are windows of numbered frames, one `step` after the other: forecasts see the first `seen` frames and
// are asked for the others, at their times. They start at the last seen frame.
struct FrameWindows {
  std::int64_t seen = 0, asked = 0;  // 0: the systems are no such windows
  double step = 0;                   // > 0
  bool all_present = false;          // only objects that are observed in all frames are targets
  std::int64_t min_objects = 1;      // targets that each window of the test part has at least

  bool operator==(const FrameWindows&) const = default;
  explicit operator bool() const { return seen > 0; }
  std::int64_t count() const { return seen + asked; }
  double length() const { return static_cast<double>(count()) * step; }
  // Times since a window's first frame: of the last seen frame, and halfway to the next one.
  double start() const { return static_cast<double>(seen - 1) * step; }
  double split() const { return (static_cast<double>(seen) - 0.5) * step; }
};

// Facts about the whole set; JSON in the file's metadata.
struct Description {
  std::string name;                         // "springs", ...
  std::string source;                       // one line: how it was made (command, options, seed)
  std::string time_unit;                    // may be empty
  std::string time_origin;                  // where times are dates: the date of time 0 (data/time_text.h)
  std::string time_format;                  // how dates are written; both empty: times are plain numbers
  std::vector<std::string> columns;         // what the set's table called system (empty: none), object and time;
                                            // a system of several columns is a list as in CSV: "game,period"
  std::vector<std::string> header;          // names of all columns ("_": none) of a table without a line of names
  std::vector<std::string> missing;         // words of the table for a missing value, in addition to the usual
  std::string delimiter;                    // between the table's fields; empty: there was no table
  bool decimal_comma = false;               // the table's numbers are written 3,14
  double rate = 0;                          // the table's times are counts, this many per time unit; 0: times
  EdgeRule edges;                           // where it is a rule, the arrays have no relations
  std::vector<Feature> features;            // D
  std::vector<std::string> relation_types;  // R >= 1 names
  double time_scale = 1.0;                  // length of physical time that the model sees as one unit; > 0
  double conditioning_length = 1.0;         // observations earlier than origin + this are the first range (task input)
  std::int64_t max_length = 0;              // Tmax and Kmin of the window formula (docs/notation.md, Eq. 11)
  std::int64_t min_length = 0;
  std::vector<std::string> system_ids;  // S, or empty: the index
  std::vector<std::string> object_ids;  // O, or empty: the index within its system
  std::int64_t rows_left_out = -1;      // rows of the table that no system has; -1: unknown, or there was no table
  std::vector<std::string> recordings;  // S, the table's name of the system that a window is cut from; else empty
  // How the table's rows became systems, so that another table can be read in the same way.
  double window = -1;                               // length of the windows; 0: whole recordings; -1: unknown
  double every = 0;                                 // rows thinned to one per interval of this length; 0: all of them
  FrameWindows frames;                              // of windows of numbered frames
  std::map<std::string, std::string> edge_columns;  // of a table of relations
  bool undirected = false;                          // an edge of that table acts in both directions
};

// One relation, source acts on target; objects counted within their system.
struct Relation {
  std::int32_t source = 0;
  std::int32_t target = 0;
  std::int32_t type = 0;
  float weight = 1.0F;
};

// What an array has entries for.
enum class Per : std::uint8_t {
  kSystem,     // [S]
  kSystemEnd,  // [S+1] offsets
  kObjectEnd,  // [O+1] offsets
  kRow,        // [M]
  kValue,      // [M, D]
  kRelation,   // [E]
};

// The arrays of a data set, in one list for views, storage, files, checks and copies.
template <template <class> class Of>
struct DatasetArrays {
  Of<std::int64_t> object_offsets = {};       // [S+1] objects of system s are [s], [s+1]
  Of<std::int64_t> observation_offsets = {};  // [O+1]
  Of<std::int64_t> relation_offsets = {};     // [S+1]
  Of<double> times = {};                      // [M] ascending within an object, physical
  Of<double> values = {};                     // [M, D] NaN: missing
  Of<std::int32_t> relation_sources = {};     // [E]
  Of<std::int32_t> relation_targets = {};     // [E]
  Of<std::int32_t> relation_types = {};       // [E]
  Of<float> relation_weights = {};            // [E]
  Of<std::uint8_t> parts = {};                // [S] Part
  Of<double> origins = {};                    // [S] physical time where the system's own clock starts

  // use(name, per, array) for every array, in the order of files and fingerprints; of several structs, array by array:
  // use(name, per, first's array, second's array).
  template <class Use, class... Arrays>
  static void each(const Use& use, Arrays&... all) {
    use("object_offsets", Per::kSystemEnd, all.object_offsets...);
    use("observation_offsets", Per::kObjectEnd, all.observation_offsets...);
    use("relation_offsets", Per::kSystemEnd, all.relation_offsets...);
    use("times", Per::kRow, all.times...);
    use("values", Per::kValue, all.values...);
    use("relation_sources", Per::kRelation, all.relation_sources...);
    use("relation_targets", Per::kRelation, all.relation_targets...);
    use("relation_types", Per::kRelation, all.relation_types...);
    use("relation_weights", Per::kRelation, all.relation_weights...);
    use("parts", Per::kSystem, all.parts...);
    use("origins", Per::kSystem, all.origins...);
  }
};
template <class T>
using ArrayView = std::span<const T>;
template <class T>
using ArrayStorage = std::vector<T>;

// Read-only. Copies are cheap: they share the storage.
class Dataset {
 public:
  // Flat arrays; see the accessors. Throws DataError if they contradict each other or hold what no set may hold:
  // offsets that fall, a time that is not finite, times of an object not ascending, an infinite value, a relation to an
  // absent object or to itself, a type outside, a weight that is not positive and finite. `where` opens the message.
  using Arrays = DatasetArrays<ArrayView>;
  Dataset(Description description, Arrays arrays, std::shared_ptr<const void> storage, const std::string& where);

  // Facts that need a pass over all observations. Where another process has read and checked the same file, a set that
  // receives its facts (all of them: with a fingerprint) skips the checks, and reads only the systems requested.
  struct Facts {
    bool has_missing = false, train_has_missing = false;  // an observation lacks a value; one of the training part does
    std::int64_t empty_rows = 0;
    std::string fingerprint;
    std::vector<std::uint8_t> constant = {};  // see constant_features()
  };
  Facts facts() const;
  Dataset(Description description, Arrays arrays, std::shared_ptr<const void> storage, Facts facts);
  // This set, with its facts kept.
  Dataset with(Facts facts) const;
  // Null where they are not all known.
  const Facts* known() const { return facts_->fingerprint.empty() ? nullptr : facts_.get(); }

  const Description& description() const { return *description_; }
  std::int64_t systems() const { return static_cast<std::int64_t>(a_.parts.size()); }
  std::int64_t objects() const { return static_cast<std::int64_t>(a_.observation_offsets.size()) - 1; }
  // Rows of the arrays: observations and empty rows. An empty row has no value at all: it marks a place to fill, is
  // never part of a context and is not an observation.
  std::int64_t rows() const { return static_cast<std::int64_t>(a_.times.size()); }
  std::int64_t observations() const { return rows() - empty_rows(); }
  std::int64_t empty_rows() const { return facts_->empty_rows; }
  std::int64_t relations() const { return static_cast<std::int64_t>(a_.relation_sources.size()); }
  std::int64_t features() const { return static_cast<std::int64_t>(description_->features.size()); }
  const Arrays& arrays() const { return a_; }

  Part part(std::int64_t system) const { return static_cast<Part>(a_.parts[system]); }
  double origin(std::int64_t system) const { return a_.origins[system]; }
  std::int64_t first_object(std::int64_t system) const { return a_.object_offsets[system]; }
  std::int64_t objects_of(std::int64_t system) const {
    return a_.object_offsets[system + 1] - a_.object_offsets[system];
  }
  // Observations of an object (counted over the whole set).
  std::int64_t first_observation(std::int64_t object) const { return a_.observation_offsets[object]; }
  std::span<const double> times_of(std::int64_t object) const;
  std::span<const double> values_of(std::int64_t object) const;  // [K, D]
  std::int64_t first_relation(std::int64_t system) const { return a_.relation_offsets[system]; }
  std::int64_t relations_of(std::int64_t system) const {
    return a_.relation_offsets[system + 1] - a_.relation_offsets[system];
  }
  Relation relation(std::int64_t index) const {
    return {a_.relation_sources[index], a_.relation_targets[index], a_.relation_types[index],
            a_.relation_weights[index]};
  }

  std::string system_id(std::int64_t system) const;
  std::string object_id(std::int64_t system, std::int64_t object_in_system) const;
  // Indices of the systems of a part, ascending.
  std::vector<std::int64_t> systems_in(Part part) const;
  // Whether row `k` of an object (counted over the whole set) is empty.
  bool is_empty(std::int64_t object, std::int64_t k) const;
  // Of all arrays.
  std::int64_t bytes() const;
  // Whether an observation lacks a value; empty rows and derived features do not count.
  bool has_missing() const { return facts_->has_missing; }
  // [D] 1 for a measured feature that no object changes (data/measured_features.h).
  const std::vector<std::uint8_t>& constant_features() const { return facts_->constant; }
  // Short text that depends on everything that training derives from the set: all arrays, and of the description
  // features (name, scale group, velocity_of), relation types, time scale, conditioning length, max_length and
  // min_length. It does not depend on names of the set, its systems and objects, on units, or on how times and numbers
  // are written. "2-" and sixteen hexadecimal digits.
  std::string fingerprint() const;
  // Whether `text` is a fingerprint of this set, in the present form or in the earlier one: sixteen digits
  // without a prefix, which do not cover features, relation types, max_length and min_length.
  bool has_fingerprint(std::string_view text) const;

 private:
  std::shared_ptr<const Description> description_;
  Arrays a_;
  std::shared_ptr<const void> storage_;
  std::shared_ptr<const Facts> facts_;  // without a fingerprint: not all of them
};

// Changes in the copy of a system.
struct SystemCopy {
  std::string id = {};                       // empty: the copy has no name
  double shift = 0;                          // added to all times
  std::span<const std::int32_t> types = {};  // new types of relations, by their types; empty: the same
};

// Collects systems one by one, in memory. An object's observations may come in any order; finish() sorts them and
// throws DataError on two at one time. Features not given in `description` beforehand cannot be added later.
class DatasetBuilder {
 public:
  explicit DatasetBuilder(Description description);
  ~DatasetBuilder();
  DatasetBuilder(DatasetBuilder&&) noexcept;
  DatasetBuilder& operator=(DatasetBuilder&&) noexcept;

  // Starts a system, which later calls add to. Returns its index.
  std::int64_t begin_system(Part part, double origin = 0.0, const std::string& id = {});
  // Adds an object to the current system. Returns its index within the system.
  std::int64_t add_object(const std::string& id = {});
  // Adds an observation of the latest object; values has D entries, NaN where missing.
  void add_observation(double time, std::span<const double> values);
  void add_relation(const Relation& relation);
  // Copies a row of another set, with everything that the arrays hold of it, as an observation of the latest object.
  void add_row(const Dataset& from, std::int64_t row);
  // Copies a whole system of another set with the same features: everything that the arrays hold of it.
  std::int64_t add_system(const Dataset& from, std::int64_t system, const SystemCopy& copy = {});
  // max_length, min_length of the description are filled from the data where they are 0.
  Dataset finish(const std::string& where);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `facts`: the facts of this file, from a process that has checked it.
Dataset load_dataset(const std::filesystem::path& path, const std::optional<Dataset::Facts>& facts = {});
void save_dataset(const Dataset& dataset, const std::filesystem::path& path, Overwrite overwrite);

// A description as the JSON that files hold, and back; DataError opens with `where`.
std::string description_json(const Description& description);
Description read_description(const std::string& json, const std::string& where);

// Values are within +-this: their squares are far from the end of float32.
inline constexpr double kLargestValue = 1e20;

// The metadata key and value for the kind of a file of the project: "lgode.kind" = "dataset" | "checkpoint" | ...
inline constexpr const char* kKindKey = "lgode.kind";
inline constexpr const char* kDatasetKind = "dataset";

// DataError (opening with `where`) unless the first range is 1e-4 to 1e4 model units long: far outside, one step of the
// model covers everything or nothing.
void check_clock(double time_scale, double conditioning_length, const std::string& where);

// Whether an observation of a part lacks a value.
bool has_missing(const Dataset& dataset, Part part);

// Features that give an object's position: the ones with a velocity or, without any, all that are not velocities.
std::vector<int> position_features(const std::vector<Feature>& features);

}  // namespace lgode::data
