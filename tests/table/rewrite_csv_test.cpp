// Copies of tables with fields replaced, and windows joined to recordings.
#include <gtest/gtest.h>

#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/recordings.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/rewrite.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::TempFolder;

class RewriteCsv : public ::testing::Test {
 protected:
  // The copy of a table whose empty fields are filled with `with`, and counted in the new column.
  std::string rewritten(std::string_view text, char delimiter = ',', const std::string& with = "new",
                        std::vector<std::vector<std::string>> more = {}) {
    std::ofstream(folder_ / "in.csv", std::ios::binary) << text;
    CsvRewrite rewrite;
    rewrite.table = folder_ / "in.csv";
    rewrite.delimiter = delimiter;
    rewrite.column = "told";
    rewrite.change = [&](auto fields, auto replace) {
      int count = 0;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!fields[i].empty()) continue;
        replace[i] = with;
        ++count;
      }
      return count == 0 ? std::string() : std::to_string(count);
    };
    rewrite.more = [&] { return more; };
    write_file(folder_ / "out.csv", Overwrite::kAllow, [&](FileSink& out) { rows_ = rewrite_csv(rewrite, out); });
    return read_text(folder_ / "out.csv");
  }

  TempFolder folder_;
  std::int64_t rows_ = 0;
};

TEST_F(RewriteCsv, ChangesOnlyWhatIsAskedFor) {
  EXPECT_EQ(rewritten("a,b\n1,\n 2 ,\"3\"\n,\n"), "a,b,told\n1,new,1\n 2 ,\"3\",\nnew,new,2\n");
  EXPECT_EQ(rows_, 3);
  // Byte order mark, line ends, blank lines, no end of the last line.
  EXPECT_EQ(rewritten("\xEF\xBB\xBF\r\na;b\r\n\r\n\r\n1;\r\n\n2;3", ';'),
            "\xEF\xBB\xBF\r\na;b;told\r\n\r\n\r\n1;new;1\r\n\n2;3;");
  // Quotes, with what they may hold.
  EXPECT_EQ(rewritten("a,b,c\n\"x,\"\"\ny\",,\"\"\n\"\",\"z\",q\"q\n"),
            "a,b,c,told\n\"x,\"\"\ny\",new,new,2\nnew,\"z\",q\"q,1\n");
  EXPECT_EQ(rewritten("a;b\n1;\n", ';', "n;\"w"), "a;b;told\n1;\"n;\"\"w\";1\n");
}

TEST_F(RewriteCsv, LeavesBadRowsAlone) {
  EXPECT_EQ(rewritten("a,b\n1\n\"x\"y,2\n1,2,\n3,\n"), "a,b,told\n1\n\"x\"y,2\n1,2,\n3,new,1\n");
}

TEST_F(RewriteCsv, AddsRowsBehindTheOthers) {
  EXPECT_EQ(rewritten("a,b\r\n1,2", ',', "new", {{"3", "4,5", "2"}}), "a,b,told\r\n1,2,\r\n3,\"4,5\",2\r\n");
  EXPECT_EQ(rewritten("a,b\n1,2\n", ',', "new", {{"3", "4", "2"}}), "a,b,told\n1,2,\n3,4,2\n");
}

TEST_F(RewriteCsv, RefusesAColumnOfThatName) {
  EXPECT_THROW(rewritten("a,told\n1,2\n"), ConfigError);
  EXPECT_THROW(rewritten(""), DataError);
}

// Where nothing is empty, only the new column is there, whatever the fields hold.
TEST_F(RewriteCsv, RandomTablesStayAsTheyAre) {
  const std::string pieces[] = {"a", "7", " ", ",", "\"", "\n", "\r\n", "é", ";", "\"\""};
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Random random(7, RandomUse::kTest, {trial});
    const std::string end = random.coin() ? "\n" : "\r\n";
    std::string text, expected;
    for (int row = 0; row < 4; ++row) {
      std::string line;
      for (int column = 0; column < 3; ++column) {
        std::string field = row == 0 ? std::string(1, static_cast<char>('a' + column)) : "x";
        for (std::uint64_t k = random.below(4); k > 0 && row > 0; --k) field += pieces[random.below(std::size(pieces))];
        if (column > 0) line += ',';
        line += csv_field(field);
      }
      text.append(line).append(end);
      expected.append(line).append(row == 0 ? ",told" : ",").append(end);
    }
    ASSERT_EQ(rewritten(text), expected) << trial;
  }
}

TEST(Recordings, WindowsArePutTogetherAgain) {
  TempFolder folder;
  std::string text = "run,object,time,x\n";
  for (int k = 0; k < 23; ++k)
    for (const char* run : {"r/1", "q"})
      for (const char* object : {"a", "b"})
        if (k % 5 != 3 || object[0] == 'a')
          text.append(run)
              .append(",")
              .append(object)
              .append(",")
              .append(std::to_string(k))
              .append(",")
              .append(k % 4 == 1 ? "\n" : std::to_string(k + object[0]) + "\n");
  std::ofstream(folder / "obs.csv") << text;
  ImportOptions options;
  options.observations = {folder / "obs.csv"};
  options.roles.system = "run";
  options.arrangement.test_systems = {"q"};
  ImportReport report;
  const data::Dataset whole = import_csv(options, report);
  options.arrangement.window = 6;
  options.arrangement.stride = 2;
  const data::Dataset cut = import_csv(options, report = {});
  ASSERT_EQ(cut.systems(), 2 * 9);
  EXPECT_EQ(cut.description().delimiter, ",");
  EXPECT_EQ(recording_of(cut, 0), "r/1");
  EXPECT_EQ(cut.system_id(0), "r/1/0");
  EXPECT_EQ(recording_of(cut, 17), "q");
  std::vector<std::int64_t> all(static_cast<std::size_t>(cut.systems()));
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = static_cast<std::int64_t>(s);
  const data::Dataset joined = join_recordings(cut, all);
  ASSERT_EQ(joined.systems(), 2);
  EXPECT_EQ(joined.system_id(0), "r/1");
  for (std::int64_t o = 0; o < whole.objects(); ++o) {
    // The last window ends with the 22nd row, at 21.
    const auto times = whole.times_of(o), again = joined.times_of(o);
    ASSERT_EQ(again.size() + 1, times.size());
    EXPECT_TRUE(std::equal(again.begin(), again.end(), times.begin()));
    for (std::size_t k = 0; k < again.size(); ++k) {
      const double was = whole.values_of(o)[k], is = joined.values_of(o)[k];
      EXPECT_TRUE(was == is || (was != was && is != is)) << o << " " << k;
    }
  }
  data::save_dataset(cut, folder / "cut", Overwrite::kRefuse);
  EXPECT_EQ(data::load_dataset(folder / "cut").description().recordings, cut.description().recordings);
}

}  // namespace
}  // namespace lgode::table
