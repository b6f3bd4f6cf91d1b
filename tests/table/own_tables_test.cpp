// The first hour with a table of one's own: files as objects, columns of text, frames, ids that a spreadsheet would
// run, values that are too small.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/export.h"
#include "lgode/table/csv/row_stream.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;
using Words = std::vector<std::string>;

class OwnTables : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  ImportOptions table(std::string_view text) const {
    ImportOptions options;
    options.observations = {write("obs.csv", text)};
    options.scratch_folder = folder_.path();
    return options;
  }
  data::Dataset import(const ImportOptions& options) {
    report_ = {};
    return import_csv(options, report_);
  }
  template <class Error = DataError>
  void refuse(const ImportOptions& options, const Words& parts) {
    expect_error<Error>([&] { import(options); }, parts);
  }
  std::string noted(std::string_view part) const {
    for (const std::string& note : report_.notes)
      if (note.find(part) != std::string::npos) return note;
    return {};
  }

  TempFolder folder_;
  ImportReport report_;
};

// --- Files as objects

TEST_F(OwnTables, EachFileIsAnObjectOfItsFolder) {
  ImportOptions options;
  options.observations = {write("one/fish0.csv", "time,x\n0,1\n1,2\n"), write("one/fish1.csv", "x,time\n5,0\n6,1\n"),
                          write("two/fish0.csv", "time,x\n0,7\n1,8\n")};
  options.roles.object_from = ObjectFrom::kFile;
  options.arrangement.test_systems = {"two"};
  const data::Dataset d = import(options);
  ASSERT_EQ(d.systems(), 2);
  EXPECT_EQ(d.system_id(0) + d.system_id(1), "onetwo");
  ASSERT_EQ(d.objects_of(0), 2);
  EXPECT_EQ(d.object_id(0, 1), "fish1");
  EXPECT_EQ(d.values_of(1)[1], 6);
  EXPECT_EQ(d.description().columns, (Words{"", "file", "time"}));
  // A table like it, in files or in one with a column.
  ImportOptions like = table_import(d.description());
  like.arrangement.split = 1.0;
  like.observations = {options.observations[2]};
  EXPECT_EQ(import(like).object_id(0, 0), "fish0");
  EXPECT_EQ(import(like).system_id(0), "two");
  like.observations = {write("joined.csv", "file,time,x\na,0,1\nb,0,2\n")};
  EXPECT_EQ(import(like).objects(), 2);
  options.observations = {write("one/fish0.csv", "time,x\n0,1\n"), write("else/one/fish0.csv", "time,x\n0,1\n")};
  refuse<ConfigError>(options, {"object 'fish0' of system 'one'", "rename one"});
}

TEST_F(OwnTables, ASingleFileNamesItsSystem) {
  ImportOptions options = table("object,time,x\na,0,1\na,1,2\n");
  EXPECT_TRUE(import(options).description().system_ids.empty());
  options.file_systems = true;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.description().system_ids, (Words{"obs"}));
  // The same table under another name is the same recording.
  ImportOptions same = same_table_import(d.description());
  same.observations = {write("other.csv", "object,time,x\na,0,1\na,1,2\n")};
  EXPECT_EQ(import(same).system_id(0), "obs");
  ImportOptions like = table_import(d.description());
  like.observations = same.observations;
  EXPECT_EQ(import(like).system_id(0), "other");
}

TEST_F(OwnTables, PipesHaveAName) {
  for (const auto& [path, name] :
       {std::pair{"/dev/fd/63", "table"}, std::pair{"/dev/stdin", "table"}, std::pair{"/proc/self/fd/7", "table"},
        std::pair{"runs/a.b.csv", "a.b"}, std::pair{"a.csv.gz", "a"}, std::pair{"a.CSV.ZST", "a"},
        std::pair{"a.parquet", "a"}, std::pair{"a", "a"}})
    EXPECT_EQ(file_name(path), name) << path;
  ImportOptions options;
  options.observations = {"/dev/fd/63"};
  name_after_files(options);
  EXPECT_EQ(options.name, "table");
  EXPECT_EQ(options.source, "imported from a pipe");
}

// --- Columns of text

