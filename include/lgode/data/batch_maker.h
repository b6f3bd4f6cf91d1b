// Makes scenes of a data set's systems by the rules of a task, and batches of scenes. Which rows are context and
// targets is decided in scene(); values, units and model times enter in assemble().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/data/scene.h"
#include "lgode/data/task.h"

namespace lgode::data {

// Whether a training system has a context and something to predict.
enum class Use { kUsable, kWithoutTargets, kNothingShown };

// How observations and targets of a system are selected.
enum class View {
  kTrain,     // as the task says, redrawn per epoch with resample=epoch
  kValidate,  // a training system, fixed draw, start in the middle
  kTest,      // a test system, fixed draw; extrapolation starts at the end of the first range if test systems have
              // later observations
  // Forecasts of windows of frames (Description::frames) are the same in all views: they start at the last seen frame,
  // see it and the frames before it, and are asked for the others.
};

// Conversion from physical to model time. A trained model keeps the clock of its training data.
struct Clock {
  double time_scale = 1.0;           // physical time of one model unit
  double conditioning_length = 1.0;  // physical length of the first range
  FrameWindows frames = {};          // of windows of frames: how much of them a forecast sees
};
Clock clock_of(const Dataset& dataset);

// Deterministic, thread-safe.
class BatchMaker {
 public:
  BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task);
  BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task, Clock clock);

  // `draw`: epoch number, for drawing the context. `step`: number of the training step, for random starts.
  Scene scene(std::int64_t system, View view, std::int64_t draw = 0, std::int64_t step = 0) const;

  // For prediction: the encoder sees all observations from `start - context` to `start` (interpolation: the whole
  // range). Targets are `times` (physical, absolute, one list per system) for every object, without values.
  struct Request {
    std::int64_t system = 0;
    std::optional<double> start;  // physical; default: default_start()
    std::vector<double> times;    // ascending
    bool relative = false;        // the caller counts times from the system's origin; only for messages
    bool include_start = false;   // a forecast also sees what was observed at `start` itself
  };
  Scene scene(const Request& request) const;
  // The same for rows that need not be in the data set; the scene's number is 0.
  Scene scene(const SceneSource& source, std::vector<double> times, std::optional<double> start = {},
              bool include_start = false) const;

  // The scenes of the batch are ordered by decreasing horizon; Batch::system and Batch::place identify them. A scene
  // without any context is absent (unless task.unseen is kPredict), so a batch may be empty. ConfigError if some scenes
  // have target rows and others times.
  Batch assemble(std::span<const Scene> scenes) const;
  // The same for single systems.
  Batch make(const std::vector<std::int64_t>& systems, View view, std::int64_t draw = 0, std::int64_t step = 0) const;
  // ConfigError if a request is refused.
  Batch make_prediction(const std::vector<Request>& requests) const;

  // A requested time before the start of the scene; unset: there is none.
  std::optional<double> time_before_start(const Scene& scene) const;
  // Model time from the start of a scene to its last target; 0 without targets.
  double horizon(const Scene& scene) const;
  // Of a training system, with the selection of validation.
  Use use_of(std::int64_t system) const;

  // Why a request cannot be answered: a time is before the start (which default_start() sets to the last observation
  // of a forecast), or the encoder would see none of the system's observations.
  struct Refusal {
    enum Kind { kBeforeStart, kNothingSeen };
    Kind kind;
    std::string what;  // for people
  };
  std::optional<Refusal> refusal(const Request& request) const;

  // Default start of a prediction, in physical time: the origin for interpolation, the last observation (but not
  // before the origin) for extrapolation; of a window of frames the last seen frame.
  double default_start(std::int64_t system) const;
  double default_start(const SceneSource& source) const;

  const Dataset& dataset() const { return dataset_; }
  const Normalisation& normalisation() const { return normalisation_; }
  const TaskOptions& task() const { return task_; }
  const Clock& clock() const { return clock_; }
  // Where forecasts of training and validation systems start in evaluations, in model time: in the middle of the first
  // range or, where trainings start elsewhere, as near to it as they do.
  double usual_start() const;
  // Approximate length of the range of targets, in model time.
  double target_span(View view) const;
  // Longest span of context in training, in model time.
  double context_span() const;

 private:
  std::optional<Refusal> refusal(const Request& request, const Scene& scene) const;
  SceneContext context_of(const Scene& scene) const;
  std::vector<double> centre_of(const SceneContext& context) const;
  void append(Batch& batch, const Scene& scene, std::int64_t place) const;
  double model_time(const SceneSource& source, double time) const {  // since the origin
    return (time - source.origin) / clock_.time_scale;
  }
  // Rows of an object that the gate flags, among its first `rows`; none without a gate.
  std::vector<FlaggedRow> flagged(const SceneSource& source, std::int64_t object, std::size_t rows) const;
  double margin_of(const SceneSource& source) const;    // differences of model time below it are rounding errors
  double frame_start(const SceneSource& source) const;  // physical time of the last seen frame
  // Selects the rows of an object in a window of frames.
  void select_frames(const SceneSource& source, std::int64_t object, std::vector<RowIndex>& shown,
                     std::vector<RowIndex>& asked) const;

  Dataset dataset_;
  Normalisation normalisation_;
  TaskOptions task_;
  Clock clock_;
  std::vector<double> gaps_;    // lengths of the stretches that are hidden, physical
  double masked_ = 0;           // share of the context's values that training masks
  std::vector<int> positions_;  // features
  bool goes_on_ = false;        // test systems have observations beyond the first range
  FrameWindows frames_;         // forecasts of the data set; none where the task interpolates
};

}  // namespace lgode::data
