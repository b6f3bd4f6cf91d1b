// The other rows of the tables: compares the pieces of each row with plain loops, and checks common properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/model/decay.h"
#include "lgode/model/lgode.h"
#include "lgode/ops/time_encoding.h"
#include "support/batches.h"
#include "support/numeric.h"
#include "support/scenes.h"
#include "support/temp_folder.h"

namespace lgode::model {
namespace {

using data::Batch;
using data::BatchMaker;
using data::View;
using lgode::testing::autograd_gradients;
using lgode::testing::distance;
using lgode::testing::expect_close;
using lgode::testing::mix;
using lgode::testing::random_maker;

struct Row {
  const char* name;
  ModelKind kind = ModelKind::kLgOde;
  Variant variant = Variant::kFull;
  Neighbours neighbours = Neighbours::kFrozen;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

const std::vector<Row> kRows = {{"lg_ode"},
                                {"first", ModelKind::kLgOde, Variant::kFirst},
                                {"mean", ModelKind::kLgOde, Variant::kMean},
                                {"no_att", ModelKind::kLgOde, Variant::kNoAttention},
                                {"no_pe", ModelKind::kLgOde, Variant::kNoPe},
                                {"fixed_pe", ModelKind::kLgOde, Variant::kFixedPe},
                                {"weight_decay", ModelKind::kWeightDecay},
                                {"edge_gnn", ModelKind::kEdgeGnn},
                                {"latent_ode", ModelKind::kLatentOde},
                                {"rnn_nri", ModelKind::kRnnNri},
                                {"assimilate", ModelKind::kAssimilate},
                                {"frames", ModelKind::kFrames},
                                {"frames_moving", ModelKind::kFrames, Variant::kFull, Neighbours::kMoving}};

bool forecasts_only(const Row& row) { return row.kind == ModelKind::kFrames; }
data::TaskOptions task_of(const Row& row) {
  return {.task = forecasts_only(row) ? data::Task::kExtrapolate : data::Task::kInterpolate};
}

ModelOptions small(const Row& row) {
  ModelOptions o;
  o.kind = row.kind, o.variant = row.variant, o.neighbours = row.neighbours;
  o.encoder_width = 8, o.sequence_width = 6, o.latent = 4, o.augment = 3, o.hidden = 8, o.heads = 2;
  return o;
}

ModelShape shape_of(const BatchMaker& maker) {
  ModelShape shape{
      maker.dataset().features(),    static_cast<std::int64_t>(maker.dataset().description().relation_types.size()),
      maker.dataset().has_missing(), 0.4,
      maker.dataset().objects_of(0), 0.11};
  shape.forecast = maker.task().task == data::Task::kExtrapolate;
  shape.frames = lgode::testing::frames_of(maker);
  return shape;
}

// Replaces the initial weights: LayerNorm has only ones and zeros.
void shake(Parameters& p, double size) {
  at::NoGradGuard no_grad;
  p.flat().add_(at::sin(at::arange(p.count(), at::kDouble) * 0.7).to(p.flat().options()) * size);
}

class RowTest : public ::testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(All, RowTest, ::testing::ValuesIn(kRows), [](const auto& c) { return c.param.name; });

TEST_P(RowTest, PredictionAndGradientDoNotDependOnTheBatch) {
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    if (task == data::Task::kInterpolate && forecasts_only(GetParam())) continue;
    const BatchMaker maker =
        random_maker({.objects = {3, 3, 3, 3}, .max_length = 12, .missing = 0.1, .blind = true}, {.task = task});
    const std::unique_ptr<Model> model = make_model(small(GetParam()), shape_of(maker), 7, at::kDouble);
    shake(model->parameters(), 0.05);
    std::vector<at::Tensor> leaves;
    for (const Parameters::Entry& e : model->parameters().entries()) leaves.push_back(e.tensor);
    const BatchTensors together = model->tensors(maker.make({0, 1, 2}, View::kValidate));
    const at::Tensor all = model->mean_path(together);
    for (std::int64_t system : {0, 1, 2}) {
      const auto b =
          std::find(together.batch.system.begin(), together.batch.system.end(), system) - together.batch.system.begin();
      const Batch& tb = together.batch;
      const at::Tensor shared =
          all.slice(0, tb.target_offsets[tb.object_offsets[b]], tb.target_offsets[tb.object_offsets[b + 1]]);
      ASSERT_GT(shared.size(0), 0);
      const at::Tensor own = model->mean_path(model->tensors(maker.make({system}, View::kValidate)));
      expect_close(own.detach(), shared.detach(), 1e-12);
      const auto expected = autograd_gradients(mix(own, 0.2), leaves),
                 got = autograd_gradients(mix(shared, 0.2), leaves);
      double largest = 0;
      for (const at::Tensor& g : expected) largest = std::max(largest, g.abs().max().item<double>());
      for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE(model->parameters().entries()[i].name);
        // A key's bias has no gradient where all sources are of one type: what is left are rounding errors.
        if (expected[i].abs().max().item<double>() < 1e-15 * largest)
          EXPECT_LT(got[i].abs().max().item<double>(), 1e-14 * largest);
        else
          expect_close(got[i], expected[i], 1e-11);
      }
    }
  }
}

TEST_P(RowTest, FloatAgreesWithDouble) {
  const BatchMaker maker = random_maker({.objects = {3, 3, 3, 3}, .missing = 0.2, .blind = true}, task_of(GetParam()));
  const Batch batch = maker.make({0, 1, 2}, View::kTrain, 3);
  const std::unique_ptr<Model> single = make_model(small(GetParam()), shape_of(maker), 7),
                               wide = make_model(small(GetParam()), shape_of(maker), 7, at::kDouble);
  const at::Tensor a = single->mean_path(single->tensors(batch)), b = wide->mean_path(wide->tensors(batch));
  expect_close(a.detach().to(at::kDouble), b.detach(), lgode::testing::rounding(at::kFloat, 512));
}

TEST_P(RowTest, SystemsThatShowNothingOrOneObservationWork) {
  if (forecasts_only(GetParam())) return;  // needs two positions: see FramesTest
  const data::Dataset set = lgode::testing::nothing_and_one_observation();
  const BatchMaker maker(set, data::fit_normalisation(set, {0, 1}), {.unseen = data::Unseen::kPredict});
  const std::unique_ptr<Model> model = make_model(small(GetParam()), shape_of(maker), 7, at::kDouble);
  for (const std::vector<BatchMaker::Request>& requests :
       {std::vector<BatchMaker::Request>{{0, {}, {0.1, 0.7}}},
        std::vector<BatchMaker::Request>{{0, {}, {0.1}}, {1, {}, {0.1}}}}) {
    const at::Tensor y = model->mean_path(model->tensors(maker.make_prediction(requests)));
    EXPECT_EQ(y.size(0), 2);
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    const auto gradients = autograd_gradients(y.sum(), {model->parameters().entries()[0].tensor});
    EXPECT_TRUE(gradients[0].isfinite().all().item<bool>());
  }
}

// One graph layer edge by edge, as in Eqs. 4 and 5.
at::Tensor layer_by_edges(const Parameters& p, const BatchTensors& batch, const ModelOptions& options) {
  const EncoderPieces pieces = encoder_pieces(options);
  const std::int64_t d = options.encoder_width, width = d / options.heads;
  const std::string name = "encoder.layer0";
  const at::Tensor h =
      at::layer_norm(at::relu(at::linear(batch.inputs, p["encoder.input.weight"], p["encoder.input.bias"])), {d},
                     p["encoder.input_norm.weight"], p["encoder.input_norm.bias"]);
  const at::Tensor x = at::layer_norm(h, {d}, p[name + ".norm.weight"], p[name + ".norm.bias"]);
  const ops::TemporalEdges edges = ops::temporal_edges(batch.graph);
  const at::Tensor te = ops::time_encoding(edges.gap, d, options.time_frequency, x.options());
  std::vector<at::Tensor> out;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const std::int64_t first = edges.target_offsets[t].item<std::int64_t>(),
                       last = edges.target_offsets[t + 1].item<std::int64_t>();
    std::vector<at::Tensor> messages, scores;
    for (std::int64_t e = first; e < last; ++e) {
      const std::int64_t type = edges.other[e].item<bool>() ? 1 : 0;
      const at::Tensor source = x[edges.source[e].item<std::int64_t>()];
      const at::Tensor gap = edges.gap[e].unsqueeze(0);
      at::Tensor hat = source;
      if (pieces.sender == Sender::kLearned || pieces.sender == Sender::kGap)
        hat = at::relu(at::linear(at::cat({source, gap}), p[name + ".time.weight"], p[name + ".time.bias"]));
      if (pieces.sender == Sender::kLearned || pieces.sender == Sender::kEncoded) hat = hat + te[e];
      messages.push_back(at::matmul(p[name + ".value.weight"][type], hat) + p[name + ".value.bias"][type]);
      at::Tensor score = edges.log_weight[e].expand({options.heads});
      if (pieces.weighing == Weighing::kAttention) {
        const at::Tensor key = at::matmul(p[name + ".key.weight"][type], hat) + p[name + ".key.bias"][type];
        const at::Tensor query = at::linear(x[t], p[name + ".query.weight"], p[name + ".query.bias"]);
        score = score + (key * query).view({options.heads, width}).sum(1) / std::sqrt(static_cast<double>(width));
      }
      if (pieces.weighing == Weighing::kDecay) score = score - at::softplus(p[name + ".decay"]) * gap.abs();
      scores.push_back(score);
    }
    const at::Tensor score = at::stack(scores);  // [edges, heads]
    const at::Tensor weight =
        pieces.weighing == Weighing::kDecay ? score.exp() / static_cast<double>(last - first) : at::softmax(score, 0);
    out.push_back((at::stack(messages).view({-1, options.heads, width}) * weight.unsqueeze(2)).sum(0).flatten());
  }
  return h + at::relu(at::stack(out));
}

