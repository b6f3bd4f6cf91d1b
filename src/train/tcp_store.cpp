// Finds the store: by an address and a port, or by a file into which rank 0 writes the port.
#include "tcp_store.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "lgode/core/file.h"

namespace lgode::train {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

class TcpRankStore : public RankStore {
 public:
  explicit TcpRankStore(c10::intrusive_ptr<c10d::Store> store) : store_(std::move(store)) {}

  void set(const std::string& key, const std::string& text) override { store_->set(key, bytes_of(text)); }
  void set_first(const std::string& key, const std::string& text) override {
    store_->compareSet(key, {}, bytes_of(text));
  }
  std::string get(const std::string& key) override {
    const std::vector<std::uint8_t> bytes = store_->get(key);
    return {bytes.begin(), bytes.end()};
  }
  bool has(const std::string& key) override { return store_->check({key}); }
  std::int64_t add(const std::string& key, std::int64_t number) override { return store_->add(key, number); }

 private:
  c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace

std::unique_ptr<RankStore> rank_store(c10::intrusive_ptr<c10d::Store> store) {
  return std::make_unique<TcpRankStore>(std::move(store));
}

TcpStores::TcpStores(const RankPlace& place, std::chrono::duration<double> patience)
    : place_(place), patience_(patience), port_(place.port) {
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

std::unique_ptr<RankStore> TcpStores::connect() const { return rank_store(prefixed(open(false))); }

c10::intrusive_ptr<c10d::TCPStore> TcpStores::open(bool serves) const {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(port_);
  options.isServer = serves;
  options.waitWorkers = false;
  options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(patience_);
  return c10::make_intrusive<c10d::TCPStore>(place_.address, options);
}

c10::intrusive_ptr<c10d::Store> TcpStores::prefixed(const c10::intrusive_ptr<c10d::Store>& store) const {
  return c10::make_intrusive<c10d::PrefixStore>(place_.prefix.empty() ? "lgode" : place_.prefix, store);
}

int TcpStores::read_port() const {
  for (const auto begin = Clock::now(); Clock::now() - begin < patience_; std::this_thread::sleep_for(20ms)) {
    int port = 0;
    if (std::ifstream(place_.port_file) >> port && port > 0) return port;
  }
  throw RankLostError(fmt::format("rank 0 did not arrive within {:.0f} s", patience_.count()));
}

}  // namespace lgode::train
