// Adds up what a comparison of two methods needs.
#include "lgode/eval/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace lgode::eval {
namespace {

constexpr double kFarWorse = 5, kLargeShare = 0.25;  // from which on an object is named

// The mean error of the system whose objects start at `at`, which moves to the next system.
double system_error(const ObjectErrors& errors, std::size_t& at) {
  const std::int64_t system = errors[at].first;
  double sum = 0;
  std::int64_t count = 0;
  for (; at < errors.size() && errors[at].first == system; ++at)
    if (!std::isnan(errors[at].second)) sum += errors[at].second, ++count;
  return sum / static_cast<double>(count);
}

}  // namespace

void ComparisonKeeper::add(const ObjectErrors& model, const ObjectErrors& other) {
  for (std::size_t at = 0; at < model.size();) {
    std::size_t same = at;
    const double difference = system_error(model, at) - system_error(other, same);
    if (!std::isfinite(difference)) continue;
    ++systems_, better_ += difference < 0 ? 1 : 0;
    sum_ += difference, squares_ += difference * difference;
  }
}

Comparison ComparisonKeeper::comparison() const {
  const double mean = sum_ / systems_;
  const double variance = std::max(squares_ / systems_ - mean * mean, 0.0) * systems_ / (systems_ - 1);
  return {.systems = std::llround(systems_),
          .better = std::llround(better_),
          .difference = systems_ > 0 ? mean : std::numeric_limits<double>::quiet_NaN(),
          .standard_error = systems_ > 1 ? std::sqrt(variance / systems_) : std::numeric_limits<double>::quiet_NaN()};
}

nlohmann::json ComparisonKeeper::state() const { return {systems_, better_, sum_, squares_}; }

void ComparisonKeeper::add(const nlohmann::json& state) {
  systems_ += state.at(0).get<double>(), better_ += state.at(1).get<double>();
  sum_ += state.at(2).get<double>(), squares_ += state.at(3).get<double>();
}

void ObjectKeeper::add(const std::string& object, double error) {
  if (!std::isfinite(error)) return;
  auto& [sum, count] = named_[object];
  sum += error, ++count;
}

std::optional<WorstObject> ObjectKeeper::worst() const {
  WorstObject out;
  double all = 0, own = 0;
  for (const auto& [object, sums] : named_) {
    const double mean = sums.first / sums.second;
    all += sums.first;
    if (mean > out.mse || out.object.empty()) {
      out.next = out.object, out.next_mse = out.mse;
      out.object = object, out.mse = mean, own = sums.first;
    } else if (mean > out.next_mse || out.next.empty()) {
      out.next = object, out.next_mse = mean;
    }
  }
  out.share = own / all;
  if (named_.size() < 2 || !(out.mse >= kFarWorse * out.next_mse) || !(out.share >= kLargeShare)) return std::nullopt;
  return out;
}

nlohmann::json ObjectKeeper::state() const {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [object, sums] : named_) out[object] = {sums.first, sums.second};
  return out;
}

void ObjectKeeper::add(const nlohmann::json& state) {
  for (const auto& [object, sums] : state.items()) {
    auto& [sum, count] = named_[object];
    sum += sums.at(0).get<double>(), count += sums.at(1).get<double>();
  }
}

}  // namespace lgode::eval
