// The training loop, and its preparation: parts, automatic batch size, shape of the model.
#include "lgode/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/median.h"
#include "lgode/core/options.h"
#include "lgode/data/difference_lag.h"
#include "lgode/eval/classical.h"
#include "lgode/ops/device.h"
#include "lgode/train/cost.h"
#include "lgode/train/ranks.h"
#include "lgode/version.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kCollectEvery = 16;  // steps between two reads of the sums on a GPU, as each read waits for it

// With ranks: these steps end with a read on every rank, so that all hear of a request to stop after the same one.
constexpr std::int64_t kAgreeEvery = 4;

constexpr double kForwardShare = 0.4;  // of a step's time: its forward pass

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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

// Systems that can train the model are split; those without targets (for example with early observations only), or with
// nothing to show, are counted.
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
        maker.task().task == data::Task::kExtrapolate
            ? "no training system has a target for extrapolation: it needs an object observed in both halves of the "
              "first range, from the system's origin to the origin plus the set's conditioning length"
            : "no training system has an observation in its first range, from the system's origin to the origin plus "
              "the set's conditioning length; set the origins if times are wall-clock times");
  data::Parts parts = data::split_parts(maker.dataset(), maker.task(), std::move(systems));
  left_out.between = static_cast<std::int64_t>(parts.between.size());
  return parts;
}

