// Options: what they accept, who wins, how errors name them, and config files.
#include "lgode/core/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lgode {
namespace {

using nlohmann::json;

enum class Colour { kRed, kBlue };

struct Fields {
  double rate = 0.1;
  double share = 0.5;
  std::int64_t epochs = 30;
  std::uint64_t seed = 1;
  bool shuffle = true;
  std::string data;
  std::optional<double> window;
  std::optional<std::int64_t> batch;
  Colour colour = Colour::kRed;
};

OptionSet declare(Fields& fields) {
  OptionSet set;
  set.group("Numbers");
  set.add("learning_rate", &fields.rate, {.low = 0.0, .open_low = true}, "Step length");
  set.add("share", &fields.share, {.low = 0.0, .high = 1.0}, "A share");
  set.add("epochs", &fields.epochs, {.low = 1}, "Rounds");
  set.add("seed", &fields.seed, "Seed");
  set.group("Others");
  set.add("shuffle", &fields.shuffle, "Whether to");
  set.add("data", &fields.data, "A path");
  set.add("window", &fields.window, {.low = 0.0}, "A length");
  set.add("batch", &fields.batch, {.low = 1}, "A size");
  set.add_choice("colour", &fields.colour, {{"red", Colour::kRed}, {"blue", Colour::kBlue}}, "A choice");
  return set;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no ConfigError";
}

TEST(Options, DescribeWhatTheyAccept) {
  Fields fields;
  OptionSet set = declare(fields);
  EXPECT_EQ(set.find("learning_rate")->accepts, "number > 0");
  EXPECT_EQ(set.find("share")->accepts, "number in [0, 1]");
  EXPECT_EQ(set.find("epochs")->accepts, "integer >= 1");
  EXPECT_EQ(set.find("seed")->accepts, "integer >= 0");
  EXPECT_EQ(set.find("shuffle")->accepts, "true|false");
  EXPECT_EQ(set.find("batch")->accepts, "auto or integer >= 1");
  EXPECT_EQ(set.find("colour")->accepts, "red|blue");
  EXPECT_EQ(set.find("epochs")->group, "Numbers");
  EXPECT_EQ(set.find("colour")->group, "Others");
  EXPECT_EQ(set.find("colour")->default_value, "red");
  EXPECT_EQ(set.find("window")->default_value, "auto");
}

TEST(Options, TakeTextAndJson) {
  Fields fields;
  OptionSet set = declare(fields);
  set.set_text("learning-rate", "1e-3", Source::kFlag, "flag");
  set.set_text("epochs", "7", Source::kFlag, "flag");
  set.set_text("shuffle", "false", Source::kFlag, "flag");
  set.set_text("data", "7", Source::kFlag, "flag");
  set.set_text("batch", "auto", Source::kFlag, "flag");
  set.set("window", 0.25, Source::kFile, "file");
  set.set("colour", "blue", Source::kFile, "file");
  EXPECT_EQ(fields.rate, 1e-3);
  EXPECT_EQ(fields.epochs, 7);
  EXPECT_FALSE(fields.shuffle);
  EXPECT_EQ(fields.data, "7");
  EXPECT_EQ(fields.batch, std::nullopt);
  EXPECT_EQ(fields.window, 0.25);
  EXPECT_EQ(fields.colour, Colour::kBlue);
}

TEST(Options, IntegersMayBeWrittenAsNumbers) {
  Fields fields;
  OptionSet set = declare(fields);
  set.set_text("epochs", "1e3", Source::kFlag, "flag");
  EXPECT_EQ(fields.epochs, 1000);
  set.set("batch", 32.0, Source::kFile, "file");
  EXPECT_EQ(fields.batch, 32);
  EXPECT_THROW(set.set("batch", 32.5, Source::kFile, "file"), ConfigError);
  set.set_text("seed", "18446744073709551615", Source::kFlag, "flag");
  EXPECT_EQ(fields.seed, UINT64_MAX);
  EXPECT_THROW(set.set_text("epochs", "18446744073709551615", Source::kFlag, "flag"), ConfigError);
}

TEST(Options, RefuseWhatDoesNotFit) {
  for (const auto& [key, text] :
       std::initializer_list<std::pair<const char*, const char*>>{{"learning_rate", "0"},
                                                                  {"learning_rate", "nan"},
                                                                  {"learning_rate", "inf"},
                                                                  {"learning_rate", ""},
                                                                  {"learning_rate", "1x"},
                                                                  {"share", "1.01"},
                                                                  {"share", "-0.1"},
                                                                  {"epochs", "0"},
                                                                  {"epochs", "2.5"},
                                                                  {"seed", "-1"},
                                                                  {"shuffle", "yes"},
                                                                  {"window", "-1"},
                                                                  {"window", "automatic"},
                                                                  {"batch", "0"},
                                                                  {"colour", "green"},
                                                                  {"epochs", "99999999999999999999"}}) {
    Fields fields;
    OptionSet set = declare(fields);
    const json before = set.to_json();
    EXPECT_THROW(set.set_text(key, text, Source::kFlag, "flag"), ConfigError) << key << " = " << text;
    EXPECT_EQ(set.to_json(), before);
    EXPECT_EQ(set.find(key)->source, Source::kDefault);
  }
}

TEST(Options, ErrorsNameOptionValueAndPlace) {
  Fields fields;
  OptionSet set = declare(fields);
  const auto flag = [&](const char* key, const char* text) {
    return message_of([&] { set.set_text(key, text, Source::kFlag, "command line"); });
  };
  EXPECT_EQ(flag("share", "2"), "`share` 2: expected a number in [0, 1]");
  EXPECT_EQ(flag("learning_rate", "fast"), "`learning_rate` fast: expected a number > 0");
  EXPECT_EQ(flag("batch", "few"), "`batch` few: expected auto or an integer >= 1");
  EXPECT_EQ(flag("colour", "green"), "`colour` green: expected red|blue");
  const std::string type = message_of([&] { set.set("epochs", "many", Source::kFile, "run.json"); });
  EXPECT_EQ(type, "run.json: epochs: expected an integer >= 1, found \"many\"");
  const std::string slip = message_of([&] { set.set("epoch", 3, Source::kFile, "run.json"); });
  EXPECT_EQ(slip, "run.json: there is no option \"epoch\"; did you mean \"epochs\"?");
  const std::string strange = message_of([&] { set.set("zzzzzzzz", 3, Source::kFile, "run.json"); });
  EXPECT_EQ(strange, "run.json: there is no option \"zzzzzzzz\"");
}

TEST(Options, TheStrongerSourceWins) {
  Fields fields;
  OptionSet set = declare(fields);
  set.set("epochs", 5, Source::kFlag, "flag");
  set.set("epochs", 6, Source::kFile, "file");
  EXPECT_EQ(fields.epochs, 5);
  EXPECT_EQ(set.find("epochs")->source, Source::kFlag);
  set.set("epochs", 7, Source::kFlag, "flag");
  EXPECT_EQ(fields.epochs, 7);
  set.set("share", 0.1, Source::kRecipe, "recipe");
  set.set("share", 0.2, Source::kFile, "file");
  set.set("share", 0.3, Source::kRecipe, "recipe");
  EXPECT_EQ(fields.share, 0.2);
  // A bad value is reported even if a stronger source overrides it.
  EXPECT_THROW(set.set("epochs", 0, Source::kFile, "file"), ConfigError);
  EXPECT_EQ(fields.epochs, 7);
}

TEST(Options, ObjectsMayHoldNotes) {
  Fields fields;
  OptionSet set = declare(fields);
  set.set_all({{"_why", "a note"}, {"epochs", 3}}, Source::kFile, "run.json");
  EXPECT_EQ(fields.epochs, 3);
  EXPECT_THROW(set.set_all({{"unknown", 3}}, Source::kFile, "run.json"), ConfigError);
  set.set_all({{"unknown", 3}, {"share", 0.25}}, Source::kFile, "run.json", /*lenient=*/true);
  EXPECT_EQ(fields.share, 0.25);
  EXPECT_THROW(set.set_all(json::array({1, 2}), Source::kFile, "run.json"), ConfigError);
}

TEST(Options, ComeBackFromJsonExactly) {
  Fields fields;
  fields.rate = 1.0 / 15.0;
  fields.share = 0.1 + 0.2;
  fields.seed = UINT64_MAX;
  fields.window = std::nextafter(0.25, 1.0);
  fields.colour = Colour::kBlue;
  const json saved = json::parse(declare(fields).to_json().dump());
  Fields other;
  OptionSet set = declare(other);
  set.set_all(saved, Source::kFile, "config.json");
  EXPECT_EQ(set.to_json(), saved);
  EXPECT_EQ(other.rate, fields.rate);
  EXPECT_EQ(other.share, fields.share);
  EXPECT_EQ(other.seed, fields.seed);
  EXPECT_EQ(other.window, fields.window);
  EXPECT_EQ(other.colour, fields.colour);
}

TEST(Options, ARetiredKeyIsSkippedOrRefused) {
  Fields fields;
  OptionSet set = declare(fields);
  set.add_retired_key("old_way", "none", "use the new one");
  for (const bool lenient : {false, true}) {
    set.set_all({{"old_way", "none"}}, Source::kFile, "run.json", lenient);
    const std::string message = message_of([&] {
      set.set_all({{"old_way", "fast"}}, Source::kFile, "run.json", lenient);
    });
    EXPECT_EQ(message, "run.json: old_way: found \"fast\"; use the new one");
  }
  EXPECT_EQ(set.find("old_way"), nullptr);
  EXPECT_FALSE(set.to_json().contains("old_way"));
}

TEST(Options, AKeyIsDeclaredOnce) {
  Fields fields;
  OptionSet set = declare(fields);
  EXPECT_THROW(set.add("learning-rate", &fields.rate, {}, "again"), std::logic_error);
}

class JsonFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "lgode-options-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) {
    const std::string path = folder_ / "run.json";
    std::ofstream(path) << text;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(JsonFile, MayHoldComments) {
  EXPECT_EQ(read_json_file(write("// why\n{\"epochs\": 3 /* few */}\n")), json({{"epochs", 3}}));
}

TEST_F(JsonFile, ErrorsNameFileAndLine) {
  const std::string path = write("{\n  \"epochs\": 3,\n  oops\n}\n");
  try {
    read_json_file(path);
    FAIL() << "no error";
  } catch (const DataError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(path), std::string::npos) << what;
    EXPECT_NE(what.find("line 3"), std::string::npos) << what;
    EXPECT_EQ(what.find("json.exception"), std::string::npos) << what;
  }
  EXPECT_THROW(read_json_file(folder_ / "absent.json"), DataError);
}

