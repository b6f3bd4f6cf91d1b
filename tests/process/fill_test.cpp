// lgode predict --fill: the user's table comes back with its gaps filled and nothing else changed.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "fixture.h"

namespace lgode::process {
namespace {

// Lines without their line ends, and the fields of a line without quotes.
Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}
Words fields_of(const std::string& line, char delimiter) {
  Words fields;
  std::istringstream in(line + delimiter);
  for (std::string field; std::getline(in, field, delimiter);) fields.push_back(field);
  return fields;
}

std::string with_comma(double value) {
  std::string text = fmt::format("{:.3f}", value);
  return text.replace(text.find('.'), 1, ",");
}

double number(std::string text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos) text[comma] = '.';
  return std::atof(text.c_str());
}

class Fill : public CommandTest {
 protected:
  // Two recordings of 57 times, about every third row of an object with gaps, with an unusual order of rows and
  // columns, a column that is not a feature, decimal commas and CRLF.
  void write_table() const {
    std::string text = "x;note;who;when;run;y\r\n";
    for (int i = 0; i < 57 * 4; ++i) {
      const int at = i * 89 % (57 * 4), k = at / 4, run = at % 2, who = at / 2 % 2;
      const double t = 0.1 * k;
      text += fmt::format("{};no. {};o {};{};{};{}\r\n", (at + k) % 3 == 0 ? "" : with_comma(std::sin(t + who)), i, who,
                          with_comma(t), run == 0 ? "a/1" : "b", at % 7 == 0 ? "NaN" : with_comma(std::cos(t + run)));
    }
    write("obs.csv", text);
  }
  void import_windows(const Words& more = {}) const {
    lgode_ok(Words{"import", "csv", "--observations", "obs.csv", "--decimal-comma", "--system", "run", "--object",
                   "who", "--time", "when", "--features", "x,y", "--window", "2", "--out", "data.safetensors"} +
             more);
    lgode_ok(Words{"train", "data.safetensors", "--out", "run"} + tiny());
  }
  Words call(const std::string& out, const Words& more) const {
    return Words{"predict", "run", "--data", "data.safetensors", "--samples", "0", "--fill", "--out", out} + more;
  }
};

// Windows overlap and omit the ends of recordings, but the whole table is filled.
TEST_F(Fill, TheUsersTableRowByRow) {
  write_table();
  import_windows({"--stride", "1"});
  const Outcome outcome = lgode_ok(call("filled.csv", {"--table", "obs.csv"}));
  EXPECT_EQ(outcome.err.find("note: the data was cut"), std::string::npos) << outcome.err;
  const Words before = lines_of(bytes("obs.csv")), after = lines_of(bytes("filled.csv"));
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0], before[0] + ";imputed");
  int imputed = 0;
  for (std::size_t i = 1; i < before.size(); ++i) {
    SCOPED_TRACE(after[i]);
    const Words was = fields_of(before[i], ';'), is = fields_of(after[i], ';');
    ASSERT_EQ(is.size(), 7U);
    std::string names;
    for (std::size_t c = 0; c < 6; ++c) {
      if (!was[c].empty() && was[c] != "NaN") {
        EXPECT_EQ(is[c], was[c]);
        continue;
      }
      names += (names.empty() ? "" : " ") + std::string(c == 0 ? "x" : "y");
      EXPECT_EQ(is[c].find('.'), std::string::npos);
      EXPECT_NE(is[c].find_first_of("0123456789"), std::string::npos);
      ++imputed;
    }
    EXPECT_EQ(is[6], names);
  }
  EXPECT_GT(imputed, 80);
  EXPECT_NE(outcome.out.find(fmt::format("filled.csv: 228 rows, 0 of them new, {} imputed values", imputed)),
            std::string::npos)
      << outcome.out;
}

