// lgode split and lgode merge: chooses training and test systems anew, and joins data sets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "command.h"
#include "flags.h"
#include "format.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/random.h"
#include "lgode/core/wildcard.h"
#include "lgode/data/combine.h"
#include "parse_values.h"

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
  const std::size_t train = dataset.systems_in(data::Part::kTrain).size();
  fmt::print("{}: {} training and {} test systems\n", out, format_count(static_cast<std::int64_t>(train)),
             format_count(dataset.systems() - static_cast<std::int64_t>(train)));
}

// Names and patterns stand for systems and for all windows of a recording.
std::vector<data::Part> named_parts(const data::Dataset& dataset, const std::string& text) {
  std::vector<std::string> ids, names;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) ids.push_back(dataset.system_id(s));
  names = ids;
  const std::vector<std::string>& recordings = dataset.description().recordings;
  for (const std::string& recording : std::set<std::string>(recordings.begin(), recordings.end()))
    names.push_back(recording);
  std::vector<data::Part> parts(ids.size(), data::Part::kTrain);
  for (const std::string& wanted : parse_list(text, "--test-systems")) {
    const auto is = [&](const std::string& name) { return name == wanted || matches(wanted, name); };
    bool found = false;
    for (std::size_t s = 0; s < ids.size(); ++s) {
      if (!is(ids[s]) && (recordings.empty() || !is(recordings[s]))) continue;
      parts[s] = data::Part::kTest;
      found = true;
    }
    if (!found)
      throw ConfigError(
          fmt::format("--test-systems {}: there is no such system{}", wanted, did_you_mean(wanted, names)));
  }
  return parts;
}

// Places where neighbouring windows of a recording share time and are of different parts.
std::int64_t count_overlaps(const data::Dataset& dataset) {
  const data::Description& description = dataset.description();
  if (description.recordings.empty()) return 0;
  std::int64_t count = 0;
  std::map<std::string, std::vector<std::int64_t>> windows;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    windows[description.recordings[static_cast<std::size_t>(s)]].push_back(s);
  for (auto& [recording, systems] : windows) {
    std::sort(systems.begin(), systems.end(),
              [&](std::int64_t a, std::int64_t b) { return dataset.origin(a) < dataset.origin(b); });
    for (std::size_t i = 1; i < systems.size(); ++i)
      count += dataset.part(systems[i]) != dataset.part(systems[i - 1]) &&
                       dataset.origin(systems[i]) - dataset.origin(systems[i - 1]) <
                           description.conditioning_length * (1 - 1e-9)
                   ? 1
                   : 0;
  }
  return count;
}

int split(const Arguments& arguments) {
  check_writable(arguments.out, arguments.overwrite());
  const data::Dataset dataset = data::load_dataset(arguments.data);
  std::vector<data::Part> parts(static_cast<std::size_t>(dataset.systems()), data::Part::kTrain);
  if (!arguments.test_systems.empty()) {
    parts = named_parts(dataset, arguments.test_systems);
  } else {
    const std::int64_t count = dataset.systems();
    std::int64_t test = std::llround(arguments.test * static_cast<double>(count));
    if (arguments.test > 0 && arguments.test < 1 && count > 1) test = std::clamp<std::int64_t>(test, 1, count - 1);
    for (const std::int64_t s : Random(arguments.seed, RandomUse::kSplit, {2}).choose(count, test))
      parts[static_cast<std::size_t>(s)] = data::Part::kTest;
  }
  const data::Dataset result = data::with_parts(dataset, parts);
  data::save_dataset(result, arguments.out, arguments.overwrite());
  print_counts(arguments.out, result);
  if (const std::int64_t overlaps = count_overlaps(result); overlaps > 0)
    fmt::print(
        stderr,
        "warning: training and test windows of one recording overlap in {}, so the test is not independent; choose "
        "whole recordings with --test-systems\n",
        format_plural(overlaps, "place"));
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
      fmt::print(stderr, "note: {} has a first range of {}; the merged set keeps that of {}, {}\n",
                 set.description().name, format_number(set.description().conditioning_length), arguments.sets.front(),
                 format_number(sets.front().description().conditioning_length));
  const data::Dataset result = data::merge(sets, names);
  data::save_dataset(result, arguments.out, arguments.overwrite());
  print_counts(arguments.out, result);
  return kOk;
}

}  // namespace

Command add_split(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("split", "choose anew which systems of a data set train and which test");
  app.add_value("DATA", arguments->data, "FILE", "data set").required();
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  Flag test =
      app.add_value("--test", arguments->test, "SHARE", "share of the systems to test on", "0.2").between(0.0, 1.0);
  app.add_value("--test-systems", arguments->test_systems, "A,B,...",
                "systems or recordings to test on, * and ? as in run*; the others train")
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
