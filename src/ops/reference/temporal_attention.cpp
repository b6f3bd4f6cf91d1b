// Eq. 5 and the sum of Eq. 4 in the paper's own form: every projection on every edge. As fast as that form allows:
// edges are grouped by type, a few systems are processed at a time so that the edges' tensors stay in cache, all
// threads work, and the backward computes a group again instead of storing its edges.
#include "lgode/ops/temporal_attention.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <cmath>
#include <vector>

#include "lgode/ops/segment.h"
#include "lgode/ops/time_encoding.h"
#include "ops/temporal_edges.h"

namespace lgode::ops::reference {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Edges processed at a time: ten tensors of this many rows of 64 floats fill a third-level cache.
constexpr std::int64_t kEdgesAtOnce = 8192;

// The edges of one type within a few systems; observations are counted from the first observation of these systems.
struct EdgeList {
  at::Tensor source;      // [E]
  at::Tensor gap;         // [E] float64
  at::Tensor log_weight;  // [E, 1] in x's dtype
  at::Tensor offsets;     // [m+1] by target
};

// Some consecutive systems of the batch: their observations [begin, end) and edges, within an object (0) and between
// objects (1).
struct Group {
  std::int64_t begin = 0, end = 0;  // observations
  std::array<EdgeList, 2> lists;
};

AttentionWeights from_list(const variable_list& t) { return {t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]}; }

// [m, d] -> [m, d] for one group.
at::Tensor attend(const at::Tensor& x, const AttentionWeights& w, const Group& group, const AttentionOptions& options) {
  const std::int64_t d = x.size(1), heads = options.heads, width = d / heads;
  const double scale = 1.0 / std::sqrt(static_cast<double>(width));
  const at::Tensor query = at::linear(x, w.w_q, w.b_q);
  std::array<at::Tensor, 2> score, message;
  for (std::int64_t y = 0; y < 2; ++y) {
    const EdgeList& edges = group.lists[y];
    const std::int64_t count = edges.source.numel();
    // Eq. 5: hat_s = ReLU(W_t [x_s | D] + b_t) + TE(D)   [E, d]
    const at::Tensor gap = edges.gap.to(x.scalar_type()).to(x.device()).unsqueeze(1);
    const at::Tensor sender = at::cat({gather_rows(x, edges.source), gap}, 1);
    const at::Tensor hat = at::relu(at::linear(sender, w.w_t, w.b_t)) +
                           time_encoding(edges.gap, d, options.frequency, x.options().requires_grad(false));
    // Eq. 5: score = key . query / sqrt(d / heads) + log w   [E, heads]
    const at::Tensor key = at::linear(hat, w.w_k[y], w.b_k[y]);
    score[y] =
        (key * segment_expand(query, edges.offsets)).view({count, heads, width}).sum(2) * scale + edges.log_weight;
    // Eq. 5: message = W_v hat_s + b_v   [E, d]
    message[y] = at::linear(hat, w.w_v[y], w.b_v[y]);
  }
  // Eq. 4: softmax over the edges of both types, then the weighted sum of messages   [m, heads, width]
  const at::Tensor top =
      at::maximum(segment_max(score[0], group.lists[0].offsets), segment_max(score[1], group.lists[1].offsets));
  at::Tensor sum, weight;
  for (std::int64_t y = 0; y < 2; ++y) {
    const at::Tensor& offsets = group.lists[y].offsets;
    const at::Tensor e = (score[y] - segment_expand(top, offsets)).exp();
    const at::Tensor part = (message[y].view({-1, heads, width}) * e.unsqueeze(2)).view({-1, d});
    sum = y == 0 ? segment_sum(part, offsets) : sum + segment_sum(part, offsets);
    weight = y == 0 ? segment_sum(e, offsets) : weight + segment_sum(e, offsets);
  }
  return (sum.view({-1, heads, width}) / weight.unsqueeze(2)).view({-1, d});
}

