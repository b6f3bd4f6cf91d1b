// What a kind of model needs of a stream's rows, and how it forecasts from that: `model` assimilate keeps a state that
// takes in each row once, `model` frames the rows themselves. Which rows are taken, and when, is the follower's
// (eval/follower.h). Internal to it.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/safetensors.h"
#include "lgode/eval/followed_scene.h"
#include "lgode/eval/follower.h"

namespace lgode::eval {

class SceneKeeper {
 public:
  virtual ~SceneKeeper() = default;
  SceneKeeper(const SceneKeeper&) = delete;
  SceneKeeper& operator=(const SceneKeeper&) = delete;

  // Takes in the rows of one time, later than all before; one row or more, of the scene's objects. Objects that have
  // left are erased, unless a row of theirs may still be believed.
  virtual void take(FollowedScene& scene, const std::string& system, double time,
                    const std::vector<const StreamRow*>& rows) const = 0;
  // `number`: of the stream, for random draws.
  virtual SceneForecast forecast(const FollowedScene& scene, const std::string& system, std::int64_t number,
                                 double start, const ForecastOptions& options) const = 0;
  virtual std::int64_t observations(const FollowedScene& scene) const = 0;

  // What the kind keeps, to a file and back: JSON of the scene and tensors whose names begin with `prefix`.
  // DataError or a JSON exception if it contradicts itself or the run.
  using Tensors = std::vector<std::pair<std::string, at::Tensor>>;
  virtual void write(const FollowedScene& scene, const std::string& prefix, nlohmann::json& to,
                     Tensors& tensors) const = 0;
  virtual void read(const nlohmann::json& from, const SafetensorsFile& file, const std::string& prefix,
                    FollowedScene& scene) const = 0;

 protected:
  // `relations`: the listed ones.
  SceneKeeper(Run run, std::vector<table::NamedRelation> relations)
      : run_(std::move(run)), relations_(std::move(relations)) {}

  double model_time(const FollowedScene& scene, double time) const {
    return (time - scene.origin) / run_.info.time_scale;
  }
  bool waits(const FollowedObject& object, double time) const {
    return run_.info.task.gate && object.outliers.waits(*run_.info.task.gate, time);
  }
  // Notes the latest values.
  static void see(FollowedObject& object, double time, const std::vector<double>& values) {
    for (std::size_t f = 0; f < values.size(); ++f)
      if (!std::isnan(values[f])) object.value[f] = values[f], object.time[f] = time;
  }
  // The listed relations among objects, which are counted by their `place`, by number.
  std::vector<data::Relation> listed(const FollowedScene& scene, const std::string& system,
                                     const std::map<std::int64_t, std::int32_t>& place) const;

  const Run run_;
  const std::vector<table::NamedRelation> relations_;
};

std::shared_ptr<const SceneKeeper> keep_state(const Run& run, const std::vector<table::NamedRelation>& relations);
std::shared_ptr<const SceneKeeper> keep_rows(const Run& run, const std::vector<table::NamedRelation>& relations);

// A tensor of a state file. DataError if it has another shape or type.
at::Tensor kept_tensor(const SafetensorsFile& file, const std::string& name, at::IntArrayRef sizes,
                       at::ScalarType type);
// DataError unless `holds`.
void check_state(const SafetensorsFile& file, bool holds);

}  // namespace lgode::eval
