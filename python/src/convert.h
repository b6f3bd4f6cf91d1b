// JSON to Python objects and back, and arrays that share memory with C++.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace lgode::python {

template <class Json>
pybind11::object to_python(const Json& json) {
  namespace py = pybind11;
  switch (json.type()) {
    case nlohmann::detail::value_t::boolean:
      return py::bool_(json.template get<bool>());
    case nlohmann::detail::value_t::number_integer:
      return py::int_(json.template get<std::int64_t>());
    case nlohmann::detail::value_t::number_unsigned:
      return py::int_(json.template get<std::uint64_t>());
    case nlohmann::detail::value_t::number_float:
      return py::float_(json.template get<double>());
    case nlohmann::detail::value_t::string:
      return py::str(json.template get<std::string>());
    case nlohmann::detail::value_t::array: {
      py::list list;
      for (const auto& entry : json) list.append(to_python(entry));
      return list;
    }
    case nlohmann::detail::value_t::object: {
      py::dict dict;
      for (const auto& [key, value] : json.items()) dict[py::str(key)] = to_python(value);
      return dict;
    }
    default:
      return py::none();
  }
}

// A value of an option: None, bool, a number, text, a list or a dict; anything else by its text. numpy's numbers and
// arrays count as numbers and lists.
inline nlohmann::json to_json(pybind11::handle value) {
  namespace py = pybind11;
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) {
    if (value.attr("__ge__")(0).cast<bool>()) {
      try {
        return value.cast<std::uint64_t>();
      } catch (const py::cast_error&) {
        return value.cast<double>();
      }
    }
    return value.cast<std::int64_t>();
  }
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::dict>(value)) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, entry] : value.cast<py::dict>()) object[py::str(key).cast<std::string>()] = to_json(entry);
    return object;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    nlohmann::json list = nlohmann::json::array();
    for (const py::handle entry : value) list.push_back(to_json(entry));
    return list;
  }
  if (py::isinstance<py::array>(value) && py::len(value.attr("shape")) > 0) return to_json(value.attr("tolist")());
  if (py::hasattr(value, "item")) return to_json(value.attr("item")());  // of numpy
  return py::str(value).cast<std::string>();
}

// A read-only array over memory that `owner` keeps alive.
template <class T>
pybind11::array view(std::span<const T> values, std::vector<pybind11::ssize_t> shape, pybind11::handle owner) {
  pybind11::array array(pybind11::dtype::of<T>(), std::move(shape), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// An array that takes over the vector.
template <class T>
pybind11::array take(std::vector<T>&& values, std::vector<pybind11::ssize_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const pybind11::capsule owner(kept, [](void* at) { delete static_cast<std::vector<T>*>(at); });
  return pybind11::array(pybind11::dtype::of<T>(), std::move(shape), kept->data(), owner);
}

}  // namespace lgode::python
