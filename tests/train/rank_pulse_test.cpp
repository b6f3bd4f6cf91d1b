// Lost and slow ranks, without processes: a test decides which rank beats when, and nothing waits.
#include "train/rank_pulse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>

#include "train/memory_store.h"

namespace lgode::train {
namespace {

// Ranks of one store, in steps of half a second.
class Ring {
 public:
  explicit Ring(int size, bool store_in_rank_0 = true) {
    std::vector<Member> members;
    for (int r = 0; r < size; ++r) members.push_back({"node" + std::to_string(r), 100 + r});
    for (int r = 0; r < size; ++r)
      pulses_.push_back(std::make_unique<Pulse>(
          store_.connect(), r, members, store_in_rank_0,
          [this, r](std::chrono::milliseconds time, const std::stop_token&) { pass(time, r); }));
  }

  // `beats` times half a second, in which all that run look once.
  void pass(int beats) {
    for (int i = 0; i < beats; ++i)
      for (std::size_t r = 0; r < pulses_.size(); ++r) look(static_cast<int>(r));
  }
  void halt(int rank) { halted_.push_back(rank); }
  void go_on() { halted_.clear(); }
  Pulse& operator[](int rank) { return *pulses_[static_cast<std::size_t>(rank)]; }
  MemoryStore& store() { return store_; }

 private:
  void look(int rank) {
    if (std::find(halted_.begin(), halted_.end(), rank) != halted_.end()) return;
    EXPECT_TRUE((*this)[rank].look());
  }
  // While one rank waits, the others look.
  void pass(std::chrono::milliseconds time, int waiting) {
    EXPECT_EQ(time, 3 * kBeat);
    halted_.push_back(waiting);
    pass(static_cast<int>(time / kBeat));
    halted_.pop_back();
  }

