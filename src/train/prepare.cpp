// The preparation of a training. With ranks, rank 0 reads the systems and sends its findings to the others; each
// describes itself.
#include "lgode/train/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base.h"
#include "frames.h"
#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/difference_lag.h"
#include "lgode/model/assimilate/cell.h"
#include "lgode/ops/device.h"
#include "lgode/train/ranks.h"
#include "lgode/version.h"

namespace lgode::train {
namespace {

// What follows from reading all systems.
struct Findings {
  data::Parts parts;
  LeftOut left_out;
  BaseChoice base;
  eval::RunInfo info;  // normalisation, shape, typical gap, fingerprint and classical fit
};

// 256 if that gives at least 20 steps per epoch, 32 if that gives at least 3, else a quarter of the systems.
std::int64_t automatic_batch(std::int64_t systems) {
  if (systems >= 20 * 256) return 256;
  return systems >= 3 * 32 ? 32 : (systems + 3) / 4;
}

// rnn-nri concatenates the features of a system's objects, so all systems must have the same number of objects.
std::int64_t common_objects(const data::Dataset& dataset) {
  const std::int64_t objects = dataset.systems() > 0 ? dataset.objects_of(0) : 0;
  for (std::int64_t s = 1; s < dataset.systems(); ++s)
    if (dataset.objects_of(s) != objects)
      throw DataError(
          fmt::format("`model` rnn-nri needs systems of one size: system {} has {} objects, system {} has {}; choose "
                      "another `model`",
                      dataset.system_id(0), objects, dataset.system_id(s), dataset.objects_of(s)));
  if (objects == 0) throw DataError("`model` rnn-nri needs systems with objects; choose another `model`");
  return objects;
}

// Systems that can train the model are split; those without targets (for example with early observations only), or
// without context, are counted.
data::Parts parts_with_targets(const data::BatchMaker& maker, LeftOut& left_out) {
  std::vector<std::int64_t> systems = maker.dataset().systems_in(data::Part::kTrain);
  if (systems.empty()) throw DataError("the data set has no training systems; at least one is needed to train");
  std::erase_if(systems, [&](std::int64_t system) {
    const data::Use use = maker.use_of(system);
    if (use == data::Use::kWithoutTargets) ++left_out.without_targets;
    if (use == data::Use::kNothingShown) ++left_out.unseen;
    return use != data::Use::kUsable;
  });
  if (systems.empty())
    throw DataError(
        maker.task().task == data::Task::kExtrapolate && maker.dataset().description().frames
            ? "no training window has an object to forecast that is observed in the frames that are seen"
        : maker.task().task == data::Task::kExtrapolate
            ? "no training system has a target for extrapolation: it needs an object observed in both halves of the "
              "first range, from the system's origin to the origin plus the set's conditioning length"
            : "no training system has an observation in its first range, from the system's origin to the origin plus "
              "the set's conditioning length; set the origins if times are wall-clock times");
  data::Parts parts = data::split_parts(maker.dataset(), maker.task(), std::move(systems));
  left_out.between = static_cast<std::int64_t>(parts.between.size());
  return parts;
}

// Whether the model is trained on observations that lack values, and so needs to see which.
bool sees_missing(const data::Dataset& dataset, const data::TaskOptions& task) {
  const auto& features = dataset.description().features;
  return data::has_missing(dataset, data::Part::kTrain) || data::hidden_share(dataset, task) > 0 ||
         std::any_of(features.begin(), features.end(), [](const data::Feature& f) { return f.derived; });
}

// Scales of the features, in the coordinates that the task asks for.
data::Normalisation normalisation_of(const data::Dataset& dataset, const data::TaskOptions& task) {
  const std::vector<std::int64_t> systems = data::normalisation_systems(dataset, task);
  const data::OutlierGate* gate = task.gate ? &*task.gate : nullptr;
  if (task.centre != data::Centre::kSystem) return data::fit_normalisation(dataset, systems, /*centred=*/false, gate);
  data::Normalisation relative = data::fit_normalisation(dataset, systems, /*centred=*/true, gate);
  relative.error_scale = data::fit_normalisation(dataset, systems, /*centred=*/false, gate).scale;
  return relative;
}

// Positions and their velocities; of several velocities of one position the first. A velocity of a velocity is not
// tied.
std::vector<model::TiedPair> ties_of(const data::Dataset& dataset, const RunConfig& config) {
  const std::vector<data::Feature>& features = dataset.description().features;
  const std::vector<double> scale = normalisation_of(dataset, config.task).scale;
  std::vector<model::TiedPair> ties;
  for (std::size_t v = 0; v < features.size(); ++v) {
    const int position = features[v].velocity_of;
    const auto uses = [&](std::int64_t column) {
      return std::any_of(ties.begin(), ties.end(),
                         [&](const model::TiedPair& t) { return t.position == column || t.velocity == column; });
    };
    if (position < 0 || uses(position) || uses(static_cast<std::int64_t>(v))) continue;
    const bool remainder = config.model.tie == model::TieKind::kRemainder ||
                           (config.model.tie == model::TieKind::kAuto && features[v].derived);
    const double time_scale = dataset.description().time_scale;
    ties.push_back({position, static_cast<std::int64_t>(v),
                    scale[v] * time_scale / scale[static_cast<std::size_t>(position)], remainder,
                    features[v].derived
                        ? 0.0
                        : data::difference_lag(dataset, position, static_cast<std::int64_t>(v)) / time_scale});
  }
  return ties;
}

// ModelShape::memory.
double memory_of(const data::Dataset& dataset, const RunConfig& config) {
  const data::Description& about = dataset.description();
  return config.model.memory.value_or(about.conditioning_length / about.time_scale);
}

// The config with the gate of a run that it continues or, for a new one, fitted.
RunConfig with_gate(RunConfig config, const data::Dataset& dataset, const eval::RunInfo* previous) {
  data::TaskOptions& task = config.task;
  task.gate.reset();
  if (task.outliers == data::Outliers::kUse) return config;
  if (previous != nullptr) {
    task.gate = previous->task.gate;
    return config;
  }
  task.gate = data::fit_outlier_gate(dataset, dataset.systems_in(data::Part::kTrain));
  if (task.task == data::Task::kExtrapolate && model::forgets(config.model.kind))
    task.gate->forget = memory_of(dataset, config) * dataset.description().time_scale;
  return config;
}

// Values scaled and times counted as the data set says, or as for the weights of a previous run.
// `known`: the scales, where they were fitted already.
data::BatchMaker maker_for(const data::Dataset& dataset, const RunConfig& config, const eval::RunInfo* previous,
                           const data::Normalisation* known = nullptr) {
  data::TaskOptions task = config.task;
  if (previous != nullptr)
    task.leave = previous->task.leave;
  else if (task.task == data::Task::kExtrapolate && model::forgets(config.model.kind))
    task.leave = memory_of(dataset, config) * dataset.description().time_scale;
  if (previous != nullptr)
    return {dataset,
            previous->normalisation,
            task,
            {previous->time_scale, previous->conditioning_length, previous->table.frames}};
  return {dataset, known != nullptr ? *known : normalisation_of(dataset, task), task};
}

eval::RunInfo describe(const data::Dataset& dataset, const RunConfig& config, const model::ModelShape& shape,
                       const data::Normalisation& normalisation, const ops::Context& context) {
  eval::RunInfo info;
  info.config = config_json(config);
  info.task = config.task;
  info.model = config.model;
  info.shape = shape;
  info.normalisation = normalisation;
  info.features = dataset.description().features;
  info.relation_types = dataset.description().relation_types;
  info.table = dataset.description();
  info.table.system_ids.clear(), info.table.object_ids.clear(), info.table.recordings.clear();
  info.time_scale = dataset.description().time_scale;
  info.conditioning_length = dataset.description().conditioning_length;
  info.time_unit = dataset.description().time_unit;
  info.data_name = dataset.description().name;
  info.commit = LGODE_COMMIT;
  info.version = LGODE_VERSION;
  info.machine = ops::machine_name(context);
  return info;
}

Findings read_data(const RunConfig& asked, const data::Dataset& dataset, const ops::Context& context,
                   const eval::RunInfo* previous) {
  Findings out;
  const RunConfig config = with_gate(asked, dataset, previous);
  const data::BatchMaker maker = maker_for(dataset, config, previous);
  out.parts = parts_with_targets(maker, out.left_out);
  if (config.task.gate)
    out.left_out.outliers = data::outliers_text(dataset, data::count_outliers(dataset, *config.task.gate));
  out.info = describe(dataset, config, previous != nullptr ? previous->shape : shape_for(dataset, config),
                      maker.normalisation(), context);
  out.info.typical_gap = data::typical_gap(dataset, dataset.systems_in(data::Part::kTrain));
  out.info.data_fingerprint = dataset.fingerprint();
  out.info.classical = data::fit_classical(maker, out.parts.train);
  if (config.model.kind == model::ModelKind::kAssimilate && previous == nullptr)
    out.base = choose_base(config, maker, out.parts, out.info.classical, out.info.typical_gap, out.info.shape);
  model::ModelShape& shape = out.info.shape;
  if (config.model.kind == model::ModelKind::kFrames && previous == nullptr)
    shape.frames = frames_shape(maker, out.parts, out.info.typical_gap, shape.memory, out.info.classical, config.model,
                                &out.left_out.chosen);
  return out;
}

nlohmann::json to_json(const Findings& found) {
  const LeftOut& left_out = found.left_out;
  return {{"parts",
           {{"train", found.parts.train},
            {"validation", found.parts.validation},
            {"test", found.parts.test},
            {"between", found.parts.between},
            {"left_out", {left_out.without_targets, left_out.unseen, left_out.between}}}},
          {"info", found.info.to_json()}};
}

Findings findings_from(const nlohmann::json& told) {
  Findings out;
  const nlohmann::json &parts = told.at("parts"), &left_out = parts.at("left_out");
  for (auto& [name, list] : {std::pair<const char*, std::vector<std::int64_t>&>{"train", out.parts.train},
                             std::pair<const char*, std::vector<std::int64_t>&>{"validation", out.parts.validation},
                             std::pair<const char*, std::vector<std::int64_t>&>{"test", out.parts.test},
                             std::pair<const char*, std::vector<std::int64_t>&>{"between", out.parts.between}})
    list = parts.at(name).get<std::vector<std::int64_t>>();
  out.left_out = {left_out.at(0).get<std::int64_t>(),
                  left_out.at(1).get<std::int64_t>(),
                  left_out.at(2).get<std::int64_t>(),
                  {},
                  {}};
  out.info = eval::RunInfo::from_json(told.at("info"), "rank 0");
  return out;
}

Findings read_together(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                       const eval::RunInfo* previous, Ranks* ranks) {
  if (ranks == nullptr) return read_data(config, dataset, context, previous);
  if (ranks->rank() != 0) return findings_from(parse_json(ranks->broadcast("")));
  Findings out = read_data(config, dataset, context, previous);
  ranks->broadcast(json_text(to_json(out)));
  return out;
}

// The config with all automatic values that follow from the data.
RunConfig settled(RunConfig config, const data::Parts& parts, const model::ModelShape& shape) {
  config.train.batch = config.train.batch.value_or(automatic_batch(static_cast<std::int64_t>(parts.train.size())));
  TrainOptions& train = config.train;
  // Without a validation part nothing says when to end.
  if (train.schedule == RateSchedule::kPlateau && parts.validation.empty() && !train.minutes)
    train.schedule = RateSchedule::kCosine;
  if (train.schedule != RateSchedule::kPlateau)
    train.epochs = train.epochs.value_or(kDefaultEpochs);
  else if (!train.epochs && !train.minutes)
    train.minutes = kDefaultMinutes;
  config.model.window = shape.window;
  if (config.model.kind == model::ModelKind::kRnnNri) config.model.grid_step = shape.grid_step;
  if (std::isfinite(shape.memory)) config.model.memory = shape.memory;
  config.model.gain = model::learns_gain(config.model, shape) ? model::Gain::kLearned : model::Gain::kOne;
  if (config.model.kind == model::ModelKind::kAssimilate) config.model.base = base_option(shape.base);
  return config;
}

eval::RunInfo describe(const RunConfig& config, const data::BatchMaker& maker, const eval::RunInfo& found,
                       const ops::Context& context) {
  eval::RunInfo info = describe(maker.dataset(), config, found.shape, maker.normalisation(), context);
  info.time_scale = maker.clock().time_scale, info.conditioning_length = maker.clock().conditioning_length;
  info.task.leave = maker.task().leave;
  info.typical_gap = found.typical_gap, info.data_fingerprint = found.data_fingerprint;
  info.classical = found.classical;
  return info;
}

}  // namespace

model::ModelShape shape_for(const data::Dataset& dataset, const RunConfig& config) {
  model::ModelShape shape{dataset.features(), static_cast<std::int64_t>(dataset.description().relation_types.size()),
                          sees_missing(dataset, config.task),
                          config.model.window.value_or(data::default_window(dataset, config.task.observed))};
  if (config.model.kind == model::ModelKind::kAssimilate) {
    shape.forecast = config.task.task == data::Task::kExtrapolate;
    shape.ties = ties_of(dataset, config);
    if (shape.forecast) shape.memory = memory_of(dataset, config);
  }
  if (config.model.kind == model::ModelKind::kFrames) {
    check_for_frames(dataset);
    shape.forecast = true;
    shape.memory = memory_of(dataset, config);
  }
  if (config.model.kind == model::ModelKind::kRnnNri) {
    shape.objects = common_objects(dataset);
    shape.grid_step = config.model.grid_step.value_or(data::default_grid_step(dataset));
  }
  return shape;
}

Preparation prepare(const RunConfig& asked, const data::Dataset& dataset, const ops::Context& context,
                    const eval::RunInfo* previous, Ranks* ranks) {
  RunConfig config = asked;
  config.task = data::for_frames(config.task, dataset.description());
  Findings found = read_together(config, dataset, context, previous, ranks);
  RunConfig full = settled(config, found.parts, found.info.shape);
  full.task.gate = found.info.task.gate;
  const data::BatchMaker maker = maker_for(dataset, full, previous, &found.info.normalisation);
  if (const std::optional<data::BasePath>& base = found.info.shape.base) {
    found.base.kind = base->kind;
    const double gap = found.info.typical_gap / maker.clock().time_scale / full.task.observed;
    found.base.left = previous == nullptr && full.task.task == data::Task::kExtrapolate && gap > 0 &&
                      !model::learns_gain(full.model, found.info.shape) && data::shows_state(*base, gap);
  }
  return {std::move(found.parts),
          found.left_out,
          std::move(found.base),
          full,
          maker,
          describe(full, maker, found.info, context)};
}

}  // namespace lgode::train
