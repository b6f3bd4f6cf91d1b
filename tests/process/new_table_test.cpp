// lgode predict --table and lgode evaluate --table: a run on a table that it has not seen.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

// Fields of every line; none is quoted.
std::vector<Words> read_table(const std::string& text) {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Words fields;
    std::istringstream in(line + ",");
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    rows.push_back(std::move(fields));
  }
  return rows;
}

class NewTable : public CommandTest {
 protected:
  // Fish in tanks, ten frames per second. `first`: frame of the first row, `tanks`: their names.
  static std::string fish(const Words& tanks, int first, int frames) {
    std::string text = "tank,fish,frame,x,y\n";
    for (std::size_t s = 0; s < tanks.size(); ++s)
      for (int i = 0; i < 3; ++i)
        for (int k = i; k < frames; ++k) {
          const double t = 0.1 * k;
          text += fmt::format("{},f{},{},{:.4f},{:.4f}\n", tanks[s], i, first + k,
                              std::sin(t + i + 0.5 * static_cast<double>(s)), 0.2 * t + 0.1 * i);
        }
    return text;
  }
  void train_on_fish(const Words& import = {}, const Words& more = {}) const {
    write("fish.csv", fish({"a", "b", "c", "d", "e", "f", "g", "h"}, 0, 80));
    lgode_ok(Words{"import", "csv",      "--observations", "fish.csv",   "--system",
                   "tank",   "--object", "fish",           "--time",     "frame",
                   "--rate", "10",       "--velocities",   "difference", "--window",
                   "4",      "--units",  "x=cm,y=cm",      "--out",      "fish.safetensors"} +
             import);
    lgode_ok(Words{"train", "fish.safetensors", "--task", "extrapolate", "--out", "run"} + tiny() + more);
  }
  Words call(const std::string& out, const Words& more = {}) const {
    return Words{"predict", "run", "--table", "new.csv", "--samples", "0", "--out", out} + more;
  }
};

TEST_F(NewTable, ForecastsHaveItsNamesAndItsFrames) {
  train_on_fish();
  write("new.csv", fish({"z", "y"}, 1000, 60));
  lgode_ok(call("p.csv", {"--start", "1030", "--horizon", "15"}));
  const std::vector<Words> rows = read_table(bytes("p.csv"));
  EXPECT_EQ(rows[0], (Words{"tank", "fish", "frame", "feature", "mean", "std", "q05", "q95"}));
  ASSERT_EQ(rows.size(), 1U + 2 * 3 * 16 * 2);
  EXPECT_EQ(rows[1][0], "z");
  EXPECT_EQ(rows[1][1], "f0");
  for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(rows[1 + 2 * k][2], std::to_string(1030 + k));
  // As with a data set, whose times are in seconds.
  lgode_ok({"import", "csv", "--observations", "new.csv", "--system", "tank", "--object", "fish", "--time", "frame",
            "--rate", "10", "--velocities", "difference", "--units", "x=cm,y=cm", "--for-prediction", "--out",
            "new.safetensors"});
  lgode_ok({"predict", "run", "--data", "new.safetensors", "--samples", "0", "--start", "103", "--horizon", "1.5s",
            "--out", "q.csv"});
  const std::vector<Words> seconds = read_table(bytes("q.csv"));
  EXPECT_EQ(seconds[0][0], "system");
  EXPECT_EQ(seconds[1][2], "103");
  ASSERT_EQ(rows.size(), seconds.size());
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_EQ(Words(rows[i].begin() + 3, rows[i].end()), Words(seconds[i].begin() + 3, seconds[i].end())) << i;
  EXPECT_EQ(lgode_json({"info", "--json", "new.safetensors"})["systems"]["train"], 0);
}

TEST_F(NewTable, AllRowsAreSeenAndTheHorizonIsTheTrainedOne) {
  train_on_fish();
  write("new.csv", fish({"z"}, 0, 60));
  const Outcome outcome = lgode_ok(call("p.csv"));
  EXPECT_EQ(outcome.err.find("beyond the start"), std::string::npos) << outcome.err;
  const std::vector<Words> rows = read_table(bytes("p.csv"));
  EXPECT_EQ(rows[1][2], "59");      // the last frame
  EXPECT_EQ(rows.back()[2], "91");  // training starts at a fifth of a window of 4 s
  lgode_ok(call("r.csv", {"--relative", "--start", "30", "--times", "30,31"}));
  EXPECT_EQ(read_table(bytes("r.csv"))[1][2], "30");
  lgode_ok(call("p.safetensors", {"--start", "30", "--times", "30,31"}));
  EXPECT_EQ(SafetensorsFile(path("p.safetensors")).values<double>("times")[1], 31);
}

