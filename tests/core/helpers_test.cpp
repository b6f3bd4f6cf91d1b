// Threads that wait for tasks.
#include "lgode/core/helpers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

#include "lgode/core/error.h"

namespace lgode {
namespace {

// Tasks run on threads that were prepared, in order, and the end waits for all of them.
TEST(HelpersTest, PreparesItsThreadsAndFinishesItsTasks) {
  std::atomic<int> begun{0}, done{0};
  std::vector<std::future<int>> results;
  {
    Helpers helpers(3, [&] { ++begun; });
    EXPECT_EQ(begun, 3);
    for (int i = 0; i < 20; ++i)
      results.push_back(helpers.run([&, i] {
        ++done;
        if (i == 4) throw DataError("four");
        return i;
      }));
  }
  EXPECT_EQ(done, 20);
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(results[3].get(), 3);
  EXPECT_THROW(results[4].get(), DataError);
}

}  // namespace
}  // namespace lgode
