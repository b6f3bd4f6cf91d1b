// The states of a follower on disk: a safetensors file with the tensors of every scene, and JSON for the rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/eval/follower.h"

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

// Points that may be missing, as time and value.
using Points = std::optional<data::ClassicalTrack::Point>;
json points_json(std::initializer_list<const Points*> points) {
  json list = json::array();
  for (const Points* p : points) {
    list.push_back(*p ? json((*p)->time) : json(nullptr));
    list.push_back(*p ? json((*p)->value) : json(nullptr));
  }
  return list;
}
void read_points(const json& list, std::initializer_list<Points*> points) {
  std::size_t at = 0;
  for (Points* p : points) {
    const json &time = list.at(at++), &value = list.at(at++);
    if (!time.is_null()) *p = {time.get<double>(), value.get<double>()};
  }
}

json base_json(const model::BaseState& state) {
  json motion = json::array(), kalman = json::array();
  for (const data::ClassicalTrack::Motion& m : state.track.motion)
    motion.push_back(points_json({&m.last, &m.before_last, &m.velocity, &m.velocity_after}));
  for (const data::KalmanTrack& k : state.track.kalman)
    kalman.push_back({k.begun, k.position_seen, k.time, k.x, k.v, k.xx, k.xv, k.vv});
  return {{"motion", motion}, {"kalman", kalman}, {"idle", state.idle.y}, {"seen", state.idle.seen}};
}
model::BaseState base_of(const json& j) {
  model::BaseState out;
  for (const json& m : j.at("motion")) {
    data::ClassicalTrack::Motion& to = out.track.motion.emplace_back();
    read_points(m, {&to.last, &to.before_last, &to.velocity, &to.velocity_after});
  }
  for (const json& k : j.at("kalman"))
    out.track.kalman.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6), k.at(7)});
  out.idle.y = j.at("idle").get<std::vector<double>>();
  out.idle.seen = j.at("seen").get<std::vector<std::uint8_t>>();
  return out;
}
// Whether the states are of the run's base path, one per object.
bool fits_base(const model::SceneState& state, const RunInfo& info) {
  const std::size_t features = info.features.size();
  if (!info.shape.base) return state.base.empty();
  const bool kalman = info.shape.base->kind == Classical::kKalman;
  if (state.base.size() != state.objects.size() || state.sum.size() != state.count.size() ||
      (!state.base.empty() && state.sum.size() != features))
    return false;
  return std::all_of(state.base.begin(), state.base.end(), [&](const model::BaseState& base) {
    return base.track.motion.size() == (kalman ? 0 : features) && base.track.kalman.size() == (kalman ? features : 0) &&
           base.idle.y.size() == features && base.idle.seen.size() == features;
  });
}

}  // namespace

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
    const Followed& base = stream.base;
    const model::SceneState& state = base.state;
    json tracks = json::object(), rows = json::array(), bases = json::array();
    for (const model::BaseState& own : state.base) bases.push_back(base_json(own));
    for (const auto& [object, track] : base.tracks)
      tracks[object] = {{"number", track.number},
                        {"value", numbers(track.value)},
                        {"time", numbers(track.time)},
                        {"outliers", outliers_json(track.outliers)}};
    for (const Group& group : stream.groups)
      for (const StreamRow& row : group.rows)
        rows.push_back({{"object", row.object}, {"time", row.time}, {"values", numbers(row.values)}});
    const std::string prefix = std::to_string(list.size()) + ".";
    if (state.z.defined()) tensors.emplace_back(prefix + "z", state.z.contiguous());
    if (state.seen.defined()) tensors.emplace_back(prefix + "seen", state.seen.contiguous());
    if (state.h.defined()) tensors.emplace_back(prefix + "h", state.h.contiguous());
    for (std::size_t l = 0; l < state.sent.size(); ++l)
      tensors.emplace_back(prefix + "sent" + std::to_string(l), state.sent[l].contiguous());
    list.push_back({{"id", id},
                    {"number", stream.number},
                    {"forecast_from", stream.forecast_from ? json(*stream.forecast_from) : json(nullptr)},
                    {"clock", stream.clock},
                    {"last_row", stream.last_row},
                    {"rows", rows},
                    {"origin", base.origin},
                    {"centre", base.centre},
                    {"centred", base.centred},
                    {"next", base.next},
                    {"tracks", tracks},
                    {"outliers", base.outliers},
                    {"begun", state.begun},
                    {"time", state.time},
                    {"objects", state.objects},
                    {"base", bases},
                    {"sum", state.sum},
                    {"count", state.count},
                    {"last_seen", state.last_seen},
                    {"times", state.times},
                    {"object", state.object},
                    {"layers", state.sent.size()}});
  }
  const json all = {{"mark", mark()},  {"numbers", numbers_}, {"rows", rows_},
                    {"clock", clock_}, {"streams", list},     {"dropped", dropped_}};
  SafetensorsContent content;
  for (const auto& [name, tensor] : tensors)
    content.tensors.emplace_back(name, TensorView{DType::kF32,
                                                  tensor.sizes().vec(),
                                                  {static_cast<const std::byte*>(tensor.data_ptr()),
                                                   static_cast<std::size_t>(tensor.nbytes())}});
  content.metadata = {{data::kKindKey, kFollowKind}, {"lgode.version", "1"}, {kFollowKey, lenient_json_text(all)}};
  write_safetensors(path, Overwrite::kAllow, content);
}

