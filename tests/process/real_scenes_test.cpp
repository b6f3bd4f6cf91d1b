// The commands of docs/real-scenes.md, as a reader would type them but with one epoch each; and a scene of thousands.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "fixture.h"
#include "support/fixtures.h"

namespace lgode::process {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The lines after "$ " in the page's blocks, continued lines joined.
Words commands_of(const std::string& page) {
  Words commands;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ ")) continue;
    std::string command = line.substr(2);
    while (command.ends_with('\\') && std::getline(lines, line)) {
      command.pop_back();
      command += line;
    }
    commands.push_back(command);
  }
  return commands;
}

class RealScenes : public CommandTest {
 protected:
  Outcome shell(const std::string& command) const {
    return Child({"/bin/sh", "-c", command}, {.folder = folder()}).wait();
  }
};

TEST_F(RealScenes, ThePageWorksAsWritten) {
  const fs::path data = lgode::testing::recorded_data() / "pedestrians";
  if (!fs::exists(data / "crowds_zara01.txt"))
    GTEST_SKIP() << "no recorded pedestrians in " << data << "; LGODE_TEST_DATA names their folder's parent";
  fs::create_directory_symlink(fs::absolute(data), path("pedestrians"));
  fs::create_directory_symlink(fs::path(LGODE_TESTS_FOLDER) / ".." / "scripts", path("scripts"));
  const Words commands = commands_of(text_of(fs::path(LGODE_TESTS_FOLDER) / ".." / "docs" / "real-scenes.md"));
  const auto of_lgode = std::count_if(commands.begin(), commands.end(),
                                      [](const std::string& command) { return command.starts_with("lgode "); });
  EXPECT_LE(of_lgode, 7);  // one of them draws
  for (std::string command : commands) {
    command = std::regex_replace(command, std::regex("--epochs \\d+"),
                                 "--epochs 1 --encoder-width 16 --hidden 32 --latent 8 --augment 8");
    command = std::regex_replace(command, std::regex("^lgode "), fmt::format("{} ", LGODE_COMMAND));
    const Outcome outcome = shell(command);
    ASSERT_EQ(outcome.code, 0) << command << "\n" << outcome.err;
  }
  EXPECT_LT(fs::file_size(path("scenes.safetensors")), 20'000'000U);
  // The filled table has the raw table's rows, without a header, and no gap left.
  const std::string filled = bytes("filled.csv"), gaps = bytes("gaps/crowds_zara01.txt");
  EXPECT_EQ(std::count(filled.begin(), filled.end(), '\n'), std::count(gaps.begin(), gaps.end(), '\n'));
  EXPECT_NE(gaps.find("\t-\t-"), std::string::npos);
  EXPECT_EQ(filled.find("\t-\t-"), std::string::npos);
  EXPECT_TRUE(filled.starts_with("0.0\t1.0\t13.4487205051\t3.93788669527\t\n")) << filled.substr(0, 60);
  // Forecasts of the held-out scene, in its own coordinates.
  EXPECT_TRUE(bytes("forecast.csv").starts_with("system,object,time,feature,mean,"));
  EXPECT_NE(bytes("forecast.csv").find("crowds_zara01/3,"), std::string::npos);
  EXPECT_TRUE(bytes("scene.png").starts_with("\x89PNG"));
}

TEST_F(RealScenes, ThousandsOfObjectsTrainAStep) {
  std::string table = "system,object,time,x,y\n";
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 3000; ++o)
      for (int k = 0; k < 4; ++k)
        table += fmt::format("s{},{},{},{},{}\n", s, o, 0.5 * k, o % 55 + 0.1 * k, o / 55 - 0.05 * k);  // NOLINT
  write("crowd.csv", table);
  lgode_ok({"import", "csv", "--observations", "crowd.csv", "--edges", "k-nearest=6", "--split", "1", "--out",
            "crowd.safetensors"});
  const Outcome info = lgode_ok({"info", "crowd.safetensors"});
  EXPECT_NE(info.out.find("6 nearest"), std::string::npos) << info.out;
  const Outcome outcome =
      lgode_ok(Words{"train", "crowd.safetensors", "--task", "extrapolate", "--observed", "1", "--interaction",
                     "neighbours", "--batch", "1", "--epochs", "1", "--validation", "0", "--out", "run"} +
               tiny());
  EXPECT_NE(outcome.out.find("1 epoch, 1 step"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace lgode::process
