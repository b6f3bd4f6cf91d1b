// The options of a training run: declaration, recipes, and checks of combinations.
#include "lgode/train/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/eval/run_info.h"
#include "lgode/train/progress.h"

namespace lgode::train {
namespace {

// The values that a recipe sets; everything else keeps its default.
nlohmann::json recipe_values(Recipe recipe) {
  if (recipe == Recipe::kDefault) return nlohmann::json::object();
  return {{"schedule", "cosine"},  {"optimizer", "adam"}, {"lr", 5e-4},        {"weight_decay", 0.0},
          {"samples", 3},          {"context", "all"},    {"start", "middle"}, {"grid", "union"},
          {"gradient", "adjoint"}, {"validation", 0.0},   {"dropout", 0.2},    {"centre", "none"},
          {"unseen", "predict"},   {"hide_values", 0.0},  {"outliers", "use"}};
}

// The values that a model needs to work well; everything else keeps its default.
nlohmann::json model_values(const model::ModelOptions& model) {
  if (model.kind == model::ModelKind::kFrames)
    return {{"task", "extrapolate"}, {"start", "random"}, {"start_low", 0.2},
            {"start_high", 0.5},     {"turn", "none"},    {"centre", "system"},
            {"loss", "distance"},    {"clip", 1.0},       {"heads", 4},
            {"encoder_width", 96},   {"state", 48}};
  if (model.kind != model::ModelKind::kAssimilate) return nlohmann::json::object();
  return {{"kl_weight", 1e-3}, {"sigma", 0.003}, {"start", "random"}, {"start_low", 0.2}, {"start_high", 0.5}};
}

// Sets model and task as in the run whose weights are used, unless a flag or a config file sets them.
void take_model(OptionSet& options, const eval::RunInfo& info, const std::string& where) {
  model::ModelOptions unused;
  OptionSet model_options;
  model::declare(model_options, unused);
  const auto take = [&](const std::string& key, const nlohmann::json& value) {
    if (options.find(key)->source < Source::kFile) options.set(key, value, Source::kFile, where);
  };
  // The precision belongs to a machine, not to weights.
  for (const Option& option : model_options.options())
    if (option.key != "precision" && info.config.contains(option.key)) take(option.key, info.config[option.key]);
  for (const char* key : {"task", "observed", "context", "start", "start_low", "start_high", "unseen"})
    if (info.config.contains(key)) take(key, info.config[key]);
  take("centre", info.task.centre == data::Centre::kSystem ? "system" : "none");
}

// Without a model by name: the paper's for its recipe and for variants, the model of scenes for its own options, else
// the default one.
void choose_model(OptionSet& options, const RunConfig& config) {
  if (options.find("model")->source > Source::kDefault) return;
  const auto given = [&](const char* key) { return options.find(key)->source > Source::kRecipe; };
  const bool paper = config.train.recipe == Recipe::kPaper || config.model.variant != model::Variant::kFull;
  const bool frames =
      given("neighbours") || given("place") || (given("loss") && config.model.loss == model::Loss::kDistance);
  const model::ModelKind kind = paper ? model::ModelKind::kLgOde : frames ? model::ModelKind::kFrames : kDefaultModel;
  options.set("model", model::model_name(kind), Source::kDefault, "");
}

// The config that these options and a model of scenes make, unless something is asked for that it does not have.
std::shared_ptr<const RunConfig> scenes_config(const OptionSet& options,
                                               std::vector<std::pair<std::string, std::string>> flags,
                                               const nlohmann::json& file, const std::string& file_name) {
  constexpr const char* kShared[] = {"encoder_width", "heads", "hidden",  "state",     "memory",
                                     "loss",          "impl",  "futures", "futures_of", "precision"};
  model::ModelOptions unused;
  OptionSet of_models;
  model::declare(of_models, unused);
  const auto has = [&](const Option& option) {
    return std::any_of(std::begin(kShared), std::end(kShared), [&](const char* key) { return option.key == key; });
  };
  const auto asked = [&](const std::string& key) { return options.find(key)->source > Source::kRecipe; };
  for (const Option& option : of_models.options())
    if (asked(option.key) && !has(option)) return nullptr;
  for (const char* key : {"kl_weight", "kl_warmup", "samples", "turn", "centre"})
    if (asked(key)) return nullptr;
  auto out = std::make_shared<RunConfig>();
  OptionSet own;
  declare(own, *out);
  flags.emplace_back("model", model::model_name(model::ModelKind::kFrames));
  try {
    resolve(own, *out, flags, file, file_name);
  } catch (const ConfigError&) {
    return nullptr;
  }
  return out;
}

// What the assimilating model cannot take. `named`: an option names the model.
void check_assimilate(const RunConfig& c, bool named) {
  const char* it = named ? "`model` assimilate" : "the default `model` assimilate";
  if (ode::is_adaptive(c.model.solver))
    throw ConfigError(
        fmt::format("`solver` {0}: {1} takes fixed steps; use `model` lg-ode `solver` {0}, or a solver such as rk4",
                    ode::solver_name(c.model.solver), it));
  if (c.train.recipe == Recipe::kPaper)
    throw ConfigError(
        "`recipe` paper is for the models of the paper and does not go with `model` assimilate; leave one out");
}

// What the model of scenes cannot take.
void check_frames(const RunConfig& c) {
  if (c.task.task != data::Task::kExtrapolate)
    throw ConfigError("`model` frames makes forecasts only: use `task` extrapolate, or `model` assimilate");
  if (c.train.recipe == Recipe::kPaper)
    throw ConfigError(
        "`recipe` paper is for the models of the paper and does not go with `model` frames; leave one out");
  if (c.train.turn == Turn::kRandom)
    throw ConfigError("`turn` random changes nothing with `model` frames, which turns with the scene; leave it out");
}

// Rejects invalid combinations; single values are checked by their options.
void check(const RunConfig& c) {
  if (c.model.encoder_width % c.model.heads != 0)
    throw ConfigError("`heads` " + std::to_string(c.model.heads) + " does not divide `encoder_width` " +
                      std::to_string(c.model.encoder_width) + "; choose a divisor");
  if (!c.task.gaps.empty() && c.task.task != data::Task::kInterpolate)
    throw ConfigError("`gaps` are hidden in trainings with `task` interpolate; a forecast has none, so leave it out");
  if (!c.train.gaps_from.empty() && c.task.task != data::Task::kInterpolate)
    throw ConfigError("`gaps_from` is for trainings with `task` interpolate; a forecast has no gaps, so leave it out");
  if (c.task.start == data::Start::kRandom && c.task.start_high >= 1.0)
    throw ConfigError("`start_high` 1: a start at the end of the range leaves nothing to forecast; use less than 1");
  if (c.model.impl == ops::Impl::kFused &&
      (c.model.gradient != ode::Gradient::kRecompute || ode::is_adaptive(c.model.solver) ||
       c.model.encoder_width % 2 != 0 || c.model.encoder_width > 128))
    throw ConfigError(
        "`impl` fused needs `gradient` recompute, a solver with fixed steps and an even `encoder_width` up to 128; use "
        "`impl` auto");
  if (c.model.variant != model::Variant::kFull && c.model.kind != model::ModelKind::kLgOde)
    throw ConfigError(fmt::format("`variant` {} is a variant of lg-ode and does not go with `model` {}; leave one out",
                                  model::variant_name(c.model.variant), model::model_name(c.model.kind)));
  if (c.model.gain == model::Gain::kLearned && c.model.kind != model::ModelKind::kAssimilate)
    throw ConfigError(fmt::format("`gain` learned goes with `model` assimilate only, not with {}; leave it out",
                                  model::model_name(c.model.kind)));
  if (c.model.base != model::Base::kAuto && c.model.base != model::Base::kOwn &&
      c.model.kind != model::ModelKind::kAssimilate)
    throw ConfigError(fmt::format("`base` goes with `model` assimilate only, not with {}; leave it out",
                                  model::model_name(c.model.kind)));
  if (c.model.base == model::Base::kDamped && c.task.task == data::Task::kInterpolate)
    throw ConfigError("`base` damped is for forecasts, not for `task` interpolate; use hermite, linear or kalman");
  if (c.model.loss == model::Loss::kDistance && c.model.kind != model::ModelKind::kFrames)
    throw ConfigError(fmt::format("`loss` distance goes with `model` frames only, not with {}; use `loss` squared",
                                  model::model_name(c.model.kind)));
  if (c.model.futures > 1 && c.model.kind == model::ModelKind::kRnnNri)
    throw ConfigError(fmt::format("`futures` {} does not go with `model` rnn-nri, which has one; leave one out",
                                  c.model.futures));
  if (c.model.futures == 1 && c.model.futures_of == model::FuturesOf::kScene)
    throw ConfigError("`futures_of` scene goes with several `futures`, such as 20; give their number or leave it out");
  if (c.model.kind == model::ModelKind::kFrames) check_frames(c);
  if (c.model.ode == model::OdeKind::kIndependent && c.model.kind == model::ModelKind::kRnnNri)
    throw ConfigError("`ode` independent does not go with `model` rnn-nri, which has no ODE; leave one out");
  if (c.task.unseen == data::Unseen::kLeaveOut && c.model.kind == model::ModelKind::kRnnNri)
    throw ConfigError("`unseen` leave-out does not go with `model` rnn-nri, which needs all objects; leave one out");
  if (c.train.turn == Turn::kRandom && c.task.centre != data::Centre::kSystem)
    throw ConfigError("`turn` random turns systems about their centres and needs `centre` system; leave one out");
  if (c.train.resize > 1 && c.task.centre != data::Centre::kSystem)
    throw ConfigError(
        "`resize` multiplies positions relative to their centre and needs `centre` system; leave one out");
  if (c.train.resize > 1 && c.model.place == model::Place::kOn)
    throw ConfigError("`resize` changes where objects are and does not go with `place` on; leave one out");
  if (!restarts_of(c.train).empty() && c.train.schedule == RateSchedule::kPlateau)
    throw ConfigError("`restarts` are of `schedule` cosine or constant; with plateau leave them out");
  if (c.train.minutes && c.train.schedule != RateSchedule::kPlateau)
    throw ConfigError(
        "`minutes` is a limit of `schedule` plateau; cosine and constant have a fixed number of `epochs`, so leave one "
        "out");
  if (c.task.start_low > c.task.start_high) throw ConfigError("`start_low` is larger than `start_high`; swap them");
}

}  // namespace

void declare(OptionSet& o, RunConfig& c) {
  data::declare(o, c.task);
  o.group("Training");
  TrainOptions& t = c.train;
  o.add("data", &t.data, "the data set");
  o.add_choice("recipe", &t.recipe, {{"default", Recipe::kDefault}, {"paper", Recipe::kPaper}},
               "settings for options that neither flags nor the config file set");
  o.add("from", &t.from, "run folder or checkpoint whose weights, scales and clock the training starts with");
  o.add("epochs", &t.epochs, {0},
        "passes over the training systems at most; auto: as many as it takes until the validation error no longer "
        "falls; with schedule cosine or constant exactly as many, auto: 30");
  o.add("minutes", &t.minutes, {.low = 0.0, .open_low = true},
        "time of the training at most, looked at after each epoch; auto: 60 without epochs, else no limit");
  o.add("patience", &t.patience, {1},
        "schedule plateau: steps without a fall of the validation error by 1 % after which the learning rate is "
        "lowered, half as many at lower rates; auto: 200, or 0.3 of the steps so far");
  o.add("batch", &t.batch, {1},
        "systems per step; auto: 256 if that gives at least 20 steps per epoch, 32 if that gives at least 3, else a "
        "quarter of the systems");
  o.add("lr", &t.lr, {.low = 0.0, .open_low = true}, "learning rate");
  o.add_choice("optimizer", &t.optimizer, {{"adamw", Optimizer::kAdamW}, {"adam", Optimizer::kAdam}},
               "adamw: weight decay separate from the gradient; adam: added to it");
  o.add("weight_decay", &t.weight_decay, {0.0}, "weight decay");
  o.add("warmup", &t.warmup, {0},
        "steps over which the learning rate rises; with cosine and constant at most a tenth of the run");
  o.add_choice(
      "schedule", &t.schedule,
      {{"plateau", RateSchedule::kPlateau}, {"cosine", RateSchedule::kCosine}, {"constant", RateSchedule::kConstant}},
      "learning rate after the warm-up: plateau lowers it when the validation error no longer falls, twice, and "
      "then ends the training; the cosine ends with the run");
  o.add("restarts", &t.restarts,
        "epochs at which the learning rate of cosine or constant starts again, and from where, as 30:0.0001,60:0.0001; "
        "such a run that is resumed with more epochs adds one");
  o.add("clip", &t.clip, {0.0}, "largest gradient norm; 0: no limit");
  o.add("samples", &t.samples, {1}, "latent samples S per system");
  o.add_choice("turn", &t.turn, {{"auto", Turn::kAuto}, {"none", Turn::kNone}, {"random", Turn::kRandom}},
               "random: augmentation by rotation and reflection of every system, positions and their velocities; for "
               "scenes without a preferred direction, with centre system and two position features; auto: random with "
               "model assimilate where the data and centre allow it");
  o.add(
      "resize", &t.resize, {1.0, 10.0},
      "augmentation by size: every system's positions and velocities are multiplied by a random factor from 1/resize "
      "to resize, relative to its centre; 1: off; for scenes that are elsewhere faster or denser, with centre system");
  o.add("kl_weight", &t.kl_weight, {0.0}, "weight of the KL divergence");
  o.add("kl_warmup", &t.kl_warmup, {0}, "steps over which the weight of the KL divergence rises");
  o.add("checkpoint_seconds", &t.checkpoint_seconds, {0}, "longest time between checkpoints; 0: after epochs only");
  o.add("gaps_from", &t.gaps_from,
        "a table to be filled later, with the columns of the data's own: its gaps set `gaps`")
      .show("TABLE");
  o.group("Machine");
  o.add("threads", &t.threads, {0, 4096}, "threads; 0: all cores");
  o.add_choice("device", &t.device, {{"auto", Device::kAuto}, {"cpu", Device::kCpu}, {"cuda", Device::kCuda}},
               "device");
  o.add("capture_steps", &t.capture_steps,
        "on a GPU: capture the step once (as a CUDA graph) and replay it, if the batches allow it");
  o.add_former_key("record_steps", "capture_steps");
  model::declare(o, c.model);
}

std::vector<Restart> restarts_of(const TrainOptions& options) {
  std::vector<Restart> restarts;
  std::istringstream in(options.restarts);
  for (std::string text; std::getline(in, text, ',');) {
    Restart r;
    char colon = 0;
    std::istringstream entry(text);
    const bool whole = entry >> r.epoch >> colon >> r.rate && colon == ':' && (entry >> std::ws).eof();
    if (!whole || r.epoch < 1 || !(r.rate > 0) || (!restarts.empty() && r.epoch <= restarts.back().epoch))
      throw ConfigError(fmt::format(
          "`restarts` {}: expected rising epochs >= 1, each with a learning rate > 0, as 30:0.0001,60:0.0001",
          options.restarts));
    restarts.push_back(r);
  }
  return restarts;
}

RunConfig lengthen(RunConfig config, const Progress& done, const Budget& budget) {
  TrainOptions& t = config.train;
  if (budget.epochs && *budget.epochs <= done.epoch)
    throw ConfigError(
        fmt::format("`epochs` {}: the run has done {} already; give more to train it longer, or train "
                    "a new run",
                    *budget.epochs, done.epoch));
  if (t.schedule == RateSchedule::kPlateau) {
    if (budget.rate) throw ConfigError("`lr`: a run with `schedule` plateau keeps its own learning rate; leave it out");
    if (done.plateau.over)
      throw ConfigError(
          "the run has ended by itself, because its validation error no longer fell; more time changes nothing: start "
          "a "
          "new run from its weights with `from`, or one with more `patience`");
    if (budget.epochs || budget.minutes) t.epochs = budget.epochs, t.minutes = budget.minutes;
    return config;
  }
  if (budget.minutes)
    throw ConfigError(fmt::format("`minutes` {}: the run has a fixed number of `epochs`; give more of these instead",
                                  *budget.minutes));
  const std::int64_t before = t.epochs.value_or(kDefaultEpochs), epochs = budget.epochs.value_or(before);
  if (epochs < before)
    throw ConfigError(
        fmt::format("`epochs` {}: the run is to have {}; a run can be lengthened, not shortened, because "
                    "its learning rate falls over all of them",
                    epochs, before));
  if (epochs == before) return config;
  // A run of no epochs has no schedule yet.
  if (before > 0 && (budget.rate || t.schedule == RateSchedule::kCosine))
    t.restarts += fmt::format("{}{}:{}", t.restarts.empty() ? "" : ",", before, budget.rate.value_or(t.lr));
  else if (budget.rate)
    t.lr = *budget.rate;
  t.epochs = epochs;
  return config;
}

nlohmann::json config_json(const RunConfig& config) {
  RunConfig copy = config;
  OptionSet options;
  declare(options, copy);
  return options.to_json();
}

void resolve(OptionSet& options, RunConfig& config, const std::vector<std::pair<std::string, std::string>>& flags,
             const nlohmann::json& file, const std::string& file_name) {
  for (const auto& [key, text] : flags) options.set_text(key, text, Source::kFlag, "command line");
  if (!file.is_null()) options.set_all(file, Source::kFile, file_name);
  if (!config.train.from.empty()) take_model(options, eval::load_run_info(config.train.from), config.train.from);
  config.model.precision_is_saved = options.find("precision")->source == Source::kFile;
  choose_model(options, config);
  options.set_all(recipe_values(config.train.recipe), Source::kRecipe, "recipe");
  options.set_all(model_values(config.model), Source::kRecipe, "model");
  if (config.train.turn == Turn::kRandom) options.set("centre", "system", Source::kRecipe, "turn");
  // Its weights are of a fixed number of objects.
  if (config.model.kind == model::ModelKind::kRnnNri) options.set("unseen", "predict", Source::kRecipe, "recipe");
  check(config);
  const bool named = options.find("model")->source > Source::kDefault;
  if (config.model.kind == model::ModelKind::kAssimilate) check_assimilate(config, named);
  const bool open = !named && config.model.kind == kDefaultModel && config.task.task == data::Task::kExtrapolate;
  config.scenes = open ? scenes_config(options, flags, file, file_name) : nullptr;
}

RunConfig default_config(model::ModelKind model) {
  RunConfig config;
  OptionSet options;
  declare(options, config);
  resolve(options, config, {{"model", std::string(model::model_name(model))}}, nullptr, "");
  return config;
}

void name_defaults(OptionSet& options, model::ModelKind model) {
  const nlohmann::json own = config_json(default_config(model)), plain = config_json(RunConfig());
  nlohmann::json scenes = nlohmann::json::object();
  if (model == kDefaultModel) {
    model::ModelOptions frames;
    frames.kind = model::ModelKind::kFrames;
    scenes = model_values(frames);
    options.find("model")->shown_default = fmt::format("{}; {} for forecasts of scenes", model::model_name(model),
                                                       model::model_name(model::ModelKind::kFrames));
  }
  for (const auto& [key, value] : own.items()) {
    Option& option = *options.find(key);
    option.default_value = value;
    if (key == "model") continue;
    std::string others;
    if (scenes.contains(key) && scenes[key] != value)
      others += fmt::format("; {} with frames", plain_text(scenes[key]));
    if (value != plain[key]) others += fmt::format("; {} with models of the paper", plain_text(plain[key]));
    if (!others.empty()) option.shown_default = plain_text(value) + others;
  }
}

}  // namespace lgode::train
