// Who acts on whom by rule and as listed, against cases worked by hand.
#include "lgode/data/relation_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Kind = EdgeRule::Kind;
using Pairs = std::vector<std::pair<int, int>>;  // source, target

EdgeRule rule(Kind kind, std::int64_t neighbours = 0, double radius = 0) {
  return {.kind = kind, .neighbours = neighbours, .radius = radius, .positions = {0, 1}};
}

Pairs pairs(const std::vector<Relation>& relations) {
  Pairs out;
  for (const Relation& r : relations) {
    EXPECT_EQ(r.type, 0);
    EXPECT_EQ(r.weight, 1.0F);
    out.emplace_back(r.source, r.target);
  }
  return out;
}

// On a line at 0, 1, 4 and 5.5.
const std::vector<double> kLine = {0, 0, 1, 0, 4, 0, 5.5, 0};

TEST(RelationRuleTest, AllActOnAllOthers) {
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kAll), 3, {})), (Pairs{{1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}}));
  EXPECT_TRUE(relations_by_rule(rule(Kind::kAll), 1, {}).empty());
  EXPECT_TRUE(relations_by_rule(rule(Kind::kAll), 0, {}).empty());
}

TEST(RelationRuleTest, TheNearestActByDistanceAndNotMutually) {
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kNearest, 2), 4, kLine)),
            (Pairs{{1, 0}, {2, 0}, {0, 1}, {2, 1}, {3, 2}, {1, 2}, {2, 3}, {1, 3}}));
  EXPECT_EQ(relations_by_rule(rule(Kind::kNearest, 9), 4, kLine).size(), 12U);
  // Of two at the same distance the first one counts.
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kNearest, 1), 3, std::vector<double>{0, 0, 1, 0, -1, 0})),
            (Pairs{{1, 0}, {0, 1}, {0, 2}}));
}

TEST(RelationRuleTest, TheRadiusIsIncluded) {
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kWithin, 0, 1.5), 4, kLine)), (Pairs{{1, 0}, {0, 1}, {3, 2}, {2, 3}}));
  EXPECT_TRUE(relations_by_rule(rule(Kind::kWithin, 0, 0.9), 4, kLine).empty());
}

TEST(RelationRuleTest, AnObjectWithoutAPositionIsNearToNone) {
  std::vector<double> line = kLine;
  line[3] = kNaN;  // one axis is enough
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kNearest, 3), 4, line)),
            (Pairs{{2, 0}, {3, 0}, {3, 2}, {0, 2}, {2, 3}, {0, 3}}));
  EXPECT_EQ(pairs(relations_by_rule(rule(Kind::kWithin, 0, 4), 4, line)), (Pairs{{2, 0}, {0, 2}, {3, 2}, {2, 3}}));
}

TEST(RelationRuleTest, ListedRelationsAreKeptAmongThosePresentInTheirOrder) {
  const std::vector<Relation> listed = {{3, 2, 1, 0.5F}, {0, 1}, {2, 0}, {1, 0}, {0, 2, 0, 2.0F}};
  const std::vector<std::int32_t> place = {0, -1, 1, 2};
  const std::vector<Relation> kept = relations_among(listed, place);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(std::pair(kept[0].source, kept[0].target), std::pair(1, 0));
  EXPECT_EQ(std::pair(kept[1].source, kept[1].target), std::pair(2, 1));
  EXPECT_EQ(kept[1].type, 1);
  EXPECT_EQ(kept[1].weight, 0.5F);
  EXPECT_EQ(std::pair(kept[2].source, kept[2].target), std::pair(0, 1));
}

}  // namespace
}  // namespace lgode::data
