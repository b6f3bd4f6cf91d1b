// lgode launch: starts several processes of lgode train on this machine, which train one model together, and waits for
// them. For several machines there are torchrun and srun (docs/scaling.md).
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "command.h"
#include "lgode/core/error.h"
#include "lgode/core/process.h"
#include "lgode/train/rank_place.h"
#include "text/flags.h"

namespace lgode::app {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = 20ms;
// After one process failed: the others notice, save and end by themselves. Those that cannot are asked, then killed.
constexpr auto kUntilAsked = 8s, kUntilKilled = 60s;

struct Arguments {
  std::int64_t processes = 2;
  std::vector<std::string> command;
};

volatile std::sig_atomic_t g_signals = 0, g_last_signal = 0;
extern "C" void on_launch_signal(int signal) {
  g_last_signal = signal;
  g_signals = g_signals + 1;
}

// A folder for the file in which rank 0 writes its address.
class ShortLivedFolder {
 public:
  ShortLivedFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lgode-launch-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw DataError(fmt::format("{}: cannot be made: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~ShortLivedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ShortLivedFolder(const ShortLivedFolder&) = delete;
  ShortLivedFolder& operator=(const ShortLivedFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

ChildProcess start(const std::vector<std::string>& command, std::int64_t rank, std::int64_t size,
                   const std::string& port_file) {
  std::vector<std::string> words = {"lgode"};
  words.insert(words.end(), command.begin(), command.end());
  const std::vector<std::string> environment = {
      fmt::format("RANK={}", rank), fmt::format("LOCAL_RANK={}", rank), fmt::format("WORLD_SIZE={}", size),
      fmt::format("LOCAL_WORLD_SIZE={}", size), fmt::format("{}={}", train::kPortFile, port_file)};
  // A process group of its own: the terminal's Ctrl-C is passed on by this process, once.
  return ChildProcess({.program = kThisProgram,
                       .words = words,
                       .environment = environment,
                       .complaint = fmt::format("lgode: error: rank {} cannot be started\n", rank)});
}

int wait_for(std::vector<ChildProcess>& processes, const std::filesystem::path& port_file) {
  const auto send = [&](int signal) {
    for (const ChildProcess& process : processes) process.send(signal);
  };
  std::optional<int> failed;
  std::optional<Clock::time_point> since;
  int passed_on = 0;
  bool asked = false, interrupted = false;
  for (std::size_t left = processes.size(); left > 0; std::this_thread::sleep_for(kBetweenLooks)) {
    for (; passed_on < g_signals; ++passed_on) interrupted = true, send(g_last_signal);
    for (std::size_t r = 0; r < processes.size(); ++r) {
      if (!processes[r].running() || !processes[r].poll()) continue;
      const ProcessEnd end = processes[r].wait();
      --left;
      if (asked) continue;  // it ended because it was asked to
      if (end.signal != 0)
        fmt::print(stderr, "lgode: rank {} (process {}) was ended by signal {} ({})\n", r, processes[r].id(),
                   end.signal, ::strsignal(end.signal));
      // An interrupted rank ends with 130; a rank that only reports another one as lost, with 1.
      if (end.code != 0 && (!failed || *failed == kFailed)) failed = end.code;
      if (end.code != 0 && !since) since = Clock::now();
    }
    // If rank 0 ended before it wrote its address, the others wait in vain.
    const bool joined = std::filesystem::exists(port_file);
    if (since && !asked && (!joined || Clock::now() - *since > kUntilAsked)) asked = true, send(SIGTERM);
    if (since && Clock::now() - *since > kUntilKilled) send(SIGKILL);
  }
  if (!failed && interrupted) return kInterrupted;
  return failed.value_or(kOk);
}

int launch(const Arguments& arguments) {
  if (arguments.command.empty() || arguments.command[0] != "train")
    throw ConfigError(
        "launch starts lgode train: lgode launch --processes 2 -- train DATA --out RUN; evaluate, predict and "
        "reproduce "
        "are divided with --shard");
  struct sigaction action {};
  action.sa_handler = on_launch_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  const ShortLivedFolder folder;
  std::vector<ChildProcess> processes;
  const std::filesystem::path port_file = folder.path() / "port";
  for (std::int64_t rank = 0; rank < arguments.processes; ++rank)
    processes.push_back(start(arguments.command, rank, arguments.processes, port_file.string()));
  return wait_for(processes, port_file);
}

}  // namespace

Command add_launch(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app =
      root.add_command("launch", "train with several processes on this machine, each with some systems of every batch");
  app.add_value("--processes", arguments->processes, "N", "how many", "2").between(1, 4096);
  app.add_value("COMMAND", arguments->command, "...", "-- and a command: train ...").required();
  app.footer(
      examples({"lgode launch --processes 2 -- train springs.safetensors --out runs/first",
                "lgode launch --processes 4 -- train --resume --out runs/first"}) +
      "\n\nThe cores are divided between the processes, and GPUs are taken in turn. Ctrl-C stops all of them after "
      "the\n"
      "same step, with a checkpoint. The exit code is the one of the process that failed. Several machines: torchrun\n"
      "--no-python lgode train ..., or srun lgode train ...; see docs/scaling.md.");
  return {app, [arguments] { return launch(*arguments); }};
}

}  // namespace lgode::app
