// lgode calibrate, and the intervals of predictions: quantiles, sampled paths, filled values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "fixture.h"
#include "lgode/core/random.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

using nlohmann::json;

std::vector<Words> rows_of(const std::string& text) {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Words fields;
    std::istringstream in(line + ",");
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    rows.push_back(fields);
  }
  return rows;
}

class Calibrate : public CommandTest {
 protected:
  // Swings seen with noise of this deviation; training without noise.
  void save_noisy(const std::string& name, double noise, std::uint64_t seed, int train, int test) const {
    Random random(seed, RandomUse::kTest);
    Swings swings;
    swings.train = train, swings.test = test;
    swings.change = [&](int, int, int, std::vector<double>& values) {
      for (double& value : values) value += noise * random.normal();
    };
    save(swings, path(name));
  }
  void train_swings(const Words& more = {}, int systems = 40) const {
    save_noisy("swings.safetensors", 0.0, 1, systems, 4);
    lgode_ok(Words{"train", "swings.safetensors", "--task", "extrapolate", "--out", "run"} + tiny() + more);
  }
  json intervals(const std::string& data) const {
    return lgode_json({"evaluate", "run", "--data", data, "--json"})["evaluation"]["intervals"]["model"];
  }
};

// On data with far more noise than the training had the promise breaks, and calibrating on more of it mends it.
TEST_F(Calibrate, NewRecordingsMendTheIntervals) {
  train_swings();
  save_noisy("noisy.safetensors", 0.5, 2, 1, 60);
  save_noisy("other-noisy.safetensors", 0.5, 3, 1, 60);
  const std::string weights = bytes("run/best.safetensors"), before = bytes("run/calibration.json");
  EXPECT_LT(intervals("noisy.safetensors")["coverage"]["90"].get<double>(), 0.8);
  const Outcome page = lgode_ok({"evaluate", "run", "--data", "noisy.safetensors"});
  EXPECT_NE(page.out.find("The promise does not hold"), std::string::npos) << page.out;

  const Outcome fitted = lgode_ok({"calibrate", "run", "--data", "other-noisy.safetensors", "--part", "test"});
  for (const char* word : {"half-width of 90 %", "60 systems", "5.1 s from what was seen", "next: lgode evaluate run"})
    EXPECT_NE(fitted.out.find(word), std::string::npos) << word << " in\n" << fitted.out;
  EXPECT_EQ(bytes("run/best.safetensors"), weights);
  EXPECT_EQ(bytes("run/calibration.json.before"), before);
  const json stored = json::parse(bytes("run/calibration.json"));
  EXPECT_EQ(stored["part"], "test");
  EXPECT_EQ(stored["data"], "swings");
  // 60 systems of three objects calibrate and as many are counted; errors within a system belong together, so that
  // the systems are the independent ones: five deviations of 60 hits of 90 % and 60 more.
  const double bound = 5 * std::sqrt(0.9 * 0.1 * 2 / 60.0);
  const json model = intervals("noisy.safetensors");
  EXPECT_NEAR(model["within_reach"]["coverage"]["90"].get<double>(), 0.9, bound);
  EXPECT_NEAR(model["within_reach"]["coverage"]["50"].get<double>(), 0.5, 5 * std::sqrt(0.25 * 2 / 60.0));
}

TEST_F(Calibrate, ThePartThatWasHeldOutServesWithoutData) {
  train_swings();
  const json trained = json::parse(bytes("run/calibration.json"));
  std::filesystem::remove(path("run/calibration.json"));
  EXPECT_NE(lgode_ok({"evaluate", "run"}).out.find("not calibrated"), std::string::npos);
  lgode_ok({"calibrate", "run"});
  EXPECT_EQ(json::parse(bytes("run/calibration.json")), trained);
  EXPECT_FALSE(exists("run/calibration.json.before"));
  // Other data in its place.
  std::filesystem::rename(path("swings.safetensors"), path("kept.safetensors"));
  save_noisy("swings.safetensors", 0.1, 9, 40, 4);
  expect_error(lgode({"calibrate", "run"}), 1, {"no longer the data", "--data"});
  std::filesystem::remove(path("swings.safetensors"));
  std::filesystem::rename(path("kept.safetensors"), path("swings.safetensors"));
  // The same from another place.
  std::filesystem::rename(path("swings.safetensors"), path("moved.safetensors"));
  expect_error(lgode({"calibrate", "run"}), 1, {"not where it was", "--data"});
  lgode_ok({"calibrate", "run", "--data", "moved.safetensors"});
  EXPECT_EQ(json::parse(bytes("run/calibration.json")), trained);
}

