// Matrices in panels of columns, each stored row after row without gaps: a product reads one panel again for every
// block of rows, and rows that lie powers of two apart would push each other out of the cache.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lgode::ops::cpu {

// Columns of the next panel where `left` remain: 64, or 80 rather than 64 and a narrow rest.
inline std::int64_t panel_width(std::int64_t left) { return left == 80 ? 80 : std::min<std::int64_t>(left, 64); }

// What products take: their matrices' sizes are multiples of this.
inline std::int64_t padded16(std::int64_t count) { return (count + 15) / 16 * 16; }

// A matrix somewhere in memory.
struct MatrixView {
  const float* at = nullptr;
  std::int64_t rows = 0, columns = 0, row_step = 0, column_step = 1;
  MatrixView transposed() const { return {at, columns, rows, column_step, row_step}; }
};

// Writes a block, its corner at (row, column), into a matrix [rows, ...] with `columns` columns in panels.
inline void write_panels(const MatrixView& from, std::int64_t rows, std::int64_t columns, std::int64_t row,
                         std::int64_t column, float* to) {
  for (std::int64_t start = 0, width = 0; start < columns; start += width) {
    width = panel_width(columns - start);
    const std::int64_t begin = std::max(start, column), end = std::min(start + width, column + from.columns);
    for (std::int64_t r = 0; r < from.rows; ++r) {
      const float* in = from.at + r * from.row_step;
      float* out = to + start * rows + (row + r) * width - start;
      for (std::int64_t c = begin; c < end; ++c) out[c] = in[(c - column) * from.column_step];
    }
  }
}

}  // namespace lgode::ops::cpu
