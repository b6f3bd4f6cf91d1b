// The pipeline of prepared batches, and the captures of repeated work on a GPU.
#include "lgode/eval/path_runner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/heap.h"
#include "lgode/core/parallel.h"
#include "lgode/core/prefetch.h"
#include "lgode/eval/run.h"

namespace lgode::eval {
namespace {

using Clock = std::chrono::steady_clock;

// Objects times samples that a GPU computes at once: enough to keep it busy, and no more than its memory holds. The
// first batch of each thread has kFirstRows.
constexpr std::int64_t kFirstRows = 160, kLeastRows = 640, kMostRows = 20000;
constexpr std::int64_t kMostDoublings = 20;
constexpr std::int64_t kRunsBeforeCapture = 2;  // of the same shape
constexpr std::size_t kLines = 12;              // batches that a GPU works on at the same time
constexpr std::size_t kMostCaptures = 8;        // of a line
constexpr std::int64_t kRunsAfterDrop = 50;     // before it is captured again: a capture costs several launches
constexpr std::size_t kMostShapes = 1000;       // to count runs of
constexpr std::size_t kMostInFlight = 24;       // batches whose results are on their way
constexpr std::int64_t kSpared = 4;             // one in this many threads prepares nothing
constexpr std::int64_t kPerThread = 2;          // batches of a thread, so that the GPU need not wait long for the first
constexpr std::int64_t kBytesPerRow = 48;       // of an upload before any was made
constexpr std::int64_t kSpareBytes = 1 << 16;   // for what does not grow with rows

// Whether this call has the flag alone; it is given back at the end.
struct Alone {
  explicit Alone(std::atomic<bool>& flag) : busy(flag), first(!flag.exchange(true)) {}
  ~Alone() {
    if (first) busy = false;
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

  std::atomic<bool>& busy;
  const bool first;
};

// How many batches are prepared at once. The thread that launches and the driver need a share of the machine, too.
std::int64_t threads_of(const ops::Context& context) {
  const std::int64_t all = context.threads > 0 ? context.threads : hardware_threads();
  return all - all / kSpared;
}

std::int64_t rows_of(const data::Batch& batch) { return batch.observations() + batch.targets() + batch.objects(); }

}  // namespace

at::Tensor noise_of(const data::Batch& batch, std::int64_t latent, const PathOptions& options, at::ScalarType dtype) {
  if (options.samples == 0) return {};
  const at::Tensor noise =
      model::latent_noise(batch, options.samples, latent, options.seed, RandomUse::kPredict, options.draw, dtype);
  return at::cat({at::zeros({batch.objects(), latent}, noise.options()), noise});
}

at::Tensor PathResult::values() const {
  if (!host_.defined()) return {};
  if (done_) done_->wait();
  return host_.slice(1, 0, batch().targets());
}

at::Tensor PathResult::scores() const {
  if (done_) done_->wait();
  return scores_.defined() ? scores_.slice(0, 0, batch().objects()) : scores_;
}

// Work that was captured, the input it reads and what it writes.
struct PathRunner::Captured {
  std::vector<std::int64_t> shape;
  std::shared_ptr<PathInput> input;
  Computed computed;
  ops::CapturedWork work;
};

// A stream and its captures. Captures of different lines do not share memory, so that they can run at the same time.
struct PathRunner::Line {
  explicit Line(at::Device device) : lane(device) {}

