// Computes the paths of each system and summarises them in original units.
#include "lgode/eval/predict.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "lgode/core/error.h"
#include "lgode/data/decimals.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/path_runner.h"
#include "lgode/model/assimilate/model.h"
#include "predict_classical.h"
#include "requests.h"
#include "summarise.h"

namespace lgode::eval {
namespace {

// Objects times samples that are integrated at once: about a second's work for a CPU, so that a stop request is
// answered soon. For a GPU see PathRunner::rows_of_batch().
constexpr std::int64_t kMaxRows = 4000;

data::TaskOptions task_of(const Run& run, const PredictOptions& options) {
  data::TaskOptions task = run.info.task;
  task.context = options.context.value_or(task.context);
  if (options.outliers == data::Outliers::kUse) task.gate.reset();
  return task;
}

void check_quantiles(const Run& run, const PredictOptions& options) {
  for (const double q : options.quantiles) {
    if (!(q > 0 && q < 1)) throw ConfigError(fmt::format("quantile {}: expected a number between 0 and 1", q));
    if (!run.calibrations.empty() && !(q >= Calibration::kLowest && q <= 1 - Calibration::kLowest))
      throw ConfigError(
          fmt::format("quantile {}: calibrated ones go from {} to {}; farther out there is too little to "
                      "calibrate on",
                      q, Calibration::kLowest, 1 - Calibration::kLowest));
  }
  if (options.paths > options.samples)
    throw ConfigError(
        fmt::format("{} sampled paths are wanted of {} samples; raise `samples`", options.paths, options.samples));
}

// Summarises the paths of batches.
class Predictor {
 public:
  Predictor(const Run& run, const data::BatchMaker& maker, const PredictOptions& options)
      : run_(run),
        options_(options),
        maker_(maker),
        plan_(PathPlan::make(run, options.samples, options.seed, options.paths, options.futures)) {}

  // The paths that predictions need.
  const PathOptions& paths() const { return plan_.options; }

