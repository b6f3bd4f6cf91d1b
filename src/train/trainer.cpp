#include "lgode/train/trainer.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <future>
#include <limits>
#include <map>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/median.h"
#include "lgode/core/options.h"
#include "lgode/core/random.h"
#include "lgode/eval/evaluate.h"
#include "lgode/eval/run.h"
#include "lgode/ops/device.h"
#include "lgode/train/objective.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/run_folder.h"
#include "lgode/version.h"

namespace lgode::train {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kAskEvery = 16;             // steps between two looks at a GPU's sums
constexpr std::int64_t kStepsBeforeRecording = 2;  // of the same sizes: kernels are loaded, workspaces are there
constexpr std::size_t kMostRecordings = 12;
constexpr std::size_t kMostKeptSystems = 20000;  // of the validation part, on a GPU: about 40 kB each
constexpr std::int64_t kKeptBatch = 2048;
constexpr const char* kTrainingKey = "lgode.training";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string device_name(Device device) {
  return device == Device::kCuda ? "cuda" : device == Device::kCpu ? "cpu" : "auto";
}

// 256 where that leaves 20 steps an epoch, 32 where that leaves 3, else a quarter of the systems.
std::int64_t automatic_batch(std::int64_t systems) {
  if (systems >= 20 * 256) return 256;
  return systems >= 3 * 32 ? 32 : (systems + 3) / 4;
}

bool tf32(const RunConfig& config) { return config.model.precision == ops::Precision::kTf32; }

json config_json(RunConfig config) {
  OptionSet options;
  declare(options, config);
  return options.to_json();
}

// Where a run stands; all of it is in the checkpoint.
struct Progress {
  std::int64_t epoch = 0;          // finished epochs
  std::int64_t step_in_epoch = 0;  // finished steps of the current one
  std::int64_t step = 0;           // finished steps in all
  std::int64_t counted = 0;        // steps of the current epoch that had targets; the sums are over them
  double loss = 0, reconstruction = 0, kl = 0, mse = 0;
  std::optional<double> best;
  std::int64_t best_epoch = 0;

  json to_json() const {
    return {{"epoch", epoch},
            {"step_in_epoch", step_in_epoch},
            {"step", step},
            {"counted", counted},
            {"loss", loss},
            {"reconstruction", reconstruction},
            {"kl", kl},
            {"mse", mse},
            {"best", best ? json(*best) : json(nullptr)},
            {"best_epoch", best_epoch}};
  }
  static Progress from_json(const json& j) {
    Progress p;
    p.epoch = j.at("epoch"), p.step_in_epoch = j.at("step_in_epoch"), p.step = j.at("step"),
    p.counted = j.at("counted");
    p.loss = j.at("loss"), p.reconstruction = j.at("reconstruction"), p.kl = j.at("kl"), p.mse = j.at("mse");
    if (!j.at("best").is_null()) p.best = j.at("best").get<double>();
    p.best_epoch = j.at("best_epoch");
    return p;
  }
};

class Trainer {
 public:
  Trainer(const RunConfig& config, const data::Dataset& dataset, std::filesystem::path folder, const TrainHooks& hooks)
      : config_(config),
        folder_(std::move(folder)),
        hooks_(hooks),
        threads_(eval::use_threads(config.train.threads)),
        parts_(data::split_parts(dataset, config.task)),
        maker_(dataset, data::fit_normalisation(dataset, data::normalisation_systems(dataset, config.task)),
               config.task),
        device_(eval::pick_device(device_name(config.train.device))),
        model_(model::make_model(config.model, shape(dataset, config), config.task.seed, at::kFloat, device_)),
        adam_(model_->parameters()) {
    if (device_.is_cuda()) at::globalContext().setFloat32MatmulPrecision(tf32(config) ? "high" : "highest");
    if (parts_.train.empty()) throw DataError("the data set has no training systems; at least one is needed to train");
    keep_systems_with_targets();
    const auto systems = static_cast<std::int64_t>(parts_.train.size());
    config_.train.batch = config_.train.batch.value_or(automatic_batch(systems));
    batch_ = std::min(*config_.train.batch, systems);
    config_.model.window = model_->shape().window;
    if (config_.model.kind == model::ModelKind::kRnnNri) config_.model.cell = model_->shape().cell;
    steps_per_epoch_ = (systems + batch_ - 1) / batch_;
    info_ = describe(dataset);
  }

