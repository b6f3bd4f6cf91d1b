// Data sets as .safetensors files: the arrays as tensors under the names of Dataset::Arrays, the description as JSON in
// the metadata. Reading leaves the arrays in the memory map. docs/data-format.md describes the layout for users.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/dataset.h"

namespace lgode::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "lgode.version";
constexpr const char* kVersion = "1";
constexpr const char* kDescriptionKey = "lgode.description";

Json to_json(const Description& d) {
  Json features = Json::array();
  for (const Feature& f : d.features) {
    features.push_back(
        {{"name", f.name}, {"unit", f.unit}, {"scale_group", f.scale_group}, {"velocity_of", f.velocity_of}});
    if (f.derived) features.back()["derived"] = true;
  }
  Json json = {{"name", d.name},
               {"source", d.source},
               {"time_unit", d.time_unit},
               {"features", std::move(features)},
               {"relation_types", d.relation_types},
               {"time_scale", d.time_scale},
               {"conditioning_length", d.conditioning_length},
               {"max_length", d.max_length},
               {"min_length", d.min_length},
               {"system_ids", d.system_ids},
               {"object_ids", d.object_ids}};
  if (!d.columns.empty()) json["columns"] = d.columns;
  if (!d.header.empty()) json["header"] = d.header;
  if (!d.missing.empty()) json["missing"] = d.missing;
  if (!d.delimiter.empty()) {
    json["delimiter"] = d.delimiter;
    json["decimal_comma"] = d.decimal_comma;
  }
  if (d.rows_left_out >= 0) json["rows_left_out"] = d.rows_left_out;
  if (!d.recordings.empty()) json["recordings"] = d.recordings;
  if (!d.time_format.empty()) {
    json["time_origin"] = d.time_origin;
    json["time_format"] = d.time_format;
  }
  if (d.rate > 0) json["rate"] = d.rate;
  switch (d.edges.kind) {
    case EdgeRule::Kind::kListed:
      break;
    case EdgeRule::Kind::kAll:
      json["edges"] = {{"rule", "all"}};
      break;
    case EdgeRule::Kind::kNearest:
      json["edges"] = {{"rule", "k-nearest"}, {"neighbours", d.edges.neighbours}, {"positions", d.edges.positions}};
      break;
    case EdgeRule::Kind::kWithin:
      json["edges"] = {{"rule", "within"}, {"radius", d.edges.radius}, {"positions", d.edges.positions}};
      break;
  }
  return json;
}

// Reads the description's fields; a fault names file and field.
class DescriptionReader {
 public:
  explicit DescriptionReader(std::string where) : where_(std::move(where)) {}

  Description read(const std::string& text) const {
    Json json;
    try {
      json = Json::parse(text);
    } catch (const Json::exception& error) {
      fail(error.what());
    }
    Description d;
    d.name = get<std::string>(json, "name");
    d.source = get<std::string>(json, "source");
    d.time_unit = get<std::string>(json, "time_unit");
    for (const Json& f : get<std::vector<Json>>(json, "features")) {
      d.features.push_back({get<std::string>(f, "name"), get<std::string>(f, "unit"), get<int>(f, "scale_group"),
                            get<int>(f, "velocity_of"), f.contains("derived") && get<bool>(f, "derived")});
    }
    d.relation_types = get<std::vector<std::string>>(json, "relation_types");
    d.time_scale = get<double>(json, "time_scale");
    d.conditioning_length = get<double>(json, "conditioning_length");
    d.max_length = get<std::int64_t>(json, "max_length");
    d.min_length = get<std::int64_t>(json, "min_length");
    d.system_ids = get<std::vector<std::string>>(json, "system_ids");
    d.object_ids = get<std::vector<std::string>>(json, "object_ids");
    if (json.contains("columns")) d.columns = get<std::vector<std::string>>(json, "columns");
    if (json.contains("header")) d.header = get<std::vector<std::string>>(json, "header");
    if (json.contains("missing")) d.missing = get<std::vector<std::string>>(json, "missing");
    if (json.contains("delimiter")) {
      d.delimiter = get<std::string>(json, "delimiter");
      d.decimal_comma = get<bool>(json, "decimal_comma");
    }
    if (json.contains("rows_left_out")) d.rows_left_out = get<std::int64_t>(json, "rows_left_out");
    if (json.contains("recordings")) d.recordings = get<std::vector<std::string>>(json, "recordings");
    if (json.contains("time_format")) {
      d.time_origin = get<std::string>(json, "time_origin");
      d.time_format = get<std::string>(json, "time_format");
    }
    if (json.contains("rate")) d.rate = get<double>(json, "rate");
    if (json.contains("edges")) d.edges = edge_rule(json["edges"]);
    return d;
  }