  // Predictions in the order of `asked`, for which the batch was made.
  std::vector<SystemPrediction> operator()(std::vector<Asked> asked, const PathResult& result) const {
    const data::Batch& batch = result.batch();
    std::vector<SystemPrediction> out(asked.size());
    std::vector<std::int64_t> entry(asked.size(), -1);  // of the batch
    for (std::int64_t b = 0; b < batch.systems(); ++b) entry[static_cast<std::size_t>(batch.place[b])] = b;
    const at::Tensor paths = result.values();
    std::vector<float> spread;
    if (plan_.spread_apart && batch.systems() > 0)
      spread = path_spread(*run_.model, result.tensors(), run_.context.without_gradients(), options_.seed);
    const std::vector<double> distances = target_distances(batch, maker_.task().task == data::Task::kExtrapolate);
    const Values values{batch, paths, spread, distances, result.scores().defined() ? probabilities(result.scores()) : at::Tensor()};
    const auto one = [&](std::size_t i) {
      out[i] = unknown(std::move(asked[i]));
      if (entry[i] >= 0) summarise(values, entry[i], out[i]);
    };
    // Many systems are shared out among the threads, the objects of few.
    const auto count = static_cast<std::int64_t>(asked.size());
    if (count < at::get_num_threads()) {
      for (std::size_t i = 0; i < asked.size(); ++i) one(i);
    } else {
      at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) one(static_cast<std::size_t>(i));
      });
    }
    return out;
  }

 private:
  // A prediction without any value.
  SystemPrediction unknown(Asked asked) const {
    const auto count = static_cast<std::size_t>(asked.objects * maker_.dataset().features()) * asked.times.size();
    const std::vector<double> nothing(count, std::numeric_limits<double>::quiet_NaN());
    return {.system = asked.number,
            .objects = asked.objects,
            .times = std::move(asked.times),
            .start = asked.start,
            .mean = nothing,
            .deviation = nothing,
            .low = nothing,
            .high = nothing,
            .spread = nothing,
            .quantiles = std::vector<std::vector<double>>(options_.quantiles.size(), nothing),
            .paths = std::vector<std::vector<double>>(static_cast<std::size_t>(options_.paths), nothing),
            .futures = std::vector<std::vector<double>>(static_cast<std::size_t>(options_.futures), nothing),
            .probability = std::vector<double>(static_cast<std::size_t>(asked.objects * options_.futures),
                                               std::numeric_limits<double>::quiet_NaN())};
  }


  // Whether an object is no longer there when the prediction starts.
  bool has_left(const data::Batch& batch, std::int64_t object) const {
    const std::int64_t end = batch.observation_offsets[object + 1];
    return end > batch.observation_offsets[object] &&
           model::outlasts(-batch.observation_times[end - 1], run_.model->shape().memory);
  }

  // What the values of one batch have in common. `spread`: the model's deviations, where they are not those of these
  // samples; `distances`: target_distances().
  struct Values {
    const data::Batch& batch;
    const at::Tensor& paths;  // [1 + S + K, T, D]
    const std::vector<float>& spread;
    const std::vector<double>& distances;
    const at::Tensor probability;  // [N, K] of futures; undefined without

    std::span<const double> probability_of(std::int64_t n) const {
      const auto count = static_cast<std::size_t>(probability.size(1));
      return {probability.data_ptr<double>() + static_cast<std::size_t>(n) * count, count};
    }
  };

  // Mean path, deviation and quantiles of system `b` of the batch over samples and decoder noise, in original units.
  void summarise(const Values& values, std::int64_t b, SystemPrediction& p) const {
    const data::Batch& batch = values.batch;
    at::parallel_for(batch.object_offsets[b], batch.object_offsets[b + 1], 1,
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t n = begin; n < end; ++n)
                         if (!has_left(batch, n)) summarise_object(values, b, n, p);
                     });
  }

  void summarise_object(const Values& values, std::int64_t b, std::int64_t n, SystemPrediction& p) const {
    const data::Batch& batch = values.batch;
    const std::int64_t features = batch.features, times = static_cast<std::int64_t>(p.times.size());
    const std::int64_t stride = values.paths.stride(0);
    const std::vector<data::Feature>& about = maker_.dataset().description().features;
    const float* path = values.paths.data_ptr<float>();
    const bool forecast = maker_.task().task == data::Task::kExtrapolate;
    const std::int64_t object = batch.object[static_cast<std::size_t>(n)], from = batch.target_offsets[n] * features;
    std::vector<double> draw(static_cast<std::size_t>(plan_.options.samples));
    const std::vector<std::int64_t> rows = rows_of_paths(values, p.system, object, n),
                                    shown = shown_futures(values, n, object, p);
    std::vector<std::size_t> order(rows.size());
    Random random(options_.seed, RandomUse::kPredict,
                  {1, static_cast<std::uint64_t>(p.system), static_cast<std::uint64_t>(object)});
    for (std::int64_t k = 0; k < times * features; ++k) {
      const auto f = static_cast<std::size_t>(k % features);
      if (about[f].derived) continue;
      const auto at = static_cast<std::size_t>(object * times * features + k);
      const double scale = run_.info.normalisation.scale[f];
      const double centre = batch.centre[static_cast<std::size_t>(b * features) + f];
      const Widths widths{&run_.calibrations.model, static_cast<std::int64_t>(f),
                          values.distances[static_cast<std::size_t>(batch.target_offsets[n] + k / features)],
                          forecast ? batch.start[static_cast<std::size_t>(b)] : 0.0};
      ValueSummary own =
          summarise_value(path + from + k, stride, run_.info.model.sigma, plan_.sampled_intervals, random, draw);
      if (!values.spread.empty()) own.deviation = values.spread[static_cast<std::size_t>(from + k)];
      const ValueSummary value = with_widths(own, widths);
      const auto world = [&](double x) { return data::in_units(x, scale, centre); };
      p.mean[at] = world(value.mean), p.deviation[at] = data::in_units(value.deviation, scale);
      p.low[at] = world(value.low), p.high[at] = world(value.high);
      p.spread[at] = data::in_units(own.deviation, scale);
      const auto calibrated = [&](double q) {
        return world(value.mean +
                     widths.calibration->offset(widths.feature, q, widths.distance, own.deviation, widths.start));
      };
      for (std::size_t j = 0; j < options_.quantiles.size(); ++j) {
        const double q = options_.quantiles[j];
        p.quantiles[j][at] = widths.known()            ? calibrated(q)
                             : plan_.sampled_intervals ? world(quantile(draw, q))
                                                       : world(value.mean + own.deviation * inverse_normal_cdf(q));
      }
      for (std::size_t j = 0; j < shown.size(); ++j) p.futures[j][at] = world((path + from + k)[shown[j] * stride]);
      if (options_.paths > 0)
        add_paths({path + from + k, stride, rows}, f, object, world, widths.known() ? Quantile(calibrated) : Quantile(),
                  order, p, at);
    }
  }

  // The first row of the futures among the paths.
  std::int64_t first_future() const { return 1 + plan_.options.samples; }

  // Rows of the most probable futures of object n of the batch, falling, whose probabilities are noted.
  std::vector<std::int64_t> shown_futures(const Values& values, std::int64_t n, std::int64_t object,
                                          SystemPrediction& p) const {
    const auto count = static_cast<std::size_t>(options_.futures);
    if (count == 0) return {};
    const std::span<const double> probability = values.probability_of(n);
    std::vector<std::int64_t> order = most_probable(probability, options_.futures);
    for (std::size_t j = 0; j < count; ++j)
      p.probability[static_cast<std::size_t>(object) * count + j] = probability[static_cast<std::size_t>(order[j])];
    for (std::int64_t& row : order) row += first_future();
    return order;
  }

  // The rows that sampled paths follow: those of the latent samples or, where there are futures, as many of each as its
  // probability says, in random order. All objects of a system take the same ones of futures of scenes.
  std::vector<std::int64_t> rows_of_paths(const Values& values, std::int64_t system, std::int64_t object,
                                          std::int64_t n) const {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(options_.paths), 0);
    if (rows.empty()) return rows;
    if (!values.probability.defined()) {
      if (plan_.options.samples > 0) std::iota(rows.begin(), rows.end(), std::int64_t{1});
      return rows;
    }
    const bool of_scene = run_.info.model.futures_of == model::FuturesOf::kScene;
    Random random(options_.seed, RandomUse::kPredict,
                  {3, static_cast<std::uint64_t>(system), of_scene ? 0 : 1 + static_cast<std::uint64_t>(object)});
    const std::span<const double> probability = values.probability_of(n);
    const double offset = random.uniform(), each = 1.0 / static_cast<double>(rows.size());
    double sum = probability[0];
    std::size_t k = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      while (sum < (static_cast<double>(s) + offset) * each && k + 1 < probability.size()) sum += probability[++k];
      rows[s] = first_future() + static_cast<std::int64_t>(k);
    }
    for (std::size_t s = rows.size(); s > 1; --s) std::swap(rows[s - 1], rows[random.below(s)]);
    return rows;
  }

  using Quantile = std::function<double(double)>;
  // One value of every path, and the path that each sampled one follows.
  struct PathValue {
    const float* first;
    std::int64_t stride;
    const std::vector<std::int64_t>& rows;

    float sample(std::size_t s) const { return first[rows[s] * stride]; }
  };

  // One value of every sampled path. Where there is `quantile`, the sample of rank r gets the quantile (r + 1/2) / N:
  // the samples keep their order and so what belongs together (ensemble copula coupling, Schefzik et al. 2013).
  template <class World>
  void add_paths(const PathValue& value, std::size_t feature, std::int64_t object, const World& world,
                 const Quantile& quantile, std::vector<std::size_t>& order, SystemPrediction& p, std::size_t at) const {
    const std::size_t count = order.size();
    if (!quantile) {
      for (std::size_t s = 0; s < count; ++s) p.paths[s][at] = world(value.sample(s));
      return;
    }
    // Equal samples, of one future or of a model without latent ones, are ordered the same way all along an object's
    // path.
    Random random(options_.seed, RandomUse::kPredict,
                  {2, static_cast<std::uint64_t>(p.system), static_cast<std::uint64_t>(object), feature});
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t s = count; s > 1; --s) std::swap(order[s - 1], order[random.below(s)]);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return value.sample(a) < value.sample(b); });
    for (std::size_t rank = 0; rank < count; ++rank) {
      const double q = (static_cast<double>(rank) + 0.5) / static_cast<double>(count);
      p.paths[order[rank]][at] = quantile(std::clamp(q, Calibration::kLowest, 1 - Calibration::kLowest));
    }
  }

  const Run& run_;
  const PredictOptions& options_;
  const data::BatchMaker& maker_;
  PathPlan plan_;
};

