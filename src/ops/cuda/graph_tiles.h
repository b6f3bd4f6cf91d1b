// A batch in the tiles of graph_kernel.h, whose legend explains the names: rows of whole systems per tile, their pairs
// in chunks, the steps, and the events of an assimilation. Host code without CUDA; graph_rk.cpp gives the sizes that
// the device allows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/ops/graph_rk.h"
#include "ops/cuda/graph_limits.h"

namespace lgode::ops {

struct GraphTiles {
  std::int64_t tiles = 0, rows = 0, chunks = 0, steps = 0;
  int tile_rows = 16;                        // rows that the kernel is compiled for: 16, 32, 64 or 128
  std::vector<std::int64_t> first_chunk;     // [R+1] of each list
  std::vector<std::int64_t> padding;         // [R] at most this many of a list's last chunks belong to no tile
  at::Tensor row_begin, chunk_begin, count;  // int32
  at::Tensor target, source;                 // uint8 [chunks, kChunk]
  at::Tensor weight;                         // float32 [chunks, kChunk]
  at::Tensor step;                           // float32 [K, rows]
  // Assimilation, as in GraphWork.
  bool alternating = false;
  at::Tensor jump;     // int32 [K, rows]; undefined: none
  at::Tensor present;  // uint8 [K+1, rows]; undefined: all
  at::Tensor read;     // uint8 [K, tiles]; undefined: all
  std::vector<Tie> ties;
  std::int64_t precise = 0;
};

namespace cuda {

// How many rows a tile has.
struct TileSize {
  std::int64_t processors = 1;        // of the device: small batches have a tile for each of them
  std::int64_t usual = kSharedRows;   // most rows of a tile, unless a single system has more
  std::int64_t widest = kSharedRows;  // most rows that the device can take
};

// First row of each tile of whole systems: as many tiles as the device has multiprocessors, unless tiles would have
// more than `usual` rows. Empty if a system has more than `widest` rows. offsets: [B+1] rows of the systems.
std::vector<int> cut_rows(const std::vector<std::int64_t>& offsets, const TileSize& size);

// Cuts a batch and uploads it, with the events if there are any. Null if the kernels do not support the batch: a system
// with more rows than a tile, more lists than the kernel's limit, or jumps at other steps than every other one.
std::shared_ptr<const GraphTiles> cut_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                            Shapes shapes, const Events* events, const TileSize& size);

}  // namespace cuda
}  // namespace lgode::ops
