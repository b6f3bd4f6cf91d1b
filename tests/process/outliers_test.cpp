// Observations that cannot be believed, through the commands: counted, reported, without effect on others, and taken on
// request.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "fixture.h"

namespace lgode::process {
namespace {

constexpr int kGlitchAt = 50;  // the time of a glitch of walker w1 in scene s1

// Two scenes of three walkers on circles. A glitch: x = 4000 for one row, or that row left out.
enum class Row { kPlain, kGlitch, kNone };
std::string table(Row row) {
  std::ostringstream text;
  text << "scene,time,who,x,y\n";
  for (int k = 0; k < 60; ++k)
    for (int s = 0; s < 2; ++s)
      for (int i = 0; i < 3; ++i) {
        const bool here = k == kGlitchAt && s == 1 && i == 1;
        if (here && row == Row::kNone) continue;
        const double angle = 0.7 * i + s + 0.075 * k;
        text << "s" << s << "," << 0.25 * k << ",w" << i << ","
             << (here && row == Row::kGlitch ? 4000 : 10 + 3 * std::cos(angle)) << "," << 3 * std::sin(angle) << "\n";
      }
  return text.str();
}

class OutliersTest : public CommandTest {
 protected:
  void import(const std::string& name, Row row) const {
    write(name + ".csv", table(row));
    lgode_ok({"import", "csv", "--observations", name + ".csv", "--system", "scene", "--object", "who", "--window", "5",
              "--velocities", "difference", "--out", name + ".safetensors"});
  }
  Outcome train(const std::string& data, const std::string& task, const std::string& out,
                const Words& more = {}) const {
    return lgode_ok(Words{"train", data + ".safetensors", "--task", task, "--model", "assimilate", "--state", "4",
                          "--epochs", "2", "--out", out} +
                    tiny() + more);
  }
  static double largest(const std::string& csv, std::size_t column) {
    std::istringstream lines(csv);
    std::string line, field;
    std::getline(lines, line);
    double most = 0;
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      for (std::size_t c = 0; c <= column; ++c) std::getline(fields, field, ',');
      most = std::max(most, std::abs(std::stod(field)));
    }
    return most;
  }
};

TEST_F(OutliersTest, AStreamGoesOnAsWithoutTheGlitch) {
  import("walk", Row::kPlain);
  train("walk", "extrapolate", "run");
  const auto follow = [&](Row row, const Words& more = {}) {
    write("stream.csv", table(row));
    return lgode_ok(Words{"follow", "run", "--input", "stream.csv", "--samples", "0", "--times", "2"} + more);
  };
  const Outcome with = follow(Row::kGlitch), without = follow(Row::kNone),
                taken = follow(Row::kGlitch, {"--outliers", "use"});
  EXPECT_EQ(with.out, without.out);
  EXPECT_NE(with.err.find("note: system s1, object w1 at 12.5: too far from its path to be believed; not used"),
            std::string::npos)
      << with.err;
  EXPECT_NE(with.err.find("1 row too far from the object's path, not used"), std::string::npos) << with.err;
  EXPECT_EQ(without.err.find("too far"), std::string::npos);
  EXPECT_NE(taken.out, without.out);
  EXPECT_EQ(taken.err.find("too far"), std::string::npos);
  EXPECT_GT(largest(taken.out, 5), 1000);
  EXPECT_LT(largest(with.out, 5), 20);
}

TEST_F(OutliersTest, TrainingAndPredictionDoNotSeeThem) {
  import("dirty", Row::kGlitch);
  EXPECT_NE(lgode_ok({"info", "dirty.safetensors"}).out.find("1 observation jumps away from its object's path"),
            std::string::npos);
  const Outcome flagged = train("dirty", "interpolate", "run"),
                used = train("dirty", "interpolate", "used", {"--outliers", "use"});
  EXPECT_NE(flagged.err.find("1 observation jumps away"), std::string::npos) << flagged.err;
  EXPECT_EQ(used.err.find("jumps away"), std::string::npos) << used.err;
  const Words fill = {"predict", "run", "--data", "dirty.safetensors", "--fill", "--fill-with", "model", "--all-times"};
  const Outcome filled = lgode_ok(fill + Words{"--out", "f.csv"});
  EXPECT_NE(filled.err.find("the model does not see them"), std::string::npos) << filled.err;
  // The best scale of the flagged run is that of the walk, of the other that of the glitch.
  const Outcome scored = lgode_ok({"evaluate", "run", "--split", "train", "--json"}),
                blind = lgode_ok({"evaluate", "used", "--split", "train", "--json"});
  EXPECT_NE(scored.out, blind.out);
  const Outcome plain = lgode_ok({"predict", "run", "--data", "dirty.safetensors", "--times", "0:0.25:4.75",
                                  "--relative", "--samples", "0", "--out", "p.csv"});
  EXPECT_LT(largest(bytes("p.csv"), 4), 50);
}

}  // namespace
}  // namespace lgode::process
