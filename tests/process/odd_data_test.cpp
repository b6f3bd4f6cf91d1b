// Unusual data: used where possible, else rejected with a message that names the problem.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fixture.h"
#include "lgode/core/safetensors.h"
#include "support/temp_folder.h"

namespace lgode::process {
namespace {

class OddData : public CommandTest {
 protected:
  // Trains, evaluates and predicts on a set that must work.
  void expect_usable(const Swings& swings, const std::string& task) const {
    const std::string data = "odd.safetensors", run = "run-" + task;
    if (!exists(data)) save(swings, path(data));
    lgode_ok(Words{"train", data, "--task", task, "--out", run} + tiny());
    EXPECT_TRUE(lgode_json({"evaluate", run, "--json"})["test_mse"].is_number());
    lgode_ok({"evaluate", run});
    lgode_ok({"predict", run, "--data", data, "--samples", "5", "--out", run + ".csv"});
    EXPECT_EQ(bytes(run + ".csv").find("nan"), std::string::npos);
    lgode_ok({"info", data});
  }

  Outcome train_on(const std::string& data, const Words& more = {}) const {
    return lgode(Words{"train", data, "--out", "run"} + tiny() + more);
  }
};

TEST_F(OddData, MissingValues) {
  Swings swings;
  swings.change = [](int system, int object, int k, std::vector<double>& values) {
    if ((system + object + k) % 3 == 0) values[k % 2] = std::nan("");
    if (k == 5) values = {std::nan(""), std::nan("")};
  };
  expect_usable(swings, "interpolate");
  expect_usable(swings, "extrapolate");
}

TEST_F(OddData, OneObject) {
  Swings swings;
  swings.objects = 1;
  expect_usable(swings, "interpolate");
  expect_usable(swings, "extrapolate");
}

TEST_F(OddData, AnObjectWithoutObservations) {
  Swings swings;
  swings.length = [](int system, int object) { return object == 1 ? 0 : (system >= 12 ? 40 : 20); };
  expect_usable(swings, "interpolate");
  expect_usable(swings, "extrapolate");
}

TEST_F(OddData, ASystemWithoutAnyObservation) {
  Swings swings;
  swings.length = [](int system, int) { return system % 4 == 0 ? 0 : (system >= 12 ? 40 : 20); };
  expect_usable(swings, "interpolate");
}

TEST_F(OddData, ASingleTimePoint) {
  Swings swings;
  swings.length = [](int, int) { return 1; };
  swings.time = [](int, int, int) { return 0.0; };
  expect_usable(swings, "interpolate");
  lgode::testing::remove_tree(path("run"));
  expect_error(train_on("odd.safetensors", {"--task", "extrapolate"}), 1, {});
}

TEST_F(OddData, ASingleObservationEach) {
  Swings swings;
  swings.length = [](int, int) { return 1; };
  swings.time = [](int system, int object, int) { return 0.4 * system + object; };
  expect_usable(swings, "interpolate");
}

TEST_F(OddData, NoSystems) {
  Swings swings;
  swings.train = swings.test = 0;
  save(swings, path("odd.safetensors"));
  lgode_ok({"info", "odd.safetensors"});
  expect_error(train_on("odd.safetensors"), 1, {"training"});
}

TEST_F(OddData, NoTrainingSystems) {
  Swings swings;
  swings.train = 0;
  save(swings, path("odd.safetensors"));
  expect_error(train_on("odd.safetensors"), 1, {"training"});
}

TEST_F(OddData, FewTrainingSystems) {
  Swings swings;
  swings.train = 1;
  expect_usable(swings, "interpolate");
}

TEST_F(OddData, NothingToPredict) {
  Swings swings;
  swings.test = 0;
  save(swings, path("odd.safetensors"));
  ASSERT_EQ(train_on("odd.safetensors").code, 0);
  expect_error(lgode({"predict", "run", "--data", "odd.safetensors", "--part", "test", "--out", "p.csv"}), 1, {"test"});
  EXPECT_FALSE(exists("p.csv"));
}

// Scenes of people as tables: columns system, object, time, x and y, one row per 0.5 s.
class OddScene : public OddData {
 protected:
  static std::string header() { return "system,object,time,x,y\n"; }
  static std::string row(const std::string& system, int person, double time) {
    return fmt::format("{},p{},{},{:.4f},{:.4f}\n", system, person, time, 0.7 * time + person,
                       person + std::sin(time + person));
  }
  static std::string empty_row(const std::string& system, int person, double time) {
    return fmt::format("{},p{},{},,\n", system, person, time);
  }

