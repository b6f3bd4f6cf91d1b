// The user's own data: from tables to a trained model and back to tables.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <sstream>

#include "fixture.h"

namespace lgode::process {
namespace {

// Fields of lines without quotes.
std::vector<Words> read_table(const std::string& text, char delimiter = ',') {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line + delimiter);
    for (std::string field; std::getline(fields, field, delimiter);) rows.back().push_back(field);
  }
  return rows;
}

class ImportCommand : public CommandTest {
 protected:
  // Swinging balls: runs with different numbers of balls, times and lengths, some missing values, and one ball that is
  // observed once. Times are dates.
  void write_tables() const {
    std::string table = "run;ball;stamp;x;v\r\n", edges = "run;from;to;kind;strength\r\n";
    for (int s = 0; s < 14; ++s) {
      const int balls = 2 + s % 3;
      for (int b = 0; b < balls; ++b) {
        const int length = b == 1 && s % 4 == 0 ? 1 : 8 + (5 * s + 3 * b) % 9;
        for (int k = 0; k < length; ++k) {
          const double t = 0.5 * k + 0.125 * b;
          const int ms = static_cast<int>(std::lround(1000 * t));
          table += fmt::format("run {};ball {};2024-03-{:02}T12:00:{:02}.{:03}Z;{};{}\r\n", s, b, s + 1, ms / 1000,
                               ms % 1000, (k + b) % 5 == 0 && k > 0 ? "NaN" : fmt::format("{:.4f}", std::sin(t + s)),
                               (k + s) % 4 == 0 ? "" : fmt::format("{:.4f}", std::cos(t + s)));
        }
        if (b > 0)
          edges += fmt::format("run {};ball {};ball {};{};{}\r\n", s, b - 1, b, b % 2 == 0 ? "rod" : "spring",
                               0.5 + 0.25 * b);
      }
    }
    write("obs.csv", table);
    write("edges.csv", edges);
  }
  Words import_call(const Words& more = {}) const {
    return Words{
               "import",   "csv",       "--observations", "obs.csv",
               "--edges",  "edges.csv", "--edge-columns", "system=run,source=from,target=to,type=kind,weight=strength",
               "--system", "run",       "--object",       "ball",
               "--time",   "stamp",     "--velocity-of",  "v=x",
               "--units",  "x=m,v=m/s", "--out",          "mine.safetensors"} +
           more;
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder()), {}));
  }
};

TEST_F(ImportCommand, TrainsOnRaggedTypedWeightedRelations) {
  write_tables();
  const Outcome imported = lgode_ok(import_call());
  EXPECT_NE(imported.out.find("11 training and 3 test systems"), std::string::npos) << imported.out;
  const nlohmann::json info = lgode_json({"info", "--json", "mine.safetensors"});
  EXPECT_EQ(info["relations"]["types"].size(), 2U);
  EXPECT_TRUE(info["relations"]["weighted"].get<bool>());
  EXPECT_EQ(info["objects_observed_once"], 4);
  EXPECT_EQ(info["dates"]["first"], "2024-03-01T12:00:00.000Z");
  EXPECT_EQ(info["features"][1]["velocity_of"], "x");
  for (const char* task : {"interpolate", "extrapolate"}) {
    lgode_ok(Words{"train", "mine.safetensors", "--task", task, "--out", task} + tiny());
    EXPECT_TRUE(lgode_json({"evaluate", task, "--json"})["test_mse"].is_number());
    lgode_ok({"predict", task, "--data", "mine.safetensors", "--samples", "4", "--out", std::string(task) + ".csv"});
  }
}

