// What would spoil a run or a file without a word: other data on resuming, divergence, batches that ask nothing, input
// as output.
#include <cmath>

#include "fixture.h"

namespace lgode::process {
namespace {

class Guard : public CommandTest {};

TEST_F(Guard, ResumingOnOtherDataIsRefused) {
  simulate();
  train("run", {"--epochs", "2"});
  const std::string before = bytes("run/checkpoint.safetensors");
  lgode_ok({"simulate", "springs", "--train", "24", "--test", "6", "--seed", "2", "--out", "other.safetensors"});
  expect_error(lgode({"train", "other.safetensors", "--resume", "--out", "run"}), 1, {"another data set"});
  EXPECT_EQ(bytes("run/checkpoint.safetensors"), before);
}

TEST_F(Guard, ABatchWithoutAnyValueIsLeftOut) {
  Swings swings;
  swings.change = [](int system, int, int, std::vector<double>& values) {
    if (system == 3) values = {std::nan(""), std::nan("")};
  };
  save(swings, path("odd.safetensors"));
  lgode_ok(Words{"train", "odd.safetensors", "--out", "run"} + tiny() + Words{"--batch", "1", "--epochs", "2"});
}

TEST_F(Guard, DataWithoutAnyValueIsRefused) {
  Swings swings;
  swings.change = [](int, int, int, std::vector<double>& values) { values = {std::nan(""), std::nan("")}; };
  save(swings, path("odd.safetensors"));
  expect_error(lgode(Words{"train", "odd.safetensors", "--out", "run"} + tiny()), 1, {"no training system"});
}

TEST_F(Guard, DivergenceEndsWithAnErrorAndNoBestWeights) {
  simulate();
  const Outcome outcome = lgode(Words{"train", "springs.safetensors", "--out", "run"} + tiny() +
                                Words{"--lr", "1e30", "--epochs", "3", "--clip", "0"});
  expect_error(outcome, 3, {"diverged", "--lr"});
  if (exists("run/best.safetensors")) {
    // Weights of an epoch before the divergence may be there, but they are numbers.
    EXPECT_EQ(lgode({"evaluate", "run", "--json"}).out.find("nan"), std::string::npos);
  }
}

TEST_F(Guard, NoEpochsLeaveUsableWeights) {
  simulate();
  train("run", {"--epochs", "0"});
  lgode_ok({"evaluate", "run"});
}

}  // namespace
}  // namespace lgode::process
