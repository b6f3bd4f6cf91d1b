// Lays the geometry of a batch out as tensors, and its targets over the steps of the dynamics.
#include "model/frames/plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lgode/model/assimilate/timeline.h"
#include "lgode/model/frames/rows.h"

namespace lgode::model {
namespace {

class Planner {
 public:
  Planner(const ModelShape& shape, const ModelOptions& model, const data::Batch& batch, at::ScalarType dtype,
          ops::Upload& upload)
      : shape_(*shape.frames),
        model_(shape),
        batch_(batch),
        geometry_(shape, model.neighbours, batch),
        moving_(model.neighbours == Neighbours::kMoving),
        dtype_(dtype),
        upload_(upload),
        axes_(static_cast<std::int64_t>(shape_.positions.size())),
        others_(static_cast<std::int64_t>(geometry_.columns().others.size())) {}

  std::shared_ptr<FramesRollout> make() {
    out_->base = tensor(frames_base(shape_, batch_), {batch_.targets(), batch_.features});
    place_objects();
    place_pairs();
    place_targets();
    place_features();
    if (moving_) place_moving();
    return out_;
  }

 private:
  template <class T>
  at::Tensor host(const std::vector<T>& values, at::IntArrayRef sizes) const {
    return at::tensor(values, at::TensorOptions(c10::CppTypeToScalarType<T>::value)).view(sizes).to(dtype_);
  }
  template <class T>
  at::Tensor tensor(const std::vector<T>& values, at::IntArrayRef sizes) const {
    return upload_(host(values, sizes));
  }
  // Rows of `width` numbers with their mirror images.   [rows, 2, width]
  at::Tensor mirrored(const std::vector<double>& values, const std::vector<double>& signs) const {
    const auto width = static_cast<std::int64_t>(signs.size());
    const at::Tensor rows = host(values, {static_cast<std::int64_t>(values.size()) / width, width});
    return upload_(at::stack({rows, rows * host(signs, {width})}, 1));
  }

  void place_objects() {
    std::vector<double> history, velocity, base_velocity;
    for (std::int64_t i = 0; i < batch_.objects(); ++i) {
      geometry_.append_history(i, history);
      const FramesStart& start = geometry_.starts()[static_cast<std::size_t>(i)];
      const Vec own = start.in_frame(fastest(start.velocity)), base = start.in_frame(fastest(start.base_velocity));
      velocity.insert(velocity.end(), own.begin(), own.begin() + axes_);
      base_velocity.insert(base_velocity.end(), base.begin(), base.begin() + axes_);
    }
    const std::vector<double> vector = FramesGeometry::vector_signs(shape_);
    out_->history = mirrored(history, FramesGeometry::history_signs(shape_));
    out_->velocity = mirrored(velocity, vector), out_->base_velocity = mirrored(base_velocity, vector);
  }

  void place_pairs() {
    const FramesPairs& pairs = geometry_.pairs();
    std::vector<double> inputs, distance;
    for (std::int64_t i = 0; i < batch_.objects(); ++i)
      for (std::int64_t p = pairs.offsets[i]; p < pairs.offsets[i + 1]; ++p) {
        geometry_.append_pair(i, p, inputs);
        distance.push_back(geometry_.is_listed(p) ? 0.0 : geometry_.distance(i, pairs.sources[p]));
      }
    const auto count = static_cast<std::int64_t>(pairs.sources.size());
    out_->sources = ops::gather_index(
        count, batch_.objects(), [&](std::int64_t* to) { std::copy(pairs.sources.begin(), pairs.sources.end(), to); },
        upload_);
    out_->offsets = upload_(pairs.offsets);
    out_->pair_inputs = mirrored(inputs, FramesGeometry::pair_signs(model_));
    out_->distance = tensor(distance, {count, 1, 1});
  }

  // A target is read in the step that it ends or lies in: the last one that its object needs.
  void place_targets() {
    out_->step = shape_.step / shape_.time;
    const std::int64_t targets = batch_.targets();
    std::vector<std::int64_t> step(static_cast<std::size_t>(targets)), object(step.size());
    std::vector<double> since;
    for (std::int64_t i = 0; i < batch_.objects(); ++i)
      for (std::int64_t t = batch_.target_offsets[i]; t < batch_.target_offsets[i + 1]; ++t) {
        const double time = batch_.target_times[t];
        step[t] = std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(time / shape_.step - kSameTime)) - 1, 0);
        object[t] = i;
        since.push_back((time - static_cast<double>(step[t]) * shape_.step) / shape_.time);
        if (static_cast<std::int64_t>(out_->active.size()) <= step[t]) out_->active.resize(step[t] + 1, 0);
        out_->active[step[t]] = i + 1;
      }
    // Everybody moves on where others read off their places.
    if (moving_) std::fill(out_->active.begin(), out_->active.end(), batch_.objects());
    for (std::size_t k = out_->active.size(); k-- > 1;)
      out_->active[k - 1] = std::max(out_->active[k - 1], out_->active[k]);
    std::vector<std::int64_t> first{0};
    for (const std::int64_t n : out_->active) first.push_back(first.back() + n);
    out_->readings = ops::gather_index(
        targets, first.back(),
        [&](std::int64_t* to) {
          for (std::size_t t = 0; t < step.size(); ++t) to[t] = first[step[t]] + object[t];
        },
        upload_);
    out_->since = tensor(since, {targets, 1});
    std::vector<double> one, two, framed;
    for (const std::int64_t i : object) {
      const FramesStart& start = geometry_.starts()[static_cast<std::size_t>(i)];
      const Vec x{start.c, start.s, 0}, y{-start.s, start.c, 0};
      one.insert(one.end(), x.begin(), x.begin() + axes_), two.insert(two.end(), y.begin(), y.begin() + axes_);
      framed.push_back(start.has_frame() ? 1.0 : 0.0);
    }
    out_->back_first = tensor(one, {targets, axes_}), out_->back_second = tensor(two, {targets, axes_});
    out_->framed = tensor(framed, {targets, 1});
  }