TEST_F(ImportCommand, PredictionsSpeakTheLanguageOfTheTable) {
  write_tables();
  lgode_ok(import_call());
  lgode_ok(Words{"train", "mine.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  const Words call = {"predict", "run", "--data", "mine.safetensors", "--samples", "4", "--systems", "run 3"};
  lgode_ok(call + Words{"--times", "2024-03-04T12:00:09Z,2024-03-04T12:00:10.5Z", "--out", "list.csv"});
  const std::vector<Words> rows = read_table(bytes("list.csv"));
  ASSERT_EQ(rows.size(), 1U + 2 * 2 * 2);
  EXPECT_EQ(rows[1][0], "run 3");
  EXPECT_EQ(rows[1][1], "ball 0");
  EXPECT_EQ(rows[1][2], "2024-03-04T12:00:09.000Z");
  EXPECT_EQ(rows[3][2], "2024-03-04T12:00:10.500Z");
  lgode_ok(call + Words{"--times", "2024-03-04T12:00:04Z/250ms/2024-03-04T12:00:05Z", "--start", "2024-03-04T12:00:03Z",
                        "--out", "range.csv"});
  EXPECT_EQ(read_table(bytes("range.csv")).size(), 1U + 5 * 2 * 2);
  write("times.txt", "2024-03-04T12:00:09Z\n");
  lgode_ok(call + Words{"--times-file", "times.txt", "--out", "file.csv"});
  expect_error(lgode(call + Words{"--times", "yesterday", "--out", "p.csv"}), 2,
               {"--times yesterday", "DATE/STEP/DATE"});
  expect_error(lgode(call + Words{"--start", "noon", "--out", "p.csv"}), 2, {"--start noon", "date"});
  expect_error(lgode(call + Words{"--times", "2024-03-04T11:00:00Z", "--out", "p.csv"}), 2,
               {"2024-03-04T11:00:00.000Z", "before the prediction's start"});
  expect_error(lgode({"predict", "run", "--data", "mine.safetensors", "--systems", "run 33", "--out", "p.csv"}), 2,
               {"--systems run 33", "did you mean run 3"});
  EXPECT_FALSE(exists("p.csv"));
}

TEST_F(ImportCommand, FillsTheTable) {
  write_tables();
  lgode_ok(import_call());
  lgode_ok(Words{"train", "mine.safetensors", "--out", "run"} + tiny());
  const Words call = {"predict", "run", "--data", "mine.safetensors", "--samples", "4", "--fill"};
  lgode_ok(call + Words{"--out", "filled.csv"});
  const std::vector<Words> before = read_table(bytes("obs.csv"), ';'), after = read_table(bytes("filled.csv"), ';');
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0], (Words{"run", "ball", "stamp", "x", "v", "imputed"}));
  for (std::size_t i = 1; i < before.size(); ++i) {
    SCOPED_TRACE(::testing::PrintToString(after[i]));
    ASSERT_EQ(after[i].size(), 6U);
    std::string imputed;
    for (const std::size_t f : {3U, 4U}) {
      const std::string was = before[i][f].substr(0, before[i][f].find('\r'));
      if (was.empty() || was == "NaN") {
        imputed += (imputed.empty() ? "" : " ") + before[0][f].substr(0, 1);
        EXPECT_TRUE(std::isfinite(std::stod(after[i][f])));
      } else {
        EXPECT_EQ(std::stod(after[i][f]), std::stod(was));
      }
    }
    EXPECT_EQ(after[i][5], imputed);
    for (const std::size_t c : {0U, 1U, 2U}) EXPECT_EQ(after[i][c], before[i][c]);
  }

  lgode_ok(call + Words{"--all-times", "--out", "all.csv"});
  EXPECT_GT(read_table(bytes("all.csv"), ';').size(), before.size());
  expect_error(lgode(call + Words{"--out", "f.safetensors"}), 2, {"f.safetensors", ".csv"});
  expect_error(lgode(call + Words{"--times", "1", "--out", "f.csv"}), 2, {"--fill", "--times"});
  lgode_ok(Words{"train", "mine.safetensors", "--task", "extrapolate", "--out", "forecast"} + tiny());
  const Words fill{"predict", "forecast", "--data", "mine.safetensors", "--fill", "--out", "f.csv"};
  expect_error(lgode(fill + Words{"--fill-with", "model"}), 2, {"the model forecasts", "interpolate"});
  EXPECT_FALSE(exists("f.csv"));
  EXPECT_NE(lgode_ok(fill).err.find("classical paths, not by the model, which forecasts"), std::string::npos);
  EXPECT_TRUE(exists("f.csv"));
}

