// Cuts the context of a batch.
#include "lgode/model/frames/rows.h"

#include <cstdint>
#include <vector>

#include "lgode/model/assimilate/timeline.h"

namespace lgode::model {

std::size_t first_counting_row(std::span<const double> times, double memory) {
  std::size_t first = times.size() - 1;
  while (first > 0 && !outlasts(times.back() - times[first - 1], memory)) --first;
  return first;
}

std::optional<data::Batch> with_counting_rows(const data::Batch& batch, double memory) {
  const auto objects = static_cast<std::size_t>(batch.objects()), width = static_cast<std::size_t>(batch.features);
  const std::span<const double> times(batch.observation_times);
  std::vector<std::size_t> first(objects);
  bool all = true;
  for (std::size_t i = 0; i < objects; ++i) {
    const auto begin = static_cast<std::size_t>(batch.observation_offsets[i]),
               end = static_cast<std::size_t>(batch.observation_offsets[i + 1]);
    first[i] = begin;
    if (begin == end) continue;
    const bool left = outlasts(-times[end - 1], memory);
    first[i] = left ? end : begin + first_counting_row(times.subspan(begin, end - begin), memory);
    all = all && first[i] == begin;
  }
  if (all) return {};
  data::Batch out = batch;
  out.observation_offsets = {0};
  out.observation_times.clear(), out.observation_rows.clear();
  out.observation_values.clear(), out.observation_mask.clear();
  for (std::size_t i = 0; i < objects; ++i) {
    const auto end = static_cast<std::size_t>(batch.observation_offsets[i + 1]);
    const auto copy = [&](const auto& from, auto& to, std::size_t each) {
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first[i] * each),
                from.begin() + static_cast<std::ptrdiff_t>(end * each));
    };
    copy(batch.observation_times, out.observation_times, 1);
    copy(batch.observation_rows, out.observation_rows, 1);
    copy(batch.observation_values, out.observation_values, width);
    copy(batch.observation_mask, out.observation_mask, width);
    out.observation_offsets.push_back(out.observations());
  }
  return out;
}

}  // namespace lgode::model
