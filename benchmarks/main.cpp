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

}  // namespace
}  // namespace lgode::bench

int main(int argc, char** argv) {
  // LGODE_SIMD limits the fused operators to another processor's instructions.
  try {
    if (const char* simd = std::getenv("LGODE_SIMD"); simd != nullptr && *simd != '\0') lgode::ops::hold_simd(simd);
  } catch (const std::exception& e) {
    fmt::print(stderr, "lgode_bench: error: environment variable LGODE_SIMD: {}\n", e.what());
    return 2;
  }
  std::string out = "build/bench.json";
  std::string growth, precision = "float32";
  std::int64_t threads = 0;
  std::vector<char*> rest{argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--out" && i + 1 < argc)
      out = argv[++i];
    else if (word == "--threads" && i + 1 < argc)
      threads = std::strtol(argv[++i], nullptr, 10);
    else if (word == "--precision" && i + 1 < argc)
      precision = argv[++i];
    else if (word == "--growth" && i + 1 < argc)
      growth = argv[++i];
    else
      rest.push_back(argv[i]);
  }
  if (!growth.empty()) {
    const nlohmann::json table = lgode::bench::run_growth(static_cast<int>(threads));
    lgode::write_file(growth, lgode::Overwrite::kAllow,
                      nlohmann::json({{"commit", LGODE_COMMIT},
                                      {"machine", lgode::ops::machine_name(lgode::ops::make_context("cpu", threads))},
                                      {"cases", table}})
                              .dump(2) +
                          "\n");
    return 0;
  }
  if (precision != "float32" && precision != "bf16") {
    fmt::print(stderr, "lgode_bench: error: --precision {}: expected float32 or bf16\n", precision);
    return 2;
  }
  try {
    if (precision == "bf16")
      lgode::bench::precision() = lgode::ops::pick_precision(lgode::ops::Precision::kBf16, at::kCPU);
  } catch (const std::exception& e) {
    fmt::print(stderr, "lgode_bench: error: {}\n", e.what());
    return 2;
  }
  lgode::bench::register_predictions();
  lgode::bench::register_peaks();
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  const int used = lgode::ops::make_context("cpu", threads).threads;
  at::set_num_threads(used);
  lgode::bench::TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  try {
    lgode::write_file(out, lgode::Overwrite::kAllow, lgode::bench::to_json(reporter.rows(), used).dump(2) + "\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "lgode_bench: error: {}\n", e.what());
    return 1;
  }
  lgode::bench::print_table(reporter.rows(), used);
  fmt::print("\nwritten to {}\n", out);
  return 0;
}
