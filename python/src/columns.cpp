// Ids are numbered in the order of their first rows, numbers stay where they are, and objects of Python are converted
// one by one.
#include "columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"

namespace py = pybind11;

namespace lgode::python {
namespace {

// The text of an object: as Python prints it.
std::string text_of(PyObject* object) {
  const py::str text = py::reinterpret_steal<py::str>(PyObject_Str(object));
  if (!text) throw py::error_already_set();
  return text;
}

bool is_missing(PyObject* object) {
  if (object == Py_None) return true;
  if (PyFloat_CheckExact(object)) return std::isnan(PyFloat_AS_DOUBLE(object));
  if (PyUnicode_CheckExact(object) || PyLong_CheckExact(object)) return false;
  // pandas.NA and NaT; a comparison with itself fails for both.
  const char* name = Py_TYPE(object)->tp_name;
  return std::strstr(name, "NAType") != nullptr || std::strstr(name, "NaTType") != nullptr;
}

// A whole number that was read as float is the same id.
std::string float_name(double number) { return fmt::format("{}", number); }

class Names {
 public:
  explicit Names(std::size_t rows) { codes.resize(rows); }

  std::int32_t add(std::string name) {
    const auto [found, fresh] = known_.try_emplace(std::move(name), static_cast<std::int32_t>(names.size()));
    if (fresh) names.push_back(found->first);
    return found->second;
  }

  std::vector<std::int32_t> codes;
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string, std::int32_t> known_;
};

// Calls `name_of` once for each value that differs; most rows repeat one of few.
template <class T, class Hash = std::hash<T>, class Name>
void number_values(const py::array& array, Names& out, const Name& name_of) {
  const auto* data = static_cast<const std::byte*>(array.data());
  const py::ssize_t stride = array.strides(0);
  const std::size_t rows = out.codes.size();
  std::unordered_map<T, std::int32_t, Hash> known;
  T last{};
  std::int32_t code = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    T value;
    std::memcpy(&value, data + static_cast<py::ssize_t>(i) * stride, sizeof(T));
    if (i == 0 || value != last) {
      const auto [found, fresh] = known.try_emplace(value, -2);
      if (fresh) found->second = name_of(value);
      code = found->second;
      last = value;
    }
    out.codes[i] = code;
  }
}

// Integers of a small range have a table in place of a map.
void number_integers(const py::array& array, Names& out) {
  const auto* data = static_cast<const std::byte*>(array.data());
  const py::ssize_t stride = array.strides(0);
  const auto at = [&](std::size_t i) {
    std::int64_t value = 0;
    std::memcpy(&value, data + static_cast<py::ssize_t>(i) * stride, sizeof(value));
    return value;
  };
  const std::size_t rows = out.codes.size();
  if (rows == 0) return;
  std::int64_t low = at(0), high = low;
  for (std::size_t i = 1; i < rows; ++i) low = std::min(low, at(i)), high = std::max(high, at(i));
  constexpr std::uint64_t kLargest = 1U << 22U;
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (range >= kLargest)
    return number_values<std::int64_t>(array, out, [&](std::int64_t value) { return out.add(std::to_string(value)); });
  std::vector<std::int32_t> known(range + 1, -1);
  for (std::size_t i = 0; i < rows; ++i) {
    std::int32_t& code = known[static_cast<std::uint64_t>(at(i)) - static_cast<std::uint64_t>(low)];
    if (code < 0) code = out.add(std::to_string(at(i)));
    out.codes[i] = code;
  }
}

void number_objects(const py::array& array, Names& out) {
  number_values<PyObject*>(array, out, [&](PyObject* object) -> std::int32_t {
    if (is_missing(object)) return -1;
    if (PyFloat_CheckExact(object)) return out.add(float_name(PyFloat_AS_DOUBLE(object)));
    return out.add(text_of(object));
  });
}

// Texts of a fixed width, UCS-4 padded with zeros.
void number_fixed_texts(const py::array& array, Names& out) {
  const auto* data = static_cast<const char*>(array.data());
  const auto width = static_cast<std::size_t>(array.itemsize());
  std::unordered_map<std::string_view, std::int32_t> known;
  for (std::size_t i = 0; i < out.codes.size(); ++i) {
    const std::string_view bytes(data + static_cast<py::ssize_t>(i) * array.strides(0), width);
    const auto [found, fresh] = known.try_emplace(bytes, -1);
    if (fresh) {
      std::size_t length = width / 4;
      const auto* letters = reinterpret_cast<const char32_t*>(bytes.data());
      while (length > 0 && letters[length - 1] == 0) --length;
      const auto text = py::reinterpret_steal<py::str>(
          PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, letters, static_cast<py::ssize_t>(length)));
      if (!text) throw py::error_already_set();
      found->second = out.add(text);
    }
    out.codes[i] = found->second;
  }
}

