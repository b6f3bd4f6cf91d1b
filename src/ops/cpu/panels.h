// Matrices in panels of columns, each stored row after row without gaps: a product reads one panel again for every
// block of rows, and rows that lie powers of two apart would push each other out of the cache.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lgode::ops::cpu {

// Columns of the next panel where `left` remain: 64, or 80 rather than 64 and a narrow rest.
inline std::int64_t panel_width(std::int64_t left) { return left == 80 ? 80 : std::min<std::int64_t>(left, 64); }

// [rows, columns], row-major, to panels.
inline void pack_panels(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
  for (std::int64_t start = 0, width = 0; start < columns; start += width) {
    width = panel_width(columns - start);
    for (std::int64_t r = 0; r < rows; ++r, to += width) std::copy_n(from + r * columns + start, width, to);
  }
}

}  // namespace lgode::ops::cpu
