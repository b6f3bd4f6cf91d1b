// The index of a table's objects, and its columns.
#include "table/observations.h"

namespace lgode::table {

std::string ObjectIndex::key(std::uint32_t system, std::string_view id) {
  return std::to_string(system) + ':' + std::string(id);
}

std::uint32_t ObjectIndex::add_system(std::string_view id) {
  const auto [found, fresh] = system_of_.try_emplace(std::string(id), static_cast<std::uint32_t>(systems_.size()));
  if (fresh) systems_.emplace_back(id);
  return found->second;
}

std::uint32_t ObjectIndex::add(std::uint32_t system, std::string_view id) {
  const auto [found, fresh] = object_of_.try_emplace(key(system, id), static_cast<std::uint32_t>(objects_.size()));
  if (fresh) objects_.push_back({system, std::string(id)});
  return found->second;
}

std::optional<std::uint32_t> ObjectIndex::find_system(std::string_view id) const {
  const auto found = system_of_.find(std::string(id));
  return found == system_of_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> ObjectIndex::find(std::uint32_t system, std::string_view id) const {
  const auto found = object_of_.find(key(system, id));
  return found == object_of_.end() ? std::nullopt : std::optional(found->second);
}

std::pair<std::size_t, std::int64_t> ObservationTable::place(std::int64_t line) const {
  std::size_t file = files.size() - 1;
  while (file > 0 && files[file].lines_before >= line) --file;
  return {file, line - files[file].lines_before};
}

void ObservationTable::point_to_own_cells() {
  using Type = NumberColumn::Type;
  const auto bytes = [](const auto& array) { return reinterpret_cast<const std::byte*>(array.data()); };
  if (dates())
    time.cells = {.type = Type::kInt64, .data = bytes(own.instants), .stride = sizeof(std::int64_t)};
  else
    time.cells = {.type = Type::kFloat64, .data = bytes(own.numbers), .stride = sizeof(double)};
  values.clear();
  // A table without rows has no cells to point to.
  const std::byte* const first = bytes(own.values);
  for (std::size_t f = 0; f < features.size(); ++f)
    values.push_back({.type = Type::kFloat64,
                      .data = first == nullptr ? nullptr : first + f * sizeof(double),
                      .stride = static_cast<std::ptrdiff_t>(features.size() * sizeof(double))});
}

void ObservationTable::release(const ScratchPlace& place) {
  object = ScratchArray<std::uint32_t>(place);
  lines = ScratchArray<std::uint32_t>(place);
  own = OwnCells(place);
  time.cells = {};
  values.clear();
}

}  // namespace lgode::table
