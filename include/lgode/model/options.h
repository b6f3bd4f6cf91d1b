// Sizes and choices of the model; SPEC's names and defaults.
#pragma once

#include <cstdint>
#include <optional>

#include "lgode/core/options.h"
#include "lgode/ode/solve.h"
#include "lgode/ops/impl.h"
#include "lgode/ops/temporal_attention.h"

namespace lgode::model {

enum class Interaction { kAll, kNeighbours };
enum class Grid { kOwn, kUnion };
enum class DecoderKind { kLinear, kMlp };

struct ModelOptions {
  std::int64_t encoder_width = 64;    // d
  std::int64_t sequence_width = 128;  // u
  std::int64_t latent = 16;           // L
  std::int64_t augment = 64;          // A
  std::int64_t hidden = 128;          // H
  std::int64_t layers = 2;
  std::int64_t heads = 1;
  std::optional<double> window;  // auto: data::default_window
  ops::Direction direction = ops::Direction::kBoth;
  double time_frequency = 200.0;  // c of the time encoding
  double dropout = 0.2;
  Interaction interaction = Interaction::kAll;
  DecoderKind decoder = DecoderKind::kLinear;
  double sigma = 0.01;  // standard deviation of the likelihood, normalised units
  ode::Solver solver = ode::Solver::kRk4;
  double step = 1.0 / 15.0;  // of the time unit
  Grid grid = Grid::kOwn;
  std::int64_t refine = 5;  // grid=union: steps an interval
  ode::Gradient gradient = ode::Gradient::kRecompute;
  double rtol = 1e-4;
  double atol = 1e-6;
  std::int64_t max_solver_steps = 10000;
  ops::Impl impl = ops::Impl::kAuto;
  ops::Precision precision = ops::Precision::kBf16;
};

void declare(OptionSet& options, ModelOptions& model);

}  // namespace lgode::model