// The model fills gaps well: removed values are restored approximately.
TEST_F(ImportCommand, FillsSystemsLongerThanTheFirstRange) {
  std::string table = "system,object,time,x\n";
  for (int s = 0; s < 12; ++s)
    for (int k = 0; k < (s < 10 ? 12 : 40); ++k)
      table += fmt::format("s{},o,{},{}\n", s, 0.5 * k, k % 7 == 3 ? "" : fmt::format("{:.3f}", std::sin(0.5 * k + s)));
  write("obs.csv", table);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--test-systems", "s10,s11", "--out", "long.safetensors"});
  EXPECT_EQ(lgode_json({"info", "--json", "long.safetensors"})["conditioning_length"], 6.0);
  lgode_ok(Words{"train", "long.safetensors", "--out", "run"} + tiny());
  lgode_ok(
      {"predict", "run", "--data", "long.safetensors", "--fill", "--samples", "0", "--part", "test", "--out", "f.csv"});
  const std::vector<Words> rows = read_table(bytes("f.csv"));
  ASSERT_EQ(rows.size(), 81U);
  for (const Words& row : rows) EXPECT_FALSE(row[3].empty());
  EXPECT_EQ(rows[4][4], "x");
}

TEST_F(ImportCommand, DoesNotReplaceWhatItReads) {
  const std::string table = "object,time,x\na,0,1\na,1,2\nb,0,1\nb,1,3\n", edges = "source,target\na,b\n";
  write("obs.csv", table);
  write("edges.csv", edges);
  for (const char* out : {"obs.csv", "./edges.csv"})
    expect_error(lgode({"import", "csv", "--observations", "obs.csv", "--edges", "edges.csv", "--out", out, "--force"}),
                 2, {"is what the data set is made from; choose another file"});
  EXPECT_EQ(bytes("obs.csv"), table);
  EXPECT_EQ(bytes("edges.csv"), edges);
  expect_error(lgode({"import", "csv", "--observations", "obs.csv", "--undirected", "--out", "d.safetensors"}), 2,
               {"--undirected is about a table of edges"});
  expect_error(lgode({"import", "csv", "--observations", "obs.csv", "--edges", "nearest=1", "--out", "d.safetensors"}),
               2, {"expected a table, none, all, k-nearest=K or within=R"});
}

TEST_F(ImportCommand, ExportBringsBackTheSameBytes) {
  write_tables();
  lgode_ok(import_call());
  simulate({"--noise", "0.01"});
  for (const std::string name : {"mine", "springs"}) {
    const Outcome exported = lgode_ok({"export", "csv", name + ".safetensors", "--out", name});
    EXPECT_NE(exported.out.find("import csv --folder " + name), std::string::npos);
    lgode_ok({"import", "csv", "--folder", name, "--out", name + "-again.safetensors"});
    EXPECT_EQ(bytes(name + ".safetensors"), bytes(name + "-again.safetensors"));
    expect_error(lgode({"import", "csv", "--folder", name, "--split", "0.5", "--out", "x.safetensors"}), 2,
                 {"--split", "--folder"});
    expect_error(lgode({"export", "csv", name + ".safetensors", "--out", name}), 1, {"exists", "--force"});
    lgode_ok({"export", "csv", name + ".safetensors", "--out", name, "--force"});
  }
}

TEST_F(ImportCommand, BadRowsLeaveNothingBehind) {
  write("obs.csv", "object,time,x\na,0,1\na,1,one\nb,0,2\nb,x,3\na,0,5\n");
  const Words call = {"import", "csv", "--observations", "obs.csv", "--out", "out/data.safetensors"};
  expect_error(lgode(call), 1,
               {"3 bad rows", "obs.csv, line 3, column 'x': found 'one'", "line 5, column 'time': found 'x'",
                "line 6: found 'a at 0'", "--skip-bad-rows"});
  EXPECT_EQ(entries(), 1U);
  expect_error(lgode(call + Words{"--max-errors", "1"}), 1, {"line 3", "and 2 more"});
  const Outcome skipped = lgode_ok(call + Words{"--skip-bad-rows"});
  EXPECT_NE(skipped.err.find("skipped 3 bad rows and 0 bad edges"), std::string::npos) << skipped.err;
  EXPECT_NE(skipped.err.find("line 3, column 'x'"), std::string::npos) << skipped.err;
  expect_error(lgode(call + Words{"--skip-bad-rows"}), 1, {"exists", "--force"});
}

