// Makes the input of a step from its number.
#include "lgode/train/step_input.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lgode/core/random.h"
#include "lgode/train/optimizer.h"

namespace lgode::train {

std::vector<int> spread(const std::vector<double>& places, const std::vector<double>& work, int ranks) {
  const double fair = std::accumulate(work.begin(), work.end(), 0.0) / ranks;
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  std::vector<int> owner(places.size(), -1);
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int home = std::clamp(static_cast<int>(places[i] * ranks), 0, ranks - 1);
    double& taken = load[static_cast<std::size_t>(home)];
    if (taken + 0.5 * work[i] <= fair)
      owner[i] = home, taken += work[i];
    else
      rest.push_back(i);
  }
  std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
  for (const std::size_t i : rest) {
    const auto least = std::min_element(load.begin(), load.end());
    owner[i] = static_cast<int>(least - load.begin()), *least += work[i];
  }
  return owner;
}

StepMaker::StepMaker(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
                     std::int64_t batch, const TrainOptions& options, const ops::Context& context, Share share)
    : model_(model),
      maker_(maker),
      systems_(std::move(systems)),
      batch_(std::min(batch, static_cast<std::int64_t>(systems_.size()))),
      steps_per_epoch_((static_cast<std::int64_t>(systems_.size()) + batch_ - 1) / batch_),
      options_(options),
      context_(context),
      share_(share) {
  if (options_.resize > 1) {
    TORCH_CHECK_VALUE(maker_.task().centre == data::Centre::kSystem, "resize needs centre system");
    resized_ = data::resized_features(maker_.dataset().description().features);
  }
  if (options_.turn != Turn::kRandom) return;
  TORCH_CHECK_VALUE(maker_.task().centre == data::Centre::kSystem, "turn needs centre system");
  turned_ = data::turned_pairs(maker_.dataset().description().features);
}

std::shared_ptr<const std::vector<std::int64_t>> StepMaker::order_of(std::int64_t epoch) const {
  {
    const std::scoped_lock lock(mutex_);
    if (epoch_ == epoch) return order_;
  }
  auto order = std::make_shared<const std::vector<std::int64_t>>(
      Random(maker_.task().seed, RandomUse::kShuffle, {static_cast<std::uint64_t>(epoch)})
          .permutation(static_cast<std::int64_t>(systems_.size())));
  const std::scoped_lock lock(mutex_);
  epoch_ = epoch, order_ = order;
  return order;
}

std::vector<std::int64_t> StepMaker::systems_of(std::int64_t step) const {
  const auto order = order_of(step / steps_per_epoch_);
  const std::int64_t first = step % steps_per_epoch_ * batch_;
  std::vector<std::int64_t> systems;
  std::vector<double> places, work;
  for (std::int64_t k = first; k < std::min(first + batch_, static_cast<std::int64_t>(order->size())); ++k) {
    const std::int64_t s = systems_[(*order)[k]];
    systems.push_back(s);
    if (share_.size <= 1) continue;
    // Counts only: the offsets are read, not the observations.
    const data::Dataset& set = maker_.dataset();
    const std::int64_t begin = set.first_object(s), end = begin + set.objects_of(s);
    places.push_back(static_cast<double>((*order)[k]) / static_cast<double>(systems_.size()));
    work.push_back(1.0 + static_cast<double>(set.arrays().observation_offsets[end] - set.first_observation(begin)));
  }
  if (share_.size <= 1) return systems;
  const std::vector<int> owner = spread(places, work, share_.size);
  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < systems.size(); ++i)
    if (owner[i] == share_.rank) own.push_back(systems[i]);
  return own;
}

data::Batch StepMaker::batch_of(const std::vector<std::int64_t>& systems, std::int64_t step) const {
  data::Batch batch = maker_.make(systems, data::View::kTrain, step / steps_per_epoch_, step);
  if (!turned_.empty()) data::turn(batch, turned_, maker_.normalisation(), maker_.task().seed, step);
  if (!resized_.empty()) data::resize(batch, resized_, options_.resize, maker_.task().seed, step);
  return batch;
}

StepInput StepMaker::make(std::int64_t step) const { return make(batch_of(systems_of(step), step), step); }

StepInput StepMaker::make(data::Batch raw, std::int64_t step) const {
  StepInput in;
  in.has_targets = raw.asks_something();
  if (!in.has_targets && share_.size == 0) return in;
  const at::Device device = context_.device;
  const ops::Queue queue(device);
  in.uploaded = ops::Upload(device);
  if (!in.has_targets) {
    in.rates = in.uploaded(step_rates(options_, step, steps(), rate_scale_));
    return in;
  }
  const bool padded = model_.takes_padded(context_.precision);
  model::RolloutOptions rollout = model::rollout_options(context_, options_.samples);
  rollout.shapes = padded ? ops::Shapes::kPadded : ops::Shapes::kExact;
  in.rollout = model_.prepare(raw, rollout, in.uploaded);
  const auto number = static_cast<std::uint64_t>(step);
  const std::uint64_t seed = maker_.task().seed;
  in.noise = in.uploaded(
      model::latent_noise(raw, options_.samples, model_.latent(), seed, RandomUse::kLatent, number, at::kFloat));
  in.capturable = padded && in.rollout->fixed_launches;
  in.batch = model_.tensors(std::move(raw), rollout.shapes, in.uploaded);
  in.dropout = model_.dropout(in.batch, {seed, number}, in.uploaded);
  in.rates = in.uploaded(step_rates(options_, step, steps(), rate_scale_));
  return in;
}

}  // namespace lgode::train
