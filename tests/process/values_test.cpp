// The values that commands write: at large coordinates, at times a rounding error away from seen ones, and the same in
// predictions and evaluations.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

using nlohmann::json;

Words split(const std::string& line) {
  Words fields;
  std::istringstream in(line + ",");
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

// A table: names of columns, and rows by name.
using Rows = std::vector<std::map<std::string, std::string>>;
Rows rows_of(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const Words names = split(line);
  Rows rows;
  while (std::getline(lines, line)) {
    const Words fields = split(line);
    EXPECT_EQ(fields.size(), names.size()) << line;
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < std::min(names.size(), fields.size()); ++c) row[names[c]] = fields[c];
  }
  return rows;
}
double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// k / 10 as Python prints 0.1 * k, or as people write it.
std::string time_text(int k, bool product) {
  return product ? fmt::format("{}", 0.1 * k) : fmt::format("{}", k / 10.0);
}

class Values : public CommandTest {
 protected:
  static constexpr double kEast = 500000, kNorth = 5400000, kTolerance = 1e-5;

  // Walkers on circles, in whole millimetres, moved by (east, north). `gaps`: every fifth x is missing. `product`:
  // which walkers have times as products of 0.1.
  void write_walk(const std::string& name, double east, double north, bool gaps,
                  const std::function<bool(int walker)>& product = {}) const {
    std::string text = "scene,time,who,x,y\n";
    int row = 0;
    for (int s = 0; s < 8; ++s)
      for (int k = 0; k < 40; ++k)
        for (int i = 0; i < 3; ++i) {
          const double angle = 0.7 * i + s + 0.12 * k;
          const double x = std::round(1000 * (10 + 3 * std::cos(angle))) / 1000;
          const double y = std::round(3000 * std::sin(angle)) / 1000;
          text += fmt::format("s{},{},w{},{},{:.3f}\n", s, time_text(k, product && product(i)), i,
                              gaps && ++row % 5 == 0 ? "" : fmt::format("{:.3f}", x + east), y + north);
        }
    write(name + ".csv", text);
    lgode_ok({"import", "csv", "--observations", name + ".csv", "--system", "scene", "--object", "who", "--velocities",
              "difference", "--out", name + ".safetensors"});
  }
  void train_on(const std::string& data, const std::string& task) const {
    lgode_ok(
        Words{"train", data + ".safetensors", "--task", task, "--centre", "system", "--state", "4", "--out", "run"} +
        tiny());
  }

  static double offset(const std::string& feature) { return feature == "x" ? kEast : feature == "y" ? kNorth : 0.0; }
  // Rows of predictions or of filled values, in `value`, with quantiles; the second ones are of the moved table.
  static void expect_moved(const Rows& near, const Rows& far, const std::string& value) {
    ASSERT_EQ(near.size(), far.size());
    ASSERT_FALSE(near.empty());
    for (std::size_t i = 0; i < near.size(); ++i) {
      const double by = offset(near[i].at("feature"));
      for (const std::string& column : {value, std::string("q05"), std::string("q95")}) {
        const std::string &a = near[i].at(column), &b = far[i].at(column);
        EXPECT_NEAR(number(b) - by, number(a), kTolerance) << column << " of row " << i;
        EXPECT_LE(b.size(), 18U) << b;  // no digits of noise
      }
      if (near[i].contains("std")) EXPECT_NEAR(number(far[i].at("std")), number(near[i].at("std")), kTolerance);
    }
  }
};

TEST_F(Values, ForecastsOfAMovedTableAreMoved) {
  write_walk("near", 0, 0, false);
  write_walk("far", kEast, kNorth, false);
  train_on("near", "extrapolate");
  std::map<std::string, Rows> forecast, followed;
  for (const std::string name : {"near", "far"}) {
    for (const std::string end : {".csv", ".safetensors"})
      lgode_ok({"predict", "run", "--data", name + ".safetensors", "--part", "test", "--start", "2", "--times",
                "2:0.1:3.5", "--out", name + "_p" + end});
    forecast[name] = rows_of(bytes(name + "_p.csv"));
    followed[name] = rows_of(
        lgode_ok({"follow", "run", "--input", name + ".csv", "--every", "1.5", "--times", "4", "--late", "9"}).out);
  }
  expect_moved(forecast["near"], forecast["far"], "mean");
  expect_moved(followed["near"], followed["far"], "mean");
  const SafetensorsFile file(path("far_p.safetensors"));
  const auto mean = file.values<double>("mean"), high = file.values<double>("q95");
  ASSERT_EQ(mean.size(), forecast["far"].size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    EXPECT_EQ(mean[i], number(forecast["far"][i].at("mean")));
    EXPECT_EQ(high[i], number(forecast["far"][i].at("q95")));
  }
  json errors[2];
  for (const bool moved : {false, true})
    errors[moved ? 1 : 0] = lgode_json(
        {"evaluate", "run", "--json", "--data", moved ? "far.safetensors" : "near.safetensors"})["evaluation"];
  for (const auto& [name, scores] : errors[0]["classical"].items())
    EXPECT_NEAR(errors[1]["classical"][name]["mse"].get<double>(), scores["mse"].get<double>(), 1e-6) << name;
  EXPECT_NEAR(errors[1]["model"]["mse"].get<double>(), errors[0]["model"]["mse"].get<double>(), 1e-6);
}