TEST_F(OwnTables, ColumnsOfTextAreNamedOnceWithTheOthers) {
  std::string text = "object,time,x,species,y,note\n";
  for (int k = 0; k < 9969; ++k) text += fmt::format("a,{},1,cod,{},{}\n", k, k, k % 2 == 0 ? "seen, by hand" : "");
  for (std::size_t at; (at = text.find("seen, by hand")) != std::string::npos;) text.replace(at, 13, "seen");
  const ImportOptions options = table(text);
  try {
    import(options);
    FAIL();
  } catch (const TextColumnsError& error) {
    EXPECT_EQ(error.others, (Words{"x", "y"}));
    EXPECT_EQ(std::string(error.what()),
              options.observations[0].string() +
                  ": columns 'species' (such as 'cod'), 'note' (such as 'seen') hold text, not numbers; without: "
                  "`features` x,y");
  }
  ImportOptions skipping = options;
  skipping.skip_bad_rows = true;
  refuse<TextColumnsError>(skipping, {"species"});
  refuse<TextColumnsError>(table("object,time,x\na,0,b\na,1,c\n"), {"column 'x' (such as 'b') holds text", "no other"});
  refuse<ConfigError>(table("object,time,x\na,red,1\na,blue,2\n"), {"column 'time' holds text", "`time`"});
  // A slip, missing values and decimal commas are no columns of text.
  refuse<DataError>(
      table("object,time,x\na,0,b\na,1,2\na,2,3\n"),
      {"1 bad row", "if this column is not a feature, name the features with `features`", "`skip_bad_rows`"});
  refuse<DataError>(table("object;time;x\na;0;1,5\na;1;2,5\n"), {"`decimal_comma`"});
}

TEST_F(OwnTables, SkippingIsSuggestedOnlyWhereMostRowsAreLeft) {
  std::string bad = "object,time,x\na,0,1\n";
  for (int k = 0; k < 30; ++k) bad += "a,1\n";
  try {
    import(table(bad));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()).find("skip_bad_rows"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("1 of 31 rows could be used"), std::string::npos) << error.what();
  }
}

TEST_F(OwnTables, AWordThatIsNoNumberAgainAndAgainIsTakenForAMissingValue) {
  std::string text = "object,time,x\n";
  for (int k = 0; k < 40; ++k) text += fmt::format("a,{},{}\n", k, k % 4 == 1 ? "lost" : "1");
  refuse<DataError>(table(text), {"10 bad rows", "if 'lost' stands for a missing value, pass `missing_values` lost"});
  // Several slips are none.
  std::string slips = "object,time,x\n";
  for (int k = 0; k < 40; ++k) slips += fmt::format("a,{},{}\n", k, k % 4 == 1 ? fmt::format("o{}", k) : "1");
  refuse<DataError>(table(slips), {"10 bad rows", "pass `skip_bad_rows` to import the others"});
}

// --- Frames

std::string frames(double step, double rate, bool velocity, const char* time = "time") {
  std::string text = fmt::format("object,{},x{}\n", time, velocity ? ",vx" : "");
  for (int k = 0; k < 40; ++k) {
    const double t = k * step / rate;
    text += fmt::format("a,{},{}", k * step, std::sin(t));
    text += velocity ? fmt::format(",{}\n", std::cos(t)) : "\n";
  }
  return text;
}

TEST_F(OwnTables, FramesAreNotedAndTheirRateIsGuessed) {
  import(table(frames(1, 25, false)));
  EXPECT_NE(noted("look like frames").find("0 to 39 in steps of 1"), std::string::npos);
  EXPECT_NE(noted("look like frames").find("`rate`, such as 25"), std::string::npos);
  ImportOptions options = table(frames(1, 30, true));
  options.roles.velocity_of = {{"vx", "x"}};
  import(options);
  EXPECT_NE(noted("look like frames").find("`rate`: 30, which fits the velocity 'vx'"), std::string::npos)
      << noted("look like frames");
  std::string seconds = "object,frame,timestamp,x\n";
  for (int k = 0; k < 40; ++k) seconds += fmt::format("a,{},{},{}\n", 10 * k, 0.4 * k, k);
  options = table(seconds);
  options.roles.time = "frame";
  import(options);
  EXPECT_NE(noted("look like frames").find("`rate`: 25, as 'timestamp' says"), std::string::npos);
  options.roles.rate = 25;
  import(options);
  EXPECT_EQ(noted("look like frames"), "");
  options = table(frames(1, 25, false));
  options.roles.time_unit = "s";
  import(options);
  EXPECT_EQ(noted("look like frames"), "");
  import(table(frames(0.5, 25, false)));
  EXPECT_EQ(noted("look like frames"), "");
}

// --- Spreadsheets, small values