// attend() whose backward computes it again: no tensor per edge is kept in between, except the edge lists.
struct Attend : Function<Attend> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, at::TensorList weights, const Group& group,
                            const AttentionOptions& options) {
    variable_list saved{x};
    saved.insert(saved.end(), weights.begin(), weights.end());
    for (const EdgeList& l : group.lists) saved.insert(saved.end(), {l.source, l.gap, l.log_weight, l.offsets});
    ctx->save_for_backward(saved);
    ctx->saved_data["heads"] = options.heads;
    ctx->saved_data["frequency"] = options.frequency;
    return attend(x, from_list(weights.vec()), group, options);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const AttentionOptions options{ctx->saved_data["heads"].toInt(), ctx->saved_data["frequency"].toDouble()};
    Group group;
    for (std::size_t y = 0; y < 2; ++y)
      group.lists[y] = {saved[9 + 4 * y], saved[10 + 4 * y], saved[11 + 4 * y], saved[12 + 4 * y]};
    at::AutoGradMode grad_mode(true);
    variable_list inputs;
    for (std::size_t i = 0; i < 9; ++i) inputs.push_back(saved[i].detach().requires_grad_(true));
    const at::Tensor out = attend(inputs[0], from_list({inputs.begin() + 1, inputs.end()}), group, options);
    variable_list result = torch::autograd::grad({out}, inputs, {grad[0]}, /*retain_graph=*/false,
                                                 /*create_graph=*/false, /*allow_unused=*/true);
    result.resize(11);  // group and options
    return result;
  }
};

// The edges of both types of the group that is being collected.
struct Growing {
  std::array<std::vector<std::int64_t>, 2> source, offsets{std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}};
  std::array<std::vector<double>, 2> gap, log_weight;
  std::int64_t edges() const { return static_cast<std::int64_t>(source[0].size() + source[1].size()); }

  Group finish(std::int64_t begin, std::int64_t end, const at::TensorOptions& options) const {
    Group group{begin, end, {}};
    const at::TensorOptions index = at::TensorOptions(at::kLong).device(options.device());
    for (std::size_t y = 0; y < 2; ++y)
      group.lists[y] = {at::tensor(source[y], index), at::tensor(gap[y], at::TensorOptions(at::kDouble)),
                        at::tensor(log_weight[y], options).unsqueeze(1), at::tensor(offsets[y], index)};
    return group;
  }
};

}  // namespace

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  const std::vector<at::Tensor> weights{w.w_t, w.b_t, w.w_q, w.b_q, w.w_k, w.b_k, w.w_v, w.b_v};
  const std::int64_t* systems = graph.system_offsets.data_ptr<std::int64_t>();
  const std::int64_t* observations = graph.observation_offsets.data_ptr<std::int64_t>();
  const std::int64_t count = graph.system_offsets.numel() - 1;
  std::vector<at::Tensor> out;
  Growing growing;
  std::int64_t begin = 0;
  for (std::int64_t s = 0; s < count; ++s) {
    for (std::int64_t i = systems[s]; i < systems[s + 1]; ++i)
      for (std::int64_t t = observations[i]; t < observations[i + 1]; ++t) {
        for_each_edge(graph, i, t, [&](std::int64_t source, bool other, double gap, double log_weight) {
          growing.source[other].push_back(source - begin);
          growing.gap[other].push_back(gap);
          growing.log_weight[other].push_back(log_weight);
        });
        for (std::size_t y = 0; y < 2; ++y)
          growing.offsets[y].push_back(static_cast<std::int64_t>(growing.source[y].size()));
      }
    const std::int64_t end = observations[systems[s + 1]];
    if (growing.edges() < kEdgesAtOnce && s + 1 < count) continue;
    if (end > begin)
      out.push_back(Attend::apply(x.slice(0, begin, end), at::TensorList(weights),
                                  growing.finish(begin, end, x.options().requires_grad(false)), options));
    growing = {};
    begin = end;
  }
  return out.empty() ? at::zeros_like(x) : at::cat(out, 0);
}

}  // namespace lgode::ops::reference
