// Ranks on LibTorch's process groups: sums and copies of tensors, and why one failed. Ranks join by tcp_store.h and
// rank_store.h, and detect failures through rank_pulse.h.
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "lgode/core/error.h"
#include "lgode/train/ranks.h"
#include "rank_pulse.h"
#include "tcp_store.h"

namespace lgode::train {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using namespace std::chrono_literals;

constexpr auto kLook = 1000ms;  // between two looks at the others while a call waits
constexpr auto kVerdict = 12s;  // to find the lost rank once a call failed
constexpr auto kVerdictIfStopping = 4s;
constexpr auto kLeave = 10s;
constexpr auto kLongestCall = std::chrono::hours(2);  // a rank that runs, but does not join the call

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
      : place_(place),
        stores_(place, Seconds(options.seconds)),
        store_(rank_store(stores_.first())),
        members_(gather(*store_, place, {host_name(), ::getpid()}, Seconds(options.seconds))),
        pulse_(stores_.connect(), place.rank, members_, !place.has_server),
        thread_(std::in_place, pulse_) {
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
    thread_.reset();
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
  std::string name(int rank) const override { return pulse_.name(rank); }
  std::string backend() const override { return nccl_ ? "nccl" : "gloo"; }

  void sum(at::Tensor& tensor) override {
    call(tensor, [](auto& group, std::vector<at::Tensor>& list) { return group.allreduce(list); });
  }
  void broadcast(at::Tensor& tensor) override {
    call(tensor, [](auto& group, std::vector<at::Tensor>& list) { return group.broadcast(list); });
  }
  using Ranks::broadcast;
  using Ranks::sum;

  void watch(const StopFlag* own) override { pulse_.watch(own); }
  const StopFlag& stop() const override { return pulse_.stop(); }
  std::optional<std::string> lost() const override { return pulse_.lost(); }
  bool writes() const override { return pulse_.writes(); }

  void fail(const std::string& why) override {
    broken_ = true;
    tell([&] { pulse_.fail(*store_, why); });
  }
  void end() override {
    broken_ = true;
    tell([&] { Pulse::end(*store_); });
  }
  void leave() override {
    try {
      pulse_.leave(*store_);
      thread_.reset();
      store_->add("left", 1);
      // The store ends with rank 0.
      if (place_.rank != 0 || place_.has_server) return;
      for (const auto begin = Clock::now(); Clock::now() - begin < kLeave; std::this_thread::sleep_for(10ms))
        if (store_->add("left", 0) >= place_.size) return;
    } catch (const std::exception&) {  // the others may be gone
      thread_.reset();
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
    gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("gloo", stores_.first()),
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
    nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(c10::make_intrusive<c10d::PrefixStore>("nccl", stores_.first()),
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
        if (pulse_.lost() || pulse_.ending()) explain("");
      }
    }
  }

  // Why a call failed.
  [[noreturn]] void explain(const std::string& error) {
    broken_ = true;
    pulse_.suspect();
    const auto begin = Clock::now();
    const auto waits = [&] {
      return Clock::now() - begin <
             (pulse_.stop().requested() ? Clock::duration(kVerdictIfStopping) : Clock::duration(kVerdict));
    };
    while (!pulse_.lost() && !pulse_.ending() && waits()) std::this_thread::sleep_for(20ms);
    if (pulse_.ending()) throw Interrupted();
    if (const std::optional<std::string> lost = pulse_.lost()) throw RankLostError(*lost);
    if (pulse_.stop().requested()) throw Interrupted();
    throw RankLostError("the connection between ranks failed: " + first_line(error));
  }

  template <class Tell>
  void tell(const Tell& tell) {
    try {
      tell();
      std::this_thread::sleep_for(2 * kBeat);  // until all have read it: the store may end with this process
    } catch (const std::exception&) {          // then they learn it from the silence
    }
  }

  RankPlace place_;
  TcpStores stores_;
  std::unique_ptr<RankStore> store_;
  std::vector<Member> members_;
  Pulse pulse_;
  std::optional<PulseThread> thread_;  // none once this rank leaves
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