TEST_P(RowTest, GraphLayerIsTheSumOverEdges) {
  if (GetParam().kind == ModelKind::kLatentOde || GetParam().kind == ModelKind::kRnnNri) return;  // have none
  if (GetParam().kind == ModelKind::kFrames) return;                                              // nor has this
  if (GetParam().kind == ModelKind::kAssimilate) return;                                          // as lg_ode
  for (ops::Direction direction : {ops::Direction::kBoth, ops::Direction::kPast, ops::Direction::kFuture}) {
    const BatchMaker maker = random_maker({.missing = 0.1});
    ModelOptions options = small(GetParam());
    options.layers = 1, options.direction = direction;
    LgOde model(options, shape_of(maker), 7, at::kDouble);
    shake(model.parameters(), 0.4);
    const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
    const at::Tensor got = model.encode(batch).h, expected = layer_by_edges(model.parameters(), batch, options);
    expect_close(got.detach(), expected.detach(), 1e-10);
    std::vector<at::Tensor> leaves;
    for (const Parameters::Entry& e : model.parameters().entries()) leaves.push_back(e.tensor);
    const auto a = autograd_gradients(mix(got, 0.3), leaves), b = autograd_gradients(mix(expected, 0.3), leaves);
    for (std::size_t i = 0; i < a.size(); ++i) expect_close(a[i], b[i], 1e-10);
  }
}

