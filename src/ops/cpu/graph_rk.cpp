// The fused solve of the graph ODE on the CPU: packs the weights, cuts the batch into tiles, runs graph_kernel.h on all
// threads and adds up their weight gradients.
#include "ops/cpu/graph_rk.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "ops/cpu/aligned.h"
#include "ops/cpu/bf16_gemm.h"
#include "ops/cpu/graph_kernel.h"
#include "ops/cpu/panels.h"
#include "ops/graph_weights.h"
#include "ops/parallel.h"
#include "ops/tensor_holder.h"

namespace lgode::ops::cpu {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Largest tile. The weights are read once per tile and evaluation, so large tiles are better, as long as a tile's
// activations stay in the cache.
constexpr std::int64_t kTilePairs = 320;
constexpr std::int64_t kTileRows = 128;

// A block of memory for one solve, given back by the destructor.
class Pages {
 public:
  Pages() = default;
  Pages(std::int64_t bytes, const std::shared_ptr<SpareMemory>& spare)
      : spare_(spare != nullptr ? spare : std::make_shared<SpareMemory>()), block_(spare_->take(bytes)) {}
  Pages(Pages&&) = default;
  Pages& operator=(Pages&& other) noexcept {
    std::swap(spare_, other.spare_);
    std::swap(block_, other.block_);
    return *this;
  }
  ~Pages() {
    if (block_.bytes > 0) spare_->give_back(std::move(block_));
  }
  std::byte* data() const { return block_.memory.get(); }