  void place_features() {
    const FramesColumns& columns = geometry_.columns();
    const std::int64_t width = batch_.features;
    std::vector<double> signs, to(static_cast<std::size_t>((2 * axes_ + others_) * width), 0.0);
    const std::vector<double> vector = FramesGeometry::vector_signs(shape_);
    for (int repeat = 0; repeat < 3; ++repeat) signs.insert(signs.end(), vector.begin(), vector.end());
    signs.resize(signs.size() + static_cast<std::size_t>(2 * others_), 1.0);
    for (std::int64_t a = 0; a < axes_; ++a) {
      const std::int64_t p = columns.positions[a], v = columns.velocities[a];
      to[a * width + p] = shape_.length / shape_.scale[p];
      if (v >= 0) to[(axes_ + a) * width + v] = shape_.length / (shape_.time * shape_.time_scale * shape_.scale[v]);
    }
    for (std::int64_t r = 0; r < others_; ++r) to[(2 * axes_ + r) * width + columns.others[r]] = 1.0;
    const at::Tensor mirror = host(signs, {static_cast<std::int64_t>(signs.size())});
    out_->signs = upload_(at::stack({at::ones_like(mirror), mirror}) * 0.5);
    out_->to_features = tensor(to, {2 * axes_ + others_, width});
  }

  void place_moving() {
    const auto steps = static_cast<std::int64_t>(out_->active.size());
    const at::Tensor places = at::tensor(frames_base_places(shape_, batch_, steps), at::kDouble)
                                  .view({steps + 1, batch_.objects(), 1, axes_});
    const double per_tau = shape_.time / shape_.step;
    out_->places = upload_(places.slice(0, 0, steps).to(dtype_));
    out_->velocities = upload_(((places.slice(0, 1) - places.slice(0, 0, steps)) * per_tau).to(dtype_));
    std::vector<double> one, two, framed, listed;
    for (const FramesStart& start : geometry_.starts()) {
      const Vec x{start.c, start.s, 0}, y{-start.s, start.c, 0};
      one.insert(one.end(), x.begin(), x.begin() + axes_), two.insert(two.end(), y.begin(), y.begin() + axes_);
      framed.push_back(start.has_frame() ? 1.0 : 0.0);
    }
    out_->first = tensor(one, {batch_.objects(), 1, axes_}), out_->second = tensor(two, {batch_.objects(), 1, axes_});
    out_->framed_objects = tensor(framed, {batch_.objects(), 1, 1});
    const at::Tensor signs = host(FramesGeometry::vector_signs(shape_), {axes_});
    out_->mirror = upload_(at::stack({at::ones_like(signs), signs}));
    const auto pairs = static_cast<std::int64_t>(geometry_.pairs().sources.size());
    for (std::int64_t p = 0; p < pairs; ++p) listed.push_back(geometry_.is_listed(p) ? 0.0 : 1.0);
    out_->listed = tensor(listed, {pairs, 1, 1});
    if (const std::vector<double>& weights = geometry_.pairs().weights; shape_.pairs != FramesShape::Pairs::kNear)
      out_->types = upload_(host(weights, {pairs, 1, model_.relation_types}).expand({pairs, 2, -1}).contiguous());
    out_->pair_length = shape_.pair_length / shape_.length;
  }

  const FramesShape& shape_;
  const ModelShape& model_;
  const data::Batch& batch_;
  const FramesGeometry geometry_;
  bool moving_;
  at::ScalarType dtype_;
  ops::Upload& upload_;
  std::int64_t axes_, others_;
  std::shared_ptr<FramesRollout> out_ = std::make_shared<FramesRollout>();
};

}  // namespace

std::shared_ptr<const FramesRollout> plan_frames(const ModelShape& shape, const ModelOptions& model,
                                                 const data::Batch& batch, const RolloutOptions& options,
                                                 at::ScalarType dtype, ops::Upload& upload) {
  const std::optional<data::Batch> counting = with_counting_rows(batch, shape.memory);
  const auto out = Planner(shape, model, counting ? *counting : batch, dtype, upload).make();
  out->samples = options.samples;
  out->futures = options.futures && model.futures > 1 ? model.futures : 0;
  if (options.read_seen)
    out->seen = upload(at::tensor(batch.observation_values, at::TensorOptions(at::kFloat))
                           .view({batch.observations(), batch.features})
                           .to(dtype));
  return out;
}

}  // namespace lgode::model
