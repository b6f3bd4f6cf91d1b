// Reads numpy's file format: magic bytes, version, a header in Python's notation, then numbers or a pickle.
#include "lgode/data/npy/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "npy_bytes.h"

namespace lgode::data {
namespace {

// "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }"
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const ByteCursor& cursor) : rest_(text), cursor_(cursor) {}

  void read() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr")
        descr = quoted();
      else if (key == "fortran_order")
        fortran = boolean();
      else if (key == "shape")
        tuple();
      else
        fail(fmt::format("'{}'", key));
      accept(',');
    }
    if (descr.empty() || !has_shape_) fail("no descr or no shape");
  }

  std::string_view descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;

 private:
  [[noreturn]] void fail(const std::string& what) const {
    cursor_.fail(fmt::format("the header is not numpy's ({}); structured arrays are not read", what));
  }
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }
  std::string_view quoted() {
    expect('\'');
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) fail("a text without end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(std::strlen(word));
      return value;
    }
    fail("expected True or False");
  }
  void tuple() {
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc()) fail("a shape that is not a list of numbers");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');  // Python 2
      accept(',');
      shape.push_back(value);
    }
    has_shape_ = true;
  }

  std::string_view rest_;
  const ByteCursor& cursor_;
  bool has_shape_ = false;
};

template <class T>
double number_at(const char* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

using Decoder = double (*)(const char*);

Decoder decoder_of(NpyType type) {
  switch (type.kind) {
    case 'f':
      return type.size == 8 ? number_at<double> : type.size == 4 ? number_at<float> : nullptr;
    case 'i':
      return type.size == 8   ? number_at<std::int64_t>
             : type.size == 4 ? number_at<std::int32_t>
             : type.size == 2 ? number_at<std::int16_t>
             : type.size == 1 ? number_at<std::int8_t>
                              : nullptr;
    case 'u':
      return type.size == 8   ? number_at<std::uint64_t>
             : type.size == 4 ? number_at<std::uint32_t>
             : type.size == 2 ? number_at<std::uint16_t>
             : type.size == 1 ? number_at<std::uint8_t>
                              : nullptr;
    case 'b':
      return type.size == 1 ? number_at<std::uint8_t> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::int64_t NpyArray::elements() const {
  return static_cast<std::int64_t>(of_objects ? items.size() : numbers.size());
}

std::string_view ByteCursor::take(std::uint64_t count) {
  if (count > left())
    fail(fmt::format("{} more bytes were expected, {} are left; is the file cut off?", count, left()));
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

std::string_view ByteCursor::take_line() {
  const std::size_t end = bytes_.find('\n', at_);
  if (end == std::string_view::npos) fail("a line has no end; is the file cut off?");
  const std::string_view line = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

std::uint64_t ByteCursor::take_number(int bytes) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char c : take(static_cast<std::uint64_t>(bytes))) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
    shift += 8;
  }
  return value;
}

void ByteCursor::fail(const std::string& message) const {
  throw DataError(fmt::format("{}, byte {}: {}", where_, at_, message));
}

bool parse_type(std::string_view text, NpyType& type) {
  if (text.starts_with('<') || text.starts_with('|') || text.starts_with('=')) text.remove_prefix(1);
  if (text.empty()) return false;
  type = {text.front(), 0};
  text.remove_prefix(1);
  if (type.kind == 'O') return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), type.size);
  return error == std::errc() && end == text.data() + text.size() && decoder_of(type) != nullptr;
}

bool count_elements(const std::vector<std::int64_t>& shape, std::uint64_t most, std::uint64_t& count) {
  count = 1;
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) return false;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) count = 0;
  for (const std::int64_t n : shape) {
    if (n > 0 && count > most / static_cast<std::uint64_t>(n)) return false;
    count *= static_cast<std::uint64_t>(n);
  }
  return true;
}

bool decode_numbers(std::string_view bytes, NpyType type, bool fortran, NpyArray& array) {
  const Decoder decode = decoder_of(type);
  std::uint64_t count = 0;
  if (decode == nullptr || !count_elements(array.shape, bytes.size(), count) || count * type.size != bytes.size())
    return false;
  array.numbers.resize(count);
  if (!fortran || array.shape.size() < 2) {
    for (std::uint64_t i = 0; i < count; ++i) array.numbers[i] = decode(bytes.data() + i * type.size);
    return true;
  }
  // Place i of the rows is the sum of index times step, the first index being the fastest in memory.
  std::vector<std::uint64_t> index(array.shape.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t at = 0;
    for (std::size_t axis = array.shape.size(); axis-- > 0;)
      at = at * static_cast<std::uint64_t>(array.shape[axis]) + index[axis];
    array.numbers[i] = decode(bytes.data() + at * type.size);
    for (std::size_t axis = array.shape.size(); axis-- > 0;) {
      if (++index[axis] < static_cast<std::uint64_t>(array.shape[axis])) break;
      index[axis] = 0;
    }
  }
  return true;
}

NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ByteCursor cursor(text, 0, where);
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!text.starts_with(kMagic))
    throw DataError(fmt::format("{}: is not a file of numpy's, expected one that numpy.save wrote", where));
  cursor.take(kMagic.size());
  const std::uint64_t version = cursor.take_number(1);
  cursor.take_number(1);
  if (version < 1 || version > 3) cursor.fail(fmt::format("version {} of numpy's format, expected 1 to 3", version));
  const std::uint64_t header_size = cursor.take_number(version == 1 ? 2 : 4);
  HeaderReader header(cursor.take(header_size), cursor);
  header.read();
  NpyType type;
  if (!parse_type(header.descr, type))
    cursor.fail(
        fmt::format("values of type '{}' are not read, expected little-endian numbers or objects", header.descr));
  NpyArray array;
  if (type.kind == 'O') {
    array = read_pickled_array(cursor);
    if (!array.of_objects || array.shape != header.shape) cursor.fail("the header's shape differs from the array's");
    return array;
  }
  array.shape = header.shape;
  std::uint64_t count = 0;
  if (!count_elements(array.shape, cursor.left(), count) || count * type.size > cursor.left())
    cursor.fail(fmt::format("{} bytes are left, fewer than the array needs; is the file cut off?", cursor.left()));
  if (!decode_numbers(cursor.take(cursor.left()), type, header.fortran, array))
    cursor.fail("there are more bytes than the array needs");
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_npy(file.bytes(), path.string());
}

}  // namespace lgode::data