TEST_F(Values, FillsOfAMovedTableAreMoved) {
  write_walk("near", 0, 0, true);
  write_walk("far", kEast, kNorth, true);
  train_on("near", "interpolate");
  for (const std::string with : {"model", "linear", "hermite"}) {
    std::map<std::string, Rows> filled, intervals;
    for (const std::string name : {"near", "far"}) {
      lgode_ok({"predict", "run", "--data", name + ".safetensors", "--fill", "--fill-with", with, "--table",
                name + ".csv", "--force", "--out", name + "_f.csv"});
      filled[name] = rows_of(bytes(name + "_f.csv"));
      intervals[name] = rows_of(bytes(name + "_f.intervals.csv"));
    }
    ASSERT_EQ(filled["near"].size(), filled["far"].size());
    int compared = 0;
    for (std::size_t i = 0; i < filled["far"].size(); ++i) {
      if (filled["far"][i].at("imputed") != "x") continue;
      ++compared;
      EXPECT_NEAR(number(filled["far"][i].at("x")) - kEast, number(filled["near"][i].at("x")), kTolerance) << with;
      EXPECT_LE(filled["far"][i].at("x").size(), 18U) << filled["far"][i].at("x");
    }
    EXPECT_GT(compared, 100);
    expect_moved(intervals["near"], intervals["far"], "value");
    // What stands in the table is what stands in the table of intervals.
    std::set<std::string> values;
    for (const auto& row : intervals["far"]) values.insert(row.at("value"));
    for (const auto& row : filled["far"])
      if (row.at("imputed") == "x") EXPECT_TRUE(values.contains(row.at("x"))) << row.at("x");
  }
}

// The errors of the written values are those that an evaluation reports, whatever is sampled.
TEST_F(Values, PredictWritesWhatEvaluateMeasures) {
  const Swings swings;
  save(swings, path("swings.safetensors"));
  const data::Dataset set = make(swings);
  std::set<double> asked;
  for (const std::int64_t s : set.systems_in(data::Part::kTest))
    for (std::int64_t o = 0; o < set.objects_of(s); ++o)
      for (const double t : set.times_of(set.first_object(s) + o))
        if (t >= 6) asked.insert(t);
  std::string times;
  for (const double t : asked) times += fmt::format("{}{}", times.empty() ? "" : ",", t);
  for (const std::string model : {"assimilate", "lg-ode"})
    for (const bool calibrated : {true, false}) {
      lgode_ok(Words{"train", "swings.safetensors", "--task", "extrapolate", "--observed", "1", "--model", model,
                     "--force", "--out", "run"} +
               tiny());
      if (!calibrated) std::filesystem::remove(path("run/calibration.json"));
      lgode_ok({"predict", "run", "--data", "swings.safetensors", "--part", "test", "--start", "6", "--times", times,
                "--samples", "7", "--force", "--out", "p.csv"});
      std::map<std::string, double> written;
      for (const auto& row : rows_of(bytes("p.csv")))
        written[row.at("system") + " " + row.at("object") + " " + row.at("feature") + " " +
                fmt::format("{}", number(row.at("time")))] = number(row.at("mean"));
      double squares[2] = {0, 0};
      std::int64_t count = 0;
      for (const std::int64_t s : set.systems_in(data::Part::kTest))
        for (std::int64_t o = 0; o < set.objects_of(s); ++o)
          for (std::int64_t k = 0; k < 40; ++k) {
            const std::int64_t object = set.first_object(s) + o;
            const double t = set.times_of(object)[static_cast<std::size_t>(k)];
            if (t < 6) continue;
            count += 2;
            for (std::size_t f = 0; f < 2; ++f) {
              const std::string key = fmt::format("{} {} {} {}", set.system_id(s), set.object_id(s, o),
                                                  set.description().features[f].name, t);
              ASSERT_TRUE(written.contains(key)) << key;
              const double error = written[key] - set.values_of(object)[static_cast<std::size_t>(2 * k) + f];
              squares[f] += error * error;
            }
          }
      const json scores = lgode_json({"evaluate", "run", "--json"})["evaluation"]["model"];
      ASSERT_EQ(scores["values"], count);
      for (std::size_t f = 0; f < 2; ++f) {
        const double rmse = std::sqrt(squares[f] / static_cast<double>(count / 2));
        EXPECT_NEAR(scores["features"][f]["rmse"].get<double>(), rmse, 1e-5 * rmse) << model << calibrated;
      }
    }
}

