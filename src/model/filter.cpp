// The assimilating model as a recurrence: see the header. Attention is in its folded form, ops/attention_fold.h.
#include "lgode/model/filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "lgode/ops/read.h"
#include "lgode/ops/time_encoding.h"
#include "model/layers.h"
#include "ops/attention_fold.h"

namespace lgode::model {
namespace {

const Assimilate& checked(const Model* model) {
  const auto* own = dynamic_cast<const Assimilate*>(model);
  TORCH_CHECK_VALUE(own != nullptr && own->shape().forecast && own->device().is_cpu(),
                    "Filter: expected a model of kind assimilate that forecasts, on the CPU");
  return *own;
}

at::Tensor floats(const std::vector<float>& values, at::IntArrayRef shape) {
  at::Tensor out = at::empty(shape, at::TensorOptions(at::kFloat));
  std::copy(values.begin(), values.end(), out.data_ptr<float>());
  return out;
}

at::Tensor indices(const std::vector<std::int64_t>& values) {
  at::Tensor out = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(at::kLong));
  std::copy(values.begin(), values.end(), out.data_ptr<std::int64_t>());
  return out;
}

std::int64_t place_of(const std::vector<std::int64_t>& list, std::int64_t object) {
  return std::find(list.begin(), list.end(), object) - list.begin();
}

}  // namespace

Filter::Filter(std::shared_ptr<const Model> model)
    : owner_(std::move(model)), model_(checked(owner_.get())), spare_(std::make_shared<ops::SpareMemory>()) {
  const at::NoGradGuard no_grad;
  const Parameters& p = model_.parameters_;
  const GraphLayers& layers = *model_.encoder_.layers();
  attention_ = layers.attention();
  for (std::int64_t l = 0; l < layers.count(); ++l) {
    const std::string norm = GraphLayers::layer_name(l) + ".norm";
    const ops::FoldedAttention folded =
        ops::fold_attention(layers.weights(p, l), attention_.heads, model_.options_.encoder_width);
    layers_.push_back({p[norm + ".weight"], p[norm + ".bias"], folded.w_in, folded.b_in, folded.slope, folded.w_out});
  }
  dynamics_ = model_.dynamics_.weights(p);
  for (const TiedPair& tie : model_.shape_.ties)
    ties_.push_back({tie.position, tie.velocity, tie.factor, tie.remainder});
}

void Filter::observe(SceneState& state, double time, const Rows& rows, const Relations& relations) const {
  const at::NoGradGuard no_grad;
  TORCH_CHECK_VALUE(!state.begun || time > state.time, "Filter: rows of time ", time, " after those of ", state.time);
  if (state.begun) advance(state, time, relations);
  state.begun = true, state.time = time;
  if (!rows.object.empty()) jump(state, time, rows, encode(state, time, rows, relations));
  forget(state);
}

ops::PairGraph Filter::pairs(const std::vector<std::int64_t>& objects, std::int64_t samples,
                             const Relations& relations) const {
  data::Batch batch;
  const auto count = static_cast<std::int64_t>(objects.size());
  batch.object_offsets = {0, count};
  batch.system = {0};
  std::vector<data::Relation> list = relations(objects);
  std::stable_sort(list.begin(), list.end(),
                   [](const data::Relation& a, const data::Relation& b) { return a.target < b.target; });
  batch.relation_offsets = {0};
  std::size_t at = 0;
  for (std::int64_t target = 0; target < count; ++target) {
    for (; at < list.size() && list[at].target == target; ++at) {
      batch.relation_sources.push_back(list[at].source);
      batch.relation_types.push_back(list[at].type);
      batch.relation_weights.push_back(list[at].weight);
    }
    batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
  }
  return model_.dynamics_.pairs(batch, RowLayout::make(batch, samples), at::kFloat);
}