// Of a system that begins later, --relative counts from its origin, in the result, too.
TEST_F(NewTable, RelativeTimesAreRelativeInTheResult) {
  train_on_fish();
  write("new.csv", fish({"z"}, 500, 60));
  lgode_ok(call("r.csv", {"--relative", "--start", "30", "--times", "30,45"}));
  lgode_ok(call("p.csv", {"--start", "530", "--times", "530,545"}));
  std::vector<Words> relative = read_table(bytes("r.csv")), absolute = read_table(bytes("p.csv"));
  ASSERT_EQ(relative.size(), absolute.size());
  for (std::size_t i = 1; i < relative.size(); ++i) {
    EXPECT_EQ(std::stoi(relative[i][2]) + 500, std::stoi(absolute[i][2]));
    EXPECT_EQ(relative[i][4], absolute[i][4]);
  }
}

TEST_F(NewTable, DatesComeBackWithTheirZone) {
  std::string text = "who,when,x\n", more = text;
  for (int k = 0; k < 200; ++k)
    for (int i = 0; i < 2; ++i) {
      const std::string row =
          fmt::format("o{},2024-03-04T{:02}:{:02}:00+02:00,{:.4f}\n", i, 10 + k / 60, k % 60, std::sin(0.1 * k + i));
      text += row;
      if (k < 50) more += row;
    }
  write("old.csv", text);
  write("new.csv", more);
  lgode_ok({"import", "csv", "--observations", "old.csv", "--object", "who", "--time", "when", "--window", "20min",
            "--out", "old.safetensors"});
  lgode_ok(Words{"train", "old.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  lgode_ok(call("p.csv", {"--start", "2024-03-04T10:30:00+02:00", "--horizon", "5min"}));
  const std::vector<Words> rows = read_table(bytes("p.csv"));
  EXPECT_EQ(rows[0], (Words{"who", "when", "feature", "mean", "std", "q05", "q95"}));  // it has no systems
  EXPECT_EQ(rows[1][1], "2024-03-04T10:30:00+02:00");
  EXPECT_EQ(rows[61][1], "2024-03-04T10:35:00+02:00");
}

TEST_F(NewTable, EvaluatesInTheWindowsOfTheTrainingData) {
  train_on_fish();
  write("new.csv", fish({"z", "y"}, 1000, 85));
  lgode_ok({"import",   "csv",   "--observations",   "new.csv", "--system",       "tank",       "--object", "fish",
            "--time",   "frame", "--rate",           "10",      "--velocities",   "difference", "--units",  "x=cm,y=cm",
            "--window", "4",     "--for-prediction", "--out",   "new.safetensors"});
  const nlohmann::json set = lgode_json({"evaluate", "run", "--data", "new.safetensors", "--json"});
  const Outcome outcome = lgode_ok({"evaluate", "run", "--table", "new.csv", "--json"});
  const nlohmann::json table = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(set["test_mse"], table["test_mse"]);
  // Of 85 frames the last five are in a third window, which overlaps the second.
  EXPECT_EQ(table["evaluation"]["model"]["systems"], 6);
  EXPECT_EQ(outcome.err.find("in no window"), std::string::npos) << outcome.err;
}

TEST_F(NewTable, APipeIsReadOnce) {
  train_on_fish();
  write("new.csv", fish({"z"}, 0, 60));
  lgode_ok(call("p.csv"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path("pipe")) << bytes("new.csv"); });
  lgode_ok({"predict", "run", "--table", "pipe", "--samples", "0", "--out", "q.csv"});
  writer.join();
  EXPECT_EQ(bytes("p.csv"), bytes("q.csv"));
}

TEST_F(NewTable, OtherUnitsAreRefused) {
  train_on_fish();
  std::string text = fish({"z"}, 0, 60);
  write("new.csv", "tank,fish,frame,X(cm),Y(cm)" + text.substr(text.find('\n')));
  lgode_ok(call("p.csv"));
  write("new.csv", "tank,fish,frame,X(mm),Y(cm)" + text.substr(text.find('\n')));
  expect_error(lgode(call("q.csv")), 2, {"'x' is in mm in this table", "in cm", "convert"});
}

// An observation at the start is a target of an evaluation, and a prediction that starts there does not see it.
// Advice names no option that predict lacks, and ids are mentioned once, where they are written.
TEST_F(NewTable, RemarksAreThoseOfAPrediction) {
  std::string walks = "object,time,x,y\n", frames = walks;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 40; ++k) {
      walks += fmt::format("w{},{:.1f},{:.3f},{}\n", i, 0.1 * k, std::sin(0.1 * k + i), i);
      frames += fmt::format("=w{},{},{:.3f},{}\n", i, k, std::sin(0.1 * k + i), i);
    }
  write("walks.csv", walks);
  write("new.csv", frames);
  lgode_ok({"import", "csv", "--observations", "walks.csv", "--window", "1", "--out", "walks.safetensors"});
  lgode_ok(Words{"train", "walks.safetensors", "--task", "extrapolate", "--model", "assimilate", "--out", "run"} +
           tiny());
  const std::string err = lgode_ok(call("p.csv", {"--allow-mismatch"})).err;
  EXPECT_NE(err.find("the times, 0 to 39 in steps of 1, look like frames"), std::string::npos) << err;
  EXPECT_NE(err.find("divide them by the frames per second"), std::string::npos) << err;
  for (const char* flag : {"--rate", "--time-unit"}) EXPECT_EQ(err.find(flag), std::string::npos) << err;
  EXPECT_NE(err.find("--spreadsheet-safe"), std::string::npos) << err;
  EXPECT_EQ(err.find("--spreadsheet-safe"), err.rfind("--spreadsheet-safe")) << err;
  EXPECT_EQ(lgode_ok(call("q.csv", {"--allow-mismatch", "--spreadsheet-safe"})).err.find("formula"), std::string::npos);
}

