// Reads the four arrays of each part and builds the data set from them. numpy's format itself is npy.cpp's.
#include "lgode/data/npy/import_npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/data/npy/npy.h"

namespace lgode::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array kArrays = {"loc", "vel", "edges", "times"};

// An array and its name in messages.
struct NamedArray {
  std::string where;
  NpyArray array;
};

// One element of [S, N, ...]: where the whole is an array of objects, the object; else a slice of the numbers.
struct Element {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;
};

// Nested lists of numbers as one block of numbers.
Element flatten(const NpyArray& array, int depth, const std::string& where) {
  constexpr int kDeepest = 4;
  if (!array.of_objects) return {array.shape, array.numbers};
  if (array.shape.size() != 1 || depth > kDeepest)
    throw DataError(fmt::format("{}: objects within objects, expected numbers", where));
  Element whole;
  for (const auto& item : array.items) {
    Element row = flatten(*item, depth + 1, where);
    if (item == array.items.front()) whole.shape = row.shape;
    if (row.shape != whole.shape) throw DataError(fmt::format("{}: rows differ in length", where));
    whole.numbers.insert(whole.numbers.end(), row.numbers.begin(), row.numbers.end());
  }
  whole.shape.insert(whole.shape.begin(), array.shape[0]);
  return whole;
}

class PartFiles {
 public:
  PartFiles(const NpyImport& options, Part part) : part_(part) {
    for (std::size_t i = 0; i < kArrays.size(); ++i) {
      const fs::path path = file_of(options, part, kArrays[i]);
      arrays_[i] = {path.string(), read_npy(path)};
    }
    systems_ = dimension(arrays_[3], 0);
    objects_ = dimension(arrays_[3], 1);
    for (const NamedArray& a : arrays_)
      if (dimension(a, 0) != systems_ || dimension(a, 1) != objects_)
        throw DataError(fmt::format("{}: is for {} systems of {} objects, but {} for {} of {}", a.where,
                                    dimension(a, 0), dimension(a, 1), arrays_[3].where, systems_, objects_));
    const NamedArray& e = arrays_[2];
    if (e.array.of_objects || e.array.shape.size() != 3 || e.array.shape[2] != objects_)
      throw DataError(fmt::format("{}: expected numbers of shape [{}, {}, {}]", e.where, systems_, objects_, objects_));
  }

  static fs::path file_of(const NpyImport& options, Part part, const char* array) {
    return options.folder / fmt::format("{}_{}{}.npy", array, part == Part::kTrain ? "train" : "test", options.suffix);
  }

  // Whether any of a part's files exists; then all must.
  static bool exists(const NpyImport& options, Part part) {
    return std::any_of(kArrays.begin(), kArrays.end(),
                       [&](const char* array) { return fs::exists(file_of(options, part, array)); });
  }

  Part part() const { return part_; }
  std::int64_t systems() const { return systems_; }
  std::int64_t objects() const { return objects_; }

  // Steps at which an object was recorded, [K]; whole, ascending.
  std::vector<double> times(std::int64_t system, std::int64_t object) const {
    const Element e = element(arrays_[3], system, object);
    if (e.shape.size() != 1) fail(arrays_[3], system, object, "times have more than one dimension");
    for (std::size_t k = 0; k < e.numbers.size(); ++k) {
      const double t = e.numbers[k];
      if (!(t >= 0) || t != std::floor(t) || t > 1e9)
        fail(arrays_[3], system, object, fmt::format("time {} at place {}, expected a whole number of steps", t, k));
      if (k > 0 && t <= e.numbers[k - 1])
        fail(arrays_[3], system, object,
             fmt::format("time {} after {}, expected ascending times", t, e.numbers[k - 1]));
    }
    return e.numbers;
  }

  // Positions or velocities of an object, [K, dimensions].
  std::vector<double> coordinates(bool velocity, std::int64_t system, std::int64_t object, std::size_t count,
                                  std::size_t dimensions) const {
    const NamedArray& a = arrays_[velocity ? 1 : 0];
    const Element e = element(a, system, object);
    if (count == 0 && e.numbers.empty()) return {};
    if (e.shape != std::vector<std::int64_t>{static_cast<std::int64_t>(count), static_cast<std::int64_t>(dimensions)})
      fail(a, system, object,
           fmt::format("shape [{}], expected [{}, {}]", fmt::join(e.shape, ", "), count, dimensions));
    for (const double x : e.numbers)
      if (!std::isfinite(x)) fail(a, system, object, fmt::format("value {}, expected a finite number", x));
    return e.numbers;
  }