  MemoryStore store_;
  std::vector<std::unique_ptr<Pulse>> pulses_;
  std::vector<int> halted_;
};

TEST(RankPulseTest, ARankThatStopsBeatingIsNamed) {
  Ring ring(3);
  ring.pass(3);
  ring.halt(1);
  ring.pass(kSilent - 1);
  EXPECT_FALSE(ring[0].lost() || ring[2].lost());
  ring.pass(3);
  for (const int r : {0, 2}) EXPECT_EQ(ring[r].lost(), "rank 1 (node1, process 101) was lost: no sign of life");
  EXPECT_TRUE(ring[0].writes());
  EXPECT_FALSE(ring[2].writes());
}

TEST(RankPulseTest, ASlowRankIsNotLost) {
  Ring ring(3);
  for (int i = 0; i < 5; ++i) {
    ring.halt(1);
    ring.pass(kSilent - 2);
    ring.go_on();
    ring.pass(1);
  }
  for (const int r : {0, 1, 2}) EXPECT_FALSE(ring[r].lost());
}

// A computer that slept, or a debugger that held all ranks: no rank is lost for time without beats.
TEST(RankPulseTest, SilenceIsCountedInOwnBeats) {
  Ring ring(2);
  ring.pass(1);
  for (const int r : {0, 1}) ring.halt(r);
  ring.pass(10 * kSilent);
  ring.go_on();
  ring.pass(10 * kSilent);
  for (const int r : {0, 1}) EXPECT_FALSE(ring[r].lost());
}

TEST(RankPulseTest, AFailedCallShortensThePatienceOfAllRanks) {
  Ring ring(3);
  ring.pass(1);
  ring.halt(1);
  ring[0].suspect();  // rank 2 watches rank 1
  ring.pass(kSilentIfSuspected + 2);
  for (const int r : {0, 2}) EXPECT_EQ(ring[r].lost(), "rank 1 (node1, process 101) was lost: no sign of life");
}

TEST(RankPulseTest, RanksThatAreLostTogetherAreNamedTogether) {
  Ring ring(4);
  ring.pass(2);
  ring.halt(0), ring.halt(1);
  ring.pass(kSilent + 3);
  const std::string both = "rank 1 (node1, process 101), rank 0 (node0, process 100) was lost: no sign of life";
  for (const int r : {2, 3}) EXPECT_EQ(ring[r].lost(), both);
  EXPECT_TRUE(ring[2].writes());
  EXPECT_FALSE(ring[3].writes());
}

TEST(RankPulseTest, ARankThatLeavesIsNotLost) {
  Ring ring(3);
  ring.pass(2);
  ring[1].leave(*ring.store().connect());
  ring.halt(1);
  ring.pass(5 * kSilent);
  for (const int r : {0, 2}) EXPECT_FALSE(ring[r].lost());
}

TEST(RankPulseTest, ARankThatFailsSaysWhyAndTheFirstReasonStays) {
  Ring ring(3);
  const std::unique_ptr<RankStore> store = ring.store().connect();
  ring[2].fail(*store, "the disk is full");
  ring[0].fail(*store, "rank 2 is gone");
  ring.pass(1);
  for (const int r : {0, 1, 2}) EXPECT_EQ(ring[r].lost(), "rank 2 (node2, process 102) failed: the disk is full");
  EXPECT_FALSE(ring[1].writes());
}

TEST(RankPulseTest, ARequestToStopReachesAllRanks) {
  Ring ring(3);
  StopFlag own;
  ring[1].watch(&own);
  ring.pass(2);
  for (const int r : {0, 1, 2}) EXPECT_FALSE(ring[r].stop().requested());
  own.request();
  ring.pass(2);
  for (const int r : {0, 1, 2}) EXPECT_TRUE(ring[r].stop().requested());
  for (const int r : {0, 1, 2}) EXPECT_FALSE(ring[r].ending() || ring[r].lost());
}

TEST(RankPulseTest, WhenAllEndNobodyIsLost) {
  Ring ring(2);
  ring.pass(1);
  Pulse::end(*ring.store().connect());
  ring.pass(1);
  EXPECT_TRUE(ring[0].ending() && ring[1].ending());
  ring.halt(1);
  ring.pass(2 * kSilent);
  EXPECT_FALSE(ring[0].lost());
  ring.store().stop_answering();
  EXPECT_FALSE(ring[0].look());
  EXPECT_FALSE(ring[0].lost());
}

TEST(RankPulseTest, AStoreThatDoesNotAnswerIsTheLossOfItsProcess) {
  Ring of_rank_0(2), of_launcher(2, false);
  for (Ring* ring : {&of_rank_0, &of_launcher}) {
    ring->pass(1);
    ring->store().stop_answering();
    EXPECT_FALSE((*ring)[1].look());
  }
  EXPECT_EQ(of_rank_0[1].lost(), "rank 0 (node0, process 100) was lost: it no longer answers");
  EXPECT_TRUE(of_rank_0[1].writes());
  EXPECT_EQ(of_launcher[1].lost(), "the launcher was lost: its store no longer answers");
  EXPECT_FALSE(of_launcher[1].writes());
}

TEST(RankPulseTest, AStoreThatFailsOnJoiningIsAnError) {
  MemoryStore store;
  store.stop_answering();
  EXPECT_THROW(Pulse(store.connect(), 0, {{"here", 1}}, true), std::runtime_error);
}

TEST(RankPulseTest, OneRankWatchesNobody) {
  Ring ring(1);
  ring.pass(3 * kSilent);
  EXPECT_FALSE(ring[0].lost());
  EXPECT_TRUE(ring[0].writes());
}

// Lets a thread beat only when the test says so.
class Beats {
 public:
  PulseWait wait() {
    return [this](std::chrono::milliseconds, const std::stop_token& over) {
      std::unique_lock lock(mutex_);
      ++waits_;
      changed_.notify_all();
      changed_.wait(lock, over, [this] { return allowed_ > 0; });
      if (!over.stop_requested()) --allowed_;
    };
  }
  // Waits until the thread has looked `times` times.
  void expect(int times) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waits_ >= times; });
  }
  void allow(int times) {
    const std::scoped_lock lock(mutex_);
    allowed_ += times;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int waits_ = 0, allowed_ = 0;
};

TEST(RankPulseTest, TheThreadLooksUntilItIsDestroyed) {
  MemoryStore store;
  Pulse pulse(store.connect(), 0, {{"here", 1}, {"there", 2}}, true);
  Beats beats;
  {
    const PulseThread thread(pulse, beats.wait());
    beats.expect(1);
    EXPECT_EQ(store["beat/0"], "2");  // one on joining
    beats.allow(2);
    beats.expect(3);
    EXPECT_EQ(store["beat/0"], "4");
  }  // wakes it
  EXPECT_EQ(store["beat/0"], "4");
  EXPECT_FALSE(pulse.lost());
}

TEST(RankPulseTest, TheThreadEndsWithTheStore) {
  MemoryStore store;
  Pulse pulse(store.connect(), 1, {{"here", 1}, {"there", 2}}, true);
  Beats beats;
  PulseThread thread(pulse, beats.wait());
  beats.expect(1);
  store.stop_answering();
  beats.allow(1);
  while (!pulse.lost()) std::this_thread::yield();
  EXPECT_EQ(pulse.lost(), "rank 0 (here, process 1) was lost: it no longer answers");
}

}  // namespace
}  // namespace lgode::train
