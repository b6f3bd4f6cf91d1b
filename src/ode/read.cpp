// Dense output: reads a trajectory at times between its nodes. The interval of each reading is located on the host, in
// double; a reading is then a weighted sum of rows of the trajectory, w_0 x_0 + ... + w_4 x_4, with weights that depend
// on times only. No second derivatives.
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lgode/ode/reading_runs.h"
#include "lgode/ode/solve.h"
#include "step.h"

namespace lgode::ode {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A time outside the solved range by less than this, relative to the last node, counts as rounding error.
constexpr double kRounding = 1e-8;
constexpr std::int64_t kTerms = 5;
// Which tensor each term reads: 0 states (at both ends of the step), 1 slopes (at both ends), 2 mids (half-way).
constexpr std::int64_t kSource[kTerms] = {0, 0, 1, 1, 2};

// sum_i weight[i] * source[index[i]]: index and weight [terms, T], the last term only with the state half-way.
struct Terms {
  std::vector<std::int64_t> index;
  std::vector<double> weight;
};

// Cubic Hermite polynomials at x in [0, 1] for the states and, times h, the slopes at both ends; in factors, where
// core/hermite.h has powers, so that they keep all digits near both ends. The quartic that also passes through the
// state half-way adds the bubble 16 x^2 (1 - x)^2, which is 1 there and 0 with slope 0 at the ends.
void hermite(double x, double h, bool half, double (&w)[kTerms]) {
  const double y = 1 - x;
  w[0] = (1 + 2 * x) * y * y;
  w[1] = x * x * (3 - 2 * x);
  w[2] = h * x * y * y;
  w[3] = -h * x * x * y;
  w[4] = half ? 16 * x * x * y * y : 0;
  w[0] -= w[4] / 2;
  w[1] -= w[4] / 2;
  w[2] -= h * w[4] / 8;
  w[3] += h * w[4] / 8;
}

// Calls found(i, left, right, x, h) for each reading: nodes at both ends of its step, the share x of its length h.
template <class Found>
class Reader {
 public:
  Reader(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
         const Found& found)
      : plan_(plan), times_(times), found_(found) {
    TORCH_CHECK_VALUE(rows.size() == times.size(), "read: ", rows.size(), " rows, but ", times.size(), " times");
  }

  // Selects a row; returns its system's nodes.
  const std::vector<double>& enter(std::int64_t row) {
    const std::vector<std::int64_t>& offsets = plan_.row_offsets;
    TORCH_CHECK_VALUE(row >= 0 && row < plan_.rows(), "read: row ", row, " of ", plan_.rows());
    // Readings of a system usually come together.
    if (row < offsets[system_] || row >= offsets[system_ + 1])
      system_ = std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin() - 1;
    return plan_.nodes[system_];
  }
  // Readings begin to end (excluded), all of this row.
  void operator()(std::int64_t row, std::size_t begin, std::size_t end) {
    const std::vector<double>& nodes = enter(row);
    const double slack = std::max(kRounding * nodes.back(), 1e-12);
    const auto size = static_cast<std::int64_t>(nodes.size());
    for (std::size_t i = begin; i < end; ++i) {  // usually in order of time: try the previous one's interval
      TORCH_CHECK_VALUE(times_[i] >= -slack && times_[i] <= nodes.back() + slack, "read: time ", times_[i], " of row ",
                        row, " is outside 0 to ", nodes.back(), ", what system ", system_, " was solved for");
      const double time = std::clamp(times_[i], 0.0, nodes.back());
      if (above_ < 1 || above_ >= size || time < nodes[above_ - 1] || time >= nodes[above_])
        above_ = std::upper_bound(nodes.begin(), nodes.end(), time) - nodes.begin();
      const std::int64_t right = std::min<std::int64_t>(above_, size - 1), left = std::max<std::int64_t>(right - 1, 0);
      const double h = nodes[right] - nodes[left];
      found_(i, left, right, h > 0 ? (time - nodes[left]) / h : 1, h);  // 1: after a step without length
    }
  }

