// Data sets as .safetensors files: the arrays as tensors under the names of Dataset::Arrays, the description as JSON in
// the metadata. Reading leaves times and values in the memory map. docs/data-format.md describes the layout for users.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/dataset.h"
#include "lgode/data/description_fields.h"

namespace lgode::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "lgode.version";
constexpr const char* kVersion = "1";
constexpr const char* kDescriptionKey = "lgode.description";

// How the fields of a description are read; a fault names file and field.
class DescriptionRules {
 public:
  explicit DescriptionRules(std::string where) : where_(std::move(where)) {}

  const Json& at(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail(fmt::format("'{}' is absent", key));
    return object.at(key);
  }
  template <class T>
  T get(const Json& value, const char* key) const {
    // The conversion of numbers would round silently.
    if (std::is_integral_v<T> && !std::is_same_v<T, bool> && !value.is_number_integer())
      fail(fmt::format("'{}' is not a whole number", key));
    try {
      return value.get<T>();
    } catch (const Json::exception& error) {
      fail(fmt::format("'{}': {}", key, error.what()));
    }
  }
  [[noreturn]] void unknown(const char* key, const std::string& text) const {
    fail(fmt::format("'edges' has the {} '{}', which this version cannot read", key, text));
  }
  [[noreturn]] void fail(const std::string& fault) const {
    throw DataError(fmt::format("{}: metadata '{}' is damaged: {}", where_, kDescriptionKey, fault));
  }

 private:
  std::string where_;
};

void check_marks(const SafetensorsFile& file) {
  const std::string where = file.path().string();
  const auto kind = file.metadata().find(kKindKey);
  if (kind == file.metadata().end()) {
    throw DataError(
        fmt::format("{}: is a safetensors file, but not a data set of lgode (no '{}' in its metadata); simulate a data "
                    "set or import your tables first",
                    where, kKindKey));
  }
  if (kind->second != kDatasetKind) {
    throw DataError(fmt::format("{}: is a {}, expected a data set; pass the file that holds the observations", where,
                                kind->second));
  }
  const std::string& version = file.meta(kVersionKey);
  if (version != kVersion) {
    throw DataError(
        fmt::format("{}: has version {} of the data set format, this program reads version {}; make the "
                    "file again, or use the program that wrote it",
                    where, version, kVersion));
  }
}

// What a data set of a file lives in: the map, and copies of the arrays that index others. Whoever overwrites the file
// while it is mapped changes values, which BatchMaker notices; but no index leaves the array that it was checked for.
struct FileStorage {
  std::shared_ptr<const MappedFile> file;
  DatasetArrays<ArrayStorage> copies;

  Dataset::Arrays keep(Dataset::Arrays arrays) {
    Dataset::Arrays::each(
        []<class T>(const char*, Per per, std::span<const T>& array, std::vector<T>& copy) {
          if (per == Per::kRow || per == Per::kValue) return;
          copy.assign(array.begin(), array.end());
          array = copy;
        },
        arrays, copies);
    return arrays;
  }
};

}  // namespace

std::string description_json(const Description& description) {
  return lenient_json_text(fields_json<Json>(description));
}

Description read_description(const std::string& json, const std::string& where) {
  const DescriptionRules rules(where);
  Json parsed;
  try {
    parsed = Json::parse(json);
  } catch (const Json::exception& error) {
    rules.fail(error.what());
  }
  Description description;
  read_fields(parsed, rules, description);
  return description;
}

Dataset load_dataset(const std::filesystem::path& path, const std::optional<Dataset::Facts>& facts) {
  const SafetensorsFile file(path);
  check_marks(file);
  Description description = read_description(file.meta(kDescriptionKey), path.string());
  const std::array<std::int64_t, 1> line = {-1};
  const std::array<std::int64_t, 2> table = {-1, static_cast<std::int64_t>(description.features.size())};
  Dataset::Arrays arrays;
  const auto read = [&]<class T>(const char* name, Per per, std::span<const T>& array) {
    array = per == Per::kValue ? file.values<T>(name, table) : file.values<T>(name, line);
  };
  Dataset::Arrays::each(read, arrays);
  const auto storage = std::make_shared<FileStorage>(FileStorage{.file = file.storage(), .copies = {}});
  arrays = storage->keep(arrays);
  if (facts) return Dataset(std::move(description), arrays, storage, *facts);
  return Dataset(std::move(description), arrays, storage, path.string());
}

void save_dataset(const Dataset& dataset, const std::filesystem::path& path, Overwrite overwrite) {
  const Dataset::Arrays& a = dataset.arrays();
  SafetensorsContent content;
  const auto add = [&](const char* name, Per per, const auto& array) {
    std::vector<std::int64_t> shape = {static_cast<std::int64_t>(array.size())};
    if (per == Per::kValue) shape = {dataset.rows(), dataset.features()};
    content.tensors.emplace_back(name, tensor_view(array, shape));
  };
  Dataset::Arrays::each(add, a);
  // Text of another encoding than UTF-8 is replaced, not refused: a bad name must not make the data unusable.
  content.metadata = {
      {kKindKey, kDatasetKind}, {kVersionKey, kVersion}, {kDescriptionKey, description_json(dataset.description())}};
  write_safetensors(path, overwrite, content);
}

}  // namespace lgode::data
