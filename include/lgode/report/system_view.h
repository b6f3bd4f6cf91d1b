// What a report shows of one system: its observations, the context, the predicted path with its band,
// and the relations. Filled by the command; no LibTorch here.
//
// Shapes: O objects, K predicted times, D features, M observations of an object, J futures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::report {

struct ObjectView {
  std::string id;
  double mse = 0;                   // normalised; NaN: it has no targets
  std::vector<double> times;        // [M] physical
  std::vector<double> values;       // [M, D] original units; NaN: missing
  std::vector<std::uint8_t> seen;   // [M] 1: the model sees it
  std::vector<std::uint8_t> asked;  // [M] 1: a target of the evaluation
};

// The most probable futures of the objects, beside the mean path. None of a run that predicts one path.
struct FuturesView {
  std::int64_t count = 0;           // J, of each object
  std::int64_t total = 0;           // that the run predicts
  std::vector<double> values;       // [O, J, K, D] original units; NaN: not predicted
  std::vector<double> probability;  // [O, J] falling; NaN: not predicted
};

// How strongly a future is drawn: by its probability next to that of the object's most probable one, but always
// visible. 0 of a future that is not predicted.
double future_opacity(double probability, double most);

struct SystemView {
  std::int64_t system = 0;  // index in the data set
  std::string id;
  std::string part;                // "test", "validation" or "train"
  std::string rank;                // "best", "median", "worst", or empty
  std::int64_t place = 0, of = 0;  // its rank by error among `of` systems, from 1
  double mse = 0;                  // normalised; NaN: unknown
  // The mean over objects of the smallest final distance of any future of the run from the truth, in the unit of the
  // positions; NaN without futures or positions.
  double surprise = std::numeric_limits<double>::quiet_NaN();
  bool forecast = false;                 // the path starts where the observations end
  double begin = 0, start = 0, end = 0;  // physical: first shown time, start of the path, last time
  std::vector<ObjectView> objects;       // [O]
  std::vector<double> times;             // [K] physical
  std::vector<double> mean, low, high;   // [O, K, D] original units; NaN: not predicted
  FuturesView futures;
  std::vector<data::Relation> relations;
  std::int64_t relations_total = 0;  // of the system; more than `relations` if some are omitted
  std::int64_t objects_total = 0;

  std::int64_t features() const {
    const std::size_t cells = objects.size() * times.size();
    return cells == 0 ? 0 : static_cast<std::int64_t>(mean.size() / cells);
  }
};

// The same system with fewer objects (evenly spaced, at most `most`); relations to absent ones are dropped.
SystemView with_fewer_objects(const SystemView& view, std::int64_t most);
// The same system with at most `most` relations, evenly spaced among them.
SystemView with_fewer_relations(const SystemView& view, std::int64_t most);

// The same system with at most `most` futures of each object, the most probable ones.
SystemView with_fewer_futures(const SystemView& view, std::int64_t most);

// Futures of a page have every n-th time of the path: the largest n that divides the path's intervals and leaves at
// least 30 of them, or 1.
std::size_t futures_stride(std::size_t times);

// As the page reads it (docs/report-format.md): numbers in 16 bits between the smallest and the largest of each
// feature, base64. `features`: those that are shown.
nlohmann::ordered_json system_json(const SystemView& view, const std::vector<int>& features);

// Places to show, ascending: spread_places(), of which a quarter gives way to the most surprising ones. `surprises`: by
// place; NaN where it is not known, and then of no place.
std::vector<std::int64_t> shown_places(const std::vector<double>& surprises, std::int64_t wanted);

// Places among `count` systems in the order of their errors: the best, the median, the worst, and evenly spaced ones
// between, `wanted` in total. Ascending.
std::vector<std::int64_t> spread_places(std::int64_t count, std::int64_t wanted);
// "best", "median", "worst" or nothing.
std::string rank_of(std::int64_t place, std::int64_t count);

}  // namespace lgode::report
