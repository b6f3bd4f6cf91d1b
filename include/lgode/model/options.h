// Sizes and choices of the model, with their defaults. No LibTorch here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lgode/ode/gradient.h"
#include "lgode/ode/tableau.h"
#include "lgode/ops/direction.h"
#include "lgode/ops/impl.h"

namespace lgode {
class OptionSet;
}

namespace lgode::model {

// The rows of the paper's tables, and the model beyond them.
enum class ModelKind { kLgOde, kLatentOde, kWeightDecay, kEdgeGnn, kRnnNri, kAssimilate, kFrames };
// Whether the model is a classical path before any training, so that its first weights may be the best ones; and
// whether its forecasts depend on the past only, so that objects leave (ModelShape::memory).
constexpr bool starts_classical(ModelKind kind) { return kind == ModelKind::kAssimilate || kind == ModelKind::kFrames; }
constexpr bool forgets(ModelKind kind) { return starts_classical(kind); }
// LG-ODE with one piece replaced, as in the paper's ablation.
enum class Variant { kFull, kFirst, kMean, kNoAttention, kNoPe, kFixedPe };
enum class OdeKind { kGraph, kIndependent };
enum class Sweep { kBackwards, kToStart };

enum class Interaction { kAll, kNeighbours };
enum class Grid { kOwn, kUnion };
enum class DecoderKind { kLinear, kMlp };
enum class Gain { kOne, kLearned, kAuto };
// The base path of model assimilate: the best one on the validation part, none, or a classical method.
enum class Base { kAuto, kOwn, kLinear, kHermite, kHold, kConstantVelocity, kDamped, kKalman };
enum class TieKind { kAuto, kExact, kRemainder };
enum class Loss { kSquared, kDistance };
enum class Neighbours { kFrozen, kMoving, kNone };
// frames: whether absolute position and heading are inputs; kAuto is settled before training (train/place.h) and means
// kOff in a model.
enum class Place { kAuto, kOn, kOff };
// What one of several futures belongs to: each object has its own ones, or all objects of a system share them.
enum class FuturesOf { kObject, kScene };

struct ModelOptions {
  ModelKind kind = ModelKind::kLgOde;
  Variant variant = Variant::kFull;
  std::int64_t encoder_width = 64;    // d
  std::int64_t sequence_width = 128;  // u
  std::int64_t latent = 16;           // L
  std::int64_t augment = 64;          // A
  std::int64_t hidden = 128;          // H
  std::int64_t state = 24;            // assimilate, frames: W, hidden coordinates of the state
  TieKind tie = TieKind::kAuto;       // assimilate
  std::optional<double> memory;       // assimilate, frames, forecasts: ModelShape::memory; auto: the training range
  Gain gain = Gain::kAuto;            // assimilate; auto: learns_gain()
  Base base = Base::kAuto;            // assimilate: ModelShape::base
  Neighbours neighbours = Neighbours::kFrozen;  // frames
  Place place = Place::kAuto;                   // frames
  Loss loss = Loss::kSquared;                   // of training; kDistance: frames
  std::int64_t futures = 1;                     // K; 1: the mean path only
  FuturesOf futures_of = FuturesOf::kObject;
  double unbridged = 0.003;  // assimilate, interpolation: weight of the error of the path before bridging
  std::int64_t layers = 2;
  std::int64_t heads = 1;
  std::optional<double> window;     // auto: data::default_window
  std::optional<double> grid_step;  // rnn-nri: model time; auto: from the times in the data
  ops::Direction direction = ops::Direction::kBoth;
  double time_frequency = 200.0;  // c of the time encoding TE(c Dt), Eq. 5
  double dropout = 0.0;
  Sweep sweep = Sweep::kBackwards;  // latent-ode: direction in which the encoder processes a series
  OdeKind ode = OdeKind::kGraph;
  Interaction interaction = Interaction::kAll;
  DecoderKind decoder = DecoderKind::kLinear;
  double sigma = 0.01;  // standard deviation of the likelihood, normalised units
  ode::Solver solver = ode::Solver::kRk4;
  double step = 1.0 / 15.0;  // model time
  Grid grid = Grid::kOwn;
  std::int64_t refine = 5;  // grid=union: steps per interval
  ode::Gradient gradient = ode::Gradient::kRecompute;
  double rtol = 1e-4;
  double atol = 1e-6;
  std::int64_t max_solver_steps = 10000;
  ops::Impl impl = ops::Impl::kAuto;
  ops::Precision precision = ops::Precision::kAuto;
  // Not an option: the precision comes from a saved config, so that a machine without it trains in float32.
  bool precision_is_saved = false;
};

void declare(OptionSet& options, ModelOptions& model);

// "weight-decay", "no-pe" and so on, as options spell them.
std::string_view model_name(ModelKind kind);
std::string_view variant_name(Variant variant);

// hat of Eq. 5: the message of a source to an observation in the graph layers. x is the source's representation,
// D the time gap.
enum class Sender {
  kLearned,  // ReLU(W_t [x | D] + b_t) + TE(D)
  kGap,      // ReLU(W_t [x | D] + b_t)
  kPlain,    // x
  kEncoded,  // x + TE(D)
};
// How the messages of the sources are weighted.
enum class Weighing { kAttention, kUniform, kDecay };
// How an object's observations are combined into one vector; kAttention is Eq. 6.
enum class Summary { kAttention, kMean, kFirst, kWeighted };

// The pieces of the encoder for a model and a variant (latent-ode and rnn-nri have encoders of their own).
struct EncoderPieces {
  Sender sender = Sender::kLearned;
  Weighing weighing = Weighing::kAttention;
  Summary summary = Summary::kAttention;
};
EncoderPieces encoder_pieces(const ModelOptions& options);

}  // namespace lgode::model