bool has_parameter(Model& model, const std::string& part) {
  const auto& entries = model.parameters().entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& e) { return e.name.find(part) != std::string::npos; });
}

// A model has no unused weights: each of them changes the result.
TEST_P(RowTest, EveryWeightMatters) {
  const BatchMaker maker =
      random_maker({.objects = {3, 3, 3, 3}, .min_length = 6, .max_length = 12}, task_of(GetParam()));
  const std::unique_ptr<Model> model = make_model(small(GetParam()), shape_of(maker), 7, at::kDouble);
  shake(model->parameters(), 0.05);
  std::vector<at::Tensor> leaves;
  for (const Parameters::Entry& e : model->parameters().entries()) leaves.push_back(e.tensor);
  const BatchTensors batch = model->tensors(maker.make({0, 1, 2}, View::kValidate));
  const auto rollout = model->prepare(batch.batch);
  const at::Tensor noise = latent_noise(batch.batch, 1, model->latent(), 3, RandomUse::kLatent, 0, at::kDouble);
  const auto gradients = autograd_gradients(mix(model->paths(batch, *rollout, noise, {}).values, 0.1), leaves);
  for (std::size_t i = 0; i < gradients.size(); ++i)
    EXPECT_GT(gradients[i].abs().max().item<double>(), 0) << model->parameters().entries()[i].name;
}

