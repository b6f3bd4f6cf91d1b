// Rows, fields and numbers of CSV.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/problem.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;
using Rows = std::vector<std::vector<std::string>>;

Rows read_all(const std::string& text, char delimiter = ',') {
  CsvCursor cursor(text, delimiter);
  Rows rows;
  while (cursor.next()) {
    EXPECT_FALSE(cursor.fault()) << cursor.fault()->expected;
    rows.emplace_back(cursor.fields().begin(), cursor.fields().end());
  }
  return rows;
}

TEST(CsvCursor, ReadsRecords) {
  EXPECT_EQ(read_all("a,b\nc,d\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(read_all("a,b\r\nc,d"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(read_all("a,,\n"), (Rows{{"a", "", ""}}));
  EXPECT_EQ(read_all("a;b;1,5\n", ';'), (Rows{{"a", "b", "1,5"}}));
  EXPECT_EQ(read_all("\n\r\na\n\n\n"), (Rows{{"a"}}));
  EXPECT_EQ(read_all(""), Rows{});
}

TEST(CsvCursor, ReadsQuotes) {
  EXPECT_EQ(read_all("\"a,b\",c\n"), (Rows{{"a,b", "c"}}));
  EXPECT_EQ(read_all("\"a\"\"b\",\"\"\r\n\"\"\"\",x\n"), (Rows{{"a\"b", ""}, {"\"", "x"}}));
  EXPECT_EQ(read_all("\"two\nlines\",1\nb,2"), (Rows{{"two\nlines", "1"}, {"b", "2"}}));
  EXPECT_EQ(read_all("\"end\""), (Rows{{"end"}}));
  EXPECT_EQ(read_all("5\" pipe,1\n"), (Rows{{"5\" pipe", "1"}}));
}

TEST(CsvCursor, CountsLines) {
  const std::string text = "a\n\n\"x\ny\",1\r\nb\n";
  CsvCursor cursor(text, ',');
  std::vector<std::int64_t> lines;
  while (cursor.next()) lines.push_back(cursor.line());
  EXPECT_EQ(lines, (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(cursor.lines(), 5);
}

TEST(CsvCursor, TellsFaults) {
  const std::string after = "\"a\"b,c\nd,e\n";
  CsvCursor cursor(after, ',');
  ASSERT_TRUE(cursor.next());
  ASSERT_TRUE(cursor.fault());
  EXPECT_FALSE(cursor.fault()->unclosed);
  ASSERT_TRUE(cursor.next());
  EXPECT_FALSE(cursor.fault());
  EXPECT_EQ(cursor.fields()[0], "d");

  const std::string open = "x,\"a\nb\nc";
  CsvCursor unclosed(open, ',');
  ASSERT_TRUE(unclosed.next());
  ASSERT_TRUE(unclosed.fault());
  EXPECT_TRUE(unclosed.fault()->unclosed);
  EXPECT_EQ(unclosed.fault()->field, 1U);
  EXPECT_FALSE(unclosed.next());
}

TEST(Csv, FindsTheEndOfTheLastRecord) {
  EXPECT_EQ(last_row_end("a,b\nc", ','), 4U);
  EXPECT_EQ(last_row_end("a,b", ','), 0U);
  EXPECT_EQ(last_row_end("a\n\"b\nc", ','), 2U);
  EXPECT_EQ(last_row_end("a\n\"b\nc\"\nd", ','), 8U);
  EXPECT_EQ(last_row_end("a\n\"b\"\"\nc\"\n", ','), 10U);
  EXPECT_EQ(last_row_end("a\n\"b\"", ','), 2U);
  EXPECT_EQ(last_row_end("5\" x\ny\n", ','), 7U);
}

// Cut anywhere into whole rows, a text has the same fields.
TEST(Csv, BlocksDoNotChangeTheRecords) {
  const std::string pieces[] = {"a", "\"\"", ",", "\n", "\"x\ny\"", "\"q\"\"\n\"", "1.5", "\r\n", "b\"c"};
  Random random(7, RandomUse::kTest);
  for (int trial = 0; trial < 300; ++trial) {
    Rows rows;
    std::string text;
    for (int r = 0; r < 12; ++r) {
      rows.emplace_back();
      for (int f = 0; f < 3; ++f) {
        std::string field = f == 0 ? "id" : "";
        for (std::uint64_t k = random.below(4); k > 0; --k) field += pieces[random.below(std::size(pieces))];
        rows.back().push_back(field);
        text += (f > 0 ? "," : "") + csv_field(field);
      }
      text += random.coin() ? "\n" : "\r\n";
    }
    EXPECT_EQ(read_all(text), rows) << text;
    Rows joined;
    std::size_t from = 0;
    while (from < text.size()) {
      const std::size_t take = std::min<std::size_t>(text.size() - from, 1 + random.below(60));
      const std::size_t end = from + take == text.size() ? take : last_row_end({text.data() + from, take}, ',');
      if (end == 0) {
        const std::size_t rest = last_row_end({text.data() + from, text.size() - from}, ',');
        ASSERT_GT(rest, 0U);
        for (auto& row : read_all(text.substr(from, rest))) joined.push_back(row);
        from += rest;
        continue;
      }
      for (auto& row : read_all(text.substr(from, end))) joined.push_back(row);
      from += end;
    }
    EXPECT_EQ(joined, rows) << text;
  }
}

TEST(Csv, ReadsNumbers) {
  EXPECT_EQ(parse_number("1.5", false), 1.5);
  EXPECT_EQ(parse_number(" +1e3 ", false), 1000.0);
  EXPECT_EQ(parse_number("-.5", false), -0.5);
  EXPECT_TRUE(std::signbit(*parse_number("-0", false)));
  EXPECT_EQ(parse_number("1,5", true), 1.5);
  for (const char* text : {"", "x", "1,5", "1.5.2", "1e999", "0x1F", "1 2", "+-1", "1_000"})
    EXPECT_FALSE(parse_number(text, false)) << text;
  EXPECT_FALSE(parse_number("1.000,5", true));
  for (const char* text : {"", " ", "NaN", "nan", "NA", "n/a", "null", "None"})
    EXPECT_TRUE(is_missing_text(text)) << text;
  for (const char* text : {"0", "no", "missing", "."}) EXPECT_FALSE(is_missing_text(text)) << text;
}

TEST(Csv, KnowsUtf8) {
  for (const char* text : {"", "plain", "Zürich", "日本", "\xF0\x9F\x9A\x80"}) EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"Z\xFCrich", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"})
    EXPECT_FALSE(is_utf8(text));
}

std::filesystem::path write(const TempFolder& folder, std::string_view text) {
  const std::filesystem::path path = folder / "t.csv";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(CsvFile, FindsDelimiterAndHeader) {
  const TempFolder folder;
  for (const auto& [text, delimiter] :
       {std::pair{"a,b;c\n1,2\n", ','}, std::pair{"a;b;\"c,d,e\"\n", ';'}, std::pair{"a\tb\n", '\t'},
        std::pair{"a|b|c\n", '|'}, std::pair{"\xEF\xBB\xBF\"a\",b\r\n1,2", ','}}) {
    const CsvFile file(write(folder, text), 0);
    EXPECT_EQ(file.delimiter(), delimiter) << text;
    EXPECT_EQ(file.header()[0], "a") << text;
    EXPECT_EQ(file.header_lines(), 1);
  }
  EXPECT_EQ(CsvFile(write(folder, "\n\n a , b \n1,2"), 0).header(), (std::vector<std::string>{"a", "b"}));
}

TEST(CsvFile, RefusesOtherFiles) {
  const TempFolder folder;
  const auto refuse = [&](std::string_view text, const std::string& why) {
    expect_error<DataError>([&] { CsvFile(write(folder, text), 0); }, {"t.csv", why});
  };
  refuse("", "empty");
  refuse("\n\n", "blank");
  refuse(std::string_view("\xFF\xFEt\0i\0", 6), "UTF-16");
  refuse(std::string_view("t\0i\0m\0e\0", 8), "UTF-8");
  refuse("PK\x03\x04rest", "spreadsheet");
  refuse("\x1F\x8B\x08", "ends too early");
  refuse("0,1,2.5\n1,2,3\n", "line 1");
  refuse("caf\xE9,b\n", "UTF-8");
  refuse("a,b\rc,d\r", "CR");
  refuse("a,\"b\n1,2\n", "closing quote");
  EXPECT_THROW(CsvFile(folder / "absent.csv", 0), DataError);
  EXPECT_THROW(CsvFile(folder.path(), 0), DataError);
}

TEST(CsvFile, GivesLargeFilesInBlocks) {
  const TempFolder folder;
  std::string text = "id,x\n";
  for (int i = 0; text.size() < (std::size_t{10} << 20); ++i)
    text += i % 1000 == 0 ? "\"a\n\"\"b\",1\n" : "object" + std::to_string(i) + ",0.125\n";
  CsvFile file(write(folder, text), 0);
  std::string joined, block;
  int blocks = 0;
  while (file.next(block)) {
    joined += block;
    ++blocks;
  }
  EXPECT_GT(blocks, 1);
  EXPECT_TRUE(joined == text.substr(5));
}

TEST(CsvFile, TakesNamesOfATableWithoutThem) {
  const TempFolder folder;
  CsvFile file(write(folder, "\n1\t2,5\t3,5\n4\t5\t6\n"), 0, false, {"a", "_", "c"});
  EXPECT_EQ(file.delimiter(), '\t');
  EXPECT_EQ(file.header(), (std::vector<std::string>{"a", "", "c"}));
  EXPECT_EQ(file.first_row(), (std::vector<std::string>{"1", "2,5", "3,5"}));
  EXPECT_EQ(file.first_line(), 2);
  EXPECT_EQ(file.header_lines(), 0);
  std::string block;
  ASSERT_TRUE(file.next(block));
  EXPECT_EQ(block, "\n1\t2,5\t3,5\n4\t5\t6\n");
}

TEST(CsvFile, AStreamOfOtherFieldsThanTheTableSaysHowTheyAreSeparated) {
  const TempFolder folder;
  const std::filesystem::path path = write(folder, "1,2,5\n3,4,6\n");
  expect_error<ConfigError>(
      [&] {
        CsvFile(path, '\t', false, {"a", "b", "c"}, CsvFile::Live());
      },
      {"line 1: has 1 field,", "expected 3", "a b c, separated by tabs"});
  expect_error<ConfigError>(
      [&] {
        CsvFile(path, ',', false, {"a", "b"}, CsvFile::Live());
      },
      {"has 3 fields,", "expected 2", "separated by ','"});
}

TEST(MissingWords, CountInAnyCaseAndByValue) {
  const MissingWords words({"Lost", "-999,0"}, true);
  for (const char* text : {"", "NaN", "#N/A", "-", "lost", " LOST ", "-999", "-999,00"})
    EXPECT_TRUE(words(text)) << text;
  for (const char* text : {"0", "999", "los", "."}) EXPECT_FALSE(words(text)) << text;
  EXPECT_FALSE(words.own(""));
  EXPECT_FALSE(MissingWords()("lost"));
}

TEST(Problems, AreCountedAndSorted) {
  Problems problems({"t.csv"}, 2);
  problems.throw_if_any("");
  problems.add({9, "x", "abc", "a number"});
  problems.add({4, "", "", "something"});
  problems.add({11, "", "z", "y"});
  EXPECT_EQ(problems.count(), 3);
  EXPECT_EQ(problems.lines(), (std::vector<std::string>{"t.csv, line 4: found nothing, expected something",
                                                        "t.csv, line 9, column 'x': found 'abc', expected a number",
                                                        "and 1 more; `max_errors` 0 reports all of them"}));
  expect_error<DataError>([&] { problems.throw_if_any("do this"); }, {"3 bad rows", "do this"});
}

}  // namespace
}  // namespace lgode::table
