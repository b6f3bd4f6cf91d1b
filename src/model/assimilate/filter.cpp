// The cell iterated over the rows of a stream. Attention is in its folded form, ops/attention_fold.h.
#include "lgode/model/assimilate/filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "lgode/model/assimilate/model.h"
#include "lgode/ops/read.h"
#include "lgode/ops/time_encoding.h"
#include "model/layers.h"
#include "ops/attention_fold.h"

namespace lgode::model {
namespace {

std::shared_ptr<const Model> checked(std::shared_ptr<const Model> model) {
  TORCH_CHECK_VALUE(
      dynamic_cast<const Assimilate*>(model.get()) != nullptr && model->shape().forecast && model->device().is_cpu(),
      "Filter: expected a model of kind assimilate that forecasts, on the CPU");
  return model;
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

// The size of the list if it does not have the object.
std::int64_t index_of(const std::vector<std::int64_t>& list, std::int64_t object) {
  return std::find(list.begin(), list.end(), object) - list.begin();
}

// Relations of `count` objects as a batch of one system.
data::Batch batch_of(std::int64_t count, std::vector<data::Relation> relations) {
  data::Batch batch;
  batch.object_offsets = {0, count};
  batch.system = {0};
  std::stable_sort(relations.begin(), relations.end(),
                   [](const data::Relation& a, const data::Relation& b) { return a.target < b.target; });
  batch.relation_offsets = {0};
  std::size_t at = 0;
  for (std::int64_t target = 0; target < count; ++target) {
    for (; at < relations.size() && relations[at].target == target; ++at) {
      batch.relation_sources.push_back(relations[at].source);
      batch.relation_types.push_back(relations[at].type);
      batch.relation_weights.push_back(relations[at].weight);
    }
    batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
  }
  return batch;
}

}  // namespace

Filter::Filter(std::shared_ptr<const Model> model)
    : model_(checked(std::move(model))),
      cell_(model_->options(), model_->shape()),
      spare_(std::make_shared<ops::SpareMemory>()) {
  const at::NoGradGuard no_grad;
  const Parameters& p = model_->parameters();
  const GraphLayers& layers = *cell_.encoder().layers();
  attention_ = layers.attention();
  for (std::int64_t l = 0; l < layers.count(); ++l) {
    const std::string norm = GraphLayers::layer_name(l) + ".norm";
    const ops::FoldedAttention folded =
        ops::fold_attention(layers.weights(p, l), attention_.heads, cell_.options().encoder_width);
    layers_.push_back({p[norm + ".weight"], p[norm + ".bias"], folded.w_in, folded.b_in, folded.slope, folded.w_out});
  }
  dynamics_ = cell_.dynamics().weights(p);
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
  const data::Batch batch = batch_of(static_cast<std::int64_t>(objects.size()), relations(objects));
  return cell_.dynamics().pairs(batch, RowLayout::make(batch, samples), at::kFloat);
}

ode::Trajectory Filter::solve(const at::Tensor& z, const ops::PairGraph& pairs, const ode::StepPlan& plan,
                              std::vector<std::uint8_t> present) const {
  const ModelOptions& options = cell_.options();
  return ops::assimilating_rk(z, dynamics_, pairs, plan, ode::tableau(options.solver),
                              {{cell_.ties(), {}, std::move(present)}, {}, {}},
                              {options.gradient, options.impl, ops::Precision::kFloat32, spare_});
}

void Filter::advance(SceneState& state, double time, const Relations& relations) const {
  const at::NoGradGuard no_grad;
  const auto leaves = [&](double last) { return is_gone(last, time); };
  std::vector<double> nodes{0.0};
  for_each_step(time - state.time, cell_.options().step, [&](double end) { nodes.push_back(end); });
  const bool all_leave = std::all_of(state.last_seen.begin(), state.last_seen.end(), leaves);
  if (!all_leave && nodes.size() > 1) {
    std::vector<std::uint8_t> present;
    if (std::any_of(state.last_seen.begin(), state.last_seen.end(), leaves))
      for (const double node : nodes)
        for (const double last : state.last_seen) present.push_back(is_gone(last, state.time + node) ? 0 : 1);
    const auto count = static_cast<std::int64_t>(state.objects.size()),
               steps = static_cast<std::int64_t>(nodes.size()) - 1;
    state.z =
        solve(state.z, pairs(state.objects, 1, relations), {{0, count}, {nodes}}, std::move(present)).states[steps];
  }
  for (BaseState& base : state.base) base.idle.move(cell_.base()->idle, time - state.time);
  state.time = time;
  remove_absent(state);
}

// Removes the objects that have left by the state's time.
void Filter::remove_absent(SceneState& state) const {
  std::vector<std::int64_t> kept, objects;
  std::vector<double> last_seen;
  std::vector<BaseState> base;
  for (std::size_t i = 0; i < state.objects.size(); ++i) {
    if (is_gone(state.last_seen[i], state.time)) continue;
    kept.push_back(static_cast<std::int64_t>(i));
    objects.push_back(state.objects[i]), last_seen.push_back(state.last_seen[i]);
    if (!state.base.empty()) base.push_back(state.base[i]);
  }
  if (kept.size() == state.objects.size()) return;
  state.z = kept.empty() ? at::Tensor() : state.z.index_select(0, indices(kept));
  if (state.seen.defined()) state.seen = kept.empty() ? at::Tensor() : state.seen.index_select(0, indices(kept));
  state.objects = std::move(objects), state.last_seen = std::move(last_seen), state.base = std::move(base);
}

// The vectors of the new rows after the last layer, [R, d], which are appended to the state's.
at::Tensor Filter::encode(SceneState& state, double time, const Rows& rows, const Relations& relations) const {
  const Parameters& p = model_->parameters();
  const auto count = static_cast<std::int64_t>(rows.object.size());
  state.times.insert(state.times.end(), rows.object.size(), time);
  state.object.insert(state.object.end(), rows.object.begin(), rows.object.end());
  if (state.sent.empty()) state.sent.resize(layers_.size());
  const Window near = window(state, time, rows, relations);
  const at::Tensor values = floats(rows.values, {count, cell_.shape().features});
  const at::Tensor input =
      cell_.shape().append_mask ? at::cat({values, floats(rows.mask, {count, cell_.shape().features})}, 1) : values;
  at::Tensor h = layer_norm(p, "encoder.input_norm", at::relu(linear(p, "encoder.input", input)));
  for (std::size_t l = 0; l < layers_.size(); ++l) h = h + attend(layers_[l], state.sent[l], near, h);
  state.h = state.h.defined() ? at::cat({state.h, h}) : h;
  return h;
}

// Observations within the window before a time, the rows of that time among them.
Filter::Window Filter::window(const SceneState& state, double time, const Rows& rows,
                              const Relations& relations) const {
  const double reach = cell_.shape().window + ops::TemporalGraph::kWindowMargin;
  Window out;
  out.begin = std::lower_bound(state.times.begin(), state.times.end(), time - reach) - state.times.begin();
  const auto sources = static_cast<std::int64_t>(state.times.size()) - out.begin;
  const at::Tensor gap = at::empty({sources}, at::TensorOptions(at::kDouble));
  for (std::int64_t s = 0; s < sources; ++s) gap.data_ptr<double>()[s] = state.times[out.begin + s] - time;
  out.encoding =
      ops::time_encoding(gap, cell_.options().encoder_width, attention_.frequency, at::TensorOptions(at::kFloat));
  out.gaps = gap.to(at::kFloat).unsqueeze(1);
  out.edges = edges(state, out.begin, rows, relations);
  return out;
}

// [R, 1, 2, M], see Window.
at::Tensor Filter::edges(const SceneState& state, std::int64_t begin, const Rows& rows,
                         const Relations& relations) const {
  const auto count = static_cast<std::int64_t>(rows.object.size());
  const auto sources = static_cast<std::int64_t>(state.object.size()) - begin;
  std::vector<std::int64_t> objects;                                       // of the sources
  std::unordered_map<std::int64_t, std::int64_t> number;                   // of each, in `objects`
  std::vector<std::int64_t> of_source(static_cast<std::size_t>(sources));  // number of each source's object
  for (std::int64_t s = 0; s < sources; ++s) {
    const std::int64_t object = state.object[begin + s];
    const auto [found, fresh] = number.try_emplace(object, static_cast<std::int64_t>(objects.size()));
    if (fresh) objects.push_back(object);
    of_source[s] = found->second;
  }
  std::vector<double> weight(objects.size() * objects.size(), 0.0);  // [target, source]
  for (const data::Relation& r : relations(objects))
    weight[static_cast<std::size_t>(r.target) * objects.size() + static_cast<std::size_t>(r.source)] += r.weight;
  at::Tensor edges = at::full({count, 1, 2, sources}, -std::numeric_limits<float>::infinity());
  std::vector<float> log_weight(objects.size());
  for (std::int64_t r = 0; r < count; ++r) {
    float* own = edges.data_ptr<float>() + r * 2 * sources;
    const std::int64_t target = number.at(rows.object[r]);
    for (std::size_t o = 0; o < objects.size(); ++o)
      log_weight[o] = static_cast<float>(std::log(weight[static_cast<std::size_t>(target) * objects.size() + o]));
    for (std::int64_t s = 0; s < sources; ++s) {
      if (of_source[s] == target)
        own[s] = 0.0F;
      else
        own[sources + s] = log_weight[static_cast<std::size_t>(of_source[s])];
    }
  }
  return edges;
}

// The update of h [R, d] by one layer; the rows' own messages are added to `sent`.
at::Tensor Filter::attend(const Layer& layer, at::Tensor& sent, const Window& near, const at::Tensor& h) const {
  const std::int64_t d = cell_.options().encoder_width, heads = attention_.heads, groups = 2 * heads;
  const std::int64_t count = h.size(0), sources = near.gaps.size(0);
  // [p | q | c] = x W_in + b_in
  const at::Tensor in = at::addmm(layer.b_in, ops::layer_norm(h, layer.norm_weight, layer.norm_bias), layer.w_in);
  const at::Tensor own = in.slice(1, 0, d);
  sent = sent.defined() ? at::cat({sent, own}) : own.contiguous();
  // Eq. 5: hat_s = ReLU(P_s + D w) + TE(D)   [M, d]; the rows share their time, so it is the same for all
  const at::Tensor hat = at::relu(at::addcmul(sent.slice(0, near.begin), near.gaps, layer.slope)).add_(near.encoding);
  // Scores, and their softmax over sources of both types   [R, heads, 2, M]
  const at::Tensor query = in.slice(1, d, d + groups * d).reshape({count * groups, d});
  const at::Tensor score = at::mm(query, hat.t()).view({count, heads, 2, sources}) +
                           in.slice(1, d + groups * d, d + groups * d + groups).reshape({count, heads, 2, 1}) +
                           near.edges;
  const at::Tensor share = at::softmax(score.view({count, heads, 2 * sources}), 2).view({count * groups, sources});
  // out = [m | a] W_out, m = sum of a hat
  const at::Tensor out = at::cat({at::mm(share, hat).view({count, groups * d}), share.sum(1).view({count, groups})}, 1);
  // Eq. 4
  return at::relu(at::mm(out, layer.w_out.slice(0, 0, out.size(1))));
}

void Filter::jump(SceneState& state, double time, const Rows& rows, const at::Tensor& h) const {
  const Parameters& p = model_->parameters();
  const std::int64_t features = cell_.shape().features;
  const auto count = static_cast<std::int64_t>(rows.object.size());
  const at::Tensor values = floats(rows.values, {count, features}), mask = floats(rows.mask, {count, features});
  // Objects that enter begin with zeros.
  const auto before = static_cast<std::int64_t>(state.objects.size());
  std::vector<std::int64_t> at_rows;
  for (const std::int64_t object : rows.object) {
    const std::int64_t at = index_of(state.objects, object);
    if (at == static_cast<std::int64_t>(state.objects.size()))
      state.objects.push_back(object), state.last_seen.push_back(time);
    state.last_seen[at] = time;
    at_rows.push_back(at);
  }
  if (cell_.base() != nullptr) take_base(state, time, rows, at_rows);
  const std::int64_t entered = static_cast<std::int64_t>(state.objects.size()) - before;
  const auto with_entered = [&](const at::Tensor& rows_before, std::int64_t width) {
    const at::Tensor fresh = at::zeros({entered, width}, h.options());
    return !rows_before.defined() ? fresh : entered > 0 ? at::cat({rows_before, fresh}) : rows_before;
  };
  const at::Tensor z = with_entered(state.z, cell_.width()), index = indices(at_rows);
  at::Tensor first;  // of its feature
  if (cell_.learns_gain()) {
    const at::Tensor seen = with_entered(state.seen, features), seen_before = seen.index_select(0, index);
    first = 1 - seen_before;
    state.seen = seen.index_copy(0, index, at::maximum(seen_before, mask));
  }
  const AssimilationCell::Jump jump = cell_.jump(p, h, values, mask, cell_.gain(p, mask, first));
  state.z = z.index_copy(0, index, jump.keep * z.index_select(0, index) + jump.add);
}

// The rows of the objects at these places.
void Filter::take_base(SceneState& state, double time, const Rows& rows, const std::vector<std::int64_t>& at) const {
  const auto width = static_cast<std::size_t>(cell_.shape().features);
  state.sum.resize(width, 0.0), state.count.resize(width, 0.0);
  state.base.resize(state.objects.size(), BaseState(*cell_.base()));
  for (std::size_t r = 0; r < at.size(); ++r) {
    const float *values = rows.values.data() + r * width, *mask = rows.mask.data() + r * width;
    state.base[static_cast<std::size_t>(at[r])].take(*cell_.base(), time, values, mask);
    for (std::size_t f = 0; f < width; ++f)
      if (mask[f] != 0.0F) state.sum[f] += values[f], state.count[f] += 1;
  }
}

// Base path minus idle path at times after the start, [n*K, D].
at::Tensor Filter::base_offset(const SceneState& state, const std::vector<double>& times) const {
  const BaseRule& rule = *cell_.base();
  const std::int64_t width = cell_.shape().features;
  std::vector<double> mean = state.sum;
  for (std::size_t f = 0; f < mean.size(); ++f) mean[f] /= std::max(state.count[f], 1.0);
  at::Tensor out = at::empty({static_cast<std::int64_t>(state.base.size() * times.size()), width}, at::kDouble);
  double* to = out.data_ptr<double>();
  for (const BaseState& object : state.base)
    for (const double t : times) {
      IdleState moved = object.idle;
      moved.move(rule.idle, t);
      object.offset(rule, state.time + t, moved, mean, to);
      to += width;
    }
  return out.to(at::kFloat);
}

// Drops observations that neither window nor memory reaches.
void Filter::forget(SceneState& state) const {
  const double reach = std::max(cell_.shape().window, cell_.shape().memory) + kSameTime;
  const auto old = std::lower_bound(state.times.begin(), state.times.end(), state.time - reach) - state.times.begin();
  if (old == 0) return;
  state.times.erase(state.times.begin(), state.times.begin() + old);
  state.object.erase(state.object.begin(), state.object.begin() + old);
  for (at::Tensor& sent : state.sent) sent = sent.slice(0, old);
  state.h = state.h.slice(0, old);
}

// Of each object's observations within the memory.
Encoding Filter::posterior(const SceneState& state) const {
  std::vector<std::int64_t> rows, offsets{0};
  std::vector<double> since;
  for (const std::int64_t object : state.objects) {
    for (std::size_t m = 0; m < state.times.size(); ++m) {
      if (state.object[m] != object || is_gone(state.times[m], state.time)) continue;
      rows.push_back(static_cast<std::int64_t>(m)), since.push_back(state.times[m] - state.time);
    }
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  return cell_.encoder().posterior(model_->parameters(), state.h.index_select(0, indices(rows)),
                                   at::tensor(since, at::kDouble), indices(offsets));
}

at::Tensor Filter::forecast(const SceneState& state, const std::vector<double>& times, std::int64_t samples,
                            const at::Tensor& noise, const Relations& relations, at::Tensor* scores) const {
  const at::NoGradGuard no_grad;
  const std::int64_t features = cell_.shape().features;
  const auto count = static_cast<std::int64_t>(state.objects.size());
  if (count == 0) return at::zeros({samples, 0, features});
  const Encoding own = posterior(state);
  at::Tensor zeta = latent_samples(own, samples, noise);
  if (scores != nullptr) {
    const LatentFutures futures(cell_.options());
    Rollout rollout;
    rollout.samples = samples, rollout.futures = futures.count();
    zeta = futures.starts(model_->parameters(), own, rollout, noise);
    *scores = futures.scores(model_->parameters(), own, at::tensor({std::int64_t{0}, count}, at::kLong));
    samples = rollout.paths();
  }
  const at::Tensor start = cell_.start(model_->parameters(), zeta);

  std::vector<double> nodes{0.0};
  for_each_whole_step(0.0, times.back(), cell_.options().step, [&](double node) { nodes.push_back(node); });
  ode::StepPlan plan;
  for (std::int64_t s = 0; s <= samples; ++s) plan.row_offsets.push_back(s * count);
  plan.nodes.assign(static_cast<std::size_t>(samples), nodes);
  std::vector<std::int64_t> asked;
  std::vector<double> asked_times;
  for (std::int64_t row = 0; row < samples * count; ++row) {
    asked.insert(asked.end(), times.size(), row);
    asked_times.insert(asked_times.end(), times.begin(), times.end());
  }
  const ode::Trajectory path =
      solve(state.z.repeat({samples, 1}) + start, pairs(state.objects, samples, relations), plan);
  ops::Upload upload;
  const ode::Tableau& rule = ode::tableau(cell_.options().solver);
  const at::Tensor read = ops::read(path, ops::locate(plan, asked, asked_times, rule, at::kFloat, upload), features)
                              .view({samples, -1, features});
  if (cell_.base() == nullptr) return read;
  return read + base_offset(state, times) * cell_.share(model_->parameters());
}

}  // namespace lgode::model