// With the same seed, rows start with the same weights in the pieces that they share.
TEST_P(RowTest, SharedPiecesStartWithTheValuesOfLgOde) {
  if (GetParam().kind == ModelKind::kRnnNri || GetParam().kind == ModelKind::kFrames) return;  // share none
  const BatchMaker maker = random_maker({});
  for (OdeKind ode : {OdeKind::kGraph, OdeKind::kIndependent}) {
    ModelOptions options = small(GetParam());
    options.ode = ode;
    const LgOde full(small(kRows[0]), shape_of(maker), 7, at::kDouble);
    const std::unique_ptr<Model> other = make_model(options, shape_of(maker), 7, at::kDouble);
    std::int64_t shared = 0;
    for (const Parameters::Entry& e : other->parameters().entries())
      for (const Parameters::Entry& f : full.parameters().entries())
        // A layer of fewer inputs has wider bounds.
        if (e.name == f.name && e.shape == f.shape && e.bound == f.bound) {
          expect_close(e.tensor.detach(), f.tensor.detach(), 0.0);
          ++shared;
        }
    EXPECT_GE(shared, 10);
  }
}

TEST(VariantTest, NoAttentionHasNeitherQueriesNorKeys) {
  const BatchMaker maker = random_maker({});
  for (const Row& row : kRows) {
    if (forecasts_only(row)) continue;
    const std::unique_ptr<Model> model = make_model(small(row), shape_of(maker), 7, at::kDouble);
    const EncoderPieces pieces = encoder_pieces(small(row));
    const bool graph = row.kind != ModelKind::kLatentOde && row.kind != ModelKind::kRnnNri;
    EXPECT_EQ(has_parameter(*model, ".query"), graph && pieces.weighing == Weighing::kAttention) << row;
    EXPECT_EQ(has_parameter(*model, ".key"), graph && pieces.weighing == Weighing::kAttention) << row;
    EXPECT_EQ(has_parameter(*model, "layer0.time"),
              graph && pieces.sender != Sender::kPlain && pieces.sender != Sender::kEncoded)
        << row;
  }
}

// Times within the window: they do not change the graph layers of no-pe, but do change fixed-pe.
TEST(VariantTest, NoPeDoesNotSeeTimes) {
  const BatchMaker maker = random_maker({});
  for (Variant variant : {Variant::kNoPe, Variant::kFixedPe, Variant::kNoAttention}) {
    ModelShape shape = shape_of(maker);
    shape.window = 10;
    LgOde model(small({"", ModelKind::kLgOde, variant}), shape, 7, at::kDouble);
    Batch batch = maker.make({0, 1, 2}, View::kValidate);
    const at::Tensor before = model.encode(model.tensors(batch)).h.detach();
    for (double& t : batch.observation_times) t = t * t + 0.1;  // still ascending
    const double change = distance(model.encode(model.tensors(batch)).h.detach(), before);
    if (variant == Variant::kNoPe)
      EXPECT_EQ(change, 0.0);
    else
      EXPECT_GT(change, 1e-3);
  }
}

// hat of Eq. 6 for every observation, by hand.
at::Tensor sequence_hat(const Parameters& p, const BatchTensors& batch, const at::Tensor& h, bool encoded,
                        const ModelOptions& options) {
  const at::Tensor hat = at::relu(at::linear(at::cat({h, batch.times.unsqueeze(1)}, 1),
                                             p["encoder.sequence.time.weight"], p["encoder.sequence.time.bias"]));
  return encoded ? hat + ops::time_encoding(batch.times, options.sequence_width, options.time_frequency, h.options())
                 : hat;
}

