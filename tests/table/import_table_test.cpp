// Tables in memory: the set that import_csv makes of the same table, numbers of all types read in place, bad rows.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/table/import.h"

namespace lgode::table {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
NumberColumn column(const std::vector<T>& values, NumberColumn::Type type, std::ptrdiff_t step = 1) {
  return {type, reinterpret_cast<const std::byte*>(values.data()), step * static_cast<std::ptrdiff_t>(sizeof(T))};
}

// Two systems of two objects, in any order: x is -system - object / 10 - time, v its velocity, missing once.
class ImportTable : public ::testing::Test {
 protected:
  ImportTable() {
    for (const int k : {2, 0, 1, 3})
      for (int s = 0; s < 2; ++s)
        for (int o = 0; o < 2; ++o) {
          system_.push_back(s), object_.push_back(o), time_.push_back(k);
          pairs_.push_back(-s - o / 10.0 - k), pairs_.push_back(k == 1 && o == 1 ? kNaN : -1.0);
        }
    table_.columns = {"system", "object", "time", "x", "v"};
    table_.rows = static_cast<std::int64_t>(time_.size());
    options_.roles.velocity_of = {{"v", "x"}};
    table_.roles = table_roles(options_.roles, table_.where, table_.columns);
    table_.system = {{system_.data(), {"first", "second"}}};
    table_.object = {object_.data(), {"a", "b"}};
    table_.time.cells = column(time_, NumberColumn::Type::kInt32);
    // Both features in one array, row by row.
    table_.features = {column(pairs_, NumberColumn::Type::kFloat64, 2),
                       column(pairs_, NumberColumn::Type::kFloat64, 2)};
    table_.features[1].data += sizeof(double);
  }

  data::Dataset import(const TextTable* edges = nullptr) {
    report_ = {};
    return import_table(options_, table_, edges, report_);
  }

  void expect_refused(const std::vector<std::string>& parts, const TextTable* edges = nullptr) {
    try {
      import(edges);
      FAIL() << "nothing was refused";
    } catch (const DataError& error) {
      for (const std::string& part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in " << error.what();
    }
  }

  std::vector<std::int32_t> system_, object_, time_;
  std::vector<double> pairs_;
  MemoryTable table_;
  ImportOptions options_;
  ImportReport report_;
};

TEST_F(ImportTable, GroupsAndSortsRows) {
  const data::Dataset set = import();
  ASSERT_EQ(set.systems(), 2);
  ASSERT_EQ(set.objects(), 4);
  EXPECT_EQ(set.system_id(1), "second");
  EXPECT_EQ(set.object_id(1, 1), "b");
  for (std::int64_t o = 0; o < 4; ++o)
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(set.times_of(o)[k], static_cast<double>(k));
      EXPECT_EQ(set.values_of(o)[2 * k],
                static_cast<double>(-(o / 2)) - static_cast<double>(o % 2) / 10.0 - static_cast<double>(k));
      EXPECT_EQ(std::isnan(set.values_of(o)[2 * k + 1]), k == 1 && o % 2 == 1);
    }
  EXPECT_EQ(set.description().features[1].velocity_of, 0);
  EXPECT_EQ(report_.rows, 16);
}

TEST_F(ImportTable, ReadsNumbersOfAllTypes) {
  const std::string expected = import().fingerprint();
  const std::vector<double> doubles(time_.begin(), time_.end());
  const std::vector<float> floats(time_.begin(), time_.end());
  const std::vector<std::int64_t> longs(time_.begin(), time_.end());
  const std::vector<std::uint8_t> bytes(time_.begin(), time_.end());
  for (const NumberColumn& time :
       {column(doubles, NumberColumn::Type::kFloat64), column(floats, NumberColumn::Type::kFloat32),
        column(longs, NumberColumn::Type::kInt64), column(bytes, NumberColumn::Type::kUint8)}) {
    table_.time.cells = time;
    EXPECT_EQ(import().fingerprint(), expected);
  }
}

TEST_F(ImportTable, DatesCountFromTheFirst) {
  std::vector<std::int64_t> instants;
  for (const std::int32_t k : time_) instants.push_back(1'700'000'000'000'000'000 + k * 1'000'000'000LL);
  table_.time.cells = column(instants, NumberColumn::Type::kInt64);
  table_.time.instants = data::TimeStyle{};
  const data::Dataset set = import();
  EXPECT_EQ(set.times_of(0)[3], 3.0);
  EXPECT_EQ(set.description().time_origin, "2023-11-14T22:13:20");
  instants[5] = std::numeric_limits<std::int64_t>::min();
  expect_refused({"row 5, column 'time'", "expected a time"});
}

TEST_F(ImportTable, NamesBadRowsAndColumns) {
  pairs_[2 * 3] = std::numeric_limits<double>::infinity();
  object_[6] = -1;
  table_.features[1].bad = {{9, "fast"}};
  expect_refused({"the table: 3 bad rows", "row 3, column 'x': found 'inf'", "row 6, column 'object': found nothing",
                  "row 9, column 'v': found 'fast'", "`skip_bad_rows`"});
  options_.skip_bad_rows = true;
  EXPECT_EQ(import().rows(), 13);
  EXPECT_EQ(report_.skipped_rows, 3);
}

TEST_F(ImportTable, RowsOfOneObjectAndTimeMustAgree) {
  time_[4] = time_[0];  // a second row of object a of the first system
  expect_refused({"row 4", "the first is in row 0"});
}

TEST_F(ImportTable, TakesEdgesAsTexts) {
  TextTable edges{"the table of edges", {"source", "target", "type"}, {{"a", "b", "near"}, {"b", "a", "far"}}};
  const data::Dataset set = import(&edges);
  EXPECT_EQ(set.relations(), 4);
  EXPECT_EQ(set.description().relation_types, (std::vector<std::string>{"near", "far"}));
  options_.relations.same_types = {"far", "near"};
  EXPECT_EQ(import(&edges).relation(0).type, 1);
  edges.rows.push_back({"a", "c", "near"});
  expect_refused({"the table of edges, row 2, column 'target': found 'c'"}, &edges);
  edges.rows.back() = {"a", "b", "between"};
  expect_refused({"row 2, column 'type': found 'between'", "far, near"}, &edges);
}

TEST_F(ImportTable, FindsColumnsByName) {
  EXPECT_EQ(table_roles({}, "t", {"time", "y", "object", "x"}).features, (std::vector<std::size_t>{1, 3}));
  EXPECT_TRUE(table_roles({}, "t", {"time", "y", "object"}).system.empty());
  ImportOptions options;
  options.roles.system = "game,half";
  EXPECT_EQ(table_roles(options.roles, "t", {"half", "game", "object", "time", "x"}).system,
            (std::vector<std::size_t>{1, 0}));
  EXPECT_THROW(table_roles({}, "t", {"object", "x"}), ConfigError);
}

}  // namespace
}  // namespace lgode::table
