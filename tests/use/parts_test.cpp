// Which systems a use of a run takes, and what is refused.
#include "lgode/use/parts.h"

#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "support/batches.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::use {
namespace {

using lgode::testing::expect_error;

class PartsTest : public ::testing::Test {
 protected:
  PartsTest() : set_(lgode::testing::random_dataset({.objects = {2, 3, 2, 3, 2, 3}}, 3)) {
    info_ = lgode::testing::run_on(set_).info;
    info_.data_fingerprint = set_.fingerprint();
  }
  CalibrationPart chosen(const CalibrationRequest& request) const { return calibration_part(info_, set_, request); }

  data::Dataset set_;
  eval::RunInfo info_;
};

TEST_F(PartsTest, NamesAndEmptyParts) {
  expect_error<ConfigError>([&] { check_split(set_, "dev", "set"); },
                            {"`part` dev: expected test, validation or train"});
  const data::BatchMaker maker = eval::batch_maker(info_, set_);
  const data::Parts parts = data::split_parts(maker);
  EXPECT_EQ(part_of(info_, maker, "train").systems, parts.train);
  EXPECT_EQ(part_of(info_, maker, "train").view, data::View::kValidate);
  if (set_.systems_in(data::Part::kTest).empty()) {
    expect_error<DataError>([&] { part_of(info_, maker, "test"); },
                            {"no test systems; use `split` validation or `split` train"});
    EXPECT_NE(shown_split(info_, set_), "test");
  } else {
    EXPECT_EQ(part_of(info_, maker, "test").view, data::View::kTest);
    EXPECT_EQ(shown_split(info_, set_), "test");
  }
}

TEST_F(PartsTest, TheTrainingDataCalibratesByItsValidationPart) {
  const CalibrationPart own = chosen({}), given = chosen({.data_given = true});
  EXPECT_TRUE(own.own && given.own);
  EXPECT_EQ(own.systems, data::split_parts(eval::batch_maker(info_, set_)).validation);
  EXPECT_EQ(given.systems, own.systems);
  expect_error<ConfigError>([&] { chosen({.part = "test"}); }, {"`part` test goes with `data`"});
  for (const char* part : {"train", "all"})
    expect_error<ConfigError>([&] { chosen({.data_given = true, .part = part}); },
                              {part, "was trained on this data", "`part` test its test part"});
  EXPECT_EQ(chosen({.data_given = true, .part = "test"}).systems, set_.systems_in(data::Part::kTest));
  // Systems of a caller that are not only of the test part.
  CalibrationRequest some{.data_given = true};
  some.systems = set_.systems_in(data::Part::kTrain);
  expect_error<ConfigError>([&] { chosen(some); }, {"was trained on this data"});
}

TEST_F(PartsTest, OtherDataCalibratesWhole) {
  info_.data_fingerprint = "of another set";
  expect_error<DataError>([&] { chosen({}); }, {"is no longer the data"});
  const CalibrationPart all = chosen({.data_given = true});
  EXPECT_FALSE(all.own);
  EXPECT_EQ(all.name, "all");
  EXPECT_EQ(static_cast<std::int64_t>(all.systems.size()), set_.systems());
  EXPECT_EQ(chosen({.data_given = true, .part = "train"}).systems, set_.systems_in(data::Part::kTrain));
}

}  // namespace
}  // namespace lgode::use
