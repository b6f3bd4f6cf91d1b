// Declares and checks the options of uses of a run.
#include "lgode/use/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/methods.h"
#include "lgode/table/cell.h"

namespace lgode::use {
namespace {

constexpr const char* kQuantiles = "numbers between 0 and 1, such as 0.05,0.5,0.95";

// Quantiles: a list of numbers, or texts of such with commas between them.
Option quantiles_option(std::vector<double>* field) {
  Option option;
  option.key = "quantiles";
  option.help = "quantiles, between 0 and 1, such as 0.05,0.25,0.5,0.75,0.95";
  option.type = "numbers";
  option.accepts = kQuantiles;
  option.expected = kQuantiles;
  option.get = [field]() -> nlohmann::json {
    return field->empty() ? nlohmann::json(nullptr) : nlohmann::json(*field);
  };
  option.set = [field](const nlohmann::json& value) {
    std::vector<double> numbers;
    if (!value.is_array() && !value.is_null()) throw ConfigError(kQuantiles);
    for (const nlohmann::json& entry : value) {
      if (!entry.is_number()) throw ConfigError(fmt::format("`quantiles` {}: expected {}", entry.dump(), kQuantiles));
      numbers.push_back(entry.get<double>());
    }
    *field = std::move(numbers);
  };
  option.parse = [](const std::string& text) {
    nlohmann::json numbers = nlohmann::json::array();
    const auto names = parse_names(text);
    if (!names) throw ConfigError(kQuantiles);
    for (const std::string& name : *names) {
      const std::optional<double> number = table::parse_number(name, false);
      if (!number) throw ConfigError(kQuantiles);
      numbers.push_back(*number);
    }
    return numbers;
  };
  return option;
}

// matched|all; unset: as the run was trained.
Option context_option(std::optional<data::Context>* field) {
  Option option;
  option.key = "context";
  option.help =
      "extrapolation: observations that the model sees before the start: as long a span as in training, or all";
  option.type = "choice";
  option.accepts = "matched|all";
  option.get = [field]() -> nlohmann::json {
    if (!*field) return nullptr;
    return *field == data::Context::kAll ? "all" : "matched";
  };
  option.set = [field](const nlohmann::json& value) {
    if (value.is_null())
      field->reset();
    else if (value == "all" || value == "matched")
      *field = value == "all" ? data::Context::kAll : data::Context::kMatched;
    else
      throw ConfigError("matched|all");
  };
  option.parse = [](const std::string& text) -> nlohmann::json { return text; };
  return option;
}

template <std::size_t... k>
void add_method(OptionSet& set, eval::Method* method, std::index_sequence<k...> /*of kClassicalMethods*/) {
  set.add_choice("method", method,
                 {{"model", eval::Method::kModel},
                  {"auto", eval::Method::kAuto},
                  {kClassicalMethods[k].word, eval::method_of(kClassicalMethods[k].kind)}...},
                 "what predicts: the model or a classical method, each with its calibrated intervals; auto: what had "
                 "the smallest error on the run's validation part");
}

}  // namespace

void declare_prediction(OptionSet& set, eval::PredictOptions& options) {
  add_method(set, &options.method, std::make_index_sequence<std::size(kClassicalMethods)>());
  set.add("horizon", &options.horizon, "how far after the start to predict, where no times are given")
      .show("LENGTH", "as far as training looked");
  set.add("relative", &options.relative, "times and `start` count from each system's origin, in the result, too");
  set.add("include_start", &options.include_start,
          "extrapolation: what was observed at `start` itself is seen, too, as by lgode follow");
  set.add(context_option(&options.context)).show("matched|all", "as the run was trained");
  set.add(quantiles_option(&options.quantiles)).show("Q,Q,...", "0.05,0.95");
  set.add("paths", &options.paths, {.low = 0},
          "sampled paths of all objects together, with the intervals' spread: scenarios; drawn from the futures where "
          "the run has several")
      .show("N");
  set.add("futures", &options.futures, {.low = 0},
          "the most probable futures, of a run that was trained for several, with their probabilities")
      .show("K");
  declare_sampling(set, options);
}

void declare_sampling(OptionSet& set, eval::PredictOptions& options) {
  set.add("allow_mismatch", &options.allow_mismatch,
          "predict even if units or time spans of the data differ from the training data's");
  set.add_choice("outliers", &options.outliers, {{"flag", data::Outliers::kFlag}, {"use", data::Outliers::kUse}},
                 "observations that jump away from their object's path and back: not used, or taken as they are");
  set.add("samples", &options.samples, {.low = 0},
          "latent samples of intervals that are not calibrated; 0: intervals of the decoder's noise only")
      .show("N");
  set.add("seed", &options.seed, "seed of the latent samples").show("N");
  set.add("batch", &options.batch, {.low = 1}, "systems at a time").show("N");
}

void declare_fill(OptionSet& set, FillSettings& settings) {
  set.add_choice<std::string>(
      "fill_with", &settings.with,
      {{"auto", "auto"}, {"model", "model"}, {"linear", "linear"}, {"hermite", "hermite"}, {"kalman", "kalman"}},
      "how, kalman: by the Kalman smoother; auto compares model, straight line and cubic Hermite on gaps cut into "
      "known values and takes the best for "
      "each feature");
  set.add("all_times", &settings.all_times,
          "a row for every object at each time of its system, from its own first row to its last");
}

void declare_evaluation(OptionSet& set, EvaluateSettings& settings) {
  set.add_choice<std::string>("part", &settings.split,
                              {{"test", "test"}, {"validation", "validation"}, {"train", "train"}},
                              "systems of this part");
  set.add_unset("within", &settings.within, {},
                "also the errors of the systems whose positions stay within -X to X, in the data's unit")
      .show("X");
  set.add_unset("miss_distance", &settings.miss_distance, {.low = 0, .open_low = true},
                "miss rate: errors of final positions above it are misses, in the data's unit")
      .show("X", "2 m; without a known unit of length 2");
  set.add_unset("collision_distance", &settings.collision_distance, {.low = 0, .open_low = true},
                "collision rate: objects whose predicted centres are nearer than it collide, in the data's unit")
      .show("X", "0.2 m; without a known unit of length 0.2");
  set.add("allow_mismatch", &settings.allow_mismatch,
          "evaluate even if units or time spans of the data differ from the training data's");
  set.add("batch", &settings.batch, {.low = 1}, "systems at a time").show("N");
}

void declare_calibration(OptionSet& set, CalibrateSettings& settings) {
  set.add_choice<std::string>("part", &settings.part, {{"", ""}, {"train", "train"}, {"test", "test"}, {"all", "all"}},
                              "with `data`: systems of one part only")
      .show("train|test|all", "all")
      .expect("train, test or all");
  set.add("allow_mismatch", &settings.allow_mismatch,
          "calibrate even if units or time spans of the data differ from the training data's");
}

void declare_simulation(OptionSet& set, data::SimulateOptions& options) {
  set.add_choice("physics", &options.physics,
                 {{"springs", data::Physics::kSprings}, {"charged", data::Physics::kCharged}},
                 "what acts between the particles");
  set.add("objects", &options.objects, {}, "particles per system").show("N");
  set.add("train", &options.train, {}, "training systems").show("N");
  set.add("test", &options.test, {}, "test systems, which run twice as long").show("N");
  set.add("horizon", &options.horizon, {}, "recorded steps of the first range").show("N");
  set.add("noise", &options.noise, {}, "standard deviation of noise on every recorded value").show("X", "0");
  set.add_choice("relations", &options.relations,
                 {{"same", data::ChargedRelations::kSame}, {"typed", data::ChargedRelations::kTyped}},
                 "charged: connected where charges have the same sign, or both signs as two types");
  set.add("seed", &options.seed, "same seed, same bytes, whatever the threads").show("N");
  set.add("threads", &options.threads, {.low = 0}, "threads; 0: all cores").show("N");
}

void check(const data::SimulateOptions& options) {
  if (options.physics == data::Physics::kSprings && options.relations != data::ChargedRelations::kSame)
    throw ConfigError("`relations` typed: only charged systems have relations of two types");
}

void settle(eval::PredictOptions& options, bool samples_given) {
  std::set<std::string> names;
  for (const double q : options.quantiles) {
    if (!(q > 0 && q < 1)) throw ConfigError(fmt::format("`quantiles` {}: expected {}", q, kQuantiles));
    if (!names.insert(eval::quantile_name(q)).second)
      throw ConfigError(fmt::format("`quantiles` {}: appears twice", q));
  }
  if (!samples_given) options.samples = std::max(options.samples, options.paths);
  if (options.paths > options.samples)
    throw ConfigError(
        fmt::format("`paths` {}: only {} samples are drawn; raise `samples`", options.paths, options.samples));
}

}  // namespace lgode::use
