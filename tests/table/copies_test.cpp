// An import with thinning, windows and a split keeps every array that a data set lists, and any that is added to the
// list.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using data::Dataset;
using data::Per;

// Three recordings of three objects, two rows in a time unit, in no order of time.
class TableCopies : public ::testing::Test {
 protected:
  TableCopies() {
    std::ofstream rows(folder_ / "rows.csv"), edges(folder_ / "edges.csv");
    rows << "system,object,time,x,y\n";
    edges << "system,source,target,type,weight\n";
    for (int s = 0; s < 3; ++s) {
      for (int k = 0; k < 40; ++k)
        for (int o = 0; o < 3; ++o) {
          const int at = k * 7 % 40;
          rows << fmt::format("r{},o{},{},{},{}\n", s, o, 5 + 0.5 * at, 100 * s + 10 * o + at + 0.5, -1 - at);
        }
      edges << fmt::format("r{0},o0,o1,bond,{1}\nr{0},o2,o0,wire,{2}\n", s, 2.5 + s, 3.5 + s);
    }
  }

  Dataset import(const Arrangement& arrangement) {
    ImportOptions options;
    options.observations = {folder_ / "rows.csv"};
    options.relations.table = folder_ / "edges.csv";
    options.arrangement = arrangement;
    return import_csv(options, report_);
  }

  lgode::testing::TempFolder folder_;
  ImportReport report_;
};

// Entries of the arrays by what they belong to: system and object, or relation; and time.
using Key = std::tuple<std::string, std::string, double>;
using Places = std::map<Key, std::size_t>;

std::string recording_of(const Dataset& set, std::int64_t system) {
  const auto& recordings = set.description().recordings;
  return recordings.empty() ? set.system_id(system) : recordings[static_cast<std::size_t>(system)];
}

Places rows_of(const Dataset& set, std::int64_t s) {
  Places places;
  for (std::int64_t o = 0; o < set.objects_of(s); ++o) {
    const std::int64_t object = set.first_object(s) + o, first = set.first_observation(object);
    const auto times = set.times_of(object);
    for (std::size_t k = 0; k < times.size(); ++k)
      places[{recording_of(set, s), set.object_id(s, o), times[k]}] = static_cast<std::size_t>(first) + k;
  }
  return places;
}

Places relations_of(const Dataset& set, std::int64_t s) {
  Places places;
  for (std::int64_t e = set.first_relation(s); e < set.first_relation(s) + set.relations_of(s); ++e) {
    const data::Relation r = set.relation(e);
    places[{recording_of(set, s), set.object_id(s, r.source) + " " + set.object_id(s, r.target), 0.0}] =
        static_cast<std::size_t>(e);
  }
  return places;
}

// Expects the entries of a window, array by array, to be those of its recording.
void expect_entries(const Dataset& whole, const Places& all, const Dataset& cut, const Places& own, Per kind,
                    std::size_t width) {
  Dataset::Arrays::each(
      [&](const char* name, Per per, const auto& from, const auto& to) {
        if (per != kind) return;
        for (const auto& [key, place] : own) {
          ASSERT_TRUE(all.contains(key)) << name;
          const auto first = from.subspan(all.at(key) * width, width), second = to.subspan(place * width, width);
          EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin(), second.end())) << name;
        }
      },
      whole.arrays(), cut.arrays());
}

TEST_F(TableCopies, EveryStepKeepsEveryArray) {
  const Dataset whole = import({});
  Places rows, relations;
  for (std::int64_t s = 0; s < whole.systems(); ++s)
    rows.merge(rows_of(whole, s)), relations.merge(relations_of(whole, s));
  Arrangement thinned, cut, all;
  thinned.every = 1;
  cut.window = 4;
  all.every = 1, all.window = 4, all.stride = 2, all.split = 0.6;
  for (const auto& [name, arrangement] :
       std::vector<std::pair<std::string, Arrangement>>{{"thinned", thinned}, {"cut", cut}, {"all", all}}) {
    SCOPED_TRACE(name);
    const Dataset set = import(arrangement);
    Dataset::Arrays::each([](const char* array, Per, const auto& entries) { EXPECT_FALSE(entries.empty()) << array; },
                          set.arrays());
    for (std::int64_t s = 0; s < set.systems(); ++s) {
      const Places own_rows = rows_of(set, s), own_relations = relations_of(set, s);
      EXPECT_FALSE(own_rows.empty());
      EXPECT_EQ(own_relations.size(), 2U);
      EXPECT_EQ(set.origin(s), std::get<double>(own_rows.begin()->first));
      expect_entries(whole, rows, set, own_rows, Per::kRow, 1);
      expect_entries(whole, rows, set, own_rows, Per::kValue, 2);
      expect_entries(whole, relations, set, own_relations, Per::kRelation, 1);
    }
  }
  EXPECT_GT(report_.split_windows, 0);
}

}  // namespace
}  // namespace lgode::table
