// Matrices in panels: groups of consecutive columns, each stored row by row without gaps. A product reads a panel again
// for every block of rows of the other factor. In a plain row-major matrix, rows a power of two apart would
// evict each other from the cache.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lgode::ops::cpu {

// Width of the next panel if `left` columns remain: 64, but 80 for the last 80, to avoid a narrow panel of 16.
inline std::int64_t panel_width(std::int64_t left) { return left == 80 ? 80 : std::min<std::int64_t>(left, 64); }

// `count` rounded up to a multiple of 16, the unit of the products' sizes.
inline std::int64_t padded16(std::int64_t count) { return (count + 15) / 16 * 16; }

// A view of a strided matrix.
struct MatrixView {
  const float* at = nullptr;
  std::int64_t rows = 0, columns = 0, row_step = 0, column_step = 1;
  MatrixView transposed() const { return {at, columns, rows, column_step, row_step}; }
};

// Copies `from` to position (row, column) of a matrix [rows, columns] that is stored in panels at `to`.
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
