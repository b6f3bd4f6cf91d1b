// Names, ranges and help texts of the model's options, and the encoder pieces of each variant.
#include "lgode/model/options.h"

#include <iterator>
#include <utility>

#include "lgode/core/methods.h"
#include "lgode/core/options.h"
#include "lgode/model/base.h"

namespace lgode::model {
namespace {

constexpr std::initializer_list<std::pair<const char*, ModelKind>> kModels = {
    {"assimilate", ModelKind::kAssimilate}, {"lg-ode", ModelKind::kLgOde},
    {"latent-ode", ModelKind::kLatentOde},  {"weight-decay", ModelKind::kWeightDecay},
    {"edge-gnn", ModelKind::kEdgeGnn},      {"rnn-nri", ModelKind::kRnnNri},
    {"frames", ModelKind::kFrames}};
constexpr std::initializer_list<std::pair<const char*, Variant>> kVariants = {
    {"full", Variant::kFull},          {"first", Variant::kFirst}, {"mean", Variant::kMean},
    {"no-att", Variant::kNoAttention}, {"no-pe", Variant::kNoPe},  {"fixed-pe", Variant::kFixedPe}};

constexpr std::int64_t kMostFutures = 1000;
// Largest width of a layer: far above useful values, but a matrix of this width still fits into memory.
constexpr std::int64_t kWidest = 16384;

template <class Enum>
std::string_view name_of(std::initializer_list<std::pair<const char*, Enum>> names, Enum value) {
  for (const auto& [name, known] : names)
    if (known == value) return name;
  return {};
}

void declare_kind(OptionSet& o, ModelOptions& m) {
  o.group("Model");
  o.add_choice("model", &m.kind, kModels,
               "assimilate: a graph ODE that is corrected at each observation; frames: forecasts of scenes, objects "
               "that move in "
               "a plane or in space, in each object's own frame; lg-ode: the paper's model, and the default with a "
               "variant or the "
               "paper's recipe; the others: the paper's baselines");
  o.add_choice("variant", &m.variant, kVariants, "lg-ode with one piece replaced; full: none");
}

void declare_encoder(OptionSet& o, ModelOptions& m) {
  using ops::Direction;
  o.group("Encoder");
  o.add("encoder_width", &m.encoder_width, {1, kWidest}, "width d of an observation's representation");
  o.add("sequence_width", &m.sequence_width, {1, kWidest}, "width u of an object's sequence representation");
  o.add("layers", &m.layers, {0, 64}, "graph attention layers");
  o.add("heads", &m.heads, {1, kWidest}, "attention heads; must divide encoder_width");
  o.add("window", &m.window, {0.0},
        "longest temporal edge, in model time; auto: from the numbers of observations in the data");
  o.add_choice("direction", &m.direction,
               {{"both", Direction::kBoth}, {"past", Direction::kPast}, {"future", Direction::kFuture}},
               "observations that send messages to an observation: all, earlier or later ones");
  o.add("time_frequency", &m.time_frequency, {.low = 0.0, .open_low = true}, "frequency c of the time encoding");
  o.add_choice("sweep", &m.sweep, {{"backwards", Sweep::kBackwards}, {"to-start", Sweep::kToStart}},
               "latent-ode: the encoder runs backwards in time, or in the direction that ends at the start");
  o.add("grid_step", &m.grid_step, {.low = 1e-5},
        "rnn-nri: step of its time grid, in model time; auto: from the times in the data");
  o.add_former_key("cell", "grid_step");
  o.add("dropout", &m.dropout, {0.0, 0.99}, "dropout in the encoder");
}

template <std::size_t... k>
void add_base(OptionSet& o, ModelOptions& m, std::index_sequence<k...> /*of kClassicalMethods*/) {
  o.add_choice(
      "base", &m.base,
      {{"auto", Base::kAuto}, {"own", Base::kOwn}, {kClassicalMethods[k].word, base_of(kClassicalMethods[k].kind)}...},
      "assimilate: the classical path that training starts at and adds to; auto: the one with the lowest error "
      "on the validation part; own: what the state makes without training");
}

void declare_generative(OptionSet& o, ModelOptions& m) {
  o.group("Generative model");
  o.add("latent", &m.latent, {1, kWidest}, "latent width L");
  o.add("augment", &m.augment, {0, kWidest}, "number A of zeros appended to the latent state");
  o.add("hidden", &m.hidden, {1, kWidest}, "width H of the dynamics' hidden layers");
  o.add_choice("ode", &m.ode, {{"graph", OdeKind::kGraph}, {"independent", OdeKind::kIndependent}},
               "dynamics: objects interact, or each evolves on its own");
  o.add_choice("interaction", &m.interaction, {{"all", Interaction::kAll}, {"neighbours", Interaction::kNeighbours}},
               "pairs that interact in the dynamics: all, or related ones only");
  o.add("state", &m.state, {0, kWidest},
        "assimilate and frames: hidden coordinates of the state, in addition to the features");
  o.add("memory", &m.memory, {.low = 0.0, .open_low = true},
        "assimilate and frames, forecasts: time after which an object without observations leaves and an observation "
        "no longer "
        "counts in the posterior, in model time; auto: the length of the training range");
  o.add_choice("tie", &m.tie,
               {{"auto", TieKind::kAuto}, {"exact", TieKind::kExact}, {"remainder", TieKind::kRemainder}},
               "assimilate: a position moves exactly at its velocity, or with a learned remainder; auto: exactly where "
               "velocities are in the data");
  o.add_choice("gain", &m.gain, {{"auto", Gain::kAuto}, {"one", Gain::kOne}, {"learned", Gain::kLearned}},
               "assimilate: at an observation a feature takes its value, or moves towards it by a learned share, which "
               "starts at that of a Kalman filter of the data's noise; auto: learned where base is kalman, else one");
  add_base(o, m, std::make_index_sequence<std::size(kClassicalMethods)>());
  o.add_choice(
      "neighbours", &m.neighbours,
      {{"frozen", Neighbours::kFrozen}, {"moving", Neighbours::kMoving}, {"none", Neighbours::kNone}},
      "frames: what an object knows of the others: what they did until the start; also, at every step, where they are "
      "by then (slower); or nothing");
  o.add_choice(
      "place", &m.place, {{"auto", Place::kAuto}, {"on", Place::kOn}, {"off", Place::kOff}},
      "frames: absolute position and heading are inputs, for scenes in one place, such as a court; auto: if the "
      "validation error is lower with them after a short trial");
  o.add_retired_key("bridge", "none",
                    "only paths of `model` assimilate are bridged: train again with it or without a bridge, or use the "
                    "version of lgode that wrote this");
  o.add("unbridged", &m.unbridged, {0.0}, "assimilate, interpolation: weight of the error of the path before bridging");
  o.add_choice("decoder", &m.decoder, {{"linear", DecoderKind::kLinear}, {"mlp", DecoderKind::kMlp}}, "decoder");
  o.add_choice(
      "loss", &m.loss, {{"squared", Loss::kSquared}, {"distance", Loss::kDistance}},
      "what training lowers: squared errors, as a likelihood; or, with frames, the mean distance of positions, "
      "which outliers dominate less");
  o.add("futures", &m.futures, {1, kMostFutures},
        "several outcomes with their probabilities, beside the mean path; 1: the mean path only");
  o.add_choice("futures_of", &m.futures_of, {{"object", FuturesOf::kObject}, {"scene", FuturesOf::kScene}},
               "what a future belongs to: each object has its own ones; or all objects of a scene share them, so that "
               "what happens in one of them happens together");
  o.add("sigma", &m.sigma, {.low = 0.0, .open_low = true}, "standard deviation of the likelihood, normalised units");
}

void declare_solver(OptionSet& o, ModelOptions& m) {
  using ops::Impl;
  o.group("Solver");
  o.add_choice("solver", &m.solver,
               {{"rk4", ode::Solver::kRk4},
                {"rk4-classic", ode::Solver::kRk4Classic},
                {"euler", ode::Solver::kEuler},
                {"midpoint", ode::Solver::kMidpoint},
                {"dopri5", ode::Solver::kDopri5},
                {"tsit5", ode::Solver::kTsit5}},
               "Runge-Kutta rule; dopri5 and tsit5 control their error");
  o.add("step", &m.step, {.low = 1e-5}, "step size of the fixed-step solvers, in model time");
  o.add_choice("grid", &m.grid, {{"own", Grid::kOwn}, {"union", Grid::kUnion}},
               "steps: one grid per system, or the union of the batch's times as in the paper");
  o.add("refine", &m.refine, {1}, "grid=union: steps between two neighbouring times");
  o.add_choice("gradient", &m.gradient,
               {{"recompute", ode::Gradient::kRecompute},
                {"stored", ode::Gradient::kStored},
                {"adjoint", ode::Gradient::kAdjoint}},
               "how the gradient of the solve is computed");
  o.add("rtol", &m.rtol, {0.0, 1.0, true}, "relative tolerance of dopri5 and tsit5");
  o.add("atol", &m.atol, {0.0, 1.0, true}, "absolute tolerance of dopri5 and tsit5");
  o.add("max_solver_steps", &m.max_solver_steps, {1}, "attempts after which dopri5 and tsit5 give up");
  o.add_choice("impl", &m.impl, {{"auto", Impl::kAuto}, {"reference", Impl::kReference}, {"fused", Impl::kFused}},
               "implementation of the operators");
  o.add_choice("precision", &m.precision,
               {{"auto", ops::Precision::kAuto},
                {"float32", ops::Precision::kFloat32},
                {"tf32", ops::Precision::kTf32},
                {"bf16", ops::Precision::kBf16}},
               "precision of matrix products in training; tf32: on a GPU; bf16: the dynamics, on a GPU or a CPU with "
               "AVX512_BF16; "
               "auto: bf16 on a GPU, float32 on a CPU. Evaluation and prediction use float32");
}

}  // namespace

std::string_view model_name(ModelKind kind) { return name_of(kModels, kind); }
std::string_view variant_name(Variant variant) { return name_of(kVariants, variant); }

EncoderPieces encoder_pieces(const ModelOptions& options) {
  if (options.kind == ModelKind::kWeightDecay) return {Sender::kPlain, Weighing::kDecay, Summary::kWeighted};
  if (options.kind == ModelKind::kEdgeGnn) return {Sender::kGap, Weighing::kUniform, Summary::kWeighted};
  EncoderPieces pieces;
  switch (options.variant) {
    case Variant::kFull:
      break;
    case Variant::kFirst:
      pieces.summary = Summary::kFirst;
      break;
    case Variant::kMean:
      pieces.summary = Summary::kMean;
      break;
    case Variant::kNoAttention:
      pieces.weighing = Weighing::kUniform;
      break;
    case Variant::kNoPe:
      pieces.sender = Sender::kPlain;
      break;
    case Variant::kFixedPe:
      pieces.sender = Sender::kEncoded;
      break;
  }
  return pieces;
}

void declare(OptionSet& o, ModelOptions& m) {
  declare_kind(o, m);
  declare_encoder(o, m);
  declare_generative(o, m);
  declare_solver(o, m);
}

}  // namespace lgode::model