TEST_F(Calibrate, TheTestPartChangesNothing) {
  json found[2];
  for (const int other : {0, 1}) {
    const std::string name = other == 0 ? "a" : "b";
    Swings swings;
    swings.train = 20;
    swings.change = [&](int system, int, int, std::vector<double>& values) {
      if (other == 1 && system >= 20)
        for (double& value : values) value = 3 * value + 1;
    };
    save(swings, path(name + ".safetensors"));
    lgode_ok(Words{"train", name + ".safetensors", "--task", "extrapolate", "--out", name} + tiny());
    found[other] = json::parse(bytes(name + "/calibration.json"));
  }
  EXPECT_EQ(found[0]["model"], found[1]["model"]);
  EXPECT_EQ(found[0]["classical"], found[1]["classical"]);
  EXPECT_NE(found[0]["data_fingerprint"], found[1]["data_fingerprint"]);
}

TEST_F(Calibrate, RefusesWhatWouldPromiseTooMuch) {
  train_swings();
  expect_error(lgode({"calibrate", "run", "--data", "swings.safetensors", "--part", "train"}), 2,
               {"was trained on this data", "--part test"});
  expect_error(lgode({"calibrate", "run", "--part", "test"}), 2, {"--part test", "--data"});
  expect_error(lgode({"calibrate", "nowhere"}), 1, {"nowhere"});
  expect_error(lgode({"calibrate", "run", "--data", "missing.safetensors"}), 1, {"missing.safetensors"});
  // The test part may be chosen, but evaluate says so.
  lgode_ok({"calibrate", "run", "--data", "swings.safetensors", "--part", "test"});
  EXPECT_NE(lgode_ok({"evaluate", "run"}).err.find("calibrated on systems that they are evaluated on"),
            std::string::npos);

  lgode_ok(Words{"train", "swings.safetensors", "--out", "all", "--validation", "0"} + tiny());
  expect_error(lgode({"calibrate", "all"}), 1, {"no validation part", "--data"});
  lgode_ok(Words{"train", "swings.safetensors", "--out", "paper", "--protocol", "paper"} + tiny());
  expect_error(lgode({"calibrate", "paper"}), 2, {"protocol paper", "--data"});
  write("run/calibration.json", "{\"model\": 3}");
  expect_error(lgode({"evaluate", "run"}), 1, {"calibration.json", "not a calibration", "lgode calibrate run"});
  write("run/calibration.json", bytes("run/calibration.json.before").substr(0, 200));
  expect_error(lgode({"evaluate", "run"}), 1,
               {"run/calibration.json: is damaged", "not a JSON object", "lgode calibrate run"});
  lgode_ok({"calibrate", "run"});
  lgode_ok({"evaluate", "run"});
  // A damaged one is replaced.
  lgode_ok({"calibrate", "run"});
  lgode_ok({"evaluate", "run"});
}

