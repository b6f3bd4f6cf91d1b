// Ranks on LibTorch's process groups; the only file that includes them. A thread per rank shows that the rank lives: it
// counts up a number in the store twice a second and watches that of the rank before it.
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/train/ranks.h"

namespace lgode::train {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using namespace std::chrono_literals;
using nlohmann::json;
using Store = c10::intrusive_ptr<c10d::Store>;

constexpr auto kBeat = 500ms;
constexpr int kSilent = 16, kSilentIfSuspected = 4;  // own beats without one of the other: it is lost
constexpr auto kLook = 1000ms;                       // between two looks at the others while a call waits
constexpr auto kVerdict = 12s;                       // to find out who is lost once a call failed
constexpr auto kVerdictIfStopping = 4s;
constexpr auto kLeave = 10s;
constexpr auto kLongestCall = std::chrono::hours(2);  // a rank that lives, but does not come

void put(c10d::Store& store, const std::string& key, const std::string& text) {
  store.set(key, std::vector<std::uint8_t>(text.begin(), text.end()));
}
std::string take(c10d::Store& store, const std::string& key) {
  const std::vector<std::uint8_t> bytes = store.get(key);
  return {bytes.begin(), bytes.end()};
}
// Sets a key that nobody has set.
void put_first(c10d::Store& store, const std::string& key, const std::string& text) {
  store.compareSet(key, {}, std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown host";
}

// What a rank says of itself on joining.
struct Member {
  std::string host;
  std::int64_t process = 0;
};

// "rank 1", "ranks 1 and 3", "ranks 1, 3 and 5".
std::string rank_list(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  return fmt::format("ranks {} and {}", fmt::join(ranks.begin(), ranks.end() - 1, ", "), ranks.back());
}

// Connections to the store of a group.
class Stores {
 public:
  Stores(const RankPlace& place, Seconds patience) : place_(place), patience_(patience), port_(place.port) {
    const bool serves = place.rank == 0 && !place.has_server;
    if (!serves && !place.port_file.empty()) port_ = read_port();
    try {
      server_ = open(serves);
    } catch (const std::exception& error) {
      throw RankLostError(serves ? fmt::format("rank 0 cannot answer at port {}: {}; set another MASTER_PORT", port_,
                                               first_line(error.what()))
                                 : fmt::format("{} did not answer at {} port {} within {:.0f} s: {}",
                                               place.has_server ? place.launcher : "rank 0", place.address, port_,
                                               patience.count(), first_line(error.what())));
    }
    if (serves && !place.port_file.empty()) {
      port_ = server_->getPort();
      write_file(place.port_file, Overwrite::kAllow, fmt::format("{}\n", port_));
    }
  }

  // A new connection, or that of the server.
  Store connect() const { return prefixed(open(false)); }
  Store first() const { return prefixed(server_); }

 private:
  c10::intrusive_ptr<c10d::TCPStore> open(bool serves) const {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(port_);
    options.isServer = serves;
    options.waitWorkers = false;
    options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(patience_);
    return c10::make_intrusive<c10d::TCPStore>(place_.address, options);
  }
  Store prefixed(const Store& store) const {
    return c10::make_intrusive<c10d::PrefixStore>(place_.prefix.empty() ? "lgode" : place_.prefix, store);
  }

  int read_port() const {
    for (const auto begin = Clock::now(); Clock::now() - begin < patience_; std::this_thread::sleep_for(20ms)) {
      int port = 0;
      if (std::ifstream(place_.port_file) >> port && port > 0) return port;
    }
    throw RankLostError(fmt::format("rank 0 did not arrive within {:.0f} s", patience_.count()));
  }

  RankPlace place_;
  Seconds patience_;
  int port_;
  c10::intrusive_ptr<c10d::TCPStore> server_;
};

// All ranks tell rank 0 where they are; it tells everyone.
std::vector<Member> gather(c10d::Store& store, const RankPlace& place, Seconds patience) {
  const auto arrives = [&](const std::string& key, Clock::time_point deadline) {
    while (!store.check({key})) {
      if (Clock::now() > deadline) return false;
      std::this_thread::sleep_for(20ms);
    }
    return true;
  };
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
  put(store, fmt::format("here/{}", place.rank), json{{"host", host_name()}, {"process", ::getpid()}}.dump());
  if (place.rank == 0) {
    json all = json::array();
    std::vector<int> missing;
    for (int r = 0; r < place.size; ++r) {
      const std::string key = fmt::format("here/{}", r);
      if (arrives(key, deadline))
        all.push_back(json::parse(take(store, key)));
      else
        missing.push_back(r);
    }
    const std::string fault = missing.empty() ? ""
                                              : fmt::format("{} of {} did not arrive within {:.0f} s",
                                                            rank_list(missing), place.size, patience.count());
    put(store, "all", json{{"members", all}, {"fault", fault}}.dump());
  }
  if (!arrives("all", deadline + 30s))
    throw RankLostError(fmt::format("rank 0 did not say who is here within {:.0f} s", patience.count()));
  const json all = json::parse(take(store, "all"));
  if (all.at("fault") != "")
    throw RankLostError(fmt::format("{}; check that every process is started and reaches {}",
                                    all.at("fault").get<std::string>(), place.address));
  std::vector<Member> members;
  for (const json& member : all.at("members"))
    members.push_back({member.at("host").get<std::string>(), member.at("process").get<std::int64_t>()});
  return members;
}

// A rank that has left beats no more.
std::string done_key(int rank) { return fmt::format("done/{}", rank); }

// The thread that shows that this rank lives and hears of the others.
class Pulse {
 public:
  Pulse(Store store, int rank, std::vector<Member> members, bool rank_0_serves)
      : store_(std::move(store)),
        rank_(rank),
        members_(std::move(members)),
        rank_0_serves_(rank_0_serves),
        before_(before(rank)) {
    beat();
    thread_ = std::jthread([this](const std::stop_token& over) { run(over); });
  }

  void watch(const StopFlag* own) { own_ = own; }
  const StopFlag& stop() const { return stop_; }
  bool ending() const { return ending_; }
  void suspect() { suspected_ = true; }
  std::optional<std::string> lost() const {
    const std::scoped_lock lock(mutex_);
    return lost_;
  }
  bool writes() const {
    const std::scoped_lock lock(mutex_);
    for (int r = 0; r < rank_; ++r)
      if (std::find(gone_.begin(), gone_.end(), r) == gone_.end()) return false;
    return true;
  }
  std::string name(int rank) const {
    const Member& m = members_[static_cast<std::size_t>(rank)];
    return fmt::format("rank {} ({}, process {})", rank, m.host, m.process);
  }
  // Tells the others, by another connection than that of the thread.
  void fail(c10d::Store& store, const std::string& why) const {
    put_first(
        store, "lost",
        json{{"ranks", std::vector<int>{rank_}}, {"what", fmt::format("{} failed: {}", name(rank_), why)}}.dump());
  }
  void end() { thread_ = {}; }

 private:
  int before(int rank) const {
    return (rank + static_cast<int>(members_.size()) - 1) % static_cast<int>(members_.size());
  }
  static std::string key(int rank) { return fmt::format("beat/{}", rank); }

  void beat() { put(*store_, key(rank_), std::to_string(++beats_)); }

  void run(const std::stop_token& over) {
    std::mutex unused;
    std::condition_variable_any wake;
    while (!over.stop_requested()) {
      try {
        look();
      } catch (const std::exception& error) {
        if (over.stop_requested() || ending_) return;
        store_failed();
        return;
      }
      std::unique_lock lock(unused);
      wake.wait_for(lock, over, kBeat, [] { return false; });
    }
  }

  void look() {
    beat();
    if (const StopFlag* own = own_; own != nullptr && own->requested() && !std::exchange(told_, true)) {
      stop_.request();
      put(*store_, "stop", "1");
    }
    if (!stop_.requested() && store_->check({"stop"})) stop_.request();
    if (!ending_ && store_->check({"ending"})) ending_ = true;
    // One rank's call failed: the watcher of the lost rank may be another one, whose call only waits.
    if (suspected_ && !std::exchange(told_suspicion_, true)) put(*store_, "suspicion", "1");
    if (!suspected_ && store_->check({"suspicion"})) suspected_ = true;
    if (store_->check({"lost"})) {
      const json found = json::parse(take(*store_, "lost"));
      set_lost(found.at("what"), found.at("ranks"));
      return;
    }
    if (members_.size() > 1) look_at_neighbour();
  }

  void look_at_neighbour() {
    const std::string now = store_->check({key(before_)}) ? take(*store_, key(before_)) : "";
    if (now != seen_) {
      seen_ = now, silence_ = 0;
      return;
    }
    // Own beats, not time: a computer that slept wakes without suspicion.
    if (++silence_ < (suspected_ ? kSilentIfSuspected : kSilent) || ending_) return;
    if (store_->check({done_key(before_)})) return;
    // Ranks of one machine are lost together.
    std::vector<int> ranks = {before_};
    for (int r = before(before_); r != rank_; r = before(r)) {
      const std::string first = take(*store_, key(r));
      std::this_thread::sleep_for(3 * kBeat);
      if (take(*store_, key(r)) != first) break;
      ranks.push_back(r);
    }
    std::string what;
    for (const int r : ranks) what += (what.empty() ? "" : ", ") + name(r);
    put_first(*store_, "lost",
              json{{"ranks", ranks}, {"what", fmt::format("{} was lost: no sign of life", what)}}.dump());
  }

  // The store is in the process of rank 0, or of the launcher.
  void store_failed() {
    if (rank_0_serves_)
      set_lost(fmt::format("{} was lost: it no longer answers", name(0)), {0});
    else
      set_lost("the launcher was lost: its store no longer answers", {});
  }

  void set_lost(const std::string& what, const std::vector<int>& ranks) {
    const std::scoped_lock lock(mutex_);
    if (!lost_) lost_ = what, gone_ = ranks;
  }

  Store store_;
  int rank_;
  std::vector<Member> members_;
  bool rank_0_serves_;
  int before_;
  std::int64_t beats_ = 0;
  std::string seen_;  // last beat of the rank before
  int silence_ = 0;   // own beats since it changed
  bool told_ = false, told_suspicion_ = false;
  std::atomic<const StopFlag*> own_{nullptr};
  std::atomic<bool> suspected_{false}, ending_{false};
  StopFlag stop_;
  mutable std::mutex mutex_;
  std::optional<std::string> lost_;
  std::vector<int> gone_;
  std::jthread thread_;  // last: it uses the others
};

#ifdef USE_C10D_NCCL
// LibTorch warns at the end of the process if this was not called; older releases do not have it.
template <class Group>
auto shut_down(Group& group, int) -> decltype(group.shutdown(), void()) {
  group.shutdown();
}
template <class Group>
void shut_down(Group&, long) {}
#endif

class ProcessGroupRanks : public Ranks {
 public:
  ProcessGroupRanks(const RankPlace& place, const JoinOptions& options)
      : place_(place), stores_(place, Seconds(options.seconds)), store_(stores_.first()) {
    members_ = gather(*store_, place, Seconds(options.seconds));
    pulse_ = std::make_unique<Pulse>(stores_.connect(), place.rank, members_, !place.has_server);
    for (int r = 0; r < place.size; ++r) {
      if (members_[static_cast<std::size_t>(r)].host != members_[static_cast<std::size_t>(place.rank)].host) continue;
      if (r < place.rank) ++local_rank_;
      ++local_size_;
    }
    if (place.local_rank) local_rank_ = *place.local_rank;
    make_gloo();
    choose_backend(options);
  }

  ~ProcessGroupRanks() override {
    pulse_->end();
    // A group whose calls never end would wait for them.
    if (broken_) gloo_.release();
#ifdef USE_C10D_NCCL
    if (nccl_ && !broken_) {
      try {
        shut_down(*nccl_, 0);
      } catch (const std::exception&) {  // its connections end with the process
      }
    }
#endif
  }

  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }
  std::string name(int rank) const override { return pulse_->name(rank); }
  std::string backend() const override { return nccl_ ? "nccl" : "gloo"; }

  void sum(at::Tensor& tensor) override {
    call(tensor, [](auto& group, std::vector<at::Tensor>& list) { return group.allreduce(list); });
  }
  void broadcast(at::Tensor& tensor) override {
    call(tensor, [](auto& group, std::vector<at::Tensor>& list) { return group.broadcast(list); });
  }
  using Ranks::broadcast;
  using Ranks::sum;

  void watch(const StopFlag* own) override { pulse_->watch(own); }
  const StopFlag& stop() const override { return pulse_->stop(); }
  std::optional<std::string> lost() const override { return pulse_->lost(); }
  bool writes() const override { return pulse_->writes(); }

  void fail(const std::string& why) override {
    broken_ = true;
    tell([&] { pulse_->fail(*store_, why); });
  }
  void end() override {
    broken_ = true;
    tell([&] { put(*store_, "ending", "1"); });
  }
  void leave() override {
    try {
      put(*store_, done_key(place_.rank), "1");
      pulse_->end();
      store_->add("left", 1);
      // The store ends with rank 0.
      if (place_.rank != 0 || place_.has_server) return;
      for (const auto begin = Clock::now(); Clock::now() - begin < kLeave; std::this_thread::sleep_for(10ms))
        if (store_->add("left", 0) >= place_.size) return;
    } catch (const std::exception&) {  // the others may be gone
      pulse_->end();
    }
  }

 private:
  void make_gloo() {
    const auto options =
        c10d::ProcessGroupGloo::Options::create(std::chrono::duration_cast<std::chrono::milliseconds>(kLongestCall));
    const bool one_host =
        std::all_of(members_.begin(), members_.end(), [&](const Member& m) { return m.host == members_[0].host; });
    const char* interface = process_environment("GLOO_SOCKET_IFNAME");
    if (interface != nullptr && *interface != 0)
      options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    else if (one_host)
      options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    else
      options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    options->threads = 2;
    gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("gloo", store_),
                                                        place_.rank, place_.size, options);
  }

