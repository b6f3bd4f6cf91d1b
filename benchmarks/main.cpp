// Runs the benchmarks, prints one table with the ratio of reference to fused, and writes the same data as JSON.
//   lgode_bench [--out FILE] [--threads N] [--precision float32|bf16] [--growth FILE] [Google Benchmark's own flags]
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "growth.h"
#include "lgode/core/file.h"
#include "lgode/ops/context.h"
#include "lgode/ops/simd.h"
#include "lgode/version.h"
#include "workload.h"

namespace lgode::bench {
namespace {

struct Row {
  std::string name;
  double fused = 0, reference = 0;  // milliseconds; 0: not measured
  std::map<std::string, double> counters;
};

// Pairs "name/reference:0" with "name/reference:1".
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") continue;
      const std::string name = run.run_name.function_name;
      const bool reference = run.run_name.args.find("reference:1") != std::string::npos;
      Row& row = row_of(name);
      (reference ? row.reference : row.fused) = run.GetAdjustedRealTime();
      if (!reference)
        for (const auto& [key, counter] : run.counters) row.counters[key] = counter.value;
      fmt::print(stderr, "measured {}{}\n", name, reference ? " (reference)" : "");
    }
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Row& row_of(const std::string& name) {
    for (Row& row : rows_)
      if (row.name == name) return row;
    rows_.push_back({name, 0, 0, {}});
    return rows_.back();
  }
  std::vector<Row> rows_;
};

nlohmann::json to_json(const std::vector<Row>& rows, int threads) {
  nlohmann::json list = nlohmann::json::array();
  auto time = [](double ms) { return ms > 0 ? nlohmann::json(ms) : nlohmann::json(nullptr); };
  for (const Row& r : rows)
    list.push_back(
        {{"name", r.name},
         {"unit", "ms"},
         {"fused", time(r.fused)},
         {"reference", time(r.reference)},
         {"ratio", r.fused > 0 && r.reference > 0 ? nlohmann::json(r.reference / r.fused) : nlohmann::json(nullptr)},
         {"threads", r.name.starts_with("predict_one") ? 1 : threads},
         {"simd", ops::simd_name()},
         {"precision", precision() == ops::Precision::kBf16 ? "bf16" : "float32"},
         {"counters", r.counters},
         {"commit", LGODE_COMMIT},
         {"machine", ops::machine_name({.device = r.name.ends_with("_gpu") ? at::Device(at::kCUDA, 0) : at::kCPU,
                                        .threads = threads})}});
  return list;
}

// Floating-point operations per second of a benchmark; 0 if it does not count them or did not run.
double flops_of(const std::vector<Row>& rows, const std::string& name) {
  for (const Row& r : rows)
    if (r.name == name && r.counters.contains("flops")) return r.counters.at("flops");
  return 0.0;
}

void print_table(const std::vector<Row>& rows, int threads) {
  fmt::print("{}; SIMD {}\n\n{:<20} {:>12} {:>14} {:>7}\n", ops::machine_name({.threads = threads}), ops::simd_name(),
             "benchmark", "fused ms", "reference ms", "ratio");
  for (const Row& r : rows)
    fmt::print("{:<20} {:>12.2f} {:>14} {:>7}\n", r.name, r.fused,
               r.reference > 0 ? fmt::format("{:.2f}", r.reference) : "-",
               r.reference > 0 && r.fused > 0 ? fmt::format("{:.1f}", r.reference / r.fused) : "-");
  fmt::print("\n");
  for (const Row& r : rows)
    if (r.counters.contains("systems_per_second"))
      fmt::print("{}: {:.0f} systems per second\n", r.name, r.counters.at("systems_per_second"));
  for (const Row& r : rows)
    if (r.counters.contains("end_ms") && r.counters.at("end_ms") > 0)
      fmt::print("{}: first batch prepared after {:.1f} ms, last after {:.1f}, done after {:.1f}\n", r.name,
                 r.counters.at("first_input_ms"), r.counters.at("last_input_ms"), r.counters.at("end_ms"));
  const std::string limit = precision() == ops::Precision::kBf16 ? "bf16_peak" : "float32_peak";
  const double peak = flops_of(rows, limit);
  for (const Row& r : rows) {
    if (!r.counters.contains("flops")) continue;
    const double flops = r.counters.at("flops");
    fmt::print("{}: {:.1f} GFLOP/s{}\n", r.name, flops * 1e-9,
               peak > 0 && r.name.find("_peak") == std::string::npos
                   ? fmt::format(", {:.0f} % of {}", 100 * flops / peak, limit)
                   : "");
  }
}

struct Arguments {
  std::string out = "build/bench.json";
  std::string growth;  // file for the table of growth, instead of the benchmarks
  std::string precision = "float32";
  std::int64_t threads = 0;
  std::vector<char*> rest;  // for Google Benchmark
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  a.rest = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--out" && i + 1 < argc)
      a.out = argv[++i];
    else if (word == "--threads" && i + 1 < argc)
      a.threads = std::strtol(argv[++i], nullptr, 10);
    else if (word == "--precision" && i + 1 < argc)
      a.precision = argv[++i];
    else if (word == "--growth" && i + 1 < argc)
      a.growth = argv[++i];
    else
      a.rest.push_back(argv[i]);
  }
  return a;
}

void write_growth(const Arguments& a) {
  const nlohmann::json table = run_growth(static_cast<int>(a.threads));
  write_file(a.growth, Overwrite::kAllow,
             nlohmann::json({{"commit", LGODE_COMMIT},
                             {"machine", ops::machine_name(ops::make_context("cpu", a.threads))},
                             {"cases", table}})
                     .dump(2) +
                 "\n");
}

int fail(int code, const std::string& what) {
  fmt::print(stderr, "lgode_bench: error: {}\n", what);
  return code;
}

int run_benchmarks(Arguments& a) {
  if (a.precision != "float32" && a.precision != "bf16")
    return fail(2, fmt::format("--precision {}: expected float32 or bf16", a.precision));
  try {
    if (a.precision == "bf16") precision() = ops::pick_precision(ops::Precision::kBf16, at::kCPU);
  } catch (const std::exception& e) {
    return fail(2, e.what());
  }
  register_predictions();
  register_peaks();
  int count = static_cast<int>(a.rest.size());
  benchmark::Initialize(&count, a.rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, a.rest.data())) return 2;
  const int used = ops::make_context("cpu", a.threads).threads;
  at::set_num_threads(used);
  TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  try {
    write_file(a.out, Overwrite::kAllow, to_json(reporter.rows(), used).dump(2) + "\n");
  } catch (const std::exception& e) {
    return fail(1, e.what());
  }
  print_table(reporter.rows(), used);
  fmt::print("\nwritten to {}\n", a.out);
  return 0;
}

}  // namespace
}  // namespace lgode::bench

int main(int argc, char** argv) {
  // LGODE_SIMD limits the fused operators to another processor's instructions.
  try {
    if (const char* simd = std::getenv("LGODE_SIMD"); simd != nullptr && *simd != '\0') lgode::ops::hold_simd(simd);
  } catch (const std::exception& e) {
    return lgode::bench::fail(2, fmt::format("environment variable LGODE_SIMD: {}", e.what()));
  }
  lgode::bench::Arguments arguments = lgode::bench::parse(argc, argv);
  if (arguments.growth.empty()) return lgode::bench::run_benchmarks(arguments);
  lgode::bench::write_growth(arguments);
  return 0;
}
