// Runs all our kernels without LibTorch or cuBLAS, so that
//   compute-sanitizer --tool racecheck cuda_kernel_check
// checks nothing else; also for memcheck, initcheck and synccheck. Two runs must give the same bits, and all results
// must be finite. The attention and the encoder's products are compared with plain loops in double.
//   cuda_kernel_check [PART ...]    only these parts, so that several can be checked at once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ops/cuda/attention_kernel.h"
#include "ops/cuda/graph_kernel.h"
#include "ops/cuda/layer_kernel.h"
#include "ops/cuda/row_kernel.h"
#include "ops/cuda/segment_kernel.h"
#include "ops/graph_layout.h"

namespace {

using namespace lgode::ops;
using namespace lgode::ops::cuda;

bool failed = false;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  failed = true;
}

// Zeroed device memory; null for count 0. Freed when the program ends.
template <class T>
T* device(std::size_t count) {
  if (count == 0) return nullptr;
  void* p = nullptr;
  check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(p, 0, count * sizeof(T)), "cudaMemset");
  return static_cast<T*>(p);
}
template <class T>
T* device(const std::vector<T>& values) {
  T* p = device<T>(values.size());
  if (p != nullptr)
    check(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return p;
}

std::vector<float> random_floats(std::size_t count, float scale, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-scale, scale);
  std::vector<float> values(count);
  for (float& v : values) v = uniform(generator);
  return values;
}

// Collects results; checks that floats are finite and that two runs give the same bytes.
class Results {
 public:
  void add(const void* p, std::size_t bytes, bool floats) {
    std::vector<char> host(bytes);
    check(cudaMemcpy(host.data(), p, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (floats)
      for (std::size_t i = 0; i + sizeof(float) <= bytes; i += sizeof(float)) {
        float v;
        std::memcpy(&v, host.data() + i, sizeof(float));
        if (!std::isfinite(v)) std::printf("result %zu is not finite\n", all_.size()), failed = true, i = bytes;
      }
    all_.push_back(std::move(host));
  }
  void expect_same(const Results& other) const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i] != other.all_[i]) std::printf("result %zu differs between two runs\n", i), failed = true;
  }

 private:
  std::vector<std::vector<char>> all_;
};

