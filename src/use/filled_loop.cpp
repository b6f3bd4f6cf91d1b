// Goes through the rows of recordings and the rows to add, and counts.
#include "filled_loop.h"

#include <iterator>

#include "lgode/data/measured_features.h"

namespace lgode::use {
namespace {

// Separates the names of imputed features: a blank, unless names have blanks themselves.
std::string name_separator(const data::Description& description) {
  const auto& features = description.features;
  return std::any_of(features.begin(), features.end(),
                     [](const data::Feature& f) { return f.name.find(' ') != std::string::npos; })
             ? "|"
             : " ";
}

// Calls `row(time, observed, fills)` for every row of an object, and for those that fill its gaps: `observed` is empty
// where the set has no row at that time.
template <class Take>
void each_row(const eval::FilledGaps& gaps, std::int64_t object, const Take& row) {
  const data::Dataset& set = gaps.set();
  const auto width = static_cast<std::size_t>(set.features());
  const std::span<const double> times = set.times_of(object), holes = gaps.times(object);
  std::vector<double> all;
  std::set_union(times.begin(), times.end(), holes.begin(), holes.end(), std::back_inserter(all));
  std::size_t k = 0;
  for (const double time : all) {
    const bool seen = k < times.size() && times[k] == time;
    row(time, seen ? set.values_of(object).subspan(k * width, width) : std::span<const double>(),
        gaps.at(object, time));
    k += seen ? 1 : 0;
  }
}

}  // namespace

FillLoop::FillLoop(const eval::FilledGaps& gaps, bool all_times, Filled& filled)
    : gaps_(gaps),
      all_times_(all_times),
      filled_(filled),
      features_(data::measured_features(gaps.set().description())),
      separator_(name_separator(gaps.set().description())),
      unread_(gaps) {}

void FillLoop::rows_of_set(FilledSink& sink) const {
  const data::Dataset& set = gaps_.set();
  for (const std::int64_t s : gaps_.systems())
    for (std::int64_t o = 0; o < set.objects_of(s); ++o)
      each_row(gaps_, set.first_object(s) + o, [&](double time, std::span<const double> observed, Fills fills) {
        sink.begin(s, o, time);
        write(
            fills, [&](std::size_t f) { return observed.empty() || std::isnan(observed[f]); },
            [&](std::size_t f) { return observed[f]; }, nullptr, sink);
        filled_.new_rows += observed.empty() ? 1 : 0;
        ++filled_.rows;
      });
}

void FillLoop::new_rows_of_table(FilledSink& sink) const {
  unread_.each_new([&](std::int64_t s, std::int64_t o, double time, Fills fills) {
    sink.begin(s, o, time);
    write(
        fills, [](std::size_t) { return true; }, [](std::size_t) { return kNothing; }, nullptr, sink);
    ++filled_.new_rows;
    ++filled_.rows;
  });
}

void FillLoop::count(std::size_t feature, const eval::FillValue& value) const {
  ++filled_.values;
  const auto found = std::find_if(filled_.features.begin(), filled_.features.end(),
                                  [&](const eval::FeatureFill& f) { return f.feature == feature; });
  if (found != filled_.features.end()) found->count(value);
}

}  // namespace lgode::use
