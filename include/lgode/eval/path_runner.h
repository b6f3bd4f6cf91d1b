// Computes the paths of many batches: prepares them on several threads, while a GPU works on earlier ones and results
// of still earlier ones come back. On a GPU, work whose shapes repeat is captured once and then replayed by one launch
// (ops/device.h), if the model allows it (Model::takes_padded(), Rollout::fixed_launches); other work is launched as
// usual. No gradients.
//
// Shapes: S samples, K futures, N objects, T targets, D features.
#pragma once

#include <ATen/ATen.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/model/model.h"
#include "lgode/ops/context.h"
#include "lgode/ops/device.h"
#include "lgode/ops/upload.h"

namespace lgode::eval {

// Which paths are wanted: the mean path and, after it, samples and futures.
struct PathOptions {
  std::int64_t samples = 0;
  bool futures = false;  // of a model that has several
  std::uint64_t seed = 1, draw = 0;  // of the latent noise
  // Tensors of exact sizes, which other functions of the model can use, too; nothing is captured then.
  bool exact = false;
};

// Noise of the mean path, which is zero, and of `samples`: [(1 + S)*N, L] sample-major. Undefined without samples.
at::Tensor noise_of(const data::Batch& batch, std::int64_t latent, const PathOptions& options, at::ScalarType dtype);

// A batch, ready to compute. Empty if the batch has no systems.
struct PathInput {
  model::BatchTensors tensors;
  std::shared_ptr<const model::Rollout> rollout;
  at::Tensor noise;
  ops::Upload uploaded;
  bool capturable = false;
};

// Paths on their way to the host.
class PathResult {
 public:
  const data::Batch& batch() const { return input_->tensors.batch; }
  const model::BatchTensors& tensors() const { return input_->tensors; }
  // Waits for them: [1 + S + K, T, D] float32 in host memory, normalised: the mean path, samples, then the futures of a
  // model that has several; undefined for a batch without systems.
  at::Tensor values() const;
  // Waits for the futures' scores: [N, K] float32 in host memory; undefined without several futures.
  at::Tensor scores() const;

 private:
  friend class PathRunner;
  std::shared_ptr<const PathInput> input_;  // the device may still read it
  at::Tensor host_, scores_;
  std::optional<ops::DeviceMark> done_;
};

class PathRunner {
 public:
  PathRunner(std::shared_ptr<const model::Model> model, const ops::Context& context);
  ~PathRunner();
  PathRunner(const PathRunner&) = delete;
  PathRunner& operator=(const PathRunner&) = delete;

  const std::shared_ptr<const model::Model>& model() const { return model_; }
  const ops::Context& context() const { return context_; }

  // How many rows (objects times samples) batch i on a GPU should have, for this total: a few batches per
  // thread, unless that makes them too small or too large. The first ones are smaller, as the GPU waits for them, and
  // with each round of the threads twice as large.
  std::int64_t rows_of_batch(std::int64_t i, std::int64_t rows) const;

  // What to compute: inputs 0 to count - 1. make(i) is called on other threads, several at a time, unless there is only
  // one; it returns a batch. take(i, result) is called here, in order. Interrupted on a stop request.
  struct Work {
    std::int64_t count = 0;
    std::function<data::Batch(std::int64_t)> make;
    std::function<void(std::int64_t, const PathResult&)> take;
  };
  // One call at a time uses captures; calls that overlap it launch everything.
  void run(const Work& work, const PathOptions& options, const StopFlag* stop = nullptr);

  // Milliseconds since the beginning of the last run() of several batches on a GPU: when the first and the last batch
  // were prepared, and when all results had been taken. Shows whether the GPU waited for the host.
  struct Times {
    double first_input = 0, last_input = 0, end = 0;
  };
  Times times() const { return times_; }

  // Number of captures so far.
  std::int64_t captures() const { return captures_; }

 private:
  struct Captured;
  struct Line;
  class Flight;

  // Everything that needs no weights. `ahead`: on another thread than the launch.
  PathInput prepare(data::Batch raw, const PathOptions& options, bool ahead) const;
  // Computes in the current queue. `line`: its captures may be used; null: none.
  PathResult launch(const std::shared_ptr<PathInput>& in, Line* line) const;
  struct Computed {
    at::Tensor values, scores;  // as PathResult
  };
  Computed compute(const PathInput& input) const;
  // The work has just run in this queue, so that its kernels and workspaces are loaded.
  void capture(Line& line, const std::shared_ptr<PathInput>& input, const std::vector<std::int64_t>& shape,
               const Computed& computed) const;

  std::shared_ptr<const model::Model> model_;
  ops::Context context_;
  mutable std::atomic<std::int64_t> bytes_per_row_;  // of an upload, by observations and targets
  mutable std::atomic<std::int64_t> captures_ = 0;
  Times times_;                               // written by the call that uses the lines
  std::atomic<bool> busy_ = false;            // a call uses the lines
  std::vector<std::unique_ptr<Line>> lines_;  // batches take turns
};

// The runner of a model, made on first use and kept with it (Run::runner).
class KeptRunner {
 public:
  // For this model and context; the one that is kept if it is for the same.
  std::shared_ptr<PathRunner> get(const std::shared_ptr<const model::Model>& model, const ops::Context& context);

 private:
  std::mutex mutex_;
  std::shared_ptr<PathRunner> runner_;
};

}  // namespace lgode::eval
