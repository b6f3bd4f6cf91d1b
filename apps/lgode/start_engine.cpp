// lgode's side of engine.h: replaces this process by lgode-engine where LibTorch is needed. The process id, the
// terminal and the signals stay.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "engine.h"
#include "lgode/core/error.h"
#include "memory_limit.h"
#include "starter.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

char** g_words = nullptr;

// Next to this program, where it is built, or where it is installed: bin/lgode and libexec/lgode/lgode-engine.
fs::path find_engine() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path places[] = {folder / "lgode-engine", folder.parent_path() / "libexec" / "lgode" / "lgode-engine"};
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::exists(place, error)) return place;
  }
  throw DataError(
      fmt::format("{}: absent, nor is it {}; lgode needs it to train, evaluate and predict: build or install both "
                  "programs",
                  places[0].string(), places[1].string()));
}

[[noreturn]] void become_engine() {
  const fs::path engine = find_engine();
  check_memory_limit(engine);
  setenv(kStarter, kThisBuild, 1);
  // OpenMP threads that spin while they wait make a training many times slower if other programs use the cores. The
  // variable is read once, when the library is loaded; a value that the user set is kept.
  const std::string_view command = g_words[0] != nullptr && g_words[1] != nullptr ? g_words[1] : "";
  if ((command == "train" || command == "reproduce") && std::getenv("GOMP_SPINCOUNT") == nullptr)
    setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  // Processes that join would warn of every attempt to connect; errors are thrown as well. The second is for a LibTorch
  // with glog.
  setenv("TORCH_CPP_LOG_LEVEL", "ERROR", /*overwrite=*/0);
  setenv("GLOG_minloglevel", "3", /*overwrite=*/0);
  std::fflush(stdout);
  execv(engine.c_str(), g_words);
  throw DataError(fmt::format("{}: cannot be started: {}", engine.string(), std::strerror(errno)));
}

}  // namespace

int run_training(const TrainArguments&, const std::string&, const DataLoader&) { become_engine(); }
int run_evaluation(const EvaluateArguments&, const DataOfRuns&) { become_engine(); }
int run_prediction(const PredictArguments&, const data::Dataset&) { become_engine(); }
int run_calibration(const CalibrateArguments&, const use::CalibrationPart&, const data::Dataset&) { become_engine(); }
int run_following(const FollowArguments&) { become_engine(); }
int run_report(const ReportArguments&, const std::string&, const data::Dataset&) { become_engine(); }
int run_plot(const PlotArguments&, std::int64_t, const data::Dataset&) { become_engine(); }
int run_filled_plot(const PlotArguments&, const data::Description&) { become_engine(); }
int run_comparison(const CompareArguments&) { become_engine(); }
bool is_gpu(const std::string&) { become_engine(); }

void before_reading(const std::string& path) {
  std::error_code error;
  if (!path.empty() && fs::exists(path, error) && !fs::is_regular_file(path, error)) become_engine();
}

void before_work() { become_engine(); }

bool enter(char** words) {
  g_words = words;
  return false;
}

}  // namespace lgode::app