RunConfig with_batch(RunConfig config, const data::Parts& parts) {
  config.train.batch = config.train.batch.value_or(automatic_batch(static_cast<std::int64_t>(parts.train.size())));
  return config;
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

// The caller's model, checked, or a new one where there is none.
std::unique_ptr<model::Model> model_for(std::unique_ptr<model::Model> own, const RunConfig& config,
                                        const model::ModelShape& shape, at::Device device) {
  if (own == nullptr) return model::make_model(config.model, shape, config.task.seed, at::kFloat, device);
  TORCH_CHECK_VALUE(own->options().kind == config.model.kind && own->shape() == shape,
                    "the model is of another kind or shape than the config and the data set ask for");
  TORCH_CHECK_VALUE(own->device() == device, "the model is on ", own->device(), ", the context on ", device);
  return own;
}

// Whether the model is trained on observations that lack values, and so has to be told which.
bool sees_missing(const data::Dataset& dataset, const data::TaskOptions& task) {
  const auto& features = dataset.description().features;
  return data::has_missing(dataset, data::Part::kTrain) || data::hidden_share(dataset, task) > 0 ||
         std::any_of(features.begin(), features.end(), [](const data::Feature& f) { return f.derived; });
}

// Scales of the features, in the coordinates that the task asks for.
data::Normalisation normalisation_of(const data::Dataset& dataset, const data::TaskOptions& task) {
  const std::vector<std::int64_t> systems = data::normalisation_systems(dataset, task);
  if (task.centre != data::Centre::kSystem) return data::fit_normalisation(dataset, systems);
  data::Normalisation relative = data::fit_normalisation(dataset, systems, /*centred=*/true);
  relative.error_scale = data::fit_normalisation(dataset, systems).scale;
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

// Values scaled and times counted as the data set says, or as the weights of a previous run know them.
// `known`: the scales, where they were fitted already.
data::BatchMaker maker_for(const data::Dataset& dataset, const RunConfig& config, const eval::RunInfo* previous,
                           const data::Normalisation* known = nullptr) {
  data::TaskOptions task = config.task;
  if (previous != nullptr)
    task.leave = previous->task.leave;
  else if (task.task == data::Task::kExtrapolate && config.model.kind == model::ModelKind::kAssimilate)
    task.leave = memory_of(dataset, config) * dataset.description().time_scale;
  if (previous != nullptr)
    return {dataset, previous->normalisation, task, {previous->time_scale, previous->conditioning_length}};
  return {dataset, known != nullptr ? *known : normalisation_of(dataset, task), task};
}

nlohmann::json parts_json(const data::Parts& parts, const LeftOut& left_out) {
  return {{"train", parts.train},
          {"validation", parts.validation},
          {"test", parts.test},
          {"between", parts.between},
          {"left_out", {left_out.without_targets, left_out.unseen, left_out.between}}};
}

// The context of steps. Of a large data set a solve keeps a twelfth at most, so that the memory of the whole training
// stays below half of the set; without such a limit the default settings take 0.4 GiB beyond the program.
ops::Context step_context(const ops::Context& context, const RunConfig& config, const data::Dataset& dataset) {
  constexpr std::int64_t kLarge = std::int64_t{512} << 20, kShare = 12;
  ops::Context out = context.with_gradients(
      ops::pick_precision(config.model.precision, context.device, config.model.precision_is_saved));
  if (dataset.bytes() >= kLarge) out.spare = std::make_shared<ops::SpareMemory>(dataset.bytes() / kShare);
  return out;
}

// Number of steps whose input is prepared ahead.
std::int64_t inputs_ahead(const ops::Context& context) {
  return context.device.is_cpu() ? 2 : std::clamp<std::int64_t>(context.threads, 2, 12);
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
  if (config.model.kind == model::ModelKind::kRnnNri) {
    shape.objects = common_objects(dataset);
    shape.grid_step = config.model.grid_step.value_or(data::default_grid_step(dataset));
  }
  return shape;
}

Trainer::Trainer(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                 std::unique_ptr<model::Model> model, const eval::RunInfo* previous, Ranks* ranks)
    : ranks_(ranks),
      context_(step_context(context, config, dataset)),
      prepared_(prepare_together(config, dataset, context_, previous, ranks)),
      maker_(maker_for(dataset, config, previous, &prepared_.info.normalisation)),
      left_out_(prepared_.left_out),
      parts_(prepared_.parts),
      config_(with_batch(config, parts_)),
      model_(model_for(std::move(model), config, prepared_.info.shape, context.device)),
      adam_(model_->parameters()),
      steps_(*model_, maker_, parts_.train, *config_.train.batch, config.train, context_,
             ranks != nullptr ? Share{ranks->rank(), ranks->size()} : Share{}),
      step_(make_step(*model_, adam_, config.train, context_, ranks)),
      validation_(*model_, maker_, parts_.validation, context_, ranks) {
  config_.model.window = model_->shape().window;
  if (config_.model.kind == model::ModelKind::kRnnNri) config_.model.grid_step = model_->shape().grid_step;
  if (std::isfinite(model_->shape().memory)) config_.model.memory = model_->shape().memory;
  info_ = describe(dataset, config_, model_->shape(), maker_.normalisation(), context_);
  info_.time_scale = maker_.clock().time_scale, info_.conditioning_length = maker_.clock().conditioning_length;
  info_.task.leave = maker_.task().leave;
  const eval::RunInfo& found = prepared_.info;
  info_.typical_gap = found.typical_gap, info_.data_fingerprint = found.data_fingerprint;
  info_.damping = found.damping, info_.noise = found.noise;
}

Trainer::Prepared Trainer::prepare(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                                   const eval::RunInfo* previous) {
  Prepared out;
  const data::BatchMaker maker = maker_for(dataset, config, previous);
  out.parts = parts_with_targets(maker, out.left_out);
  out.info = describe(dataset, config, previous != nullptr ? previous->shape : shape_for(dataset, config),
                      maker.normalisation(), context);
  out.info.typical_gap = data::typical_gap(dataset, dataset.systems_in(data::Part::kTrain));
  out.info.data_fingerprint = dataset.fingerprint();
  eval::ClassicalFit classical = eval::fit_classical(maker, out.parts.train);
  out.info.damping = std::move(classical.damping), out.info.noise = std::move(classical.noise);
  return out;
}

Trainer::Prepared Trainer::prepare_together(const RunConfig& config, const data::Dataset& dataset,
                                            const ops::Context& context, const eval::RunInfo* previous, Ranks* ranks) {
  if (ranks == nullptr) return prepare(config, dataset, context, previous);
  Prepared out;
  std::string text;
  if (ranks->rank() == 0) {
    out = prepare(config, dataset, context, previous);
    text = json_text(nlohmann::json{{"parts", parts_json(out.parts, out.left_out)}, {"info", out.info.to_json()}});
  }
  text = ranks->broadcast(text);
  if (ranks->rank() == 0) return out;
  const nlohmann::json told = parse_json(text), &parts = told.at("parts"), &left_out = parts.at("left_out");
  for (auto& [name, list] : {std::pair<const char*, std::vector<std::int64_t>&>{"train", out.parts.train},
                             std::pair<const char*, std::vector<std::int64_t>&>{"validation", out.parts.validation},
                             std::pair<const char*, std::vector<std::int64_t>&>{"test", out.parts.test},
                             std::pair<const char*, std::vector<std::int64_t>&>{"between", out.parts.between}})
    list = parts.at(name).get<std::vector<std::int64_t>>();
  out.left_out = {left_out.at(0).get<std::int64_t>(), left_out.at(1).get<std::int64_t>(),
                  left_out.at(2).get<std::int64_t>()};
  out.info = eval::RunInfo::from_json(told.at("info"), "rank 0");
  return out;
}

StartReport Trainer::start() const {
  return {static_cast<std::int64_t>(parts_.train.size()),
          validation_.systems(),
          std::min(config_.train.batch.value(), static_cast<std::int64_t>(parts_.train.size())),
          steps_.steps_per_epoch(),
          steps_.steps(),
          at_.step,
          left_out_,
          config_.task.validation > 0 && validation_.systems() == 0,
          {},
          config_.task.hide_values ? 0.0 : data::hidden_share(maker_.dataset(), config_.task),
          maker_.dataset().has_missing() && !model_->shape().append_mask,
          config_.train.turn == Turn::kRandom};
}

Cost Trainer::estimate() {
  const ops::ContextScope scope(context_);
  std::optional<ops::Queue> queue;
  if (!in_queue_) queue.emplace(context_.device);
  Cost cost = estimate_step(*model_, steps_, context_);
  // A validation pass differentiates nothing.
  const double validation = kForwardShare * cost.step_seconds * static_cast<double>(validation_.systems()) /
                            static_cast<double>(start().batch);
  cost.epoch_seconds = static_cast<double>(steps_.steps_per_epoch()) * cost.step_seconds + validation;
  cost.seconds = static_cast<double>(steps_.steps() - at_.step) * cost.step_seconds +
                 static_cast<double>(config_.train.epochs - at_.epoch) * validation;
  return cost;
}

StepReport Trainer::step() {
  TORCH_CHECK_VALUE(!done() && !epoch_is_over(), "step: the ", done() ? "training" : "epoch", " is over");
  const ops::ContextScope scope(context_);
  std::optional<ops::Queue> queue;
  if (!in_queue_) queue.emplace(context_.device);
  if (!inputs_) {
    inputs_.emplace(
        ops::helpers(), [this](std::int64_t step) { return steps_.make(step); }, at_.step, steps_.steps(),
        inputs_ahead(context_));
    first_step_ = at_.step;
    started_ = Clock::now();
  }
  if (step_ends_.empty()) step_ends_ = {epoch_started_ = Clock::now()};
  inputs_->fill();
  StepInput input = inputs_->take();
  if (step_->will_capture(input))
    inputs_->settle();
  else
    inputs_->fill();
  std::unique_lock rest(rest_, std::defer_lock);
  try {
    if (input.has_targets || ranks_ != nullptr)
      step_->take(std::move(input), rest);
    else
      rest.lock();
    const bool agreeing = ranks_ != nullptr && (context_.device.is_cpu() || (at_.step + 1) % kAgreeEvery == 0 ||
                                                at_.step_in_epoch + 1 == steps_.steps_per_epoch());
    if (agreeing || step_->uncollected() == 0 || step_->uncollected() >= kCollectEvery) collect();
    if (agreeing) stop_agreed_ = step_->asked_to_stop();
  } catch (const DivergedError& error) {
    throw DivergedError(fmt::format("{} at step {} of epoch {}", error.what(), at_.step_in_epoch + 1, at_.epoch + 1));
  }
  ++at_.step_in_epoch;
  ++at_.step;
  step_ends_.push_back(Clock::now());
  const StepSums& s = at_.sums;
  const auto n = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
  return {at_.epoch + 1, config_.train.epochs, at_.step_in_epoch, steps_.steps_per_epoch(),
          s.loss / n,    s.reconstruction / n, s.kl / n,          s.mse / n,
          seconds_left()};
}

void Trainer::collect() { at_.sums += step_->collect(); }

std::optional<double> Trainer::select_initial(const StopFlag* stop) {
  const std::optional<double> error = initial_error(stop);
  const std::scoped_lock rest(rest_);
  if (error) keep_initial(*error);
  return error;
}

std::optional<double> Trainer::initial_error(const StopFlag* stop) {
  if (config_.model.kind != model::ModelKind::kAssimilate || done() || at_.step > 0 || at_.selection.best) return {};
  const ops::ContextScope scope(context_.without_gradients());
  const std::optional<double> error = validation_.error(stop);
  return error && std::isfinite(*error) ? error : std::nullopt;
}

void Trainer::keep_initial(double error) {
  at_.selection.offer(error, 0);
  keep_best();
}

void Trainer::keep_best() {
  best_weights_ = model_->parameters().flat().detach().clone();
  best_info_ = info();
}

EpochReport Trainer::finish_epoch(const StopFlag* stop) {
  const std::optional<double> validation = validate(stop);
  const std::scoped_lock rest(rest_);
  return close_epoch(validation);
}

std::optional<double> Trainer::validate(const StopFlag* stop) {
  TORCH_CHECK_VALUE(epoch_is_over(), "finish_epoch: steps of the epoch are left");
  const ops::ContextScope scope(context_.without_gradients());
  {
    const std::scoped_lock rest(rest_);
    collect();
  }
  agree();
  if (at_.sums.steps == 0)
    throw DataError(
        "no batch of the epoch has any targets; `start` random needs a `start_high` before the last observations");
  return validation_.error(stop);
}

EpochReport Trainer::close_epoch(const std::optional<double>& validation) {
  EpochReport report;
  report.validation = validation;
  const auto n = static_cast<double>(at_.sums.steps);
  report.step_ms = median_step_ms();
  report.loss = at_.sums.loss / n, report.reconstruction = at_.sums.reconstruction / n;
  report.kl = at_.sums.kl / n, report.mse = at_.sums.mse / n;
  if (model_->latent() > 0) kl_ = report.kl;
  ++at_.epoch;
  at_.step_in_epoch = 0;
  at_.sums = {};
  report.epoch = at_.epoch, report.epochs = config_.train.epochs, report.steps = at_.step;
  report.lr = learning_rate(config_.train, at_.step - 1, steps_.steps());
  report.best = at_.selection.offer(report.validation, at_.epoch);
  if (report.best) keep_best();
  report.seconds = step_ends_.empty() ? 0.0 : seconds_since(epoch_started_);
  report.seconds_left = seconds_left();
  step_ends_.clear();
  return report;
}

// Processors round differently; over many steps the weights of ranks must not drift apart.
void Trainer::agree() {
  if (ranks_ == nullptr) return;
  const std::scoped_lock rest(rest_);
  at::NoGradGuard no_grad;
  for (at::Tensor* tensor : {&model_->parameters().flat(), &adam_.first_moment(), &adam_.second_moment()})
    ranks_->broadcast(*tensor);
}

void Trainer::agree_on_progress() {
  if (ranks_ == nullptr) return;
  at_ = Progress::from_json(parse_json(ranks_->broadcast(json_text(at_.to_json()))), "rank 0");
  agree();
}

TrainResult Trainer::run(const TrainHooks& hooks, Keeper* keeper) {
  const ops::Queue queue(context_.device);
  struct Holding {
    explicit Holding(bool& flag) : held(flag) { held = true; }
    ~Holding() { held = false; }
    bool& held;
  } const holding(in_queue_);
  Keeper nobody;
  Keeper& keep = keeper != nullptr ? *keeper : nobody;
  const auto at_rest = [&](auto&& save) {
    const std::scoped_lock rest(rest_);
    return save();
  };
  if (ranks_ != nullptr) ranks_->watch(hooks.stop);
  agree_on_progress();
  at_rest([&] { keep.start(*this); });
  if (hooks.on_start) {
    StartReport report = start();
    if (!done()) report.cost = estimate();
    hooks.on_start(report);
  }
  auto asked_to_stop = [&] {
    const bool asked = ranks_ != nullptr ? stop_agreed_ : hooks.stop != nullptr && hooks.stop->requested();
    return asked || (hooks.stop_after && at_.step >= *hooks.stop_after);
  };
  try {
    return run_to_the_end(hooks, keep, asked_to_stop);
  } catch (const RankLostError&) {
    at_rest([&] { keep.lost(*this); });
    throw;
  } catch (const Interrupted&) {  // other ranks have stopped already
    at_rest([&] { keep.stop(*this); });
    return result();
  }
}

TrainResult Trainer::run_to_the_end(const TrainHooks& hooks, Keeper& keep, const std::function<bool()>& asked_to_stop) {
  const auto at_rest = [&](auto&& save) {
    const std::scoped_lock rest(rest_);
    return save();
  };
  try {
    if (const std::optional<double> error = initial_error(hooks.stop)) {
      at_rest([&] {
        keep_initial(*error);
        keep.initial(*this, *error);
      });
      if (hooks.on_initial) hooks.on_initial(*error);
    }
  } catch (const Interrupted&) {
    at_rest([&] { keep.stop(*this); });
    return result();
  }
  while (!done()) {
    if (!epoch_is_over()) {
      if (asked_to_stop()) {
        at_rest([&] { keep.stop(*this); });
        return result();
      }
      const StepReport report = step();
      if (hooks.on_step) hooks.on_step(report);
      if (!epoch_is_over()) at_rest([&] { keep.step(*this); });
      continue;
    }
    try {
      const std::optional<double> validation = validate(hooks.stop);
      const EpochReport report = at_rest([&] {
        EpochReport closed = close_epoch(validation);
        keep.epoch(*this, closed);
        return closed;
      });
      if (hooks.on_epoch) hooks.on_epoch(report);
    } catch (const Interrupted&) {
      at_rest([&] { keep.stop(*this); });
      return result();
    }
  }
  return result();
}

TrainResult Trainer::result() const {
  return {done(), at_.epoch, at_.step, at_.step_in_epoch, at_.selection.best, at_.selection.epoch, kl_};
}

std::optional<eval::Scores> Trainer::validation_scores(const StopFlag* stop) {
  const ops::ContextScope scope(context_.without_gradients());
  return validation_.scores(stop);
}

eval::RunInfo Trainer::info() const {
  eval::RunInfo info = info_;
  info.epoch = at_.epoch, info.step = at_.step;
  if (at_.selection.best) info.validation = *at_.selection.best;
  return info;
}

eval::Run Trainer::best() {
  at::NoGradGuard no_grad;
  eval::Run run;
  run.context = context_.without_gradients();
  run.info = best_weights_.defined() ? best_info_ : info();
  run.model = model_->fresh();
  run.model->parameters().flat().copy_(best_weights_.defined() ? best_weights_ : model_->parameters().flat());
  return run;
}

void Trainer::save(const std::filesystem::path& path, const std::filesystem::path& previous) {
  collect();
  save_training(path, info_, model_->parameters(), adam_, at_, previous);
}

void Trainer::load(const std::filesystem::path& path) {
  TORCH_CHECK_VALUE(!inputs_, "load: steps were taken already");
  const Progress progress = load_training(path, maker_.dataset(), model_->parameters(), adam_);
  if (progress.epoch > config_.train.epochs || progress.step_in_epoch > steps_.steps_per_epoch() ||
      progress.step != progress.epoch * steps_.steps_per_epoch() + progress.step_in_epoch)
    throw DataError(fmt::format(
        "{}: its training progress does not fit the run: {} epochs, {} steps of the next one and {} steps in total, "
        "where the run has {} epochs of {} steps",
        path.string(), progress.epoch, progress.step_in_epoch, progress.step, config_.train.epochs,
        steps_.steps_per_epoch()));
  at_ = progress;
}

double Trainer::seconds_left() const {
  const auto done = static_cast<double>(at_.step - first_step_);
  return done > 0 ? seconds_since(started_) / done * static_cast<double>(steps_.steps() - at_.step) : 0.0;
}

// The host is at most two steps ahead of a GPU, so the times of its steps also measure those of the GPU.
double Trainer::median_step_ms() const {
  std::vector<double> ms;
  for (std::size_t i = 1; i < step_ends_.size(); ++i)
    ms.push_back(std::chrono::duration<double, std::milli>(step_ends_[i] - step_ends_[i - 1]).count());
  return ms.empty() ? 0.0 : median(std::move(ms));
}

}  // namespace lgode::train