bool Follower::fits(const Stream& stream) const {
  const Followed& base = stream.base;
  const model::SceneState& state = base.state;
  const std::size_t features = run_.info.features.size(), known = state.begun ? features : 0;
  bool fits = base.centre.size() == known && base.centred.size() == known &&
              state.last_seen.size() == state.objects.size() && state.object.size() == state.times.size() &&
              (state.h.defined() || state.times.empty()) &&
              (!state.begun || static_cast<std::int64_t>(state.sent.size()) == run_.info.model.layers) &&
              fits_base(state, run_.info);
  for (const auto& [object, track] : base.tracks)
    fits = fits && track.value.size() == features && track.time.size() == features &&
           fits_features(track.outliers, features);
  for (const Group& group : stream.groups)
    for (const StreamRow& row : group.rows) fits = fits && row.values.size() == features;
  return fits;
}

Follower::Stream Follower::read_stream(const json& j, const SafetensorsFile& file, const std::string& prefix) const {
  const std::string where = file.path().string();
  const std::int64_t width = run_.model->options().state + run_.info.shape.features;
  const auto tensor = [&](const std::string& name, std::size_t rows, std::int64_t columns) {
    at::Tensor t = load_tensor(file, prefix + name);
    if (t.sizes() != at::IntArrayRef{static_cast<std::int64_t>(rows), columns} || t.scalar_type() != at::kFloat)
      throw DataError(
          fmt::format("{}: tensor {} has another shape than the run's; the file is damaged", where, prefix + name));
    return t;
  };
  Stream stream;
  stream.number = j.at("number");
  if (!j.at("forecast_from").is_null()) stream.forecast_from = j.at("forecast_from").get<double>();
  stream.clock = j.at("clock"), stream.last_row = j.at("last_row");
  for (const json& r : j.at("rows")) {
    const double time = r.at("time");
    if (stream.groups.empty() || stream.groups.back().time != time) stream.groups.push_back({time, {}, {}});
    stream.groups.back().rows.push_back({j.at("id"), r.at("object"), time, numbers(r.at("values"))});
  }
  if (stream.groups.empty()) throw DataError(where + ": has a scene without rows; the file is damaged");
  Followed& base = stream.base;
  base.origin = j.at("origin"), base.centre = j.at("centre").get<std::vector<double>>();
  base.centred = j.at("centred").get<std::vector<bool>>(), base.next = j.at("next");
  for (const auto& [object, t] : j.at("tracks").items())
    base.tracks[object] = {t.at("number"), numbers(t.at("value")), numbers(t.at("time")), outliers_of(t)};
  base.outliers = j.value("outliers", std::int64_t{0});
  model::SceneState& state = base.state;
  state.begun = j.at("begun"), state.time = j.at("time");
  state.objects = j.at("objects").get<std::vector<std::int64_t>>();
  if (run_.info.shape.base) {
    for (const json& own : j.at("base")) state.base.push_back(base_of(own));
    state.sum = j.at("sum").get<std::vector<double>>(), state.count = j.at("count").get<std::vector<double>>();
  }
  state.last_seen = j.at("last_seen").get<std::vector<double>>();
  state.times = j.at("times").get<std::vector<double>>();
  state.object = j.at("object").get<std::vector<std::int64_t>>();
  if (!state.objects.empty()) state.z = tensor("z", state.objects.size(), width);
  if (!state.objects.empty() && model::learns_gain(run_.info.model, run_.info.shape))
    state.seen = tensor("seen", state.objects.size(), run_.info.shape.features);
  const std::int64_t d = run_.info.model.encoder_width;
  if (file.has(prefix + "h")) state.h = tensor("h", state.times.size(), d);
  for (std::size_t l = 0; l < j.at("layers").get<std::size_t>(); ++l)
    state.sent.push_back(tensor("sent" + std::to_string(l), state.times.size(), d));
  if (!fits(stream)) throw DataError(where + ": contradicts itself or the run; the file is damaged");
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