// What is predicted, by place: `batch` assembles the places from `begin` to `end` (excluded).
struct Workload {
  std::size_t count = 0;
  std::function<std::int64_t(std::size_t)> objects;
  std::function<data::Batch(std::size_t begin, std::size_t end)> batch;
  std::function<Asked(std::size_t)> asked;
};

// First systems of the batches, and the end. A GPU needs larger ones than a CPU.
std::vector<std::size_t> divide(const Workload& load, std::int64_t samples, const PathRunner& runner, bool on_cpu,
                                std::int64_t most_systems) {
  const auto rows_of = [&](std::size_t at) { return samples * load.objects(at); };
  std::int64_t all = 0;
  for (std::size_t at = 0; at < load.count; ++at) all += rows_of(at);
  std::vector<std::size_t> begin{0};
  const auto most = [&] {
    return on_cpu ? kMaxRows : runner.rows_of_batch(static_cast<std::int64_t>(begin.size()) - 1, all);
  };
  std::int64_t rows = 0;
  for (std::size_t at = 0; at < load.count; ++at) {
    const auto here = static_cast<std::int64_t>(at - begin.back());
    rows += rows_of(at);
    if (here > 0 && (rows > most() || (on_cpu && here >= most_systems))) begin.push_back(at), rows = rows_of(at);
  }
  begin.push_back(load.count);
  return begin;
}