TEST_F(Calibrate, OneValidationSystemAndAConstantFeature) {
  Swings swings;
  swings.train = 4;
  swings.change = [](int, int, int, std::vector<double>& values) { values[1] = 0.5; };
  save(swings, path("still.safetensors"));
  const Outcome trained =
      lgode_ok(Words{"train", "still.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  EXPECT_EQ(json::parse(bytes("run/calibration.json"))["model"]["systems"], 1) << trained.out;
  const json model = lgode_json({"evaluate", "run", "--json"})["evaluation"]["intervals"]["model"];
  EXPECT_TRUE(model["coverage"]["90"].is_number()) << model;
  const Outcome again = lgode_ok({"calibrate", "run"});
  EXPECT_NE(again.err.find("fitted to 1 system only"), std::string::npos) << again.err;
}

TEST_F(Calibrate, QuantilesAsAskedFor) {
  train_swings();
  const Words call = {"predict", "run", "--data", "swings.safetensors", "--part", "test", "--samples", "10", "--out"};
  lgode_ok(call + Words{"bands.csv", "--quantiles", "0.05,0.25,0.5,0.75,0.95"});
  const std::vector<Words> rows = rows_of(bytes("bands.csv"));
  ASSERT_GT(rows.size(), 100U);
  EXPECT_EQ(rows[0], (Words{"system", "object", "time", "feature", "mean", "std", "q05", "q25", "q50", "q75", "q95"}));
  lgode_ok(call + Words{"plain.csv"});
  const std::vector<Words> plain = rows_of(bytes("plain.csv"));
  ASSERT_EQ(plain.size(), rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto at = [&](std::size_t k) { return std::atof(rows[i][k].c_str()); };
    for (std::size_t k = 6; k < 10; ++k) ASSERT_LE(at(k), at(k + 1)) << i;
    ASSERT_EQ(rows[i][8], rows[i][4]);  // the median is the mean
    ASSERT_EQ(rows[i][6], plain[i][6]);
    ASSERT_EQ(rows[i][10], plain[i][7]);
    ASSERT_GT(at(10), at(6));
  }
  for (const char* bad : {"0", "1", "1.5", "-0.1", "half", "0.5,0.5", "0.5,,0.9"})
    expect_error(lgode(call + Words{"bad.csv", "--quantiles", bad}), 2, {"--quantiles"});
  expect_error(lgode(call + Words{"bad.csv", "--quantiles", "0.001"}), 2, {"0.001", "0.005"});
  EXPECT_FALSE(exists("bad.csv"));
}

// Of N sampled paths, each value's samples are the quantiles (r + 1/2) / N of its calibrated interval.
TEST_F(Calibrate, SampledPathsHaveTheIntervalsSpread) {
  for (const char* model : {"assimilate", "lg-ode"}) {
    std::filesystem::remove_all(path("run"));
    std::filesystem::remove(path("swings.safetensors"));
    std::filesystem::remove(path("paths.safetensors"));
    train_swings({"--model", model}, 120);
    lgode_ok({"predict", "run", "--data", "swings.safetensors", "--part", "test", "--paths", "40", "--quantiles",
              "0.05,0.5,0.95", "--out", "paths.safetensors"});
    const SafetensorsFile file(path("paths.safetensors"));
    const auto paths = file.values<double>("paths"), low = file.values<double>("q05"),
               middle = file.values<double>("q50"), high = file.values<double>("q95");
    double held = 0;
    ASSERT_EQ(paths.size(), 40 * low.size());
    EXPECT_EQ(file.at("paths").shape.front(), 40);
    for (std::size_t i = 0; i < low.size(); ++i) {
      int inside = 0, below = 0;
      for (std::size_t s = 0; s < 40; ++s) {
        const double value = paths[s * low.size() + i];
        inside += value >= low[i] && value <= high[i] ? 1 : 0, below += value < middle[i] ? 1 : 0;
      }
      // 2.5 / 40 to 37.5 / 40; more where the highest levels are equally wide
      ASSERT_GE(inside, 36) << model << " " << i;
      held += inside;
      ASSERT_EQ(below, 20) << model << " " << i;
    }
    EXPECT_LT(held / static_cast<double>(low.size()), 38) << model;
    // A sample stays where it is among the others from one time to the next far more often than chance.
    const std::size_t width = 2;
    double together = 0, count = 0;
    for (std::size_t i = 0; i + width < low.size(); i += width)
      for (std::size_t s = 0; s < 40; ++s) {
        const bool now = paths[s * low.size() + i] > middle[i],
                   next = paths[s * low.size() + i + width] > middle[i + width];
        together += now == next ? 1 : 0, ++count;
      }
    EXPECT_GT(together / count, 0.9) << model;
  }
  const Words call = {"predict", "run", "--data", "swings.safetensors", "--paths", "5"};
  expect_error(lgode(call + Words{"--out", "p.csv"}), 2, {".safetensors"});
  expect_error(lgode(call + Words{"--samples", "3", "--out", "p.safetensors"}), 2, {"--paths 5", "--samples"});
}

TEST_F(Calibrate, FilledValuesHaveIntervals) {
  std::string text = "object,time,x\n";
  Random random(4, RandomUse::kTest);
  for (int k = 0; k < 160; ++k)
    for (int o = 0; o < 2; ++o)
      text += fmt::format("o{},{},{}\n", o, 0.1 * k,
                          (k + o) % 7 == 3 ? "" : fmt::format("{:.4f}", std::sin(0.1 * k + o) + 0.1 * random.normal()));
  write("obs.csv", text);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--window", "2", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--task", "interpolate", "--out", "run"} + tiny());
  const Words fill = {"predict", "run", "--data", "data.safetensors", "--fill", "--table", "obs.csv", "--out"};
  const Outcome outcome = lgode_ok(fill + Words{"filled.csv", "--quantiles", "0.1,0.9"});
  EXPECT_NE(outcome.out.find("filled.intervals.csv"), std::string::npos) << outcome.out;
  const std::vector<Words> rows = rows_of(bytes("filled.intervals.csv"));
  ASSERT_GT(rows.size(), 30U);
  EXPECT_EQ(rows[0], (Words{"object", "time", "feature", "value", "method", "q10", "q90"}));
  std::size_t missing = 0;
  for (const Words& row : rows_of(text)) missing += row[2].empty() ? 1 : 0;
  EXPECT_EQ(rows.size() - 1, missing);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double value = std::atof(rows[i][3].c_str()), low = std::atof(rows[i][5].c_str()),
                 high = std::atof(rows[i][6].c_str());
    EXPECT_LT(low, value) << i;
    EXPECT_GT(high, value) << i;
  }
  // lgode plot finds the data set by the notes, and draws the intervals.
  const Outcome plotted = lgode_ok({"plot", "filled.csv", "--only", "o1", "--out", "filled.svg"});
  EXPECT_NE(plotted.out.find("filled.svg: filled.csv"), std::string::npos) << plotted.out;
  EXPECT_NE(bytes("filled.svg").find("80 % interval"), std::string::npos);
  // Like the table, they are not replaced without --force.
  std::filesystem::remove(path("filled.csv"));
  std::filesystem::remove(path("filled.json"));
  expect_error(lgode(fill + Words{"filled.csv"}), 1, {"filled.intervals.csv", "--force"});
}

}  // namespace
}  // namespace lgode::process
