// Descriptions of runs: converts them to and from JSON, reads them from checkpoints, checks them against data.
#include "lgode/eval/run_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"

namespace lgode::eval {
namespace {

using nlohmann::json;

constexpr double kSmallest = 1e-30;             // smallest scale
constexpr double kLargest = 1e20;               // largest number in a data set
constexpr std::int64_t kMostObjects = 1000000;  // per system of rnn-nri, whose weights grow with their number

json feature_json(const data::Feature& f) {
  json j = {{"name", f.name}, {"unit", f.unit}, {"scale_group", f.scale_group}, {"velocity_of", f.velocity_of}};
  if (f.derived) j["derived"] = true;
  return j;
}

// A whole number that fits into T; the JSON library would truncate fractions and wrap around. Else std::out_of_range
// with the value.
template <class T>
T whole(const json& value) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
                        : value.is_number_integer() && value.get<std::int64_t>() >= std::numeric_limits<T>::min() &&
                              value.get<std::int64_t>() <= std::numeric_limits<T>::max();
  if (!fits)
    throw std::out_of_range(
        fmt::format("{} is no whole number of the expected size", lenient_json_text(value).substr(0, 40)));
  return value.get<T>();
}

data::Feature feature_from(const json& j) {
  return {j.at("name"), j.at("unit"), whole<int>(j.at("scale_group")), whole<int>(j.at("velocity_of")),
          j.value("derived", false)};
}

json noise_json(const std::vector<WienerNoise>& noise) {
  json out = json::array();
  for (const WienerNoise& n : noise)
    out.push_back({{"drive", n.drive}, {"position", n.position}, {"velocity", n.velocity}, {"speed", n.speed}});
  return out;
}

json ties_json(const std::vector<model::TiedPair>& ties) {
  json list = json::array();
  for (const model::TiedPair& t : ties)
    list.push_back({{"position", t.position},
                    {"velocity", t.velocity},
                    {"factor", t.factor},
                    {"remainder", t.remainder},
                    {"lag", t.lag}});
  return list;
}

std::vector<model::TiedPair> ties_from(const json& list) {
  std::vector<model::TiedPair> ties;
  for (const json& t : list)
    ties.push_back({whole<std::int64_t>(t.at("position")), whole<std::int64_t>(t.at("velocity")), t.at("factor"),
                    t.at("remainder"), t.value("lag", 0.0)});
  return ties;
}

// Files may come from anywhere: checks every number that determines the size of the model or of batches.
void check(const RunInfo& info, const std::string& where) {
  const auto wrong = [&](const std::string& what) {
    return DataError(fmt::format("{}: the run's description {}; the file is damaged", where, what));
  };
  const auto features = static_cast<std::int64_t>(info.features.size());
  if (info.normalisation.scale.size() != info.features.size() || info.shape.features != features || features == 0)
    throw wrong("is inconsistent about the number of features");
  if (info.shape.relation_types != static_cast<std::int64_t>(info.relation_types.size()))
    throw wrong(fmt::format("has {} relation types, but {} names for them", info.shape.relation_types,
                            info.relation_types.size()));
  for (const data::Feature& f : info.features)
    if (f.velocity_of < -1 || f.velocity_of >= features)
      throw wrong(fmt::format("has feature '{}' as the velocity of feature {} of {}", f.name, f.velocity_of, features));
  for (const model::TiedPair& t : info.shape.ties)
    if (t.position < 0 || t.position >= features || t.velocity < 0 || t.velocity >= features ||
        t.position == t.velocity || !(t.factor > 0 && t.factor <= kLargest) || !(t.lag >= 0 && t.lag <= kLargest))
      throw wrong(fmt::format("ties feature {} to feature {} of {} with factor {} and lag {}", t.position, t.velocity,
                              features, t.factor, t.lag));
  const auto check_positive = [&](const char* name, double value) {
    if (!(value >= kSmallest && value <= kLargest))
      throw wrong(fmt::format("has {} {}, expected a number > 0, from {:g} to {:g}", name, value, kSmallest, kLargest));
  };
  for (const double scale : info.normalisation.scale) check_positive("the scale", scale);
  const std::vector<double>& errors = info.normalisation.error_scale;
  if (!errors.empty() && errors.size() != info.features.size())
    throw wrong(fmt::format("has {} scales of errors for {} features", errors.size(), info.features.size()));
  for (const double scale : errors) check_positive("the scale of an error", scale);
  check_positive("the time scale", info.time_scale);
  check_positive("the conditioning length", info.conditioning_length);
  data::check_clock(info.time_scale, info.conditioning_length, where);
  const auto check_not_negative = [&](const char* name, double value) {
    if (!(value >= 0 && value <= kLargest)) throw wrong(fmt::format("has {} {}, expected a number >= 0", name, value));
  };
  check_not_negative("the gap between observations", info.typical_gap);
  if (!info.damping.empty() && info.damping.size() != info.features.size())
    throw wrong(fmt::format("has {} dampings for {} features", info.damping.size(), info.features.size()));
  for (const double damping : info.damping) check_not_negative("a damping", damping);
  if (!info.noise.empty() && info.noise.size() != info.features.size())
    throw wrong(fmt::format("has noise of {} features, not of {}", info.noise.size(), info.features.size()));
  for (const WienerNoise& noise : info.noise)
    for (const double variance : {noise.drive, noise.position, noise.velocity, noise.speed})
      check_not_negative("a variance", variance);
  check_not_negative("the window", info.shape.window);
  if (std::isfinite(info.shape.memory)) check_positive("the memory", info.shape.memory);
  check_not_negative("the grid step", info.shape.grid_step);
  check_not_negative("the number of objects", static_cast<double>(info.shape.objects));
  check_not_negative("the number of epochs", static_cast<double>(info.epoch));
  check_not_negative("the number of steps", static_cast<double>(info.step));
  if (info.model.kind != model::ModelKind::kRnnNri) return;
  if (info.shape.objects < 1 || info.shape.objects > kMostObjects)
    throw wrong(fmt::format("has {} objects per system, expected 1 to {}", info.shape.objects, kMostObjects));
  check_positive("the grid step", info.shape.grid_step);
}

constexpr double kMostTimes = 10;      // between two typical times of runs and data
constexpr double kMostMagnitude = 20;  // between two largest values

void check_features(const RunInfo& info, const data::Description& data) {
  const auto names = [](const std::vector<data::Feature>& features) {
    std::vector<std::string> out;
    out.reserve(features.size());
    for (const data::Feature& f : features) out.push_back(f.name);
    return out;
  };
  const std::vector<std::string> want = names(info.features), have = names(data.features);
  if (want != have)
    throw ConfigError(
        fmt::format("the model was trained on the features {}, the data has {}; use data with the same "
                    "features in the same order",
                    fmt::join(want, ", "), fmt::join(have, ", ")));
  for (std::size_t f = 0; f < info.features.size(); ++f)
    if (info.features[f].derived != data.features[f].derived)
      throw ConfigError(fmt::format(
          "feature '{}' {}; import the data in the same way as the training data", info.features[f].name,
          info.features[f].derived ? "is derived from the positions for the model, but the data has values of it"
                                   : "had values in the training data, but is derived from the positions in the data"));
}

void check_units(const RunInfo& info, const data::Description& data, bool can_allow) {
  const auto compare = [&](const std::string& what, const std::string& run, const std::string& own) {
    if (run.empty() || own.empty() || run == own) return;
    throw ConfigError(
        fmt::format("the unit of {} was {} in the training data and is {} in the data; convert the data, or {} if "
                    "both mean the same",
                    what, run, own, can_allow ? "set `allow_mismatch`" : "import it with the same name of the unit"));
  };
  for (std::size_t f = 0; f < info.features.size(); ++f)
    compare(fmt::format("feature '{}'", info.features[f].name), info.features[f].unit, data.features[f].unit);
  compare("time", info.time_unit, data.time_unit);
}

void check_times(const RunInfo& info, const data::Dataset& dataset, bool can_allow) {
  const std::string unit = info.time_unit.empty() ? "" : " " + info.time_unit;
  const auto compare = [&](const char* what, double run, double own, const char* fix) {
    if (!(run > 0 && own > 0) || std::max(run, own) <= kMostTimes * std::min(run, own)) return;
    throw ConfigError(
        fmt::format("{} was {:.4g}{} in the training data and is {:.4g} in the data, {:.3g} times {}; seconds against "
                    "milliseconds? Convert the times{}, or {} if this is meant",
                    what, run, unit, own, std::max(run, own) / std::min(run, own), own > run ? "as long" : "shorter",
                    fix, can_allow ? "set `allow_mismatch`" : "train a new model"));
  };
  std::vector<std::int64_t> systems(static_cast<std::size_t>(dataset.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  compare("the typical time between two observations of an object", info.typical_gap,
          data::typical_gap(dataset, systems), "");
  compare("the length of the first range", info.conditioning_length, dataset.description().conditioning_length,
          ", import with a `window` of the training data's length");
}

void check_missing(const RunInfo& info, const data::Dataset& dataset) {
  if (takes_missing(info) || !dataset.has_missing()) return;
  throw ConfigError(
      "observations of the data lack values, but the model was trained on data without missing values and would take "
      "them as zeros; train a model with `hide_values` 0.2, which learns to do without some of the values");
}

// The largest distance of each feature from 0 or, where `centred`, from the mean of its system.
std::vector<double> magnitudes(const data::Dataset& dataset, const std::vector<bool>& centred) {
  const std::size_t width = centred.size();
  std::vector<double> largest(width, 0.0);
  const auto& a = dataset.arrays();
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    const std::int64_t first = dataset.first_object(s), last = first + dataset.objects_of(s);
    const auto from = static_cast<std::size_t>(a.observation_offsets[static_cast<std::size_t>(first)]);
    const auto to = static_cast<std::size_t>(a.observation_offsets[static_cast<std::size_t>(last)]);
    for (std::size_t f = 0; f < width; ++f) {
      double sum = 0, centre = 0;
      std::int64_t count = 0;
      for (std::size_t row = from; row < to && centred[f]; ++row)
        if (const double x = a.values[row * width + f]; !std::isnan(x)) sum += x, ++count;
      if (count > 0) centre = sum / static_cast<double>(count);
      for (std::size_t row = from; row < to; ++row)
        if (const double x = a.values[row * width + f]; !std::isnan(x))
          largest[f] = std::max(largest[f], std::abs(x - centre));
    }
  }
  return largest;
}

}  // namespace

json RunInfo::to_json() const {
  json list = json::array();
  for (const data::Feature& f : features) list.push_back(feature_json(f));
  return {{"config", config},
          {"shape",
           {{"features", shape.features},
            {"relation_types", shape.relation_types},
            {"append_mask", shape.append_mask},
            {"window", shape.window},
            {"objects", shape.objects},
            {"grid_step", shape.grid_step},
            {"forecast", shape.forecast},
            {"ties", ties_json(shape.ties)},
            {"memory", std::isfinite(shape.memory) ? json(shape.memory) : json(nullptr)}}},
          {"leave", task.leave ? json(*task.leave) : json(nullptr)},
          {"table", table.features.empty() ? json(nullptr) : parse_json(data::description_json(table))},
          {"scale", normalisation.scale},
          {"error_scale", normalisation.error_scale},
          {"features", list},
          {"relation_types", relation_types},
          {"time_scale", time_scale},
          {"conditioning_length", conditioning_length},
          {"time_unit", time_unit},
          {"typical_gap", typical_gap},
          {"damping", damping},
          {"kalman_noise", noise_json(noise)},
          {"data_name", data_name},
          {"data_fingerprint", data_fingerprint},
          {"epoch", epoch},
          {"step", step},
          {"validation", validation},
          {"commit", commit},
          {"version", version},
          {"machine", machine}};
}

RunInfo RunInfo::from_json(const json& j, const std::string& where) {
  RunInfo info;
  try {
    info.config = j.at("config");
    OptionSet options;
    data::declare(options, info.task);
    model::declare(options, info.model);
    options.set_all(info.config, Source::kFile, where, /*lenient=*/true);
    const json& shape = j.at("shape");
    info.shape = {whole<std::int64_t>(shape.at("features")),
                  whole<std::int64_t>(shape.at("relation_types")),
                  shape.at("append_mask"),
                  shape.at("window"),
                  whole<std::int64_t>(shape.value("objects", json(0))),
                  shape.value("grid_step", shape.value("cell", 0.0)),
                  shape.value("forecast", false),
                  ties_from(shape.value("ties", json::array()))};
    if (shape.contains("memory") && !shape.at("memory").is_null()) info.shape.memory = shape.at("memory");
    if (j.contains("leave") && !j.at("leave").is_null()) info.task.leave = j.at("leave").get<double>();
    if (j.contains("table") && !j.at("table").is_null())
      info.table = data::read_description(json_text(j.at("table")), where);
    info.normalisation.scale = j.at("scale").get<std::vector<double>>();
    info.normalisation.error_scale = j.value("error_scale", std::vector<double>());
    for (const json& f : j.at("features")) info.features.push_back(feature_from(f));
    info.relation_types = j.at("relation_types").get<std::vector<std::string>>();
    info.time_scale = j.at("time_scale");
    info.conditioning_length = j.at("conditioning_length");
    info.time_unit = j.value("time_unit", std::string());
    info.typical_gap = j.value("typical_gap", 0.0);
    info.damping = j.value("damping", std::vector<double>());
    for (const json& n : j.value("kalman_noise", json::array()))
      info.noise.push_back({n.at("drive"), n.at("position"), n.at("velocity"), n.at("speed")});
    info.data_name = j.at("data_name");
    info.data_fingerprint = j.at("data_fingerprint");
    info.epoch = whole<std::int64_t>(j.at("epoch"));
    info.step = whole<std::int64_t>(j.at("step"));
    info.validation = j.at("validation");
    info.commit = j.at("commit");
    info.version = j.at("version");
    info.machine = j.at("machine");
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: the run's description is incomplete or of the wrong types ({})", where, e.what()));
  } catch (const std::out_of_range& e) {
    throw DataError(fmt::format("{}: in the run's description, {}; the file is damaged", where, e.what()));
  } catch (const ConfigError& e) {
    throw DataError(e.what());  // a value that its option rejects; the message names the file
  }
  check(info, where);
  return info;
}

std::filesystem::path checkpoint_path(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw DataError(fmt::format("{}: no such run folder or checkpoint file", path.string()));
  if (!std::filesystem::is_directory(path, error)) return path;
  for (const char* name : {"best.safetensors", "checkpoint.safetensors", "checkpoint.previous.safetensors"})
    if (std::filesystem::exists(path / name, error)) return path / name;
  throw DataError(
      fmt::format("{}: holds neither best.safetensors nor checkpoint.safetensors; is it a run folder, and "
                  "has its training reached a checkpoint?",
                  path.string()));
}

RunInfo read_run_info(const SafetensorsFile& file) {
  const std::string where = file.path().string();
  const auto kind = file.metadata().find(data::kKindKey);
  if (kind == file.metadata().end() || kind->second != kCheckpointKind)
    throw DataError(fmt::format("{}: is {}, expected a checkpoint of a training run", where,
                                kind == file.metadata().end() ? "not a file of lgode" : "a " + kind->second));
  const json parsed = parse_json(file.meta(kRunKey));
  if (parsed.is_discarded()) throw DataError(where + ": the run's description is not valid JSON; the file is damaged");
  return RunInfo::from_json(parsed, where);
}

RunInfo load_run_info(const std::filesystem::path& path) {
  return read_run_info(SafetensorsFile(checkpoint_path(path)));
}

data::BatchMaker batch_maker(const RunInfo& info, const data::Dataset& dataset) {
  return {dataset, info.normalisation, info.task, {info.time_scale, info.conditioning_length}};
}

data::View validation_view(const data::TaskOptions& task) {
  return task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
}

double trained_reach(const RunInfo& info) {
  if (info.task.task == data::Task::kInterpolate) return info.conditioning_length;
  const double start = info.task.start == data::Start::kRandom ? info.task.start_low : 0.5;
  return info.conditioning_length * (1 - start);
}

bool takes_missing(const RunInfo& info) { return info.shape.append_mask; }

void check_fits(const RunInfo& info, const data::Dataset& dataset, const FitOptions& options) {
  check_features(info, dataset.description());
  if (dataset.description().relation_types != info.relation_types)
    throw ConfigError(
        fmt::format("the model was trained on the relation types {}, the data has {}; use data with the same "
                    "types in the same order",
                    fmt::join(info.relation_types, ", "), fmt::join(dataset.description().relation_types, ", ")));
  if (!options.allow_mismatch) {
    check_units(info, dataset.description(), options.can_allow);
    check_times(info, dataset, options.can_allow);
  }
  if (!options.allow_missing) check_missing(info, dataset);
  if (info.model.kind != model::ModelKind::kRnnNri) return;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    if (dataset.objects_of(s) != info.shape.objects)
      throw ConfigError(
          fmt::format("the model is rnn-nri, which needs a fixed number of objects, and was trained on systems of {} "
                      "objects; system {} has {}; use data with as many objects, or another `model`",
                      info.shape.objects, dataset.system_id(s), dataset.objects_of(s)));
}

std::vector<std::string> notes_on(const RunInfo& info, const data::Dataset& dataset) {
  const std::size_t width = info.features.size();
  std::vector<bool> centred(width, false);
  if (info.task.centre == data::Centre::kSystem)
    for (const int f : data::position_features(info.features)) centred[static_cast<std::size_t>(f)] = true;
  std::vector<double> largest = magnitudes(dataset, centred);
  // Features of one group share their scale: the largest of the group counts.
  std::map<int, double> of_group;
  for (std::size_t f = 0; f < width; ++f) {
    double& most = of_group[info.features[f].scale_group];
    most = std::max(most, largest[f]);
  }
  std::vector<std::string> notes;
  for (std::size_t f = 0; f < width; ++f) {
    const double scale = info.normalisation.scale[f], own = of_group[info.features[f].scale_group];
    if (info.features[f].derived || largest[f] == 0.0) continue;
    const bool large = largest[f] > kMostMagnitude * scale, small = own < scale / kMostMagnitude;
    if (!large && !small) continue;
    notes.push_back(fmt::format(
        "the largest value of '{}'{} is {:.4g}, in the training data it was {:.4g}: {} for the model; another unit?",
        info.features[f].name, centred[f] ? ", from the mean of its system," : "", large ? largest[f] : own, scale,
        large ? "far outside of what is known" : "close to nothing"));
  }
  return notes;
}

}  // namespace lgode::eval