TEST_F(NewTable, APredictionSeesWhatAnEvaluationSees) {
  train_on_fish();
  std::string all = fish({"z"}, 0, 40), cut = "tank,fish,frame,x,y\n";
  for (const Words& row : read_table(all))
    if (row[2] != "frame" && std::stoi(row[2]) < 20)
      cut += fmt::format("z,{},{},{},{}\n", row[1], row[2], row[3], row[4]);
  write("new.csv", all);
  lgode_ok(call("p.csv", {"--start", "20", "--times", "20,25"}));
  lgode_ok(call("with.csv", {"--start", "20", "--times", "20,25", "--include-start"}));
  write("new.csv", cut);
  lgode_ok(call("q.csv", {"--start", "20", "--times", "20,25"}));
  EXPECT_EQ(bytes("p.csv"), bytes("q.csv"));
  EXPECT_NE(bytes("p.csv"), bytes("with.csv"));
}

TEST_F(NewTable, IsThinnedAndRelatedLikeTheTrainingData) {
  train_on_fish({"--every", "0.2", "--edges", "within=5"});
  write("new.csv", fish({"z"}, 0, 60));
  const Outcome outcome = lgode_ok(call("p.csv", {"--start", "40"}));
  EXPECT_NE(outcome.err.find("rows skipped by --every, as in the training data"), std::string::npos) << outcome.err;
}

TEST_F(NewTable, WhatDoesNotFitIsRefused) {
  train_on_fish();
  write("new.csv", fish({"z"}, 0, 60));
  expect_error(lgode(call("p.csv", {"--data", "fish.safetensors"})), 2, {"--table", "--data", "--fill"});
  expect_error(lgode({"predict", "run", "--out", "p.csv"}), 2, {"--data", "--table"});
  expect_error(lgode({"predict", "run", "--fill", "--table", "new.csv", "--out", "p.csv"}), 2, {"--fill needs --data"});
  expect_error(lgode(call("p.csv", {"--part", "test"})), 2, {"--part"});
  expect_error(lgode({"predict", "run", "--data", "fish.safetensors", "--edges", "all", "--out", "p.csv"}), 2,
               {"--edges goes with --table"});
  expect_error(lgode({"evaluate", "run", "--table", "new.csv", "--data", "fish.safetensors"}), 2,
               {"--table", "--data"});
  expect_error(lgode({"evaluate", "run", "--table", "run"}), 2, {"--summary"});
  write("new.csv", "tank,fish,frame,x\nz,f0,1,2\n");
  expect_error(lgode(call("p.csv")), 2, {"new.csv: has no column 'y'", "tank, fish, frame, x, y"});
  expect_error(lgode({"import", "csv", "--observations", "fish.csv", "--object", "fish", "--time", "frame",
                      "--for-prediction", "--split", "0.5", "--out", "n.safetensors"}),
               2, {"--for-prediction", "--split"});
  EXPECT_FALSE(exists("p.csv"));
}

