// Where the objects of a batch are when a forecast starts, in which frame each of them sees the others, and what it
// has seen itself: the inputs of `model` frames, on the host and in float64. No tensors here.
//
// Units: positions in lengths, times in taus, velocities in lengths per tau (FramesShape), unless a name says
// otherwise. Shapes: N objects, P pairs, T targets, D features, F inputs, S slots, d position features.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/options.h"
#include "lgode/model/shape.h"

namespace lgode::model {

using Vec = std::array<double, 3>;  // the third is 0 in a plane

// The column of the velocity of each position, or -1. Columns of the other features: neither positions nor their
// velocities nor derived ones.
struct FramesColumns {
  explicit FramesColumns(const FramesShape& shape);
  std::vector<std::int64_t> positions, velocities, others;
  bool measures_velocity() const;  // of every position
};

// What determines the first axis of an object's frame.
enum class Heading : std::uint8_t {
  kNone,          // nothing: the object has no frame, and the base path is its forecast
  kVelocity,      // the estimated velocity
  kDisplacement,  // it stands: the last displacement
  kNeighbours,    // it never moved: where its neighbours are
};

// Values at ascending model times, between which they are linear.
class Track {
 public:
  void add(double time, const Vec& value) { time_.push_back(time), value_.push_back(value); }
  bool empty() const { return time_.empty(); }
  std::size_t size() const { return time_.size(); }
  double last_time() const { return time_.back(); }
  const Vec& operator[](std::size_t k) const { return value_[k]; }
  // Value and slope (per model time) at a time; neither before the first nor after the last value. The slope at a
  // value is that of the line before it.
  struct Point {
    bool known = false, sloped = false;
    Vec value{}, slope{};
  };
  Point at(double time) const;

 private:
  std::vector<double> time_;
  std::vector<Vec> value_;
};

// An object at the start of the forecast.
struct FramesStart {
  Track places, velocities;      // rows with all positions, or with all velocities, since the object entered
  std::vector<Track> others;     // by other feature; normalised
  bool present = false;          // its last position is within the memory
  double age = 0;                // since that
  Vec place{}, base_velocity{};  // of the base path
  Vec velocity{};                // as a Kalman filter estimates it
  Heading heading = Heading::kNone;
  double c = 0, s = 0;  // cosine and sine of the first axis; 0 without a frame

  bool has_frame() const { return heading != Heading::kNone; }
  // A vector in the own frame; 0 without a frame.
  Vec in_frame(const Vec& v) const { return {c * v[0] + s * v[1], c * v[1] - s * v[0], has_frame() ? v[2] : 0.0}; }
};

// Ordered pairs by receiver, [P]; receivers without a frame have none.
struct FramesPairs {
  std::vector<std::int64_t> offsets{0};  // [N+1]
  std::vector<std::int64_t> sources;
  std::vector<double> weights;  // [P, types] sum of the weights of the pair's relations of each type; empty: unused
};

class FramesGeometry {
 public:
  FramesGeometry(const ModelShape& shape, Neighbours neighbours, const data::Batch& batch);

  const FramesColumns& columns() const { return columns_; }
  const std::vector<FramesStart>& starts() const { return starts_; }
  const FramesPairs& pairs() const { return pairs_; }
  double distance(std::int64_t a, std::int64_t b) const;  // in pair lengths

  bool is_listed(std::int64_t pair) const;  // a listed relation, not a rule's

  // The inputs of one object, and of one pair (receiver, number of the pair), appended. Their second components of
  // vectors change sign in the mirror image: history_signs() and pair_signs().
  void append_history(std::int64_t object, std::vector<double>& to) const;
  void append_pair(std::int64_t receiver, std::int64_t pair, std::vector<double>& to) const;

  // [F] 1, and -1 where the mirror image has the opposite sign.
  static std::vector<double> history_signs(const FramesShape& shape);
  static std::vector<double> pair_signs(const ModelShape& shape);
  static std::vector<double> vector_signs(const FramesShape& shape);  // of one vector [d]

 private:
  void see(std::int64_t object, FramesStart& start) const;
  void estimate();
  void turn();
  std::vector<std::int64_t> sources_of(std::int64_t receiver) const;
  void find_pairs();
  Vec place_of(std::int64_t row) const;
  void append_place(std::int64_t object, std::vector<double>& to) const;
  std::int64_t system_begin(std::int64_t object) const { return begin_[static_cast<std::size_t>(object)]; }
  std::int64_t system_end(std::int64_t object) const { return end_[static_cast<std::size_t>(object)]; }

  const ModelShape& model_;
  const FramesShape& shape_;
  const Neighbours neighbours_;
  const data::Batch& batch_;
  FramesColumns columns_;
  std::vector<std::int64_t> begin_, end_;  // [N] objects of the object's system
  std::vector<std::int64_t> system_;       // [N] the object's system
  std::vector<FramesStart> starts_;
  FramesPairs pairs_;
};

// At most as fast as any input is.
Vec fastest(const Vec& velocity);

// The base path at the targets, [T, D] normalised.
std::vector<float> frames_base(const FramesShape& shape, const data::Batch& batch);
// The places of all objects on the base path at the begin of each step and at the end of the last one, in lengths.
// [steps + 1, N, d]
std::vector<double> frames_base_places(const FramesShape& shape, const data::Batch& batch, std::int64_t steps);

}  // namespace lgode::model
