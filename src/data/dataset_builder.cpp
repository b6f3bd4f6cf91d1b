// Data sets from systems that are added one by one: by readers of other formats, and copied from other sets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/data/dataset.h"

namespace lgode::data {

struct DatasetBuilder::Impl {
  Description description;
  DatasetArrays<ArrayStorage> a{.object_offsets = {0}, .observation_offsets = {0}, .relation_offsets = {0}};
  std::vector<std::string> system_ids;
  std::vector<std::string> object_ids;
  bool has_system_ids = false;
  bool has_object_ids = false;

  // Entries of a row in an array per row or per value.
  std::size_t width(Per per) const { return per == Per::kValue ? description.features.size() : 1; }
  bool has_object() const { return a.parts.size() > 0 && a.object_offsets.back() > a.object_offsets.end()[-2]; }
  void check_features(const Dataset& from) const {
    if (from.description().features.size() != description.features.size())
      throw DataError(fmt::format("an observation has {} values, expected {}", from.description().features.size(),
                                  description.features.size()));
  }
  // Brings the observations of an object into order.
  void sort_object(std::size_t object);
  // The description's ids, as given with systems and objects; without one, the index is the id.
  void settle_ids();
  void settle_lengths();
};

void DatasetBuilder::Impl::sort_object(std::size_t object) {
  const auto first = static_cast<std::size_t>(a.observation_offsets[object]);
  const auto count = static_cast<std::size_t>(a.observation_offsets[object + 1]) - first;
  const auto begin = a.times.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  // NaN times cannot be sorted; the checks of the data set report it.
  if (std::is_sorted(begin, end) || std::any_of(begin, end, [](double t) { return std::isnan(t); })) return;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return a.times[i] < a.times[j]; });
  const auto sort = [&](const char*, Per per, auto& array) {
    if (per != Per::kRow && per != Per::kValue) return;
    const std::size_t entries = width(per);
    std::remove_reference_t<decltype(array)> sorted;
    for (const std::size_t m : order)
      sorted.insert(sorted.end(), array.begin() + static_cast<std::ptrdiff_t>(m * entries),
                    array.begin() + static_cast<std::ptrdiff_t>((m + 1) * entries));
    std::copy(sorted.begin(), sorted.end(), array.begin() + static_cast<std::ptrdiff_t>(first * entries));
  };
  Dataset::Arrays::each(sort, a);
}

void DatasetBuilder::Impl::settle_ids() {
  if (has_system_ids) {
    for (std::size_t s = 0; s < system_ids.size(); ++s) {
      if (system_ids[s].empty()) system_ids[s] = std::to_string(s);
    }
    description.system_ids = std::move(system_ids);
  }
  if (has_object_ids) {
    for (std::size_t s = 0; s < a.parts.size(); ++s) {
      for (std::int64_t o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
        std::string& id = object_ids[static_cast<std::size_t>(o)];
        if (id.empty()) id = std::to_string(o - a.object_offsets[s]);
      }
    }
    description.object_ids = std::move(object_ids);
  }
}

// Of the training part: the model's window follows from these lengths, and the test part may not change a model.
void DatasetBuilder::Impl::settle_lengths() {
  std::int64_t longest = 0;
  std::int64_t shortest = 0;
  const bool any = std::find(a.parts.begin(), a.parts.end(), static_cast<std::uint8_t>(Part::kTrain)) != a.parts.end();
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (any && a.parts[s] != static_cast<std::uint8_t>(Part::kTrain)) continue;
    for (std::int64_t o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      std::int64_t count = 0;
      for (auto m = static_cast<std::size_t>(a.observation_offsets[o]);
           m < static_cast<std::size_t>(a.observation_offsets[o + 1]); ++m) {
        const double* row = a.values.data() + m * description.features.size();
        count += std::all_of(row, row + description.features.size(), [](double x) { return std::isnan(x); }) ? 0 : 1;
      }
      if (count == 0) continue;
      longest = std::max(longest, count);
      shortest = shortest == 0 ? count : std::min(shortest, count);
    }
  }
  if (description.max_length == 0) description.max_length = longest;
  if (description.min_length == 0) description.min_length = shortest;
}

DatasetBuilder::DatasetBuilder(Description description) : impl_(std::make_unique<Impl>()) {
  impl_->description = std::move(description);
}
DatasetBuilder::~DatasetBuilder() = default;
DatasetBuilder::DatasetBuilder(DatasetBuilder&&) noexcept = default;
DatasetBuilder& DatasetBuilder::operator=(DatasetBuilder&&) noexcept = default;

