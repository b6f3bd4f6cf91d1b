// Descriptions of runs: converts them to and from JSON, reads them from checkpoints.
#include "lgode/eval/run_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "lgode/core/error.h"
#include "lgode/core/fields.h"
#include "lgode/core/json_text.h"
#include "lgode/core/methods.h"
#include "lgode/core/options.h"
#include "lgode/data/description_fields.h"

namespace lgode {

template <>
struct Fields<model::TiedPair> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& t) {
    v.field("position", t.position);
    v.field("velocity", t.velocity);
    v.field("factor", t.factor);
    v.field("remainder", t.remainder);
    v.optional("lag", t.lag);
  }
};

template <>
struct Fields<data::WienerNoise> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& n) {
    v.field("drive", n.drive, not_negative("a variance"));
    v.field("position", n.position, not_negative("a variance"));
    v.field("velocity", n.velocity, not_negative("a variance"));
    v.field("speed", n.speed, not_negative("a variance"));
  }
};

template <>
struct Fields<data::ClassicalFit> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& fit) {
    v.optional("damping", fit.damping, not_negative("a damping"));
    v.optional("kalman_noise", fit.noise);
  }
};

template <>
struct Fields<model::FramesPlace> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& p) {
    v.field("centre", p.centre);
    v.field("extent", p.extent, positive("the extent of a place"));
  }
};

template <>
struct Fields<model::FramesShape> {
  using Pairs = model::FramesShape::Pairs;
  static constexpr std::pair<Pairs, const char*> kPairs[] = {
      {Pairs::kNear, "near"}, {Pairs::kNearAndListed, "near-and-listed"}, {Pairs::kRelated, "related"}};

  template <class Visitor, class T>
  static void visit(Visitor& v, T& s) {
    v.field("features", s.features);
    v.field("scale", s.scale, positive("the scale"));
    v.field("time_scale", s.time_scale, positive("the time scale"));
    v.field("positions", s.positions, not_negative("the number of a feature"));
    v.field("base", s.base);
    v.field("fit", s.fit);
    v.field("length", s.length, positive("the unit of lengths"));
    v.field("time", s.time, positive("the unit of times"));
    v.field("pair_length", s.pair_length, positive("the distance between objects"));
    v.field("radius", s.radius, positive("the radius"));
    v.field("step", s.step, positive("the step"));
    v.field("slots", s.slots, not_negative("a time before the last observation"));
    v.named("pairs", s.pairs, kPairs);
    v.sparse("place", s.place, s.place.has_value());
  }
};

template <>
struct Fields<data::BaseFeature> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& f) {
    v.field("velocity_of", f.velocity_of);
    v.sparse("derived", f.derived, f.derived);
    v.field("scale", f.scale, positive("the scale of a base path"));
    v.field("damping", f.damping, not_negative("a damping"));
    v.field("noise", f.noise);
    v.field("gain", f.gain, positive("the gain of a base path"));
  }
};

template <>
struct Fields<data::BasePath> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& base) {
    v.named("kind", base.kind, kClassicalKeys.list);
    v.field("time_scale", base.time_scale, positive("the time scale of a base path"));
    v.field("features", base.features);
  }
};

template <>
struct Fields<model::ModelShape> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& s) {
    v.field("features", s.features);
    v.field("relation_types", s.relation_types);
    v.field("append_mask", s.append_mask);
    v.field("window", s.window, not_negative("the window"));
    v.optional("objects", s.objects, not_negative("the number of objects"));
    v.earlier("cell", s.grid_step);
    v.optional("grid_step", s.grid_step, not_negative("the grid step"));
    v.optional("forecast", s.forecast);
    v.optional("ties", s.ties);
    v.finite("memory", s.memory, positive("the memory"));
    v.sparse("base", s.base, s.base.has_value());
    v.sparse("frames", s.frames, s.frames.has_value());
  }
};

template <>
struct Fields<data::OutlierGate> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& gate) {
    v.field("reach", gate.reach, positive("the reach of a change"));
    v.field("gap", gate.gap, not_negative("the gap between observations"));
    v.finite("forget", gate.forget, positive("the time after which an object may be anywhere"));
    v.sparse("extent", gate.extent, !gate.extent.empty(), positive("the extent of a system"));
  }
};