TEST_F(ImportCommand, FaultsOfWholeTablesAreTold) {
  const auto refuse = [&](std::string_view text, const Words& more, int code, const Words& words) {
    write("obs.csv", std::string(text));
    expect_error(lgode(Words{"import", "csv", "--observations", "obs.csv", "--out", "d.safetensors"} + more), code,
                 words);
    EXPECT_FALSE(exists("d.safetensors"));
  };
  refuse("", {}, 1, {"obs.csv", "empty"});
  refuse(std::string_view("\xFF\xFEo\0b\0", 6), {}, 1, {"UTF-16"});
  refuse("1,2,3\n4,5,6\n", {}, 1, {"line 1", "names", "--columns"});
  refuse("object,time,x\n\"a,0,1\n", {}, 1, {"line 2", "closing quote"});
  refuse("object,time,x\na,0,1\na,1,2\n", {"--features", "y"}, 2, {"--features y", "object, time, x"});
  refuse("object,time,x\na,0,1\na,1,2\n", {"--split", "0.5"}, 2, {"--split", "--window"});
  refuse("object,time,x\na,0,1\n", {"--edges", "k-nearest=0"}, 2, {"k-nearest"});
  refuse("object,time,x\na,0,1\n", {"--edges", "absent.csv"}, 1, {"absent.csv"});
  refuse("object,time,x\na,0,1\n", {"--window", "soon"}, 2, {"--window soon", "5min"});
  refuse("object,time,x\na,0,1\n", {"--delimiter", "::"}, 2, {"--delimiter"});
  refuse("object;time;x\na;0;1\n", {"--delimiter", ","}, 2, {"no column 'object'", "--delimiter"});
  refuse("system,object,time,x\ns,a,0,1\nt,a,0,\n", {"--test-systems", "t"}, 1, {"test part"});
  refuse("object,time,x,y\na,0,1,\na,1,2,\n", {}, 1, {"feature 'y'"});
  write("edges.csv", "source,target\na,b\na,z\n");
  refuse("object,time,x\na,0,1\nb,1,2\n", {"--edges", "edges.csv"}, 1, {"edges.csv, line 3, column 'target'", "'z'"});
  expect_error(lgode({"import", "csv", "--out", "d.safetensors"}), 2, {"--observations"});
  expect_error(lgode({"import", "csw"}), 2, {"csw", "did you mean csv?", "lgode import --help"});
  expect_error(lgode({"import", "csv", "--feature", "x"}), 2, {"did you mean --features?", "lgode import csv --help"});
}

TEST_F(ImportCommand, ReadsPipes) {
  write("obs.csv", "object,time,x\na,0,1\na,1,2\n");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  Child writer({"/bin/sh", "-c", "cat obs.csv > pipe"}, {folder()});
  lgode_ok({"import", "csv", "--observations", "pipe", "--out", "d.safetensors"});
  writer.wait();
  EXPECT_EQ(lgode_json({"info", "--json", "d.safetensors"})["observations"], 2);
}

TEST_F(ImportCommand, InterruptedItLeavesNothing) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  // Endless rows: only the interrupt ends the import.
  Child writer({"/bin/sh", "-c", "exec > pipe; echo object,time,x; yes | awk '{print \"a,\" NR \",1\"}'"}, {folder()});
  Child child = start({"import", "csv", "--observations", "pipe", "--out", "large.safetensors"});
  while (child.running() && child.seconds() < 1.0) ::usleep(10000);
  child.send(SIGINT);
  const Outcome outcome = child.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  writer.wait();
  EXPECT_EQ(entries(), 1U);
}

// At any time, an interrupt leaves exactly the files that the message says.
TEST_F(ImportCommand, InterruptsSpeakTheTruth) {
  std::string table = "object,time,x\n";
  for (int k = 0; k < 200000; ++k) table += fmt::format("a,{},{}\n", k, k % 7);
  write("obs.csv", table);
  const Words call = {"import", "csv", "--observations", "obs.csv", "--out"};
  const double whole = lgode_ok(call + Words{"first.safetensors"}).seconds;
  constexpr int kTrials = 24;
  std::size_t stopped = 0, finished = 1;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string out = fmt::format("d{}.safetensors", trial);
    const double delay = whole * (0.5 + 0.6 * trial / kTrials);
    Child child = start(call + Words{out});
    while (child.running() && child.seconds() < delay) ::usleep(200);
    child.send(SIGINT);
    const Outcome outcome = child.wait();
    SCOPED_TRACE(fmt::format("after {} s: code {}\n{}", delay, outcome.code, outcome.err));
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 130);
    EXPECT_EQ(exists(out), outcome.code == 0);
    EXPECT_TRUE(outcome.code != 0 || outcome.err.find("nothing") == std::string::npos);
    ++(outcome.code == 0 ? finished : stopped);
  }
  EXPECT_GT(stopped, 0);
  EXPECT_EQ(entries(), 1 + finished);
}