std::int64_t DatasetBuilder::begin_system(Part part, double origin, const std::string& id) {
  Impl& b = *impl_;
  const auto begin = [](const char*, Per per, auto& array) {
    if (per == Per::kSystem) array.emplace_back();
    if (per == Per::kSystemEnd) array.push_back(array.back());
  };
  Dataset::Arrays::each(begin, b.a);
  b.a.parts.back() = static_cast<std::uint8_t>(part);
  b.a.origins.back() = origin;
  b.system_ids.push_back(id);
  b.has_system_ids |= !id.empty();
  return static_cast<std::int64_t>(b.a.parts.size()) - 1;
}

std::int64_t DatasetBuilder::add_object(const std::string& id) {
  Impl& b = *impl_;
  if (b.a.parts.empty()) throw DataError("an object was added before any system");
  b.object_ids.push_back(id);
  b.has_object_ids |= !id.empty();
  b.a.observation_offsets.push_back(b.a.observation_offsets.back());
  return b.a.object_offsets.back()++ - b.a.object_offsets.end()[-2];
}

void DatasetBuilder::add_observation(double time, std::span<const double> values) {
  Impl& b = *impl_;
  if (!b.has_object()) throw DataError("an observation was added to a system without objects");
  if (values.size() != b.description.features.size()) {
    throw DataError(
        fmt::format("an observation has {} values, expected {}", values.size(), b.description.features.size()));
  }
  b.a.times.push_back(time);
  b.a.values.insert(b.a.values.end(), values.begin(), values.end());
  ++b.a.observation_offsets.back();
}

void DatasetBuilder::add_relation(const Relation& relation) {
  Impl& b = *impl_;
  if (b.a.parts.empty()) throw DataError("a relation was added before any system");
  b.a.relation_sources.push_back(relation.source);
  b.a.relation_targets.push_back(relation.target);
  b.a.relation_types.push_back(relation.type);
  b.a.relation_weights.push_back(relation.weight);
  ++b.a.relation_offsets.back();
}

void DatasetBuilder::add_row(const Dataset& from, std::int64_t row) {
  Impl& b = *impl_;
  if (!b.has_object()) throw DataError("an observation was added to a system without objects");
  b.check_features(from);
  const auto copy = [&](const char*, Per per, auto& to, const auto& source) {
    if (per != Per::kRow && per != Per::kValue) return;
    const auto entries = source.subspan(static_cast<std::size_t>(row) * b.width(per), b.width(per));
    to.insert(to.end(), entries.begin(), entries.end());
  };
  Dataset::Arrays::each(copy, b.a, from.arrays());
  ++b.a.observation_offsets.back();
}

std::int64_t DatasetBuilder::add_system(const Dataset& from, std::int64_t system, const SystemCopy& copy) {
  Impl& b = *impl_;
  b.check_features(from);
  const std::int64_t index = begin_system(from.part(system), from.origin(system), copy.id);
  const Dataset::Arrays& a = from.arrays();
  const std::int64_t first = from.first_object(system), objects = from.objects_of(system);
  for (std::int64_t o = 0; o < objects; ++o) {
    add_object(from.description().object_ids.empty() ? std::string() : from.object_id(system, o));
    b.a.observation_offsets.back() += static_cast<std::int64_t>(from.times_of(first + o).size());
  }
  const std::int64_t begin = from.first_observation(first), end = from.first_observation(first + objects);
  const std::size_t rows = b.a.times.size(), relations = b.a.relation_types.size();
  b.a.relation_offsets.back() += from.relations_of(system);
  const auto append = [&](const char*, Per per, auto& to, const auto& source) {
    const auto add = [&](std::int64_t at, std::int64_t count) {
      const auto entries = source.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
      to.insert(to.end(), entries.begin(), entries.end());
    };
    const auto entries = static_cast<std::int64_t>(b.width(per));
    if (per == Per::kSystem) to.back() = source[static_cast<std::size_t>(system)];
    if (per == Per::kRow || per == Per::kValue) add(begin * entries, (end - begin) * entries);
    if (per == Per::kRelation) add(from.first_relation(system), from.relations_of(system));
  };
  Dataset::Arrays::each(append, b.a, a);
  b.a.origins.back() += copy.shift;
  for (std::size_t m = rows; m < b.a.times.size(); ++m) b.a.times[m] += copy.shift;
  for (std::size_t e = relations; e < b.a.relation_types.size() && !copy.types.empty(); ++e)
    b.a.relation_types[e] = copy.types[static_cast<std::size_t>(b.a.relation_types[e])];
  return index;
}

Dataset DatasetBuilder::finish(const std::string& where) {
  const std::shared_ptr<Impl> b = std::exchange(impl_, std::make_unique<Impl>());
  for (std::size_t o = 0; o + 1 < b->a.observation_offsets.size(); ++o) b->sort_object(o);
  b->settle_ids();
  b->settle_lengths();
  Dataset::Arrays arrays;
  Dataset::Arrays::each([](const char*, Per, auto& view, const auto& storage) { view = storage; }, arrays, b->a);
  return Dataset(std::move(b->description), arrays, b, where);
}

}  // namespace lgode::data