  // Dimensions of the first observed object.
  std::size_t dimensions() const {
    for (std::int64_t s = 0; s < systems_; ++s) {
      for (std::int64_t i = 0; i < objects_; ++i) {
        const Element e = element(arrays_[0], s, i);
        if (e.numbers.empty()) continue;
        if (e.shape.size() != 2 || e.shape[1] < 1 || e.shape[1] > 3)
          fail(arrays_[0], s, i, fmt::format("shape [{}], expected [K, 2] or [K, 3]", fmt::join(e.shape, ", ")));
        return static_cast<std::size_t>(e.shape[1]);
      }
    }
    throw DataError(fmt::format("{}: holds no observations", arrays_[0].where));
  }

  double edge(std::int64_t system, std::int64_t i, std::int64_t j) const {
    const NamedArray& a = arrays_[2];
    const double value = a.array.numbers[static_cast<std::size_t>((system * objects_ + i) * objects_ + j)];
    if (value != 0 && value != 1 && value != -1)
      fail(a, system, i, fmt::format("edge {} to object {}, expected 1, 0 or -1", value, j));
    return value;
  }

 private:
  [[noreturn]] static void fail(const NamedArray& a, std::int64_t system, std::int64_t object,
                                const std::string& what) {
    throw DataError(fmt::format("{}: system {}, object {}: {}", a.where, system, object, what));
  }

  // If systems are separate lists, the first one gives the number of objects.
  static std::int64_t dimension(const NamedArray& a, std::size_t axis) {
    const auto& shape = a.array.shape;
    if (axis < shape.size()) return shape[axis];
    if (axis == 1 && shape.size() == 1 && !a.array.items.empty() && !a.array.items[0]->shape.empty())
      return a.array.items[0]->shape[0];
    throw DataError(fmt::format("{}: has {} dimensions, expected systems by objects", a.where, shape.size()));
  }

  Element element(const NamedArray& a, std::int64_t system, std::int64_t object) const {
    const NpyArray& array = a.array;
    Element e;
    if (!array.of_objects) {
      std::size_t size = 1;
      e.shape.assign(array.shape.begin() + 2, array.shape.end());
      for (const std::int64_t n : e.shape) size *= static_cast<std::size_t>(n);
      const auto first = array.numbers.begin() +
                         static_cast<std::ptrdiff_t>(static_cast<std::size_t>(system * objects_ + object) * size);
      e.numbers.assign(first, first + static_cast<std::ptrdiff_t>(size));
      return e;
    }
    const std::string where = fmt::format("{}: system {}, object {}", a.where, system, object);
    if (array.shape.size() == 2)
      return flatten(*array.items[static_cast<std::size_t>(system * objects_ + object)], 0, where);
    if (array.shape.size() != 1) throw DataError(fmt::format("{}: expected an array of systems by objects", a.where));
    const NpyArray& row = *array.items[static_cast<std::size_t>(system)];
    if (row.shape.empty() || row.shape[0] != objects_)
      throw DataError(fmt::format("{}: system {} has not {} objects as the first one has", a.where, system, objects_));
    if (row.of_objects) return flatten(*row.items[static_cast<std::size_t>(object)], 0, where);
    // numpy stores a system whose objects have equally many observations as one block of numbers.
    const std::size_t size = row.numbers.size() / static_cast<std::size_t>(objects_);
    e.shape.assign(row.shape.begin() + 1, row.shape.end());
    const auto first = row.numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(object) * size);
    e.numbers.assign(first, first + static_cast<std::ptrdiff_t>(size));
    return e;
  }

  Part part_;
  std::array<NamedArray, 4> arrays_;
  std::int64_t systems_ = 0;
  std::int64_t objects_ = 0;
};

// What the window formula and the first range need from all times.
struct Spans {
  double last_training = -1;  // the last recorded step of training systems
  std::int64_t shortest = 0;  // the shortest training series, else the shortest of all
};

Spans spans_of(const std::vector<PartFiles>& parts) {
  Spans spans;
  const bool training = parts.front().part() == Part::kTrain;
  for (const PartFiles& part : parts) {
    if (training && part.part() != Part::kTrain) continue;
    for (std::int64_t s = 0; s < part.systems(); ++s) {
      for (std::int64_t i = 0; i < part.objects(); ++i) {
        const std::vector<double> times = part.times(s, i);
        if (times.empty()) continue;
        const auto count = static_cast<std::int64_t>(times.size());
        spans.shortest = spans.shortest == 0 ? count : std::min(spans.shortest, count);
        if (training) spans.last_training = std::max(spans.last_training, times.back());
      }
    }
  }
  return spans;
}

