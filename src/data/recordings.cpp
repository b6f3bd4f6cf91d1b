// Joins overlapping windows object by object: all observations sorted by time, duplicates removed.
#include "lgode/data/recordings.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lgode::data {
namespace {

struct Row {
  double time = 0;
  std::int64_t index = 0;  // in the set
};

// Observations by object, objects in the order of their first window.
struct Recording {
  std::string id;
  Part part = Part::kTrain;
  double origin = 0;
  std::vector<std::string> objects = {};
  std::vector<std::vector<Row>> rows = {};
  std::unordered_map<std::string, std::size_t> place_of = {};

  std::vector<Row>& rows_of(const std::string& object) {
    const auto [found, fresh] = place_of.try_emplace(object, objects.size());
    if (fresh) {
      objects.push_back(object);
      rows.emplace_back();
    }
    return rows[found->second];
  }
};

void add_window(const Dataset& set, std::int64_t system, Recording& recording) {
  recording.origin = std::min(recording.origin, set.origin(system));
  for (std::int64_t o = 0; o < set.objects_of(system); ++o) {
    std::vector<Row>& rows = recording.rows_of(set.object_id(system, o));
    const std::int64_t first = set.first_observation(set.first_object(system) + o);
    const auto times = set.times_of(set.first_object(system) + o);
    for (std::size_t k = 0; k < times.size(); ++k) rows.push_back({times[k], first + static_cast<std::int64_t>(k)});
  }
}

// By time, of several at one time the first.
void sort_once(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
  rows.erase(std::unique(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time == b.time; }),
             rows.end());
}

}  // namespace

std::string recording_of(const Dataset& set, std::int64_t system) {
  const Description& description = set.description();
  if (!description.recordings.empty()) return description.recordings[static_cast<std::size_t>(system)];
  const bool unnamed = description.system_ids.empty() && !description.columns.empty() && description.columns[0].empty();
  return unnamed ? std::string() : set.system_id(system);
}

Dataset join_recordings(const Dataset& set, const std::vector<std::int64_t>& systems) {
  std::vector<Recording> recordings;
  std::map<std::string, std::size_t> place_of;
  for (const std::int64_t s : systems) {
    const std::string id = recording_of(set, s);
    const auto [found, fresh] = place_of.try_emplace(id, recordings.size());
    if (fresh) recordings.push_back({.id = id, .part = set.part(s), .origin = set.origin(s)});
    add_window(set, s, recordings[found->second]);
  }
  Description description = set.description();
  description.system_ids.clear();
  description.object_ids.clear();
  description.recordings.clear();
  description.frames = {};
  DatasetBuilder builder(description);
  for (Recording& recording : recordings) {
    builder.begin_system(recording.part, recording.origin, recording.id);
    for (std::size_t o = 0; o < recording.objects.size(); ++o) {
      builder.add_object(recording.objects[o]);
      sort_once(recording.rows[o]);
      for (const Row& row : recording.rows[o]) builder.add_row(set, row.index);
    }
  }
  return builder.finish("the recordings");
}

}  // namespace lgode::data
