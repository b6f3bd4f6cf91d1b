// Cuts a batch into tiles and chunks. With padded shapes, sizes grow to a few values, so that captured work fits more
// batches: steps without length at the end, and chunks without pairs that belong to no tile.
#include "ops/cuda/graph_tiles.h"

#include <algorithm>
#include <cstddef>

namespace lgode::ops::cuda {
namespace {

constexpr std::int64_t kMostPrecise = 16;
constexpr std::int64_t kPaddedSteps = 8;  // padded plans have a multiple of this number of steps

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Where there are jumps, every other step of each system has no length, from the first on. Ties do not share columns.
bool are_supported(const Events& events, const ode::StepPlan& plan) {
  if (events.ties.size() > kMaxTies || events.precise > kMostPrecise) return false;
  for (const Tie& x : events.ties)
    for (const Tie& y : events.ties)
      if (&x != &y && (x.position == y.position || x.velocity == y.velocity)) return false;
  if (events.jump.empty()) return true;
  for (const std::vector<double>& nodes : plan.nodes)
    for (std::size_t k = 0; k + 1 < nodes.size(); k += 2)
      if (nodes[k] != nodes[k + 1]) return false;
  return true;
}

// Rows that the kernel for these tiles is compiled for.
int rows_of_kernel(const std::vector<int>& row_begin) {
  int most = 0;
  for (std::size_t i = 0; i + 1 < row_begin.size(); ++i) most = std::max(most, row_begin[i + 1] - row_begin[i]);
  return most <= 16 ? 16 : most <= kSharedRows ? kSharedRows : most <= 64 ? 64 : kMaxRows;
}

// The pairs of all lists in chunks.
struct Chunks {
  std::vector<int> begin, count;
  std::vector<std::uint8_t> target, source;
  std::vector<float> weight;

  std::int64_t size() const { return static_cast<std::int64_t>(count.size()); }

  // Appends chunks without pairs, up to `chunks` of them.
  void pad(std::int64_t chunks) {
    count.resize(static_cast<std::size_t>(chunks), 0);
    const std::size_t slots = count.size() * kChunk;
    target.resize(slots, kNoRow), source.resize(slots, kNoRow);
    weight.resize(slots, 0.0F);
  }

