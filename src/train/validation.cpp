// Computes the validation error, and selects the best epoch.
#include "lgode/train/validation.h"

#include <utility>

namespace lgode::train {
namespace {

constexpr std::size_t kMostKeptSystems = 20000;  // about 40 kB per system
constexpr std::int64_t kKeptBatch = 2048;

}  // namespace

Validation::Validation(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
                       const ops::Context& context)
    : model_(model), maker_(maker), systems_(std::move(systems)), context_(context.without_gradients()) {}

std::optional<double> Validation::error(const StopFlag* stop) {
  const std::optional<eval::Scores> found = scores(stop);
  return found ? std::optional(found->mse) : std::nullopt;
}

std::optional<eval::Scores> Validation::scores(const StopFlag* stop) {
  if (systems_.empty()) return {};
  const data::View view = maker_.task().protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
  const bool keep = !context_.device.is_cpu() && systems_.size() <= kMostKeptSystems;
  eval::EvaluateOptions options;
  options.classical = false;
  options.context = context_;
  if (keep) options.batch = kKeptBatch, options.kept = &kept_;
  return eval::evaluate(model_, maker_, systems_, view, options, {}, stop).model;
}

}  // namespace lgode::train