  const RunConfig& config() const { return config_; }

  void load_checkpoint() {
    const std::string trained_on = eval::load_run_info(folder_ / "checkpoint.safetensors").data_fingerprint;
    if (!maker_.dataset().has_fingerprint(trained_on))
      throw DataError(fmt::format(
          "{}: was trained on another data set (fingerprint {}, this one has {}); resume with the data it started with",
          folder_.string(), trained_on, info_.data_fingerprint));
    const SafetensorsFile file(folder_ / "checkpoint.safetensors");
    eval::load_weights(file, model_->parameters());
    at::NoGradGuard no_grad;
    adam_.first_moment().copy_(eval::load_tensor(file, "optimizer.first_moment"));
    adam_.second_moment().copy_(eval::load_tensor(file, "optimizer.second_moment"));
    try {
      at_ = Progress::from_json(parse_json(file.meta(kTrainingKey)));
    } catch (const json::exception& e) {
      throw DataError(
          fmt::format("{}: what it says of the training's progress is damaged ({})", file.path().string(), e.what()));
    }
    adam_.set_steps(at_.step);
    trim_metrics();
  }

  TrainResult run() {
    const ops::Queue queue(device_);
    const std::int64_t total = total_ = config_.train.epochs * steps_per_epoch_;
    started_ = last_checkpoint_ = Clock::now();
    first_step_ = at_.step;
    if (total == 0) {
      save();
      eval::save_checkpoint(folder_ / "best.safetensors", info_now({}), model_->parameters());
    }
    if (hooks_.on_start)
      hooks_.on_start({static_cast<std::int64_t>(parts_.train.size()),
                       static_cast<std::int64_t>(parts_.validation.size()), batch_, steps_per_epoch_, total, at_.step});
    while (at_.epoch < config_.train.epochs) {
      const Clock::time_point begin = Clock::now();
      if (!run_epoch(total)) return result(false);
      if (!finish_epoch(total, begin)) return result(false);
    }
    return result(true);
  }

 private:
  static model::ModelShape shape(const data::Dataset& dataset, const RunConfig& config) {
    model::ModelShape shape{dataset.features(), static_cast<std::int64_t>(dataset.description().relation_types.size()),
                            data::has_missing(dataset, data::Part::kTrain),
                            config.model.window.value_or(data::default_window(dataset, config.task.observed))};
    if (config.model.kind == model::ModelKind::kRnnNri) {
      shape.objects = common_objects(dataset);
      shape.cell = config.model.cell.value_or(data::default_cell(dataset));
    }
    return shape;
  }

  // rnn-nri reads a system's objects side by side.
  static std::int64_t common_objects(const data::Dataset& dataset) {
    const std::int64_t objects = dataset.systems() > 0 ? dataset.objects_of(0) : 0;
    for (std::int64_t s = 1; s < dataset.systems(); ++s)
      if (dataset.objects_of(s) != objects)
        throw DataError(
            fmt::format("--model rnn-nri needs systems of one size: system {} has {} objects, system {} has {}; choose "
                        "another --model",
                        dataset.system_id(0), objects, dataset.system_id(s), dataset.objects_of(s)));
    if (objects == 0) throw DataError("--model rnn-nri needs systems with objects; choose another --model");
    return objects;
  }

  // Systems that the task asks nothing of (all observations early, say) cannot train the model.
  void keep_systems_with_targets() {
    auto asks_nothing = [&](std::int64_t system) {
      return !maker_.make({system}, data::View::kValidate).asks_something();
    };
    std::erase_if(parts_.train, asks_nothing);
    if (parts_.train.empty())
      throw DataError(
          config_.task.task == data::Task::kExtrapolate
              ? "no training system has an observation that extrapolation asks for: it needs some in the second half "
                "of the "
                "first range, from the system's origin to the origin plus the set's conditioning length; see lgode info"
              : "no training system has an observation in its first range, from the system's origin to the origin plus "
                "the set's conditioning length; see lgode info, and set the origins where times are wall-clock times");
    if (config_.task.protocol == data::Protocol::kClean) std::erase_if(parts_.validation, asks_nothing);
  }

