// Follows streams of observations with a run of the assimilating model or of the model of frames: takes in rows as they
// come, and forecasts from any of them. Forecasts equal predict() with all of the past (context=all), up to rounding,
// where relations are listed or between all objects. Nearest objects, and those within a radius, are found again at
// each time by the assimilating model, while predict() finds them once, at its start: forecasts are the same as long
// as neighbours stay the same. The model of frames finds them at the start, too; of the k nearest, objects that have
// left take no place here.
//
// The assimilating model keeps a state per scene, which has only the latest value of each feature with a time of its
// own; it shares centring, derived velocities, relations by rule and scaling with the scenes of a batch
// (data/scene.h). The model of frames keeps the rows that count (model/frames/rows.h), and a forecast is the
// prediction of a scene that has them.
//
// Rows may come late: by less than `late`, counted from their scene's newest row, they are put where they belong. What
// is kept is bounded by the objects present, the encoder's window, the memory (ModelShape) and `late`.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lgode/eval/followed_scene.h"
#include "lgode/eval/run.h"
#include "lgode/table/csv/row_stream.h"

namespace lgode::eval {

using table::StreamRow;

struct FollowOptions {
  double late = 0;                                       // physical time
  data::Outliers outliers = data::Outliers::kFlag;       // kUse: also what the run does not believe
  std::vector<table::NamedRelation> relations = {};      // where the run's data has listed relations
  std::int64_t most_scenes = 10000;                      // beyond that, the one that was fed least recently is dropped
  std::function<void(const std::string&)> on_drop = {};  // called before a scene is dropped
  // Called with scene, object and time of an observation that cannot be believed, once no late row can come before it.
  std::function<void(const std::string&, const std::string&, double)> on_outlier = {};
};

struct ForecastOptions {
  std::vector<double> ahead;   // physical times after the start, ascending, >= 0
  std::int64_t samples = 100;  // as in PredictOptions: of intervals that are not calibrated
  std::uint64_t seed = 1;
  std::int64_t futures = 0;  // as in PredictOptions
};

struct SceneForecast {
  double start = 0;                                // physical
  std::vector<std::string> objects;                // present at the start
  std::vector<double> times;                       // [K] physical
  std::vector<double> mean, deviation, low, high;  // [objects, K, D] as in SystemPrediction
  std::vector<std::vector<double>> futures = {};   // as in SystemPrediction
  std::vector<double> probability = {};
};

class SceneKeeper;

class Follower {
 public:
  // ConfigError unless the run can be followed: a model of kind assimilate or frames that forecasts, and that was
  // trained on the past only.
  Follower(Run run, FollowOptions options);

  enum class Taken {
    kTaken,
    kTooLate,   // older than its scene's newest row by more than `late`, or the scene was dropped after this time
    kRepeated,  // there is a row of this object and time
    kEmpty,     // no value at all
  };
  // Rows of one time and scene are taken together, whatever their order. A scene in which nobody can be present any
  // more, by the times of others since its last row, is dropped.
  Taken observe(const StreamRow& row);

  // From the rows up to now; by default from the scene's newest row. ConfigError on a scene without rows and on an
  // earlier start.
  SceneForecast forecast(const std::string& system, const ForecastOptions& options, std::optional<double> start = {});

  bool has(const std::string& system) const { return streams_.contains(system); }
  // Scenes in the order of their first rows.
  std::vector<std::string> scenes() const;
  // Time of the newest row, also of a scene that was dropped, and of the newest row at the latest forecast; unset
  // if there is none.
  std::optional<double> newest(const std::string& system) const;
  std::optional<double> forecast_from(const std::string& system) const;

  // Observations, rows and objects kept over all scenes.
  struct Kept {
    std::int64_t scenes = 0, objects = 0, observations = 0, rows = 0;
    std::int64_t outliers = 0;  // not kept: observations that could not be believed
  };
  Kept kept() const;

  // All states, as one file; it replaces an earlier one. restore(): DataError unless it was written with the same
  // weights and the same `late`.
  void save(const std::filesystem::path& path) const;
  void restore(const std::filesystem::path& path);

  const Run& run() const { return run_; }

 private:
  // The rows of one time, and the scene after them if it was computed.
  struct Group {
    double time = 0;
    std::vector<StreamRow> rows;
    std::optional<FollowedScene> after;
  };
  struct Stream {
    std::int64_t number = 0;  // in the order of first rows
    FollowedScene base;       // before the groups
    std::vector<Group> groups;
    std::optional<double> forecast_from;
    double clock = 0;           // newest time of all scenes when its last row came
    std::int64_t last_row = 0;  // counted over all scenes
  };

  // Settles the centre of features that these rows are the first to show.
  void centre(FollowedScene& scene, double time, const std::vector<const StreamRow*>& rows) const;
  // Whether the first row of an object is far from the middle of all that are there.
  bool is_far(const FollowedScene& scene, const Group& group, const StreamRow& row) const;
  // The rows of a group that can be believed; notes the others in the scene.
  std::vector<const StreamRow*> believed_rows(FollowedScene& scene, const Group& group) const;
  void take(FollowedScene& scene, const std::string& system, const Group& group) const;
  // The stream to forecast from. ConfigError if the forecast is impossible.
  Stream& stream_to_forecast(const std::string& system, const ForecastOptions& options, std::optional<double> start);
  const FollowedScene& head(Stream& stream, const std::string& system) const;
  void settle(Stream& stream, const std::string& system) const;
  void drop_old();
  void drop(std::vector<std::string> scenes);
  std::string mark() const;
  // Reads a stream of a file. DataError if the stream contradicts itself or the run.
  Stream read_stream(const nlohmann::json& j, const SafetensorsFile& file, const std::string& prefix) const;
  bool fits(const Stream& stream) const;

  Run run_;
  FollowOptions options_;
  std::vector<bool> position_;  // [D] whether a feature is centred
  std::shared_ptr<const SceneKeeper> keeper_;
  std::map<std::string, Stream> streams_;
  std::deque<std::pair<std::string, double>> dropped_;  // the last dropped scenes, and their newest times
  std::int64_t numbers_ = 0, rows_ = 0;
  double clock_ = 0;
};

}  // namespace lgode::eval
