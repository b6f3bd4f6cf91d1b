// Writes and reads training checkpoints, and writes the metrics file.
#include "lgode/train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"

namespace lgode::train {

using nlohmann::json;

namespace {

constexpr const char *kAverage = "optimizer.average", *kBest = "optimizer.best";

}  // namespace

void save_training(const std::filesystem::path& path, eval::RunInfo info, model::Parameters& parameters,
                   AdamState& adam, const Progress& progress, const WeightsAside& aside,
                   const std::filesystem::path& previous) {
  info.epoch = progress.epoch, info.step = progress.step;
  info.validation = progress.selection.best ? json(*progress.selection.best) : json(nullptr);
  std::vector<std::pair<std::string, at::Tensor>> tensors = {{"optimizer.first_moment", adam.first_moment()},
                                                             {"optimizer.second_moment", adam.second_moment()}};
  if (aside.average.defined()) tensors.emplace_back(kAverage, aside.average);
  if (aside.best.defined()) tensors.emplace_back(kBest, aside.best);
  eval::save_checkpoint(path, info, parameters, {tensors, {{kTrainingKey, json_text(progress.to_json())}}, previous});
}

Progress load_training(const std::filesystem::path& path, const data::Dataset& dataset, model::Parameters& parameters,
                       AdamState& adam, WeightsAside* aside) {
  const SafetensorsFile file(path);
  const std::string trained_on = eval::read_run_info(file).data_fingerprint;
  if (!dataset.has_fingerprint(trained_on))
    throw DataError(fmt::format(
        "{}: was trained on another data set (fingerprint {}, this one has {}); resume with the data it started with",
        path.string(), trained_on, dataset.fingerprint()));
  const Progress progress = Progress::from_json(parse_json(file.meta(kTrainingKey)), path.string());
  eval::load_weights(file, parameters);
  at::NoGradGuard no_grad;
  const auto load = [&](const char* name, const at::Tensor& like) {
    at::Tensor from = eval::load_tensor(file, name);
    if (from.sizes() != like.sizes())
      throw DataError(
          fmt::format("{}: {} has {} numbers, the model has {}", path.string(), name, from.numel(), like.numel()));
    return from;
  };
  for (auto& [name, to] : {std::pair<const char*, at::Tensor&>{"optimizer.first_moment", adam.first_moment()},
                           std::pair<const char*, at::Tensor&>{"optimizer.second_moment", adam.second_moment()}})
    to.copy_(load(name, to));
  if (aside == nullptr) return progress;
  aside->average = load(kAverage, parameters.flat());
  if (file.tensors().contains(kBest)) aside->best = load(kBest, parameters.flat());
  return progress;
}

MetricsLog::MetricsLog(std::filesystem::path path, std::int64_t epoch) : path_(std::move(path)) {
  if (!std::filesystem::exists(path_)) return;
  const std::string text = read_text(path_);
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const json line = parse_json(text.substr(begin, end - begin));
    if (line.is_object() && line.value("epoch", std::int64_t{0}) <= epoch) {
      kept += text.substr(begin, end - begin) + "\n";
      seconds_ += last_epoch_ = line.value("seconds", 0.0);
    }
    begin = end + 1;
  }
  if (kept != text) write_file(path_, Overwrite::kAllow, kept);
}

void MetricsLog::append(const EpochReport& r) {
  const json line = {
      {"epoch", r.epoch},
      {"steps", r.steps},
      {"loss", r.loss},
      {"reconstruction", r.reconstruction},
      {"kl", r.kl},
      {"train_mse", std::isfinite(r.mse) ? json(r.mse) : json(nullptr)},
      {"validation_mse", r.validation && std::isfinite(*r.validation) ? json(*r.validation) : json(nullptr)},
      {"best", r.best},
      {"lr", r.lr},
      {"seconds", r.seconds},
      {"step_ms", r.step_ms}};
  append_file(path_, json_text(line) + "\n");
}

void MetricsLog::append_initial(double validation) {
  append_file(path_,
              json_text(json{{"epoch", 0}, {"steps", 0}, {"validation_mse", validation}, {"best", true}}) + "\n");
}

}  // namespace lgode::train
