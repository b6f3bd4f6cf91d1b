// Times trials of growing size, and extrapolates time and memory to a whole batch.
#include "lgode/train/cost.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "lgode/core/clock.h"
#include "lgode/ops/device.h"
#include "lgode/train/step.h"

namespace lgode::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kEnough = 0.1;            // seconds: a trial that takes so long is large enough
constexpr double kCounting = 0.2;          // seconds for counting the content of a batch
constexpr std::int64_t kFirstObjects = 8;  // of the first trial, where systems are larger
constexpr double kLeastSlope = 0.5;        // of time per work, relative to the last trial: steps have a fixed cost

// Bytes after a name in /proc/self/status; 0 if it is absent.
double status_bytes(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return 1024.0 * std::atof(line.c_str() + std::string(name).size());
  return 0.0;
}

// Resets the largest resident set, where the system allows that.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

// Memory of the machine, or the limit of the container.
double machine_memory() {
  double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double limit = 0;
    if (std::ifstream(path) >> limit && limit > 0) bytes = std::min(bytes, limit);
  }
  return std::max(bytes, 0.0);
}

struct Trial {
  double work = 0, seconds = 0;
  double peak = 0;  // bytes
};

// Line through the last two trials, at `work`; the slope is at least a share of, and at most, value per work.
double extend(double work, const Trial& last, const std::optional<Trial>& before, double Trial::*value, double least) {
  const double most = last.*value / last.work;
  const double slope =
      before ? std::clamp((last.*value - (*before).*value) / (last.work - before->work), least * most, most) : most;
  return last.*value + slope * std::max(0.0, work - last.work);
}

class Trials {
 public:
  Trials(model::Model& model, const StepMaker& steps, const ops::Context& context)
      : model_(model), steps_(steps), context_(context) {}

  // Runs trials until one takes long enough, or has the whole batch.
  void run(const data::Batch& first, const std::vector<std::int64_t>& systems) {
    if (!context_.device.is_cpu()) {
      // Small batches take a GPU about as long as large ones: nothing can be learned from them.
      add(steps_.batch_of(systems, 0));
      model_.parameters().flat_grad().zero_();
      return;
    }
    if (first.systems() == 1 && first.objects() > kFirstObjects && model_.shape().objects == 0)
      for (std::int64_t n = kFirstObjects; n < first.objects() && !enough(); n *= 2) add(first_objects(first, n));
    if (!enough()) add(first);
    for (std::size_t n = 2; n < 2 * systems.size() && !enough(); n *= 2)
      add(steps_.batch_of({systems.begin(), systems.begin() + std::min(n, systems.size())}, 0));
    model_.parameters().flat_grad().zero_();
  }

  bool any() const { return last_.has_value(); }
  double seconds(double work) const { return extend(work, *last_, before_, &Trial::seconds, kLeastSlope); }
  double memory(double work) const {
    // Memory that was there before the trials does not grow with them.
    Trial last = *last_;
    std::optional<Trial> before = before_;
    last.peak = std::max(0.0, last.peak - resident_);
    if (before) before->peak = std::max(0.0, before->peak - resident_);
    return resident_ + extend(work, last, before, &Trial::peak, 0.0);
  }

 private:
  // Two trials at least: the first one has the fixed costs, and the second one shows how they grow.
  bool enough() const { return last_ && before_ && last_->seconds >= kEnough; }

  void add(data::Batch batch) {
    if (!batch.asks_something()) return;
    Trial trial{.work = work_of(batch, model_.options().interaction)};
    reset_peak();
    const StepInput input = steps_.make(std::move(batch), 0);
    if (!last_) {
      time(input);  // starts threads and loads libraries
      resident_ = status_bytes("VmRSS:");
    }
    trial.seconds = time(input);
    trial.peak = status_bytes("VmHWM:");
    if (last_ && last_->work < trial.work) before_ = last_;
    last_ = trial;
  }

