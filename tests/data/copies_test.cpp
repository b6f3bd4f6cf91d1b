// Every way to copy a system keeps every array that a data set lists, and any that is added to the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/combine.h"
#include "lgode/data/dataset.h"
#include "lgode/data/recordings.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::TempFolder;

// Entries that no default could be mistaken for: zeros only where an offset must be 0.
Dataset sample() {
  Description d;
  d.name = "demo";
  d.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  d.relation_types = {"bond", "wire"};
  DatasetBuilder builder(d);
  for (int s = 0; s < 3; ++s) {
    builder.begin_system(Part::kTest, 0.25 + s, "s" + std::to_string(s));
    for (int o = 0; o < 2 + s; ++o) {
      builder.add_object("o" + std::to_string(o));
      for (int k = 0; k < 1 + o + s; ++k)
        builder.add_observation(1.0 + s + 0.1 * k, std::vector<double>{10.0 * s + o + 0.5, -1.0 - k});
    }
    for (int e = 0; e < 1 + s; ++e) builder.add_relation({1, e % 2 == 0 ? 0 : 2, 1, 2.5F + static_cast<float>(e)});
  }
  return builder.finish("sample");
}

// Compares all arrays of two sets.
void expect_same_arrays(const Dataset& a, const Dataset& b, const std::string& path) {
  Dataset::Arrays::each(
      [&](const char* name, Per, const auto& x, const auto& y) {
        EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << path << ": " << name;
        EXPECT_FALSE(x.empty()) << path << ": " << name;
      },
      a.arrays(), b.arrays());
}

// The systems of a set one after another, by the builder.
Dataset copied(const Dataset& set, const SystemCopy& copy = {}) {
  Description description = set.description();
  description.system_ids.clear();
  description.object_ids.clear();
  DatasetBuilder builder(description);
  for (std::int64_t s = 0; s < set.systems(); ++s) {
    SystemCopy own = copy;
    own.id = set.system_id(s);
    EXPECT_EQ(builder.add_system(set, s, own), s);
  }
  return builder.finish("copied");
}

TEST(Copies, TheSampleHasNoDefaults) {
  Dataset::Arrays::each(
      [](const char* name, Per per, const auto& array) {
        if (per != Per::kSystem && per != Per::kRow && per != Per::kValue) return;
        for (const auto x : array) EXPECT_NE(static_cast<double>(x), 0.0) << name;
      },
      sample().arrays());
}

TEST(Copies, EveryPathKeepsEveryArray) {
  const Dataset set = sample();
  const TempFolder folder;
  save_dataset(set, folder / "set.safetensors", Overwrite::kRefuse);
  const std::vector<std::pair<std::string, std::function<Dataset()>>> paths = {
      {"builder", [&] { return copied(set); }},
      {"file", [&] { return load_dataset(folder / "set.safetensors"); }},
      {"parts",
       [&] {
         return with_parts(set, {Part::kTest, Part::kTest, Part::kTest});
       }},
      {"merge", [&] { return merge({set}, {"a"}); }},
  };
  for (const auto& [name, copy] : paths) expect_same_arrays(set, copy(), name);
}

TEST(Copies, RowsOfJoinedWindowsKeepEveryArrayPerRow) {
  const Dataset set = sample(), joined = join_recordings(set, {0, 1, 2});
  Dataset::Arrays::each(
      [](const char* name, Per per, const auto& x, const auto& y) {
        if (per == Per::kSystemEnd || per == Per::kRelation) return;
        EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << name;
      },
      set.arrays(), joined.arrays());
}

TEST(Copies, TimesMayShiftAndTypesMayChange) {
  const Dataset set = sample();
  const std::vector<std::int32_t> types = {1, 0};
  const Dataset other = copied(set, {.id = {}, .shift = 2.0, .types = types});
  EXPECT_EQ(other.origin(1), set.origin(1) + 2.0);
  EXPECT_EQ(other.times_of(0)[0], set.times_of(0)[0] + 2.0);
  EXPECT_EQ(set.relation(0).type, 1);
  EXPECT_EQ(other.relation(0).type, 0);
  EXPECT_EQ(other.relation(0).weight, set.relation(0).weight);
}

TEST(Copies, FeaturesMustBeAsMany) {
  Description d = sample().description();
  d.system_ids.clear(), d.object_ids.clear(), d.features.pop_back();
  DatasetBuilder builder(d);
  EXPECT_THROW(builder.add_system(sample(), 0), DataError);
}

TEST(Copies, EveryArrayCountsInTheFingerprintAndInTheChecks) {
  const Dataset set = sample();
  std::size_t arrays = 0;
  Dataset::Arrays::each([&](const char*, Per, const auto&) { ++arrays; }, set.arrays());
  for (std::size_t k = 0; k < arrays; ++k) {
    Dataset::Arrays shorter = set.arrays();
    std::size_t at = 0;
    std::string shortened;
    Dataset::Arrays::each(
        [&](const char* name, Per, auto& array) {
          if (at++ == k) array = array.first(array.size() - 1), shortened = name;
        },
        shorter);
    EXPECT_THROW(Dataset(set.description(), shorter, nullptr, "shorter"), DataError) << shortened;
    const Dataset unchecked(set.description(), shorter, nullptr, Dataset::Facts{});
    EXPECT_NE(unchecked.fingerprint(), set.fingerprint()) << shortened;
    EXPECT_LT(unchecked.bytes(), set.bytes()) << shortened;
  }
}

}  // namespace
}  // namespace lgode::data
