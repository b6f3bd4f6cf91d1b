// The number of threads that a computation takes.
#include "lgode/core/threads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

#include "lgode/core/parallel.h"

namespace lgode {
namespace {

TEST(Threads, AreAtMostOnePerCore) {
  const int cores = hardware_threads();
  EXPECT_EQ(usable_threads(0), cores);
  EXPECT_EQ(usable_threads(1), 1);
  EXPECT_EQ(usable_threads(1000), std::min(cores, 1000));
  EXPECT_EQ(threads_note(0), "");
  EXPECT_EQ(threads_note(1), "");
  EXPECT_NE(threads_note(100'000).find(fmt::format("`threads` 100000: this process may use {} core", cores)),
            std::string::npos);
}

TEST(Threads, OfLoopsAreAtMostOnePerCore) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_tasks(2000, 1000, [&](std::int64_t) {
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(static_cast<int>(seen.size()), hardware_threads());
}

}  // namespace
}  // namespace lgode
