// How ranks join: each writes its place, rank 0 collects and answers.
#include "rank_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace lgode::train {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kAnswer = 30s;  // longer than rank 0 waits for the others

// "rank 1", "ranks 1 and 3", "ranks 1, 3 and 5".
std::string rank_list(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  return fmt::format("ranks {} and {}", fmt::join(ranks.begin(), ranks.end() - 1, ", "), ranks.back());
}

bool arrives(RankStore& store, const std::string& key, Clock::time_point deadline) {
  while (!store.has(key)) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown host";
}

std::vector<Member> gather(RankStore& store, const RankPlace& place, const Member& self,
                           std::chrono::duration<double> patience) {
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
  store.set(fmt::format("here/{}", place.rank), json{{"host", self.host}, {"process", self.process}}.dump());
  if (place.rank == 0) {
    json all = json::array();
    std::vector<int> missing;
    for (int r = 0; r < place.size; ++r) {
      const std::string key = fmt::format("here/{}", r);
      if (arrives(store, key, deadline))
        all.push_back(json::parse(store.get(key)));
      else
        missing.push_back(r);
    }
    const std::string fault = missing.empty() ? ""
                                              : fmt::format("{} of {} did not arrive within {:.0f} s",
                                                            rank_list(missing), place.size, patience.count());
    store.set("all", json{{"members", all}, {"fault", fault}}.dump());
  }
  if (!arrives(store, "all", deadline + kAnswer))
    throw RankLostError(fmt::format("rank 0 did not say who is here within {:.0f} s", patience.count()));
  const json all = json::parse(store.get("all"));
  if (all.at("fault") != "")
    throw RankLostError(fmt::format("{}; check that every process is started and reaches {}",
                                    all.at("fault").get<std::string>(), place.address));
  std::vector<Member> members;
  for (const json& member : all.at("members"))
    members.push_back({member.at("host").get<std::string>(), member.at("process").get<std::int64_t>()});
  return members;
}

}  // namespace lgode::train
