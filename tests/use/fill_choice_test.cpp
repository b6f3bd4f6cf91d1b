// How gaps are filled: by the model, the line or cubic Hermite, whichever is best on values that were cut out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/use/fill.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::use {
namespace {

using eval::FeatureFill;
using eval::FillMethod;
using eval::kLeastCompared;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Plan {
  int systems = 6, objects = 3, steps = 40;
  double step = 0.1;
  std::function<double(int system, int object, double time)> x;
  std::function<bool(int system, int object, int k)> empty = [](int, int, int) { return false; };   // no value at all
  std::function<bool(int system, int object, int k)> partly = [](int, int, int) { return false; };  // no x
  bool derived = false;
};

// Features x and y = -x (or the derived velocity of x).
data::Dataset make(const Plan& plan) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}};
  if (plan.derived) d.features[1] = {"v", "", 1, 0, true};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 2;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < plan.systems; ++s) {
    builder.begin_system(data::Part::kTrain, 0, fmt::format("s{}", s));
    for (int o = 0; o < plan.objects; ++o) {
      builder.add_object(fmt::format("o{}", o));
      for (int k = 0; k < plan.steps; ++k) {
        const double t = plan.step * k, x = plan.x(s, o, t);
        std::vector<double> values = {x, plan.derived ? kNone : -x};
        if (plan.partly(s, o, k)) values[0] = kNone;
        if (plan.empty(s, o, k)) values = {kNone, kNone};
        builder.add_observation(t, values);
      }
    }
    for (int o = 0; o + 1 < plan.objects; ++o) builder.add_relation({o, o + 1, 0, 1.0F});
  }
  return builder.finish("plan");
}

double wave(int system, int object, double t) { return 3 * std::sin(2 * t + system + 0.5 * object); }

// White noise about 0, the same for the same arguments.
double noise(int system, int object, double t) {
  Random random(5, RandomUse::kTest,
                {static_cast<std::uint64_t>(system), static_cast<std::uint64_t>(object),
                 static_cast<std::uint64_t>(std::lround(t * 1000))});
  return random.uniform(-1.0, 1.0);
}

