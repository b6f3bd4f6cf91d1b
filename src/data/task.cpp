// The task's options, the split of a data set into parts, and defaults that follow from the data.
#include "lgode/data/task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "lgode/core/median.h"
#include "lgode/core/options.h"
#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"

namespace lgode::data {

void declare(OptionSet& o, TaskOptions& t) {
  o.group("Task");
  o.add_choice("task", &t.task, {{"interpolate", Task::kInterpolate}, {"extrapolate", Task::kExtrapolate}},
               "fill the gaps of a range, or forecast what follows");
  o.add("observed", &t.observed, {0.0, 1.0, true}, "share of each object's observations that the encoder sees");
  o.add_choice("protocol", &t.protocol, {{"clean", Protocol::kClean}, {"paper", Protocol::kPaper}},
               "clean: scale and select without the test part; paper: scale on both parts, select by test error");
  o.add_choice("context", &t.context, {{"matched", Context::kMatched}, {"all", Context::kAll}},
               "extrapolation, test part: the encoder sees as long a span as in training, or the whole range");
  o.add_choice("start", &t.start, {{"middle", Start::kMiddle}, {"random", Start::kRandom}},
               "start of extrapolation in training: the middle of the range, or random per batch");
  o.add("start_low", &t.start_low, {0.0, 1.0, true}, "start=random: earliest start, as a share of the range");
  o.add("start_high", &t.start_high, {0.0, 1.0, true}, "start=random: latest start, as a share of the range");
  o.add_choice("resample", &t.resample, {{"epoch", Resample::kEpoch}, {"fixed", Resample::kFixed}},
               "draw the seen observations in training once per epoch, or only once");
  o.add("validation", &t.validation, {0.0, 0.9}, "share of the training systems held out to select the best epoch");
  o.add_choice("centre", &t.centre, {{"auto", Centre::kAuto}, {"none", Centre::kNone}, {"system", Centre::kSystem}},
               "positions as they are, or relative to the mean of those shown of the system; auto: whichever has the "
               "lower validation error after a short trial");
  o.add_choice(
      "unseen", &t.unseen, {{"leave-out", Unseen::kLeaveOut}, {"predict", Unseen::kPredict}},
      "objects of which the encoder sees nothing: left out of model, loss and error, or predicted from others");
  o.add("hide_values", &t.hide_values, {0.0, 0.9},
        "share of the shown values hidden at random in training, so that the model learns to do without; auto: 0.1 if "
        "the "
        "training part lacks values, else 0");
  o.add("seed", &t.seed, "seed of all random numbers");
}

namespace {

constexpr std::size_t kWholeRecordings = 5;  // so many or more: whole recordings are held out

// Number of `count` systems to hold out: at least one and never all.
std::int64_t held_out(std::int64_t count, double share) {
  if (count < 2 || share <= 0) return 0;
  return std::clamp<std::int64_t>(std::llround(share * static_cast<double>(count)), 1, count - 1);
}

// The training windows of one recording, by their origins.
using Windows = std::vector<std::int64_t>;

// Recordings in the order of their first windows.
std::vector<Windows> windows_by_recording(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  std::vector<Windows> recordings;
  std::map<std::string_view, std::size_t> places;
  for (const std::int64_t s : systems) {
    const std::string& name = dataset.description().recordings[static_cast<std::size_t>(s)];
    const auto [found, fresh] = places.try_emplace(name, recordings.size());
    if (fresh) recordings.emplace_back();
    recordings[found->second].push_back(s);
  }
  for (Windows& windows : recordings)
    std::stable_sort(windows.begin(), windows.end(),
                     [&](std::int64_t a, std::int64_t b) { return dataset.origin(a) < dataset.origin(b); });
  return recordings;
}

// Holds out whole recordings in random order; their windows come as near to the share as possible.
void hold_out_recordings(const std::vector<Windows>& recordings, std::int64_t count, const TaskOptions& task,
                         Parts& parts) {
  const std::vector<std::int64_t> order =
      Random(task.seed, RandomUse::kSplit).permutation(static_cast<std::int64_t>(recordings.size()));
  const double wanted = task.validation * static_cast<double>(count);
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t held = 0, sum = 0;
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    sum += recordings[order[k]].size();
    const double distance = std::abs(static_cast<double>(sum) - wanted);
    if (distance < nearest) nearest = distance, held = k + 1;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::vector<std::int64_t>& to = k < held ? parts.validation : parts.train;
    to.insert(to.end(), recordings[order[k]].begin(), recordings[order[k]].end());
  }
}

// Number of last windows of each recording to hold out; at least one in all.
std::vector<std::int64_t> held_at_the_end(const std::vector<Windows>& recordings, double share) {
  std::vector<std::int64_t> held;
  std::size_t longest = 0;
  for (const Windows& windows : recordings) {
    const auto count = static_cast<std::int64_t>(windows.size());
    held.push_back(std::min<std::int64_t>(std::llround(share * static_cast<double>(count)), count - 1));
    if (windows.size() > recordings[longest].size()) longest = held.size() - 1;
  }
  if (!held.empty() && std::all_of(held.begin(), held.end(), [](std::int64_t n) { return n == 0; }))
    held[longest] = held_out(static_cast<std::int64_t>(recordings[longest].size()), share);
  return held;
}

// Holds out the last windows of each recording. Training windows that end less than `gap` before them are in no part.
Parts split_in_time(const Dataset& dataset, const std::vector<Windows>& recordings, double share, double gap) {
  const double length = dataset.description().conditioning_length, rounding = 1e-9 * length;
  const std::vector<std::int64_t> held = held_at_the_end(recordings, share);
  Parts parts;
  for (std::size_t r = 0; r < recordings.size(); ++r) {
    const Windows& windows = recordings[r];
    const std::size_t first = windows.size() - static_cast<std::size_t>(held[r]);
    for (std::size_t k = 0; k < windows.size(); ++k) {
      const bool near = k < first && first < windows.size() &&
                        dataset.origin(windows[k]) + length > dataset.origin(windows[first]) - gap + rounding;
      (k >= first ? parts.validation : near ? parts.between : parts.train).push_back(windows[k]);
    }
  }
  return parts;
}

// Divides the training windows `all`; windows of one recording that overlap are never on both sides.
void hold_out_windows(const Dataset& dataset, const TaskOptions& task, const std::vector<std::int64_t>& all,
                      Parts& parts) {
  const std::vector<Windows> recordings = windows_by_recording(dataset, all);
  if (recordings.size() >= kWholeRecordings) {
    hold_out_recordings(recordings, static_cast<std::int64_t>(all.size()), task, parts);
  } else {
    for (const double gap : {dataset.description().conditioning_length, 0.0}) {
      Parts split = split_in_time(dataset, recordings, task.validation, gap);
      split.test = std::move(parts.test);
      parts = std::move(split);
      if (!parts.train.empty()) break;
    }
    if (parts.train.empty()) parts.train = all, parts.validation.clear(), parts.between.clear();
  }
  for (std::vector<std::int64_t>* part : {&parts.train, &parts.validation, &parts.between})
    std::sort(part->begin(), part->end());
}

}  // namespace