// `table` is text of its own (data::description_json); task and model follow from the config.
template <>
struct Fields<eval::RunInfo> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& info) {
    v.field("config", info.config);
    v.field("shape", info.shape);
    v.optional("leave", info.task.leave);
    v.optional("outlier_gate", info.task.gate);
    v.field("scale", info.normalisation.scale, positive("the scale"));
    v.optional("error_scale", info.normalisation.error_scale, positive("the scale of an error"));
    v.field("features", info.features);
    v.field("relation_types", info.relation_types);
    v.field("time_scale", info.time_scale, positive("the time scale"));
    v.field("conditioning_length", info.conditioning_length, positive("the conditioning length"));
    v.optional("time_unit", info.time_unit);
    v.optional("typical_gap", info.typical_gap, not_negative("the gap between observations"));
    Fields<data::ClassicalFit>::visit(v, info.classical);
    v.field("data_name", info.data_name);
    v.field("data_fingerprint", info.data_fingerprint);
    v.field("epoch", info.epoch, not_negative("the number of epochs"));
    v.field("step", info.step, not_negative("the number of steps"));
    v.field("validation", info.validation);
    v.field("commit", info.commit);
    v.field("version", info.version);
    v.field("machine", info.machine);
  }
};

}  // namespace lgode

namespace lgode::eval {
namespace {

using nlohmann::json;

constexpr double kSmallest = 1e-30;             // smallest scale
constexpr double kLargest = 1e20;               // largest number in a data set
constexpr std::size_t kMostSlots = 256;         // of frames
constexpr std::int64_t kMostObjects = 1000000;  // per system of rnn-nri, whose weights grow with their number

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
        fmt::format("{} is not a whole number of the expected size", lenient_json_text(value).substr(0, 40)));
  return value.get<T>();
}

// How the fields of a run are read.
struct RunRules : PlainRules {
  void unknown(const char* key, const std::string& text) const {
    throw std::out_of_range(fmt::format("'{}' is not a value of '{}' in this version", text.substr(0, 40), key));
  }
  template <class T>
  T get(const json& value, const char*) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return whole<T>(value);
    else
      return value.get<T>();
  }
};

// Files may come from anywhere: checks every number that determines the size of the model or of batches.
class RunChecker {
 public:
  RunChecker(const RunInfo& info, const std::string& where) : info_(info), where_(where) {}

  void check() const {
    check_counts();
    check_pairs();
    check_fields(info_, [&](const Limits& limits, double value) { check_number(limits, value); });
    data::check_clock(info_.time_scale, info_.conditioning_length, where_);
    check_fit();
    if (info_.model.kind == model::ModelKind::kFrames) check_frames();
    if (info_.model.kind != model::ModelKind::kRnnNri) return;
    if (info_.shape.objects < 1 || info_.shape.objects > kMostObjects)
      throw wrong(fmt::format("has {} objects per system, expected 1 to {}", info_.shape.objects, kMostObjects));
    check_number(positive("the grid step"), info_.shape.grid_step);
  }

 private:
  DataError wrong(const std::string& what) const {
    return DataError(fmt::format("{}: the run's description {}; the file is damaged", where_, what));
  }

  void check_number(const Limits& limits, double value) const {
    if (limits.zero && !(value >= 0 && value <= kLargest))
      throw wrong(fmt::format("has {} {}, expected a number >= 0", limits.name, value));
    if (!limits.zero && !(value >= kSmallest && value <= kLargest))
      throw wrong(
          fmt::format("has {} {}, expected a number > 0, from {:g} to {:g}", limits.name, value, kSmallest, kLargest));
  }

  void check_counts() const {
    const std::size_t features = info_.features.size();
    if (info_.normalisation.scale.size() != features || info_.shape.features != static_cast<std::int64_t>(features) ||
        features == 0)
      throw wrong("is inconsistent about the number of features");
    if (info_.shape.relation_types != static_cast<std::int64_t>(info_.relation_types.size()))
      throw wrong(fmt::format("has {} relation types, but {} names for them", info_.shape.relation_types,
                              info_.relation_types.size()));
    if (info_.task.gate && info_.task.gate->reach.size() != features)
      throw wrong(fmt::format("has {} bounds of outliers for {} features", info_.task.gate->reach.size(), features));
    if (info_.task.gate && !info_.task.gate->extent.empty() && info_.task.gate->extent.size() != features)
      throw wrong(fmt::format("has {} extents for {} features", info_.task.gate->extent.size(), features));
    const std::size_t errors = info_.normalisation.error_scale.size();
    if (errors != 0 && errors != features)
      throw wrong(fmt::format("has {} scales of errors for {} features", errors, features));
  }

  void check_pairs() const {
    const std::int64_t features = info_.shape.features;
    for (const data::Feature& f : info_.features)
      if (f.velocity_of < -1 || f.velocity_of >= features)
        throw wrong(
            fmt::format("has feature '{}' as the velocity of feature {} of {}", f.name, f.velocity_of, features));
    for (const model::TiedPair& t : info_.shape.ties)
      if (t.position < 0 || t.position >= features || t.velocity < 0 || t.velocity >= features ||
          t.position == t.velocity || !(t.factor > 0 && t.factor <= kLargest) || !(t.lag >= 0 && t.lag <= kLargest))
        throw wrong(fmt::format("ties feature {} to feature {} of {} with factor {} and lag {}", t.position, t.velocity,
                                features, t.factor, t.lag));
    if (!info_.shape.base) return;
    const std::vector<data::BaseFeature>& base = info_.shape.base->features;
    if (static_cast<std::int64_t>(base.size()) != features)
      throw wrong(fmt::format("has a base path of {} features, not of {}", base.size(), features));
    for (std::size_t f = 0; f < base.size(); ++f)
      if (base[f].velocity_of != info_.features[f].velocity_of || !(base[f].gain <= 1))
        throw wrong(fmt::format("has a base path whose feature {} is the velocity of {}, with gain {}", f,
                                base[f].velocity_of, base[f].gain));
  }