void Filter::advance(SceneState& state, double time, const Relations& relations) const {
  const at::NoGradGuard no_grad;
  const double gap = time - state.time, memory = model_.shape_.memory;
  const auto leaves = [&](double last) { return outlasts(time - last, memory); };
  const auto count = static_cast<std::int64_t>(state.objects.size());
  const bool all_leave = std::all_of(state.last_seen.begin(), state.last_seen.end(), leaves);
  const auto steps = static_cast<std::int64_t>(std::ceil(gap / model_.options_.step - 1e-9));
  if (!all_leave && steps > 0) {
    ode::StepPlan plan{{0, count}, {{0.0}}};
    for (std::int64_t k = 1; k <= steps; ++k)
      plan.nodes[0].push_back(k == steps ? gap : gap * static_cast<double>(k) / static_cast<double>(steps));
    ops::Assimilation assimilation{{ties_, {}, {}}, {}, {}};
    if (std::any_of(state.last_seen.begin(), state.last_seen.end(), leaves))
      for (const double node : plan.nodes[0])
        for (const double last : state.last_seen)
          assimilation.events.present.push_back(outlasts(state.time + node - last, memory) ? 0 : 1);
    state.z = ops::assimilating_rk(state.z, dynamics_, pairs(state.objects, 1, relations), plan,
                                   ode::tableau(model_.options_.solver), assimilation,
                                   {model_.options_.gradient, model_.options_.impl, ops::Precision::kFloat32, spare_})
                  .states[steps];
  }
  state.time = time;
  std::vector<std::int64_t> kept, objects;
  std::vector<double> last_seen;
  for (std::int64_t i = 0; i < count; ++i) {
    if (leaves(state.last_seen[i])) continue;
    kept.push_back(i), objects.push_back(state.objects[i]), last_seen.push_back(state.last_seen[i]);
  }
  if (static_cast<std::int64_t>(kept.size()) == count) return;
  state.z = kept.empty() ? at::Tensor() : state.z.index_select(0, indices(kept));
  if (state.seen.defined()) state.seen = kept.empty() ? at::Tensor() : state.seen.index_select(0, indices(kept));
  state.objects = std::move(objects), state.last_seen = std::move(last_seen);
}

