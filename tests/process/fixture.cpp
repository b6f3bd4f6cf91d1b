// Calls the command in the folder of a test, and makes small data sets.
#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "command.h"
#include "support/temp_folder.h"

namespace lgode::process {

// A flag of `second` replaces the same one of `first`, which may be given once.
Words operator+(Words first, const Words& second) {
  for (const std::string& word : second) {
    const auto flag = word.starts_with("--") ? std::find(first.begin(), first.end(), word) : first.end();
    if (flag == first.end()) continue;
    first.erase(flag, std::find_if(flag + 1, first.end(), [](const std::string& w) { return w.starts_with("--"); }));
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Words tiny() {
  return {"--epochs",  "1", "--batch",  "8", "--encoder-width", "8",    "--sequence-width", "8", "--latent",   "4",
          "--augment", "4", "--hidden", "8", "--step",          "0.25", "--threads",        "2", "--no-report"};
}

void CommandTest::SetUp() {
  std::string name = (std::filesystem::temp_directory_path() / "lgode-process-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  base_ = name;
  folder_ = base_ / "work";
  std::filesystem::create_directory(folder_);
}

void CommandTest::TearDown() { lgode::testing::remove_tree(base_); }

Child CommandTest::start(const Words& arguments) const { return Child(Words{LGODE_COMMAND} + arguments, {folder_}); }

Outcome CommandTest::lgode(const Words& arguments, bool as_nobody) const {
  const Child::Settings settings{folder_, as_nobody};
  const Words words = Words{LGODE_COMMAND} + arguments;
  // Commands that load LibTorch; the tests Resume, Light, Reproduce and Benchmark run the real programs.
  constexpr const char* kLoading[] = {"train", "evaluate", "calibrate", "predict", "report", "plot", "compare"};
  const bool loads =
      !arguments.empty() && std::find(std::begin(kLoading), std::end(kLoading), arguments[0]) != std::end(kLoading);
  return loads ? Child(app::command_main, words, settings).wait() : Child(words, settings).wait();
}

Outcome CommandTest::run_programs(const Words& arguments) const {
  return Child(Words{LGODE_COMMAND} + arguments, {folder_}).wait();
}

Outcome CommandTest::lgode_ok(const Words& arguments) const {
  Outcome outcome = lgode(arguments);
  EXPECT_EQ(outcome.code, 0) << ::testing::PrintToString(arguments) << "\n" << outcome.out << outcome.err;
  return outcome;
}

nlohmann::json CommandTest::lgode_json(const Words& arguments) const {
  const Outcome outcome = lgode_ok(arguments);
  const nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << outcome.out;
  return json;
}

void CommandTest::simulate(const Words& more) const {
  lgode_ok(Words{"simulate", "springs", "--train", "24", "--test", "6", "--out", "springs.safetensors"} + more);
}

void CommandTest::train(const std::string& out, const Words& more) const {
  lgode_ok(Words{"train", "springs.safetensors", "--out", out} + tiny() + more);
}

std::string CommandTest::bytes(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void CommandTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

void expect_error(const Outcome& outcome, int code, const Words& words) {
  EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("lgode: error: "), std::string::npos) << outcome.err;
  for (const std::string& word : words)
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in:\n" << outcome.err;
  for (const char* trace : {"frame #", ".cpp:", "terminate called", "Exception raised"})
    EXPECT_EQ(outcome.err.find(trace), std::string::npos) << outcome.err;
}

data::Dataset make(const Swings& swings) {
  data::Description description;
  description.name = "swings";
  description.time_unit = "s";
  description.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  description.relation_types = {"pushes"};
  description.time_scale = 6.0;
  description.conditioning_length = 6.0;
  data::DatasetBuilder builder(description);
  for (int s = 0; s < swings.train + swings.test; ++s) {
    const bool test = s >= swings.train;
    builder.begin_system(test ? data::Part::kTest : data::Part::kTrain, swings.set_origins ? swings.origin : 0.0);
    for (int i = 0; i < swings.objects; ++i) {
      builder.add_object();
      const int length = swings.length ? swings.length(s, i) : (test ? 40 : 20);
      for (int k = 0; k < length; ++k) {
        const double t = swings.time ? swings.time(s, i, k) : 0.3 * k + 0.01 * (i + 1);
        std::vector<double> values = {std::sin(t + 0.3 * s + i), std::cos(t + 0.3 * s + i)};
        if (swings.change) swings.change(s, i, k, values);
        builder.add_observation(swings.origin + t, values);
      }
    }
    for (int i = 0; i + 1 < swings.objects; ++i) builder.add_relation({i, i + 1, 0, 1.0F});
  }
  return builder.finish("swings");
}

void save(const Swings& swings, const std::filesystem::path& path) {
  data::save_dataset(make(swings), path, Overwrite::kRefuse);
}

}  // namespace lgode::process
