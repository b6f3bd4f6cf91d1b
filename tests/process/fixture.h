// Shared by the tests of the command: a new folder per test, functions to call the command, and small data sets.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "child.h"
#include "lgode/data/dataset.h"

namespace lgode::process {

using Words = std::vector<std::string>;

Words operator+(Words first, const Words& second);

// Options of a model small enough to train within a second.
Words tiny();

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // The folder that the command runs in.
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  // The command; train, evaluate, predict and calibrate in a fork of the tests.
  Outcome lgode(const Words& arguments, bool as_nobody = false) const;
  // The command as a user starts it: lgode, which may become lgode-engine.
  Outcome run_programs(const Words& arguments) const;
  // The same, and it must succeed.
  Outcome lgode_ok(const Words& arguments) const;
  Child start(const Words& arguments) const;
  // Standard output as JSON; it must succeed.
  nlohmann::json lgode_json(const Words& arguments) const;

  // Writes springs.safetensors: 24 training and 6 test systems.
  void simulate(const Words& more = {}) const;
  // Trains a tiny model on springs.safetensors.
  void train(const std::string& out, const Words& more = {}) const;

  std::string bytes(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

 private:
  std::filesystem::path base_, folder_;
};

// Expects "lgode: error:" and each of the words on standard error, and no source location or stack trace.
void expect_error(const Outcome& outcome, int code, const Words& words);

// Swinging objects with features x and v = dx/dt; training systems over [0, 6), test systems over [0, 12). Object i
// acts on object i + 1.
struct Swings {
  int train = 12, test = 4, objects = 3;
  double origin = 0;        // added to all times
  bool set_origins = true;  // the data set stores its origins
  // Number of observations; 20 for training systems and 40 for test ones by default.
  std::function<int(int system, int object)> length;
  // Changes an observation's values.
  std::function<void(int system, int object, int k, std::vector<double>& values)> change;
  std::function<double(int system, int object, int k)> time;
};
data::Dataset make(const Swings& swings);
// Writes make(swings) to a file.
void save(const Swings& swings, const std::filesystem::path& path);

}  // namespace lgode::process
