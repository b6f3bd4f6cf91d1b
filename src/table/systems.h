// Systems under construction: arrays that grow, in memory or in a temporary file, and steps that copy them with fewer
// rows. Internal to the import.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/scratch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/scene.h"
#include "lgode/table/import.h"

namespace lgode::table {

// What Dataset::Arrays are views of, under the same names, so that Dataset::Arrays::each() lists them, too. Growing
// moves scratch arrays, so views are taken at the end.
struct OwnedArrays {
  explicit OwnedArrays(const ScratchPlace& place) : times(place), values(place) {}
  std::vector<std::int64_t> object_offsets{0}, observation_offsets{0}, relation_offsets{0};
  ScratchArray<double> times, values;
  std::vector<std::int32_t> relation_sources, relation_targets, relation_types;
  std::vector<float> relation_weights;
  std::vector<std::uint8_t> parts;
  std::vector<double> origins;

  data::Dataset::Arrays view() const;
};

// Systems under construction. A recording is a system of the table; with windows, several systems come from one.
struct Systems {
  explicit Systems(const ScratchPlace& place) : arrays(place) {}
  OwnedArrays arrays;
  std::vector<std::string> system_ids, object_ids;
  std::vector<std::uint32_t> recording;          // of each system
  std::vector<std::int32_t> place_in_recording;  // of each object, among all objects of its recording
  std::size_t features = 0;

  std::int64_t objects_of(std::size_t system) const {
    return arrays.object_offsets[system + 1] - arrays.object_offsets[system];
  }
  std::span<const double> times_of(std::size_t object) const;
  std::span<const double> values_of(std::size_t object) const;
  // Whether row k of an object has a value; else it is an empty row, a place to fill.
  bool is_observation(std::size_t object, std::size_t k) const;
  std::int64_t empty_rows() const;
  // The rows of a system. A view: growing the arrays ends it.
  data::SceneSource source(std::size_t system) const;
  // Times of the first and the last observation of a system.
  std::optional<data::TimeSpan> span(std::size_t system) const { return data::observed_span(source(system)); }
};

// Keeps one row of each object per interval of length `every`, counted from the first row of its system: the first
// observation or, where there is none, the first row.
Systems thin(const Systems& whole, const ScratchPlace& place, double every);

// Cuts each system into windows [t, t + length) from its first observation on, `stride` apart; windows that reach
// beyond the recording by more than `gap` are skipped, but for the first. `to_the_end`: what remains at the end is in a
// last window that ends with the recording and overlaps the one before. A window holds the objects that are observed in
// it; windows without observations are dropped.
Systems cut_windows(const Systems& whole, const ScratchPlace& place, double length, double stride, double gap,
                    bool to_the_end, ImportReport& report);

// Cuts each recording into windows of consecutive frames: one begins at every `stride`-th frame whose next ones are all
// there. Sets `frames.step`. A window is named after its recording and the number of its first frame, and holds the
// objects that are observed in it. DataError for recordings that are irregular, and where no window is found.
Systems cut_frames(const Systems& whole, const ScratchPlace& place, data::FrameWindows& frames, std::int64_t stride,
                   ImportReport& report);
// The objects of each window that are targets of its forecast.
std::vector<std::int64_t> count_targets(const Systems& systems, const data::FrameWindows& frames);
// Keeps of each recording the first frame per interval of length `every`, with all its objects.
Systems thin_frames(const Systems& whole, const ScratchPlace& place, double every);

// Adds rows [from, to) of an object to the last object of `target`; then ends the object, and the system. All arrays of
// the list are copied: per row, and per system as far as they are filled. Relations are added after these steps.
void copy_rows(const Systems& source, std::size_t object, std::ptrdiff_t from, std::ptrdiff_t to, Systems& target);
void end_object(const Systems& source, std::size_t object, Systems& target);
void end_system(const Systems& source, std::size_t system, std::string id, Systems& target);

// Without the systems that `out` names.
Systems without(const Systems& from, const std::vector<bool>& out, const ScratchPlace& place);

// The rows that systems hold; a row in several windows counts once.
struct RowCount {
  std::int64_t rows = 0, empty = 0;
};
RowCount count_once(const Systems& systems);

// Median gap between neighbouring observations of an object, 0 if there are none; of very many gaps, of a
// sample from all systems (data::typical_gap: from the first ones).
double typical_gap(const Systems& systems);

}  // namespace lgode::table