table::NameColumn read_names(const py::object& column, std::size_t rows, PythonTable& out) {
  if (py::isinstance<py::tuple>(column)) {
    const auto pair = column.cast<py::tuple>();
    table::NameColumn result;
    const auto codes = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>(pair[0]);
    out.arrays.push_back(codes);
    result.codes = codes.data();
    for (const py::handle name : pair[1]) result.names.push_back(text_of(name.ptr()));
    return result;
  }
  py::array array = py::reinterpret_borrow<py::array>(column);
  Names names(rows);
  const char kind = array.dtype().kind();
  if (kind == 'i' || kind == 'u') {
    if (kind != 'i' || array.itemsize() != 8) array = array.attr("astype")("int64");
    number_integers(array, names);
  } else if (kind == 'f') {
    if (array.itemsize() != 8) array = array.attr("astype")("float64");
    number_values<std::uint64_t>(array, names, [&](std::uint64_t bits) -> std::int32_t {
      const auto number = std::bit_cast<double>(bits);
      return std::isnan(number) ? -1 : names.add(float_name(number));
    });
  } else if (kind == 'U') {
    number_fixed_texts(array, names);
  } else {
    if (kind != 'O') array = array.attr("astype")("object");
    number_objects(array, names);
  }
  out.codes.push_back(std::move(names.codes));
  return {out.codes.back().data(), std::move(names.names)};
}

// A number in place, if its type can be read there.
std::optional<table::NumberColumn> in_place(const py::array& array) {
  using Type = table::NumberColumn::Type;
  const char kind = array.dtype().kind();
  const auto size = array.itemsize();
  const std::optional<Type> type = kind == 'f' && size == 8                    ? std::optional(Type::kFloat64)
                                   : kind == 'f' && size == 4                  ? std::optional(Type::kFloat32)
                                   : kind == 'i' && size == 8                  ? std::optional(Type::kInt64)
                                   : kind == 'i' && size == 4                  ? std::optional(Type::kInt32)
                                   : (kind == 'b' || kind == 'u') && size == 1 ? std::optional(Type::kUint8)
                                                                               : std::nullopt;
  if (!type || !array.dtype().attr("isnative").cast<bool>()) return {};
  return table::NumberColumn{*type, static_cast<const std::byte*>(array.data()), array.strides(0)};
}

template <class T>
table::NumberColumn own_column(const std::vector<T>& values, table::NumberColumn::Type type) {
  return {type, reinterpret_cast<const std::byte*>(values.data()), sizeof(T)};
}

// The number that an object is, if it is one. Missing ones are NaN.
std::optional<double> number_of(PyObject* object) {
  if (is_missing(object)) return std::numeric_limits<double>::quiet_NaN();
  if (PyUnicode_Check(object)) {
    const std::string text = text_of(object);
    if (text.empty() || table::is_missing_text(text)) return std::numeric_limits<double>::quiet_NaN();
    return table::parse_number(text, false);
  }
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return {};
  }
  return number;
}

py::array objects_of(const py::object& column) {
  py::array array = py::reinterpret_borrow<py::array>(column);
  return array.dtype().kind() == 'O' ? array : py::array(array.attr("astype")("object"));
}

PyObject* object_at(const py::array& array, std::size_t row) {
  PyObject* object = nullptr;
  std::memcpy(&object, static_cast<const std::byte*>(array.data()) + static_cast<py::ssize_t>(row) * array.strides(0),
              sizeof(object));
  return object == nullptr ? Py_None : object;
}

table::NumberColumn read_numbers(const py::object& column, std::size_t rows, PythonTable& out) {
  py::array array = py::reinterpret_borrow<py::array>(column);
  const char kind = array.dtype().kind();
  if (kind != 'O' && kind != 'U' && kind != 'S' && kind != 'M' && kind != 'm') {
    if (!in_place(array)) array = array.attr("astype")("float64");
    out.arrays.push_back(array);
    return *in_place(array);
  }
  array = objects_of(column);
  std::vector<double> numbers(rows);
  std::vector<table::NumberColumn::Bad> bad;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::optional<double> number = number_of(object_at(array, i));
    numbers[i] = number.value_or(std::numeric_limits<double>::quiet_NaN());
    if (!number) bad.push_back({static_cast<std::int64_t>(i), text_of(object_at(array, i))});
  }
  out.numbers.push_back(std::move(numbers));
  table::NumberColumn result = own_column(out.numbers.back(), table::NumberColumn::Type::kFloat64);
  result.bad = std::move(bad);
  return result;
}

// The digits of a fraction of a second that instants need.
int digits_of(const table::NumberColumn& instants, std::size_t rows) {
  constexpr std::int64_t kParts[] = {1'000'000'000, 1'000'000, 1'000};
  int digits = 0;
  for (std::size_t i = 0; i < rows && digits < 9; ++i) {
    const std::int64_t instant = instants.integer(i);
    if (instant == table::TimeColumn::kMissing) continue;
    while (digits < 9 && instant % kParts[digits / 3] != 0) digits += 3;
  }
  return digits;
}