TEST(SummaryTest, AttentionFirstMeanAndWeightedSumByHand) {
  const BatchMaker maker = random_maker({.blind = true});
  for (const Row& row : {kRows[0], kRows[1], kRows[2], kRows[6], kRows[7]}) {
    SCOPED_TRACE(row.name);
    const ModelOptions options = small(row);
    LgOde model(options, shape_of(maker), 7, at::kDouble);
    const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
    const Encoding encoding = model.encode(batch);
    const Summary kind = encoder_pieces(options).summary;
    const at::Tensor hat =
        sequence_hat(model.parameters(), batch, encoding.h, kind != Summary::kWeighted, options).detach();
    std::int64_t blind = 0;
    for (std::int64_t i = 0; i < batch.batch.objects(); ++i) {
      const std::int64_t begin = batch.batch.observation_offsets[i], end = batch.batch.observation_offsets[i + 1];
      if (begin == end) {
        ++blind;
        continue;
      }
      const at::Tensor own = hat.slice(0, begin, end);
      at::Tensor expected = own[0];
      if (kind == Summary::kAttention) {
        const at::Tensor w_a = model.parameters()["encoder.sequence.gate.weight"].detach() / std::sqrt(6.0);
        const at::Tensor a = at::tanh(at::matmul(w_a, own.mean(0)));
        expected = (at::sigmoid(at::matmul(own, a)).unsqueeze(1) * own).mean(0);
      }
      if (kind == Summary::kMean) expected = own.mean(0);
      if (kind == Summary::kWeighted)
        expected = (own * at::softmax(at::linear(own, model.parameters()["encoder.sequence.score.weight"]), 0))
                       .sum(0)
                       .detach();
      expect_close(encoding.u[i].detach(), expected, 1e-12);
    }
    EXPECT_EQ(blind, 1);
  }
}

// A step of Adam changes every weight by at most the learning rate. Even the step that closes the gates fastest must
// leave much of u: closed gates have no gradient and never open again.
TEST(SummaryTest, OneStepOfTheOptimiserDoesNotCloseTheGates) {
  constexpr double kRate = 2e-3;
  const BatchMaker maker = random_maker({});
  LgOde model({}, shape_of(maker), 7, at::kDouble);
  const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  const Encoding before = model.encode(batch);
  const at::Tensor hat = sequence_hat(model.parameters(), batch, before.h, true, model.options()).detach().mean(0);
  at::NoGradGuard no_grad;
  at::Tensor gate = model.parameters()["encoder.sequence.gate.weight"];
  gate.zero_();
  const double open = model.encode(batch).u.norm().item<double>();
  gate.sub_(kRate * at::outer(hat.sign(), hat.sign()));
  EXPECT_GT(model.encode(batch).u.norm().item<double>(), 0.3 * open);
}

// The ODE-RNN object by object, step by step.
TEST(OdeRnnTest, IsARecurrentNetworkBetweenOdes) {
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate})
    for (Sweep sweep : {Sweep::kBackwards, Sweep::kToStart}) {
      const BatchMaker maker = random_maker({.min_length = 1, .max_length = 7}, {.task = task});
      ModelOptions options = small({"", ModelKind::kLatentOde});
      options.sweep = sweep;
      LgOde model(options, shape_of(maker), 7, at::kDouble);
      const Parameters& p = model.parameters();
      const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
      const at::Tensor u = model.encode(batch).u.detach();
      auto follow = [&](at::Tensor s, double gap) {
        const double steps = std::max(1.0, std::ceil(std::abs(gap) / options.step - 1e-6));
        for (int k = 0; k < static_cast<int>(steps); ++k)
          s = s + gap / steps *
                      at::linear(at::tanh(at::linear(s, p["encoder.ode.layer1.weight"], p["encoder.ode.layer1.bias"])),
                                 p["encoder.ode.layer2.weight"], p["encoder.ode.layer2.bias"]);
        return s;
      };
      auto gru = [&](const at::Tensor& s, const at::Tensor& o) {
        const auto i = at::linear(o, p["encoder.gru.input.weight"], p["encoder.gru.input.bias"]).chunk(3);
        const auto h = at::linear(s, p["encoder.gru.state.weight"], p["encoder.gru.state.bias"]).chunk(3);
        const at::Tensor reset = at::sigmoid(i[0] + h[0]), update = at::sigmoid(i[1] + h[1]);
        return (1 - update) * at::tanh(i[2] + reset * h[2]) + update * s;
      };
      const Batch& b = batch.batch;
      for (std::int64_t i = 0; i < b.objects(); ++i) {
        std::vector<std::int64_t> order;
        for (std::int64_t r = b.observation_offsets[i]; r < b.observation_offsets[i + 1]; ++r) order.push_back(r);
        if (order.empty()) continue;
        const bool forwards = sweep == Sweep::kToStart && task == data::Task::kExtrapolate;
        if (!forwards) std::reverse(order.begin(), order.end());
        at::Tensor s = at::zeros({options.sequence_width}, at::kDouble);
        double now = b.observation_times[order[0]];
        for (std::int64_t r : order) {
          s = gru(follow(s, b.observation_times[r] - now), batch.inputs[r]);
          now = b.observation_times[r];
        }
        expect_close(u[i], follow(s, -now).detach(), 1e-12);
      }
    }
}