 private:
  EdgeRule edge_rule(const Json& json) const {
    EdgeRule rule;
    const auto name = get<std::string>(json, "rule");
    if (name == "all") {
      rule.kind = EdgeRule::Kind::kAll;
      return rule;
    }
    rule.positions = get<std::vector<int>>(json, "positions");
    if (name == "k-nearest") {
      rule.kind = EdgeRule::Kind::kNearest;
      rule.neighbours = get<std::int64_t>(json, "neighbours");
    } else if (name == "within") {
      rule.kind = EdgeRule::Kind::kWithin;
      rule.radius = get<double>(json, "radius");
    } else {
      fail(fmt::format("'edges' has the rule '{}', which this version does not know", name));
    }
    return rule;
  }

  [[noreturn]] void fail(const std::string& fault) const {
    throw DataError(fmt::format("{}: metadata '{}' is damaged: {}", where_, kDescriptionKey, fault));
  }

  template <class T>
  T get(const Json& json, const char* key) const {
    if (!json.is_object() || !json.contains(key)) fail(fmt::format("'{}' is absent", key));
    const Json& value = json[key];
    // The conversion of numbers would round silently.
    if (std::is_integral_v<T> && !std::is_same_v<T, bool> && !value.is_number_integer())
      fail(fmt::format("'{}' is not a whole number", key));
    try {
      return value.get<T>();
    } catch (const Json::exception& error) {
      fail(fmt::format("'{}': {}", key, error.what()));
    }
  }

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

}  // namespace

std::string description_json(const Description& description) { return lenient_json_text(to_json(description)); }

Description read_description(const std::string& json, const std::string& where) {
  return DescriptionReader(where).read(json);
}

Dataset load_dataset(const std::filesystem::path& path, const std::optional<Dataset::Facts>& facts) {
  const SafetensorsFile file(path);
  check_marks(file);
  Description description = DescriptionReader(path.string()).read(file.meta(kDescriptionKey));
  const std::array<std::int64_t, 1> line = {-1};
  const std::array<std::int64_t, 2> table = {-1, static_cast<std::int64_t>(description.features.size())};
  const Dataset::Arrays arrays{
      .object_offsets = file.values<std::int64_t>("object_offsets", line),
      .observation_offsets = file.values<std::int64_t>("observation_offsets", line),
      .relation_offsets = file.values<std::int64_t>("relation_offsets", line),
      .times = file.values<double>("times", line),
      .values = file.values<double>("values", table),
      .relation_sources = file.values<std::int32_t>("relation_sources", line),
      .relation_targets = file.values<std::int32_t>("relation_targets", line),
      .relation_types = file.values<std::int32_t>("relation_types", line),
      .relation_weights = file.values<float>("relation_weights", line),
      .parts = file.values<std::uint8_t>("parts", line),
      .origins = file.values<double>("origins", line),
  };
  if (facts) return Dataset(std::move(description), arrays, file.storage(), *facts);
  return Dataset(std::move(description), arrays, file.storage(), path.string());
}

void save_dataset(const Dataset& dataset, const std::filesystem::path& path, Overwrite overwrite) {
  const Dataset::Arrays& a = dataset.arrays();
  SafetensorsContent content;
  const auto add = [&](const char* name, auto values) {
    content.tensors.emplace_back(name, tensor_view(values, {static_cast<std::int64_t>(values.size())}));
  };
  add("object_offsets", a.object_offsets);
  add("observation_offsets", a.observation_offsets);
  add("relation_offsets", a.relation_offsets);
  add("times", a.times);
  content.tensors.emplace_back("values", tensor_view(a.values, {dataset.rows(), dataset.features()}));
  add("relation_sources", a.relation_sources);
  add("relation_targets", a.relation_targets);
  add("relation_types", a.relation_types);
  add("relation_weights", a.relation_weights);
  add("parts", a.parts);
  add("origins", a.origins);
  // Text of another encoding than UTF-8 is replaced, not refused: a bad name must not make the data unusable.
  content.metadata = {
      {kKindKey, kDatasetKind}, {kVersionKey, kVersion}, {kDescriptionKey, description_json(dataset.description())}};
  write_safetensors(path, overwrite, content);
}

}  // namespace lgode::data