TEST_F(ImportCommand, AFullDiskLeavesNoFolder) {
  std::string table = "object,time,x\n";
  for (int o = 0; o < 60; ++o) table += fmt::format("{},0,1\n", o);
  write("few.csv", table);  // its relations make the larger file
  std::string edges = "source,target\n";
  for (int o = 0; o < 60; ++o)
    for (int other = 0; other < 60; ++other)
      if (o != other) edges += fmt::format("{},{}\n", o, other);
  write("edges.csv", edges);
  for (int k = 1; k < 100; ++k)
    for (int o = 0; o < 60; ++o) table += fmt::format("{},{},1\n", o, k);
  write("many.csv", table);
  for (const std::string name : {"few", "many"}) {
    lgode_ok(
        {"import", "csv", "--observations", name + ".csv", "--edges", "edges.csv", "--out", name + ".safetensors"});
    const std::size_t before = entries();
    const std::string command =
        fmt::format("ulimit -f 20; {} export csv {}.safetensors --out new/tables", LGODE_COMMAND, name);
    expect_error(Child({"/bin/sh", "-c", command}, {folder()}).wait(), 1, {"new/tables", "cannot be written"});
    EXPECT_EQ(entries(), before);
    // An existing folder is kept.
    std::filesystem::create_directory(path("new"));
    expect_error(Child({"/bin/sh", "-c", command}, {folder()}).wait(), 1, {"new/tables"});
    EXPECT_TRUE(std::filesystem::is_empty(path("new")));
    std::filesystem::remove(path("new"));
  }
}

TEST_F(ImportCommand, OneLongRecordingInWindows) {
  std::string table = "object,time,x,y\n";
  for (int k = 0; k < 400; ++k)
    for (int o = 0; o < 3; ++o)
      table += fmt::format("sensor {},{},{:.4f},{:.4f}\n", o, 0.25 * k, std::sin(0.25 * k + o), std::cos(0.3 * k));
  write("log.csv", table);
  lgode_ok({"import", "csv", "--observations", "log.csv", "--window", "5", "--stride", "2.5", "--edges", "k-nearest=1",
            "--out", "d.safetensors"});
  const nlohmann::json info = lgode_json({"info", "--json", "d.safetensors"});
  EXPECT_EQ(info["conditioning_length"], 5.0);
  EXPECT_EQ(info["systems"]["train"], 29);
  EXPECT_EQ(info["systems"]["test"], 7);
  EXPECT_EQ(info["relations"]["count"], 0);  // a rule
  const Outcome split = lgode_ok({"split", "d.safetensors", "--test", "0.5", "--out", "half.safetensors"});
  EXPECT_NE(split.err.find("windows skipped: too near to the other part"), std::string::npos) << split.err;
  lgode_ok(Words{"train", "d.safetensors", "--out", "run"} + tiny());
}

// Scenes without names, in frames: people come and go.
class SceneCommand : public ImportCommand {
 protected:
  static std::string scene(int seed) {
    std::string text;
    for (int person = 0; person < 12; ++person)
      for (int k = 0; k < 15; ++k)
        text +=
            fmt::format("{}\t{}\t{}\t{:.3f}\n", 10 * (k + 3 * person), person + 1,
                        k % 6 == 4 ? "?" : fmt::format("{:.3f}", 0.3 * k + seed * person % 7), std::sin(k + person));
    return text;
  }
  void write_scenes() const {
    std::filesystem::create_directory(path("scenes"));
    for (int s = 1; s <= 6; ++s) write(fmt::format("scenes/place{}.txt", s), scene(s));
  }
  static Words scene_call(const Words& more) {
    return Words{"import", "csv",      "--columns", "time,object,x,y", "--missing-values",   "?",      "--rate",
                 "25",     "--window", "4s",        "--out",           "scenes.safetensors", "--force"} +
           more;
  }
};

