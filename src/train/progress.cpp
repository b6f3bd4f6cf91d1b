// Progress to JSON and back, with checks; the rule of selection.
#include "lgode/train/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lgode/core/error.h"

namespace lgode::train {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

// A whole number from 0 up.
std::int64_t count(const json& j, const char* key) {
  const json& value = j.at(key);
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > kMostSteps) ||
      value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > kMostSteps)
    throw DataError(fmt::format("{} is not a whole number >= 0", key));
  return value.get<std::int64_t>();
}

double finite(const json& j, const char* key) {
  const auto value = j.at(key).get<double>();
  if (!std::isfinite(value)) throw DataError(fmt::format("{} is not finite", key));
  return value;
}

}  // namespace

StepSums& StepSums::operator+=(const StepSums& o) {
  steps += o.steps, loss += o.loss, reconstruction += o.reconstruction, kl += o.kl, mse += o.mse;
  return *this;
}

bool Selection::offer(const std::optional<double>& error, std::int64_t epoch_now) {
  if (error && !(std::isfinite(*error) && (!best || *error < *best))) return false;
  best = error;
  epoch = epoch_now;
  return true;
}

json Progress::to_json() const {
  return {{"epoch", epoch},
          {"step_in_epoch", step_in_epoch},
          {"step", step},
          {"counted", sums.steps},
          {"loss", sums.loss},
          {"reconstruction", sums.reconstruction},
          {"kl", sums.kl},
          {"mse", sums.mse},
          {"best", selection.best ? json(*selection.best) : json(nullptr)},
          {"best_epoch", selection.epoch}};
}

Progress Progress::from_json(const json& j, const std::string& where) {
  Progress p;
  try {
    p.epoch = count(j, "epoch"), p.step_in_epoch = count(j, "step_in_epoch"), p.step = count(j, "step");
    p.sums.steps = count(j, "counted");
    p.sums.loss = finite(j, "loss"), p.sums.reconstruction = finite(j, "reconstruction");
    p.sums.kl = finite(j, "kl"), p.sums.mse = finite(j, "mse");
    if (!j.at("best").is_null()) p.selection.best = finite(j, "best");
    p.selection.epoch = count(j, "best_epoch");
    if (p.step_in_epoch > p.step || p.sums.steps > p.step_in_epoch || p.epoch > p.step || p.selection.epoch > p.epoch)
      throw DataError("its numbers of epochs and steps contradict each other");
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: its training progress is damaged ({})", where, e.what()));
  } catch (const DataError& e) {
    throw DataError(fmt::format("{}: its training progress is damaged: {}", where, e.what()));
  }
  return p;
}

}  // namespace lgode::train
