// Limits of the kernels of graph_kernel.h that decide how a batch is cut. No CUDA here.
#pragma once

namespace lgode::ops::cuda {

constexpr int kMaxLists = 8;
constexpr int kMaxStages = 4;
constexpr int kChunk = 64;       // pairs per chunk
constexpr int kMaxRows = 128;    // rows per tile
constexpr int kSharedRows = 32;  // tiles with more rows use scratch memory
constexpr int kMaxTies = 16;
constexpr int kNoRow = 255;  // target and source of an empty slot

}  // namespace lgode::ops::cuda
