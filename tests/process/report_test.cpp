// lgode report, plot and compare, and the page at the end of lgode train.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "fixture.h"
#include "lgode/core/file.h"

namespace lgode::process {
namespace {

using Report = CommandTest;
using nlohmann::json;

// The JSON that a page holds.
json data_of(const std::filesystem::path& page) {
  const std::string text = read_text(page);
  const std::string begin = "id=\"data\">";
  const std::size_t from = text.find(begin) + begin.size();
  return json::parse(text.substr(from, text.find("</script>", from) - from));
}

// Without --no-report.
Words with_page() {
  Words words = tiny();
  std::erase(words, "--no-report");
  return words;
}

TEST_F(Report, HasTheNumbersOfEvaluate) {
  simulate();
  for (const char* task : {"interpolate", "extrapolate"}) {
    train(task, {"--task", task});
    const Outcome outcome = lgode_ok({"report", task, "--systems", "4"});
    EXPECT_NE(outcome.out.find(std::string("report: ") + task + "/report.html, "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("omitted: 2 systems of the 6 of the test part: 4 are shown"), std::string::npos)
        << outcome.out;
    const json page = data_of(path(task) / "report.html");
    const json evaluated = lgode_json({"evaluate", task, "--json"});
    for (const char* key : {"task", "test_mse", "classical", "evaluation", "promise", "config"})
      EXPECT_EQ(page["evaluation"][key], evaluated[key]) << key;
    EXPECT_EQ(page["paper"][0]["row"], "LG-ODE");
    EXPECT_EQ(page["systems"].size(), 4U);
    EXPECT_EQ(page["systems"][0]["rank"], "best");
    EXPECT_EQ(page["systems"][3]["rank"], "worst");
    // The error of the part is the mean over its systems.
    double sum = 0;
    for (const json& error : page["system_errors"]) sum += error.get<double>();
    EXPECT_NEAR(sum / 6, evaluated["test_mse"].get<double>(), 1e-9);
    EXPECT_EQ(page["objects"]["by"], "name");
    EXPECT_EQ(page["curve"].size(), 2U);
    EXPECT_EQ(page["run"]["state"], "finished");
  }
}

std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U | static_cast<unsigned>(letters.find(c))) & 0xFFFU, count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFFU));
  }
  return bytes;
}

// The test systems have observations at the very start of the forecast, which is asked for.
TEST_F(Report, AForecastAsksForNothingThatItShows) {
  simulate();
  train("run", {"--task", "extrapolate"});
  lgode_ok({"report", "run", "--systems", "6"});
  const json page = data_of(path("run/report.html"));
  std::int64_t seen = 0, asked = 0;
  for (const json& system : page["systems"])
    for (const char flags : from_base64(system["observations"]["flags"])) {
      EXPECT_NE(flags, 3);
      seen += flags & 1, asked += flags >> 1;
    }
  EXPECT_GT(seen, 100);
  EXPECT_GT(asked, 100);
}

TEST_F(Report, ComesWithTrainingUnlessUnwanted) {
  simulate();
  const Words call{"train", "springs.safetensors", "--out"};
  const Outcome with = lgode_ok(call + Words{"with"} + with_page());
  EXPECT_TRUE(exists("with/report.html"));
  EXPECT_NE(with.out.find("report: with/report.html"), std::string::npos) << with.out;
  EXPECT_EQ(lgode_ok(call + Words{"quiet", "--quiet"} + with_page()).out, "");
  EXPECT_TRUE(exists("quiet/report.html"));
  lgode_ok(call + Words{"without"} + tiny());
  EXPECT_FALSE(exists("without/report.html"));
  // A second report replaces the first; a file that is not a report stays.
  lgode_ok({"report", "with"});
  write("with/report.html", "mine");
  expect_error(lgode({"report", "with"}), 1, {"with/report.html", "--force"});
  const Outcome again = lgode_ok(Words{"train", "--resume", "--epochs", "2", "--out", "with"});
  EXPECT_NE(again.err.find("warning: no report was written"), std::string::npos) << again.err;
  EXPECT_EQ(bytes("with/report.html"), "mine");
}

TEST_F(Report, OfARunThatStoppedOrFailed) {
  simulate();
  const Words call{"train", "springs.safetensors", "--out"};
  EXPECT_EQ(lgode(call + Words{"stopped"} + with_page() + Words{"--epochs", "3", "--stop-after", "4"}).code, 130);
  json page = data_of(path("stopped/report.html"));
  EXPECT_EQ(page["run"]["state"], "stopped");
  EXPECT_FALSE(page.contains("evaluation"));
  // With time to spare, the weights so far are evaluated.
  lgode_ok({"report", "stopped"});
  page = data_of(path("stopped/report.html"));
  EXPECT_EQ(page["run"]["state"], "stopped");
  EXPECT_TRUE(page["evaluation"]["test_mse"].is_number());

  const Outcome diverged = lgode(
      call + Words{"failed"} + with_page() +
      Words{"--epochs", "50", "--lr", "1e30", "--warmup", "0", "--clip", "0", "--model", "lg-ode", "--centre", "none"});
  EXPECT_EQ(diverged.code, 3) << diverged.err;
  page = data_of(path("failed/report.html"));
  EXPECT_EQ(page["run"]["state"], "failed");
  EXPECT_NE(page["run"]["failure"], "");
  EXPECT_TRUE(exists("failed/failure.txt"));
  // The remains of a run that died before its first checkpoint.
  std::filesystem::create_directory(path("rest"));
  std::filesystem::copy_file(path("stopped/config.json"), path("rest/config.json"));
  lgode_ok({"report", "rest", "--out", "rest.html"});
  page = data_of(path("rest.html"));
  EXPECT_EQ(page["run"]["has_weights"], false);
  EXPECT_EQ(page["curve"].size(), 0U);
  expect_error(lgode({"plot", "rest", "--out", "fig.svg"}), 1, {"rest", "no weights"});
}

