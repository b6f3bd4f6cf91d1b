// Structs whose fields are listed once: written, read and checked.
#include "lgode/core/fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace lgode {
namespace {

enum class Colour { kNone, kRed, kBlue };
struct Point {
  double x = 0;
  int count = 0;
};
struct Thing {
  std::string name = {};
  std::vector<Point> points = {};
  std::vector<double> weights = {};
  std::optional<double> best = {};
  double limit = std::numeric_limits<double>::infinity();
  int extra = -1;
  std::string unit = {}, format = {};
  Colour colour = Colour::kNone;
  nlohmann::ordered_json any = {};
};
using Json = nlohmann::ordered_json;

}  // namespace

template <>
struct Fields<Point> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& p) {
    v.field("x", p.x, positive("an x"));
    v.earlier("number", p.count);
    v.optional("count", p.count, not_negative("a count"));
  }
};
template <>
struct Fields<Thing> {
  static constexpr std::pair<Colour, const char*> kColours[] = {{Colour::kRed, "red"}, {Colour::kBlue, "blue"}};
  template <class Visitor, class T>
  static void visit(Visitor& v, T& t) {
    v.field("name", t.name);
    v.field("points", t.points);
    v.optional("weights", t.weights, positive("a weight"));
    v.field("best", t.best, positive("the best"));
    v.finite("limit", t.limit, positive("the limit"));
    v.sparse("extra", t.extra, t.extra != -1, not_negative("the extra"));
    v.group("format", !t.format.empty(), [&] {
      v.field("unit", t.unit);
      v.field("format", t.format);
    });
    v.named("colour", t.colour, kColours);
    v.field("any", t.any);
  }
};

namespace {

struct Rules : PlainRules {
  void unknown(const char* key, const std::string& text) const {
    throw std::invalid_argument(std::string(key) + " " + text);
  }
};

Thing read(const Json& json) {
  Thing thing;
  read_fields(json, Rules(), thing);
  return thing;
}

Thing sample() {
  return {.name = "a", .points = {{1.5, 2}, {2.5, 0}}, .weights = {0.5}, .colour = Colour::kBlue, .any = {{"k", 1}}};
}

TEST(FieldsTest, AreWrittenInTheirOrderAndSparseOnesWhereTheyAreThere) {
  EXPECT_EQ(
      fields_json<Json>(sample()).dump(),
      R"({"name":"a","points":[{"x":1.5,"count":2},{"x":2.5,"count":0}],"weights":[0.5],"best":null,"limit":null,)"
      R"("colour":"blue","any":{"k":1}})");
  Thing full = sample();
  full.best = 3.0, full.limit = 4.0, full.extra = 5, full.unit = "s", full.format = "%s";
  EXPECT_EQ(fields_json<Json>(full).dump(),
            R"({"name":"a","points":[{"x":1.5,"count":2},{"x":2.5,"count":0}],"weights":[0.5],"best":3.0,"limit":4.0,)"
            R"("extra":5,"unit":"s","format":"%s","colour":"blue","any":{"k":1}})");
  for (const Thing& thing : {sample(), full})
    EXPECT_EQ(fields_json<Json>(read(fields_json<Json>(thing))), fields_json<Json>(thing));
  Thing empty;
  empty.colour = Colour::kRed;
  EXPECT_EQ(fields_json<Json>(empty)["points"], Json::array());
}

TEST(FieldsTest, AbsentOnesKeepTheirValuesOrAreFaults) {
  Json json = fields_json<Json>(sample());
  for (const char* key : {"weights", "limit"}) json.erase(key);
  json["points"][0].erase("count");
  const Thing thing = read(json);
  EXPECT_TRUE(thing.weights.empty());
  EXPECT_EQ(thing.limit, std::numeric_limits<double>::infinity());
  EXPECT_EQ(thing.extra, -1);
  EXPECT_EQ(thing.points[0].count, 0);
  for (const char* key : {"name", "points", "best", "colour", "any"}) {
    Json without = fields_json<Json>(sample());
    without.erase(key);
    EXPECT_THROW(read(without), Json::exception) << key;
  }
  json["format"] = "%s";  // a group is there as a whole
  EXPECT_THROW(read(json), Json::exception);
}

TEST(FieldsTest, EarlierKeysCountWhereThePresentOnesAreAbsent) {
  Json json = fields_json<Json>(sample());
  json["points"][0] = {{"x", 1.0}, {"number", 7}};
  json["points"][1] = {{"x", 1.0}, {"number", 7}, {"count", 8}};
  EXPECT_EQ(read(json).points[0].count, 7);
  EXPECT_EQ(read(json).points[1].count, 8);
}

TEST(FieldsTest, UnknownNamesAreRefused) {
  Json json = fields_json<Json>(sample());
  json["colour"] = "green";
  EXPECT_THROW(read(json), std::invalid_argument);
  EXPECT_THROW(fields_json<Json>(Thing()), std::logic_error);  // a colour without a name
}

TEST(FieldsTest, NumbersAreCheckedWithTheirNames) {
  const auto names = [](const Thing& thing) {
    std::vector<std::string> out;
    check_fields(thing, [&](const Limits& limits, double x) {
      if (limits.zero ? !(x >= 0) : !(x > 0)) out.emplace_back(limits.name);
    });
    return out;
  };
  Thing thing = sample();
  EXPECT_TRUE(names(thing).empty());
  thing.points[0].x = 0, thing.points[1].count = -1, thing.weights = {1, std::nan("")}, thing.limit = -2;
  thing.best = 0, thing.extra = -2;
  EXPECT_EQ(names(thing),
            (std::vector<std::string>{"an x", "a count", "a weight", "the best", "the limit", "the extra"}));
}

}  // namespace
}  // namespace lgode