Parts split_parts(const BatchMaker& maker) {
  std::vector<std::int64_t> usable = maker.dataset().systems_in(Part::kTrain);
  std::erase_if(usable, [&](std::int64_t s) { return maker.use_of(s) != Use::kUsable; });
  return split_parts(maker.dataset(), maker.task(), std::move(usable));
}

Parts split_parts(const Dataset& dataset, const TaskOptions& task) {
  return split_parts(dataset, task, dataset.systems_in(Part::kTrain));
}

Parts split_parts(const Dataset& dataset, const TaskOptions& task, std::vector<std::int64_t> all) {
  Parts parts;
  parts.test = dataset.systems_in(Part::kTest);
  if (task.protocol == Protocol::kPaper) {
    parts.train = std::move(all);
    parts.validation = parts.test;
    return parts;
  }
  if (!dataset.description().recordings.empty() && task.validation > 0) {
    hold_out_windows(dataset, task, all, parts);
    return parts;
  }
  const auto count = static_cast<std::int64_t>(all.size());
  std::vector<bool> out(all.size(), false);
  for (std::int64_t i : Random(task.seed, RandomUse::kSplit).choose(count, held_out(count, task.validation)))
    out[i] = true;
  for (std::size_t i = 0; i < all.size(); ++i) (out[i] ? parts.validation : parts.train).push_back(all[i]);
  return parts;
}

std::vector<std::int64_t> normalisation_systems(const Dataset& dataset, const TaskOptions& task) {
  std::vector<std::int64_t> systems = dataset.systems_in(Part::kTrain);
  if (task.protocol == Protocol::kPaper) {
    const std::vector<std::int64_t> test = dataset.systems_in(Part::kTest);
    systems.insert(systems.end(), test.begin(), test.end());
  }
  return systems;
}

double typical_gap(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  constexpr std::size_t kSample = 100'000;
  std::vector<double> gaps;
  for (const std::int64_t s : systems) {
    for (std::int64_t i = dataset.first_object(s); i < dataset.first_object(s) + dataset.objects_of(s); ++i) {
      const std::span<const double> times = dataset.times_of(i);
      double last = std::numeric_limits<double>::quiet_NaN();
      for (std::size_t k = 0; k < times.size(); ++k) {
        if (dataset.is_empty(i, static_cast<std::int64_t>(k))) continue;
        if (!std::isnan(last)) gaps.push_back(times[k] - last);
        last = times[k];
      }
    }
    if (gaps.size() > kSample) break;
  }
  return gaps.empty() ? 0.0 : median(std::move(gaps));
}

double hidden_share(const Dataset& dataset, const TaskOptions& task) {
  constexpr double kDefault = 0.1;
  return task.hide_values.value_or(has_missing(dataset, Part::kTrain) ? kDefault : 0.0);
}

double default_window(const Dataset& dataset, double observed) {
  // Eq. 11: w = (Tmax - Kmin * share) / Tmax
  const auto longest = static_cast<double>(dataset.description().max_length);
  const auto shortest = static_cast<double>(dataset.description().min_length);
  return longest > 0 ? std::max(0.0, (longest - shortest * observed) / longest) : 1.0;
}

double default_grid_step(const Dataset& dataset) {
  constexpr std::size_t kSystems = 100;
  constexpr double kLeast = 0.01, kMargin = 1e-6;
  std::vector<std::int64_t> systems = dataset.systems_in(Part::kTrain);
  if (systems.size() > kSystems) systems.resize(kSystems);
  double smallest = 1.0;
  std::vector<double> times;
  for (std::int64_t s : systems) {
    times.clear();
    for (std::int64_t i = 0; i < dataset.objects_of(s); ++i) {
      const std::span<const double> own = dataset.times_of(dataset.first_object(s) + i);
      times.insert(times.end(), own.begin(), own.end());
    }
    std::sort(times.begin(), times.end());
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double gap = (times[k] - times[k - 1]) / dataset.description().time_scale;
      if (gap > kMargin) smallest = std::min(smallest, gap);
    }
  }
  return std::max(smallest, kLeast);
}

}  // namespace lgode::data