  // Appends the pairs of a list, tile by tile.
  void add(const PairGraph::List& list, const std::vector<int>& row_begin) {
    const auto* to = list.target.data_ptr<std::int64_t>();
    const auto* from = list.source.data_ptr<std::int64_t>();
    const at::Tensor weights = list.weight.defined() ? list.weight.to(at::kFloat).contiguous() : at::Tensor();
    for (std::size_t tile = 0; tile + 1 < row_begin.size(); ++tile) {
      begin.push_back(static_cast<int>(size()));
      const std::int64_t end = list.pairs_before[row_begin[tile + 1]];
      for (std::int64_t p = list.pairs_before[row_begin[tile]]; p < end; p += kChunk) {
        const auto here = static_cast<int>(std::min<std::int64_t>(kChunk, end - p));
        const std::size_t slot = target.size();
        pad(size() + 1);
        count.back() = here;
        for (int i = 0; i < here; ++i) {
          target[slot + i] = static_cast<std::uint8_t>(to[p + i] - row_begin[tile]);
          source[slot + i] = static_cast<std::uint8_t>(from[p + i] - row_begin[tile]);
          weight[slot + i] = weights.defined() ? weights.data_ptr<float>()[p + i] : 1.0F;
        }
      }
    }
    begin.push_back(static_cast<int>(size()));
  }
};

void upload_chunks(GraphTiles& t, const PairGraph& pairs, const std::vector<int>& row_begin, Shapes shapes,
                   Upload& upload) {
  Chunks chunks;
  t.first_chunk = {0};
  for (const PairGraph::List& list : pairs.lists) {
    chunks.add(list, row_begin);
    const std::int64_t padded = size_of(chunks.size() - t.first_chunk.back(), shapes);
    t.padding.push_back(shapes == Shapes::kPadded ? padding_step(padded) : 0);
    chunks.pad(t.first_chunk.back() + padded);
    t.first_chunk.push_back(chunks.size());
  }
  t.chunks = chunks.size();
  t.row_begin = upload(row_begin), t.chunk_begin = upload(chunks.begin);
  t.count = upload(chunks.count);
  t.target = upload(chunks.target), t.source = upload(chunks.source);
  t.weight = upload(chunks.weight);
}

void upload_steps(GraphTiles& t, const ode::StepPlan& plan, Upload& upload) {
  t.step = upload.written<float>({t.steps * t.rows}, [&](float* to) {
    std::fill(to, to + t.steps * t.rows, 0.0F);
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      for (std::int64_t k = 0; k < plan.steps(s); ++k)
        std::fill(to + k * t.rows + plan.row_offsets[s], to + k * t.rows + plan.row_offsets[s + 1],
                  static_cast<float>(plan.nodes[s][k + 1] - plan.nodes[s][k]));
  });
}

void upload_events(GraphTiles& t, const Events& events, const ode::StepPlan& plan, const std::vector<int>& row_begin,
                   Upload& upload) {
  // What the plan has, followed by a value for padded steps.
  const auto followed = [&](const auto& values, std::int64_t size, auto rest) {
    return upload.written<decltype(rest)>({size}, [&](auto* to) {
      std::fill(std::copy(values.begin(), values.begin() + std::min<std::ptrdiff_t>(values.size(), size), to),
                to + size, rest);
    });
  };
  if (t.alternating) t.jump = followed(events.jump, t.steps * t.rows, std::int32_t{-1});
  if (!events.present.empty()) t.present = followed(events.present, (t.steps + 1) * t.rows, std::uint8_t{1});
  if (!t.alternating || events.read.empty()) return;
  std::vector<std::uint8_t> read(static_cast<std::size_t>(t.steps * t.tiles), 0);
  // With padded steps the node after the plan's last step is a jump step, too, and its slope may be read.
  for (std::int64_t k = 0; k < std::min(t.steps, plan.max_steps() + 1); ++k)
    for (std::int64_t tile = 0; tile < t.tiles; ++tile) {
      const auto at = events.read.begin() + k * t.rows;
      read[k * t.tiles + tile] = *std::max_element(at + row_begin[tile], at + row_begin[tile + 1]);
    }
  t.read = upload(read);
}

}  // namespace

std::vector<int> cut_rows(const std::vector<std::int64_t>& offsets, const TileSize& size) {
  std::int64_t largest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) largest = std::max(largest, offsets[s + 1] - offsets[s]);
  if (largest > size.widest) return {};
  const std::int64_t limit = std::max(largest, std::min(size.usual, ceiling(offsets.back(), size.processors)));
  std::vector<int> begin{0};
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    if (offsets[s + 1] - begin.back() > limit) begin.push_back(static_cast<int>(offsets[s]));
  if (begin.back() < offsets.back()) begin.push_back(static_cast<int>(offsets.back()));
  return begin;
}

std::shared_ptr<const GraphTiles> cut_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                            Shapes shapes, const Events* events, const TileSize& size) {
  if (pairs.lists.size() > kMaxLists || (events != nullptr && !are_supported(*events, plan))) return nullptr;
  const std::vector<int> row_begin = cut_rows(plan.row_offsets, size);
  if (row_begin.empty()) return nullptr;
  auto t = std::make_shared<GraphTiles>();
  if (events != nullptr) {
    t->alternating = !events->jump.empty();
    t->ties = events->ties;
    t->precise = events->precise;
  }
  t->tiles = static_cast<std::int64_t>(row_begin.size()) - 1;
  t->rows = plan.rows();
  t->steps = plan.max_steps();
  // Padded steps have no length and no jumps. An even number of them.
  if (shapes == Shapes::kPadded && t->alternating) t->steps = ceiling(t->steps, kPaddedSteps) * kPaddedSteps;
  t->tile_rows = rows_of_kernel(row_begin);
  upload_chunks(*t, pairs, row_begin, shapes, upload);
  upload_steps(*t, plan, upload);
  if (events != nullptr) upload_events(*t, *events, plan, row_begin, upload);
  for (const std::int64_t number : {t->tiles, t->rows, t->chunks, t->steps, std::int64_t{t->tile_rows}})
    upload.shaped_by(number);
  for (const std::int64_t chunk : t->first_chunk) upload.shaped_by(chunk);
  return t;
}

}  // namespace lgode::ops::cuda
