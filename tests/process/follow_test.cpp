// lgode follow: rows through a pipe, kills and restarts, late and bad rows, the same numbers as lgode predict.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "fixture.h"

namespace lgode::process {
namespace {

// Two scenes of three walkers on circles; one leaves early. `bad`: put in place of the tenth row.
std::string table(const std::string& bad = {}) {
  std::string text = "scene,time,who,x,y\n";
  int row = 0;
  for (int k = 0; k < 60; ++k)
    for (int s = 0; s < 2; ++s)
      for (int i = 0; i < 3; ++i) {
        if (i == 2 && k > 40) continue;
        const double t = 0.25 * k, angle = 0.7 * i + s + 0.3 * t;
        std::ostringstream line;
        line << "s" << s << "," << t << ",w" << i << "," << 10 + 3 * std::cos(angle) << "," << 3 * std::sin(angle);
        text += (++row == 10 && !bad.empty() ? bad : line.str()) + "\n";
      }
  return text;
}

class Follow : public CommandTest {
 protected:
  void prepare() const {
    write("walk.csv", table());
    lgode_ok({"import", "csv", "--observations", "walk.csv", "--system", "scene", "--object", "who", "--window", "5",
              "--velocities", "difference", "--out", "walk.safetensors"});
    lgode_ok(Words{"train", "walk.safetensors", "--task", "extrapolate", "--model", "assimilate", "--state", "4",
                   "--centre", "system", "--epochs", "1", "--out", "run"} +
             tiny());
  }
  Words call(const Words& more) const {
    return Words{"follow", "run", "--input", "walk.csv", "--samples", "3", "--times", "2"} + more;
  }
};

TEST_F(Follow, WritesTheNumbersOfPredict) {
  prepare();
  const Outcome outcome = lgode_ok(
      {"follow", "run", "--input", "walk.csv", "--samples", "0", "--times", "1", "--horizon", "1", "--every", "7"});
  EXPECT_NE(outcome.err.find("322 rows taken, 6 forecasts written"), std::string::npos) << outcome.err;
  lgode_ok({"import", "csv", "--observations", "walk.csv", "--system", "scene", "--object", "who", "--velocities",
            "difference", "--split", "1", "--out", "whole.safetensors"});
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "made,system,object,time,feature,mean,std,q05,q95");
  int compared = 0;
  std::string predicted, made_before;
  while (std::getline(lines, line)) {
    const std::string made = line.substr(0, line.find(','));
    if (made == "0") continue;  // a prediction needs more than a first row
    if (made != made_before)
      lgode_ok({"predict", "run", "--data", "whole.safetensors", "--context", "all", "--samples", "0", "--start", made,
                "--include-start", "--times", std::to_string(std::stod(made) + 1), "--allow-mismatch", "--force",
                "--out", "p.csv"});
    made_before = made;
    std::istringstream fields(line.substr(line.find(',') + 1)), rows(bytes("p.csv"));
    std::string system, object, time, feature, mean, row;
    std::getline(fields, system, ','), std::getline(fields, object, ','), std::getline(fields, time, ',');
    std::getline(fields, feature, ','), std::getline(fields, mean, ',');
    bool found = false;
    while (std::getline(rows, row)) {
      const std::string start = system + "," + object + "," + time + "," + feature + ",";
      if (!row.starts_with(start)) continue;
      found = true, ++compared;
      EXPECT_NEAR(std::stod(row.substr(start.size())), std::stod(mean), 1e-4) << line;
    }
    EXPECT_TRUE(found) << line;
  }
  EXPECT_GE(compared, 16);
}

TEST_F(Follow, KilledAndStartedAgainItGoesOn) {
  prepare();
  const std::string whole = lgode_ok(call({})).out;
  const std::string rows = bytes("walk.csv");
  // The middle of a time: the pipe stays open, so that nothing ends the time but the rest.
  std::size_t cut = 0;
  for (int line = 0; line < 150; ++line) cut = rows.find('\n', cut) + 1;
  for (const int signal : {SIGTERM, SIGKILL}) {
    const std::string name = "state" + std::to_string(signal);
    write("half.csv", rows.substr(0, cut));
    write("first.sh", "(cat half.csv; sleep 60) | " LGODE_COMMAND
                      " follow run --samples 3 --times 2 --save-every 0 --state " +
                          name + " > first.csv & echo $! > pid; wait $!\n");
    Child child({"/bin/bash", "first.sh"}, {folder()});
    // The last time that the half completes has been written for both scenes.
    const auto lines_of = [&](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    std::string first;
    for (int wait = 0; wait < 600 && lines_of(first) < 24 * 2 * 2 * 3 * 2; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (exists("first.csv")) first = bytes("first.csv");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(std::stoi(bytes("pid")), signal);
    child.send(SIGKILL);
    child.wait();
    first = bytes("first.csv");
    ASSERT_TRUE(whole.starts_with(first) && !first.empty()) << signal;
    ASSERT_LT(first.size(), whole.size());
    const Outcome rest = lgode_ok(call({"--state", name}));
    EXPECT_NE(rest.err.find("going on after time"), std::string::npos) << rest.err;
    EXPECT_NE(rest.err.find("skipped, of the time before the state"), std::string::npos) << rest.err;
    EXPECT_EQ(first + rest.out, whole) << signal;
  }
}

// Scenes one after another: the first is dropped when the second has lasted for long, with its last forecast written.
TEST_F(Follow, ScenesThatEndedAreDropped) {
  prepare();
  std::string rows = "scene,time,who,x,y\n";
  for (int k = 0; k < 700; ++k)
    rows += "a" + std::to_string(k / 350) + "," + std::to_string(k) + "e-1,w,1," + std::to_string(k % 7) + "\n";
  write("walk.csv", rows);
  const Outcome first = lgode_ok(call({"--state", "state"}));
  EXPECT_NE(first.err.find("700 rows taken, 700 forecasts"), std::string::npos) << first.err;
  EXPECT_LT(first.out.find("\n34.9,a0"), first.out.find("\n69.9,a1"));
  const std::string state = bytes("state");
  EXPECT_NE(state.find("a0\\\",34.9"), std::string::npos);
  const Outcome again = lgode_ok(call({"--state", "state"}));
  EXPECT_NE(again.err.find("0 rows taken, 0 forecasts written; 700 rows skipped"), std::string::npos) << again.err;
  EXPECT_EQ(again.out, "");
}

TEST_F(Follow, RefusesTheStateOfAnotherRun) {
  prepare();
  lgode_ok(call({"--state", "state"}));
  lgode_ok(Words{"train", "walk.safetensors", "--task", "extrapolate", "--model", "assimilate", "--state", "4",
                 "--centre", "system", "--epochs", "1", "--seed", "2", "--out", "other"} +
           tiny());
  expect_error(lgode({"follow", "other", "--input", "walk.csv", "--state", "state"}), 1, {"state", "another run"});
  write("text", "not a state");
  expect_error(lgode(call({"--state", "text"})), 1, {"text"});
}

TEST_F(Follow, LateAndBadRowsAreReported) {
  prepare();
  const std::string whole = lgode_ok(call({})).out;
  // The first row of time 1 comes after time 1.25 has begun.
  std::string rows = bytes("walk.csv");
  const std::size_t begin = rows.find("s0,1,w0"), end = rows.find('\n', begin) + 1;
  const std::string late = rows.substr(begin, end - begin);
  rows.erase(begin, end - begin);
  rows.insert(rows.find("s0,1.25,w1"), late);
  write("walk.csv", rows);
  const Outcome warned = lgode_ok(call({}));
  EXPECT_NE(warned.err.find("comes after one of 1.25"), std::string::npos) << warned.err;
  EXPECT_NE(warned.err.find("1 row too late"), std::string::npos) << warned.err;
  const Outcome taken = lgode_ok(call({"--late", "0.5"}));
  EXPECT_EQ(taken.err.find("too late"), std::string::npos) << taken.err;
  const std::string last = whole.substr(whole.find("\n2,"));
  EXPECT_TRUE(taken.out.ends_with(last));
  EXPECT_NE(warned.out, whole);

  write("walk.csv", table("s0,0.25,w0,one,2"));
  expect_error(lgode(call({})), 1, {"line 11", "x", "one", "--skip-bad"});
  const Outcome skipped = lgode_ok(call({"--skip-bad"}));
  EXPECT_NE(skipped.err.find("line 11"), std::string::npos) << skipped.err;
  EXPECT_NE(skipped.err.find("1 row that cannot be read"), std::string::npos) << skipped.err;

  write("walk.csv", "scene,time,who,x,y,colour\ns0,1,w0,1,2,red\n");
  expect_error(lgode(call({})), 2, {"colour", "--ignore-others"});
  lgode_ok(call({"--ignore-others"}));
  write("walk.csv", "scene,time,who,x\ns0,1,w0,1\n");
  expect_error(lgode(call({})), 2, {"y"});
}

TEST_F(Follow, TakesFramesAndAsksForTheirRate) {
  prepare();
  const std::string whole = lgode_ok(call({})).out;
  // Times of 0.25 s as frames.
  std::istringstream lines(table());
  std::string line, frames, wrong;
  std::getline(lines, line);
  frames = wrong = line + "\n";
  while (std::getline(lines, line)) {
    const std::size_t from = line.find(',') + 1, to = line.find(',', from);
    const double time = std::stod(line.substr(from, to - from));
    frames += line.substr(0, from) + std::to_string(static_cast<int>(4 * time)) + line.substr(to) + "\n";
    wrong += line.substr(0, from) + std::to_string(static_cast<int>(100 * time)) + line.substr(to) + "\n";
  }
  write("walk.csv", wrong);
  expect_error(lgode(call({})), 2, {"times 0 and 25 look like frames", "--rate", "such as 100"});
  lgode_ok(call({"--rate", "100"}));
  lgode_ok(call({"--rate", "1"}));
  write("walk.csv", frames);
  const std::string counted = lgode_ok(call({"--rate", "4"})).out;
  EXPECT_EQ(std::count(counted.begin(), counted.end(), '\n'), std::count(whole.begin(), whole.end(), '\n'));
  EXPECT_NE(counted.find("\n4,s0,w0,"), std::string::npos) << counted;
  EXPECT_NE(whole.find("\n1,s0,w0,"), std::string::npos) << whole;
}

TEST_F(Follow, NamesOnlyFlagsOfItsOwn) {
  prepare();
  for (const char* text : {"scene,time,x,y\ns0,1,1,2\n", "scene,who,x,y\ns0,w,1,2\n", "scene,time,who,x\ns0,1,w0,1\n",
                           "1,2,3,4,5\n", "scene,time,who,x,y\ns0,1,w0,1,2,3\n",
                           "scene,time,who,x,y\ns0,1,w0,\"1,5\",2\n", "scene,time,who,x,y\ns0,red,w0,1,2\n"}) {
    write("walk.csv", text);
    const Outcome outcome = lgode(call({}));
    EXPECT_NE(outcome.code, 0) << text;
    for (const char* flag : {"--object ", "--time ", "--features", "--columns", "--delimiter", "--decimal-comma"})
      EXPECT_EQ(outcome.err.find(flag), std::string::npos) << outcome.err;
  }
}

TEST_F(Follow, RefusesRunsThatCannotBeFollowed) {
  simulate();
  train("run", {"--task", "extrapolate", "--model", "lg-ode"});
  write("walk.csv", table());
  write("edges.csv", "source,target\n0,1\n");
  expect_error(lgode(call({"--edges", "edges.csv"})), 2, {"--model assimilate"});
  expect_error(lgode(call({})), 2, {"--edges"});
}

}  // namespace
}  // namespace lgode::process
