// Progress to JSON and back, with checks; the rule of selection.
#include "lgode/train/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "lgode/core/error.h"
#include "lgode/core/fields.h"

namespace lgode {

template <>
struct Fields<train::Plateau> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& p) {
    v.field("lowered", p.lowered);
    v.field("mark", p.mark);
    v.field("mark_step", p.mark_step);
    v.sparse("over", p.over, p.over);
    v.sparse("out_of_time", p.out_of_time, p.out_of_time);
  }
};

template <>
struct Fields<train::Progress> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& p) {
    v.field("epoch", p.epoch);
    v.field("step_in_epoch", p.step_in_epoch);
    v.field("step", p.step);
    v.field("counted", p.sums.steps);
    v.field("loss", p.sums.loss);
    v.field("reconstruction", p.sums.reconstruction);
    v.field("kl", p.sums.kl);
    v.field("mse", p.sums.mse);
    v.field("best", p.selection.best);
    v.field("best_epoch", p.selection.epoch);
    v.sparse("best_score", p.selection.score, p.selection.score.has_value());
    v.sparse("initial", p.selection.initial, p.selection.initial.has_value());
    v.sparse("plateau", p.plateau, p.plateau.mark || p.plateau.out_of_time);
  }
};

}  // namespace lgode

namespace lgode::train {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

// Whole numbers from 0 up, and finite ones.
struct ProgressRules : PlainRules {
  template <class T>
  T get(const json& value, const char* key) const {
    if constexpr (std::is_same_v<T, bool>) {
      if (!value.is_boolean()) throw DataError(fmt::format("{} is neither true nor false", key));
    } else if constexpr (std::is_integral_v<T>) {
      if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > kMostSteps) ||
          value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > kMostSteps)
        throw DataError(fmt::format("{} is not a whole number >= 0", key));
    } else if (!std::isfinite(value.get<double>())) {
      throw DataError(fmt::format("{} is not finite", key));
    }
    return value.get<T>();
  }
};

}  // namespace

StepSums& StepSums::operator+=(const StepSums& o) {
  steps += o.steps, loss += o.loss, reconstruction += o.reconstruction, kl += o.kl, mse += o.mse;
  return *this;
}

bool Selection::offer(const std::optional<double>& error, std::int64_t epoch_now,
                      const std::optional<double>& score_now) {
  const std::optional<double> before = score ? score : best;
  const double now = score_now.value_or(error.value_or(0));
  if (error && !(std::isfinite(*error) && std::isfinite(now) && (!before || now < *before))) return false;
  if (error && initial && *error > *initial) return false;
  if (epoch_now == 0) initial = error;
  best = error, score = score_now;
  epoch = epoch_now;
  return true;
}

json Progress::to_json() const { return fields_json<json>(*this); }

Progress Progress::from_json(const json& j, const std::string& where) {
  Progress p;
  try {
    read_fields(j, ProgressRules(), p);
    if (p.step_in_epoch > p.step || p.sums.steps > p.step_in_epoch || p.epoch > p.step || p.selection.epoch > p.epoch ||
        p.plateau.mark_step > p.step)
      throw DataError("its numbers of epochs and steps contradict each other");
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: its training progress is damaged ({})", where, e.what()));
  } catch (const DataError& e) {
    throw DataError(fmt::format("{}: its training progress is damaged: {}", where, e.what()));
  }
  return p;
}

}  // namespace lgode::train
