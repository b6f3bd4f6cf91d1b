// The states of a follower on disk: a safetensors file with JSON, and the tensors of every scene's keeper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/eval/follower.h"
#include "scene_keeper.h"

namespace lgode::eval {
namespace {

using nlohmann::json;

constexpr const char* kFollowKind = "follow";
constexpr const char* kFollowKey = "lgode.follow";

// Of json_number().
double number(const json& x) { return x.is_null() ? NAN : x.get<double>(); }

json numbers(const std::vector<double>& values) {
  json list = json::array();
  for (const double x : values) list.push_back(json_number(x));
  return list;
}

std::vector<double> numbers(const json& list) {
  std::vector<double> values;
  for (const json& x : list) values.push_back(number(x));
  return values;
}

json seen_json(const data::OutlierTrack::Seen& seen) {
  return {{"value", numbers(seen.value)}, {"time", numbers(seen.time)}};
}
data::OutlierTrack::Seen seen_of(const json& j) { return {numbers(j.at("value")), numbers(j.at("time"))}; }

json outliers_json(const data::OutlierTrack& track) {
  return {{"believed", seen_json(track.believed)},
          {"pending", seen_json(track.pending)},
          {"waiting", track.waiting},
          {"count", track.count}};
}
bool fits_features(const data::OutlierTrack& track, std::size_t features) {
  for (const data::OutlierTrack::Seen* seen : {&track.believed, &track.pending})
    if (seen->time.size() != seen->value.size() || (!seen->value.empty() && seen->value.size() != features))
      return false;
  return track.waiting >= 0 && (track.waiting == 0 || !track.pending.value.empty());
}
// Absent in states of earlier versions.
data::OutlierTrack outliers_of(const json& track) {
  if (!track.contains("outliers")) return {};
  const json& j = track.at("outliers");
  return {.believed = seen_of(j.at("believed")),
          .pending = seen_of(j.at("pending")),
          .waiting = j.at("waiting"),
          .count = j.value("count", 2)};
}

}  // namespace

at::Tensor kept_tensor(const SafetensorsFile& file, const std::string& name, at::IntArrayRef sizes,
                       at::ScalarType type) {
  at::Tensor t = load_tensor(file, name);
  if (t.sizes() != sizes || t.scalar_type() != type)
    throw DataError(
        fmt::format("{}: tensor {} has another shape than the run's; the file is damaged", file.path().string(), name));
  return t;
}

void check_state(const SafetensorsFile& file, bool holds) {
  if (!holds) throw DataError(file.path().string() + ": contradicts itself or the run; the file is damaged");
}

// The weights and all that turns rows into their inputs.
std::string Follower::mark() const {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
  const auto add = [&](const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3ULL;
  };
  for (const model::Parameters::Entry& e : run_.model->parameters().entries()) {
    const at::Tensor t = e.tensor.detach().contiguous();
    add(t.data_ptr(), t.nbytes());
  }
  for (const double x : run_.info.normalisation.scale) add(&x, sizeof x);
  for (const double x : {run_.info.time_scale, run_.info.model.step, options_.late}) add(&x, sizeof x);
  if (const std::optional<data::BasePath>& base = run_.info.shape.base) {
    const auto kind = static_cast<double>(base->kind);
    add(&kind, sizeof kind);
    for (const data::BaseFeature& f : base->features)
      for (const double x : {f.damping, f.noise.drive, f.noise.position, f.noise.velocity, f.noise.speed, f.gain})
        add(&x, sizeof x);
  }
  return fmt::format("{:016x}", hash);
}

void Follower::save(const std::filesystem::path& path) const {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  json list = json::array();
  for (const auto& [id, stream] : streams_) {
    const FollowedScene& base = stream.base;
    json objects = json::object(), rows = json::array();
    for (const auto& [id_of, object] : base.objects)
      objects[id_of] = {{"number", object.number},
                        {"value", numbers(object.value)},
                        {"time", numbers(object.time)},
                        {"outliers", outliers_json(object.outliers)}};
    for (const Group& group : stream.groups)
      for (const StreamRow& row : group.rows)
        rows.push_back({{"object", row.object}, {"time", row.time}, {"values", numbers(row.values)}});
    const std::string prefix = std::to_string(list.size()) + ".";
    json& entry =
        list.emplace_back(json{{"id", id},
                               {"number", stream.number},
                               {"forecast_from", stream.forecast_from ? json(*stream.forecast_from) : json(nullptr)},
                               {"clock", stream.clock},
                               {"last_row", stream.last_row},
                               {"rows", rows},
                               {"origin", base.origin},
                               {"centre", base.centre},
                               {"centred", base.centred},
                               {"next", base.next},
                               {"tracks", objects},
                               {"outliers", base.outliers},
                               {"begun", base.begun}});
    keeper_->write(base, prefix, entry, tensors);
  }
  const json all = {{"mark", mark()},  {"numbers", numbers_}, {"rows", rows_},
                    {"clock", clock_}, {"streams", list},     {"dropped", dropped_}};
  SafetensorsContent content;
  for (const auto& [name, tensor] : tensors)
    content.tensors.emplace_back(name, TensorView{tensor.scalar_type() == at::kDouble ? DType::kF64 : DType::kF32,
                                                  tensor.sizes().vec(),
                                                  {static_cast<const std::byte*>(tensor.data_ptr()),
                                                   static_cast<std::size_t>(tensor.nbytes())}});
  content.metadata = {{data::kKindKey, kFollowKind}, {"lgode.version", "1"}, {kFollowKey, lenient_json_text(all)}};
  write_safetensors(path, Overwrite::kAllow, content);
}

bool Follower::fits(const Stream& stream) const {
  const FollowedScene& base = stream.base;
  const std::size_t features = run_.info.features.size(), known = base.begun ? features : 0;
  bool fits = base.centre.size() == known && base.centred.size() == known;
  for (const auto& [id, object] : base.objects)
    fits = fits && object.value.size() == features && object.time.size() == features &&
           fits_features(object.outliers, features);
  for (const Group& group : stream.groups)
    for (const StreamRow& row : group.rows) fits = fits && row.values.size() == features;
  return fits;
}

Follower::Stream Follower::read_stream(const json& j, const SafetensorsFile& file, const std::string& prefix) const {
  Stream stream;
  stream.number = j.at("number");
  if (!j.at("forecast_from").is_null()) stream.forecast_from = j.at("forecast_from").get<double>();
  stream.clock = j.at("clock"), stream.last_row = j.at("last_row");
  for (const json& r : j.at("rows")) {
    const double time = r.at("time");
    if (stream.groups.empty() || stream.groups.back().time != time) stream.groups.push_back({time, {}, {}});
    stream.groups.back().rows.push_back({j.at("id"), r.at("object"), time, numbers(r.at("values"))});
  }
  if (stream.groups.empty()) throw DataError(file.path().string() + ": has a scene without rows; the file is damaged");
  FollowedScene& base = stream.base;
  base.origin = j.at("origin"), base.centre = j.at("centre").get<std::vector<double>>();
  base.centred = j.at("centred").get<std::vector<bool>>(), base.next = j.at("next"), base.begun = j.at("begun");
  for (const auto& [id, t] : j.at("tracks").items())
    base.objects[id] = {t.at("number"), numbers(t.at("value")), numbers(t.at("time")), outliers_of(t)};
  base.outliers = j.value("outliers", std::int64_t{0});
  check_state(file, fits(stream));
  keeper_->read(j, file, prefix, base);
  return stream;
}

void Follower::restore(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  const auto kind = file.metadata().find(data::kKindKey);
  if (kind == file.metadata().end() || kind->second != kFollowKind)
    throw DataError(fmt::format("{}: is not a state of lgode follow; name another file", path.string()));
  std::map<std::string, Stream> streams;
  try {
    const json all = parse_json(file.meta(kFollowKey));
    if (all.at("mark") != mark())
      throw DataError(
          fmt::format("{}: was written with another run, checkpoint, `step` or `late`; use those, or name "
                      "another file to start again",
                      path.string()));
    std::size_t at = 0;
    for (const json& j : all.at("streams"))
      streams[j.at("id").get<std::string>()] = read_stream(j, file, std::to_string(at++) + ".");
    dropped_ = all.at("dropped").get<std::deque<std::pair<std::string, double>>>();
    numbers_ = all.at("numbers"), rows_ = all.at("rows"), clock_ = all.at("clock");
  } catch (const json::exception& error) {
    throw DataError(fmt::format("{}: is damaged ({}); name another file to start again", path.string(), error.what()));
  }
  streams_ = std::move(streams);
}

}  // namespace lgode::eval