// Frames and a system of two columns: both tables have the same entries in the same columns.
TEST_F(Fill, IntervalsJoinTheTableByItsColumns) {
  std::string text = "game,period,player,frame,x\n";
  for (int game = 0; game < 2; ++game)
    for (int k = 0; k < 80; ++k)
      for (int o = 0; o < 2; ++o)
        text += fmt::format("g{},{},p{},{},{}\n", game, k / 40, o, 100 + k,
                            k % 40 % 5 == 2 ? "" : fmt::format("{:.4f}", std::sin(0.2 * k + o)));
  write("obs.csv", text);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--system", "game,period", "--object", "player", "--time",
            "frame", "--rate", "10", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--observed", "0.8", "--out", "run"} + tiny());
  for (const char* with : {"kalman", "linear", "model"}) {
    lgode_ok(call("filled.csv", {"--table", "obs.csv", "--fill-with", with, "--force"}));
    std::map<std::string, std::string> values;  // by the four columns
    const Words rows = lines_of(bytes("filled.csv"));
    for (const std::string& row : rows) {
      const Words f = fields_of(row, ',');
      if (f.back() == "x") values[f[0] + "," + f[1] + "," + f[2] + "," + f[3]] = f[4];
    }
    const Words intervals = lines_of(bytes("filled.intervals.csv"));
    EXPECT_EQ(intervals[0], "game,period,player,frame,feature,value,method,q05,q95");
    ASSERT_EQ(intervals.size(), 1 + values.size());
    int by_method = 0;
    for (std::size_t i = 1; i < intervals.size(); ++i) {
      const Words f = fields_of(intervals[i], ',');
      const auto found = values.find(f[0] + "," + f[1] + "," + f[2] + "," + f[3]);
      ASSERT_NE(found, values.end()) << intervals[i];
      EXPECT_NEAR(number(found->second), number(f[5]), 1e-6) << intervals[i];
      EXPECT_LT(number(f[7]), number(f[5])) << intervals[i];
      EXPECT_GT(number(f[8]), number(f[5])) << intervals[i];
      by_method += f[6] == with ? 1 : 0;
    }
    EXPECT_GT(by_method, 60) << with;
    lgode_ok({"plot", "filled.csv", "--force", "--out", "filled.svg"});
  }
}

