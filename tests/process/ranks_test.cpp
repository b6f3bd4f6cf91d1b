// Trainings of several processes: the same numbers for any number of them, stops and losses, and work in shards.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

using namespace std::chrono_literals;

class Ranks : public CommandTest {
 protected:
  // Systems of different sizes; with these, 5 per step leave a last step of one or two.
  void make_ragged() const {
    Swings swings;
    swings.train = 18, swings.test = 7;
    swings.length = [](int system, int object) { return 6 + 5 * (system % 4) + 3 * object; };
    save(swings, path("ragged.safetensors"));
  }

  Words call(const std::string& out, const Words& more = {}) const {
    return Words{"train", "ragged.safetensors", "--out", out} + tiny() +
           Words{"--model",   "lg-ode", "--task",    "extrapolate", "--start",   "random", "--epochs",     "2",
                 "--batch",   "5",      "--dropout", "0.2",         "--samples", "2",      "--validation", "0.2",
                 "--threads", "1",      "--centre",  "none"} +
           more;
  }
  static Words launch(int processes, const Words& command) {
    return Words{"launch", "--processes", std::to_string(processes), "--"} + command;
  }

  static int free_port() {
    const int file = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool bound = ::bind(file, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                       ::getsockname(file, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    EXPECT_TRUE(bound) << "no free port";
    ::close(file);
    return ntohs(address.sin_port);
  }

  // A rank as a launcher of another kind starts it.
  std::unique_ptr<Child> start_rank(int rank, int size, int port, const Words& command) const {
    return start_with({"RANK=" + std::to_string(rank), "WORLD_SIZE=" + std::to_string(size), "MASTER_ADDR=127.0.0.1",
                       "MASTER_PORT=" + std::to_string(port)},
                      command);
  }
  std::unique_ptr<Child> start_with(const Words& variables, const Words& command) const {
    Words words = {"/usr/bin/env"};
    words.insert(words.end(), variables.begin(), variables.end());
    words.emplace_back(LGODE_COMMAND);
    words.insert(words.end(), command.begin(), command.end());
    return std::make_unique<Child>(words, Child::Settings{folder()});
  }

  void wait_for(const std::string& file) const {
    for (int i = 0; i < 6000 && !exists(file); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(exists(file));
  }

  std::vector<nlohmann::json> metrics(const std::string& run) const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(bytes(run + "/metrics.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  // The same training, to rounding.
  void expect_same(const std::string& a, const std::string& b) const {
    const auto one = metrics(a), other = metrics(b);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i)
      for (const char* key : {"loss", "reconstruction", "kl", "train_mse", "validation_mse"}) {
        if (!one[i].contains(key)) continue;
        const double x = one[i][key], y = other[i][key];
        EXPECT_NEAR(x, y, 2e-5 * std::abs(x) + 1e-9) << key << " of " << one[i]["epoch"] << ": " << a << ", " << b;
      }
    const SafetensorsFile first(path(a + "/checkpoint.safetensors")), second(path(b + "/checkpoint.safetensors"));
    for (const auto& [name, tensor] : first.tensors()) {
      if (tensor.dtype != DType::kF32 || !second.has(name)) continue;
      const auto x = first.values<float>(name), y = second.values<float>(name);
      ASSERT_EQ(x.size(), y.size());
      for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], y[k], 2e-4) << name << " " << k;
    }
  }
};

TEST_F(Ranks, AnyNumberOfProcessesGivesTheSameLoss) {
  make_ragged();
  lgode_ok(call("alone"));
  for (const int processes : {1, 2, 3}) {
    const std::string run = "run" + std::to_string(processes);
    const Outcome outcome = run_programs(launch(processes, call(run)));
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("done: 2 epochs"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("done"), outcome.out.rfind("done")) << "only one rank prints";
    expect_same("alone", run);
  }
}

TEST_F(Ranks, TheDefaultModelTrainsTheSame) {
  make_ragged();
  const Words plain =
      Words{"train", "ragged.safetensors", "--task", "extrapolate"} + tiny() + Words{"--epochs", "6", "--batch", "4"};
  lgode_ok(plain + Words{"--out", "alone"});
  const Outcome outcome = run_programs(launch(2, plain + Words{"--out", "two"}));
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  expect_same("alone", "two");
}

TEST_F(Ranks, MoreProcessesThanSystemsOfAStep) {
  make_ragged();
  const Words small = {"--batch", "2", "--epochs", "1"};
  lgode_ok(call("alone", small));
  ASSERT_EQ(run_programs(launch(3, call("three", small))).code, 0);
  expect_same("alone", "three");
}

TEST_F(Ranks, TorchrunStartsThem) {
  if (!std::filesystem::exists("/usr/bin/torchrun")) GTEST_SKIP() << "there is no /usr/bin/torchrun";
  make_ragged();
  lgode_ok(call("alone"));
  // Redirections by name, because PyTorch 1.13's default does not work with Python 3.11.
  const Words torchrun = {"/usr/bin/torchrun",
                          "--no_python",
                          "--nproc_per_node",
                          "2",
                          "-r",
                          "2",
                          "-t",
                          "1",
                          "--log_dir",
                          "logs",
                          "--master_port",
                          std::to_string(free_port()),
                          LGODE_COMMAND};
  Words words = torchrun;
  for (const std::string& word : call("two", {"--ranks", "2"})) words.push_back(word);
  const Outcome outcome = Child(words, {folder()}).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  expect_same("alone", "two");
}

TEST_F(Ranks, SrunStartsThem) {
  make_ragged();
  lgode_ok(call("alone"));
  std::vector<std::unique_ptr<Child>> ranks;
  for (const int rank : {0, 1})
    ranks.push_back(start_with({"SLURM_PROCID=" + std::to_string(rank), "SLURM_LOCALID=" + std::to_string(rank),
                                "SLURM_NTASKS=2", "SLURM_STEP_NUM_TASKS=2", "SLURM_STEP_ID=0",
                                "SLURM_JOB_NODELIST=localhost", "SLURM_JOB_ID=" + std::to_string(::getpid())},
                               call("two")));
  for (const auto& rank : ranks) {
    const Outcome outcome = rank->wait();
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  }
  expect_same("alone", "two");
}

TEST_F(Ranks, AShellOfSlurmTrainsAlone) {
  make_ragged();
  const Outcome outcome =
      start_with({"SLURM_PROCID=0", "SLURM_NTASKS=4", "SLURM_JOB_NODELIST=a[1-4]", "SLURM_JOB_ID=1"},
                 call("alone", {"--epochs", "1"}))
          ->wait();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST_F(Ranks, InterruptingOneStopsAllAndAnotherNumberGoesOn) {
  make_ragged();
  const Words longer = {"--epochs", "150", "--quiet"};  // not over before the signal comes
  lgode_ok(call("whole", longer));
  const int port = free_port();
  std::vector<std::unique_ptr<Child>> ranks;
  for (const int rank : {0, 1}) ranks.push_back(start_rank(rank, 2, port, call("run", longer)));
  wait_for("run/metrics.jsonl");
  ranks[1]->send(SIGINT);
  for (const auto& rank : ranks) {
    const Outcome outcome = rank->wait();
    EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
    EXPECT_LT(outcome.seconds, 60);
  }
  ASSERT_TRUE(exists("run/checkpoint.safetensors"));
  const Outcome resumed = run_programs(launch(3, {"train", "--resume", "--no-report", "--out", "run"}));
  ASSERT_EQ(resumed.code, 0) << resumed.out << resumed.err;
  const auto one = metrics("whole"), other = metrics("run");
  ASSERT_EQ(one.size(), other.size());
  const double loss = one.back()["loss"];
  EXPECT_NEAR(loss, other.back()["loss"], 1e-3 * std::abs(loss));
}

TEST_F(Ranks, ALostRankIsNamedAndLeavesACheckpoint) {
  make_ragged();
  for (const int lost : {1, 0}) {
    const std::string run = "lost" + std::to_string(lost);
    const int port = free_port();
    std::vector<std::unique_ptr<Child>> ranks;
    for (const int rank : {0, 1, 2})
      ranks.push_back(start_rank(rank, 3, port, call(run, {"--epochs", "1000", "--quiet"})));
    wait_for(run + "/checkpoint.safetensors");
    const auto begin = std::chrono::steady_clock::now();
    ranks[static_cast<std::size_t>(lost)]->send(SIGKILL);
    std::string said;
    for (const int rank : {0, 1, 2}) {
      const Outcome outcome = ranks[static_cast<std::size_t>(rank)]->wait();
      EXPECT_EQ(outcome.code, rank == lost ? 137 : 1) << rank << ": " << outcome.out << outcome.err;
      if (rank != lost) said += outcome.err;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
    EXPECT_NE(said.find("lgode: error: rank " + std::to_string(lost) + " ("), std::string::npos) << said;
    EXPECT_NE(said.find("lgode train --resume --out " + run), std::string::npos) << said;
    ASSERT_TRUE(exists(run + "/checkpoint.safetensors"));
    const std::int64_t step = lgode_json({"info", "--json", run + "/checkpoint.safetensors"})["step_count"];
    EXPECT_GT(step, 0);
    const Outcome resumed = run_programs(
        {"train", "--resume", "--no-report", "--ranks", "off", "--stop-after", std::to_string(step + 2), "--out", run});
    EXPECT_EQ(resumed.code, 130) << resumed.out << resumed.err;
  }
}

TEST_F(Ranks, ARankThatFailsIsNamed) {
  make_ragged();
  const int port = free_port();
  const std::unique_ptr<Child> first = start_rank(0, 2, port, call("run", {"--epochs", "1000", "--quiet"}));
  Words other = call("run", {"--epochs", "1000"});
  other[1] = "absent.safetensors";
  const Outcome second = start_rank(1, 2, port, other)->wait();
  EXPECT_EQ(second.code, 1);
  EXPECT_NE(second.err.find("rank 1 ("), std::string::npos) << second.err;
  EXPECT_NE(second.err.find("absent.safetensors"), std::string::npos) << second.err;
  EXPECT_EQ(first->wait().code, 1);
}

TEST_F(Ranks, ARankThatDoesNotArriveIsNamed) {
  make_ragged();
  const std::string port = std::to_string(free_port());
  const Outcome first =
      start_with({"RANK=0", "WORLD_SIZE=3", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + port, "LGODE_JOIN_SECONDS=1"},
                 call("run"))
          ->wait();
  expect_error(first, 1, {"ranks 1 and 2 of 3 did not arrive within 1 s"});
  const Outcome second =
      start_with({"RANK=1", "WORLD_SIZE=3", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + port, "LGODE_JOIN_SECONDS=1"},
                 call("run"))
          ->wait();
  expect_error(second, 1, {"rank 0 did not answer at 127.0.0.1 port " + port});
}

TEST_F(Ranks, LaunchSaysHowItEnded) {
  make_ragged();
  expect_error(run_programs({"launch", "--", "info", "ragged.safetensors"}), 2, {"launch starts lgode train"});
  EXPECT_EQ(run_programs(launch(2, call("run", {"--lr", "-1"}))).code, 2);
  expect_error(lgode(call("run", {"--ranks", "4"})), 2, {"--ranks 4", "start 4 of them with lgode launch"});
  expect_error(lgode(call("run", {"--ranks", "some"})), 2, {"--ranks some"});
  const Outcome stopped = run_programs(launch(2, call("run", {"--stop-after", "2"})));
  EXPECT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("stopped after 2 steps"), std::string::npos) << stopped.out;
}

TEST_F(Ranks, ShardsPredictWhatTheWholePredicts) {
  make_ragged();
  lgode_ok(call("run", {"--epochs", "1"}));
  for (const char* name : {"all.csv", "all.safetensors"}) {
    const std::string whole = name, divided = "divided" + std::filesystem::path(name).extension().string();
    const Words predict = {"predict", "run", "--data", "ragged.safetensors", "--samples", "3", "--out"};
    lgode_ok(predict + Words{whole});
    for (const char* shard : {"3/3", "1/3"}) {
      const Outcome part = lgode_ok(predict + Words{divided, "--shard", shard});
      EXPECT_NE(part.out.find("missing"), std::string::npos) << part.out;
      EXPECT_FALSE(exists(divided));
    }
    lgode_ok(predict + Words{divided, "--shard", "2/3"});
    EXPECT_TRUE(bytes(whole) == bytes(divided)) << name;
    EXPECT_FALSE(exists("divided.shard-1-of-3.safetensors"));
  }
  expect_error(lgode({"predict", "run", "--data", "ragged.safetensors", "--out", "a.csv", "--shard", "0/2"}), 2,
               {"--shard 0/2"});
}

void expect_near(const nlohmann::json& a, const nlohmann::json& b, const std::string& where) {
  ASSERT_EQ(a.type_name(), std::string(b.type_name())) << where;
  if (a.is_object() || a.is_array()) {
    ASSERT_EQ(a.size(), b.size()) << where;
    for (const auto& [key, value] : a.items())
      expect_near(value, a.is_object() ? b.at(key) : b.at(std::stoul(key)), std::string(where).append("/").append(key));
  } else if (a.is_number_float()) {
    EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e-6 * std::abs(a.get<double>()) + 1e-12) << where;
  } else {
    EXPECT_EQ(a, b) << where;
  }
}

TEST_F(Ranks, ShardsEvaluateWhatTheWholeDoes) {
  make_ragged();
  lgode_ok(call("run", {"--epochs", "1"}));
  const Words evaluate = {"evaluate", "run", "--json", "--within", "1.2"};
  const nlohmann::json whole = lgode_json(evaluate);
  for (const char* shard : {"2/3", "1/3"}) {
    const Outcome part = lgode_ok(evaluate + Words{"--shard", shard});
    EXPECT_NE(part.out.find("missing"), std::string::npos) << part.out;
  }
  expect_near(whole, lgode_json(evaluate + Words{"--shard", "3/3"}), "");
}

}  // namespace
}  // namespace lgode::process
