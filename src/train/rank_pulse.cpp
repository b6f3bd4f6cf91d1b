// The failure detector. Keys in the store: beat/R and done/R of rank R; stop, suspicion, ending and lost of all.
#include "rank_pulse.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <nlohmann/json.hpp>
#include <utility>

namespace lgode::train {
namespace {

using nlohmann::json;

std::string beat_key(int rank) { return fmt::format("beat/{}", rank); }
std::string done_key(int rank) { return fmt::format("done/{}", rank); }

std::string lost_text(const std::vector<int>& ranks, const std::string& what) {
  return json{{"ranks", ranks}, {"what", what}}.dump();
}

}  // namespace

void wait_for(std::chrono::milliseconds time, const std::stop_token& over) {
  std::mutex unused;
  std::condition_variable_any wake;
  std::unique_lock lock(unused);
  wake.wait_for(lock, over, time, [] { return false; });
}

Pulse::Pulse(std::unique_ptr<RankStore> store, int rank, std::vector<Member> members, bool store_in_rank_0,
             PulseWait wait)
    : store_(std::move(store)),
      rank_(rank),
      members_(std::move(members)),
      store_in_rank_0_(store_in_rank_0),
      wait_(std::move(wait)),
      before_(before(rank)) {
  beat();
}

bool Pulse::look(const std::stop_token& over) {
  try {
    beat();
    hear();
    return true;
  } catch (const std::exception&) {
    if (over.stop_requested() || ending_) return false;
    if (store_in_rank_0_)
      set_lost(fmt::format("{} was lost: it no longer answers", name(0)), {0});
    else
      set_lost("the launcher was lost: its store no longer answers", {});
    return false;
  }
}

std::optional<std::string> Pulse::lost() const {
  const std::scoped_lock lock(mutex_);
  return lost_;
}

bool Pulse::writes() const {
  const std::scoped_lock lock(mutex_);
  for (int r = 0; r < rank_; ++r)
    if (std::find(gone_.begin(), gone_.end(), r) == gone_.end()) return false;
  return true;
}

std::string Pulse::name(int rank) const {
  const Member& m = members_[static_cast<std::size_t>(rank)];
  return fmt::format("rank {} ({}, process {})", rank, m.host, m.process);
}

void Pulse::fail(RankStore& store, const std::string& why) const {
  store.set_first("lost", lost_text({rank_}, fmt::format("{} failed: {}", name(rank_), why)));
}

void Pulse::end(RankStore& store) { store.set("ending", "1"); }

void Pulse::leave(RankStore& store) const { store.set(done_key(rank_), "1"); }

int Pulse::before(int rank) const {
  return (rank + static_cast<int>(members_.size()) - 1) % static_cast<int>(members_.size());
}

void Pulse::beat() { store_->set(beat_key(rank_), std::to_string(++beats_)); }

void Pulse::hear() {
  if (const StopFlag* own = own_; own != nullptr && own->requested() && !std::exchange(told_, true)) {
    stop_.request();
    store_->set("stop", "1");
  }
  if (!stop_.requested() && store_->has("stop")) stop_.request();
  if (!ending_ && store_->has("ending")) ending_ = true;
  if (suspected_ && !std::exchange(told_suspicion_, true)) store_->set("suspicion", "1");
  if (!suspected_ && store_->has("suspicion")) suspected_ = true;
  if (store_->has("lost")) {
    const json found = json::parse(store_->get("lost"));
    set_lost(found.at("what"), found.at("ranks"));
    return;
  }
  if (members_.size() > 1) look_at_neighbour();
}

void Pulse::look_at_neighbour() {
  const std::string now = store_->has(beat_key(before_)) ? store_->get(beat_key(before_)) : "";
  if (now != seen_) {
    seen_ = now, silence_ = 0;
    return;
  }
  if (++silence_ < (suspected_ ? kSilentIfSuspected : kSilent) || ending_) return;
  if (store_->has(done_key(before_))) return;
  // Ranks of one machine are lost together.
  std::vector<int> ranks = {before_};
  for (int r = before(before_); r != rank_; r = before(r)) {
    const std::string first = store_->get(beat_key(r));
    wait_(3 * kBeat, {});
    if (store_->get(beat_key(r)) != first) break;
    ranks.push_back(r);
  }
  std::string what;
  for (const int r : ranks) what += (what.empty() ? "" : ", ") + name(r);
  store_->set_first("lost", lost_text(ranks, fmt::format("{} was lost: no sign of life", what)));
}

void Pulse::set_lost(const std::string& what, const std::vector<int>& ranks) {
  const std::scoped_lock lock(mutex_);
  if (!lost_) lost_ = what, gone_ = ranks;
}

PulseThread::PulseThread(Pulse& pulse, PulseWait wait)
    : thread_([&pulse, wait = std::move(wait)](const std::stop_token& over) {
        while (!over.stop_requested() && pulse.look(over)) wait(kBeat, over);
      }) {}

}  // namespace lgode::train