// On a smooth path the Kalman smoother is far below the line.
TEST_F(Fill, TheKalmanSmootherFills) {
  std::string text = "object,time,x\n", truth = text;
  for (int k = 0; k < 200; ++k)
    for (int o = 0; o < 2; ++o) {
      const std::string value = fmt::format("{:.6f}", std::sin(0.15 * k + o));
      text += fmt::format("o{},{},{}\n", o, k, k % 10 < 3 && k > 0 ? "" : value);
      truth += fmt::format("o{},{},{}\n", o, k, value);
    }
  write("obs.csv", text);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--window", "40", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--observed", "0.8", "--out", "run"} + tiny());
  const auto error = [&](const std::string& with) {
    const Outcome outcome = lgode_ok(call(with + ".csv", {"--table", "obs.csv", "--fill-with", with}));
    if (with == "kalman") EXPECT_NE(outcome.out.find("by the Kalman smoother"), std::string::npos) << outcome.out;
    const Words filled = lines_of(bytes(with + ".csv")), known = lines_of(truth);
    double sum = 0;
    for (std::size_t i = 1; i < known.size(); ++i)
      sum += std::pow(number(fields_of(filled[i], ',')[2]) - number(fields_of(known[i], ',')[2]), 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(error("kalman"), 0.5 * error("linear"));
  EXPECT_GT(nlohmann::json::parse(bytes("kalman.json"))["features"][0]["filled_by"]["kalman"], 100);
}

// With the table's own delimiter, decimal sign, columns and line ends.
TEST_F(Fill, PlotsTheFilledTable) {
  write_table();
  import_windows();
  lgode_ok(call("filled.csv", {"--table", "obs.csv"}));
  std::string truth = "x;note;who;when;run;y\r\n";
  for (int k = 0; k < 57; ++k) truth += fmt::format("1;;o 1;{};b;2\r\n", with_comma(0.1 * k));
  write("truth.csv", truth + "1;;o 1;soon;b;2\r\n");
  const Words plot{"plot", "filled.csv", "--out"};
  const Outcome outcome =
      lgode_ok(plot + Words{"fig.svg", "--system", "b", "--only", "o 1", "--features", "y", "--truth", "truth.csv"});
  EXPECT_NE(outcome.out.find("fig.svg: filled.csv, system b"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("y: 8 imputed values with a known truth"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("note: truth.csv: 1 row cannot be read"), std::string::npos) << outcome.err;
  expect_error(lgode(plot + Words{"x.svg", "--truth", "obs.csv"}), 1, {"obs.csv", "none of the imputed values"});
  for (const char* word : {"o 1", "observed", "imputed", "truth"})
    EXPECT_NE(bytes("fig.svg").find(word), std::string::npos) << word;
  expect_error(lgode(plot + Words{"fig.svg"}), 1, {"fig.svg", "--force"});
  expect_error(lgode(plot + Words{"x.svg", "--system", "bb"}), 2, {"'bb'", "did you mean b?"});
  expect_error(lgode(plot + Words{"x.svg", "--only", "o 3"}), 2, {"no object 'o 3'"});
  expect_error(lgode(plot + Words{"x.svg", "--features", "z"}), 2, {"--features z"});
  expect_error(lgode(plot + Words{"x.svg", "--data", "obs.csv"}), 1, {"obs.csv", "lgode import csv"});
  expect_error(lgode({"plot", "obs.csv", "--out", "x.svg"}), 1, {"obs.csv", "lgode import csv", "--fill"});
  expect_error(lgode({"plot", "run", "--truth", "obs.csv", "--out", "x.svg"}), 2, {"--truth obs.csv", "run"});
  std::filesystem::remove(path("filled.json"));
  expect_error(lgode(plot + Words{"x.svg"}), 2, {"filled.csv", "filled.json", "--data"});
  lgode_ok(plot + Words{"x.svg", "--data", "data.safetensors"});
}

// --systems accepts the name of a recording for all its windows, as well as indices and names of windows.
TEST_F(Fill, SystemsByRecordingNameAndIndex) {
  write_table();
  import_windows();
  const Words call{"predict", "run", "--data", "data.safetensors", "--samples", "0", "--relative", "--times", "0.5"};
  const auto systems = [&](const std::string& which, const std::string& out) {
    lgode_ok(call + Words{"--systems", which, "--out", out});
    std::set<std::string> names;
    const Words rows = lines_of(bytes(out));
    for (std::size_t i = 1; i < rows.size(); ++i) names.insert(fields_of(rows[i], ',')[0]);
    return names;
  };
  EXPECT_EQ(systems("b", "b.csv"), (std::set<std::string>{"b/0", "b/1"}));
  EXPECT_EQ(systems("b/*", "pattern.csv"), (std::set<std::string>{"b/0", "b/1"}));
  expect_error(lgode(call + Words{"--systems", "c*", "--out", "none.csv"}), 2, {"--systems c*", "no such system"});
  EXPECT_EQ(systems("0,b/1", "two.csv"), (std::set<std::string>{"a/1/0", "b/1"}));
}

TEST_F(Fill, WithoutATableEveryRowOnceWithItsOwnName) {
  write_table();
  import_windows({"--stride", "1"});
  const Outcome outcome = lgode_ok(call("filled.csv", {}));
  EXPECT_NE(outcome.err.find("note: 28 rows of the original table are in no window"), std::string::npos) << outcome.err;
  const Words rows = lines_of(bytes("filled.csv"));
  EXPECT_EQ(rows[0], "run;who;when;x;y;imputed");
  std::set<std::string> seen;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Words fields = fields_of(rows[i], ';');
    EXPECT_TRUE(fields[0] == "a/1" || fields[0] == "b") << rows[i];
    EXPECT_TRUE(seen.insert(fields[0] + ";" + fields[1] + ";" + fields[2]).second) << rows[i];
    EXPECT_FALSE(fields[3].empty() || fields[4].empty()) << rows[i];
  }
  EXPECT_EQ(seen.size(), 50U * 4);  // 0 to 4.9: windows of 2 that begin at 0, 1, 2 and 3, and the rest in none
}

// Filled values do not depend on how the data was cut into windows if ranges and relations are the same.
TEST_F(Fill, TheSameWithAndWithoutATable) {
  write_table();
  import_windows();
  lgode_ok(call("rows.csv", {}));
  lgode_ok(call("table.csv", {"--table", "obs.csv"}));
  std::map<std::string, double> x;
  for (const std::string& line : lines_of(bytes("table.csv"))) {
    const Words f = fields_of(line, ';');
    x[f[4] + ";" + f[2] + ";" + f[3]] = number(f[0]);
  }
  const Words rows = lines_of(bytes("rows.csv"));
  int compared = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Words f = fields_of(rows[i], ';');
    if (number(f[2]) >= 3 || f[5].find('x') == std::string::npos) continue;  // later ranges see other rows
    std::string when = f[2].find(',') == std::string::npos ? f[2] + ",000" : f[2];
    while (when.size() < 5) when += '0';
    const auto found = x.find(f[0] + ";" + f[1] + ";" + when);
    ASSERT_NE(found, x.end()) << when;
    EXPECT_NEAR(found->second, number(f[3]), 1e-5);
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST_F(Fill, RowsThatCannotBeFilledStay) {
  std::string text = "system,object,time,x\n";
  for (int s = 0; s < 12; ++s)
    for (int k = 0; k < 12; ++k)
      text += fmt::format("s{},o,{},{}\n", s, k, k % 5 == 2 ? "" : fmt::format("{:.3f}", std::sin(k + s)));
  write("obs.csv", text);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--out", "run"} + tiny());
  const std::string more = "s99,o,1,\ns1,o,soon,\ns1,o,2,\ns1,o\n\ns1,o,50,text\n";
  write("more.csv", text + more);
  const Outcome outcome = lgode_ok(call("filled.csv", {"--table", "more.csv"}));
  EXPECT_NE(outcome.err.find("note: 2 values in 2 rows stay empty"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("note: 3 rows cannot be read or appear twice"), std::string::npos) << outcome.err;
  const std::string filled = bytes("filled.csv");
  EXPECT_NE(filled.find("\ns99,o,1,,\ns1,o,soon,,\ns1,o,2,"), std::string::npos) << filled;
  EXPECT_NE(filled.find(",x\ns1,o\n\ns1,o,50,text,\n"), std::string::npos) << filled;

  expect_error(lgode(call("f.csv", {"--table", "obs.csv", "--part", "test"})), 2, {"--table", "--part"});
  expect_error(lgode(call("f.csv", {"--table", "absent.csv"})), 1, {"absent.csv"});
  expect_error(lgode(call("obs.csv", {"--table", "obs.csv", "--force"})), 2, {"obs.csv", "choose another file"});
  write("other.csv", "object,time,y\no,1,\n");
  expect_error(lgode(call("f.csv", {"--table", "other.csv"})), 2, {"other.csv: has no column 'x'", "system"});
  write("again.csv", "system,object,time,x,imputed\ns1,o,1,,\n");
  expect_error(lgode(call("f.csv", {"--table", "again.csv"})), 2, {"again.csv", "column 'imputed' already"});
  EXPECT_FALSE(exists("f.csv"));
}

TEST_F(Fill, NewRowsComeLast) {
  std::string text = "t,object,x,remark\n";
  for (int k = 0; k < 60; ++k)
    for (int o = 0; o < 2; ++o)
      if (o == 0 || k % 10 != 3)
        text += fmt::format("2024-03-01T12:{:02}:00Z,o{},{:.3f},\"a,b\"\n", k, o, std::sin(0.2 * k + o));
  write("obs.csv", text);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--time", "t", "--features", "x", "--window", "12min",
            "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--out", "run"} + tiny());
  lgode_ok(call("filled.csv", {"--table", "obs.csv", "--all-times"}));
  const Words before = lines_of(text), after = lines_of(bytes("filled.csv"));
  ASSERT_EQ(after.size(), before.size() + 6);
  for (std::size_t i = 1; i < before.size(); ++i) EXPECT_EQ(after[i], before[i] + ",");
  EXPECT_TRUE(after[before.size()].starts_with("2024-03-01T12:03:00Z,o1,")) << after[before.size()];
  EXPECT_TRUE(after.back().starts_with("2024-03-01T12:53:00Z,o1,")) << after.back();
  EXPECT_TRUE(after.back().ends_with(",,x")) << after.back();
}

// A row that cannot be read stays in the table; feature names with blanks are separated by '|'; a row far from all
// observations is reported.
TEST_F(Fill, OddRowsAndNames) {
  std::string text = "object,time,left x,x\n";
  for (int k = 0; k < 40; ++k)
    for (int o = 0; o < 2; ++o)
      text += fmt::format("o{},{},{},{:.3f}\n", o, k,
                          o == 1 && k == 7 ? "abc"
                          : k % 9 == 4     ? ""
                                           : fmt::format("{:.3f}", std::sin(0.3 * k)),
                          std::cos(0.3 * k + o));
  write("obs.csv", text);
  lgode_ok(
      {"import", "csv", "--observations", "obs.csv", "--skip-bad-rows", "--window", "10", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--out", "run"} + tiny());
  text += "o0,1000000,,\n";
  write("more.csv", text);
  const Outcome outcome = lgode_ok(call("filled.csv", {"--table", "more.csv", "--all-times"}));
  EXPECT_NE(outcome.err.find("in ranges of time without any observation of their system"), std::string::npos)
      << outcome.err;
  int bad = 0;
  std::string far;
  for (const std::string& line : lines_of(bytes("filled.csv"))) {
    bad += line.starts_with("o1,7,") ? 1 : 0;
    if (line.starts_with("o0,1000000,")) far = line;
  }
  EXPECT_EQ(bad, 1);
  EXPECT_TRUE(far.ends_with(",left x|x")) << far;
  // Its values were not filled, and have no intervals.
  ASSERT_TRUE(exists("filled.intervals.csv"));
  EXPECT_TRUE(bytes("filled.intervals.csv").starts_with("object,time,feature,value,method,q05,q95\n"));
  EXPECT_EQ(bytes("filled.intervals.csv").find("\no1,7,"), std::string::npos);
  lgode_ok({"plot", "filled.csv", "--out", "filled.svg"});
}

// An untrained LG-ODE fills worse than a line, and is not used.
TEST_F(Fill, TheBestMethodIsUsedAndToldBesideTheTable) {
  write_table();
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--decimal-comma", "--system", "run", "--object", "who",
            "--time", "when", "--features", "x,y", "--window", "2", "--stride", "1", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--model", "lg-ode", "--out", "run"} + tiny() + Words{"--epochs", "0"});
  const auto notes = [&](const std::string& with) {
    lgode_ok(call(with + ".csv", {"--table", "obs.csv", "--fill-with", with}));
    return nlohmann::json::parse(bytes(with + ".json"));
  };
  // Root mean square error of the filled values of x.
  const auto error = [&](const std::string& with) {
    double sum = 0;
    int count = 0;
    for (const std::string& line : lines_of(bytes(with + ".csv"))) {
      const Words f = fields_of(line, ';');
      if (f.back().find('x') == std::string::npos || f[0] == "x") continue;
      const double truth = std::sin(number(f[3]) + (f[2] == "o 1" ? 1 : 0));
      sum += std::pow(number(f[0]) - truth, 2);
      ++count;
    }
    return std::sqrt(sum / count);
  };
  const nlohmann::json chosen = notes("auto");
  for (const char* key : {"run", "data", "seed", "version", "commit", "machine", "features", "rows", "imputed_values"})
    EXPECT_TRUE(chosen.contains(key)) << key;
  EXPECT_EQ(chosen["compared_on"], "validation");
  for (const nlohmann::json& feature : chosen["features"]) {
    EXPECT_NE(feature["method"], "model") << feature;
    EXPECT_GT(feature["rmse"]["model"], feature["rmse"]["linear"]) << feature;
    EXPECT_EQ(feature["filled_by"]["model"], 0) << feature;
  }
  EXPECT_EQ(notes("model")["features"][0]["method"], "model");
  EXPECT_EQ(notes("linear")["features"][0]["filled_by"]["hermite"], 0);
  EXPECT_EQ(notes("hermite")["features"][0]["method"], "hermite");
  EXPECT_LE(error("auto"), error("linear"));
  EXPECT_LT(error("linear"), error("model"));

  // The same again, and nothing is replaced without --force.
  const std::string before = bytes("auto.csv");
  expect_error(lgode(call("auto.csv", {"--table", "obs.csv"})), 1, {"auto.csv", "--force"});
  std::filesystem::remove(path("auto.csv"));
  expect_error(lgode(call("auto.csv", {"--table", "obs.csv"})), 1, {"auto.json", "--force"});
  const Outcome outcome = lgode_ok(call("auto.csv", {"--table", "obs.csv", "--force"}));
  EXPECT_EQ(bytes("auto.csv"), before);
  for (const char* word : {"values filled: ", " by the line (before the first or after the last observation); RMSE on ",
                           "cut out of the validation part: model ", ", line ", "auto.json: how"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " in\n" << outcome.out;
  expect_error(lgode({"predict", "run", "--data", "data.safetensors", "--fill-with", "linear", "--out", "p.csv"}), 2,
               {"--fill-with", "--fill"});
}

// A model that has only seen whole observations cannot take part of one.
TEST_F(Fill, AModelWithoutMissingValuesIsLeftOut) {
  const auto table = [](bool gaps) {
    std::string text = "object,time,x,y\n";
    for (int k = 0; k < 80; ++k)
      for (int o = 0; o < 2; ++o)
        text += fmt::format("o{},{},{},{:.3f}\n", o, k,
                            gaps && k % 9 == 4 ? "" : fmt::format("{:.3f}", std::sin(0.3 * k)), std::cos(0.3 * k + o));
    return text;
  };
  write("whole.csv", table(false));
  write("gappy.csv", table(true));
  lgode_ok({"import", "csv", "--observations", "whole.csv", "--window", "10", "--out", "data.safetensors"});
  lgode_ok(Words{"train", "data.safetensors", "--out", "run"} + tiny());
  const Outcome outcome = lgode_ok(call("filled.csv", {"--table", "gappy.csv"}));
  EXPECT_NE(outcome.err.find("cannot be used here; to compare it, train with --hide-values"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("x: filled by cubic Hermite"), std::string::npos) << outcome.out;
  expect_error(lgode(call("f.csv", {"--table", "gappy.csv", "--fill-with", "model"})), 2,
               {"lack values", "--hide-values 0.2"});
  EXPECT_FALSE(exists("f.csv"));
}

}  // namespace
}  // namespace lgode::process
