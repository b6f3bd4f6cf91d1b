// Messages between ranks while they join and run: short texts under keys in one store that all of them reach. No
// LibTorch here; tcp_store.h uses LibTorch's stores.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "lgode/train/rank_place.h"

namespace lgode::train {

// A connection to the store. Every call throws if the store does not answer. Two threads need a connection each.
class RankStore {
 public:
  virtual ~RankStore() = default;
  virtual void set(const std::string& key, const std::string& text) = 0;
  // Sets a key that nobody has set.
  virtual void set_first(const std::string& key, const std::string& text) = 0;
  // Waits until the key is set.
  virtual std::string get(const std::string& key) = 0;
  virtual bool has(const std::string& key) = 0;
  // Adds to a number that starts at zero, and returns the sum. Such keys are not read in other ways.
  virtual std::int64_t add(const std::string& key, std::int64_t number) = 0;
};

// The description of itself that a rank sends on joining.
struct Member {
  std::string host;
  std::int64_t process = 0;
};

std::string host_name();

// Every rank sends rank 0 its place (`self`), and rank 0 sends everyone the members by rank. RankLostError names the
// ranks that do not arrive within `patience`.
std::vector<Member> gather(RankStore& store, const RankPlace& place, const Member& self,
                           std::chrono::duration<double> patience);

}  // namespace lgode::train