  ops::Lane lane;
  ops::CaptureMemory memory;
  std::map<std::vector<std::int64_t>, std::int64_t> runs_of;  // by shape
  std::list<Captured> captured;                               // last used first
};

PathRunner::PathRunner(std::shared_ptr<const model::Model> model, const ops::Context& context)
    : model_(std::move(model)), context_(context), bytes_per_row_(kBytesPerRow) {
  context_.gradients = false;
  if (!model_->device().is_cpu()) keep_freed_memory();  // batches are made as fast as the GPU takes them
  for (std::size_t i = 0; i < kLines; ++i) lines_.push_back(std::make_unique<Line>(model_->device()));
}
PathRunner::~PathRunner() = default;

std::int64_t PathRunner::rows_of_batch(std::int64_t i, std::int64_t rows) const {
  const std::int64_t threads = threads_of(context_);
  const std::int64_t most =
      std::clamp((rows + kPerThread * threads - 1) / (kPerThread * threads), kLeastRows, kMostRows);
  return std::min(most, kFirstRows << std::min<std::int64_t>(i / threads, kMostDoublings));
}

PathInput PathRunner::prepare(data::Batch raw, const PathOptions& options, bool ahead) const {
  PathInput in;
  if (raw.systems() == 0) {
    in.tensors.batch = std::move(raw);
    return in;
  }
  const at::Device device = model_->device();
  const bool padded = !options.exact && model_->takes_padded(context_.precision);
  const std::int64_t rows = rows_of(raw);
  // Packed, it is sent by launch(): one copy, by the thread that launches anyway. Its memory is used in another queue
  // than it was made in: it is given back after that work. Else every tensor is copied here.
  std::optional<ops::Queue> queue;
  if (padded) {
    in.uploaded = ops::Upload::packed(device, rows * bytes_per_row_ + kSpareBytes, ops::Purpose::kPrediction);
  } else {
    if (ahead) queue.emplace(device);
    in.uploaded = ops::Upload(device);
  }
  model::RolloutOptions rollout = model::rollout_options(context_, 1 + options.samples);
  rollout.shapes = padded ? ops::Shapes::kPadded : ops::Shapes::kExact;
  rollout.beside = ahead, rollout.futures = options.futures;
  in.rollout = model_->prepare(raw, rollout, in.uploaded);
  in.capturable = padded && in.rollout->fixed_launches;
  in.tensors = model_->tensors(std::move(raw), rollout.shapes, in.uploaded);
  if (options.samples > 0)
    in.noise = in.uploaded(noise_of(in.tensors.batch, model_->latent(), options, in.tensors.inputs.scalar_type()));
  in.uploaded.shaped_by(options.samples > 0 ? 1 : 0);
  if (padded) {
    const std::int64_t beyond = std::max<std::int64_t>(in.uploaded.bytes() - kSpareBytes, 0);
    const std::int64_t each = beyond / std::max<std::int64_t>(rows, 1) + 1;
    if (each > bytes_per_row_) bytes_per_row_ = each;
  }
  return in;  // the queue ends when its copies are done
}

PathRunner::Computed PathRunner::compute(const PathInput& in) const {
  const model::Paths paths = model_->paths(in.tensors, *in.rollout, in.noise, {});
  if (!paths.futures.defined()) return {paths.values.to(at::kFloat).contiguous(), {}};
  return {at::cat({paths.values, paths.futures}).to(at::kFloat).contiguous(),
          paths.scores.to(at::kFloat).contiguous()};
}

PathResult PathRunner::launch(const std::shared_ptr<PathInput>& in, Line* line) const {
  PathResult result;
  result.input_ = in;
  if (in->rollout == nullptr) return result;
  if (model_->device().is_cpu()) {
    const Computed computed = compute(*in);
    result.host_ = computed.values, result.scores_ = computed.scores;
    return result;
  }
  if (!in->capturable) line = nullptr;
  std::vector<std::int64_t> shape;
  Computed computed;
  if (line != nullptr) {
    shape = in->uploaded.shape();
    const auto found =
        std::find_if(line->captured.begin(), line->captured.end(), [&](const Captured& c) { return c.shape == shape; });
    if (found != line->captured.end()) {
      line->captured.splice(line->captured.begin(), line->captured, found);
      in->uploaded.send_to(found->input->uploaded);
      found->work.replay();
      computed = found->computed;
    }
  }
  const bool replayed = computed.values.defined();
  if (!replayed) {
    in->uploaded.send();
    computed = compute(*in);
  }
  const auto to_host = [](const at::Tensor& x) {
    const at::Tensor host = at::empty(x.sizes(), at::TensorOptions(at::kFloat).pinned_memory(true));
    return host.copy_(x, /*non_blocking=*/true);
  };
  result.host_ = to_host(computed.values);
  if (computed.scores.defined()) result.scores_ = to_host(computed.scores);
  result.done_.emplace(model_->device());
  if (line == nullptr || replayed || !in->uploaded.in_one_block()) return result;
  if (line->runs_of.size() >= kMostShapes) line->runs_of.clear();
  if (++line->runs_of[shape] >= kRunsBeforeCapture) capture(*line, in, shape, computed);
  return result;
}

void PathRunner::capture(Line& line, const std::shared_ptr<PathInput>& input, const std::vector<std::int64_t>& shape,
                         const Computed& computed) const {
  if (line.captured.size() >= kMostCaptures) {
    ops::DeviceMark(model_->device()).wait();  // it may still be replaying
    line.runs_of[line.captured.back().shape] = -kRunsAfterDrop;
    line.captured.pop_back();
  }
  Computed out{at::empty_like(computed.values), {}};
  if (computed.scores.defined()) out.scores = at::empty_like(computed.scores);
  ops::CapturedWork work(
      model_->device(),
      [&] {
        const Computed again = compute(*input);
        out.values.copy_(again.values);
        if (out.scores.defined()) out.scores.copy_(again.scores);
      },
      line.memory);
  line.captured.push_front({shape, input, out, std::move(work)});
  ++captures_;
}

// Batches of one run() that were launched and whose results are not taken yet.
class PathRunner::Flight {
 public:
  Flight(PathRunner& runner, const Work& work, const StopFlag* stop)
      : runner_(runner), work_(work), stop_(stop), alone_(runner.busy_) {
    if (has_lines())
      for (std::size_t i = 0; i < kLines; ++i) queues_[i].emplace(runner_.lines_[i]->lane);
    else
      queues_[0].emplace(runner_.model_->device());
  }

