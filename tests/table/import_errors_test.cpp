// Faults of tables, one file of tests/fixtures/csv per fault: the message names file, line, column, value
// and what was expected.
#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::fixture;

ImportOptions table(const std::string& name) {
  ImportOptions options;
  options.observations = {fixture("csv/" + name)};
  return options;
}

ImportOptions with_edges(const std::string& name, const std::string& edges) {
  ImportOptions options = table(name);
  options.relations.table = fixture("csv/" + edges);
  return options;
}

template <class Error = DataError>
void refuse(const ImportOptions& options, const std::vector<std::string>& parts) {
  ImportReport report;
  expect_error<Error>([&] { import_csv(options, report); }, parts);
}

TEST(ImportErrors, DuplicateTime) {
  refuse(table("duplicate_time.csv"),
         {"duplicate_time.csv: 1 bad row",
          "duplicate_time.csv, line 6: found 'a at 0', expected one row for each object and time; the first is in line "
          "2"});
}

TEST(ImportErrors, DuplicateTimeWhereNoColumnTellsRecordingsApart) {
  refuse(table("duplicate_time.csv"),
         {"the first is in line 2; if a column distinguishes recordings, name it with `system`"});
}

// Nanoseconds between them do not fit.
TEST(ImportErrors, DatesFarApart) {
  refuse(table("dates_far_apart.csv"),
         {"dates_far_apart.csv: dates from 1700-01-01 to 2024-01-01 are more than 292 years apart"});
}

TEST(ImportErrors, EdgeToUnknownObject) {
  refuse(with_edges("two_objects.csv", "edges_unknown_object.csv"),
         {"edges_unknown_object.csv: 2 bad rows",
          "edges_unknown_object.csv, line 3, column 'target': found 'boob', expected an object of the observations; "
          "did you mean 'bob'?",
          "line 4, column 'target': found 'eve', expected an object of the observations"});
}

TEST(ImportErrors, TimesOutOfRange) {
  refuse(table("time_out_of_range.csv"),
         {"3 bad rows", "line 3, column 'time': found '1e300', expected a time in the range from -1e+20 to 1e+20",
          "line 4, column 'time': found '-1e21'", "line 5, column 'time': found 'inf'"});
  refuse(table("date_out_of_range.csv"), {"2 bad rows", "line 2, column 'time': found '1600-01-01'",
                                          "line 4, column 'time': found '2300-06-01'", "in the years 1678 to 2261"});
}

TEST(ImportErrors, DatesInPart) {
  refuse(table("dates_in_part.csv"),
         {"4 bad rows", "line 2, column 'time': found '2024-01', expected an ISO 8601 time such as 2024-03-01 or ",
          "found '2024-W02', expected an ISO 8601 time", "found '20240301T120000Z', expected an ISO 8601 time",
          "found '2024-061', expected an ISO 8601 time"});
}

TEST(ImportErrors, DatesWithoutDashesAreNumbersAndTold) {
  ImportReport report;
  const data::Dataset set = import_csv(table("dates_without_dashes.csv"), report);
  EXPECT_EQ(set.times_of(0)[0], 20240228);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("20240228, were read as numbers"), std::string::npos) << report.notes[0];
  // Ordinary numbers raise no such question.
  import_csv(table("two_objects.csv"), report = {});
  for (const std::string& note : report.notes) EXPECT_EQ(note.find("read as numbers"), std::string::npos) << note;
}

TEST(ImportErrors, ConstantFeature) {
  ImportReport report;
  import_csv(table("constant_feature.csv"), report);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("feature 'y' is 7 everywhere"), std::string::npos) << report.notes[0];
}

TEST(ImportErrors, AbsentFeature) {
  refuse(table("absent_feature.csv"), {"absent_feature.csv: feature 'y' has no value", "`features`"});
  ImportOptions options = table("absent_feature.csv");
  options.roles.features = {"x", "z"};
  refuse<ConfigError>(options, {"`features` z", "absent_feature.csv has no such column", "object, time, x, y"});
}

TEST(ImportErrors, TestPartWithoutValues) {
  ImportOptions options = table("test_without_values.csv");
  options.arrangement.test_systems = {"run2"};
  refuse(options, {"test_without_values.csv: the systems of the test part have no values", "`test_systems`"});
}

TEST(ImportErrors, WrongEncodings) {
  refuse(table("latin1.csv"), {"latin1.csv, line 2, column 'object': found 'caf\\xe9', expected the id of the object "
                               "in UTF-8; save the file in this encoding"});
  refuse(table("latin1_header.csv"), {"latin1_header.csv, line 1: found 'gr\\xf6\\xdfe', expected names in UTF-8"});
  refuse(table("utf16.csv"), {"utf16.csv: is text in UTF-16; save it as UTF-8"});
}

// Bad rows of both tables are reported together; an object is not called unknown because its only row was bad.
TEST(ImportErrors, BothTablesAtOnce) {
  ImportOptions options = with_edges("bad_rows.csv", "bad_edges.csv");
  options.roles.features = {"x"};
  const std::vector<std::string> all = {"bad_rows.csv: 2 bad rows; nothing was written",
                                        "bad_rows.csv, line 4, column 'x': found 'one'",
                                        "bad_edges.csv: 2 bad rows",
                                        "bad_edges.csv, line 3, column 'target': found 'z'",
                                        "bad_edges.csv, line 4, column 'weight': found '-2'",
                                        "`skip_bad_rows`"};
  refuse(options, all);
  // With skipping, the rows of b and c are missing.
  options.skip_bad_rows = true;
  ImportReport report;
  import_csv(options, report);
  EXPECT_EQ(report.skipped_rows, 2);
  EXPECT_EQ(report.skipped_edges, 4);
}

TEST(ImportErrors, AdviceForColumnsOfText) {
  expect_error<TextColumnsError>(
      [] {
        ImportReport report;
        import_csv(table("bad_rows.csv"), report);
      },
      {"bad_rows.csv: column 'colour' (such as 'red') holds text, not numbers; without: `features` x"});
}

}  // namespace
}  // namespace lgode::table