TEST(LatentOdeTest, IndependentObjectsDoNotKnowEachOther) {
  const BatchMaker maker = random_maker({});
  for (OdeKind ode : {OdeKind::kIndependent, OdeKind::kGraph}) {
    ModelOptions options = small({"", ModelKind::kLatentOde});
    options.ode = ode;
    LgOde model(options, shape_of(maker), 7, at::kDouble);
    EXPECT_EQ(has_parameter(model, "dynamics.message"), ode == OdeKind::kGraph);
    Batch batch = maker.make({2}, View::kValidate);
    const at::Tensor before = model.mean_path(model.tensors(batch)).detach();
    // Only the first object's observations change.
    for (std::int64_t k = 0; k < batch.observation_offsets[1] * batch.features; ++k)
      batch.observation_values[static_cast<std::size_t>(k)] += 0.5F;
    const at::Tensor after = model.mean_path(model.tensors(batch)).detach();
    const std::int64_t own = batch.target_offsets[1];
    EXPECT_GT(distance(after.slice(0, 0, own), before.slice(0, 0, own)), 1e-3);
    const double others = distance(after.slice(0, own), before.slice(0, own));
    if (ode == OdeKind::kIndependent)
      EXPECT_EQ(others, 0.0);
    else
      EXPECT_GT(others, 1e-6);
  }
}

TEST(OdeRnnTest, ATimeFarAwayIsRefused) {
  const BatchMaker maker = random_maker({});
  LgOde model(small({"", ModelKind::kLatentOde}), shape_of(maker), 7, at::kDouble);
  data::Batch batch = maker.make({0}, View::kValidate);
  EXPECT_NO_THROW(model.tensors(batch));
  batch.observation_times[0] = -1e30;
  lgode::testing::expect_error<ConfigError>([&] { model.tensors(batch); }, {"latent-ode", "is a time wrong", "`step`"});
}

TEST(DecayTest, GroupsOfSystemsCoverTheBatchInOrder) {
  const BatchMaker maker = random_maker({.blind = true});
  LgOde model(small({"", ModelKind::kWeightDecay}), shape_of(maker), 7, at::kDouble);
  const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  std::vector<std::int64_t> rows;
  const auto* input = dynamic_cast<const DecayInput*>(batch.encoder_input.get());
  ASSERT_NE(input, nullptr);
  for (const SystemGroup& group : input->groups) {
    const at::Tensor flat = group.rows.flatten().index_select(0, group.slots);
    for (std::int64_t i = 0; i < flat.numel(); ++i) rows.push_back(flat[i].item<std::int64_t>());
    EXPECT_EQ(group.present.sum().item<std::int64_t>(), group.slots.numel());
  }
  ASSERT_EQ(static_cast<std::int64_t>(rows.size()), batch.batch.observations());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], static_cast<std::int64_t>(i));
}

}  // namespace
}  // namespace lgode::model