  // Imports a table; returns what the command prints.
  std::string import(const std::string& table, const Words& more = {}) const {
    write("scene.csv", table);
    const Outcome outcome =
        lgode_ok(Words{"import", "csv", "--observations", "scene.csv", "--out", "scene.safetensors"} + more);
    return outcome.out + outcome.err;
  }

  struct Used {
    std::string evaluated, noted, predicted;  // output of evaluate, notes of predict, its table
  };
  Used use(const std::string& task) const {
    const std::string run = "run-" + task, out = run + ".csv";
    lgode_ok({"info", "scene.safetensors"});
    lgode_ok(Words{"train", "scene.safetensors", "--task", task, "--out", run} + tiny());
    EXPECT_TRUE(lgode_json({"evaluate", run, "--json"})["test_mse"].is_number()) << task;
    Used used;
    used.evaluated = lgode_ok({"evaluate", run}).out;
    used.noted = lgode_ok({"predict", run, "--data", "scene.safetensors", "--samples", "3", "--out", out}).err;
    used.predicted = bytes(out);
    EXPECT_EQ(used.predicted.find("nan"), std::string::npos) << used.predicted.substr(0, 400);
    return used;
  }
};

TEST_F(OddScene, OnePersonAlone) {
  std::string table = header();
  for (int s = 0; s < 8; ++s)
    for (int k = 0; k < 16; ++k) table += row(fmt::format("s{}", s), 0, 0.5 * k);
  import(table);
  const nlohmann::json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["presence"]["stay"], 8);
  EXPECT_EQ(info["objects_without_relations"], 0);
  EXPECT_EQ(info["pairs"]["per_system"], 0.0);
  for (const char* task : {"interpolate", "extrapolate"}) {
    const Used used = use(task);
    EXPECT_NE(used.predicted.find("p0"), std::string::npos);
    EXPECT_EQ(used.noted.find("no prediction"), std::string::npos) << used.noted;
  }
}

// Everybody is seen once or twice, over 8 s; who comes at 3.5 s is also seen after the middle.
TEST_F(OddScene, NobodyStays) {
  std::string table = header();
  for (int s = 0; s < 10; ++s)
    for (int k = 0; k < 16; ++k) {
      table += row(fmt::format("s{}", s), k, 0.5 * k);
      if (k % 2 == 1 && k < 15) table += row(fmt::format("s{}", s), k, 0.5 * k + 0.5);
    }
  import(table, {"--edges", "k-nearest=2", "--first-range", "8"});
  const nlohmann::json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["observations_per_object"]["max"], 2);
  EXPECT_EQ(info["presence"]["stay"], 0);
  EXPECT_EQ(info["presence"]["without_forecast"], 80);
  EXPECT_NE(lgode_ok({"info", "scene.safetensors"}).out.find("half of the objects have fewer than"), std::string::npos);
  use("interpolate");
  const Used forecast = use("extrapolate");
  EXPECT_NE(forecast.evaluated.find("never seen"), std::string::npos) << forecast.evaluated;
  EXPECT_NE(forecast.noted.find("no prediction"), std::string::npos) << forecast.noted;
}

// No object is observed both before and after the middle.
TEST_F(OddScene, NobodyToForecast) {
  std::string table = header();
  for (int s = 0; s < 10; ++s)
    for (int k = 0; k < 16; ++k) table += row(fmt::format("s{}", s), k, 0.5 * k);
  import(table, {"--first-range", "8"});
  use("interpolate");
  expect_error(train_on("scene.safetensors", {"--task", "extrapolate"}), 1, {"observed in both halves"});
  EXPECT_FALSE(exists("run"));
}

TEST_F(OddScene, AnEmptyWindowInTheMiddle) {
  std::string table = header();
  for (int k = 0; k < 240; ++k) {
    if (k >= 100 && k < 130) continue;  // 50 to 65 s
    for (int person = 0; person < 3; ++person) table += row("street", person, 0.5 * k);
  }
  const std::string printed = import(table, {"--window", "5"});
  EXPECT_NE(printed.find("windows skipped"), std::string::npos) << printed;
  const nlohmann::json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["windows"]["recordings"], 1);
  EXPECT_EQ(info["windows"]["both"], 1);
  EXPECT_EQ(info["unobserved_objects"], 0);
  EXPECT_LT(info["systems"]["train"].get<int>() + info["systems"]["test"].get<int>(), 22);
  use("interpolate");
  use("extrapolate");
}