TEST_F(JsonFile, NumbersBeyondADoubleAreErrorsToo) {
  const std::string path = write("{\"lr\": 1e400}\n");
  try {
    read_json_file(path);
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("1e400"), std::string::npos) << error.what();
  }
}

TEST(Names, AreSeparatedByCommas) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(parse_names("a,b c,d"), (Names{"a", "b c", "d"}));
  EXPECT_EQ(parse_names("\"a,b\",\"say \"\"c\"\"\""), (Names{"a,b", "say \"c\""}));
  EXPECT_EQ(parse_names("a\"b"), (Names{"a\"b"}));
  for (const char* text : {"", "a,", ",a", "a,,b", "\"a", "\"a\"b", "\"\""}) EXPECT_FALSE(parse_names(text)) << text;
}

TEST(Lengths, WithAUnitAreInSeconds) {
  EXPECT_EQ(*parse_length("12.5"), 12.5);
  EXPECT_FALSE(parse_length("12.5")->seconds);
  for (const auto& [text, seconds] : {std::pair{"500ms", 0.5}, std::pair{"30s", 30.0}, std::pair{"5min", 300.0},
                                      std::pair{"2h", 7200.0}, std::pair{"1d", 86400.0}}) {
    EXPECT_EQ(*parse_length(text), seconds) << text;
    EXPECT_TRUE(parse_length(text)->seconds) << text;
  }
  for (const char* text : {"", "0", "-1", "5 min", "min", "1e999", "nan", "3y"})
    EXPECT_FALSE(parse_length(text)) << text;
}

}  // namespace
}  // namespace lgode
