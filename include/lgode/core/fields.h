// Structs that are stored as JSON: a struct lists its fields once, and writing, reading and checking follow.
//
//   template <>
//   struct lgode::Fields<Feature> {
//     template <class Visitor, class T>  // T: Feature, or const Feature to write and to check
//     static void visit(Visitor& v, T& f) {
//       v.field("name", f.name);            // read: must be there
//       v.optional("unit", f.unit);         // read: keeps its value where it is absent
//       v.sparse("derived", f.derived, f.derived);  // written only where the condition holds, read like optional()
//     }
//   };
//
// Fields may be numbers, text, JSON, std::optional (none: null), lists of these, and other structs with fields, also in
// lists. Fields are written and read in the order of visit(). FieldReader takes rules: they find a key, convert a
// value, and word the errors of the file at hand.
#pragma once

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lgode {

template <class T>
struct Fields;
template <class T>
concept HasFields = requires {
  sizeof(Fields<T>);
};

// What a number must be, with its name for a message; without a name, anything.
struct Limits {
  const char* name = nullptr;
  bool zero = false;  // 0 is allowed
};
constexpr Limits positive(const char* name) { return {name, false}; }
constexpr Limits not_negative(const char* name) { return {name, true}; }

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Writes the fields of a struct into an object.
template <class Json>
class FieldWriter {
 public:
  template <class T>
  void field(const char* key, const T& value, Limits = {}) {
    json_[key] = json_of(value);
  }
  template <class T>
  void optional(const char* key, const T& value, Limits = {}) {
    field(key, value);
  }
  template <class T>
  void sparse(const char* key, const T& value, bool present, Limits = {}) {
    if (present) field(key, value);
  }
  // Several fields that are there together; `key` is one of them.
  template <class Body>
  void group(const char*, bool present, const Body& body) {
    if (present) body();
  }
  // A number that may be infinite: null then.
  void finite(const char* key, double value, Limits = {}) {
    json_[key] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  // A key of earlier files; the field of the present key has the limits.
  template <class T>
  void earlier(const char*, const T&) {}
  // An enumeration by the names of its values; std::logic_error for a value without a name.
  template <class T, std::size_t count>
  void named(const char* key, const T& value, const std::pair<T, const char*> (&names)[count]) {
    for (const auto& [known, name] : names)
      if (known == value) {
        json_[key] = name;
        return;
      }
    throw std::logic_error(std::string("a value of ") + key + " has no name");
  }

  template <class T>
  static Json json_of(const T& value) {
    if constexpr (HasFields<T>) {
      FieldWriter writer;
      Fields<T>::visit(writer, value);
      return std::move(writer.json_);
    } else if constexpr (IsList<T>::value) {
      Json list = Json::array();
      for (const auto& one : value) list.push_back(json_of(one));
      return list;
    } else {
      return Json(value);
    }
  }
  template <class T>
  static Json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : Json(nullptr);
  }

 private:
  Json json_ = Json::object();
};

template <class Json, class T>
Json fields_json(const T& value) {
  return FieldWriter<Json>::json_of(value);
}

// Reads the fields of a struct from an object. Rules: `at(object, key)` finds a value that must be there,
// `get<T>(value, key)` converts it, `unknown(key, text)` refuses the name of an enumeration's value.
template <class Json, class Rules>
class FieldReader {
 public:
  FieldReader(const Json& json, const Rules& rules) : json_(json), rules_(rules) {}

  template <class T>
  void field(const char* key, T& value, Limits = {}) const {
    read(rules_.at(json_, key), key, value);
  }
  template <class T>
  void optional(const char* key, T& value, Limits = {}) const {
    if (json_.contains(key)) field(key, value);
  }
  template <class T>
  void sparse(const char* key, T& value, bool, Limits = {}) const {
    optional(key, value);
  }
  template <class Body>
  void group(const char* key, bool, const Body& body) const {
    if (json_.contains(key)) body();
  }
  void finite(const char* key, double& value, Limits = {}) const {
    if (json_.contains(key) && !json_.at(key).is_null()) field(key, value);
  }
  template <class T>
  void earlier(const char* key, T& value) const {
    optional(key, value);
  }
  template <class T, std::size_t count>
  void named(const char* key, T& value, const std::pair<T, const char*> (&names)[count]) const {
    std::string text;
    field(key, text);
    for (const auto& [known, name] : names)
      if (text == name) {
        value = known;
        return;
      }
    rules_.unknown(key, text);
  }

 private:
  template <class T>
  void read(const Json& json, const char* key, T& value) const {
    if constexpr (HasFields<T>) {
      FieldReader reader(json, rules_);
      Fields<T>::visit(reader, value);
    } else if constexpr (std::is_same_v<T, Json>) {
      value = json;
    } else {
      value = rules_.template get<T>(json, key);
    }
  }
  template <class T>
  requires HasFields<T>
  void read(const Json& json, const char* key, std::vector<T>& list) const {
    list.clear();
    for (const Json& one : rules_.template get<std::vector<Json>>(json, key)) read(one, key, list.emplace_back());
  }
  template <class T>
  void read(const Json& json, const char* key, std::optional<T>& value) const {
    value.reset();
    if (!json.is_null()) read(json, key, value.emplace());
  }

  const Json& json_;
  const Rules& rules_;
};

template <class Json, class Rules, class T>
void read_fields(const Json& json, const Rules& rules, T& into) {
  FieldReader reader(json, rules);
  Fields<T>::visit(reader, into);
}

// Calls check(limits, number) for every number with limits that is there, also in lists and in other structs.
template <class Check>
class FieldChecker {
 public:
  explicit FieldChecker(const Check& check) : check_(check) {}

  template <class T>
  void field(const char*, const T& value, Limits limits = {}) const {
    if constexpr (HasFields<T>) {
      Fields<T>::visit(*this, value);
    } else if constexpr (IsList<T>::value) {
      for (const auto& one : value) field("", one, limits);
    } else if constexpr (IsOptional<T>::value) {
      if (value) field("", *value, limits);
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (limits.name != nullptr) check_(limits, static_cast<double>(value));
    }
  }
  template <class T>
  void optional(const char* key, const T& value, Limits limits = {}) const {
    field(key, value, limits);
  }
  template <class T>
  void sparse(const char* key, const T& value, bool present, Limits limits = {}) const {
    if (present) field(key, value, limits);
  }
  template <class Body>
  void group(const char*, bool, const Body& body) const {
    body();
  }
  void finite(const char* key, double value, Limits limits = {}) const {
    if (std::isfinite(value)) field(key, value, limits);
  }
  template <class T>
  void earlier(const char*, const T&) const {}
  template <class T, class Names>
  void named(const char*, const T&, const Names&) const {}

 private:
  const Check& check_;
};

template <class T, class Check>
void check_fields(const T& value, const Check& check) {
  const FieldChecker checker(check);
  Fields<T>::visit(checker, value);
}

// The rules of a file whose errors the JSON library words; numbers are converted as it does.
struct PlainRules {
  template <class Json>
  const Json& at(const Json& object, const char* key) const {
    return object.at(key);
  }
  template <class T, class Json>
  T get(const Json& value, const char*) const {
    return value.template get<T>();
  }
};

}  // namespace lgode
