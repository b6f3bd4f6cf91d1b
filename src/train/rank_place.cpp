// Reads the variables that launchers set. The first of these counts: `lgode launch`, RANK and WORLD_SIZE (torchrun
// and most others), SLURM's own variables.
#include "lgode/train/rank_place.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "lgode/core/error.h"

namespace lgode::train {
namespace {

constexpr int kFirstPort = 15'000, kPorts = 15'000;  // below those that systems hand out

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  std::string text(const char* name) const {
    const char* value = environment_(name);
    return value != nullptr ? value : "";
  }
  bool has(const char* name) const { return !text(name).empty(); }

  int number(const char* name, int low, int high) const {
    const std::optional<std::int64_t> value = whole(text(name));
    if (!value || *value < low || *value > high)
      throw ConfigError(fmt::format("{} is '{}', expected a whole number from {} to {}; `ranks` off trains alone", name,
                                    text(name), low, high));
    return static_cast<int>(*value);
  }
  std::optional<int> optional_number(const char* name) const {
    return has(name) ? std::optional(number(name, 0, std::numeric_limits<int>::max())) : std::nullopt;
  }

 private:
  const Environment& environment_;
};

// Rank and size from two variables.
RankPlace counted(const Reader& env, const char* rank, const char* size) {
  RankPlace place;
  place.size = env.number(size, 1, 1 << 20);
  place.rank = env.number(rank, 0, place.size - 1);
  return place;
}

std::optional<RankPlace> place_of_launch(const Reader& env) {
  if (!env.has(kPortFile)) return {};
  RankPlace place = counted(env, "RANK", "WORLD_SIZE");
  place.local_rank = place.rank;
  place.address = "127.0.0.1";
  place.port_file = env.text(kPortFile);
  place.launcher = "lgode launch";
  return place;
}

std::optional<RankPlace> place_of_variables(const Reader& env) {
  if (!env.has("RANK") && !env.has("WORLD_SIZE")) return {};
  if (!env.has("RANK") || !env.has("WORLD_SIZE"))
    throw ConfigError(
        fmt::format("{} is set, but {} is not; a launcher sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT for each "
                    "process; `ranks` off trains alone",
                    env.has("RANK") ? "RANK" : "WORLD_SIZE", env.has("RANK") ? "WORLD_SIZE" : "RANK"));
  RankPlace place = counted(env, "RANK", "WORLD_SIZE");
  for (const char* name : {"MASTER_ADDR", "MASTER_PORT"})
    if (!env.has(name)) {
      if (place.size == 1) return {};
      throw ConfigError(
          fmt::format("WORLD_SIZE is {}, but {} is not set; it says where rank 0 answers; `ranks` off trains alone",
                      place.size, name));
    }
  place.local_rank = env.optional_number("LOCAL_RANK");
  place.address = env.text("MASTER_ADDR");
  place.port = env.number("MASTER_PORT", 1, 65535);
  const bool torchrun = env.has("TORCHELASTIC_RUN_ID");
  place.launcher = torchrun ? "torchrun" : "the environment";
  place.has_server = env.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  place.prefix = fmt::format("lgode/{}", env.text("TORCHELASTIC_RESTART_COUNT"));
  return place;
}

std::optional<RankPlace> place_of_slurm(const Reader& env, bool wanted) {
  if (!env.has("SLURM_PROCID")) return {};
  // srun counts the tasks of its step; the job's other tasks need not run.
  const bool step = env.has("SLURM_STEP_ID");
  const char* size = step && env.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  if (!env.has(size) || env.text(size) == "1") return {};
  // The shell of sbatch and salloc has SLURM_PROCID 0 and the job's number of tasks, too, but is in no step of srun.
  if (!step && !wanted && env.text("SLURM_PROCID") == "0") return {};
  RankPlace place = counted(env, "SLURM_PROCID", size);
  place.local_rank = env.optional_number("SLURM_LOCALID");
  place.launcher = "srun";
  place.address = env.text("MASTER_ADDR");
  for (const char* list : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"})
    if (place.address.empty()) place.address = first_host(env.text(list));
  if (place.address.empty())
    throw ConfigError(
        fmt::format("{} is {}, but neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST names the host of rank 0; set "
                    "MASTER_ADDR, or `ranks` off to train alone",
                    size, place.size));
  if (env.has("MASTER_PORT")) {
    place.port = env.number("MASTER_PORT", 1, 65535);
  } else {
    const std::int64_t job = whole(env.text("SLURM_JOB_ID")).value_or(0);
    const std::int64_t number = whole(env.text("SLURM_STEP_ID")).value_or(0);
    place.port = kFirstPort + static_cast<int>((job * 31 + number) % kPorts);
  }
  place.prefix = "lgode/" + env.text("SLURM_STEP_ID");
  return place;
}

}  // namespace

const char* process_environment(const char* name) { return std::getenv(name); }

void check_ranks(const std::string& ranks) {
  if (ranks == "auto" || ranks == "off") return;
  if (const std::optional<std::int64_t> count = whole(ranks); !count || *count < 1)
    throw ConfigError(fmt::format("`ranks` {}: expected auto, off or the number of processes", ranks));
}

std::optional<RankPlace> find_place(const std::string& ranks, const Environment& environment) {
  check_ranks(ranks);
  if (ranks == "off") return {};
  const bool wanted = ranks != "auto";
  const Reader env(environment);
  std::optional<RankPlace> place = place_of_launch(env);
  if (!place) place = place_of_variables(env);
  if (!place) place = place_of_slurm(env, wanted);
  if (!wanted) return place;
  const std::int64_t count = *whole(ranks);
  if (!place && count > 1)
    throw ConfigError(
        fmt::format("`ranks` {0}: no launcher describes other processes; start {0} of them with lgode launch, torchrun "
                    "or srun, or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT",
                    count));
  if (place && place->size != count)
    throw ConfigError(fmt::format("`ranks` {}: {} started {}; use `ranks` auto, or start as many", count,
                                  place->launcher, place->size));
  return place;
}

std::string first_host(const std::string& list) {
  const std::size_t bracket = list.find('['), comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const std::size_t end = list.find(']', bracket);
  if (end == std::string::npos) return {};
  const std::string inside = list.substr(bracket + 1, end - bracket - 1);
  const std::string rest = list.substr(end + 1);  // "rack[1-2]node[3-4]" has two brackets
  return list.substr(0, bracket) + inside.substr(0, inside.find_first_of("-,")) +
         (rest.empty() || rest[0] == ',' ? "" : first_host(rest));
}

}  // namespace lgode::train