TEST_F(Report, WithoutItsDataOrATestPart) {
  simulate({"--test", "0"});
  train("run");
  lgode_ok({"report", "run"});
  EXPECT_EQ(data_of(path("run/report.html"))["evaluation"]["split"], "validation");
  std::filesystem::rename(path("springs.safetensors"), path("moved.safetensors"));
  const Outcome outcome = lgode_ok({"report", "run"});
  EXPECT_NE(outcome.err.find("springs.safetensors, is absent"), std::string::npos) << outcome.err;
  EXPECT_FALSE(data_of(path("run/report.html")).contains("evaluation"));
  lgode_ok({"report", "run", "--data", "moved.safetensors"});
  EXPECT_TRUE(data_of(path("run/report.html")).contains("evaluation"));
  expect_error(lgode({"report", "nothing"}), 1, {"nothing", "no such run"});
  expect_error(lgode({"report", "moved.safetensors"}), 1, {"moved.safetensors"});
}

TEST_F(Report, StaysSmall) {
  simulate({"--test", "40"});
  train("run");
  const Outcome outcome = lgode_ok({"report", "run", "--systems", "40", "--max-bytes", "1000000"});
  EXPECT_LT(std::filesystem::file_size(path("run/report.html")), 1'000'000U);
  EXPECT_NE(outcome.out.find("times of the paths"), std::string::npos) << outcome.out;
}

TEST_F(Report, IsOpenedOnRequest) {
  simulate();
  train("run");
  std::filesystem::create_directory(path("bin"));
  write("bin/xdg-open", "#!/bin/sh\necho \"$1\" > opened\n");
  std::filesystem::permissions(path("bin/xdg-open"), std::filesystem::perms::owner_all);
  const std::string before = getenv("PATH");
  setenv("PATH", (path("bin").string() + ":" + before).c_str(), 1);
  lgode_ok({"report", "run", "--open"});
  EXPECT_EQ(bytes("opened"), path("run/report.html").string() + "\n");
  setenv("PATH", path("run").c_str(), 1);  // there is none
  EXPECT_NE(lgode_ok({"report", "run", "--open"}).err.find("no browser could be opened"), std::string::npos);
  setenv("PATH", before.c_str(), 1);
}

TEST_F(Report, Figures) {
  simulate();
  for (const char* task : {"interpolate", "extrapolate"}) {
    train(task, {"--task", task});
    const Outcome outcome = lgode_ok({"plot", task, "--system", "25", "--out", std::string(task) + ".svg"});
    EXPECT_NE(outcome.out.find("index 25 of the test part"), std::string::npos) << outcome.out;
    const std::string text = bytes(std::string(task) + ".svg");
    EXPECT_NE(text.find("ground truth"), std::string::npos);
    EXPECT_NE(text.find(std::string(task) == "interpolate" ? "interpolation" : "forecast"), std::string::npos);
  }
  lgode_ok({"plot", "extrapolate", "--features", "x,vx", "--objects", "2", "--out", "median.svg"});
  EXPECT_NE(lgode_ok({"plot", "extrapolate", "--system", "3", "--out", "train.svg"}).out.find("training part"),
            std::string::npos);
  for (const auto& [name, mark] : {std::pair{"fig.png", "\x89PNG"}, std::pair{"fig.pdf", "%PDF"}}) {
    const Outcome outcome = lgode({"plot", "extrapolate", "--system", "25", "--out", name});
    if (outcome.code != 0) {
      expect_error(outcome, 2, {"without Cairo", ".svg"});
      continue;
    }
    EXPECT_TRUE(bytes(name).starts_with(mark)) << name;
  }
  expect_error(lgode({"plot", "extrapolate", "--out", "fig.gif"}), 2, {"fig.gif", ".svg, .png or .pdf"});
  expect_error(lgode({"plot", "extrapolate", "--system", "99", "--out", "x.svg"}), 2, {"--system"});
  expect_error(lgode({"plot", "extrapolate", "--system", "first", "--out", "x.svg"}), 2, {"--system first", "0 to 29"});
  expect_error(lgode({"plot", "extrapolate", "--features", "vz", "--out", "x.svg"}), 2, {"--features vz"});
  expect_error(lgode({"plot", "extrapolate", "--out", "median.svg"}), 1, {"median.svg", "--force"});
}

TEST_F(Report, ComparesRuns) {
  simulate();
  train("a", {"--task", "extrapolate"});
  train("b", {"--task", "extrapolate", "--lr", "0.002"});
  lgode_ok({"compare", "a", "b", "--out", "compare.html"});
  const json page = data_of(path("compare.html"));
  ASSERT_EQ(page["runs"].size(), 2U);
  EXPECT_EQ(page["runs"][1]["evaluation"]["test_mse"], lgode_json({"evaluate", "b", "--json"})["test_mse"]);
  lgode_ok({"compare", "a", "b", "--out", "compare.html"});  // replaces its own page
  expect_error(lgode({"compare", "a", "--out", "one.html"}), 2, {"two runs"});
  // A run that cannot be evaluated is shown without an evaluation.
  std::filesystem::create_directory(path("c"));
  std::filesystem::copy_file(path("a/config.json"), path("c/config.json"));
  const Outcome outcome = lgode_ok({"compare", "a", "c", "--out", "other.html"});
  EXPECT_NE(outcome.err.find("c: not evaluated: no weights"), std::string::npos) << outcome.err;
  EXPECT_EQ(data_of(path("other.html"))["runs"][1]["note"], "no weights yet");
}

}  // namespace
}  // namespace lgode::process
