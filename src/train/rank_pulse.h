// Shows that a rank is alive, and detects which other one is not. Every rank counts up a number in the store, its
// beat, and watches the beat of the rank before it; the same looks pass on requests to stop. No LibTorch here.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "lgode/core/stop.h"
#include "rank_store.h"

namespace lgode::train {

constexpr std::chrono::milliseconds kBeat{500};
// Own beats without one of the rank before: it is lost. Silence is counted in beats, not in time: a computer that slept
// wakes without suspicion.
constexpr int kSilent = 16, kSilentIfSuspected = 4;

// Returns after this time, or at once when the token is stopped.
using PulseWait = std::function<void(std::chrono::milliseconds time, const std::stop_token& over)>;
void wait_for(std::chrono::milliseconds time, const std::stop_token& over);

// One thread calls look(); all other functions may be called by any thread.
class Pulse {
 public:
  // Beats once. `store_in_rank_0`: otherwise the store is in the process of the launcher. `wait`: how time
  // passes between the beats that decide whether further ranks are lost.
  Pulse(std::unique_ptr<RankStore> store, int rank, std::vector<Member> members, bool store_in_rank_0,
        PulseWait wait = wait_for);

  // One beat, and a look at the others' messages and at the rank before. False: there is nothing more to look at,
  // because the store does not answer. Unless all are ending, or `over` is stopped, that means that its process is
  // lost.
  bool look(const std::stop_token& over = {});

  // From now on a request of `own` is passed on to all ranks.
  void watch(const StopFlag* own) { own_ = own; }
  // A call failed: the watcher of the lost rank, which may be another one, needs less silence.
  void suspect() { suspected_ = true; }

  const StopFlag& stop() const { return stop_; }
  // A rank ends at once on request, and all with it.
  bool ending() const { return ending_; }
  // Which ranks are lost and why, in words; nothing if none is known to be.
  std::optional<std::string> lost() const;
  // Whether all ranks below this one are lost.
  bool writes() const;
  // "rank 2 (node7, process 123)".
  std::string name(int rank) const;

  // Messages to the others, on another connection than look()'s: this rank fails, all end at once, this rank leaves
  // and stops beating.
  void fail(RankStore& store, const std::string& why) const;
  static void end(RankStore& store);
  void leave(RankStore& store) const;

 private:
  int before(int rank) const;
  void beat();
  void hear();
  void look_at_neighbour();
  void set_lost(const std::string& what, const std::vector<int>& ranks);

  std::unique_ptr<RankStore> store_;
  int rank_;
  std::vector<Member> members_;
  bool store_in_rank_0_;
  PulseWait wait_;
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
};

// Looks twice a second until it is destroyed or the pulse is over. The pulse must outlive it.
class PulseThread {
 public:
  explicit PulseThread(Pulse& pulse, PulseWait wait = wait_for);

 private:
  std::jthread thread_;
};

}  // namespace lgode::train