 private:
  std::shared_ptr<SpareMemory> spare_;
  SpareMemory::Block block_;
};

// One solve: the data that forward and backward share.
struct Solve {
  GraphProblem problem;
  std::unique_ptr<GraphLayout> layout;
  Aligned<float> packed, transposed;
  Aligned<std::uint32_t> bf16, bf16_transposed;
  std::vector<GraphTile> tiles;
  std::vector<double> step;
  std::deque<std::vector<std::uint8_t>> jumps;  // of the tiles, one after the other
  std::deque<std::vector<std::int64_t>> evaluations;
  Events events;
  at::Tensor keep, add;  // detached; undefined where there are no jumps
  ode::StepPlan plan;
  PairGraph pairs;
  Pages kept;
};

// Packs the weights in panels; with `transposed` also the transposed matrices, for the backward.
void pack(Solve& s, const variable_list& weights, bool transposed) {
  const GraphSize& size = s.problem.size;
  s.packed.assign_zeros(s.layout->total);
  if (transposed) s.transposed.assign_zeros(s.layout->total);
  for (const MatrixPlace& p : matrix_places(size, *s.layout)) {
    const at::Tensor w = weights[p.tensor].contiguous();  // [outputs, all columns]
    const MatrixView part{w.data_ptr<float>() + p.column, w.size(0), p.inputs, w.size(1)};
    float* to = s.packed.data() + p.offset;
    write_panels(part.transposed(), p.padded_inputs, p.outputs, p.row, p.out_column, to);
    if (transposed) write_panels(part, p.outputs, p.padded_inputs, p.out_column, p.row, s.transposed.data() + p.offset);
    // What bf16 takes off the first columns of the state has the weights of these columns, and no gradient of its own.
    const bool of_state = p.row == 0 && (p.offset == s.layout->w1 || p.offset == s.layout->o1);
    if (of_state && size.extra > 0) {
      const MatrixView first{part.at, w.size(0), size.extra, w.size(1)};
      write_panels(first.transposed(), p.padded_inputs, p.outputs, size.z, p.out_column, to);
    }
  }
  for (const auto& [tensor, offset] : bias_places(size, *s.layout)) {
    const at::Tensor b = weights[tensor].contiguous();
    std::copy_n(b.data_ptr<float>(), b.numel(), s.packed.data() + offset);
  }
  s.problem.weights = s.packed.data();
  s.problem.transposed = s.transposed.data();
}

// The packed matrices in pairs of bf16.
void pack_pairs(Solve& s, bool transposed) {
  s.bf16.assign_zeros(s.layout->total / 2);
  if (transposed) s.bf16_transposed.assign_zeros(s.layout->total / 2);
  for (const GraphLayout::Matrix& m : s.layout->matrices) {
    pack_bf16(s.packed.data() + m.at, m.inputs, m.outputs, s.bf16.data() + m.at / 2);
    if (transposed) pack_bf16(s.transposed.data() + m.at, m.outputs, m.inputs, s.bf16_transposed.data() + m.at / 2);
  }
  s.problem.bf16 = s.bf16.data();
  s.problem.bf16_transposed = s.bf16_transposed.data();
}

// A tile of the systems from `first` to before `last`.
void add_tile(Solve& s, std::int64_t first, std::int64_t last) {
  const ode::StepPlan& plan = s.plan;
  std::int64_t longest = first;
  for (std::int64_t b = first; b < last; ++b)
    if (plan.steps(b) > plan.steps(longest)) longest = b;
  const std::vector<double>& nodes = plan.nodes[longest];
  std::vector<std::uint8_t>& jumps = s.jumps.emplace_back();
  std::vector<std::int64_t>& before = s.evaluations.emplace_back(std::vector<std::int64_t>{0});
  for (std::int64_t k = 0; k < plan.steps(longest); ++k) {
    const auto read = s.events.read.begin() + k * plan.rows();
    const bool unread =
        !s.events.read.empty() && std::none_of(read + plan.row_offsets[first], read + plan.row_offsets[last],
                                               [](std::uint8_t row) { return row != 0; });
    jumps.push_back(nodes[k + 1] != nodes[k] ? kNoJump : unread ? kJumpUnread : kJump);
    before.push_back(before.back() +
                     (jumps.back() == kNoJump ? s.problem.stages : std::int64_t{jumps.back() == kJump ? 1 : 0}));
  }
  s.tiles.push_back(
      {plan.row_offsets[first], plan.row_offsets[last], plan.steps(longest), jumps.data(), before.data()});
}

// The step size of every step and row; 0 after the end of its system.
void set_steps(Solve& s) {
  const ode::StepPlan& plan = s.plan;
  s.step.assign(static_cast<std::size_t>(plan.max_steps() * plan.rows()), 0.0);
  for (std::int64_t b = 0; b < plan.systems(); ++b)
    for (std::int64_t k = 0; k < plan.steps(b); ++k)
      std::fill(s.step.begin() + k * plan.rows() + plan.row_offsets[b],
                s.step.begin() + k * plan.rows() + plan.row_offsets[b + 1], plan.nodes[b][k + 1] - plan.nodes[b][k]);
  s.problem.step = s.step.data();
}

// Whether two systems can share a tile: the same nodes or, where there are jumps, steps without length at the same
// places.
bool in_step(const ode::StepPlan& plan, std::int64_t a, std::int64_t b, bool jumps) {
  if (!jumps) return plan.nodes[a] == plan.nodes[b];
  const std::vector<double>&x = plan.nodes[a], &y = plan.nodes[b];
  for (std::size_t k = 1; k < std::min(x.size(), y.size()); ++k)
    if ((x[k] == x[k - 1]) != (y[k] == y[k - 1])) return false;
  return true;
}

// A tile is a few consecutive systems. The number of tiles is about a multiple of the number of threads, so that all
// threads have the same amount of work.
void cut_tiles(Solve& s, bool jumps) {
  const ode::StepPlan& plan = s.plan;
  auto rows_in = [&](std::int64_t begin, std::int64_t end) { return plan.row_offsets[end] - plan.row_offsets[begin]; };
  auto pairs_in = [&](std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (const PairGraph::List& l : s.pairs.lists)
      count += l.pairs_before[plan.row_offsets[end]] - l.pairs_before[plan.row_offsets[begin]];
    return count;
  };
  auto ceiling = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t all_pairs = pairs_in(0, plan.systems()), all_rows = rows_in(0, plan.systems());
  const std::int64_t threads = at::get_num_threads();
  const std::int64_t tiles =
      std::max<std::int64_t>(1,
                             ceiling(std::max(ceiling(all_pairs, kTilePairs), ceiling(all_rows, kTileRows)), threads)) *
      threads;
  const std::int64_t most_pairs = ceiling(all_pairs, tiles), most_rows = ceiling(all_rows, tiles);
  for (std::int64_t first = 0; first < plan.systems();) {
    std::int64_t last = first + 1;
    while (last < plan.systems() && in_step(plan, first, last, jumps) && pairs_in(first, last + 1) <= most_pairs &&
           rows_in(first, last + 1) <= most_rows)
      ++last;
    if (rows_in(first, last) > 0) add_tile(s, first, last);
    first = last;
  }
}

// Chooses what tiles keep, within `most` bytes: messages first, because they save most time per byte.
void make_room(Solve& s, std::int64_t most, const std::shared_ptr<SpareMemory>& spare) {
  std::int64_t total = 0;
  for (Keep keep : {Keep::kMessages, Keep::kHidden})
    for (GraphTile& tile : s.tiles) {
      GraphTile more = tile;
      more.keep = keep;
      const std::int64_t bytes = kept_bytes(s.problem, more) - kept_bytes(s.problem, tile);
      if (total + bytes > most) break;
      total += bytes;
      tile.keep = keep;
    }
  s.kept = Pages(total, spare);
  std::byte* at = s.kept.data();
  for (GraphTile& tile : s.tiles) tile.kept = at, at += kept_bytes(s.problem, tile);
}

std::shared_ptr<Solve> prepare(const variable_list& weights, const PairGraph& pairs, const ode::StepPlan& plan,
                               const ode::Tableau& rule, std::int64_t width, bool gradient, bool jumps,
                               const Events& events, Precision precision) {
  auto s = std::make_shared<Solve>();
  s->events = events;
  s->pairs = pairs;
  s->plan = plan;
  GraphProblem& p = s->problem;
  const bool bf16 = precision == Precision::kBf16;
  p.size = {static_cast<std::int64_t>(pairs.lists.size()), width, weights[4 * pairs.lists.size() + 2].size(0),
            bf16 ? events.precise : 0};
  s->layout = std::make_unique<GraphLayout>(p.size);
  p.layout = s->layout.get();
  p.rows = pairs.rows;
  for (const PairGraph::List& l : s->pairs.lists)
    p.pairs.push_back({l.target.data_ptr<std::int64_t>(), l.source.data_ptr<std::int64_t>(), l.pairs_before.data(),
                       l.weight.defined() ? l.weight.data_ptr<float>() : nullptr});
  p.stages = rule.stages();
  p.b = rule.b;
  p.a.assign(static_cast<std::size_t>(p.stages * p.stages), 0.0);
  for (std::int64_t i = 0; i < p.stages; ++i)
    for (std::size_t j = 0; j < rule.a[i].size(); ++j) p.a[i * p.stages + static_cast<std::int64_t>(j)] = rule.a[i][j];
  pack(*s, weights, gradient);
  if (bf16) pack_pairs(*s, gradient);
  set_steps(*s);
  cut_tiles(*s, jumps);
  return s;
}

// Adds ties, jumps and the presence of rows.
void assimilate(Solve& s, const at::Tensor& keep, const at::Tensor& add) {
  s.keep = keep, s.add = add;
  const Events& events = s.events;
  GraphProblem& p = s.problem;
  for (const Tie& tie : events.ties)
    p.ties.push_back({tie.position, tie.velocity, static_cast<float>(tie.factor), tie.remainder});
  if (keep.defined()) {
    p.jump = s.events.jump.data();
    p.keep = keep.data_ptr<float>(), p.add = add.data_ptr<float>();
  }
  if (!events.present.empty()) p.present = s.events.present.data();
}

struct FusedSolve : Function<FusedSolve> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& z0, const at::Tensor& /*keep*/,
                               const at::Tensor& /*add*/, at::TensorList weights, const std::shared_ptr<Solve>& solve) {
    const std::int64_t nodes = solve->plan.max_steps() + 1;
    const at::Tensor states = at::zeros({nodes, z0.size(0), z0.size(1)}, z0.options()), slopes = at::zeros_like(states);
    states[0].copy_(z0);
    float *y = states.data_ptr<float>(), *f = slopes.data_ptr<float>();
    parallel_for(0, static_cast<std::int64_t>(solve->tiles.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) graph_forward(solve->problem, solve->tiles[t], y, f);
    });
    variable_list saved{tensor_holder(solve), states, slopes};
    saved.insert(saved.end(), weights.begin(), weights.end());
    ctx->save_for_backward(saved);
    ctx->set_materialize_grads(false);  // unused slopes then have no gradient, instead of one of zeros
    return {states, slopes};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const Solve& solve = *static_cast<const Solve*>(saved[0].data_ptr());
    const at::Tensor &states = saved[1], &slopes = saved[2];
    const variable_list weights(saved.begin() + 3, saved.end());
    const at::Tensor dstates = grad[0].defined() ? grad[0].contiguous() : grad[0];
    const at::Tensor dslopes = grad[1].defined() ? grad[1].contiguous() : grad[1];
    auto pointer = [](const at::Tensor& t) -> const float* { return t.defined() ? t.data_ptr<float>() : nullptr; };
    const at::Tensor dstart = at::zeros({states.size(1), states.size(2)}, states.options());
    at::Tensor dkeep, dadd;
    if (solve.keep.defined()) dkeep = at::zeros_like(solve.keep), dadd = at::zeros_like(solve.add);

    // One buffer of weight gradients per share of the tiles, added up in order: the same bits for the same number of
    // threads.
    const auto tiles = static_cast<std::int64_t>(solve.tiles.size());
    const std::int64_t shares = std::clamp<std::int64_t>(at::get_num_threads(), 1, std::max<std::int64_t>(tiles, 1));
    const at::Tensor dweights = at::zeros({shares, solve.layout->total}, states.options());
    parallel_for(0, shares, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t share = begin; share < end; ++share)
        for (std::int64_t t = share * tiles / shares; t < (share + 1) * tiles / shares; ++t)
          graph_backward(
              solve.problem, solve.tiles[t], states.data_ptr<float>(), slopes.data_ptr<float>(), pointer(dstates),
              pointer(dslopes),
              {dstart.data_ptr<float>(), dweights.data_ptr<float>() + share * solve.layout->total,
               dkeep.defined() ? dkeep.data_ptr<float>() : nullptr, dadd.defined() ? dadd.data_ptr<float>() : nullptr});
    });
    variable_list out{dstart, dkeep, dadd};
    const variable_list gradients = unflatten_gradients(dweights.sum(0), weights, solve.problem.size, *solve.layout);
    out.insert(out.end(), gradients.begin(), gradients.end());
    out.emplace_back();
    return out;
  }
};

}  // namespace