  double time(const StepInput& input) const {
    const Clock::time_point start = Clock::now();
    differentiate(model_, input);
    ops::DeviceMark(context_.device).wait();
    return seconds_since(start);
  }

  model::Model& model_;
  const StepMaker& steps_;
  const ops::Context& context_;
  double resident_ = 0;  // bytes before the trials
  std::optional<Trial> last_, before_;
};

}  // namespace

double work_of(const data::Batch& batch, model::Interaction interaction) {
  double work = 0;
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::int64_t first = batch.object_offsets[b], end = batch.object_offsets[b + 1];
    for (std::int64_t i = first; i < end; ++i) {
      const std::int64_t observations = batch.observation_offsets[i + 1] - batch.observation_offsets[i];
      const std::int64_t others = interaction == model::Interaction::kAll
                                      ? end - first - 1
                                      : batch.relation_offsets[i + 1] - batch.relation_offsets[i];
      work += static_cast<double>((1 + others) * (1 + observations));
    }
  }
  return work;
}

data::Batch first_objects(const data::Batch& batch, std::int64_t count) {
  data::Batch part = batch;
  const std::int64_t n = std::min(count, batch.objects());
  part.object_offsets = {0, n};
  part.object.resize(n);
  part.relation_offsets = {0};
  part.relation_sources.clear(), part.relation_types.clear(), part.relation_weights.clear();
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t e = batch.relation_offsets[i]; e < batch.relation_offsets[i + 1]; ++e) {
      if (batch.relation_sources[e] >= n) continue;
      part.relation_sources.push_back(batch.relation_sources[e]);
      part.relation_types.push_back(batch.relation_types[e]);
      part.relation_weights.push_back(batch.relation_weights[e]);
    }
    part.relation_offsets.push_back(static_cast<std::int64_t>(part.relation_sources.size()));
  }
  const auto rows = static_cast<std::size_t>(batch.observation_offsets[n]);
  const auto targets = static_cast<std::size_t>(batch.target_offsets[n]);
  const auto features = static_cast<std::size_t>(batch.features);
  part.observation_offsets.resize(n + 1), part.target_offsets.resize(n + 1);
  part.observation_times.resize(rows), part.target_times.resize(targets), part.target_seen.resize(targets);
  part.observation_rows.resize(rows), part.target_rows.resize(targets);
  part.observation_values.resize(rows * features), part.observation_mask.resize(rows * features);
  part.target_values.resize(targets * features), part.target_mask.resize(targets * features);
  part.unseen_objects = 0, part.unseen_errors.clear(), part.unseen_mask.clear();
  return part;
}

Cost estimate_step(model::Model& model, const StepMaker& steps, const ops::Context& context) {
  Cost cost;
  cost.parameters = model.parameters().count();
  const std::vector<std::int64_t> systems = steps.systems_of(0);
  if (systems.empty()) return cost;  // a rank without a share
  const Clock::time_point start = Clock::now();
  data::Batch first;
  double work = 0, objects = 0, observations = 0, relations = 0, counted = 0;
  for (std::size_t i = 0; i < systems.size() && (i == 0 || seconds_since(start) < kCounting); ++i) {
    data::Batch batch = steps.batch_of({systems[i]}, 0);
    counted += 1, work += work_of(batch, model.options().interaction), objects += static_cast<double>(batch.objects());
    observations += static_cast<double>(batch.observations());
    relations += static_cast<double>(batch.relation_sources.size());
    if (i == 0) first = std::move(batch);
  }
  const double scale = static_cast<double>(systems.size()) / counted;
  cost.objects = std::llround(scale * objects), cost.observations = std::llround(scale * observations);
  cost.relations = std::llround(scale * relations);
  Trials trials(model, steps, context);
  trials.run(first, systems);
  if (!trials.any()) return cost;
  cost.step_seconds = trials.seconds(scale * work);
  if (!context.device.is_cpu()) return cost;
  cost.memory = trials.memory(scale * work);
  cost.machine = machine_memory();
  return cost;
}

}  // namespace lgode::train