// The vectors of the new rows after the last layer, [R, d], which are appended to the state's.
at::Tensor Filter::encode(SceneState& state, double time, const Rows& rows, const Relations& relations) const {
  const Parameters& p = model_.parameters_;
  const std::int64_t d = model_.options_.encoder_width, features = model_.shape_.features, heads = attention_.heads;
  const auto count = static_cast<std::int64_t>(rows.object.size());
  state.times.insert(state.times.end(), rows.object.size(), time);
  state.object.insert(state.object.end(), rows.object.begin(), rows.object.end());
  if (state.sent.empty()) state.sent.resize(layers_.size());

  // The sources: observations within the window, those of this time among them.
  const double reach = model_.shape_.window + ops::TemporalGraph::kWindowMargin;
  const auto begin = std::lower_bound(state.times.begin(), state.times.end(), time - reach) - state.times.begin();
  const auto sources = static_cast<std::int64_t>(state.times.size()) - begin;
  at::Tensor gap = at::empty({sources}, at::TensorOptions(at::kDouble));
  for (std::int64_t s = 0; s < sources; ++s) gap.data_ptr<double>()[s] = state.times[begin + s] - time;
  // log w of every edge, by row, type (own, other) and source; -inf: no edge.   [R, 1, 2, M]
  std::vector<std::int64_t> objects;
  std::vector<std::int64_t> place(static_cast<std::size_t>(sources));
  std::unordered_map<std::int64_t, std::int64_t> places;
  for (std::int64_t s = 0; s < sources; ++s) {
    const auto [found, fresh] = places.try_emplace(state.object[begin + s], static_cast<std::int64_t>(objects.size()));
    if (fresh) objects.push_back(state.object[begin + s]);
    place[s] = found->second;
  }
  std::vector<double> weight(objects.size() * objects.size(), 0.0);  // [target, source]
  for (const data::Relation& r : relations(objects))
    weight[static_cast<std::size_t>(r.target) * objects.size() + static_cast<std::size_t>(r.source)] += r.weight;
  at::Tensor edges = at::full({count, 1, 2, sources}, -std::numeric_limits<float>::infinity());
  for (std::int64_t r = 0; r < count; ++r) {
    float* own = edges.data_ptr<float>() + r * 2 * sources;
    const auto target = static_cast<std::size_t>(places.at(rows.object[r]));
    std::vector<float> log_weight(objects.size());
    for (std::size_t o = 0; o < objects.size(); ++o)
      log_weight[o] = static_cast<float>(std::log(weight[target * objects.size() + o]));
    for (std::int64_t s = 0; s < sources; ++s) {
      const auto source = static_cast<std::size_t>(place[s]);
      if (source == target)
        own[s] = 0.0F;
      else
        own[sources + s] = log_weight[source];
    }
  }

  const at::Tensor values = floats(rows.values, {count, features});
  const at::Tensor input =
      model_.shape_.append_mask ? at::cat({values, floats(rows.mask, {count, features})}, 1) : values;
  at::Tensor h = layer_norm(p, "encoder.input_norm", at::relu(linear(p, "encoder.input", input)));
  const at::Tensor encoding = ops::time_encoding(gap, d, attention_.frequency, h.options());
  const at::Tensor gaps = gap.to(at::kFloat).unsqueeze(1);
  const std::int64_t groups = 2 * heads;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    // [p | q | c] = x W_in + b_in
    const at::Tensor in = at::addmm(layer.b_in, ops::layer_norm(h, layer.norm_weight, layer.norm_bias), layer.w_in);
    at::Tensor& sent = state.sent[l];
    const at::Tensor own = in.slice(1, 0, d);
    sent = sent.defined() ? at::cat({sent, own}) : own.contiguous();
    // Eq. 5: hat_s = ReLU(P_s + D w) + TE(D)   [M, d]; the rows share their time, so it is the same for all
    const at::Tensor hat = at::relu(at::addcmul(sent.slice(0, begin), gaps, layer.slope)).add_(encoding);
    // Scores, and their softmax over sources of both types   [R, heads, 2, M]
    const at::Tensor query = in.slice(1, d, d + groups * d).reshape({count * groups, d});
    const at::Tensor score = at::mm(query, hat.t()).view({count, heads, 2, sources}) +
                             in.slice(1, d + groups * d, d + groups * d + groups).reshape({count, heads, 2, 1}) + edges;
    const at::Tensor share = at::softmax(score.view({count, heads, 2 * sources}), 2).view({count * groups, sources});
    // out = [m | a] W_out, m = sum of a hat
    const at::Tensor out =
        at::cat({at::mm(share, hat).view({count, groups * d}), share.sum(1).view({count, groups})}, 1);
    // Eq. 4
    h = h + at::relu(at::mm(out, layer.w_out.slice(0, 0, out.size(1))));
  }
  state.h = state.h.defined() ? at::cat({state.h, h}) : h;
  return h;
}

void Filter::jump(SceneState& state, double time, const Rows& rows, const at::Tensor& h) const {
  const Parameters& p = model_.parameters_;
  const std::int64_t features = model_.shape_.features, hidden = model_.options_.state;
  const auto count = static_cast<std::int64_t>(rows.object.size());
  const at::Tensor values = floats(rows.values, {count, features}), mask = floats(rows.mask, {count, features});
  const at::Tensor q = linear(p, "jump.layer2", at::relu(linear(p, "jump.layer1", at::cat({h, values, mask}, 1))));
  // Objects that enter begin with zeros.
  const auto before = static_cast<std::int64_t>(state.objects.size());
  std::vector<std::int64_t> at_rows;
  for (const std::int64_t object : rows.object) {
    const std::int64_t place = place_of(state.objects, object);
    if (place == static_cast<std::int64_t>(state.objects.size()))
      state.objects.push_back(object), state.last_seen.push_back(time);
    state.last_seen[place] = time;
    at_rows.push_back(place);
  }
  const std::int64_t entered = static_cast<std::int64_t>(state.objects.size()) - before;
  const auto with_entered = [&](const at::Tensor& rows_before, std::int64_t width) {
    const at::Tensor fresh = at::zeros({entered, width}, h.options());
    return !rows_before.defined() ? fresh : entered > 0 ? at::cat({rows_before, fresh}) : rows_before;
  };
  const at::Tensor z = with_entered(state.z, model_.width()), index = indices(at_rows);
  at::Tensor gain = mask;
  if (model_.options_.gain == Gain::kLearned) {
    const at::Tensor seen = with_entered(state.seen, features), before_rows = seen.index_select(0, index);
    const at::Tensor share = 1 / (1 + p["gain"].square());
    gain = mask * (share + (1 - share) * (1 - before_rows));
    state.seen = seen.index_copy(0, index, at::maximum(before_rows, mask));
  }
  const at::Tensor keep = at::cat({1 - gain, at::sigmoid(q.slice(1, 0, hidden))}, 1);
  const at::Tensor add = at::cat({values * gain, q.slice(1, hidden)}, 1);
  state.z = z.index_copy(0, index, keep * z.index_select(0, index) + add);
}

