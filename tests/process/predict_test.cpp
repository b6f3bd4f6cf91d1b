// lgode predict: both file formats, any times, any number of objects.
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

struct Row {
  std::string system, object, feature;
  double time, mean, deviation, low, high;
};

// Reads the output of lgode predict if no field is quoted.
std::vector<Row> read_rows(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "system,object,time,feature,mean,std,q05,q95");
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    Words words;
    for (std::string field; std::getline(fields, field, ',');) words.push_back(field);
    EXPECT_EQ(words.size(), 8U) << line;
    if (words.size() != 8) break;
    rows.push_back({words[0], words[1], words[3], std::atof(words[2].c_str()), std::atof(words[4].c_str()),
                    std::atof(words[5].c_str()), std::atof(words[6].c_str()), std::atof(words[7].c_str())});
  }
  return rows;
}

class Predict : public CommandTest {
 protected:
  Words call(const std::string& out, const Words& more) const {
    return Words{"predict", "run", "--data", "springs.safetensors", "--samples", "20", "--out", out} + more;
  }
};

TEST_F(Predict, WritesARowForEverything) {
  simulate();
  train("run", {"--task", "extrapolate"});
  lgode_ok(call("p.csv", {"--part", "test"}));
  const std::vector<Row> rows = read_rows(bytes("p.csv"));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.size() % (6 * 5 * 4), 0U);
  for (const Row& row : rows) {
    ASSERT_TRUE(std::isfinite(row.mean) && row.deviation > 0) << row.mean << " " << row.deviation;
    ASSERT_LE(row.low, row.high);
  }
}

TEST_F(Predict, CsvAndSafetensorsAgree) {
  simulate();
  train("run");
  const Words times = {"--times", "0.013:0.37:5.9", "--systems", "0,3,25-26"};
  lgode_ok(call("p.csv", times));
  lgode_ok(call("p.safetensors", times));
  const std::vector<Row> rows = read_rows(bytes("p.csv"));
  const SafetensorsFile file(path("p.safetensors"));
  EXPECT_EQ(file.meta("lgode.kind"), "prediction");
  const auto systems = file.values<std::int64_t>("systems");
  EXPECT_EQ(std::vector<std::int64_t>(systems.begin(), systems.end()), (std::vector<std::int64_t>{0, 3, 25, 26}));
  const auto mean = file.values<double>("mean"), deviation = file.values<double>("std"),
             low = file.values<double>("q05"), high = file.values<double>("q95");
  const auto time = file.values<double>("times");
  ASSERT_EQ(rows.size(), mean.size());
  const std::size_t count = time.size() / systems.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].mean, mean[i]);
    EXPECT_EQ(rows[i].deviation, deviation[i]);
    EXPECT_EQ(rows[i].low, low[i]);
    EXPECT_EQ(rows[i].high, high[i]);
    EXPECT_EQ(rows[i].time, time[i / 4 % count]);
  }
  const nlohmann::json info = lgode_json({"info", "--json", "p.safetensors"});
  EXPECT_EQ(info["kind"], "prediction");
  EXPECT_EQ(info["systems"], 4);
  EXPECT_EQ(info["times_per_system"]["max"], count);
}

TEST_F(Predict, InfoTellsWhatAFileHolds) {
  simulate();
  train("run");
  lgode_ok(call("p.safetensors", {"--times", "1:0.5:3", "--systems", "0,3"}));
  EXPECT_EQ(lgode_ok({"info", "p.safetensors"}).out,
            "prediction       200 values\n"
            "systems          2\n"
            "objects          10 in total\n"
            "times            5 per system\n"
            "range            1 to 3\n"
            "features         x, y, vx, vy\n"
            "samples          20, seed 1\n"
            "run              run\n"
            "data             springs.safetensors\n");
  lgode_ok(call("p.csv", {"--times", "1:0.5:3", "--systems", "0"}));
  expect_error(lgode({"info", "p.csv"}), 1, {"p.csv", ".safetensors", "not CSV"});
}

TEST_F(Predict, TimesAreThoseAskedFor) {
  simulate();
  train("run");
  lgode_ok(call("range.csv", {"--times", "0:0.1:0.3", "--systems", "0", "--relative"}));
  const std::vector<Row> rows = read_rows(bytes("range.csv"));
  ASSERT_EQ(rows.size(), 5U * 4U * 4U);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(rows[4 * k].time, 0.1 * k, 1e-12);
  write("times.txt", "# odd times\n3.14159, 0.001\n2.71828\n");
  lgode_ok(call("list.csv", {"--times-file", "times.txt", "--systems", "0"}));
  const std::vector<Row> list = read_rows(bytes("list.csv"));
  ASSERT_EQ(list.size(), 5U * 3U * 4U);
  EXPECT_EQ(list[0].time, 0.001);
  EXPECT_EQ(list[4].time, 2.71828);
  EXPECT_EQ(list[8].time, 3.14159);
  lgode_ok(call("short.csv", {"--times", "3.14159,0.001,2.71828,0.001", "--systems", "0"}));
  EXPECT_EQ(bytes("short.csv"), bytes("list.csv"));
}