void expect_close(const float* p, const std::vector<double>& expected, double limit, const char* what) {
  std::vector<float> got(expected.size());
  check(cudaMemcpy(got.data(), p, got.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  double error = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    error += (got[i] - expected[i]) * (got[i] - expected[i]), size += expected[i] * expected[i];
  if (std::sqrt(error) <= limit * std::sqrt(size)) return;  // false for NaN
  std::printf("%s: error %g of %g, expected at most %g\n", what, std::sqrt(error), std::sqrt(size),
              limit * std::sqrt(size));
  failed = true;
}

// The pairs of every tile, all of them, each in one of the lists, in chunks. w has tiles and rows.
void set_pairs(GraphWork& w, int lists, int tile_rows) {
  std::vector<int> row_begin, chunk_begin, count;
  std::vector<std::uint8_t> target, source;
  std::vector<float> weight;
  for (int t = 0; t <= w.tiles; ++t) row_begin.push_back(t < w.tiles ? t * tile_rows : w.rows);
  for (int r = 0; r < lists; ++r) {
    for (int t = 0; t < w.tiles; ++t) {
      chunk_begin.push_back(static_cast<int>(count.size()));
      const int n = row_begin[t + 1] - row_begin[t];
      std::vector<std::pair<int, int>> pairs;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (i != j && (i + j) % lists == r) pairs.emplace_back(i, j);
      for (std::size_t p = 0; p < pairs.size(); p += kChunk) {
        const std::size_t here = std::min<std::size_t>(kChunk, pairs.size() - p), slot = target.size();
        count.push_back(static_cast<int>(here));
        target.resize(slot + kChunk, kNoRow), source.resize(slot + kChunk, kNoRow), weight.resize(slot + kChunk, 0.0F);
        for (std::size_t i = 0; i < here; ++i) {
          target[slot + i] = static_cast<std::uint8_t>(pairs[p + i].first);
          source[slot + i] = static_cast<std::uint8_t>(pairs[p + i].second);
          weight[slot + i] = 0.5F;
        }
      }
    }
    chunk_begin.push_back(static_cast<int>(count.size()));
  }
  w.chunks = static_cast<int>(count.size());
  w.row_begin = device(row_begin), w.chunk_begin = device(chunk_begin), w.count = device(count);
  w.target = device(target), w.source = device(source), w.weight = device(weight);
}

// Random weights, packed.
GraphModel make_model(Factors factors, const GraphSize& size) {
  const GraphLayout layout(size);
  GraphModel m;
  m.factors = factors;
  m.zp = static_cast<int>(size.zp()), m.hp = static_cast<int>(size.hp()), m.lists = static_cast<int>(size.lists);
  m.biases = 3 * m.lists * m.hp + 2 * m.hp + m.zp;
  m.w1 = static_cast<int>(layout.w1), m.b1 = static_cast<int>(layout.b1);
  for (int r = 0; r < m.lists; ++r) m.w2[r] = static_cast<int>(layout.w2[r]), m.b2[r] = static_cast<int>(layout.b2[r]);
  m.o1 = static_cast<int>(layout.o1), m.c1 = static_cast<int>(layout.c1), m.o2 = static_cast<int>(layout.o2);
  m.c2 = static_cast<int>(layout.c2), m.o3 = static_cast<int>(layout.o3), m.c3 = static_cast<int>(layout.c3);
  const auto total = static_cast<std::size_t>(layout.total);
  m.flat = device(random_floats(total, 0.08F, 1));
  void* fragments = device<char>(total * fragment_bytes(factors));
  void* transposed = device<char>(total * fragment_bytes(factors));
  std::vector<PackedMatrix> matrices;
  for (const GraphLayout::Matrix& x : layout.matrices)
    matrices.push_back({static_cast<int>(x.at), static_cast<int>(x.inputs), static_cast<int>(x.outputs)});
  check(pack_fragments(m, matrices.data(), static_cast<int>(matrices.size()), fragments, transposed, nullptr),
        "pack_fragments");
  m.fragments = fragments, m.transposed = transposed;
  return m;
}

// 4 stages (rk4) or 1 (Euler).
void set_steps(GraphWork& w, int steps, int stages) {
  w.stages = stages, w.steps = steps;
  w.step = device(std::vector<float>(static_cast<std::size_t>(steps) * w.rows, 0.1F));
  if (stages == 1) {
    w.b[0] = 1.0F;
    return;
  }
  w.a[1][0] = w.a[2][1] = 0.5F, w.a[3][2] = 1.0F;
  w.b[0] = w.b[3] = 1.0F / 6, w.b[1] = w.b[2] = 1.0F / 3;
}

// Jumps, a tie, absent rows and slopes that are not read. Returns the number of jumps.
std::size_t set_events(GraphWork& w, int z, int zp) {
  std::size_t jumps = 0;
  std::vector<int> jump(static_cast<std::size_t>(w.steps) * w.rows, -1);
  std::vector<std::uint8_t> present(static_cast<std::size_t>(w.steps + 1) * w.rows, 1);
  std::vector<std::uint8_t> read(static_cast<std::size_t>(w.steps) * w.tiles, 1);
  for (int k = 0; k < w.steps; k += 2)
    for (int row = 0; row < w.rows; ++row)
      if ((row + k) % 3 != 0) jump[static_cast<std::size_t>(k) * w.rows + row] = static_cast<int>(jumps++);
  for (std::size_t i = 0; i < present.size(); i += 5) present[i] = 0;
  for (std::size_t i = 0; i < read.size(); i += 3) read[i] = 0;
  w.alternating = true, w.precise = std::min(3, zp - z), w.ties = 1, w.tie[0] = {0, 2, 1.5F, true};
  w.jump = device(jump), w.present = device(present), w.read = device(read);
  w.keep = device(random_floats(jumps * z, 1.0F, 5)), w.add = device(random_floats(jumps * z, 1.0F, 6));
  return jumps;
}

// stages: 4 or 1. assimilate: with set_events().
Results solve(Factors factors, const GraphSize& size, int tiles, int tile_rows, int steps, int stages,
              bool assimilate) {
  const std::size_t bytes = factors == Factors::kBf16 ? 2 : 4;  // of a factor
  const GraphModel m = make_model(factors, size);
  const int z = static_cast<int>(size.z), zp = m.zp, hp = m.hp;
  const int rows = tiles * tile_rows - 1;  // the last tile is short
  GraphWork w;
  w.tiles = tiles, w.rows = rows;
  set_pairs(w, m.lists, tile_rows);
  set_steps(w, steps, stages);
  const std::size_t jumps = assimilate ? set_events(w, z, zp) : 0;
  const int chunks = w.chunks;

  const std::size_t states_size = static_cast<std::size_t>(steps + 1) * rows * z;
  const std::size_t all = static_cast<std::size_t>(w.evaluation(steps)) + 1;
  const std::size_t n = all * rows, slots = all * chunks * kChunk;
  std::vector<float> start = random_floats(states_size, 1.0F, 2);
  auto* states = device(start);
  auto* slopes = device<float>(states_size);
  const std::size_t uvp = static_cast<std::size_t>(m.lists) * 2 * hp;
  const int kernel_rows = tile_rows <= 16 ? 16 : tile_rows <= kSharedRows ? kSharedRows : 64;
  w.scratch = device<char>(static_cast<std::size_t>(tiles) * graph_memory(m, kernel_rows).scratch);
  Results out;
  if (factors == Factors::kHalves) {  // a forward only
    w.failed = device<int>(static_cast<std::size_t>(tiles));
    check(graph_forward(m, w, z, kernel_rows, 0, steps, true, states, slopes, {}, nullptr), "graph_forward");
    check(cudaDeviceSynchronize(), "the solve");
    out.add(states, states_size * sizeof(float), true), out.add(slopes, states_size * sizeof(float), true);
    return out;
  }
  GraphKept kept;
  kept.zs = device<char>(n * (zp + hp) * bytes), kept.a1 = device<char>(n * hp * bytes);
  kept.a2 = device<char>(n * hp * bytes), kept.uv = device<char>(n * uvp * bytes);
  kept.signs = device<std::uint32_t>(all * chunks * hp * 2);
  check(graph_forward(m, w, z, kernel_rows, 0, steps, true, states, slopes, kept, nullptr), "graph_forward");

  GraphGradients g;
  g.g = device<char>(n * zp * bytes), g.d2 = device<char>(n * hp * bytes), g.d1 = device<char>(n * hp * bytes);
  g.duv = device<char>(n * uvp * bytes), g.h = device<char>(slots * hp * bytes);
  g.de = device<char>(slots * hp * bytes);
  const std::size_t biases = static_cast<std::size_t>(tiles) * m.biases;
  g.bias = device<float>(biases), g.lambda = device<float>(static_cast<std::size_t>(rows) * zp);
  g.dkeep = device<float>(jumps * z), g.dadd = device<float>(jumps * z);
  const float* dstates = device(random_floats(states_size, 1.0F, 3));
  const float* dslopes = device(random_floats(states_size, 1.0F, 4));
  check(graph_backward(m, w, z, kernel_rows, 0, steps, true, states, dstates, dslopes, kept, g, nullptr),
        "graph_backward");
  check(cudaDeviceSynchronize(), "the solve");

  out.add(states, states_size * sizeof(float), true), out.add(slopes, states_size * sizeof(float), true);
  out.add(g.lambda, static_cast<std::size_t>(rows) * zp * sizeof(float), true);
  out.add(g.bias, biases * sizeof(float), true);
  for (const float* p : {g.dkeep, g.dadd}) out.add(p, jumps * z * sizeof(float), true);
  for (const auto& [p, size_of_it] : {std::pair{g.g, n * zp},
                                      {g.d2, n * hp},
                                      {g.d1, n * hp},
                                      {g.duv, n * uvp},
                                      {g.h, slots * hp},
                                      {g.de, slots * hp}})
    out.add(p, size_of_it * bytes, false);
  if (assimilate || factors == Factors::kTf32) return out;

  // The continuous adjoint, over the steps taken backwards.
  check(cudaMemset(g.lambda, 0, static_cast<std::size_t>(rows) * zp * sizeof(float)), "cudaMemset");
  check(graph_forward_back(m, w, z, kernel_rows, 0, steps, states, kept, nullptr), "graph_forward_back");
  check(graph_backward(m, w.adjoint(), z, kernel_rows, 0, steps, false, states, dstates, nullptr, kept, g, nullptr),
        "the adjoint's graph_backward");
  check(cudaDeviceSynchronize(), "the adjoint");
  out.add(g.lambda, static_cast<std::size_t>(rows) * zp * sizeof(float), true);
  out.add(g.bias, biases * sizeof(float), true);
  return out;
}

// Readings of two nodes at places: at the first node, between them, at the second. Compares with loops in double.
void read_at_places(int rows, int width, int columns, const float* states, const float* slopes) {
  const auto host = [&](const float* p) {
    std::vector<float> values(static_cast<std::size_t>(2) * rows * width);
    check(cudaMemcpy(values.data(), p, values.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  };
  const std::vector<float> y = host(states), f = host(slopes);
  struct Place {
    std::int32_t at;
    float x, h;
  };
  std::vector<Place> places;
  for (int r = 0; r < rows; ++r)
    for (const float x : {0.0F, 0.3F, 1.0F}) places.push_back({r, x, 0.5F});
  places.push_back({2 * rows - 1, 0.0F, 0.0F});  // at the last node, with none after it
  std::vector<double> expected;
  for (const Place& p : places)
    for (int c = 0; c < columns; ++c) {
      const auto left = static_cast<std::size_t>(p.at) * width + c, right = p.x > 0 ? left + rows * width : left;
      const double x = p.x, u = 1 - x;
      expected.push_back((1 + 2 * x) * u * u * y[left] + x * x * (3 - 2 * x) * y[right] +
                         p.h * (x * u * u * f[left] - x * x * u * f[right]));
    }
  auto* out = device(std::vector<float>(expected.size(), std::nanf("")));
  check(read_places({static_cast<int>(places.size()), rows, width, columns, device(places)}, states, slopes, out,
                    nullptr),
        "read_places");
  check(cudaDeviceSynchronize(), "places");
  expect_close(out, expected, 1e-6, "readings at places");
}

Results rows_of(int rows, int width) {
  const std::size_t count = static_cast<std::size_t>(rows) * width;
  const float *x = device(random_floats(count, 1.0F, 5)), *dy = device(random_floats(count, 1.0F, 6));
  const float *weight = device(random_floats(width, 1.0F, 7)), *bias = device(random_floats(width, 1.0F, 8));
  auto *y = device<float>(count), *dx = device<float>(count), *mean = device<float>(rows), *scale = device<float>(rows);
  const std::size_t parts = static_cast<std::size_t>(norm_blocks(rows)) * 2 * width;
  auto* sums = device<float>(parts);
  check(norm_forward(x, weight, bias, rows, width, y, mean, scale, nullptr), "norm_forward");
  check(norm_backward(x, weight, mean, scale, dy, rows, width, dx, sums, nullptr), "norm_backward");

  // Two nodes; every row is read three times.
  const int readings = 3 * rows;
  std::vector<std::int64_t> index(static_cast<std::size_t>(4) * readings);
  std::vector<int> order, offsets{0};
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < 3; ++k) order.push_back(k * rows + r);
    offsets.push_back(static_cast<int>(order.size()));
  }
  for (int i = 0; i < readings; ++i)
    for (int j = 0; j < 4; ++j) index[static_cast<std::size_t>(j) * readings + i] = (j % 2) * rows + i % rows;
  ReadProblem p;
  p.readings = readings, p.rows = rows, p.dim = width, p.columns = width - 1;
  p.index = device(index), p.weight = device(random_floats(index.size(), 1.0F, 9));
  p.order = device(order), p.row_offsets = device(offsets);
  const float *states = device(random_floats(2 * count, 1.0F, 10)),
              *slopes = device(random_floats(2 * count, 1.0F, 11));
  const std::size_t read = static_cast<std::size_t>(readings) * p.columns;
  auto *out = device<float>(read), *dstates = device<float>(2 * count), *dslopes = device<float>(2 * count);
  check(read_forward(p, states, slopes, out, nullptr), "read_forward");
  check(read_backward(p, out, dstates, dslopes, nullptr), "read_backward");
  check(cudaDeviceSynchronize(), "rows");
  Results all;
  for (const int columns : {width - 1, std::max(width / 4 * 4, 1)})
    read_at_places(rows, width, columns, states, slopes);
  for (const auto& [q, size] :
       {std::pair{y, count}, {dx, count}, {sums, parts}, {out, read}, {dstates, 2 * count}, {dslopes, 2 * count}})
    all.add(q, size * sizeof(float), true);
  return all;
}

// Eqs. 4 and 5 and their gradients with plain loops in double; fields as in attention_kernel.h, on the host.
struct AttentionLoops {
  int heads, stride, wide, narrow;
  double reach_back, reach_ahead;
  const std::vector<double>& times;
  const std::vector<int>&object, &observations, &links, &others;
  const std::vector<float>&weights, &rows, &te, &slope, &dma;
  std::vector<double> ma, lse, drows, dslope;
  double highest = 0;  // the largest |score|

  // edge(s, type, log w) for all sources of t
  template <class Edge>
  void for_sources(int t, const Edge& edge) const {
    auto from = [&](int other, int type, double weight) {
      for (int s = observations[other]; s < observations[other + 1]; ++s)
        if (times[s] - times[t] >= -reach_back && times[s] - times[t] <= reach_ahead) edge(s, type, weight);
    };
    from(object[t], 0, 0);
    for (int n = links[object[t]]; n < links[object[t] + 1]; ++n) from(others[n], 1, weights[n]);
  }

  // hat_s, and which columns the ReLU lets through, decided in float as in the kernel
  void hat_of(int s, int t, std::vector<double>& hat, std::vector<char>& above) const {
    const auto gap = static_cast<float>(times[s] - times[t]);
    const float *e = &te[static_cast<std::size_t>(s) * stride], *f = &te[static_cast<std::size_t>(t) * stride];
    for (int i = 0; i < stride; ++i) {
      const float p = rows[static_cast<std::size_t>(s) * wide + i];
      above[i] = std::fma(slope[i], gap, p) > 0;
      const double turned =
          i % 2 == 0 ? 1.0 * e[i] * f[i + 1] - 1.0 * e[i + 1] * f[i] : 1.0 * e[i] * f[i] + 1.0 * e[i - 1] * f[i - 1];
      hat[i] = (above[i] ? p + 1.0 * slope[i] * gap : 0.0) + turned;
    }
  }

  void run() {
    const std::size_t m = object.size();
    const int groups = 2 * heads;
    ma.assign(m * narrow, 0), lse.assign(m * heads, 0), drows.assign(m * wide, 0), dslope.assign(m * stride, 0);
    std::vector<double> hat(stride);
    std::vector<char> above(stride);
    for (int t = 0; t < static_cast<int>(m); ++t)
      for (int head = 0; object[t] >= 0 && head < heads; ++head) {
        const float *row = &rows[static_cast<std::size_t>(t) * wide], *d = &dma[static_cast<std::size_t>(t) * narrow];
        double *out = &ma[static_cast<std::size_t>(t) * narrow], *dq = &drows[static_cast<std::size_t>(t) * wide];
        auto score = [&](int s, int type, double weight) {
          const int group = 2 * head + type;
          double sum = row[stride * (1 + groups) + group] + weight;
          hat_of(s, t, hat, above);
          for (int i = 0; i < stride; ++i) sum += hat[i] * row[stride * (1 + group) + i];
          highest = std::max(highest, std::abs(sum));
          return sum;
        };
        double top = -1e300, sum = 0, mean = 0;
        for_sources(t, [&](int s, int type, double weight) { top = std::max(top, score(s, type, weight)); });
        for_sources(t, [&](int s, int type, double weight) { sum += std::exp(score(s, type, weight) - top); });
        const double total = lse[static_cast<std::size_t>(t) * heads + head] = top + std::log(sum);
        for_sources(t, [&](int s, int type, double weight) {
          const int group = 2 * head + type;
          const double alpha = std::exp(score(s, type, weight) - total);
          out[stride * groups + group] += alpha, mean += alpha * d[stride * groups + group];
          for (int i = 0; i < stride; ++i)
            out[stride * group + i] += alpha * hat[i], mean += alpha * hat[i] * d[stride * group + i];
        });
        for_sources(t, [&](int s, int type, double weight) {
          const int group = 2 * head + type;
          const double alpha = std::exp(score(s, type, weight) - total);
          double dalpha = d[stride * groups + group];
          for (int i = 0; i < stride; ++i) dalpha += hat[i] * d[stride * group + i];
          const double ds = alpha * (dalpha - mean);
          dq[stride * (1 + groups) + group] += ds;
          for (int i = 0; i < stride; ++i) {
            dq[stride * (1 + group) + i] += ds * hat[i];
            const double dhat = alpha * d[stride * group + i] + ds * row[stride * (1 + group) + i];
            if (!above[i]) continue;
            drows[static_cast<std::size_t>(s) * wide + i] += dhat;
            dslope[static_cast<std::size_t>(s) * stride + i] += dhat * (times[s] - times[t]);
          }
        });
      }
  }
};

struct AttentionCase {
  int objects, most, heads, stride;
  float scale = 0.5F;  // of the rows; large: scores differ by hundreds
  double reach_back = 0.3, reach_ahead = 0.2;
};

// Every object has edges from all others of its system. At most `most` observations per object, none for some objects;
// the last rows are padding.
Results attention(const AttentionCase& c) {
  constexpr int kPadding = 5;
  std::vector<int> object, observations{0}, links{0}, others;
  std::vector<double> times;
  std::vector<float> weights;
  for (int i = 0; i < c.objects; ++i) {
    const int count = i % 7 == 3 ? 0 : 1 + i * 5 % c.most;
    for (int k = 0; k < count; ++k) object.push_back(i), times.push_back((k + 0.1 * (i % 5)) / c.most);
    observations.push_back(static_cast<int>(object.size()));
    for (int j = i / 5 * 5; j < std::min(i / 5 * 5 + 5, c.objects); ++j)
      if (j != i) others.push_back(j), weights.push_back(-0.1F * static_cast<float>((i + j) % 3));
    links.push_back(static_cast<int>(others.size()));
  }
  object.insert(object.end(), kPadding, -1), times.insert(times.end(), kPadding, 0.0);

  const int groups = 2 * c.heads, stride = c.stride;
  AttentionProblem p;
  p.observations = static_cast<int>(object.size()), p.heads = c.heads, p.stride = stride;
  p.narrow = (stride * groups + groups + 15) / 16 * 16, p.wide = stride + p.narrow;
  p.reach_back = c.reach_back, p.reach_ahead = c.reach_ahead;
  const auto m = static_cast<std::size_t>(p.observations);
  const std::vector<float> rows = random_floats(m * p.wide, c.scale, 12), te = random_floats(m * stride, 1.0F, 13);
  const std::vector<float> slope = random_floats(stride, 1.0F, 14), dma = random_floats(m * p.narrow, 1.0F, 15);
  p.times = device(times), p.object = device(object), p.observation_offsets = device(observations);
  p.source_offsets = p.target_offsets = device(links), p.sources = p.targets = device(others);
  p.source_weights = p.target_weights = device(weights);
  p.rows = device(rows), p.te = device(te), p.slope = device(slope);
  // All results are NaN before the kernels run.
  auto unwritten = [](std::size_t count) { return device(std::vector<float>(count, std::nanf(""))); };
  auto *ma = unwritten(m * p.narrow), *lse = unwritten(m * c.heads);
  check(attention_forward(p, ma, lse, nullptr), "attention_forward");

  AttentionGradient g;
  g.ma = ma, g.lse = lse, g.dma = device(dma);
  g.drows = unwritten(m * p.wide), g.dslope = unwritten(m * stride);
  g.turned = device<float>(m * 2 * groups * stride), g.mean = device<float>(m * c.heads);
  check(attention_backward(p, g, nullptr), "attention_backward");
  check(cudaDeviceSynchronize(), "the attention");

  AttentionLoops loops{c.heads, stride, p.wide,  p.narrow, p.reach_back, p.reach_ahead, times, object, observations,
                       links,   others, weights, rows,     te,           slope,         dma,   {},     {},
                       {},      {}};
  loops.run();
  // A score's rounding errors grow with it, and are relative errors of alpha.
  const double limit = 8 * 1.2e-7 * (4 + loops.highest);
  expect_close(ma, loops.ma, limit, "[m | a]"), expect_close(lse, loops.lse, 4 * limit, "lse");
  expect_close(g.drows, loops.drows, 4 * limit, "gradient of rows");
  expect_close(g.dslope, loops.dslope, 4 * limit, "gradient of slope");

  Results all;
  for (const auto& [q, size] :
       {std::pair{ma, m * p.narrow}, {lse, m * c.heads}, {g.drows, m * p.wide}, {g.dslope, m * stride}})
    all.add(q, size * sizeof(float), true);
  return all;
}

// Rows of very different sizes, one of them zero. norm: normalised first; residual: added to.
Results product(int rows, int inputs, int outputs, bool norm, bool residual) {
  const auto in = static_cast<std::size_t>(inputs), out = static_cast<std::size_t>(outputs);
  std::vector<float> x = random_floats(rows * in, 1.0F, 21);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::ldexp(1.0F, static_cast<int>(i / in * 7 % 60) - 30);
  for (std::size_t i = 0; i < in && rows > 3; ++i) x[3 * in + i] = 0;
  const std::vector<float> weight = random_floats(in * out, 0.2F, 22), bias = random_floats(out, 1.0F, 23);
  const std::vector<float> scale = random_floats(in, 1.0F, 24), shift = random_floats(in, 1.0F, 25);
  const std::vector<float> before = random_floats(rows * out, 1.0F, 26);
  RowsProduct p;
  p.rows = rows, p.inputs = inputs, p.outputs = outputs, p.x = device(x), p.weight = device(weight);
  if (norm) p.norm_weight = device(scale), p.norm_bias = device(shift);
  if (residual)
    p.residual = device(before);
  else
    p.bias = device(bias);
  auto* y = device(std::vector<float>(rows * out, std::nanf("")));
  check(rows_product(p, y, nullptr), "rows_product");
  check(cudaDeviceSynchronize(), "the product");
  std::vector<float> got(rows * out);
  check(cudaMemcpy(got.data(), y, got.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (int r = 0; r < rows; ++r) {
    std::vector<double> row(x.begin() + r * in, x.begin() + (r + 1) * in);
    if (norm) {
      double mean = 0, squares = 0;
      for (double v : row) mean += v / inputs;
      for (double v : row) squares += (v - mean) * (v - mean) / inputs;
      for (std::size_t i = 0; i < in; ++i) row[i] = (row[i] - mean) / std::sqrt(squares + 1e-5) * scale[i] + shift[i];
    }
    for (std::size_t c = 0; c < out; ++c) {
      double sum = 0, size = 0;  // size: what rounding errors are relative to
      for (std::size_t i = 0; i < in; ++i) {
        sum += row[i] * weight[i * out + c];
        size += std::fabs(row[i] * weight[i * out + c]);
      }
      double expected = residual ? before[r * out + c] + std::max(sum, 0.0) : sum + bias[c];
      size += residual ? std::fabs(before[r * out + c]) : std::fabs(bias[c]);
      if (!(std::fabs(got[r * out + c] - expected) <= (norm ? 4e-6 : 1e-6) * size)) {
        std::printf("product of %d x %d and %d: row %d, column %zu is %g instead of %g\n", rows, inputs, outputs, r, c,
                    got[r * out + c], expected);
        failed = true;
        c = out, r = rows;
      }
    }
  }
  Results all;
  all.add(y, rows * out * sizeof(float), true);
  return all;
}

// The weights of a layer, folded, and of matrices that are gathered.
Results weights() {
  constexpr int d = 64, wide = 208, narrow = 144;
  const auto w_t = random_floats(d * (d + 1), 1.0F, 41), b_t = random_floats(d, 1.0F, 42);
  const auto w_q = random_floats(d * d, 1.0F, 43), b_q = random_floats(d, 1.0F, 44);
  const auto w_k = random_floats(2 * d * d, 1.0F, 45), b_k = random_floats(2 * d, 1.0F, 46);
  const auto w_v = random_floats(2 * d * d, 1.0F, 47), b_v = random_floats(2 * d, 1.0F, 48);
  FoldedLayer f{device<float>(d * wide), device<float>(wide), device<float>(d), device<float>(narrow * d)};
  check(fold_layer(
            {device(w_t), device(b_t), device(w_q), device(b_q), device(w_k), device(b_k), device(w_v), device(b_v)}, f,
            nullptr),
        "fold_layer");
  std::vector<double> in((d + 1) * wide), out(narrow * d), slope(d);  // the bias is the last row
  for (int i = 0; i <= d; ++i) {
    for (int j = 0; j < d; ++j) in[i * wide + j] = i < d ? w_t[j * (d + 1) + i] : b_t[j];
    for (int y = 0; y < 2; ++y)
      for (int m = 0; m < d; ++m) {
        const double q = (i < d ? w_q[m * d + i] : b_q[m]) / 8.0;
        for (int j = 0; j < d; ++j) in[i * wide + (1 + y) * d + j] += q * w_k[(y * d + m) * d + j];
        in[i * wide + 3 * d + y] += q * b_k[y * d + m];
      }
  }
  for (int y = 0; y < 2; ++y)
    for (int c = 0; c < d; ++c) {
      for (int i = 0; i < d; ++i) out[(y * d + i) * d + c] = w_v[(y * d + c) * d + i];
      out[(2 * d + y) * d + c] = b_v[y * d + c];
    }
  for (int j = 0; j < d; ++j) slope[j] = w_t[j * (d + 1) + d];
  expect_close(f.w_in, std::vector<double>(in.begin(), in.begin() + d * wide), 1e-6, "folded W_in");
  expect_close(f.b_in, std::vector<double>(in.begin() + d * wide, in.end()), 1e-6, "folded b_in");
  expect_close(f.w_out, out, 1e-7, "folded W_out"), expect_close(f.slope, slope, 1e-7, "slope");

  // Columns 3 to 6 of a matrix [11, 9], transposed, and a vector.
  const auto matrix = random_floats(11 * 9, 1.0F, 49), vector = random_floats(5, 1.0F, 50);
  auto* flat = device<float>(200);
  const WeightPlace places[] = {{device(matrix) + 3, 9, 4, 11, 10, 20}, {device(vector), 1, 1, 5, 150, 0}};
  check(gather_weights(places, 2, flat, nullptr), "gather_weights");
  std::vector<double> expected(200);
  for (int i = 0; i < 4; ++i)
    for (int o = 0; o < 11; ++o) expected[10 + i * 20 + o] = matrix[o * 9 + 3 + i];
  for (int o = 0; o < 5; ++o) expected[150 + o] = vector[o];
  expect_close(flat, expected, 0, "gathered weights");

  Results all;
  all.add(f.w_in, d * wide * sizeof(float), true), all.add(f.w_out, narrow * d * sizeof(float), true);
  return all;
}

// Objects of 0, 1, 2, ... observations, and two rows after the last.
Results sequence(int objects, int width) {
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < objects; ++i) offsets.push_back(offsets.back() + i % 11);
  const std::size_t rows = static_cast<std::size_t>(offsets.back()) + 2, count = rows * width;
  const auto few = static_cast<std::size_t>(objects) * width;
  std::vector<double> times(rows);
  for (std::size_t i = 0; i < rows; ++i) times[i] = 0.37 * static_cast<double>(i % 50) - 3;
  const std::vector<float> x = random_floats(count, 1.0F, 31), slope = random_floats(width, 1.0F, 32);
  const std::vector<float> bias = random_floats(width, 1.0F, 33), a = random_floats(few, 0.3F, 34);
  SequenceProblem p;
  p.objects = objects, p.width = width, p.frequency = 200;
  p.offsets = device(offsets), p.times = device(times), p.slope = device(slope), p.bias = device(bias);
  auto *hat = device(x), *mean = device<float>(few), *u = device<float>(few);
  check(sequence_hat(p, hat, mean, nullptr), "sequence_hat");
  check(sequence_gate(p, hat, device(a), u, nullptr), "sequence_gate");
  check(cudaDeviceSynchronize(), "the sequence");
  std::vector<double> means(few), us(few);
  for (int i = 0; i < objects; ++i) {
    const auto n = static_cast<double>(offsets[i + 1] - offsets[i]);
    for (std::int64_t r = offsets[i]; r < offsets[i + 1]; ++r) {
      std::vector<double> row(static_cast<std::size_t>(width));
      double dot = 0;
      for (int c = 0; c < width; ++c) {
        const double angle = times[r] * 200 / std::pow(10000.0, static_cast<double>(c - c % 2) / width);
        row[c] = std::max(x[r * width + c] + slope[c] * times[r] + bias[c], 0.0) +
                 (c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        dot += a[i * width + c] * row[c];
      }
      for (int c = 0; c < width; ++c) {
        means[i * width + c] += row[c] / n;
        us[i * width + c] += row[c] / (1 + std::exp(-dot)) / n;
      }
    }
  }
  expect_close(mean, means, 2e-6, "mean of a sequence"), expect_close(u, us, 4e-6, "summary of a sequence");
  Results all;
  for (const auto& [q, size] : {std::pair{hat, count}, {mean, few}, {u, few}}) all.add(q, size * sizeof(float), true);
  return all;
}

// Runs of 1, 2, ... rows, and two rows after the last run.
Results segments(int runs, int width) {
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < runs; ++i) offsets.push_back(offsets.back() + 1 + i % 9);
  const std::int64_t rows = offsets.back() + 2;
  const std::size_t count = static_cast<std::size_t>(rows) * width, few = static_cast<std::size_t>(runs) * width;
  const std::int64_t* at = device(offsets);
  const float* x = device(random_floats(count, 1.0F, 16));
  auto *sum = device<float>(few), *top = device<float>(few), *wide = device<float>(count), *te = device<float>(count);
  check(segment_sum(x, at, runs, width, sum, nullptr), "segment_sum");
  check(segment_max(x, at, runs, width, top, nullptr), "segment_max");
  check(segment_expand(sum, at, runs, rows, width, wide, nullptr), "segment_expand");
  std::vector<double> times(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = 0.01 * static_cast<double>(i);
  check(time_encoding(device(times), rows, width, 100.0, te, nullptr), "time_encoding");
  std::vector<std::uint32_t> streams;
  for (int i = 0; i < 4 * runs; ++i) streams.push_back(static_cast<std::uint32_t>(2654435761U * i));
  const auto words = static_cast<std::size_t>(offsets.back());
  auto* mask = device<float>(words);
  check(dropout_mask(device(streams), at, runs, 1U << 30, 1.25F, mask, nullptr), "dropout_mask");
  check(cudaDeviceSynchronize(), "segments");

  Results all;
  for (const auto& [q, size] : {std::pair{sum, few}, {top, few}, {wide, count}, {te, count}, {mask, words}})
    all.add(q, size * sizeof(float), true);
  return all;
}

struct SolveCase {
  GraphSize size;
  int tiles, rows, steps = 2, stages = 4;
  bool assimilate = false;
};

void all_solves(Factors factors) {
  // The usual sizes have specialised kernels; tiles of 16, 32 and 64 rows. With one stage, the first stage of a step is
  // also its last; the last node has a slope but no step.
  for (const SolveCase& c :
       {SolveCase{{2, 80, 128}, 3, 10}, SolveCase{{2, 80, 128}, 2, 30}, SolveCase{{3, 5, 11}, 3, 7},
        SolveCase{{1, 20, 32}, 2, 31}, SolveCase{{2, 80, 128}, 2, 10, 2, 1}, SolveCase{{1, 20, 32}, 2, 31, 2, 1},
        SolveCase{{3, 5, 11}, 3, 7, 0, 1}, SolveCase{{2, 28, 128}, 3, 10, 5, 4, true},
        SolveCase{{2, 32, 128}, 2, 30, 4, 4, true}, SolveCase{{1, 20, 32}, 2, 50, 4, 4, true}})
    solve(factors, c.size, c.tiles, c.rows, c.steps, c.stages, c.assimilate)
        .expect_same(solve(factors, c.size, c.tiles, c.rows, c.steps, c.stages, c.assimilate));
}

void all_attentions() {
  for (int heads : {1, 2})
    for (int stride : {64, 128})
      // Usual; one observation; several chunks of sources per object; high scores; targets without most of the sources
      for (const AttentionCase& c :
           {AttentionCase{33, 40, heads, stride}, AttentionCase{1, 1, heads, stride},
            AttentionCase{9, 151, heads, stride, 0.5F, 2.0, 2.0}, AttentionCase{33, 40, heads, stride, 8.0F, 1.0, 1.0},
            AttentionCase{12, 97, heads, stride, 0.5F, 0.0, 0.01}})
        attention(c).expect_same(attention(c));
}

void all_products(int rows) {
  for (bool flag : {false, true}) {
    product(rows, 64, 208, flag, false).expect_same(product(rows, 64, 208, flag, false));
    product(rows, 64, 16, false, flag).expect_same(product(rows, 64, 16, false, flag));
    product(rows, 144, 64, false, flag).expect_same(product(rows, 144, 64, false, flag));
  }
}

struct Part {
  const char* name;
  void (*run)();
};

constexpr Part kParts[] = {
    {"solve-bf16", [] { all_solves(Factors::kBf16); }},
    {"solve-tf32", [] { all_solves(Factors::kTf32); }},
    {"solve-float32", [] { all_solves(Factors::kFloat32); }},
    {"solve-halves", [] { all_solves(Factors::kHalves); }},
    {"rows",
     [] {
       for (int width : {64, 128, 7}) rows_of(1001, width).expect_same(rows_of(1001, width));
     }},
    {"attention", all_attentions},
    {"products",
     [] {
       for (int rows : {1, 31, 1000}) all_products(rows);
     }},
    {"large-products", [] { all_products(40000); }},
    {"weights", [] { weights().expect_same(weights()); }},
    {"sequences",
     [] {
       for (int width : {128, 64, 20, 256}) sequence(150, width).expect_same(sequence(150, width));
     }},
    {"segments",
     [] {
       for (int width : {64, 7}) segments(203, width).expect_same(segments(203, width));
     }},
};

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU\n");
    return std::getenv("LGODE_REQUIRE_GPU") != nullptr ? 1 : 77;  // 77: skipped
  }
  const std::vector<std::string> asked(argv + 1, argv + argc);
  const auto is_asked = [&](const std::string& name) {
    return asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  std::size_t ran = 0;
  for (const Part& part : kParts) {
    if (!is_asked(part.name)) continue;
    part.run();
    std::printf("%s %s\n", part.name, failed ? "failed" : "ran, with the same bits twice");
    std::fflush(stdout);
    if (failed) return 1;
    ++ran;
  }
  if (asked.empty() || ran == asked.size()) return 0;
  std::printf("usage: cuda_kernel_check [PART ...], without one all of them:");
  for (const Part& part : kParts) std::printf(" %s", part.name);
  std::printf("\n");
  return 2;
}