// Times of a range have rounding errors. At a seen time an interpolation is what was seen, also an ulp before it.
TEST_F(Values, ARangeOfTimesMeetsTheSeenOnes) {
  Swings swings;
  swings.time = [](int, int, int k) { return 0.1 * (3 * k); };
  save(swings, path("swings.safetensors"));
  const data::Dataset set = make(swings);
  lgode_ok(Words{"train", "swings.safetensors", "--observed", "1", "--out", "run"} + tiny());
  lgode_ok(
      {"predict", "run", "--data", "swings.safetensors", "--part", "test", "--times", "0:0.3:5.9", "--out", "p.csv"});
  int compared = 0, apart = 0;
  for (const auto& row : rows_of(bytes("p.csv"))) {
    const double time = number(row.at("time"));
    const auto k = static_cast<std::size_t>(std::llround(time / 0.3));
    const std::int64_t s = std::stoll(row.at("system")), o = std::stoll(row.at("object"));
    const auto object = static_cast<std::size_t>(set.first_object(s) + o);
    const double seen = set.times_of(static_cast<std::int64_t>(object))[k];
    apart += time < seen ? 1 : 0;
    EXPECT_NEAR(number(row.at("mean")),
                set.values_of(static_cast<std::int64_t>(object))[2 * k + (row.at("feature") == "v" ? 1 : 0)], 1e-6)
        << time;
    ++compared;
  }
  EXPECT_EQ(compared, 4 * 3 * 20 * 2);
  EXPECT_GT(apart, 0);
}

// Times as Python prints 0.1 * k, in the table or asked for.
TEST_F(Values, TimesOfPythonAreSeenOnes) {
  std::string products, decimals;
  for (int k = 0; k < 38; ++k) {
    products += (k > 0 ? "," : "") + time_text(k, true);
    decimals += (k > 0 ? "," : "") + time_text(k, false);
  }
  for (const std::string table : {"all", "one"}) {
    write_walk(table, 0, 0, false, [&](int walker) { return table == "all" || walker == 1; });
    const std::string data = table + ".safetensors";
    lgode_ok(Words{"train", data, "--observed", "1", "--force", "--out", "run"} + tiny());
    std::map<std::string, std::string> seen;
    for (const auto& row : rows_of(bytes(table + ".csv")))
      for (const std::string f : {"x", "y"})
        seen[fmt::format("{} {} {:.1f} {}", row.at("scene"), row.at("who"), number(row.at("time")), f)] = row.at(f);
    for (const std::string& times : {products, decimals}) {
      lgode_ok({"predict", "run", "--data", data, "--part", "test", "--times", times, "--force", "--out", "p.csv"});
      int compared = 0;
      for (const auto& row : rows_of(bytes("p.csv"))) {
        const std::string key = fmt::format("{} {} {:.1f} {}", row.at("system"), row.at("object"),
                                            number(row.at("time")), row.at("feature"));
        ASSERT_TRUE(seen.contains(key)) << key;
        EXPECT_NEAR(number(row.at("mean")), number(seen[key]), 1e-5) << table << " " << key;
        ++compared;
      }
      EXPECT_GE(compared, 38 * 3 * 2);
    }
  }
}

// A stream with such times has the forecasts of the same stream with plain decimals.
TEST_F(Values, AStreamWithTimesOfPythonHasTheSameForecasts) {
  write_walk("plain", 0, 0, false);
  write_walk("mixed", 0, 0, false, [](int walker) { return walker == 1; });
  write_walk("products", 0, 0, false, [](int) { return true; });
  train_on("plain", "extrapolate");
  const auto follow = [&](const std::string& name) {
    return rows_of(
        lgode_ok({"follow", "run", "--input", name + ".csv", "--every", "0.5", "--times", "3", "--horizon", "1.5"})
            .out);
  };
  const Rows plain = follow("plain");
  ASSERT_FALSE(plain.empty());
  std::map<std::string, double> expected;
  const auto key = [](const auto& row) {
    return fmt::format("{:.3f} {} {} {:.3f} {}", number(row.at("made")), row.at("system"), row.at("object"),
                       number(row.at("time")), row.at("feature"));
  };
  for (const auto& row : plain) expected[key(row)] = number(row.at("mean"));
  for (const std::string name : {"products", "mixed"}) {
    int compared = 0;
    for (const auto& row : follow(name)) {
      const auto found = expected.find(key(row));
      if (found == expected.end()) continue;  // forecasts are made at other times where rows of one time come apart
      EXPECT_NEAR(number(row.at("mean")), found->second, 1e-4) << name << " " << key(row);
      ++compared;
    }
    EXPECT_GT(compared, static_cast<int>(plain.size()) / 3) << name;
  }
}

}  // namespace
}  // namespace lgode::process
