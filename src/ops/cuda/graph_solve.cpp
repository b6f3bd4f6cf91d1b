// The weights on their way into the kernels, and the kernels' view of tiles and rule.
#include "ops/cuda/graph_solve.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

#include "ops/graph_weights.h"

namespace lgode::ops::cuda {
namespace {

void describe(GraphModel& m, const Solve& s) {
  const GraphLayout& l = *s.layout;
  m.zp = static_cast<int>(s.size.zp()), m.hp = static_cast<int>(s.size.hp()), m.lists = static_cast<int>(s.size.lists);
  m.biases = 3 * m.lists * m.hp + 2 * m.hp + m.zp;
  m.w1 = static_cast<int>(l.w1), m.b1 = static_cast<int>(l.b1);
  for (int r = 0; r < m.lists; ++r) m.w2[r] = static_cast<int>(l.w2[r]), m.b2[r] = static_cast<int>(l.b2[r]);
  m.o1 = static_cast<int>(l.o1), m.c1 = static_cast<int>(l.c1), m.o2 = static_cast<int>(l.o2);
  m.c2 = static_cast<int>(l.c2), m.o3 = static_cast<int>(l.o3), m.c3 = static_cast<int>(l.c3);
  m.flat = s.flat.data_ptr<float>();
}

at::Tensor make_scratch(const Solve& s, const GraphModel& model) {
  return at::empty({s.tiles->tiles * graph_memory(model, s.tiles->tile_rows).scratch},
                   s.flat.options().dtype(at::kByte));
}

// The weights as fragments of a model's factors, where a backward can follow also transposed.
void pack(const Solve& s, GraphModel& model, at::Tensor& fragments, at::Tensor* transposed) {
  describe(model, s);
  fragments = at::empty({s.layout->total * fragment_bytes(model.factors)}, s.flat.options().dtype(at::kByte));
  if (transposed != nullptr) *transposed = at::empty_like(fragments);
  model.fragments = fragments.data_ptr(), model.transposed = transposed != nullptr ? transposed->data_ptr() : nullptr;
  std::vector<PackedMatrix> matrices;
  for (const GraphLayout::Matrix& m : s.layout->matrices)
    matrices.push_back({static_cast<int>(m.at), static_cast<int>(m.inputs), static_cast<int>(m.outputs)});
  C10_CUDA_CHECK(pack_fragments(model, matrices.data(), static_cast<int>(matrices.size()), fragments.data_ptr(),
                                transposed != nullptr ? transposed->data_ptr() : nullptr,
                                at::cuda::getCurrentCUDAStream()));
}

// As flatten_weights(), in one launch.
at::Tensor gather(const Solve& s, const std::vector<at::Tensor>& weights) {
  std::vector<at::Tensor> own;
  for (const at::Tensor& w : weights) own.push_back(w.contiguous());
  std::vector<WeightPlace> places;
  for (const MatrixPlace& p : matrix_places(s.size, *s.layout)) {
    const at::Tensor& w = own[p.tensor];
    places.push_back({w.data_ptr<float>() + p.column, static_cast<int>(w.size(1)), static_cast<int>(p.inputs),
                      static_cast<int>(w.size(0)), static_cast<int>(p.offset + p.row * p.outputs + p.out_column),
                      static_cast<int>(p.outputs)});
  }
  for (const auto& [tensor, offset] : bias_places(s.size, *s.layout))
    places.push_back(
        {own[tensor].data_ptr<float>(), 1, 1, static_cast<int>(own[tensor].numel()), static_cast<int>(offset), 0});
  const at::Tensor flat = at::zeros({s.layout->total}, own[0].options().requires_grad(false));
  C10_CUDA_CHECK(gather_weights(places.data(), static_cast<int>(places.size()), flat.data_ptr<float>(),
                                at::cuda::getCurrentCUDAStream()));
  return flat;
}

}  // namespace

Factors factors_of(Precision precision) {
  switch (precision) {
    case Precision::kTf32:
      return Factors::kTf32;
    case Precision::kFloat32:
      return Factors::kFloat32;
    default:
      return Factors::kBf16;
  }
}

void Solve::make_room(std::int64_t first, std::int64_t evaluations, const at::TensorOptions& options) {
  const at::TensorOptions factor = options.dtype(dtype()).requires_grad(false);
  const std::int64_t rows = tiles->rows, hp = size.hp();
  zs = at::empty({evaluations, rows, wide()}, factor);
  a1 = at::empty({evaluations, rows, hp}, factor);
  a2 = at::empty({evaluations, rows, hp}, factor);
  uv = at::empty({evaluations, rows, uvp()}, is_bf16() ? factor.dtype(at::kHalf) : factor);
  signs = at::empty({evaluations, tiles->chunks, 2 * hp}, factor.dtype(at::kInt));
  kept = {static_cast<int>(first), zs.data_ptr(), a1.data_ptr(),
          a2.data_ptr(),           uv.data_ptr(), reinterpret_cast<std::uint32_t*>(signs.data_ptr())};
}

void describe(Solve& s, const ode::Tableau& rule) {
  const GraphTiles& t = *s.tiles;
  GraphWork& w = s.work;
  w.tiles = static_cast<int>(t.tiles), w.rows = static_cast<int>(t.rows), w.chunks = static_cast<int>(t.chunks);
  w.stages = rule.stages();
  w.row_begin = t.row_begin.data_ptr<int>(), w.chunk_begin = t.chunk_begin.data_ptr<int>();
  w.count = t.count.data_ptr<int>();
  w.target = t.target.data_ptr<std::uint8_t>(), w.source = t.source.data_ptr<std::uint8_t>();
  w.weight = t.weight.data_ptr<float>();
  w.step = t.step.data_ptr<float>();
  w.steps = static_cast<int>(t.steps);
  w.alternating = t.alternating;
  w.precise = static_cast<int>(s.size.extra);
  if (s.keep.defined()) {
    w.jump = t.jump.data_ptr<int>();
    w.keep = s.keep.data_ptr<float>(), w.add = s.add.data_ptr<float>();
  }
  if (t.present.defined()) w.present = t.present.data_ptr<std::uint8_t>();
  if (t.read.defined()) w.read = t.read.data_ptr<std::uint8_t>();
  for (const Tie& tie : t.ties)
    w.tie[w.ties++] = {static_cast<int>(tie.position), static_cast<int>(tie.velocity), static_cast<float>(tie.factor),
                       tie.remainder};
  s.scratch = make_scratch(s, s.model);
  w.scratch = reinterpret_cast<char*>(s.scratch.data_ptr());
  for (int i = 0; i < w.stages; ++i) {
    w.b[i] = static_cast<float>(rule.b[i]);
    for (std::size_t j = 0; j < rule.a[i].size(); ++j) w.a[i][j] = static_cast<float>(rule.a[i][j]);
  }
}

void pack(Solve& s, const std::vector<at::Tensor>& weights) {
  s.flat = gather(s, weights);
  // Rests of the first columns have the weights of these columns.
  const auto repeat = [&](std::int64_t at, std::int64_t outputs) {
    s.flat.narrow(0, at + s.size.z * outputs, s.size.extra * outputs)
        .copy_(s.flat.narrow(0, at, s.size.extra * outputs));
  };
  repeat(s.layout->w1, s.uvp()), repeat(s.layout->o1, s.size.hp());
  pack(s, s.model, s.fragments, s.differentiated ? &s.transposed : nullptr);
  if (s.failed.defined()) {
    pack(s, s.first_model, s.first_fragments, nullptr);
    s.first_scratch = make_scratch(s, s.first_model);
  }
}

}  // namespace lgode::ops::cuda