// Texts and other objects: all of them numbers, dates or times of day, as in the first row that can be read.
void read_time_objects(const py::object& column, std::size_t rows, PythonTable& out) {
  const py::array array = objects_of(column);
  std::vector<double> numbers(rows);
  std::vector<std::int64_t> instants(rows);
  std::vector<table::NumberColumn::Bad> bad;
  std::optional<data::TimeStyle> style;
  bool decided = false;
  for (std::size_t i = 0; i < rows; ++i) {
    PyObject* object = object_at(array, i);
    const auto refuse = [&] {
      bad.push_back({static_cast<std::int64_t>(i), is_missing(object) ? "" : text_of(object)});
    };
    if (is_missing(object)) {
      refuse();
      continue;
    }
    const bool date = PyObject_HasAttrString(object, "isoformat") != 0;
    const std::optional<double> number = date ? std::nullopt : number_of(object);
    std::optional<data::Instant> instant;
    if (!number) {
      const std::string text = date ? std::string(py::str(py::handle(object).attr("isoformat")())) : text_of(object);
      instant = data::parse_iso8601(text);
      if (!instant) instant = data::parse_clock(text);
    }
    if (!decided && (instant || number)) {
      decided = true;
      if (instant) style = instant->style;
    }
    const bool fits =
        style ? instant && instant->style.date == style->date && instant->style.zone.empty() == style->zone.empty()
              : number && !std::isnan(*number);
    if (!fits) {
      refuse();
      continue;
    }
    if (style) {
      instants[i] = instant->nanoseconds;
      style->digits = std::max(style->digits, instant->style.digits);
      style->seconds |= instant->style.seconds;
    } else {
      numbers[i] = *number;
    }
  }
  out.table.time.instants = style;
  if (style) {
    out.instants.push_back(std::move(instants));
    out.table.time.cells = own_column(out.instants.back(), table::NumberColumn::Type::kInt64);
  } else {
    out.numbers.push_back(std::move(numbers));
    out.table.time.cells = own_column(out.numbers.back(), table::NumberColumn::Type::kFloat64);
  }
  out.table.time.cells.bad = std::move(bad);
}

void read_times(const py::object& column, std::size_t rows, const std::string& offset, PythonTable& out) {
  py::array array = py::reinterpret_borrow<py::array>(column);
  const char kind = array.dtype().kind();
  if (kind == 'O' || kind == 'U' || kind == 'S') return read_time_objects(column, rows, out);
  if (kind == 'm') {  // durations, in seconds
    array = array.attr("astype")("timedelta64[ns]").attr("astype")("float64");
    array = array.attr("__truediv__")(1e9);
  }
  if (kind == 'M') {
    array = array.attr("astype")("datetime64[ns]", py::arg("copy") = false).attr("view")("int64");
    out.arrays.push_back(array);
    out.table.time.cells = *in_place(array);
    data::TimeStyle style;
    style.digits = digits_of(out.table.time.cells, rows);
    style.zone = offset;
    out.table.time.instants = style;
    return;
  }
  if (!in_place(array)) array = array.attr("astype")("float64");
  out.arrays.push_back(array);
  out.table.time.cells = *in_place(array);
}

}  // namespace

void read_columns(const table::Roles& roles, std::string where, std::vector<std::string> names, const py::list& columns,
                  const std::string& offset, PythonTable& out) {
  table::MemoryTable& table = out.table;
  table.where = std::move(where);
  table.columns = std::move(names);
  table.roles = table::table_roles(roles, table.where, table.columns);
  const auto length = [](const py::handle& column) {
    return py::isinstance<py::tuple>(column) ? py::len(column.cast<py::tuple>()[0]) : py::len(column);
  };
  const std::size_t rows = length(columns[table.roles.object]);
  constexpr std::size_t kMostRows = std::numeric_limits<std::uint32_t>::max() - 1;
  if (rows > kMostRows)
    throw DataError(fmt::format("{}: has {} rows; a table may have {}", table.where, rows, kMostRows));
  table.rows = static_cast<std::int64_t>(rows);
  // Vectors that columns point into must not move.
  out.codes.reserve(table.roles.system.size() + 1);
  out.numbers.reserve(table.roles.features.size() + 1);
  const auto checked = [&](std::size_t c) -> py::object {
    if (length(columns[c]) != rows)
      throw DataError(fmt::format("{}: column '{}' has {} rows, column '{}' has {}", table.where, table.columns[c],
                                  length(columns[c]), table.columns[table.roles.object], rows));
    return columns[c];
  };
  for (const std::size_t c : table.roles.system) table.system.push_back(read_names(checked(c), rows, out));
  table.object = read_names(checked(table.roles.object), rows, out);
  read_times(checked(table.roles.time), rows, offset, out);
  for (const std::size_t c : table.roles.features) table.features.push_back(read_numbers(checked(c), rows, out));
}

}  // namespace lgode::python
