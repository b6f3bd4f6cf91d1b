// How a batch is cut for the kernels of a GPU, on the CPU: every row, pair and step is in its place, once.
#include "ops/cuda/graph_tiles.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "lgode/ode/plan.h"
#include "support/graph_problem.h"

namespace lgode::ops::cuda {
namespace {

using lgode::testing::make_problem;
using lgode::testing::Problem;

template <class T>
std::vector<T> values(const at::Tensor& t) {
  const at::Tensor flat = t.contiguous();
  return {flat.data_ptr<T>(), flat.data_ptr<T>() + flat.numel()};
}

ode::StepPlan plan_of(const Problem& p, double step = 0.25) {
  std::vector<double> horizons;
  for (std::size_t s = 0; s + 1 < p.row_offsets.size(); ++s)
    horizons.push_back(2.0 - 0.25 * static_cast<double>(s % 4));
  return ode::fixed_plan(p.row_offsets, horizons, step);
}

std::shared_ptr<const GraphTiles> cut(const Problem& p, const ode::StepPlan& plan, Shapes shapes = Shapes::kExact,
                                      const Events* events = nullptr, const TileSize& size = {}) {
  Upload upload;
  return cut_tiles(p.pairs, plan, upload, shapes, events, size);
}

TEST(GraphTilesTest, TilesHaveWholeSystems) {
  const std::vector<std::int64_t> offsets{0, 5, 10, 12, 30, 31};
  EXPECT_EQ(cut_rows(offsets, {}), (std::vector<int>{0, 31}));
  // As many tiles as processors, where systems allow it; the largest system decides otherwise.
  EXPECT_EQ(cut_rows(offsets, {.processors = 8}), (std::vector<int>{0, 12, 30, 31}));
  EXPECT_EQ(cut_rows({0, 2, 4, 6, 8}, {.processors = 2}), (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(cut_rows({0, 2, 4, 6, 8}, {.usual = 2}), (std::vector<int>{0, 2, 4, 6, 8}));
  EXPECT_EQ(cut_rows({0, 40, 41}, {.widest = 64}), (std::vector<int>{0, 40, 41}));
  EXPECT_TRUE(cut_rows({0, 40, 41}, {}).empty());
  EXPECT_EQ(cut_rows({0}, {}), (std::vector<int>{0}));
}

TEST(GraphTilesTest, TheKernelIsTheSmallestThatTakesTheTiles) {
  for (const auto& [rows, expected] :
       std::vector<std::pair<std::int64_t, int>>{{1, 16}, {16, 16}, {17, 32}, {33, 64}, {65, 128}, {128, 128}}) {
    const Problem p = make_problem({rows}, 1, 2, 3, at::kFloat, false, true);
    EXPECT_EQ(cut(p, plan_of(p), Shapes::kExact, nullptr, {.widest = kMaxRows})->tile_rows, expected) << rows;
  }
}

// Target, source and weight of every pair of a list, as the lists and as the chunks have them.
using Pair = std::tuple<std::int64_t, std::int64_t, float>;
std::multiset<Pair> pairs_of(const PairGraph::List& list) {
  std::multiset<Pair> all;
  for (std::int64_t p = 0; p < list.target.numel(); ++p)
    all.insert({list.target[p].item<std::int64_t>(), list.source[p].item<std::int64_t>(),
                list.weight.defined() ? list.weight[p][0].item<float>() : 1.0F});
  return all;
}
std::multiset<Pair> pairs_of(const GraphTiles& t, std::int64_t list) {
  const auto row_begin = values<int>(t.row_begin), chunk_begin = values<int>(t.chunk_begin),
             count = values<int>(t.count);
  const auto target = values<std::uint8_t>(t.target), source = values<std::uint8_t>(t.source);
  const auto weight = values<float>(t.weight);
  std::multiset<Pair> all;
  for (std::int64_t tile = 0; tile < t.tiles; ++tile) {
    const int* begin = &chunk_begin[list * (t.tiles + 1) + tile];
    for (int c = begin[0]; c < begin[1]; ++c) {
      EXPECT_EQ(count[c] == kChunk || c + 1 == begin[1], true) << "only a tile's last chunk may have fewer";
      EXPECT_GT(count[c], 0);
      for (int p = c * kChunk; p < c * kChunk + kChunk; ++p) {
        if (p < c * kChunk + count[c]) {
          EXPECT_LT(row_begin[tile] + target[p], row_begin[tile + 1]);
          EXPECT_LT(row_begin[tile] + source[p], row_begin[tile + 1]);
          all.insert({row_begin[tile] + target[p], row_begin[tile] + source[p], weight[p]});
        } else {
          EXPECT_EQ(target[p], kNoRow);
          EXPECT_EQ(source[p], kNoRow);
          EXPECT_EQ(weight[p], 0.0F);
        }
      }
    }
  }
  return all;
}

TEST(GraphTilesTest, EveryPairIsInOneChunkOfItsTile) {
  for (const bool weighted : {false, true})
    for (const auto& systems : std::vector<std::vector<std::int64_t>>{{1}, {9}, {5, 5, 5}, {20, 1, 13, 30, 2}})
      for (const Shapes shapes : {Shapes::kExact, Shapes::kPadded}) {
        const Problem p = make_problem(systems, 3, 2, 3, at::kFloat, weighted, systems.size() > 3);
        const auto t = cut(p, plan_of(p), shapes);
        ASSERT_NE(t, nullptr);
        for (std::int64_t r = 0; r < 3; ++r) EXPECT_EQ(pairs_of(*t, r), pairs_of(p.pairs.lists[r]));
        EXPECT_EQ(t->chunks, t->count.numel());
        EXPECT_EQ(t->target.numel(), t->chunks * kChunk);
        EXPECT_EQ(t->rows, p.pairs.rows);
      }
}

TEST(GraphTilesTest, PaddedBatchesOfSimilarSizeHaveTheSameShape) {
  const Problem p = make_problem({9, 9}, 2, 2, 3, at::kFloat, true),
                other = make_problem({9, 9}, 2, 2, 3, at::kFloat, true, true);
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Problem* problem : {&p, &other}) {
    Upload upload;
    const auto t = cut_tiles(problem->pairs, plan_of(*problem), upload, Shapes::kPadded, nullptr, {});
    shapes.push_back(upload.shape());
    for (std::size_t r = 0; r < 2; ++r) {
      const int used = values<int>(t->chunk_begin)[(r + 1) * (t->tiles + 1) - 1];
      EXPECT_GE(used, t->first_chunk[r + 1] - t->padding[r]);
      for (std::int64_t c = used; c < t->first_chunk[r + 1]; ++c) EXPECT_EQ(values<int>(t->count)[c], 0);
    }
  }
  EXPECT_EQ(shapes[0], shapes[1]);
}

TEST(GraphTilesTest, StepsAreZeroAfterASystemsEnd) {
  const Problem p = make_problem({2, 3, 1}, 1, 2, 3, at::kFloat, false);
  const ode::StepPlan plan = plan_of(p, 0.3);
  const auto step = values<float>(cut(p, plan)->step);
  for (std::int64_t k = 0; k < plan.max_steps(); ++k)
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      for (std::int64_t row = plan.row_offsets[s]; row < plan.row_offsets[s + 1]; ++row)
        EXPECT_EQ(step[k * plan.rows() + row],
                  k < plan.steps(s) ? static_cast<float>(plan.nodes[s][k + 1] - plan.nodes[s][k]) : 0.0F);
}

// Two systems of two rows and two steps; the first step of each has no length.
struct Assimilated {
  Problem problem = make_problem({2, 2}, 1, 4, 3, at::kFloat, false);
  ode::StepPlan plan{{0, 2, 4}, {{0, 0, 0.5}, {0, 0, 0.25}}};
  Events events{.ties = {{0, 2, 1.0, true}},
                .jump = {0, -1, 1, 2, -1, -1, -1, -1},
                .present = {1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0},
                .read = {0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0}};
};

TEST(GraphTilesTest, EventsAreThePlansAndNothingHappensInPaddedSteps) {
  const Assimilated a;
  const auto t = cut(a.problem, a.plan, Shapes::kPadded, &a.events, {.usual = 2});
  ASSERT_EQ(t->tiles, 2);
  ASSERT_EQ(t->steps, 8);
  EXPECT_TRUE(t->alternating);
  const auto jump = values<std::int32_t>(t->jump);
  const auto present = values<std::uint8_t>(t->present), read = values<std::uint8_t>(t->read);
  for (std::size_t i = 0; i < jump.size(); ++i) EXPECT_EQ(jump[i], i < 8 ? a.events.jump[i] : -1) << i;
  for (std::size_t i = 0; i < present.size(); ++i) EXPECT_EQ(present[i], i < 12 ? a.events.present[i] : 1) << i;
  // [K, tiles]: whether any row's slope is read at the node before the step.
  EXPECT_EQ(std::vector<std::uint8_t>(read.begin(), read.begin() + 8),
            (std::vector<std::uint8_t>{0, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(values<float>(t->step), ([&] {
              std::vector<float> expected(32, 0.0F);
              expected[4] = expected[5] = 0.5F, expected[6] = expected[7] = 0.25F;
              return expected;
            }()));
}

TEST(GraphTilesTest, RefusesWhatTheKernelsDoNotSupport) {
  const Assimilated good;
  ASSERT_NE(cut(good.problem, good.plan, Shapes::kExact, &good.events), nullptr);
  Assimilated shared = good, many = good, precise = good, moving = good;
  shared.events.ties.push_back({0, 3, 1.0, false});
  for (std::int64_t i = 0; i <= kMaxTies; ++i) many.events.ties.push_back({10 + 2 * i, 11 + 2 * i, 1.0, false});
  precise.events.precise = 17;
  moving.plan.nodes[1] = {0, 0.125, 0.25};  // a jump at a step with a length
  for (const Assimilated* bad : {&shared, &many, &precise, &moving})
    EXPECT_EQ(cut(bad->problem, bad->plan, Shapes::kExact, &bad->events), nullptr);
  const Problem lists = make_problem({3}, kMaxLists + 1, 2, 3, at::kFloat, false),
                large = make_problem({40}, 1, 2, 3, at::kFloat, false, true);
  EXPECT_EQ(cut(lists, plan_of(lists)), nullptr);
  EXPECT_EQ(cut(large, plan_of(large)), nullptr);
}

}  // namespace
}  // namespace lgode::ops::cuda