void run_all(const Run& run, const Workload& load, const Predictor& predictor, const PredictOptions& options,
             const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop) {
  const std::shared_ptr<PathRunner> runner = run.runner->get(run.model, run.context);
  const PathOptions wanted = predictor.paths();
  const std::vector<std::size_t> begin =
      divide(load, 1 + wanted.samples + (wanted.futures ? run.info.model.futures : 0), *runner, run.model->device().is_cpu(), options.batch);
  const auto place = [&](std::int64_t i) { return begin[static_cast<std::size_t>(i)]; };
  std::int64_t all = 0, done = 0;  // objects
  for (std::size_t at = 0; at < load.count; ++at) all += load.objects(at);
  PathRunner::Work work;
  work.count = load.count == 0 ? 0 : static_cast<std::int64_t>(begin.size()) - 1;
  work.make = [&](std::int64_t i) { return load.batch(place(i), place(i + 1)); };
  work.take = [&](std::int64_t i, const PathResult& result) {
    std::vector<Asked> asked;
    for (std::size_t at = place(i); at < place(i + 1); ++at) asked.push_back(load.asked(at));
    for (const SystemPrediction& p : predictor(std::move(asked), result)) sink(p);
    for (std::size_t at = place(i); at < place(i + 1); ++at) done += load.objects(at);
    if (options.progress)
      options.progress(static_cast<std::int64_t>(place(i + 1)), static_cast<std::int64_t>(load.count),
                       all == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(all));
  };
  runner->run(work, wanted, stop);
}

// ConfigError if the times of a scene cannot be predicted.
void check_times(const Run& run, const data::BatchMaker& maker, const data::Scene& scene) {
  const data::Description& about = maker.dataset().description();
  const std::string name = std::to_string(scene.number);
  if (const auto far = too_far(run.info, scene.start, scene.times))
    throw ConfigError(too_far_text(run.info, about, name, scene.start, *far));
  if (const auto early = maker.time_before_start(scene)) {
    const data::TimeText text(about);
    throw ConfigError(fmt::format("time {} of scene {} lies before its start {}; ask for later times", text(*early),
                                  name, text(scene.start)));
  }
}

}  // namespace

Skipped predict(const Run& run, const data::Dataset& dataset, const PredictOptions& options,
                const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop) {
  const ops::ContextScope scope(run.context.without_gradients());
  check_fits(run.info, dataset, {.allow_mismatch = options.allow_mismatch});
  check_quantiles(run, options);
  check_futures(run.info, options.futures, options.method);
  if (options.method == Method::kAuto) throw ConfigError("`method` auto: choose one first (use::settle_method)");
  if (const std::optional<Classical> kind = classical_of(options.method)) check_classical(run, options, *kind);
  std::vector<std::int64_t> systems = options.systems;
  if (systems.empty()) {
    systems.resize(static_cast<std::size_t>(dataset.systems()));
    std::iota(systems.begin(), systems.end(), 0);
  }
  const data::BatchMaker maker = batch_maker(run.info, dataset, task_of(run, options));
  const Requests requests(run, maker, options);
  Skipped skipped;
  const std::vector<std::size_t> places = requests.answerable(systems, skipped);
  if (const std::optional<Classical> kind = classical_of(options.method)) {
    predict_by_classical(run, maker, options, *kind, requests, systems, places, sink, stop);
    return skipped;
  }
  Workload load;
  load.count = places.size();
  load.objects = [&](std::size_t at) { return dataset.objects_of(systems[places[at]]); };
  load.batch = [&](std::size_t begin, std::size_t end) {
    std::vector<data::BatchMaker::Request> asked;
    for (std::size_t at = begin; at < end; ++at) asked.push_back(requests(systems[places[at]], places[at]));
    return maker.make_prediction(asked);
  };
  load.asked = [&](std::size_t at) { return requests.asked(systems[places[at]], places[at]); };
  run_all(run, load, Predictor(run, maker, options), options, sink, stop);
  return skipped;
}

void predict(const Run& run, const data::BatchMaker& maker, std::span<const data::Scene> scenes,
             const PredictOptions& options, const std::function<void(const SystemPrediction&)>& sink,
             const StopFlag* stop) {
  const ops::ContextScope scope(run.context.without_gradients());
  check_fits(run.info, maker.dataset().description(), scenes);
  check_quantiles(run, options);
  check_futures(run.info, options.futures, options.method);
  for (const data::Scene& scene : scenes) check_times(run, maker, scene);
  Workload load;
  load.count = scenes.size();
  load.objects = [&](std::size_t at) { return scenes[at].source.objects(); };
  load.batch = [&](std::size_t begin, std::size_t end) { return maker.assemble(scenes.subspan(begin, end - begin)); };
  load.asked = [&](std::size_t at) {
    return Asked{scenes[at].number, scenes[at].source.objects(), scenes[at].start, scenes[at].times};
  };
  run_all(run, load, Predictor(run, maker, options), options, sink, stop);
}

}  // namespace lgode::eval