TEST_F(Predict, SameSeedSameBytesWhateverElseIsPredicted) {
  simulate();
  train("run");
  std::filesystem::remove(path("run/calibration.json"));  // intervals of samples
  const Words times = {"--times", "0:0.5:5"};
  lgode_ok(call("a.csv", times + Words{"--systems", "3"}));
  lgode_ok(call("b.csv", times + Words{"--systems", "3"}));
  EXPECT_EQ(bytes("a.csv"), bytes("b.csv"));
  lgode_ok(call("c.csv", times + Words{"--systems", "3", "--seed", "2"}));
  EXPECT_NE(bytes("a.csv"), bytes("c.csv"));
  lgode_ok(call("d.csv", times + Words{"--systems", "0-5"}));
  const std::vector<Row> alone = read_rows(bytes("a.csv")), among = read_rows(bytes("d.csv"));
  std::size_t i = 0;
  for (const Row& row : among) {
    if (row.system != "3") continue;
    ASSERT_LT(i, alone.size());
    EXPECT_NEAR(row.mean, alone[i].mean, 1e-4 * (1 + std::abs(row.mean)));
    ++i;
  }
  EXPECT_EQ(i, alone.size());
}

TEST_F(Predict, AnotherNumberOfObjects) {
  simulate();
  train("run", {"--task", "extrapolate"});
  lgode_ok({"simulate", "springs", "--objects", "8", "--train", "1", "--test", "2", "--out", "eight.safetensors"});
  lgode_ok({"predict", "run", "--data", "eight.safetensors", "--times", "12.05:0.71:18", "--part", "test", "--samples",
            "0", "--out", "p.csv"});
  EXPECT_EQ(read_rows(bytes("p.csv")).size(), 2U * 8U * 9U * 4U);
}

TEST_F(Predict, StartsWhereAsked) {
  simulate();
  train("run", {"--task", "extrapolate"});
  lgode_ok(call("p.csv", {"--start", "3", "--times", "3:0.25:6", "--systems", "0"}));
  EXPECT_EQ(read_rows(bytes("p.csv")).size(), 13U * 5U * 4U);
  expect_error(lgode(call("q.csv", {"--start", "3", "--times", "1:0.25:6", "--systems", "0"})), 2, {"start"});
  EXPECT_FALSE(exists("q.csv"));
}

TEST_F(Predict, StartCountsFromTheOriginWhereTimesDo) {
  EXPECT_NE(lgode_ok({"predict", "--help"}).out.find("times and --start count from each system's origin"),
            std::string::npos);
  Swings swings;
  swings.origin = 1000.0;
  save(swings, path("springs.safetensors"));
  train("run", {"--task", "extrapolate"});
  lgode_ok(call("p.csv", {"--start", "6", "--times", "6:0.5:9", "--relative", "--part", "test"}));
  EXPECT_EQ(read_rows(bytes("p.csv")).front().time, 6.0);  // in the result, too
  lgode_ok(call("q.csv", {"--start", "1006", "--times", "1006:0.5:1009", "--part", "test"}));
  const std::vector<Row> relative = read_rows(bytes("p.csv")), absolute = read_rows(bytes("q.csv"));
  ASSERT_EQ(relative.size(), absolute.size());
  for (std::size_t i = 0; i < relative.size(); ++i) {
    EXPECT_EQ(relative[i].time + 1000, absolute[i].time);
    EXPECT_EQ(relative[i].mean, absolute[i].mean);
  }
}

