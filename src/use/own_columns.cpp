// Names and entries of the columns of systems, objects and times.
#include "lgode/use/own_columns.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "lgode/core/option_values.h"
#include "lgode/data/recordings.h"

namespace lgode::use {
namespace {

// "game/2" as the entries of columns game and period; names may have slashes only where one column makes them.
std::vector<std::string> parts_of(const std::string& id) {
  std::vector<std::string> parts(1);
  for (const char c : id) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// The columns that make the names of systems.
std::vector<std::string> system_columns(const data::Dataset& set, const std::string& name) {
  if (name.empty()) return set.systems() > 1 ? std::vector<std::string>{"system"} : std::vector<std::string>{};
  const std::optional<std::vector<std::string>> parts = parse_names(name);
  if (!parts || parts->size() < 2) return {name};
  for (std::int64_t s = 0; s < set.systems(); ++s)
    if (parts_of(data::recording_of(set, s)).size() != parts->size()) return {name};
  return *parts;
}

}  // namespace

OwnColumns::OwnColumns(const data::Dataset& set, const std::vector<std::string>& others, bool split) {
  const std::vector<std::string>& own = set.description().columns;
  const auto free = [&](const std::string& name) {
    return std::find(others.begin(), others.end(), name) == others.end();
  };
  const auto name = [&](std::size_t place, const char* usual) {
    return own.empty() || own[place].empty() || !free(own[place]) ? std::string(usual) : own[place];
  };
  object_ = name(1, "object"), time_ = name(2, "time");
  system_ = own.empty() ? std::vector<std::string>{"system"} : system_columns(set, own[0]);
  if (!split && system_.size() > 1) system_ = {own[0]};
  if (!std::all_of(system_.begin(), system_.end(), free)) system_ = {"system"};
}

std::vector<std::string> OwnColumns::header() const {
  std::vector<std::string> names = system_;
  names.push_back(object_);
  names.push_back(time_);
  return names;
}

std::vector<std::string> OwnColumns::system(const std::string& id) const {
  if (system_.empty()) return {};
  if (system_.size() == 1) return {id};
  return parts_of(id);
}

}  // namespace lgode::use
