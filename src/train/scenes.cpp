// Settles the model by the form of the data, and `place` by two short trainings.
#include "lgode/train/scenes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "trial.h"

namespace lgode::train {
namespace {

constexpr double kGain = 0.99;

bool are_positions(const std::vector<data::Feature>& features, const std::vector<int>& positions) {
  const auto feature = [&](int f) -> const data::Feature& { return features[static_cast<std::size_t>(f)]; };
  if (positions.size() < 2 || positions.size() > 3) return false;
  if (std::any_of(positions.begin(), positions.end(),
                  [&](int f) { return feature(f).unit != feature(positions.front()).unit; }))
    return false;
  const bool move = std::any_of(features.begin(), features.end(), [](const auto& f) { return f.velocity_of >= 0; });
  const bool named = feature(positions[0]).name == "x" && feature(positions[1]).name == "y";
  return move || named || !feature(positions.front()).unit.empty();
}

}  // namespace

bool is_scene(const data::Dataset& dataset) {
  const std::vector<data::Feature>& features = dataset.description().features;
  const std::vector<int> positions = data::position_features(features);
  if (!are_positions(features, positions)) return false;
  for (std::size_t f = 0; f < features.size(); ++f)
    if (features[f].velocity_of < 0 && std::count(positions.begin(), positions.end(), static_cast<int>(f)) == 0)
      return false;
  return dataset.description().edges.kind != data::EdgeRule::Kind::kListed || dataset.relations() == 0;
}

RunConfig settle_model(RunConfig config, const data::Dataset& dataset) {
  if (config.scenes == nullptr || !is_scene(dataset)) return config;
  RunConfig scenes = *config.scenes;
  scenes.task.gaps = config.task.gaps;
  return scenes;
}

PlaceChoice choose_place(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                         const TrainHooks& hooks, Ranks* ranks) {
  using model::Place;
  PlaceChoice choice{.on = config.model.place == Place::kOn};
  if (config.model.place != Place::kAuto || config.model.kind != model::ModelKind::kFrames) return choice;
  if (!config.train.from.empty()) return choice;  // its weights have the inputs that they have
  const auto with = [&](Place place) {
    RunConfig changed = config;
    changed.model.place = place;
    changed.model.futures = 1, changed.model.futures_of = model::FuturesOf::kObject;  // the mean path is compared
    if (place == Place::kOn) changed.train.resize = 1;  // where objects are would no longer be true
    return changed;
  };
  const Comparison compared = compare({Trial::Kind::kPlace, with(Place::kOff), with(Place::kOff), with(Place::kOn)},
                                      dataset, context, hooks, ranks);
  choice.too_few_steps = compared.too_few_steps, choice.steps = compared.steps;
  choice.without = compared.first, choice.with = compared.second;
  choice.on = choice.without && choice.with && *choice.with < kGain * *choice.without;
  return choice;
}

}  // namespace lgode::train