class FillChoice : public ::testing::Test {
 protected:
  Filled fill(const eval::Run& run, const data::Dataset& set, std::optional<FillMethod> with = {}) {
    FillOptions options;
    for (std::int64_t s = 0; s < set.systems(); ++s) options.predict.systems.push_back(s);
    options.predict.samples = 0;
    options.with = with;
    return write_filled(folder_ / "filled.csv", Overwrite::kAllow, run, set, options);
  }
  // x by system, object and time, of the rows that were filled.
  std::map<std::string, double> filled_x() const {
    std::ifstream file(folder_ / "filled.csv");
    std::map<std::string, double> out;
    for (std::string line; std::getline(file, line);) {
      std::vector<std::string> fields;
      std::istringstream in(line);
      for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
      if (fields.size() < 5 || fields.back().find('x') == std::string::npos || fields[0] == "system") continue;
      out[fields[0] + " " + fields[1] + " " + fields[2]] = std::stod(fields[3]);
    }
    return out;
  }
  double rms(const Plan& plan) const {
    double sum = 0;
    const auto values = filled_x();
    for (const auto& [name, x] : values) {
      std::istringstream in(name.substr(1));
      int s = 0, o = 0;
      char letter = 0;
      double t = 0;
      in >> s >> letter >> o >> t;
      sum += std::pow(x - plan.x(s, o, t), 2);
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
  }

  lgode::testing::TempFolder folder_;
};

// An untrained model knows nothing.
TEST_F(FillChoice, ABadModelIsNotUsed) {
  for (const bool whole_rows : {true, false}) {
    Plan plan;
    plan.x = wave;
    (whole_rows ? plan.empty : plan.partly) = [](int s, int o, int k) { return (k + s + o) % 8 > 5; };
    const data::Dataset set = make(plan);
    eval::Run run = lgode::testing::run_on(set);
    run.info.data_fingerprint = set.fingerprint();
    const Filled filled = fill(run, set);
    EXPECT_TRUE(filled.compared_on_validation);
    ASSERT_EQ(filled.features.size(), whole_rows ? 2U : 1U);
    for (const FeatureFill& feature : filled.features) {
      EXPECT_EQ(feature.method, FillMethod::kHermite);
      EXPECT_GE(feature.compared, kLeastCompared);
      EXPECT_LT(feature.hermite_error, feature.linear_error);
      EXPECT_GT(feature.model_error, 10 * feature.linear_error);
      EXPECT_EQ(feature.by_model, 0);
      EXPECT_GT(feature.by_hermite, 0);
      EXPECT_EQ(feature.by_model + feature.by_linear + feature.by_hermite,
                filled.values / static_cast<std::int64_t>(filled.features.size()));
    }
    const double best = rms(plan);
    fill(run, set, FillMethod::kLinear);
    const double line = rms(plan);
    fill(run, set, FillMethod::kModel);
    EXPECT_LE(best, line);
    EXPECT_GT(rms(plan), line);
  }
}

// Against noise, a model that says about the mean is better than any path through neighbours.
TEST_F(FillChoice, AGoodModelIsUsed) {
  Plan plan;
  plan.x = noise;
  // The first object is also hidden for longer than a range.
  plan.empty = [](int s, int o, int k) { return (k + s + o) % 7 == 3 || (s == 0 && o == 0 && k > 5 && k < 30); };
  const data::Dataset set = make(plan);
  eval::Run run = lgode::testing::run_on(set);
  for (const model::Parameters::Entry& entry : run.model->parameters().entries())
    if (entry.name.starts_with("decoder")) entry.tensor.detach().zero_();
  const Filled filled = fill(run, set);
  EXPECT_FALSE(filled.compared_on_validation);  // the run does not say what it was trained on
  ASSERT_EQ(filled.features.size(), 2U);
  EXPECT_EQ(filled.features[0].method, FillMethod::kModel);
  EXPECT_LT(filled.features[0].model_error, filled.features[0].linear_error);
  EXPECT_GT(filled.features[0].by_model, 0);
  EXPECT_EQ(filled.features[0].by_linear, 24);
}

TEST_F(FillChoice, TheSameSeedGivesTheSameChoice) {
  Plan plan;
  plan.x = wave;
  plan.empty = [](int s, int o, int k) { return (k + s + o) % 8 > 5; };
  const data::Dataset set = make(plan);
  const eval::Run run = lgode::testing::run_on(set);
  const Filled a = fill(run, set), b = fill(run, set);
  ASSERT_EQ(a.features.size(), b.features.size());
  for (std::size_t f = 0; f < a.features.size(); ++f) {
    EXPECT_EQ(a.features[f].model_error, b.features[f].model_error);
    EXPECT_EQ(a.features[f].linear_error, b.features[f].linear_error);
    EXPECT_EQ(a.features[f].compared, b.features[f].compared);
  }
}

// On lines, the line and Hermite are exact; outside the observations the nearest value is held.
TEST_F(FillChoice, ClassicalPathsSeeTheWholeRecordingAndHoldOutside) {
  Plan plan;
  plan.systems = 1;
  plan.objects = 1;
  plan.x = [](int, int, double t) { return 2 * t + 1; };
  plan.empty = [](int, int, int k) { return k < 2 || k > 37 || (k >= 10 && k < 33); };  // one gap of more than a range
  const data::Dataset set = make(plan);
  const eval::Run run = lgode::testing::run_on(set);
  const Filled filled = fill(run, set, FillMethod::kLinear);
  EXPECT_EQ(filled.values, 2 * (2 + 2 + 23));
  EXPECT_EQ(filled.open_values, 0);
  for (const auto& [name, x] : filled_x()) {
    const double t = std::stod(name.substr(6));
    EXPECT_NEAR(x, plan.x(0, 0, std::clamp(t, 0.2, 3.7)), 1e-9) << name;
  }
}

// One object is hidden for longer than a range: the model does not see it there, and the line takes over.
TEST_F(FillChoice, WhereTheModelSeesNothingTheLineServes) {
  Plan plan;
  plan.x = wave;
  plan.steps = 80;
  plan.empty = [](int s, int o, int k) { return s == 0 && o == 0 && k >= 15 && k < 65; };
  const data::Dataset set = make(plan);
  const eval::Run run = lgode::testing::run_on(set);
  const Filled filled = fill(run, set, FillMethod::kModel);
  EXPECT_EQ(filled.values, 2 * 50);
  EXPECT_GT(filled.features[0].by_linear, 0);
  EXPECT_GT(filled.features[0].by_model, 0);
  EXPECT_EQ(filled.open_values, 0);
}

// Two observations: nothing can be cut out.
TEST_F(FillChoice, WithTooLittleToCompareItIsTheLine) {
  Plan plan;
  plan.systems = 1;
  plan.objects = 1;
  plan.steps = 3;
  plan.x = [](int, int, double t) { return t; };
  plan.empty = [](int, int, int k) { return k == 1; };
  const data::Dataset set = make(plan);
  const Filled filled = fill(lgode::testing::run_on(set), set);
  ASSERT_EQ(filled.features.size(), 2U);
  EXPECT_EQ(filled.features[0].method, FillMethod::kLinear);
  EXPECT_EQ(filled.features[0].compared, 0);
  EXPECT_TRUE(std::isnan(filled.features[0].linear_error));
  EXPECT_NEAR(filled_x().at("s0 o0 0.1"), 0.1, 1e-9);
}

// Systems of the validation part have one observation, so no gap can be cut there: the data itself is compared on.
TEST_F(FillChoice, WithoutAPlaceInTheValidationPartTheDataServes) {
  Plan plan;
  plan.x = wave;
  plan.systems = 12;
  plan.empty = [](int s, int, int k) { return s == 0 ? k % 5 == 2 : k > 0; };
  const data::Dataset set = make(plan);
  eval::Run run = lgode::testing::run_on(set);
  run.info.data_fingerprint = set.fingerprint();
  const Filled filled = fill(run, set);
  ASSERT_FALSE(filled.features.empty());
  EXPECT_FALSE(filled.compared_on_validation);
  EXPECT_TRUE(filled.data_of_training);
  EXPECT_GT(filled.features[0].compared, 0);
}

// What was never observed of an object stays empty, unless the model has a value.
TEST_F(FillChoice, ValuesThatNothingKnowsStayEmpty) {
  Plan plan;
  plan.x = wave;
  plan.partly = [](int s, int o, int k) { return (s == 0 && o == 1) || k % 9 == 4; };
  plan.empty = [](int s, int o, int) { return s == 0 && o == 2; };
  const data::Dataset set = make(plan);
  const eval::Run run = lgode::testing::run_on(set);
  Filled filled = fill(run, set, FillMethod::kLinear);
  EXPECT_EQ(filled.open_values, 40 + 2 * 40);
  EXPECT_EQ(filled.open_rows, 40 + 40);
  filled = fill(run, set);
  EXPECT_EQ(filled.open_values, 2 * 40);  // the model saw y of the first of them, and nothing of the second
  EXPECT_EQ(filled.features[0].by_model, 40);
}

TEST_F(FillChoice, DerivedFeaturesAreNotFilled) {
  Plan plan;
  plan.x = wave;
  plan.derived = true;
  plan.empty = [](int s, int o, int k) { return (k + s + o) % 8 > 5; };
  const data::Dataset set = make(plan);
  eval::Run run = lgode::testing::run_on(set);
  const Filled filled = fill(run, set);
  ASSERT_EQ(filled.features.size(), 1U);
  std::ifstream file(folder_ / "filled.csv");
  std::string header;
  std::getline(file, header);
  EXPECT_EQ(header, "system,object,time,x,imputed");
  EXPECT_LT(rms(plan), 0.3);
}

}  // namespace
}  // namespace lgode::use
