// Systems of a report: how they are chosen, thinned out and packed.
#include "lgode/report/system_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/pack.h"

namespace lgode::report {
namespace {

TEST(Places, HaveBestMedianAndWorst) {
  for (const std::int64_t count : {1, 2, 3, 7, 60, 500})
    for (const std::int64_t wanted : {1, 3, 12, 1000}) {
      const std::vector<std::int64_t> places = spread_places(count, wanted);
      ASSERT_EQ(static_cast<std::int64_t>(places.size()), std::min(count, wanted)) << count << " " << wanted;
      EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
      EXPECT_EQ(places.front(), 0);
      if (wanted > 1) {
        EXPECT_EQ(places.back(), count - 1);
      }
      if (wanted > 2) {
        EXPECT_TRUE(std::binary_search(places.begin(), places.end(), (count - 1) / 2));
      }
    }
  EXPECT_EQ(rank_of(0, 9), "best");
  EXPECT_EQ(rank_of(4, 9), "median");
  EXPECT_EQ(rank_of(8, 9), "worst");
  EXPECT_EQ(rank_of(5, 9), "");
}

TEST(Pack, SixteenBitsOfARange) {
  const auto packed = pack16({-1.0F, 3.0F, std::nan(""), 1.0F});
  EXPECT_EQ(packed["low"], -1.0);
  EXPECT_EQ(packed["high"], 3.0);
  // 0, 65534, 65535 (missing), 32767; little-endian.
  EXPECT_EQ(packed["data"], "AAD+/////38=");
  EXPECT_EQ(pack16({2.0F, 2.0F})["data"], "AAAAAA==");  // no range
  EXPECT_EQ(pack32({1.0F}), "AACAPw==");
  EXPECT_EQ(base64({}), "");
}

SystemView chain(int objects) {
  SystemView view;
  view.times = {0.0, 1.0};
  view.end = 1;
  view.objects_total = objects;
  for (int o = 0; o < objects; ++o) {
    ObjectView object;
    object.id = std::to_string(o);
    object.times = {0.25, 0.5};
    object.values = {static_cast<float>(o), std::nan("")};
    object.seen = {1, 0}, object.asked = {0, 1};
    view.objects.push_back(object);
    for (std::size_t k = 0; k < 2; ++k) view.mean.push_back(static_cast<float>(10 * o) + static_cast<float>(k));
    if (o > 0) view.relations.push_back({o - 1, o, 0, 1.0F});
  }
  view.low = view.high = view.mean;
  view.relations_total = static_cast<std::int64_t>(view.relations.size());
  return view;
}

TEST(SystemView, KeepsPathsWithTheirObjects) {
  const SystemView view = with_fewer_objects(chain(10), 5);
  ASSERT_EQ(view.objects.size(), 5U);
  EXPECT_EQ(view.objects[1].id, "2");
  EXPECT_EQ(view.mean[2], 20.0F);
  EXPECT_EQ(view.objects_total, 10);
  EXPECT_TRUE(view.relations.empty());  // neighbours went
  EXPECT_EQ(with_fewer_relations(chain(10), 3).relations.size(), 3U);
}

// Future j of object o is 100 o + 10 j + k at time k.
SystemView with_futures(int objects, int futures, int times) {
  SystemView view = chain(objects);
  view.times.clear(), view.mean.clear();
  for (int k = 0; k < times; ++k) view.times.push_back(k);
  view.mean.resize(static_cast<std::size_t>(objects * times));
  view.low = view.high = view.mean;
  view.futures.count = futures, view.futures.total = 20;
  for (int o = 0; o < objects; ++o)
    for (int j = 0; j < futures; ++j) {
      view.futures.probability.push_back(0.5 / (j + 1 + o));
      for (int k = 0; k < times; ++k) view.futures.values.push_back(100 * o + 10 * j + k);
    }
  return view;
}

TEST(SystemView, KeepsFuturesWithTheirObjects) {
  const SystemView fewer = with_fewer_futures(with_fewer_objects(with_futures(4, 3, 5), 2), 2);
  EXPECT_EQ(fewer.futures.count, 2);
  EXPECT_EQ(fewer.futures.total, 20);
  EXPECT_EQ(fewer.futures.probability, (std::vector<double>{0.5, 0.25, 0.5 / 3, 0.125}));  // objects 0 and 2
  ASSERT_EQ(fewer.futures.values.size(), 2U * 2 * 5);
  EXPECT_EQ(fewer.futures.values[5], 10);    // object 0, second future
  EXPECT_EQ(fewer.futures.values[10], 200);  // object 2, first future
  EXPECT_EQ(with_fewer_futures(with_futures(4, 3, 5), 3).futures.values.size(), 4U * 3 * 5);
}

TEST(SystemView, FuturesAreWrittenAtSomeTimes) {
  EXPECT_EQ(futures_stride(121), 4U);
  EXPECT_EQ(futures_stride(61), 2U);
  EXPECT_EQ(futures_stride(31), 1U);
  EXPECT_EQ(futures_stride(0), 1U);
  SystemView view = with_futures(2, 3, 61);
  const nlohmann::ordered_json futures = system_json(view, {0})["futures"];
  EXPECT_EQ(futures["count"], 3);
  EXPECT_EQ(futures["total"], 20);
  EXPECT_EQ(futures["stride"], 2);
  EXPECT_EQ(futures["values"][0]["low"], 0.0);
  EXPECT_EQ(futures["values"][0]["high"], 100.0 + 20 + 60);
  EXPECT_EQ(futures["values"][0]["data"].get<std::string>().size(), 4U * (2 * 3 * 31 * 2) / 3);
  EXPECT_EQ(futures["probability"]["high"], 0.5);
  EXPECT_FALSE(system_json(chain(3), {0}).contains("futures"));
}

TEST(SystemView, SurpriseIsNullWhereItIsNotKnown) {
  SystemView view = chain(2);
  EXPECT_TRUE(system_json(view, {0})["surprise"].is_null());
  view.surprise = 0.75;
  EXPECT_EQ(system_json(view, {0})["surprise"], 0.75);
}

TEST(SystemView, FuturesAreVisibleByTheirProbability) {
  EXPECT_EQ(future_opacity(0.3, 0.3), 0.8);
  EXPECT_DOUBLE_EQ(future_opacity(0.15, 0.3), 0.4);
  EXPECT_EQ(future_opacity(1e-9, 0.3), 0.15);
  EXPECT_EQ(future_opacity(std::nan(""), std::nan("")), 0);
}

TEST(Places, ShowTheMostSurprisingOnes) {
  std::vector<double> surprises(60, 0.1);
  surprises[17] = 3, surprises[18] = 4, surprises[44] = 5, surprises[45] = std::nan("");
  const std::vector<std::int64_t> places = shown_places(surprises, 12);
  ASSERT_EQ(places.size(), 12U);
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  for (const std::int64_t place : {0, 17, 18, 29, 44, 59})
    EXPECT_TRUE(std::binary_search(places.begin(), places.end(), place)) << place;
  EXPECT_EQ(shown_places(surprises, 100).size(), 60U);
  EXPECT_EQ(shown_places(std::vector<double>(60, std::nan("")), 12), spread_places(60, 12));
}

TEST(SystemView, IsWrittenByFeature) {
  const nlohmann::ordered_json json = system_json(chain(3), {0});
  EXPECT_EQ(json["objects"]["ids"], nlohmann::ordered_json({"0", "1", "2"}));
  EXPECT_EQ(json["observations"]["counts"], nlohmann::ordered_json({2, 2, 2}));
  EXPECT_EQ(json["observations"]["flags"], base64(std::vector<std::uint8_t>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(json["path"]["mean"][0]["high"], 21.0);
  EXPECT_EQ(json["relations"], nlohmann::ordered_json({0, 1, 0, 1, 2, 0}));
  EXPECT_TRUE(json["mse"].is_number());
}

}  // namespace
}  // namespace lgode::report