  // NCCL needs a GPU for every rank.
  void choose_backend(const JoinOptions& options) {
    const std::string gpu = options.gpu ? options.gpu(local_rank_) : "";
    at::Tensor names = at::zeros({place_.size}, at::kLong);
    const auto own = static_cast<std::int64_t>(
        std::hash<std::string>()(members_[static_cast<std::size_t>(place_.rank)].host + "/" + gpu) >> 1U);
    if (!gpu.empty()) names[place_.rank] = own;
    sum(names);
    const auto* first = names.data_ptr<std::int64_t>();
    std::vector<std::int64_t> sorted(first, first + place_.size);
    std::sort(sorted.begin(), sorted.end());
    const bool all = sorted.front() != 0, own_each = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (options.backend == "nccl") {
      if (!has_nccl()) throw ConfigError("`backend` nccl: this build has no NCCL; use `backend` gloo");
      if (!all) throw ConfigError("`backend` nccl: a rank has no GPU; use `backend` gloo");
      if (!own_each) throw ConfigError("`backend` nccl: ranks share a GPU; use `backend` gloo, or fewer ranks");
    }
    if (options.backend == "gloo" || !all || !own_each || !has_nccl()) return;
#ifdef USE_C10D_NCCL
    nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(c10::make_intrusive<c10d::PrefixStore>("nccl", store_),
                                                        place_.rank, place_.size);
#endif
  }

