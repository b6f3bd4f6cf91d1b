// The task of a model as options: which observations of a system the encoder sees, at which time the latent state
// starts, and which targets it has to predict. BatchMaker applies them (data/batch_maker.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/data/outliers.h"
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
  HoldOut validation_from = HoldOut::kAuto;
  // Positions in the world's coordinates, or relative to the mean of the positions in their system's context. kAuto is
  // settled before training (train/centre.h); in a batch it means kNone.
  Centre centre = Centre::kAuto;
  // Objects without context: absent from the batch (their targets are counted on their own), or predicted
  // from the others.
  Unseen unseen = Unseen::kLeaveOut;
  // Masking: share of the context's values that training hides, so that a model copes with gaps; never a whole row.
  // Unset: see hidden_share().
  std::optional<double> hide_values = {};
  // Observations that cannot be believed are not used (data/outliers.h), or taken as they are.
  Outliers outliers = Outliers::kFlag;
  // Interpolation: instead of single rows, stretches of these lengths are hidden from the context (numbers in the time
  // of the data, or texts such as 2s). Empty: single rows.
  std::vector<std::string> gaps = {};
  std::uint64_t seed = 1;
  // What is believed; not an option, fitted before training. Unset: everything is.
  std::optional<OutlierGate> gate = {};
  // Extrapolation; not an option, set for models that follow streams. A context at a time depends on earlier times
  // only: positions are relative to the mean at the first time with a position, and an object's first observation has
  // no derived velocity. An object without observations for longer than this physical time has left; its next
  // observation is a first one.
  std::optional<double> leave = {};
};

void declare(OptionSet& options, TaskOptions& task);

// The task on a data set: forecasts of windows of frames see all of the seen frames and have one start.
TaskOptions for_frames(TaskOptions task, const Description& about);

// Share of the context's values that training masks: task.hide_values or, where that is unset, 0.1 if the training part
// lacks values, else 0.
double hidden_share(const Dataset& dataset, const TaskOptions& task);

// task.gaps as physical times. ConfigError if one is no length, or in seconds where the data's times are not.
std::vector<double> gap_lengths(const Dataset& dataset, const TaskOptions& task);

// The encoder's default time window, Eq. 11: (Tmax - Kmin * share) / Tmax, in model time.
double default_window(const Dataset& dataset, double observed);

// Median time between neighbouring observations of an object of these systems (of very many, of a sample); 0 if there
// are none.
double typical_gap(const Dataset& dataset, const std::vector<std::int64_t>& systems);

// Default grid step of rnn-nri, in model time: the smallest gap between two times of a training system (over the first
// hundred systems), but at least 1/100, because times without a grid can be arbitrarily close.
double default_grid_step(const Dataset& dataset);

}  // namespace lgode::data