bool can_solve_graph(const at::Tensor& z0, const ode::Tableau& rule, ode::Gradient gradient) {
  return z0.is_cpu() && z0.scalar_type() == at::kFloat && rule.mid.empty() && gradient == ode::Gradient::kRecompute;
}

bool has_bf16_solve() { return has_bf16_products(); }

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule,
                            const std::shared_ptr<SpareMemory>& spare, const Assimilation& assimilation,
                            Precision precision, std::int64_t most_kept, KeptTiles* kept) {
  const std::vector<at::Tensor> tensors = weights.tensors();
  variable_list values;
  for (const at::Tensor& t : tensors) values.push_back(t.detach());
  auto differentiated = [](const at::Tensor& t) { return t.requires_grad(); };
  const auto& [events, keep, add] = assimilation;
  const bool jumps = keep.defined() && keep.size(0) > 0;
  const bool gradient = at::GradMode::is_enabled() &&
                        (z0.requires_grad() || std::any_of(tensors.begin(), tensors.end(), differentiated) ||
                         (jumps && (keep.requires_grad() || add.requires_grad())));
  const std::shared_ptr<Solve> solve =
      prepare(values, pairs, plan, rule, z0.size(1), gradient, jumps, events, precision);
  assimilate(*solve, jumps ? keep.detach().contiguous() : at::Tensor(),
             jumps ? add.detach().contiguous() : at::Tensor());
  if (gradient) make_room(*solve, spare != nullptr ? std::min(most_kept, spare->most()) : most_kept, spare);
  if (kept != nullptr)
    for (const GraphTile& tile : solve->tiles)
      ++(tile.keep == Keep::kHidden ? kept->hidden : tile.keep == Keep::kMessages ? kept->messages : kept->nothing);
  // An undefined tensor is not a valid argument of a Function; a constant replaces it.
  const at::Tensor none = at::zeros({0, z0.size(1)}, z0.options().requires_grad(false));
  const variable_list out =
      FusedSolve::apply(z0, jumps ? keep : none, jumps ? add : none, at::TensorList(tensors), solve);
  return {plan, out[0], out[1], at::Tensor()};
}

}  // namespace lgode::ops::cpu