TEST_F(Predict, SystemsThatSeeNothingBeforeTheStartAreSkipped) {
  Swings swings;
  swings.time = [](int system, int object, int k) { return 0.3 * k + 0.01 * (object + 1) + (system == 13 ? 5 : 0); };
  save(swings, path("springs.safetensors"));
  train("run", {"--task", "extrapolate"});
  const Words when = {"--start", "4", "--times", "4:0.5:6", "--relative", "--part", "test"};
  const Outcome outcome = lgode_ok(call("p.csv", when));
  EXPECT_NE(outcome.err.find("note: 1 system was skipped"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("p.csv: 3 systems"), std::string::npos) << outcome.out;
  const Outcome refused = lgode(call("q.csv", when + Words{"--systems", "13"}));
  expect_error(refused, 2, {"sees none of its observations", "--start"});
  EXPECT_EQ(refused.err.find("--relative"), std::string::npos) << refused.err;
}

TEST_F(Predict, ChecksFirst) {
  simulate();
  train("run");
  expect_error(lgode(call("p.txt", {})), 2, {"p.txt", ".csv", ".safetensors"});
  expect_error(lgode(call("p.csv", {"--times", "0:0:5"})), 2, {"--times", "STEP"});
  expect_error(lgode(call("p.csv", {"--times", "5:1:0"})), 2, {"--times"});
  for (const char* times : {"0:1", "1,,2", "1,2:3", "soon"})
    expect_error(lgode(call("p.csv", {"--times", times})), 2, {"--times", times, "START:STEP:STOP", "1,2.5,7"});
  expect_error(lgode(call("p.csv", {"--systems", "0,99"})), 2, {"--systems", "30 systems"});
  expect_error(lgode(call("p.csv", {"--systems", "3-1"})), 2, {"--systems"});
  expect_error(lgode(call("p.csv", {"--samples", "-1"})), 2, {"--samples"});
  write("times.txt", "1\ntwo\n");
  expect_error(lgode(call("p.csv", {"--times-file", "times.txt"})), 1, {"times.txt", "line 2", "two"});
  EXPECT_FALSE(exists("p.csv"));
  write("p.csv", "mine");
  expect_error(lgode(call("p.csv", {})), 1, {"p.csv", "--force"});
  EXPECT_EQ(bytes("p.csv"), "mine");
  lgode_ok(call("p.csv", {"--force", "--systems", "0"}));
  EXPECT_NE(bytes("p.csv"), "mine");
}

TEST_F(Predict, SystemsOfOnePart) {
  simulate();
  train("run");
  lgode_ok(call("p.csv", {"--systems", "3,22-27", "--part", "test", "--times", "1"}));
  std::set<std::string> systems;
  for (const Row& row : read_rows(bytes("p.csv"))) systems.insert(row.system);
  EXPECT_EQ(systems, (std::set<std::string>{"24", "25", "26", "27"}));
  expect_error(lgode(call("q.csv", {"--systems", "3", "--part", "test"})), 1, {"no test systems among --systems"});
}

TEST_F(Predict, TimesTooFarAreTold) {
  simulate();
  train("run");
  lgode_ok(call("p.csv", {"--systems", "0", "--times", "599"}));
  for (const char* time : {"1e9", "601", "1e300"})
    expect_error(lgode(call("q.csv", {"--systems", "0", "--times", time})), 2,
                 {"too far", "ranges of 6", "ask for times up to 600"});
  EXPECT_FALSE(exists("q.csv"));
}

TEST_F(Predict, QuotesNamesInCsv) {
  data::Description description;
  description.features = {{"x, along", "m", 0, -1}};
  description.relation_types = {"related"};
  description.time_scale = description.conditioning_length = 6.0;
  data::DatasetBuilder builder(description);
  for (int s = 0; s < 12; ++s) {
    builder.begin_system(data::Part::kTrain, 0.0, "system \"" + std::to_string(s) + "\"");
    builder.add_object("a");
    for (int k = 0; k < 10; ++k) builder.add_observation(0.5 * k, std::vector<double>{std::sin(0.5 * k + s)});
  }
  data::save_dataset(builder.finish("quoted"), path("springs.safetensors"), Overwrite::kRefuse);
  train("run");
  lgode_ok(call("p.csv", {"--times", "1:1:1", "--systems", "0"}));
  EXPECT_NE(bytes("p.csv").find("\n\"system \"\"0\"\"\",a,1,\"x, along\","), std::string::npos) << bytes("p.csv");
}

// Object 2 of each test system enters after the start.
TEST_F(Predict, ObjectsThatWereNotSeenAreLeftOut) {
  Swings swings;
  swings.time = [](int system, int object, int k) { return system >= 12 && object == 2 ? 6.5 + 0.1 * k : 0.3 * k; };
  save(swings, path("swings.safetensors"));
  const auto fit = [&](const std::string& run, const Words& more) {
    lgode_ok(Words{"train", "swings.safetensors", "--task", "extrapolate", "--out", run} + more + tiny());
  };
  fit("run", {});
  fit("all", {"--unseen", "predict"});
  const auto call = [&](const std::string& run, const std::string& out) {
    return lgode_ok({"predict", run, "--data", "swings.safetensors", "--part", "test", "--start", "6", "--times",
                     "6.5,7", "--samples", "3", "--out", out});
  };
  const Outcome outcome = call("run", "p.csv");
  EXPECT_NE(outcome.err.find("note: 4 objects were not seen before the start and have no prediction"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("4 systems, 32 predicted values"), std::string::npos) << outcome.out;
  const std::vector<Row> rows = read_rows(bytes("p.csv"));
  EXPECT_EQ(rows.size(), 4U * 2 * 2 * 2);
  for (const Row& row : rows) {
    EXPECT_NE(row.object, "2");
    EXPECT_TRUE(std::isfinite(row.mean));
  }
  call("run", "p.safetensors");
  const SafetensorsFile file(path("p.safetensors"));
  const auto mean = file.values<double>("mean");
  ASSERT_EQ(mean.size(), 4U * 3 * 2 * 2);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_EQ(std::isnan(mean[i]), i / 4 % 3 == 2) << i;

  EXPECT_EQ(call("all", "all.csv").err.find("not seen"), std::string::npos);
  EXPECT_EQ(read_rows(bytes("all.csv")).size(), 4U * 3 * 2 * 2);
}

}  // namespace
}  // namespace lgode::process