  eval::RunInfo describe(const data::Dataset& dataset) const {
    eval::RunInfo info;
    info.config = config_json(config_);
    info.task = config_.task;
    info.model = config_.model;
    info.shape = model_->shape();
    info.normalisation = maker_.normalisation();
    info.features = dataset.description().features;
    info.relation_types = dataset.description().relation_types;
    info.time_scale = dataset.description().time_scale;
    info.conditioning_length = dataset.description().conditioning_length;
    info.data_name = dataset.description().name;
    info.data_fingerprint = dataset.fingerprint();
    info.commit = LGODE_COMMIT;
    info.version = LGODE_VERSION;
    info.machine = eval::machine_name(threads_, device_);
    return info;
  }

  // Batches that are made ready ahead of the step: a GPU is faster than one thread can feed it.
  std::int64_t batches_ahead() const { return device_.is_cpu() ? 2 : std::clamp<std::int64_t>(threads_, 2, 12); }

  // A batch with all that a step needs beside the weights.
  struct Staged {
    bool asks_something = false;  // a random start may leave a small batch without targets
    std::optional<model::BatchTensors> batch;
    model::Rollout rollout;
    at::Tensor noise;
    model::Dropout dropout;
    at::Tensor rates;         // of step_rates()
    bool recordable = false;  // the step reads nothing but the weights and on_device()

    std::vector<at::Tensor> on_device() const {
      std::vector<at::Tensor> all = batch->on_device();
      const std::vector<at::Tensor> more = rollout.on_device();
      all.insert(all.end(), more.begin(), more.end());
      all.insert(all.end(), {noise, rates});
      for (const ops::DropoutStreams& mask : dropout) all.insert(all.end(), {mask.names, mask.begin_on_device});
      return all;
    }
    // Steps that agree in these do the same work on the same numbers of bytes.
    std::vector<std::int64_t> sizes() const {
      std::vector<std::int64_t> all = rollout.sizes();
      for (const at::Tensor& t : on_device()) all.insert(all.end(), t.sizes().begin(), t.sizes().end());
      return all;
    }
  };

  Staged stage(const std::vector<std::int64_t>& systems, std::int64_t epoch, std::int64_t step) const {
    data::Batch raw = maker_.make(systems, data::View::kTrain, epoch, step);
    Staged staged;
    staged.asks_something = raw.asks_something();
    if (!staged.asks_something) return staged;
    const ops::Queue queue(device_);
    const ops::Shapes shapes = model_->takes_padded() ? ops::Shapes::kPadded : ops::Shapes::kExact;
    staged.rollout = model_->prepare(raw, config_.train.samples, shapes);
    staged.noise =
        model::latent_noise(raw, config_.train.samples, model_->latent(), config_.task.seed, RandomUse::kLatent,
                            static_cast<std::uint64_t>(step), at::TensorOptions(at::kFloat).device(device_));
    const std::vector<std::int64_t>& seen = raw.observation_offsets;
    const bool blind = std::adjacent_find(seen.begin(), seen.end()) != seen.end();
    staged.recordable = shapes == ops::Shapes::kPadded && staged.rollout.fused_on_gpu && !blind;
    staged.batch = model_->tensors(std::move(raw), shapes);
    staged.dropout = model_->dropout(*staged.batch, {config_.task.seed, static_cast<std::uint64_t>(step)});
    staged.rates = step_rates(config_.train, step, total_).to(device_);
    return staged;
  }

