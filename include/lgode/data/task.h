// The task of a model: which observations of a system the encoder sees, at which time the latent state starts, and
// which targets it has to predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/data/split.h"

namespace lgode {
class OptionSet;
}

namespace lgode::data {

enum class Task { kInterpolate, kExtrapolate };
enum class Protocol { kClean, kPaper };
enum class Context { kMatched, kAll };
enum class Start { kMiddle, kRandom };
enum class Resample { kEpoch, kFixed };
enum class Centre { kNone, kSystem, kAuto };
enum class Unseen { kLeaveOut, kPredict };

struct TaskOptions {
  Task task = Task::kInterpolate;
  double observed = 0.6;  // share of each object's observations that the encoder sees
  Protocol protocol = Protocol::kClean;
  Context context = Context::kMatched;
  Start start = Start::kMiddle;
  double start_low = 0.25;  // start=random draws the start between these two shares of the range
  double start_high = 0.75;
  Resample resample = Resample::kEpoch;
  double validation = 0.1;  // share of the training systems held out
  // Positions in the world's coordinates, or relative to the mean of the positions shown of their system. kAuto is
  // settled before training (train/centre.h); in a batch it means kNone.
  Centre centre = Centre::kAuto;
  // Objects of which nothing is shown: absent from the batch (their targets are counted on their own), or predicted
  // from the others.
  Unseen unseen = Unseen::kLeaveOut;
  // Share of the shown values that training hides, so that a model learns to do without; never all of an observation.
  // Nothing: as `hidden_share` says.
  std::optional<double> hide_values = {};
  std::uint64_t seed = 1;
  // Extrapolation, no option; models that follow streams have it. What a batch shows of a time depends on earlier times
  // only: positions are relative to the mean at the first time that shows any, and an object's first observation has no
  // derived velocity. An object that is unseen for longer than this physical time has left; its next observation is a
  // first one.
  std::optional<double> leave = {};
};

void declare(OptionSet& options, TaskOptions& task);

// Whether a training system has something to show and something to predict.
enum class Use { kUsable, kWithoutTargets, kNothingShown };

// Share of the shown values that training hides: task.hide_values or, where that is nothing, 0.1 if the training part
// lacks values, else 0.
double hidden_share(const Dataset& dataset, const TaskOptions& task);

// How observations and targets of a system are selected.
enum class View {
  kTrain,     // as the task says, redrawn per epoch with resample=epoch
  kValidate,  // a training system, fixed draw, start in the middle
  kTest,      // a test system, fixed draw; extrapolation starts at the end of the first range if test systems have
              // later observations
};

// Conversion from physical to model time. A trained model keeps the clock of its training data.
struct Clock {
  double time_scale = 1.0;           // physical time of one model unit
  double conditioning_length = 1.0;  // physical length of the first range
};
Clock clock_of(const Dataset& dataset);

class Shown;  // src/data/shown.h

class BatchMaker {
 public:
  BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task);
  BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task, Clock clock);

  // The systems of the batch are ordered by decreasing horizon; Batch::system and Batch::place identify them. Those of
  // which nothing is shown are absent (unless task.unseen is kPredict), so a batch may be empty. `draw`:
  // epoch number, for drawing the seen observations. `step`: number of the training step, for random starts.
  // Deterministic, thread-safe.
  Batch make(const std::vector<std::int64_t>& systems, View view, std::int64_t draw = 0, std::int64_t step = 0) const;

  // Of a training system, as validation selects.
  Use use_of(std::int64_t system) const;

  // For prediction: the encoder sees all observations from `start - context` to `start` (interpolation: the whole
  // range). Targets are `times` (physical, absolute, one list per system) for every object, without values.
  struct Request {
    std::int64_t system = 0;
    std::optional<double> start;  // physical; default: interpolation the origin, extrapolation the last observation
    std::vector<double> times;    // ascending
    bool relative = false;        // the caller counts times from the system's origin; only for messages
  };
  // Why a request cannot be answered: a time lies before the start, or the encoder would see none of the system's
  // observations.
  struct Refusal {
    enum Kind { kBeforeStart, kNothingSeen };
    Kind kind;
    std::string what;  // for people
  };
  std::optional<Refusal> refusal(const Request& request) const;
  // ConfigError if a request is refused.
  Batch make_prediction(const std::vector<Request>& requests) const;

  const Dataset& dataset() const { return dataset_; }
  const Normalisation& normalisation() const { return normalisation_; }
  const TaskOptions& task() const { return task_; }
  const Clock& clock() const { return clock_; }
  // Approximate length of the range of targets, in model time.
  double target_span(View view) const;
  // Longest span of context in training, in model time.
  double context_span() const;
  // Default start of a prediction, in physical time: the origin for interpolation, the last observation for
  // extrapolation.
  double default_start(std::int64_t system) const;

 private:
  struct Selection;
  Selection select(std::int64_t system, View view, std::int64_t draw, std::int64_t step) const;
  Selection select(const Request& request) const;
  Shown show(const Selection& selection) const;
  void append(Batch& batch, const Selection& selection) const;
  Batch assemble(std::vector<Selection> selections) const;
  // First and last observation; first > last where there is none.
  std::pair<double, double> extent(std::int64_t system) const;
  std::optional<Refusal> refusal(const Request& request, const Selection& selection) const;
  std::string_view what_start_is(const Request& request) const;
  double model_time(std::int64_t system, double time) const;  // since the system's origin
  double margin_of(std::int64_t system) const;                // differences of model time below it are rounding errors

  Dataset dataset_;
  Normalisation normalisation_;
  TaskOptions task_;
  Clock clock_;
  double hidden_ = 0;           // share of the shown values that training hides
  std::vector<int> positions_;  // features
  bool goes_on_ = false;        // test systems have observations beyond the first range
};

// The encoder's default time window, Eq. 11: (Tmax - Kmin * share) / Tmax, in model time.
double default_window(const Dataset& dataset, double observed);

// Median time between neighbouring observations of an object of these systems (of very many, of a sample); 0 if there
// are none.
double typical_gap(const Dataset& dataset, const std::vector<std::int64_t>& systems);

// Default grid step of rnn-nri, in model time: the smallest gap between two times of a training system (over the first
// hundred systems), but at least 1/100, because times that lie on no grid can be arbitrarily close.
double default_grid_step(const Dataset& dataset);

}  // namespace lgode::data
