// Estimates of the time that is left.
#include "text/time_left.h"

#include <gtest/gtest.h>

namespace lgode::app {
namespace {

TEST(TimeLeftTest, NothingIsKnownBeforeTheFirstReport) {
  TimeLeft left;
  EXPECT_FALSE(left.seconds());
  left.add(3, 0);
  EXPECT_FALSE(left.seconds());
}

TEST(TimeLeftTest, ABatchIsWorthAllOfItsSystems) {
  TimeLeft left;
  left.add(10, 0.25);
  EXPECT_NEAR(*left.seconds(), 30, 1e-9);
  left.add(20, 0.5);
  EXPECT_NEAR(*left.seconds(), 20, 1e-9);
  left.add(40, 1);
  EXPECT_NEAR(*left.seconds(), 0, 1e-9);
}

TEST(TimeLeftTest, WhatIsDoneOnceDoesNotCountAgain) {
  TimeLeft left;
  left.add(30, 0.1);  // 29 of them to start
  left.add(31, 0.2);
  EXPECT_NEAR(*left.seconds(), 8, 1e-9);
}

}  // namespace
}  // namespace lgode::app