  void check_fit() const { check_fit(info_.classical); }

  void check_fit(const data::ClassicalFit& fit) const {
    const std::size_t features = info_.features.size(), dampings = fit.damping.size(), noises = fit.noise.size();
    if (dampings != 0 && dampings != features)
      throw wrong(fmt::format("has {} dampings for {} features", dampings, features));
    if (noises != 0 && noises != features)
      throw wrong(fmt::format("has noise of {} features, not of {}", noises, features));
  }

  void check_frames() const {
    if (!info_.shape.frames) throw wrong("lacks what `model` frames takes from its data");
    const model::FramesShape& frames = *info_.shape.frames;
    const auto features = static_cast<std::int64_t>(info_.features.size());
    if (frames.features != info_.features || frames.scale.size() != info_.features.size())
      throw wrong("is inconsistent about the features of its frames");
    const std::set<std::int64_t> positions(frames.positions.begin(), frames.positions.end());
    if (positions.size() != frames.positions.size() || positions.size() < 2 || positions.size() > 3 ||
        *positions.rbegin() >= features)
      throw wrong(fmt::format("has {} positions of {} features", frames.positions.size(), features));
    if (frames.slots.empty() || frames.slots.size() > kMostSlots)
      throw wrong(fmt::format("has {} slots, expected 1 to {}", frames.slots.size(), kMostSlots));
    if (find_classical_method(frames.base) == nullptr)
      throw wrong(fmt::format("has the base path '{}', which this version does not have", frames.base));
    check_fit(frames.fit);
    if (frames.place && frames.place->centre.size() != frames.positions.size())
      throw wrong(
          fmt::format("has a place of {} positions, not of {}", frames.place->centre.size(), frames.positions.size()));
  }

  const RunInfo& info_;
  const std::string& where_;
};

}  // namespace

json RunInfo::to_json() const {
  json out = fields_json<json>(*this);
  out["table"] = table.features.empty() ? json(nullptr) : parse_json(data::description_json(table));
  return out;
}

RunInfo RunInfo::from_json(const json& j, const std::string& where) {
  RunInfo info;
  try {
    OptionSet options;
    data::declare(options, info.task);
    model::declare(options, info.model);
    options.set_all(j.at("config"), Source::kFile, where, /*lenient=*/true);
    read_fields(j, RunRules(), info);
    if (j.contains("table") && !j.at("table").is_null())
      info.table = data::read_description(json_text(j.at("table")), where);
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: the run's description is incomplete or of the wrong types ({})", where, e.what()));
  } catch (const std::out_of_range& e) {
    throw DataError(fmt::format("{}: in the run's description, {}; the file is damaged", where, e.what()));
  } catch (const ConfigError& e) {
    throw DataError(e.what());  // a value that its option rejects; the message names the file
  }
  RunChecker(info, where).check();
  return info;
}

nlohmann::ordered_json run_head_json(const RunInfo& info) {
  data::TaskOptions task = info.task;
  model::ModelOptions model = info.model;
  OptionSet options;  // which has the names of their values
  data::declare(options, task);
  model::declare(options, model);
  nlohmann::ordered_json head;
  for (const char* key : {"task", "observed", "model", "variant", "protocol", "seed"})
    head[key] = options.find(key)->get();
  return head;
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

data::View validation_view(const data::TaskOptions& task) {
  return task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
}

double trained_reach(const RunInfo& info) {
  if (info.task.task == data::Task::kInterpolate) return info.conditioning_length;
  if (const data::FrameWindows& frames = info.table.frames) return static_cast<double>(frames.asked) * frames.step;
  const double start = info.task.start == data::Start::kRandom ? info.task.start_low : 0.5;
  return info.conditioning_length * (1 - start);
}

bool takes_missing(const RunInfo& info) { return info.shape.append_mask; }

data::BatchMaker batch_maker(const RunInfo& info, const data::Dataset& dataset) {
  return batch_maker(info, dataset, info.task);
}

data::BatchMaker batch_maker(const RunInfo& info, const data::Dataset& dataset, const data::TaskOptions& task) {
  return {dataset, info.normalisation, task, {info.time_scale, info.conditioning_length, info.table.frames}};
}

}  // namespace lgode::eval
