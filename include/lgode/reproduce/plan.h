// The plan of a reproduction: the requested cells, and how each is trained. A cell is one training run, that is a
// data set, a task, a share of observations, a row of the tables, a protocol and a seed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::reproduce {

struct Cell {
  std::string dataset, task;
  int observed = 60;  // per cent
  std::string row = "lg-ode";
  std::string protocol = "clean";
  std::uint64_t seed = 1;

  // "springs-60-interpolate-lg-ode-clean-1": of its folder and its record.
  std::string name() const;
  bool operator==(const Cell&) const = default;
};

struct Selection {
  std::vector<std::string> tasks, rows, datasets, protocols;
  std::vector<int> observed;
  std::int64_t seeds = 1;  // seeds 1 to `seeds`
};

// "a,b" out of `valid`, in the order of `valid` and each once; "all" stands for all of them. ConfigError names `flag`
// and lists what is valid.
std::vector<std::string> choose(const std::string& flag, const std::string& text,
                                const std::vector<std::string>& valid);

// Every cell of a selection: seed after seed and LG-ODE before the others, so that a first whole table is there early.
std::vector<Cell> plan(const Selection& selection);
// Shard `number` (from 1) of `count`: every count-th cell, so that all kinds of cells are in each.
std::vector<Cell> shard_of(const std::vector<Cell>& cells, std::int64_t number, std::int64_t count);

// Settings per scale, data set, task and row, in the form of experiments/recipes.json.
class Recipes {
 public:
  // experiments/recipes.json as it was when the program was built.
  static Recipes builtin();
  // DataError opening with `where` if the text is not such a file. Names of training options are not checked here.
  static Recipes parse(const std::string& text, const std::string& where);

  struct Size {
    std::int64_t train = 0, test = 0;  // systems; 0 where the data set is recorded, not simulated
  };
  Size size(const std::string& scale, const std::string& dataset) const;
  // The options of `lgode train` that make the cell: task, observed, protocol, seed, recipe options, and model and
  // variant where they are not the defaults.
  nlohmann::json settings(const std::string& scale, const Cell& cell) const;

 private:
  const nlohmann::json& entry(const std::string& scale, const std::string& dataset) const;

  nlohmann::json json_;
  std::string where_;
};

// {"lr": 0.001, "batch": 32} as {"--batch", "32", "--lr", "0.001"}.
std::vector<std::string> setting_flags(const nlohmann::json& settings);

// Options of `lgode train` that name data and machine and do not change what is learned.
bool is_of_machine(const std::string& option);

// How a run's config differs from the requested settings: "epochs is 30, asked for is 5; lr is ..."; empty
// where it does not. Options that the config lacks count as their defaults `lg-ode` and `full`, or as a departure.
std::string departure(const nlohmann::json& settings, const nlohmann::json& config);

}  // namespace lgode::reproduce