  // False: stopped on request, with a checkpoint. While a step runs, the next batches are made ready on other threads.
  bool run_epoch(std::int64_t total) {
    const std::vector<std::int64_t> order =
        Random(config_.task.seed, RandomUse::kShuffle, {static_cast<std::uint64_t>(at_.epoch)})
            .permutation(static_cast<std::int64_t>(parts_.train.size()));
    auto prepare = [&](std::int64_t step_in_epoch, std::int64_t step) {
      std::vector<std::int64_t> systems;
      const std::int64_t first = step_in_epoch * batch_;
      for (std::int64_t k = first; k < std::min(first + batch_, static_cast<std::int64_t>(order.size())); ++k)
        systems.push_back(parts_.train[order[k]]);
      return std::async(std::launch::async, [this, systems = std::move(systems), epoch = at_.epoch, step] {
        return stage(systems, epoch, step);
      });
    };
    step_ends_ = {Clock::now()};
    std::deque<std::future<Staged>> ahead;
    std::int64_t next = at_.step_in_epoch;
    auto fill = [&] {
      for (; next < steps_per_epoch_ && static_cast<std::int64_t>(ahead.size()) < batches_ahead(); ++next)
        ahead.push_back(prepare(next, at_.step + next - at_.step_in_epoch));
    };
    while (at_.step_in_epoch < steps_per_epoch_) {
      if (hooks_.stop != nullptr && hooks_.stop->requested()) {
        save();
        return false;
      }
      fill();
      Staged staged = ahead.front().get();
      ahead.pop_front();
      if (device_.is_cpu()) {
        fill();
        train_step(staged);
      } else {
        if (will_record(staged))
          for (std::future<Staged>& batch : ahead) batch.wait();
        else
          fill();
        train_step_on_gpu(staged);
        in_use_.emplace_back(std::move(staged), ops::DeviceMark(device_));
        for (; in_use_.size() > 2; in_use_.pop_front()) in_use_.front().second.wait();
      }
      step_ends_.push_back(Clock::now());
      report_step(total);
      if (config_.train.checkpoint_seconds > 0 && at_.step_in_epoch < steps_per_epoch_ &&
          seconds_since(last_checkpoint_) > static_cast<double>(config_.train.checkpoint_seconds))
        save();
    }
    return true;
  }

  void train_step(const Staged& staged) {
    const TrainOptions& t = config_.train;
    ++at_.step_in_epoch;
    if (staged.asks_something) {
      const Objective o = elbo(*model_, *staged.batch, staged.rollout, staged.noise,
                               at::scalar_tensor(kl_weight_at(t, at_.step), at::kDouble), staged.dropout);
      const double loss = o.loss.item<double>();
      if (!std::isfinite(loss)) throw diverged("the loss");
      model_->parameters().flat_grad().zero_();
      torch::autograd::backward({o.loss}, {});
      if (!std::isfinite(adam_.step(t, learning_rate(t, at_.step, total_)))) throw diverged("the gradient");
      ++at_.counted;
      at_.loss += loss, at_.reconstruction += o.reconstruction.item<double>();
      at_.kl += o.kl.item<double>(), at_.mse += o.mse.item<double>();
    }
    ++at_.step;
    adam_.set_steps(at_.step);
  }

  // A whole step, without waiting for the device.
  void ask_step(const Staged& staged) {
    const Objective o =
        elbo(*model_, *staged.batch, staged.rollout, staged.noise, staged.rates[kKlWeight], staged.dropout);
    model_->parameters().flat_grad().zero_();
    torch::autograd::backward({o.loss}, {});
    const at::Tensor norm = adam_.step_unchecked(config_.train, staged.rates);
    at::NoGradGuard no_grad;
    sums_.add_(at::stack({o.loss, o.reconstruction, o.kl, o.mse, norm}));
  }

  // A step that was recorded with a batch, and that batch: others are copied there.
  struct Recorded {
    Staged staged;
    ops::Recording recording;
  };

  bool will_record(const Staged& staged) const {
    if (!config_.train.record_steps || !staged.recordable || recorded_.size() >= kMostRecordings) return false;
    const std::vector<std::int64_t> sizes = staged.sizes();
    const auto done = steps_of_.find(sizes);
    return done != steps_of_.end() && done->second >= kStepsBeforeRecording && !recorded_.contains(sizes);
  }

  void train_step_on_gpu(Staged& staged) {
    ++at_.step_in_epoch;
    if (staged.asks_something) {
      if (!sums_.defined()) sums_ = at::zeros({5}, at::TensorOptions(at::kDouble).device(device_));
      if (!staged.recordable) {
        ask_step(staged);
      } else {
        const std::vector<std::int64_t> sizes = staged.sizes();
        if (will_record(staged)) {
          ops::Recording recording(device_, [&] { ask_step(staged); });
          recorded_.emplace(sizes, Recorded{std::move(staged), std::move(recording)}).first->second.recording.replay();
        } else if (const auto found = recorded_.find(sizes); found != recorded_.end()) {
          ops::copy_all(staged.on_device(), found->second.staged.on_device());
          found->second.recording.replay();
        } else {
          ask_step(staged);
        }
        ++steps_of_[sizes];
      }
      ++at_.counted;
      ++asked_;
    }
    ++at_.step;
    adam_.set_steps(at_.step);
    // The device is not asked after every step: it would wait for the question.
    if (asked_ >= kAskEvery) collect();
  }