TEST_F(OwnTables, FormulasAreMentionedAndQuoted) {
  EXPECT_EQ(spreadsheet_safe("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  for (const char* text : {"", "a", "-1", "+2.5e3", "-1,5", "'=x", "a=b"}) EXPECT_EQ(spreadsheet_safe(text), text);
  for (const char* text : {"=1", "+a", "-a", "@SUM(A1)", "\tx"}) EXPECT_TRUE(runs_in_spreadsheet(text)) << text;
  const data::Dataset d = import(table("system,object,time,x\n@s,=cmd,0,1\n@s,=cmd,1,2\nt,-1,0,3\nt,-1,1,4\n"));
  EXPECT_NE(noted("spreadsheet").find("2 ids such as '=cmd'"), std::string::npos) << noted("spreadsheet");
  EXPECT_EQ(formula_ids(d), (Words{"=cmd", "@s"}));
  const data::Dataset safe = with_safe_ids(d);
  EXPECT_EQ(safe.system_id(0), "'@s");
  EXPECT_EQ(safe.object_id(0, 0), "'=cmd");
  EXPECT_EQ(safe.object_id(1, 0), "-1");
  EXPECT_EQ(safe.values_of(0)[1], 2);
}

TEST_F(OwnTables, ValuesThatAreTooSmallAreRefused) {
  refuse(table("object,time,x,y\na,0,1,1e-31\na,1,2,-3e-31\n"), {"feature 'y' is 3e-31", "1e-30", "`features`"});
  EXPECT_EQ(import(table("object,time,x,y\na,0,1,1e-30\na,1,2,0\n")).observations(), 2);
  import(table("object,time,x,y\na,0,1,0\na,1,2,0\n"));
  EXPECT_NE(noted("'y' is 0 everywhere"), "");
}

TEST_F(OwnTables, WindowsInNoPartAreAWarningWithTheirCause) {
  std::string text = "object,time,x\n";
  for (int k = 0; k < 280; ++k) text += fmt::format("a,{},{}\n", 0.1 * k, k % 9);
  ImportOptions options = table(text);
  options.arrangement.window = 8, options.arrangement.stride = 1;
  import(options);
  EXPECT_EQ(report_.windows, 21);
  EXPECT_EQ(report_.split_windows, 15);
  const std::string note = noted("15 of 21 windows are in no part");
  for (const char* part : {"overlap the other part", "`stride`", "`split` 1 keeps all"})
    EXPECT_NE(note.find(part), std::string::npos) << part << " in " << note;
  options.arrangement.split = 1.0;
  import(options);
  EXPECT_EQ(noted("in no part"), "");
}

// --- Streams

TEST_F(OwnTables, StreamsNameNoOptionsOfTheImport) {
  ImportOptions options = table("who,stamp,x\na,0,1\na,1,2\n");
  options.roles.object = "who", options.roles.time = "stamp";
  const data::Description about = import(options).description();
  const auto refuse_stream = [&](std::string_view text, const Words& parts) {
    try {
      RowStream stream(write("s.csv", text), about, false);
      std::vector<StreamRow> rows;
      std::vector<Problem> bad;
      while (stream.next(rows, bad)) {
      }
      ASSERT_FALSE(bad.empty()) << text;
      throw DataError(bad.front().text("s.csv"));
    } catch (const Error& error) {
      const std::string what = error.what();
      for (const std::string& part : parts) EXPECT_NE(what.find(part), std::string::npos) << part << " in " << what;
      for (const char* flag : {"`object`", "`time`", "`features`", "`columns`", "`delimiter`", "`decimal_comma`"})
        EXPECT_EQ(what.find(flag), std::string::npos) << what;
    }
  };
  refuse_stream("object,stamp,x\na,0,1\n",
                {"no column 'who'", "expected the columns of the imported table, who, stamp, x"});
  refuse_stream("who,time,x\na,0,1\n", {"no column 'stamp'"});
  refuse_stream("who,stamp,z\na,0,1\n", {"no column 'x'"});
  refuse_stream("1,2,3\n4,5,6\n", {"line 1", "names of the columns"});
  refuse_stream("who,stamp,x\na,0,b\n", {"'b'"});
  refuse_stream("who,stamp,x\na,0,1,5\n", {"4 fields"});
  refuse_stream("who,stamp,x\na,0,\"1,5\"\n", {"decimal point"});
}

TEST_F(OwnTables, StreamsTakeFrames) {
  ImportOptions options = table("object,time,x\na,0,1\na,0.04,2\na,0.08,2\n");
  const data::Description seconds = import(options).description();
  std::vector<StreamRow> rows;
  std::vector<Problem> bad;
  RowStream stream(write("s.csv", "object,time,x\na,50,1\n"), seconds, false, nullptr, 25);
  ASSERT_TRUE(stream.next(rows, bad));
  EXPECT_EQ(rows[0].time, 2);
  EXPECT_EQ(stream.rate(), 25);
  options.roles.rate = 25;
  const data::Description counts = import(table("object,time,x\na,0,1\na,1,2\n")).description();
  data::Description frames = counts;
  frames.rate = 25;
  RowStream wrong(write("s.csv", "object,time,x\na,0.5,1\na,1,1\n"), frames, false);
  ASSERT_TRUE(wrong.next(rows, bad));
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_NE(bad[0].expected.find("`rate` 1"), std::string::npos);
  EXPECT_EQ(rows.at(0).time, 0.04);
  const data::Description dates =
      import(table("object,time,x\na,2024-03-01T00:00:00Z,1\na,2024-03-01T00:00:01Z,2\n")).description();
  expect_error<ConfigError>([&] { RowStream(write("s.csv", "object,time,x\n"), dates, false, nullptr, 25); },
                            {"`rate` 25", "dates"});
}

}  // namespace
}  // namespace lgode::table
