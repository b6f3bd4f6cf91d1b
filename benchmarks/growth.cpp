// Runs each case in a child process and reports the time and peak memory of a training step.
#include "growth.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "lgode/core/parallel.h"
#include "lgode/data/simulate.h"
#include "training.h"

namespace lgode::bench {
namespace {

struct Case {
  std::string group, name;
  std::int64_t systems = 32, objects = 5, horizon = 60, samples = 1;
  model::Interaction interaction = model::Interaction::kAll;
};

// Cases with more temporal edges per system than this are not run with the reference.
constexpr double kMaxReferenceEdges = 4e6;

std::vector<Case> cases() {
  std::vector<Case> all;
  for (std::int64_t f : {1, 2, 4, 8})
    all.push_back(
        {.group = "observations per object", .name = fmt::format("×{}", f), .systems = 16, .horizon = 60 * f});
  for (model::Interaction interaction : {model::Interaction::kAll, model::Interaction::kNeighbours})
    for (std::int64_t n : {5, 10, 20, 50})
      all.push_back({.group = interaction == model::Interaction::kAll ? "objects, interaction=all"
                                                                      : "objects, interaction=neighbours",
                     .name = std::to_string(n),
                     .systems = 8,
                     .objects = n,
                     .interaction = interaction});
  for (std::int64_t b : {16, 64, 256})
    all.push_back({.group = "systems per batch", .name = std::to_string(b), .systems = b});
  for (std::int64_t s : {1, 3, 10}) all.push_back({.group = "latent samples", .name = std::to_string(s), .samples = s});
  return all;
}

struct Measured {
  double ms = 0;
  double mib = 0;  // peak memory of the step, minus the process's use before
};

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// The fastest of four steps; stops after a step that takes over ten seconds.
Measured measure_here(const Case& c, ops::Impl impl, int threads) {
  at::set_num_threads(threads > 0 ? threads : hardware_threads());
  const data::Dataset set = data::simulate({.objects = c.objects, .train = c.systems, .test = 0, .horizon = c.horizon});
  const data::BatchMaker maker(set, data::fit_normalisation(set, set.systems_in(data::Part::kTrain)),
                               {.observed = 0.6});
  std::vector<std::int64_t> systems(static_cast<std::size_t>(c.systems));
  std::iota(systems.begin(), systems.end(), 0);
  model::ModelOptions options;
  options.impl = impl;
  options.interaction = c.interaction;
  TrainingStep step(options, maker.make(systems, data::View::kTrain), c.samples);
  const double before = peak_mib();
  Measured out;
  for (int round = 0; round < 4; ++round) {
    const double begin = now_ms();
    step.run();
    const double ms = now_ms() - begin;
    if (round == 0 || ms < out.ms) out.ms = ms;
    if (ms > 10'000) break;
  }
  out.mib = peak_mib() - before;
  return out;
}

// measure_here() in a child process. ms is 0 if it failed.
Measured measure(const Case& c, ops::Impl impl, int threads) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    Measured result;
    try {
      result = measure_here(c, impl, threads);
    } catch (const std::exception&) {
    }
    const bool written = write(ends[1], &result, sizeof result) == sizeof result;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Measured result;
  if (child < 0 || read(ends[0], &result, sizeof result) != sizeof result) result = {};
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return result;
}

// Approximate number of edges of one system's temporal graph: every observation has an edge from each observation of
// its own object and of half of the other objects.
double edges_of_a_system(const Case& c) {
  const double seen = 0.6 * 46.0 * static_cast<double>(c.horizon) / 60.0;
  return static_cast<double>(c.objects) * seen * seen * (1.0 + 0.5 * static_cast<double>(c.objects - 1));
}

}  // namespace

nlohmann::json run_growth(int threads) {
  nlohmann::json list = nlohmann::json::array();
  fmt::print(
      "| | | fused, ms | fused, MiB | reference, ms | reference, MiB | ratio |\n|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases()) {
    const Measured fused = measure(c, ops::Impl::kAuto, threads);
    const Measured reference =
        edges_of_a_system(c) <= kMaxReferenceEdges ? measure(c, ops::Impl::kReference, threads) : Measured{};
    const bool both = fused.ms > 0 && reference.ms > 0;
    fmt::print("| {} | {} | {:.0f} | {:.0f} | {} | {} | {} |\n", c.group, c.name, fused.ms, fused.mib,
               both ? fmt::format("{:.0f}", reference.ms) : "-", both ? fmt::format("{:.0f}", reference.mib) : "-",
               both ? fmt::format("{:.1f}", reference.ms / fused.ms) : "-");
    std::fflush(stdout);
    list.push_back({{"group", c.group},
                    {"case", c.name},
                    {"fused_ms", fused.ms},
                    {"fused_mib", fused.mib},
                    {"reference_ms", both ? nlohmann::json(reference.ms) : nlohmann::json(nullptr)},
                    {"reference_mib", both ? nlohmann::json(reference.mib) : nlohmann::json(nullptr)}});
  }
  return list;
}

}  // namespace lgode::bench
