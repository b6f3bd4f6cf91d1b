// What .npy files and the pickles in them share: a cursor over bytes, and numbers of numpy's types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/data/npy/npy.h"

namespace lgode::data {

// A bounds-checked cursor over bytes.
class ByteCursor {
 public:
  ByteCursor(std::string_view bytes, std::size_t first, std::string where)
      : bytes_(bytes), at_(first), where_(std::move(where)) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::string_view take(std::uint64_t count);
  std::string_view take_line();          // up to a line feed, which is consumed but not returned
  std::uint64_t take_number(int bytes);  // unsigned, little-endian, up to 8 bytes
  [[noreturn]] void fail(const std::string& message) const;
  const std::string& where() const { return where_; }

 private:
  std::string_view bytes_;
  std::size_t at_;
  std::string where_;
};

// A number's type: kind 'f', 'i', 'u' or 'b', or 'O' for objects; size in bytes.
struct NpyType {
  char kind = 0;
  std::uint64_t size = 0;
};

// "f8", "<i4", "|O", ...; false for types that are not read.
bool parse_type(std::string_view text, NpyType& type);

// The numbers of an array, `bytes` as numpy has them in memory, brought into rows (fortran: from columns).
// False where the bytes do not fit the shape.
bool decode_numbers(std::string_view bytes, NpyType type, bool fortran, NpyArray& array);

// The product of a shape; false where it is negative somewhere or beyond `most`.
bool count_elements(const std::vector<std::int64_t>& shape, std::uint64_t most, std::uint64_t& count);

// The array that a pickle holds, from the cursor to the pickle's end.
NpyArray read_pickled_array(ByteCursor& cursor);

}  // namespace lgode::data