Description describe(const NpyImport& o, const std::vector<PartFiles>& parts, std::size_t dimensions) {
  const Spans spans = spans_of(parts);
  Description d;
  const std::size_t word = o.suffix.find_first_not_of('_');
  d.name = word == std::string::npos ? "lgode" : o.suffix.substr(word);
  d.source = fmt::format("the LG-ODE program's files *{}.npy: step={} total_steps={} relations={}", o.suffix, o.step,
                         o.total_steps, o.relations == ChargedRelations::kTyped ? "typed" : "same");
  constexpr std::array kPositions = {"x", "y", "z"};
  constexpr std::array kVelocities = {"vx", "vy", "vz"};
  for (std::size_t i = 0; i < dimensions; ++i) d.features.push_back({kPositions[i], "", 0, -1});
  for (std::size_t i = 0; i < dimensions; ++i) d.features.push_back({kVelocities[i], "", 1, static_cast<int>(i)});
  d.relation_types = {"connected"};
  if (o.relations == ChargedRelations::kTyped) d.relation_types.emplace_back("opposite");
  d.time_scale = static_cast<double>(o.total_steps) * o.step;
  // Motion sets include step 49 of 49.
  d.conditioning_length = std::max(static_cast<double>(o.total_steps), spans.last_training + 1) * o.step;
  d.max_length = o.total_steps;
  d.min_length = std::min(spans.shortest, d.max_length);
  return d;
}

void add_object(DatasetBuilder& builder, const PartFiles& part, std::int64_t system, std::int64_t object, double step,
                std::size_t dimensions) {
  builder.add_object();
  const std::vector<double> times = part.times(system, object);
  const std::vector<double> loc = part.coordinates(false, system, object, times.size(), dimensions);
  const std::vector<double> vel = part.coordinates(true, system, object, times.size(), dimensions);
  std::vector<double> values(2 * dimensions);
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t i = 0; i < dimensions; ++i) {
      values[i] = loc[k * dimensions + i];
      values[dimensions + i] = vel[k * dimensions + i];
    }
    builder.add_observation(times[k] * step, values);
  }
}

void add_relations(DatasetBuilder& builder, const PartFiles& part, std::int64_t system, ChargedRelations relations) {
  for (std::int64_t i = 0; i < part.objects(); ++i) {
    for (std::int64_t j = 0; j < part.objects(); ++j) {
      if (i == j) continue;
      const double edge = part.edge(system, i, j);
      if (edge == 0 || (edge < 0 && relations == ChargedRelations::kSame)) continue;
      builder.add_relation({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), edge > 0 ? 0 : 1, 1.0F});
    }
  }
}

}  // namespace

Dataset import_npy(const NpyImport& options, const std::function<void(std::int64_t, std::int64_t)>& progress,
                   const StopFlag* stop) {
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw ConfigError(fmt::format("`step` {}: expected a positive number", options.step));
  if (options.total_steps < 1)
    throw ConfigError(fmt::format("`total_steps` {}: expected 1 or more", options.total_steps));
  std::vector<PartFiles> parts;
  for (const Part part : {Part::kTrain, Part::kTest})
    if (PartFiles::exists(options, part)) parts.emplace_back(options, part);
  if (parts.empty())
    throw DataError(fmt::format("{}: neither {} nor {} exists there; check `folder` and `suffix`",
                                options.folder.string(),
                                PartFiles::file_of(options, Part::kTrain, "loc").filename().string(),
                                PartFiles::file_of(options, Part::kTest, "loc").filename().string()));
  const std::size_t dimensions = parts.front().dimensions();
  DatasetBuilder builder(describe(options, parts, dimensions));
  std::int64_t total = 0;
  for (const PartFiles& part : parts) total += part.systems();
  std::int64_t done = 0;
  for (const PartFiles& part : parts) {
    for (std::int64_t s = 0; s < part.systems(); ++s) {
      if (stop != nullptr && stop->requested()) throw Interrupted();
      builder.begin_system(part.part());
      for (std::int64_t i = 0; i < part.objects(); ++i) add_object(builder, part, s, i, options.step, dimensions);
      add_relations(builder, part, s, options.relations);
      ++done;
      if (progress && (done % 100 == 0 || done == total)) progress(done, total);
    }
  }
  return builder.finish(options.folder.string());
}

}  // namespace lgode::data