 private:
  const StepPlan& plan_;
  const std::vector<double>& times_;
  const Found& found_;
  std::int64_t system_ = 0, above_ = 0;
};

Terms find_terms(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                 bool half) {
  const std::size_t count = rows.size();
  const std::int64_t n = plan.rows(), used = half ? kTerms : kTerms - 1;
  Terms terms{std::vector<std::int64_t>(used * count), std::vector<double>(used * count)};
  const auto found = [&](std::size_t i, std::int64_t left, std::int64_t right, double x, double h) {
    double w[kTerms];
    hermite(x, h, half, w);
    const std::int64_t at[kTerms] = {left, right, left, right, left};
    for (std::int64_t j = 0; j < used; ++j) {
      terms.index[j * count + i] = at[j] * n + rows[i];
      terms.weight[j * count + i] = w[j];
    }
  };
  Reader reader(plan, rows, times, found);
  for_each_run(rows, times, [&](const ReadingRun& run) { reader(rows[run.begin], run.begin, run.end); });
  return terms;
}

// target[index[i], c] += weight[i] gradient[i, c]. Consecutive readings add to the same rows: a plain loop is faster
// here than index_add_.
template <typename T>
void scatter_rows(const at::Tensor& target, const at::Tensor& index, const at::Tensor& weight,
                  const at::Tensor& gradient) {
  const std::int64_t count = gradient.size(0), columns = gradient.size(1), stride = target.size(1);
  T* const out = target.data_ptr<T>();
  const std::int64_t* const row = index.data_ptr<std::int64_t>();
  const T* const w = weight.data_ptr<T>();
  const T* const g = gradient.data_ptr<T>();
  for (std::int64_t i = 0; i < count; ++i) {
    T* const to = out + row[i] * stride;
    const T* const from = g + i * columns;
    for (std::int64_t c = 0; c < columns; ++c) {
      to[c] += w[i] * from[c];
    }
  }
}

void scatter(const at::Tensor& target, const at::Tensor& index, const at::Tensor& weight, const at::Tensor& gradient) {
  if (target.is_cpu() && target.scalar_type() == at::kFloat) {
    scatter_rows<float>(target, index, weight, gradient);
  } else if (target.is_cpu() && target.scalar_type() == at::kDouble) {
    scatter_rows<double>(target, index, weight, gradient);
  } else {
    target.narrow(1, 0, gradient.size(1)).index_add_(0, index, gradient * weight.unsqueeze(1));
  }
}

// sources: states, slopes and, where the rule has them, mids, each [nodes, n, dim]; index, weight [terms, T].
struct ReadFunction : torch::autograd::Function<ReadFunction> {
  static at::Tensor forward(AutogradContext* context, at::TensorList sources, const at::Tensor& index,
                            const at::Tensor& weight, std::int64_t columns) {
    at::Tensor sum;
    for (std::int64_t j = 0; j < index.size(0); ++j) {
      const at::Tensor narrow = sources[kSource[j]].flatten(0, 1).narrow(1, 0, columns);
      const at::Tensor term = narrow.index_select(0, index[j]).mul_(weight[j].unsqueeze(1));
      sum = sum.defined() ? sum.add_(term) : term;
    }
    context->save_for_backward({index, weight});
    std::vector<std::int64_t> shapes;
    for (const at::Tensor& source : sources) {
      shapes.insert(shapes.end(), source.sizes().begin(), source.sizes().end());
    }
    context->saved_data["shapes"] = shapes;
    return sum;
  }

  static variable_list backward(AutogradContext* context, const variable_list& incoming) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "read: derivatives of gradients are not available");
    const variable_list saved = context->get_saved_variables();
    const std::vector<std::int64_t> shapes = context->saved_data["shapes"].toIntVector();
    const at::Tensor gradient = incoming[0].contiguous();
    variable_list gradients;
    for (std::size_t i = 0; i < shapes.size(); i += 3) {
      gradients.push_back(at::zeros({shapes[i], shapes[i + 1], shapes[i + 2]}, gradient.options()));
    }
    for (std::int64_t j = 0; j < saved[0].size(0); ++j) {
      scatter(gradients[kSource[j]].flatten(0, 1), saved[0][j], saved[1][j], gradient);
    }
    gradients.resize(gradients.size() + 3);  // index, weight and columns
    return gradients;
  }
};

Readings make_readings(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                       bool half, const at::TensorOptions& options) {
  Terms terms = find_terms(plan, rows, times, half);
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t used = half ? kTerms : kTerms - 1;
  return {tensor_of(terms.index, {used, count}, options.dtype(at::kLong)),
          tensor_of(terms.weight, {used, count}, options)};
}

// A trajectory without steps has no mids.
bool has_mids(const Trajectory& t) { return t.mids.defined() && t.mids.size(0) > 0; }

}  // namespace

Readings locate(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                const Tableau& rule, const at::TensorOptions& options) {
  return make_readings(plan, rows, times, !rule.mid.empty() && plan.max_steps() > 0, options);
}

void locate(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times, Place* out) {
  const std::int64_t n = plan.rows();
  TORCH_CHECK_VALUE((plan.max_steps() + 1) * n <= std::numeric_limits<std::int32_t>::max(),
                    "read: ", plan.max_steps() + 1, " nodes of ", n, " rows are too many");
  const auto found = [&](std::size_t i, std::int64_t left, std::int64_t right, double x, double h) {
    const double share = right > left ? x : 0;  // no step: at the only node
    out[i] = {static_cast<std::int32_t>(left * n + rows[i]), static_cast<float>(share), static_cast<float>(h)};
  };
  Reader reader(plan, rows, times, found);
  const std::vector<double>* before = nullptr;  // nodes of the run before
  for_each_run(rows, times, [&](const ReadingRun& run) {
    const std::int64_t row = rows[run.begin];
    // A prediction usually has the same target times for all objects and systems: the same places in another row.
    const std::vector<double>& nodes = reader.enter(row);
    if (!run.again || (&nodes != before && nodes != *before)) {
      reader(row, run.begin, run.end);
    } else {
      const std::size_t back = run.end - run.begin;
      const auto shift = static_cast<std::int32_t>(row - rows[run.begin - 1]);
      for (std::size_t i = run.begin; i < run.end; ++i)
        out[i] = {out[i - back].at + shift, out[i - back].x, out[i - back].h};
    }
    before = &nodes;
  });
}

at::Tensor read(const Trajectory& trajectory, const Readings& readings, std::int64_t columns) {
  const at::Tensor& states = trajectory.states;
  TORCH_CHECK_VALUE(columns >= 1 && columns <= states.size(2), "read: ", columns, " columns of ", states.size(2));
  std::vector<at::Tensor> sources{states, trajectory.slopes};
  if (has_mids(trajectory)) sources.push_back(trajectory.mids);
  return ReadFunction::apply(at::TensorList(sources), readings.index, readings.weight, columns);
}

at::Tensor read(const Trajectory& trajectory, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                std::int64_t columns) {
  return read(trajectory,
              make_readings(trajectory.plan, rows, times, has_mids(trajectory), trajectory.states.options()), columns);
}

}  // namespace lgode::ode