TEST_F(SceneCommand, PatternsAndSeveralFilesAreOneTable) {
  write_scenes();
  const Words all = {"--observations", "scenes/*.txt", "--test-systems", "place[5],place6", "--edges", "within=5"};
  expect_error(lgode(scene_call(all)), 2, {"--test-systems place[5]", "did you mean place5"});
  const Outcome outcome =
      lgode_ok(scene_call({"--observations", "scenes/*.txt", "--test-systems", "place5,*6", "--edges", "within=5"}));
  EXPECT_NE(outcome.out.find("relations within a distance of 5"), std::string::npos) << outcome.out;
  const nlohmann::json info = lgode_json({"info", "--json", "scenes.safetensors"});
  EXPECT_EQ(info["systems"]["train"].get<int>(), 2 * info["systems"]["test"].get<int>());
  EXPECT_EQ(info["conditioning_length"], 4.0);
  const std::string pattern = bytes("scenes.safetensors");
  lgode_ok(scene_call({"--observations", "scenes/place1.txt", "scenes/place2.txt", "--edges", "within=5",
                       "--observations", "scenes/place[3-6].txt", "--test-systems", "place5,*6"}));
  EXPECT_EQ(bytes("scenes.safetensors"), pattern);
  expect_error(lgode(scene_call({"--observations", "scenes/*.csv"})), 2, {"--observations scenes/*.csv", "no file"});
  expect_error(lgode(scene_call({"--observations", "scenes/*.txt", "scenes/place1.txt"})), 2,
               {"place1.txt is named twice"});
  expect_error(lgode(scene_call({"--observations", "scenes"})), 1, {"is a folder", "scenes/*.csv"});
  expect_error(lgode({"import", "csv", "--observations", "scenes/place1.txt", "--out", "x.safetensors"}), 1,
               {"--columns"});
  expect_error(lgode({"import", "csv", "--observations", "scenes/place1.txt", "--columns", "time,object,x,y",
                      "--missing-values", "?", "--time-unit", "frame", "--window", "8s", "--out", "x.safetensors"}),
               2, {"--window 8s", "'frame'", "--rate"});
}

TEST_F(SceneCommand, FillsOneFileOfSeveral) {
  write_scenes();
  lgode_ok(scene_call({"--observations", "scenes/*.txt", "--test-systems", "place6"}));
  lgode_ok(Words{"train", "scenes.safetensors", "--out", "run"} + tiny());
  lgode_ok({"predict", "run", "--data", "scenes.safetensors", "--samples", "0", "--fill", "--table",
            "scenes/place2.txt", "--out", "filled.csv"});
  const std::vector<Words> before = read_table(bytes("scenes/place2.txt"), '\t');
  const std::vector<Words> after = read_table(bytes("filled.csv"), '\t');
  ASSERT_EQ(after.size(), before.size());
  int filled = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(after[i].size(), 5U) << i;
    for (const std::size_t c : {0U, 1U, 3U}) EXPECT_EQ(after[i][c], before[i][c]);
    if (before[i][2] != "?") {
      EXPECT_EQ(after[i][2], before[i][2]);
      continue;
    }
    ++filled;
    EXPECT_TRUE(std::isfinite(std::stod(after[i][2]))) << after[i][2];
    EXPECT_EQ(after[i][4], "x");
  }
  EXPECT_EQ(filled, 24);
}

TEST_F(ImportCommand, FillsTablesWhoseSystemsHaveSeveralColumns) {
  std::string table = "game,clock,period,player,x\n";
  for (int s = 0; s < 12; ++s)
    for (int k = 0; k < 12; ++k)
      table += fmt::format("g{},12:{:02}:{:02}.5,{},p,{}\n", s / 2, s, k, s % 2,
                           k % 5 == 3 ? "" : fmt::format("{:.3f}", std::sin(0.5 * k + s)));
  write("obs.csv", table);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--system", "game,period", "--object", "player", "--time",
            "clock", "--out", "d.safetensors"});
  lgode_ok(Words{"train", "d.safetensors", "--out", "run"} + tiny());
  lgode_ok({"predict", "run", "--data", "d.safetensors", "--samples", "0", "--fill", "--table", "obs.csv", "--out",
            "f.csv"});
  const std::vector<Words> before = read_table(table), after = read_table(bytes("f.csv"));
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 1; i < before.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(after[i][c], before[i][c]);
    EXPECT_FALSE(after[i][4].empty()) << i;
  }
  lgode_ok({"predict", "run", "--data", "d.safetensors", "--samples", "0", "--times", "12:00:09.5", "--systems", "g0/0",
            "--out", "p.csv"});
  EXPECT_EQ(read_table(bytes("p.csv"))[1][2], "12:00:09.5");
}