// Drops observations that neither window nor memory reaches.
void Filter::forget(SceneState& state) const {
  const double reach = std::max(model_.shape_.window, model_.shape_.memory) + kSameTime;
  const auto old = std::lower_bound(state.times.begin(), state.times.end(), state.time - reach) - state.times.begin();
  if (old == 0) return;
  state.times.erase(state.times.begin(), state.times.begin() + old);
  state.object.erase(state.object.begin(), state.object.begin() + old);
  for (at::Tensor& sent : state.sent) sent = sent.slice(0, old);
  state.h = state.h.slice(0, old);
}

at::Tensor Filter::forecast(const SceneState& state, const std::vector<double>& times, std::int64_t samples,
                            const at::Tensor& noise, const Relations& relations) const {
  const at::NoGradGuard no_grad;
  const Parameters& p = model_.parameters_;
  const std::int64_t features = model_.shape_.features;
  const auto count = static_cast<std::int64_t>(state.objects.size());
  if (count == 0) return at::zeros({samples, 0, features});
  // The posterior of each object's observations within the memory.
  std::vector<std::int64_t> rows, offsets{0};
  std::vector<double> since;
  for (const std::int64_t object : state.objects) {
    for (std::size_t m = 0; m < state.times.size(); ++m) {
      if (state.object[m] != object || outlasts(state.time - state.times[m], model_.shape_.memory)) continue;
      rows.push_back(static_cast<std::int64_t>(m)), since.push_back(state.times[m] - state.time);
    }
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  const Encoding encoding = model_.encoder_.posterior(p, state.h.index_select(0, indices(rows)),
                                                      at::tensor(since, at::kDouble), indices(offsets));
  at::Tensor zeta = encoding.mu.repeat({samples, 1});
  if (noise.defined()) zeta = zeta + encoding.sigma.repeat({samples, 1}) * noise;
  const at::Tensor start = at::constant_pad_nd(linear(p, "start", zeta).slice(1, features), {features, 0});

  ode::StepPlan plan;
  std::vector<double> nodes{0.0};
  for (std::int64_t k = 1; nodes.back() < times.back(); ++k)
    nodes.push_back(static_cast<double>(k) * model_.options_.step);
  std::vector<std::int64_t> asked;
  std::vector<double> asked_times;
  for (std::int64_t s = 0; s <= samples; ++s) plan.row_offsets.push_back(s * count);
  plan.nodes.assign(static_cast<std::size_t>(samples), nodes);
  for (std::int64_t row = 0; row < samples * count; ++row) {
    asked.insert(asked.end(), times.size(), row);
    asked_times.insert(asked_times.end(), times.begin(), times.end());
  }
  const ode::Tableau& rule = ode::tableau(model_.options_.solver);
  const ode::Trajectory path = ops::assimilating_rk(
      state.z.repeat({samples, 1}) + start, dynamics_, pairs(state.objects, samples, relations), plan, rule,
      {{ties_, {}, {}}, {}, {}}, {model_.options_.gradient, model_.options_.impl, ops::Precision::kFloat32, spare_});
  ops::Upload upload;
  return ops::read(path, ops::locate(plan, asked, asked_times, rule, at::kFloat, upload), features)
      .view({samples, -1, features});
}

}  // namespace lgode::model
