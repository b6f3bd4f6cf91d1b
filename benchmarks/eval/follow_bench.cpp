// Following a stream: taking in a row, and a forecast, for scenes of 10 objects at the model's default sizes. Rows come
// one by one, one solver step apart; the encoder's window is full.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "lgode/eval/follower.h"

namespace lgode::bench {
namespace {

constexpr int kObjects = 10;
constexpr double kPerRange = 60;  // rows of each object in a training range

eval::Run make_run() {
  eval::Run run;
  eval::RunInfo& info = run.info;
  info.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}, {"vy", "m/s", 1, 1}};
  info.relation_types = {"related"};
  info.task.task = data::Task::kExtrapolate;
  info.task.leave = 1.0;
  info.table.features = info.features;
  info.table.edges.kind = data::EdgeRule::Kind::kAll;
  info.model.kind = model::ModelKind::kAssimilate;
  info.normalisation.scale = {1, 1, 1, 1};
  info.shape = {4, 1, false, 0.4};
  info.shape.forecast = true;
  info.shape.memory = 1.0;
  info.shape.ties = {{0, 2, 1.0, false}, {1, 3, 1.0, false}};
  run.model = model::make_model(info.model, info.shape, 7);
  run.context.threads = 1;
  return run;
}

eval::StreamRow make_row(std::int64_t k) {
  const double t = static_cast<double>(k) / (kPerRange * kObjects);
  return {"scene", std::to_string(k % kObjects), t, {std::sin(t), std::cos(t), std::cos(t), -std::sin(t)}};
}

eval::Follower filled(std::int64_t& k) {
  eval::Follower follower(make_run(), {});
  for (; k < 2 * kPerRange * kObjects; ++k) follower.observe(make_row(k));
  return follower;
}

void follow_row(benchmark::State& state) {
  std::int64_t k = 0;
  eval::Follower follower = filled(k);
  for (auto _ : state) benchmark::DoNotOptimize(follower.observe(make_row(k++)));
}
BENCHMARK(follow_row)->Repetitions(5)->ReportAggregatesOnly()->UseRealTime()->Unit(benchmark::kMillisecond);

// Ten times ahead over half a range.
void run_forecast(benchmark::State& state, std::int64_t samples) {
  std::int64_t k = 0;
  eval::Follower follower = filled(k);
  std::vector<double> ahead;
  for (int i = 1; i <= 10; ++i) ahead.push_back(0.05 * i);
  for (auto _ : state) benchmark::DoNotOptimize(follower.forecast("scene", {ahead, samples}));
}
void follow_forecast_mean(benchmark::State& state) { run_forecast(state, 0); }
void follow_forecast_sampled(benchmark::State& state) { run_forecast(state, 100); }
BENCHMARK(follow_forecast_mean)->Repetitions(5)->ReportAggregatesOnly()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(follow_forecast_sampled)
    ->Repetitions(5)
    ->ReportAggregatesOnly()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lgode::bench