TEST_F(ImportCommand, SaysWhatItLeavesOut) {
  std::string table = "system,object,time,x\nempty,a,0,\n";
  for (int k = 0; k < 60; ++k)
    if (k < 20 || k >= 26) table += fmt::format("s,a,{},{}\ns,b,{},{}\n", k, k % 5, k, k == 7 ? "" : "2.5");
  write("obs.csv", table);
  const Outcome outcome = lgode_ok(
      {"import", "csv", "--observations", "obs.csv", "--window", "4", "--every", "2", "--out", "d.safetensors"});
  for (const char* part :
       {"note: 54 rows skipped by --every",
        "note: 1 row without a value: places to fill, not observations; 1 of them in no system",
        "note: 1 system skipped: without any observation", "note: 1 window skipped: without any observation",
        "note: 1 window skipped: too near to the other part"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in\n" << outcome.err;
}

TEST_F(ImportCommand, InfoChecksUp) {
  std::string table = "system,object,time,x,y,z\n";
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < 8; ++k)
      table += fmt::format("s{},a,{},{},{},7\ns{},b,{},1000{},{},7\n", s, k, std::sin(k), k % 2 == 0 ? "" : "1", s, k,
                           k, s == 1 && k == 1 ? "5000" : "0.5");
  write("obs.csv", table);
  lgode_ok({"import", "csv", "--observations", "obs.csv", "--edges", "none", "--out", "d.safetensors"});
  const nlohmann::json info = lgode_json({"info", "--json", "d.safetensors"});
  EXPECT_EQ(info["gaps"]["median"], 1.0);
  EXPECT_EQ(info["lengths"]["histogram"][0]["count"], 8);
  EXPECT_TRUE(info["features"][2]["constant"].get<bool>());
  EXPECT_EQ(info["objects_without_relations"], 8);
  EXPECT_GT(info["training"]["window_length"].get<double>(), 0);
  const Outcome text = lgode_ok({"info", "d.safetensors"});
  for (const char* part : {"warning: feature 'z' has one value everywhere in the training part; leave it out",
                           "warning: the set has no relations; ", "training systems; ", "window "})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
}

TEST_F(ImportCommand, SplitsAndMerges) {
  simulate();
  lgode_ok({"split", "springs.safetensors", "--test", "0.5", "--out", "half.safetensors"});
  EXPECT_EQ(lgode_json({"info", "--json", "half.safetensors"})["systems"]["test"], 15);
  lgode_ok({"split", "springs.safetensors", "--test-systems", "3,7", "--out", "two.safetensors"});
  EXPECT_EQ(lgode_json({"info", "--json", "two.safetensors"})["systems"]["test"], 2);
  lgode_ok(
      {"split", "springs.safetensors", "--test-systems", "3", "--test-systems", "7,8", "--out", "more.safetensors"});
  EXPECT_EQ(lgode_json({"info", "--json", "more.safetensors"})["systems"]["test"], 3);
  lgode_ok({"split", "springs.safetensors", "--test-systems", "1?,3", "--out", "eleven.safetensors"});
  EXPECT_EQ(lgode_json({"info", "--json", "eleven.safetensors"})["systems"]["test"], 11);
  expect_error(lgode({"split", "springs.safetensors", "--test-systems", "333", "--out", "x.safetensors"}), 2, {"333"});
  lgode_ok({"merge", "half.safetensors", "two.safetensors", "--out", "both.safetensors"});
  const nlohmann::json both = lgode_json({"info", "--json", "both.safetensors"});
  EXPECT_EQ(both["systems"]["train"], 15 + 28);
  EXPECT_EQ(both["objects"], 300);
  lgode_ok({"export", "csv", "both.safetensors", "--out", "tables"});
  expect_error(lgode({"merge", "half.safetensors", "--out", "x.safetensors"}), 2, {"two data sets"});
  EXPECT_FALSE(exists("x.safetensors"));
}

TEST_F(ImportCommand, ColumnsOfTextAreOneLineWithTheCommandWithoutThem) {
  write("obs.csv", "object,time,x,species\na,0,1,cod\na,1,2,cod\na,2,2,cod\nb,0,1,ray\nb,1,2,ray\n");
  const Words call{"import", "csv", "--observations", "obs.csv", "--out", "mine.safetensors"};
  expect_error(lgode(call), 2,
               {"obs.csv: column 'species' (such as 'cod') holds text, not numbers; without: lgode import csv "
                "--observations obs.csv --out mine.safetensors --features x\n"});
  expect_error(lgode(call + Words{"--features=x,species"}), 2, {"--out mine.safetensors --features x\n"});
  const Outcome outcome = lgode_ok(call + Words{"--features", "x"});
  EXPECT_EQ(lgode_json({"info", "--json", "mine.safetensors"})["name"], "obs") << outcome.err;
}

TEST_F(ImportCommand, IdsThatASpreadsheetWouldRunAreQuotedOnRequest) {
  write("obs.csv", "object,time,x\n=cmd,0,1\n=cmd,1,2\nb,0,1\nb,1,2\n");
  const Outcome imported = lgode_ok({"import", "csv", "--observations", "obs.csv", "--out", "mine.safetensors"});
  EXPECT_NE(imported.err.find("'=cmd'"), std::string::npos) << imported.err;
  EXPECT_NE(imported.err.find("--spreadsheet-safe"), std::string::npos) << imported.err;
  const Outcome plain = lgode_ok({"export", "csv", "mine.safetensors", "--out", "plain"});
  EXPECT_NE(plain.err.find("1 id, such as '=cmd'"), std::string::npos) << plain.err;
  EXPECT_NE(bytes("plain/observations.csv").find("obs,=cmd,0,1\n"), std::string::npos);
  EXPECT_EQ(lgode_ok({"export", "csv", "mine.safetensors", "--spreadsheet-safe", "--out", "safe"}).err, "");
  EXPECT_NE(bytes("safe/observations.csv").find("obs,'=cmd,0,1\n"), std::string::npos);
  lgode_ok({"import", "csv", "--folder", "safe", "--out", "back.safetensors"});
  lgode_ok(Words{"train", "mine.safetensors", "--out", "run"} + tiny());
  lgode_ok({"predict", "run", "--data", "mine.safetensors", "--spreadsheet-safe", "--samples", "2", "--out", "p.csv"});
  EXPECT_NE(bytes("p.csv").find(",'=cmd,"), std::string::npos);
  EXPECT_EQ(bytes("p.csv").find(",=cmd,"), std::string::npos);
}

TEST_F(ImportCommand, FilesOfObjectsAreFilledAgain) {
  write("fish0.csv", "time (s),X(cm)\n0,1\n1,2\n2,\n3,4\n4,5\n5,6\n");
  write("fish1.csv", "time (s),X(cm)\n0,1\n1,3\n2,5\n3,\n4,9\n5,11\n");
  const Outcome imported = lgode_ok({"import", "csv", "--observations", "fish*.csv", "--object-from", "file",
                                     "--velocities", "difference", "--out", "fish.safetensors"});
  EXPECT_NE(imported.err.find("units by the names of the columns: x in cm"), std::string::npos) << imported.err;
  const nlohmann::json info = lgode_json({"info", "--json", "fish.safetensors"});
  EXPECT_EQ(info["objects"], 2);
  EXPECT_EQ(info["features"][0]["name"], "x");
  EXPECT_EQ(info["features"][0]["unit"], "cm");
  EXPECT_EQ(info["to_fill"]["values"], 2);
  EXPECT_EQ(info["to_fill"]["median"], 2.0);
  lgode_ok(Words{"train", "fish.safetensors", "--task", "interpolate", "--out", "run"} + tiny());
  lgode_ok({"predict", "run", "--data", "fish.safetensors", "--fill", "--fill-with", "linear", "--table", "fish1.csv",
            "--out", "filled.csv"});
  EXPECT_NE(bytes("filled.csv").find("time (s),X(cm),imputed\n"), std::string::npos) << bytes("filled.csv");
  EXPECT_NE(bytes("filled.csv").find("3,7,x\n"), std::string::npos) << bytes("filled.csv");
}

}  // namespace
}  // namespace lgode::process