  template <class Start>
  void call(at::Tensor& tensor, const Start& start) {
    at::NoGradGuard no_grad;
    if (tensor.is_cuda() && nccl_) {
#ifdef USE_C10D_NCCL
      std::vector<at::Tensor> list = {tensor};
      start(*nccl_, list)->wait();  // the device's queue waits, not this thread
#endif
      return;
    }
    std::vector<at::Tensor> list = {tensor.is_cpu() ? tensor : tensor.to(at::kCPU)};
    try {
      finish(start(*gloo_, list));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      explain(error.what());
    }
    if (!tensor.is_cpu()) tensor.copy_(list[0]);
  }

  template <class Work>
  void finish(const Work& work) {
    while (true) {
      try {
        work->wait(kLook);
        return;
      } catch (const std::exception&) {
        if (work->isCompleted()) {
          work->wait();
          return;
        }
        if (pulse_->lost() || pulse_->ending()) explain("");
      }
    }
  }

  // Why a call failed.
  [[noreturn]] void explain(const std::string& error) {
    broken_ = true;
    pulse_->suspect();
    const auto begin = Clock::now();
    const auto waits = [&] {
      return Clock::now() - begin <
             (pulse_->stop().requested() ? Clock::duration(kVerdictIfStopping) : Clock::duration(kVerdict));
    };
    while (!pulse_->lost() && !pulse_->ending() && waits()) std::this_thread::sleep_for(20ms);
    if (pulse_->ending()) throw Interrupted();
    if (const std::optional<std::string> lost = pulse_->lost()) throw RankLostError(*lost);
    if (pulse_->stop().requested()) throw Interrupted();
    throw RankLostError("the connection between ranks failed: " + first_line(error));
  }

  template <class Tell>
  void tell(const Tell& tell) {
    try {
      tell();
      std::this_thread::sleep_for(2 * kBeat);  // until all have looked: the store may end with this process
    } catch (const std::exception&) {          // then they learn it from the silence
    }
  }

  RankPlace place_;
  Stores stores_;
  Store store_;
  std::vector<Member> members_;
  std::unique_ptr<Pulse> pulse_;
  int local_rank_ = 0, local_size_ = 0;
  bool broken_ = false;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
#ifdef USE_C10D_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl_;
#else
  void* nccl_ = nullptr;
#endif
};

}  // namespace

bool has_ranks() { return true; }

bool has_nccl() {
#ifdef USE_C10D_NCCL
  return true;
#else
  return false;
#endif
}

std::unique_ptr<Ranks> join(const RankPlace& place, const JoinOptions& options) {
  return std::make_unique<ProcessGroupRanks>(place, options);
}

}  // namespace lgode::train