  // Takes the sums of the last steps from a GPU.
  void collect() {
    if (asked_ == 0) return;
    asked_ = 0;
    const at::Tensor sums = sums_.to(at::kCPU);
    sums_.zero_();
    const auto* s = sums.data_ptr<double>();
    if (!std::isfinite(s[0])) throw diverged("the loss");
    if (!std::isfinite(s[4])) throw diverged("the gradient");
    at_.loss += s[0], at_.reconstruction += s[1], at_.kl += s[2], at_.mse += s[3];
  }

  NoProgressError diverged(const char* what) const {
    return NoProgressError(fmt::format(
        "training diverged: {} is not finite at step {} of epoch {}; {}try a smaller --lr, or a larger --sigma if that "
        "was "
        "made small",
        what, at_.step_in_epoch, at_.epoch + 1,
        std::filesystem::exists(folder_ / "checkpoint.safetensors") ? "the last checkpoint is kept; " : ""));
  }

  double seconds_left(std::int64_t total) const {
    const auto done = static_cast<double>(at_.step - first_step_);
    return done > 0 ? seconds_since(started_) / done * static_cast<double>(total - at_.step) : 0.0;
  }

  void report_step(std::int64_t total) const {
    if (!hooks_.on_step) return;
    const auto n = static_cast<double>(std::max<std::int64_t>(at_.counted, 1));
    hooks_.on_step({at_.epoch + 1, config_.train.epochs, at_.step_in_epoch, steps_per_epoch_, at_.loss / n,
                    at_.reconstruction / n, at_.kl / n, at_.mse / n, seconds_left(total)});
  }

  // The host is at most two steps ahead of a GPU, so that its steps take as long as the GPU's.
  double median_step_ms() const {
    std::vector<double> ms;
    for (std::size_t i = 1; i < step_ends_.size(); ++i)
      ms.push_back(std::chrono::duration<double, std::milli>(step_ends_[i] - step_ends_[i - 1]).count());
    return ms.empty() ? 0.0 : median(std::move(ms));
  }

  // False: stopped on request, with a checkpoint; the epoch's steps are done, and resuming starts with its validation.
  bool finish_epoch(std::int64_t total, Clock::time_point begin) {
    collect();
    if (at_.counted == 0)
      throw DataError(
          "no batch of the epoch had anything to tell; start=random needs --start-high below the last observations");
    EpochReport report;
    report.validation = validate();
    if (hooks_.stop != nullptr && hooks_.stop->requested()) {
      save();
      return false;
    }
    const auto n = static_cast<double>(at_.counted);
    report.step_ms = median_step_ms();
    report.loss = at_.loss / n, report.reconstruction = at_.reconstruction / n;
    report.kl = at_.kl / n, report.mse = at_.mse / n;
    ++at_.epoch;
    at_.step_in_epoch = 0;
    at_.counted = 0;
    at_.loss = at_.reconstruction = at_.kl = at_.mse = 0;
    report.epoch = at_.epoch, report.epochs = config_.train.epochs, report.steps = at_.step;
    report.lr = learning_rate(config_.train, at_.step - 1, total);
    report.best =
        !report.validation || (std::isfinite(*report.validation) && (!at_.best || *report.validation < *at_.best));
    if (report.best) {
      at_.best = report.validation;
      at_.best_epoch = at_.epoch;
      eval::save_checkpoint(folder_ / "best.safetensors", info_now(report.validation), model_->parameters());
    }
    report.seconds = seconds_since(begin);
    report.seconds_left = seconds_left(total);
    append_metrics(report);
    save();
    if (hooks_.on_epoch) hooks_.on_epoch(report);
    return true;
  }

  std::optional<double> validate() {
    if (parts_.validation.empty()) return {};
    const data::View view = config_.task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
    try {
      // A GPU would wait for its batches, which are the same every time.
      const bool keep = !device_.is_cpu() && parts_.validation.size() <= kMostKeptSystems;
      return eval::evaluate(*model_, maker_, parts_.validation, view,
                            {.batch = keep ? kKeptBatch : 256, .classical = false, .kept = keep ? &kept_ : nullptr}, {},
                            hooks_.stop)
          .model.mse;
    } catch (const Interrupted&) {
      return {};
    }
  }

