// Tables whose times are far from zero: windows and thinning must not lose or repeat rows by rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "lgode/data/batch_maker.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

// 200 rows, ten a second, from a time two years after the first recording.
class FarTimes : public ::testing::Test {
 protected:
  FarTimes() {
    std::ofstream file(folder_ / "far.csv");
    file << "system,object,time,x\n";
    for (const double start : {0.0, 6.3e7}) {
      for (int k = 0; k < 200; ++k) file << fmt::format("s{:.0f},a,{:.1f},{}\n", start, start + 0.1 * k, k);
    }
  }

  data::Dataset import(std::optional<double> window, std::optional<double> every) {
    ImportOptions options;
    options.observations = {folder_ / "far.csv"};
    options.arrangement.window = window, options.arrangement.every = every;
    options.arrangement.test_systems = {"s0*"};
    return import_csv(options, report_);
  }

  lgode::testing::TempFolder folder_;
  ImportReport report_;
};

TEST_F(FarTimes, WindowsHoldEveryRowOnce) {
  const data::Dataset set = import(0.7, {});
  EXPECT_EQ(set.observations() + report_.outside_windows, 400);
  for (std::int64_t o = 0; o < set.objects(); ++o) EXPECT_EQ(set.times_of(o).size(), 7U) << o;
  // Batches agree: nothing is before a window's origin or after its range.
  data::TaskOptions task;
  task.observed = 1;
  const data::BatchMaker maker(set, {{1.0}}, task);
  for (std::int64_t s = 0; s < set.systems(); ++s) EXPECT_EQ(maker.make({s}, data::View::kTest).targets(), 7) << s;
}

TEST_F(FarTimes, ThinningKeepsEverySecondRow) {
  const data::Dataset set = import({}, 0.2);
  EXPECT_EQ(set.observations(), 200);
  for (std::int64_t o = 0; o < set.objects(); ++o)
    for (std::size_t k = 1; k < set.times_of(o).size(); ++k)
      EXPECT_NEAR(set.times_of(o)[k] - set.times_of(o)[k - 1], 0.2, 1e-6);
}

}  // namespace
}  // namespace lgode::table
