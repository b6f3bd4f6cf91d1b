// The store of a group of ranks on LibTorch's TCPStore, in the process of rank 0 or of the launcher.
#pragma once

#include <chrono>
#include <memory>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "lgode/train/rank_place.h"
#include "rank_store.h"

namespace lgode::train {

// Opens connections; all keys have the place's prefix.
class TcpStores {
 public:
  // Rank 0 starts the store unless the launcher has one; the others wait for it up to `patience`. RankLostError.
  TcpStores(const RankPlace& place, std::chrono::duration<double> patience);

  // The connection of this object, for process groups and for this thread.
  c10::intrusive_ptr<c10d::Store> first() const { return prefixed(server_); }
  // A new connection, for another thread.
  std::unique_ptr<RankStore> connect() const;

 private:
  c10::intrusive_ptr<c10d::TCPStore> open(bool serves) const;
  c10::intrusive_ptr<c10d::Store> prefixed(const c10::intrusive_ptr<c10d::Store>& store) const;
  int read_port() const;

  RankPlace place_;
  std::chrono::duration<double> patience_;
  int port_;
  c10::intrusive_ptr<c10d::TCPStore> server_;
};

// LibTorch's store as a RankStore.
std::unique_ptr<RankStore> rank_store(c10::intrusive_ptr<c10d::Store> store);

// The first line of a message of LibTorch, which continues with a stack trace.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace lgode::train
