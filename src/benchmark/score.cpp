// Sums of distances.
#include "lgode/benchmark/score.h"

#include <algorithm>
#include <cmath>

namespace lgode::benchmark {

Distances distances(const Track& track, const Path& path) {
  Distances d;
  for (std::size_t k = 0; k < kAhead; ++k) {
    const Point& truth = track.points[kSeen + k];
    d.fde = track.scale * std::hypot(path[k].x - truth.x, path[k].y - truth.y);
    d.ade += d.fde / kAhead;
  }
  return d;
}

void ScoreSum::add(const Track& track, const Path& path, std::span<const Path> futures) {
  const Distances one = distances(track, path);
  ++sum_.people;
  sum_.ade += one.ade, sum_.fde += one.fde;
  sum_.futures = static_cast<std::int64_t>(futures.size());
  if (futures.empty()) return;
  Distances best = distances(track, futures[0]);
  for (const Path& future : futures.subspan(1)) {
    const Distances d = distances(track, future);
    best.ade = std::min(best.ade, d.ade), best.fde = std::min(best.fde, d.fde);
  }
  if (!sum_.best) sum_.best = Distances{};
  sum_.best->ade += best.ade, sum_.best->fde += best.fde;
}

void ScoreSum::add(const Track& track, const Hidden& hidden, const Past& past) {
  for (std::size_t k = 0; k < kSeen; ++k) {
    if (!hidden[k]) continue;
    sum_.values += 2;
    sum_.mae += track.scale * (std::abs(past[k].x - track.points[k].x) + std::abs(past[k].y - track.points[k].y));
  }
}

Score ScoreSum::mean() const {
  Score score = sum_;
  const double people = static_cast<double>(std::max<std::int64_t>(score.people, 1));
  score.ade /= people, score.fde /= people;
  if (score.best) score.best->ade /= people, score.best->fde /= people;
  score.mae /= static_cast<double>(std::max<std::int64_t>(score.values, 1));
  return score;
}

nlohmann::ordered_json Score::to_json() const {
  if (values > 0) return {{"values", values}, {"mae", mae}};
  nlohmann::ordered_json json = {{"people", people}, {"ade", ade}, {"fde", fde}};
  if (best) json["futures"] = futures, json["best_ade"] = best->ade, json["best_fde"] = best->fde;
  return json;
}

Score Score::from_json(const nlohmann::json& json) {
  Score score;
  if (json.contains("mae")) {
    score.values = json.at("values"), score.mae = json.at("mae");
    return score;
  }
  score.people = json.at("people"), score.ade = json.at("ade"), score.fde = json.at("fde");
  if (json.contains("best_ade"))
    score.futures = json.at("futures"), score.best = Distances{json.at("best_ade"), json.at("best_fde")};
  return score;
}

}  // namespace lgode::benchmark
