// The options of an import: what their declaration reads, and what does not go together.
#include "lgode/table/options.h"

#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;

class ImportOptionsTest : public ::testing::Test {
 protected:
  ImportOptionsTest() { declare(options_, import_); }
  void set(const char* key, const std::string& text) { options_.set_text(key, text, Source::kFlag, "command line"); }
  void set_value(const char* key, const nlohmann::json& value) { options_.set(key, value, Source::kFlag, "keyword"); }
  void refuse(const char* key, const std::string& text, const std::vector<std::string>& parts) {
    expect_error<ConfigError>([&] { set(key, text); }, parts);
  }

  ImportOptions import_;
  OptionSet options_;
};

TEST_F(ImportOptionsTest, ReadsFlags) {
  set("features", "x,\"a,b\"");
  set("velocity_of", "vx=x,vy=y");
  set("window", "5min");
  set("stride", "12.5");
  set("delimiter", "tab");
  set("memory", "3");
  set("edges", "k-nearest=3");
  EXPECT_EQ(import_.roles.features, (std::vector<std::string>{"x", "a,b"}));
  EXPECT_EQ(import_.roles.velocity_of, (std::map<std::string, std::string>{{"vx", "x"}, {"vy", "y"}}));
  EXPECT_EQ(*import_.arrangement.window, 300.0);
  EXPECT_TRUE(import_.arrangement.window->seconds);
  EXPECT_EQ(*import_.arrangement.stride, 12.5);
  EXPECT_FALSE(import_.arrangement.stride->seconds);
  EXPECT_EQ(import_.format.delimiter, '\t');
  EXPECT_EQ(*import_.memory, 3U << 20U);
  EXPECT_EQ(import_.relations.rule, data::EdgeRule::Kind::kNearest);
  EXPECT_EQ(import_.relations.neighbours, 3);
  EXPECT_FALSE(import_.relations.table);
}

TEST_F(ImportOptionsTest, ReadsValues) {
  set_value("features", nlohmann::json("x,y"));  // one name
  set_value("units", nlohmann::json{{"x", "m"}});
  set_value("window", nlohmann::json(60));
  set_value("every", nlohmann::json("2h"));
  EXPECT_EQ(import_.roles.features, (std::vector<std::string>{"x,y"}));
  EXPECT_EQ(import_.roles.units.at("x"), "m");
  EXPECT_EQ(*import_.arrangement.window, 60.0);
  EXPECT_EQ(*import_.arrangement.every, 7200.0);
  set_value("window", nlohmann::json());
  EXPECT_FALSE(import_.arrangement.window);
}

TEST_F(ImportOptionsTest, NamesWhatItExpects) {
  refuse("features", "x,,y", {"`features` x,,y", "names with commas between them, such as a,b,c"});
  refuse("units", "x", {"`units` x", "pairs such as a=b,c=d"});
  refuse("window", "5 parsecs", {"`window` 5 parsecs", "a length of time above 0", "5min"});
  refuse("rate", "0", {"`rate` 0: expected the number of counts per second, above 0"});
  refuse("delimiter", "::", {"`delimiter` ::", "the word tab"});
  refuse("max_errors", "-1", {"`max_errors` -1", "integer >= 0"});
  refuse("memory", "0", {"`memory` 0", "integer >= 1"});
  refuse("edges", "within=-1", {"`edges` within=-1: expected within=R with a distance R above 0"});
  refuse("edges", "nearest=1", {"`edges` nearest=1", "neither a file nor a rule"});
  refuse("velocities", "both", {"`velocities` both", "given|difference"});
}

TEST_F(ImportOptionsTest, ReadsFrames) {
  EXPECT_TRUE(options_.find("frames")->get().is_null());
  set("frames", "8+12");
  EXPECT_EQ(import_.arrangement.frames.seen, 8);
  EXPECT_EQ(import_.arrangement.frames.asked, 12);
  EXPECT_EQ(options_.find("frames")->get(), "8+12");
  set_value("frames", nlohmann::json());
  EXPECT_FALSE(import_.arrangement.frames);
  for (const char* text : {"8", "8+", "+12", "8+12+1", "0+12", "8+0", "-8+12", "8 + 12", "8.5+12", "a+b", "8+1e9", ""})
    refuse("frames", text, {"`frames` ", "8+12"});
}

TEST_F(ImportOptionsTest, FramesAreTheWindow) {
  const auto refused = [&](const char* key, const std::string& text, const std::vector<std::string>& parts) {
    ImportOptions other;
    OptionSet options;
    declare(options, other);
    other.observations = {"a.csv"};
    options.set_text("frames", "8+12", Source::kFlag, "command line");
    EXPECT_NO_THROW(check_options(other));
    options.set_text(key, text, Source::kFlag, "command line");
    expect_error<ConfigError>([&] { check_options(other); }, parts);
  };
  refused("window", "8", {"`frames` does not go with `window`"});
  refused("first_range", "8", {"`frames` does not go with `first_range`"});
  for (const char* stride : {"0.4", "2s", "1e10"}) refused("stride", stride, {"`stride` ", "whole number of frames"});
  import_.observations = {"a.csv"};
  set("all_present", "true");
  expect_error<ConfigError>([&] { check_options(import_); }, {"`all_present` needs `frames`"});
  set("all_present", "false");
  set("min_objects", "2");
  expect_error<ConfigError>([&] { check_options(import_); }, {"`min_objects` needs `frames`"});
  refuse("min_objects", "0", {"`min_objects` 0", ">= 1"});
}

TEST_F(ImportOptionsTest, LengthsWithUnitsNeedTimesInSeconds) {
  import_.observations = {"a.csv"};
  set("window", "8s");
  set("time_unit", "frame");
  expect_error<ConfigError>([&] { check_options(import_); }, {"`window` 8s: is in seconds", "'frame'", "`rate`"});
  set("rate", "25");
  EXPECT_NO_THROW(check_options(import_));
  set_value("rate", nlohmann::json(25));
  set("time_unit", "seconds");
  expect_error<ConfigError>([&] { check_options(import_); }, {"`rate` 25", "counts"});
}

TEST(ImportOptions, TellsRulesFromFiles) {
  for (const char* rule : {"", "all", "none", "k-nearest=2", "within=1.5", "within"})
    EXPECT_TRUE(is_rule(rule)) << rule;
  for (const char* file : {"edges.csv", "within.csv", "all.csv"}) EXPECT_FALSE(is_rule(file)) << file;
}

TEST(ImportOptions, NamesASetAfterItsFiles) {
  ImportOptions one;
  one.observations = {"runs/a.csv"};
  one.relations.table = "runs/edges.csv";
  name_after_files(one);
  EXPECT_EQ(one.name, "a");
  EXPECT_EQ(one.source, "imported from a.csv and edges.csv");
  ImportOptions several;
  several.observations = {"runs/a.csv", "runs/b.csv", "runs/c.csv"};
  name_after_files(several);
  EXPECT_EQ(several.name, "runs");
  EXPECT_EQ(several.source, "imported from 3 files, a.csv to c.csv");
  ImportOptions apart;
  apart.observations = {"x/a.csv", "y/b.csv"};
  apart.name = "both";
  name_after_files(apart);
  EXPECT_EQ(apart.name, "both");
}

}  // namespace
}  // namespace lgode::table
