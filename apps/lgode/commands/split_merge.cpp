// lgode split and lgode merge: chooses training and test systems again, and joins data sets.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "command.h"
#include "lgode/core/error.h"
#include "lgode/data/combine.h"
#include "lgode/use/format.h"
#include "lgode/use/parse_values.h"
#include "text/flags.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::string data, out, test_systems;
  std::vector<std::string> sets;
  double test = 0.2;
  std::uint64_t seed = 1;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

void print_counts(const std::string& out, const data::Dataset& dataset) {
  const auto train = static_cast<std::int64_t>(dataset.systems_in(data::Part::kTrain).size());
  const std::int64_t test = dataset.systems() - train;
  fmt::print("{}: {} training and {}\n", out, use::format_count(train), use::format_plural(test, "test system"));
}

int split(const Arguments& arguments) {
  check_writable(arguments.out, arguments.overwrite());
  const data::Dataset dataset = data::load_dataset(arguments.data);
  data::SplitOptions options{.test = arguments.test, .seed = arguments.seed};
  if (!arguments.test_systems.empty()) options.test_systems = use::parse_list(arguments.test_systems, "--test-systems");
  std::int64_t left_out = 0;
  const data::Dataset result = data::split(dataset, options, left_out);
  data::save_dataset(result, arguments.out, arguments.overwrite());
  if (left_out > 0)
    fmt::print(stderr, "note: {} skipped: too near to the other part, training or test\n",
               use::format_plural(left_out, "window"));
  print_counts(arguments.out, result);
  return kOk;
}

int merge(const Arguments& arguments) {
  check_writable(arguments.out, arguments.overwrite());
  if (arguments.sets.size() < 2) throw ConfigError("expected two data sets or more to merge");
  std::vector<data::Dataset> sets;
  std::vector<std::string> names;
  std::set<std::string> once;
  for (const std::string& path : arguments.sets) {
    sets.push_back(data::load_dataset(path));
    const std::string stem = std::filesystem::path(path).stem().string();
    names.push_back(once.insert(stem).second ? stem : path);
  }
  const auto clock = [](const data::Dataset& set) {
    return std::pair(set.description().time_scale, set.description().conditioning_length);
  };
  for (const data::Dataset& set : sets)
    if (clock(set) != clock(sets.front()))
      fmt::print(stderr, "note: {} has a first range of {}; the merged set keeps the one of {}, {}\n",
                 set.description().name, use::format_number(set.description().conditioning_length),
                 arguments.sets.front(), use::format_number(sets.front().description().conditioning_length));
  const data::Dataset result = data::merge(sets, names);
  data::save_dataset(result, arguments.out, arguments.overwrite());
  print_counts(arguments.out, result);
  return kOk;
}

}  // namespace

Command add_split(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("split", "choose again which systems of a data set train and which test");
  app.add_value("DATA", arguments->data, "FILE", "data set").required();
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  Flag test = app.add_value("--test", arguments->test, "SHARE",
                            "share of the systems to test on, as whole recordings; of fewer than five that were cut "
                            "into windows, the last windows",
                            "0.2")
                  .between(0.0, 1.0);
  app.add_value("--test-systems", arguments->test_systems, "A,B,...",
                "systems or recordings to test on, * and ? as in run*; the others train")
      .list()
      .excludes(test);
  app.add_value("--seed", arguments->seed, "N", "seed of the draw", "1").seed();
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(examples({"lgode split all.safetensors --test 0.2 --out parted.safetensors",
                       "lgode split all.safetensors --test-systems run7,run8 --out parted.safetensors"}));
  return {app, [arguments] { return split(*arguments); }};
}

Command add_merge(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("merge", "join data sets of the same features");
  app.add_value("DATA", arguments->sets, "FILE...", "data sets, two or more").required().many();
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(examples({"lgode merge monday.safetensors tuesday.safetensors --out week.safetensors"}) +
             "\n\nParts stay as they are; clock and name are the first set's.");
  return {app, [arguments] { return merge(*arguments); }};
}

}  // namespace lgode::app