  eval::RunInfo info_now(const std::optional<double>& validation) const {
    eval::RunInfo info = info_;
    info.epoch = at_.epoch, info.step = at_.step;
    info.validation = validation ? json(*validation) : json(nullptr);
    return info;
  }

  void save() {
    collect();
    eval::save_checkpoint(
        folder_ / "checkpoint.safetensors", info_now(at_.best), model_->parameters(),
        {{{"optimizer.first_moment", adam_.first_moment()}, {"optimizer.second_moment", adam_.second_moment()}},
         {{kTrainingKey, json_text(at_.to_json())}}});
    last_checkpoint_ = Clock::now();
  }

  // metrics.jsonl is rewritten whole: short, and never torn.
  void append_metrics(const EpochReport& r) {
    const json line = {
        {"epoch", r.epoch},
        {"steps", r.steps},
        {"loss", r.loss},
        {"reconstruction", r.reconstruction},
        {"kl", r.kl},
        {"train_mse", r.mse},
        {"validation_mse", r.validation && std::isfinite(*r.validation) ? json(*r.validation) : json(nullptr)},
        {"best", r.best},
        {"lr", r.lr},
        {"seconds", r.seconds},
        {"step_ms", r.step_ms}};
    metrics_ += json_text(line) + "\n";
    write_file(folder_ / "metrics.jsonl", Overwrite::kAllow, metrics_);
  }

  // Lines of epochs after the checkpoint belong to work that will be done again.
  void trim_metrics() {
    if (!std::filesystem::exists(folder_ / "metrics.jsonl")) return;
    const std::string text = read_text(folder_ / "metrics.jsonl");
    metrics_.clear();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const json line = parse_json(text.substr(begin, end - begin));
      if (line.is_object() && line.value("epoch", std::int64_t{0}) <= at_.epoch)
        metrics_ += text.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
  }

  TrainResult result(bool finished) const { return {finished, at_.epoch, at_.step, at_.best, at_.best_epoch}; }

  RunConfig config_;
  std::filesystem::path folder_;
  TrainHooks hooks_;
  int threads_;
  data::Parts parts_;
  data::BatchMaker maker_;
  at::Device device_;
  std::unique_ptr<model::Model> model_;
  AdamState adam_;
  std::deque<std::pair<Staged, ops::DeviceMark>> in_use_;  // by a GPU that is behind
  std::vector<eval::PreparedBatch> kept_;                  // of the validation part
  at::Tensor sums_;         // loss, reconstruction, KL, error and gradient norm of steps that a GPU was asked for
  std::int64_t asked_ = 0;  // how many
  std::map<std::vector<std::int64_t>, Recorded> recorded_;
  std::map<std::vector<std::int64_t>, std::int64_t> steps_of_;  // by sizes
  eval::RunInfo info_;
  std::int64_t batch_ = 0, steps_per_epoch_ = 0, first_step_ = 0, total_ = 0;
  Progress at_;
  std::string metrics_;
  Clock::time_point started_, last_checkpoint_;
  std::vector<Clock::time_point> step_ends_;  // of the epoch, and its start
};

}  // namespace

TrainResult train(const RunConfig& config, const data::Dataset& dataset, const std::filesystem::path& folder,
                  Overwrite overwrite, const TrainHooks& hooks) {
  check_new_run(folder, overwrite);
  Trainer trainer(config, dataset, folder, hooks);
  for (const char* name : kRunFiles) std::filesystem::remove(folder / name);
  write_file(folder / "config.json", Overwrite::kAllow, json_text(config_json(trainer.config()), 2) + "\n");
  return trainer.run();
}

TrainResult resume(const std::filesystem::path& folder, const data::Dataset& dataset,
                   std::optional<std::int64_t> threads, std::optional<Device> device, const TrainHooks& hooks) {
  RunConfig config = load_config(folder);
  if (threads) config.train.threads = *threads;
  if (device) config.train.device = *device;
  Trainer trainer(config, dataset, folder, hooks);
  if (std::filesystem::exists(folder / "checkpoint.safetensors")) trainer.load_checkpoint();
  return trainer.run();
}

}  // namespace lgode::train
