// The list of benchmarks.
#include "lgode/benchmark/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"

namespace lgode::benchmark {
namespace {

const char* const kPedestrians =
    "the text files of ETH and UCY in metres (frame, person, x, y), as they are in data/eth/test and data/eth/train of "
    "github.com/xupei0610/SocialVAE, side by side: biwi_eth, biwi_hotel, crowds_zara01 to 03, students001, students003 "
    "and uni_examples, each with .txt";

Protocol pedestrians() {
  Protocol p;
  p.unit = "m";
  p.folds = {{"eth", {"biwi_eth"}},
             {"hotel", {"biwi_hotel"}},
             {"univ", {"students001", "students003"}},
             {"zara1", {"crowds_zara01"}},
             {"zara2", {"crowds_zara02"}}};
  p.files = {"biwi_eth",      "biwi_hotel",  "crowds_zara01", "crowds_zara02",
             "crowds_zara03", "students001", "students003",   "uni_examples"};
  p.source = kPedestrians;
  return p;
}

Protocol eth_ucy() {
  Protocol p = pedestrians();
  p.name = "eth-ucy";
  p.title = "Pedestrians: ETH and UCY";
  p.groups = {{.name = "pairs", .title = "windows of at least two people", .least = 2},
              {.name = "everybody", .title = "all people with 20 frames"}};
  return p;
}

Protocol trajimpute() {
  Protocol p = pedestrians();
  p.name = "trajimpute";
  p.title = "Pedestrians with hidden frames: TrajImpute's protocol";
  p.groups = {
      {.name = "easy", .title = "0 to 4 of the 8 frames hidden", .least = 2, .fewest_hidden = 0, .most_hidden = 4},
      {.name = "hard", .title = "4 to 7 of the 8 frames hidden", .least = 2, .fewest_hidden = 4, .most_hidden = 7},
      {"impute-easy", "0 to 4 of the 8 frames hidden", Task::kImpute, 2, 0, 4},
      {"impute-hard", "4 to 7 of the 8 frames hidden", Task::kImpute, 2, 4, 7}};
  return p;
}

Protocol basketball(const std::string& part, const std::string& title) {
  Protocol p;
  p.name = "nba-" + part;
  p.title = title;
  p.unit = "ft";
  p.step = 12;
  p.rate = 100;
  p.folders = true;
  p.kind = "PLAYER";
  p.folds = {{"test", {}}};
  p.groups = {{.name = "players", .title = "players"}};
  p.source = "data/nba/" + part + " of github.com/xupei0610/SocialVAE: folders train/ and test/ of text files";
  return p;
}

Protocol drone() {
  Protocol p;
  p.name = "sdd";
  p.title = "Stanford Drone Dataset, TrajNet's split";
  p.unit = "px";
  p.step = 12;
  p.rate = 30;
  p.folders = true;
  p.scales = "H_SDD.txt";
  p.folds = {{"test", {}}};
  p.groups = {{.name = "everybody", .title = "all people with 20 frames"}};
  p.source =
      "data/sdd of github.com/xupei0610/SocialVAE: folders train/ and test/ of text files in metres, and H_SDD.txt, "
      "which "
      "says how many metres a pixel is; without H_SDD.txt the files must be in pixels";
  return p;
}

}  // namespace

bool Protocol::hides() const {
  return std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.most_hidden > 0; });
}

bool Protocol::has(Task task) const {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& g) { return g.task == task; });
}

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> all = {eth_ucy(), trajimpute(),
                                            basketball("rebound", "Basketball: rebounds (SocialVAE's NBA data)"),
                                            basketball("score", "Basketball: scoring (SocialVAE's NBA data)"), drone()};
  return all;
}

const Protocol& find_protocol(const std::string& name) {
  std::vector<std::string> names;
  for (const Protocol& protocol : protocols()) {
    if (protocol.name == name) return protocol;
    names.push_back(protocol.name);
  }
  throw ConfigError(fmt::format("there is no benchmark '{}'; there are {}{}", name, fmt::join(names, ", "),
                                did_you_mean(name, names)));
}

}  // namespace lgode::benchmark