  // Whether no other run uses the lines.
  bool has_lines() const { return alone_.first; }
  std::size_t size() const { return flying_.size(); }
  void check() const {
    if (stop_ != nullptr && stop_->requested()) throw Interrupted();
  }
  void launch(std::int64_t i, PathInput input) {
    const auto in = std::make_shared<PathInput>(std::move(input));
    std::optional<ops::LaneScope> lane;
    Line* const line = has_lines() ? runner_.lines_[static_cast<std::size_t>(i) % kLines].get() : nullptr;
    if (line != nullptr) lane.emplace(line->lane);
    try {
      flying_.emplace_back(i, runner_.launch(in, line));
    } catch (...) {  // its copy may be on its way
      ops::DeviceMark(runner_.model_->device()).wait();
      throw;
    }
  }
  // Takes the oldest result.
  void land() {
    flying_.front().second.values();  // the device no longer reads the input
    work_.take(flying_.front().first, flying_.front().second);
    flying_.pop_front();
  }

 private:
  PathRunner& runner_;
  const Work& work_;
  const StopFlag* stop_;
  const Alone alone_;
  std::deque<std::pair<std::int64_t, PathResult>> flying_;
  // At the end they wait, before batches in flight are given back: members end in the opposite order.
  std::array<std::optional<ops::Queue>, kLines> queues_;
};

void PathRunner::run(const Work& work, const PathOptions& options, const StopFlag* stop) {
  const ops::ContextScope scope(context_);
  Flight flight(*this, work, stop);
  // A CPU computes with all threads itself.
  if (work.count <= 1 || model_->device().is_cpu()) {
    for (std::int64_t i = 0; i < work.count; ++i) {
      flight.check();
      flight.launch(i, prepare(work.make(i), options, /*ahead=*/false));
      flight.land();
    }
    return;
  }
  const auto make = [&](std::int64_t i) {
    at::NoGradGuard no_grad;
    return prepare(work.make(i), options, /*ahead=*/true);
  };
  Times times;
  const auto begin = Clock::now();
  const auto now = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); };
  Prefetch<PathInput> inputs(ops::helpers(), make, 0, work.count, threads_of(context_));
  for (std::int64_t i = 0; i < work.count; ++i) {
    flight.check();
    inputs.fill();
    PathInput input = inputs.take();
    times.last_input = now();
    if (i == 0) times.first_input = times.last_input;
    flight.launch(i, std::move(input));
    if (flight.size() > kMostInFlight) flight.land();
  }
  while (flight.size() > 0) flight.land();
  times.end = now();
  if (flight.has_lines()) times_ = times;
}

std::shared_ptr<PathRunner> KeptRunner::get(const std::shared_ptr<const model::Model>& model,
                                            const ops::Context& context) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool same = runner_ != nullptr && runner_->model() == model && runner_->context().device == context.device &&
                    runner_->context().threads == context.threads;
  if (!same) runner_ = std::make_shared<PathRunner>(model, context.without_gradients());
  return runner_;
}

std::shared_ptr<KeptRunner> make_kept_runner() { return std::make_shared<KeptRunner>(); }

}  // namespace lgode::eval
