// Scales by group, over the observed values of the systems asked for.
#include "lgode/data/normalisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lgode::data {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Two systems with features x, y (group 0), v (group 1) and a constant zero (group 5).
Dataset two_systems() {
  Description description;
  description.name = "test";
  description.features = {{"x", "", 0, -1}, {"y", "", 0, -1}, {"v", "", 1, 0}, {"zero", "", 5, -1}};
  description.relation_types = {"any"};
  DatasetBuilder builder(description);
  builder.begin_system(Part::kTrain);
  builder.add_object();
  builder.add_observation(0.0, std::vector<double>{1.0, -3.0, 0.5, 0.0});
  builder.add_observation(1.0, std::vector<double>{kMissing, 2.0, kMissing, 0.0});
  builder.add_object();
  builder.begin_system(Part::kTest);
  builder.add_object();
  builder.add_observation(0.0, std::vector<double>{-7.0, kMissing, kMissing, kMissing});
  return builder.finish("test");
}

TEST(Normalisation, TakesTheLargestMagnitudeOfAGroup) {
  const Dataset dataset = two_systems();
  EXPECT_EQ(fit_normalisation(dataset, {0}).scale, (std::vector<double>{3.0, 3.0, 0.5, 1.0}));
  EXPECT_EQ(fit_normalisation(dataset, {0, 1}).scale, (std::vector<double>{7.0, 7.0, 0.5, 1.0}));
}

TEST(Normalisation, IsOneWhereNothingWasObserved) {
  const Dataset dataset = two_systems();
  EXPECT_EQ(fit_normalisation(dataset, {1}).scale, (std::vector<double>{7.0, 7.0, 1.0, 1.0}));
  EXPECT_EQ(fit_normalisation(dataset, {}).scale, (std::vector<double>{1.0, 1.0, 1.0, 1.0}));
}

}  // namespace
}  // namespace lgode::data