TEST_F(NewTable, RunsOfEarlyVersionsSayWhatToDo) {
  std::filesystem::copy(std::filesystem::path(LGODE_TESTS_FOLDER) / "fixtures" / "earlier" / "lg-ode", path("run"),
                        std::filesystem::copy_options::recursive);
  write("new.csv", fish({"z"}, 0, 60));
  expect_error(lgode(call("p.csv")), 2, {"early version", "--for-prediction", "--data"});
}

TEST_F(NewTable, ClassicalMethodsPredictWithTheirIntervals) {
  train_on_fish({}, {"--epochs", "2"});
  write("new.csv", fish({"z"}, 0, 60));
  lgode_ok(call("hold.csv", {"--with", "hold", "--start", "40", "--horizon", "10"}));
  const std::vector<Words> hold = read_table(bytes("hold.csv"));
  // The value of frame 39 stays.
  std::map<std::string, std::string> last;
  for (const Words& row : read_table(bytes("new.csv")))
    if (row[2] == "39") last[row[1]] = row[3];
  for (std::size_t i = 1; i < hold.size(); ++i) {
    const double mean = std::stod(hold[i][4]), low = std::stod(hold[i][6]), high = std::stod(hold[i][7]);
    if (hold[i][3] == "x") {
      EXPECT_NEAR(mean, std::stod(last[hold[i][1]]), 1e-5) << i;
    }
    EXPECT_NEAR(high - mean, mean - low, 1e-4);
    EXPECT_GT(high, low);
  }
  for (const char* method : {"kalman", "damped", "constant-velocity"}) {
    lgode_ok(call("p.csv", {"--with", method, "--start", "40", "--horizon", "10", "--force"}));
    EXPECT_EQ(read_table(bytes("p.csv")).size(), hold.size()) << method;
    EXPECT_NE(bytes("p.csv"), bytes("hold.csv")) << method;
  }
  // auto takes the smallest of the stored errors.
  const nlohmann::json errors = nlohmann::json::parse(bytes("run/calibration.json"))["errors"]["all_objects"];
  std::string best = "model";
  for (const auto& [name, error] : errors.items())
    if (error < errors[best]) best = name;
  if (best == "linear") best = "hold";
  if (best == "cubic_hermite") best = "constant_velocity";
  const double validation = lgode_json({"evaluate", "run", "--split", "validation", "--json"})["validation_mse"];
  EXPECT_NEAR(errors["model"].get<double>(), validation, 1e-5 * validation);
  const Outcome outcome = lgode_ok(call("auto.csv", {"--with", "auto", "--start", "40", "--horizon", "10"}));
  EXPECT_NE(outcome.err.find("had the smallest error on the validation part"), std::string::npos) << outcome.err;
  const std::string word = best == "damped_velocity"     ? "damped"
                           : best == "constant_velocity" ? "constant-velocity"
                                                         : best;
  lgode_ok(call("best.csv", {"--with", word, "--start", "40", "--horizon", "10"}));
  EXPECT_EQ(bytes("auto.csv"), bytes("best.csv")) << best;
}

// A run of an earlier version has no errors; they are measured on its training data, or a way out is named.
TEST_F(NewTable, AutoOfAnEarlierRunMeasuresTheMethods) {
  train_on_fish({}, {"--epochs", "2"});
  write("new.csv", fish({"z"}, 0, 60));
  lgode_ok(call("now.csv", {"--with", "auto", "--start", "40"}));
  nlohmann::json calibration = nlohmann::json::parse(bytes("run/calibration.json"));
  calibration.erase("errors");
  write("run/calibration.json", calibration.dump());
  lgode_ok(call("then.csv", {"--with", "auto", "--start", "40"}));
  EXPECT_EQ(bytes("now.csv"), bytes("then.csv"));
  std::filesystem::remove(path("fish.safetensors"));
  expect_error(lgode(call("p.csv", {"--with", "auto", "--start", "40"})), 2, {"--with auto", "lgode calibrate"});
}

TEST_F(NewTable, MethodsThatDoNotFitAreRefused) {
  train_on_fish({}, {"--task", "interpolate"});
  write("new.csv", fish({"z"}, 0, 60));
  expect_error(lgode(call("p.csv", {"--with", "damped"})), 2, {"--with damped", "forecasts"});
  expect_error(lgode(call("p.safetensors", {"--with", "kalman", "--paths", "3"})), 2, {"--paths"});
  expect_error(lgode({"predict", "run", "--data", "fish.safetensors", "--fill", "--with", "kalman", "--out", "p.csv"}),
               2, {"--fill-with"});
  lgode_ok(call("p.csv", {"--with", "kalman"}));
}

}  // namespace
}  // namespace lgode::process