TEST_F(OddScene, APersonWithEmptyRowsAlone) {
  std::string table = header();
  for (int s = 0; s < 8; ++s)
    for (int k = 0; k < 16; ++k) {
      for (int person = 0; person < 2; ++person) table += row(fmt::format("s{}", s), person, 0.5 * k);
      if (s == 3) table += empty_row("s3", 2, 0.5 * k);
    }
  import(table, {"--test-systems", "s3,s5"});
  const nlohmann::json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["empty_rows"], 16);
  EXPECT_EQ(info["observations"], 8 * 16 * 2);
  EXPECT_EQ(info["unobserved_objects"], 1);
  EXPECT_EQ(info["missing"], 0.0);
  EXPECT_NE(lgode_ok({"info", "scene.safetensors"}).out.find("1 object is never observed"), std::string::npos);
  for (const char* task : {"interpolate", "extrapolate"}) {
    const Used used = use(task);
    EXPECT_NE(used.predicted.find("s3,p1"), std::string::npos) << task;
    EXPECT_EQ(used.predicted.find("s3,p2"), std::string::npos) << task;
    EXPECT_NE(used.noted.find("no prediction"), std::string::npos) << used.noted;
  }
}

// Writes a file in which the first element of tensor `name` is replaced.
template <class T>
void spoil(const std::filesystem::path& from, const std::filesystem::path& to, const std::string& name, T value) {
  const SafetensorsFile file(from);
  const auto old = file.values<T>(name);
  std::vector<T> values(old.begin(), old.end());
  values[0] = value;
  SafetensorsContent content;
  content.metadata = file.metadata();
  for (const auto& [key, view] : file.tensors())
    content.tensors.emplace_back(key, key == name ? tensor_view(std::span<const T>(values), view.shape) : view);
  write_safetensors(to, Overwrite::kAllow, content);
}

TEST_F(OddData, ValuesThatNoSetMayHold) {
  save({}, path("good.safetensors"));
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  const auto refuse = [&](const std::string& word) {
    expect_error(train_on("bad.safetensors"), 1, {"bad.safetensors", word});
    expect_error(lgode({"info", "bad.safetensors"}), 1, {"bad.safetensors", word});
  };
  spoil<double>(path("good.safetensors"), path("bad.safetensors"), "times", nan);
  refuse("time");
  spoil<double>(path("good.safetensors"), path("bad.safetensors"), "times", 100.0);
  refuse("time");
  spoil<double>(path("good.safetensors"), path("bad.safetensors"), "values", infinite);
  refuse("value");
  spoil<std::int32_t>(path("good.safetensors"), path("bad.safetensors"), "relation_targets", 77);
  refuse("relation");
  EXPECT_FALSE(exists("run"));
}

TEST_F(OddData, ATimeFarAheadIsNamed) {
  Swings swings;
  swings.time = [](int system, int object, int k) {
    return system == 13 && object == 1 && k == 39 ? 1e9 : 0.3 * k + 0.01 * (object + 1);
  };
  save(swings, path("odd.safetensors"));
  lgode_ok(Words{"train", "odd.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  expect_error(lgode({"evaluate", "run"}), 1, {"system 13", "ranges", "time wrong"});
}

TEST_F(OddData, DamagedRuns) {
  save({}, path("odd.safetensors"));
  ASSERT_EQ(train_on("odd.safetensors").code, 0);
  const std::string whole = bytes("run/best.safetensors");
  const auto refuse = [&] {
    expect_error(lgode({"evaluate", "run"}), 1, {"best.safetensors"});
    expect_error(lgode({"predict", "run", "--data", "odd.safetensors", "--out", "p.csv"}), 1, {"best.safetensors"});
    expect_error(lgode({"info", "run"}), 1, {"best.safetensors"});
  };
  write("run/best.safetensors", whole.substr(0, whole.size() - 100));
  refuse();
  write("run/best.safetensors", "nonsense");
  refuse();
  write("run/best.safetensors", bytes("odd.safetensors"));
  refuse();
}

}  // namespace
}  // namespace lgode::process
