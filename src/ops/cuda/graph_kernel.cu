#include "ops/cuda/graph_kernel.h"
#include "ops/cuda/mma.cuh"

namespace lgode::ops::cuda {
namespace {

constexpr int kPad = 8;  // elements: rows that start 16 bytes apart modulo 128 do not share banks

// Takes arrays one after the other from a block's shared memory, or, without one, measures them.
struct Arena {
  __host__ __device__ explicit Arena(char* memory) : base(memory) {}
  template <class T>
  __host__ __device__ T* take(int count) {
    T* p = reinterpret_cast<T*>(base + used);
    used += (count * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    return p;
  }
  char* base;
  int used = 0;
};

// The pairs of one chunk.
struct Chunk {
  __host__ __device__ explicit Chunk(Arena& m)
      : target(m.take<std::uint8_t>(kChunk)),
        source(m.take<std::uint8_t>(kChunk)),
        order(m.take<std::uint8_t>(kChunk)),
        weight(m.take<float>(kChunk)) {}

  __device__ void load(const GraphWork& w, int chunk) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < kChunk) {
      target[i] = w.target[chunk * kChunk + i];
      source[i] = w.source[chunk * kChunk + i];
      order[i] = w.order[chunk * kChunk + i];
      weight[i] = w.weight[chunk * kChunk + i];
    }
  }
  std::uint8_t *target, *source, *order;
  float* weight;
};

struct ForwardMemory {
  __host__ __device__ ForwardMemory(char* memory, const GraphModel& model, int rows, int stages)
      : arena(memory),
        ldz(model.zp + model.hp + kPad),
        ldu(2 * model.hp + kPad),
        ldh(model.hp + kPad),
        lde(model.hp + 4),
        ldo(model.zp + 4),
        zs(arena.take<bf16>(rows * ldz)),
        uv(arena.take<bf16>(rows * ldu)),
        h(arena.take<bf16>(kChunk * ldh)),
        a1(arena.take<bf16>(rows * ldh)),
        a2(arena.take<bf16>(rows * ldh)),
        e(arena.take<float>(kChunk * lde)),
        sum(arena.take<float>(rows * lde)),
        out(arena.take<float>(rows * ldo)),
        y(arena.take<float>(rows * model.zp)),
        k(arena.take<float>(stages * rows * model.zp)),
        chunk(arena) {}

  Arena arena;
  int ldz, ldu, ldh, lde, ldo;
  bf16 *zs, *uv, *h, *a1, *a2;
  float *e, *sum, *out, *y, *k;
  Chunk chunk;
};

struct BackwardMemory {
  __host__ __device__ BackwardMemory(char* memory, const GraphModel& model, int rows)
      : arena(memory),
        ldg(model.zp + kPad),
        ldu(2 * model.hp + kPad),
        ldh(model.hp + kPad),
        lde(model.hp + 4),
        ldd(2 * model.hp + 4),
        ldo(model.zp + 4),
        g(arena.take<bf16>(rows * ldg)),
        d2(arena.take<bf16>(rows * ldh)),
        d1(arena.take<bf16>(rows * ldh)),
        a2(arena.take<bf16>(rows * ldh)),
        a1(arena.take<bf16>(rows * ldh)),
        uv(arena.take<bf16>(rows * ldu)),
        h(arena.take<bf16>(kChunk * ldh)),
        de(arena.take<bf16>(kChunk * ldh)),
        dz(arena.take<float>(rows * ldo)),
        dsum(arena.take<float>(rows * lde)),
        duv(arena.take<float>(rows * ldd)),
        dh(arena.take<float>(kChunk * lde)),
        lambda(arena.take<float>(rows * model.zp)),
        chunk(arena),
        duv16(reinterpret_cast<bf16*>(dh)) {}  // [rows, ldu]: dh is done with when this is made

  Arena arena;
  int ldg, ldu, ldh, lde, ldd, ldo;
  bf16 *g, *d2, *d1, *a2, *a1, *uv, *h, *de;
  float *dz, *dsum, *duv, *dh, *lambda;
  Chunk chunk;
  bf16* duv16;
};

__device__ inline std::uint32_t bf16_pair(float x, float y) { return as_bits(__floats2bfloat162_rn(x, y)); }
__device__ inline void store_pair(bf16* p, float x, float y) { *reinterpret_cast<std::uint32_t*>(p) = bf16_pair(x, y); }
__device__ inline const bf16* fragments_of(const bf16* base, int offset, int first_group, int depth) {
  return base + offset + first_group * depth * 256;
}

// h_p = ReLU(u_target + v_source), zeros beyond the chunk's pairs.  [kChunk, Hp], also to `out` where it is not null
__device__ void build_h(const bf16* uv, int ldu, const Chunk& chunk, int count, int hp, bf16* h, int ldh, bf16* out) {
  const int vectors = hp / 8;
  for (int i = static_cast<int>(threadIdx.x); i < kChunk * vectors; i += kThreads) {
    const int p = i / vectors, c = i % vectors * 8;
    uint4 r = {0, 0, 0, 0};
    if (p < count) {
      const uint4 u = *reinterpret_cast<const uint4*>(uv + chunk.target[p] * ldu + c);
      const uint4 v = *reinterpret_cast<const uint4*>(uv + chunk.source[p] * ldu + hp + c);
      const __nv_bfloat162 zero = __float2bfloat162_rn(0.0F);
      r.x = as_bits(__hmax2(__hadd2(as_pair(u.x), as_pair(v.x)), zero));
      r.y = as_bits(__hmax2(__hadd2(as_pair(u.y), as_pair(v.y)), zero));
      r.z = as_bits(__hmax2(__hadd2(as_pair(u.z), as_pair(v.z)), zero));
      r.w = as_bits(__hmax2(__hadd2(as_pair(u.w), as_pair(v.w)), zero));
    }
    *reinterpret_cast<uint4*>(h + p * ldh + c) = r;
    if (out != nullptr) *reinterpret_cast<uint4*>(out + p * hp + c) = r;
  }
}

// The threads that share out columns: each column of Hp has `parts` threads, which share out rows.
struct ColumnShare {
  __device__ explicit ColumnShare(int hp_) : hp(hp_), parts(hp_ <= kThreads ? kThreads / hp_ : 1) {}
  template <class Body>
  __device__ void each(const Body& body) const {  // body(column, part)
    for (int i = static_cast<int>(threadIdx.x); i < parts * hp; i += kThreads) body(i % hp, i / hp);
  }
  int hp, parts;
};

// Sums runs of equal rows: x(p) is added to out[row(p) * ld] for the pairs p = at(0), at(1), ...; rows ascend.
template <class Row, class At, class X>
__device__ void sum_runs(int count, const At& at, const Row& row, const X& x, float* out, int ld) {
  int last = -1;
  float sum = 0;
  for (int i = 0; i < count; ++i) {
    const int p = at(i), r = row(p);
    if (r != last) {
      if (last >= 0) out[last * ld] += sum;
      last = r;
      sum = 0;
    }
    sum += x(p);
  }
  if (last >= 0) out[last * ld] += sum;
}

template <int MT>
class Forward {
 public:
  __device__ Forward(const GraphModel& model, const GraphWork& work, int z, const GraphKept& kept, char* memory)
      : model_(model), work_(work), z_(z), kept_(kept), s_(memory, model, 16 * MT, work.stages) {
    tile_ = static_cast<int>(blockIdx.x);
    begin_ = work.row_begin[tile_];
    n_ = work.row_begin[tile_ + 1] - begin_;
  }

  __device__ void run(int first, int last, bool last_slope, float* states, float* slopes) {
    // Rows that belong to no object: products of them go nowhere, but must not meet what is not a number for ever.
    for (int i = static_cast<int>(threadIdx.x); i < 16 * MT * s_.ldz; i += kThreads) s_.zs[i] = __float2bfloat16(0.0F);
    each_element([&](int row, int c, int i) { s_.y[i] = c < z_ ? states[at(first, row, c)] : 0.0F; });
    for (int step = first; step <= last; ++step) {
      if (step == last && !last_slope) break;
      for (int stage = 0; stage < work_.stages; ++stage) {
        __syncthreads();
        each_element([&](int row, int c, int i) {
          float x = s_.y[i];
          if (stage > 0) {
            const float h = work_.step[step * work_.rows + begin_ + row];
            float slope = 0;
            for (int j = 0; j < stage; ++j) slope += work_.a[stage][j] * s_.k[j * count() + i];
            x += h * slope;
          }
          s_.zs[row * s_.ldz + c] = __float2bfloat16(x);
        });
        evaluate(step * work_.stages + stage);
        each_element([&](int row, int c, int i) {
          s_.k[stage * count() + i] = s_.out[row * s_.ldo + c];
          if (stage == 0 && c < z_) slopes[at(step, row, c)] = s_.out[row * s_.ldo + c];
        });
        if (step == last) return;
      }
      each_element([&](int row, int c, int i) {
        const float h = work_.step[step * work_.rows + begin_ + row];
        float slope = 0;
        for (int j = 0; j < work_.stages; ++j) slope += work_.b[j] * s_.k[j * count() + i];
        s_.y[i] += h * slope;
        if (c < z_) states[at(step + 1, row, c)] = s_.y[i];
      });
    }
  }

 private:
  __device__ int count() const { return n_ * model_.zp; }
  __device__ std::int64_t at(int node, int row, int c) const {
    return (static_cast<std::int64_t>(node) * work_.rows + begin_ + row) * z_ + c;
  }
  // Every element of the state belongs to one thread.
  template <class Body>
  __device__ void each_element(const Body& body) const {
    for (int i = static_cast<int>(threadIdx.x); i < count(); i += kThreads) body(i / model_.zp, i % model_.zp, i);
  }

  // The field at the state in zs, to s_.out.
  __device__ void evaluate(int evaluation) {
    const int zp = model_.zp, hp = model_.hp, wide = zp + hp, uvp = model_.lists * 2 * hp;
    const std::int64_t row0 =
        static_cast<std::int64_t>(evaluation - kept_.first) * work_.rows + begin_;  // of the kept matrices
    const ColumnShare columns(hp);
    if (kept_.zs != nullptr)
      each_element([&](int row, int c, int) { kept_.zs[(row0 + row) * wide + c] = s_.zs[row * s_.ldz + c]; });
    columns.each([&](int c, int part) {
      for (int row = part; row < n_; row += columns.parts) s_.sum[row * s_.lde + c] = 0;
    });
    for (int r = 0; r < model_.lists; ++r) {
      const int chunk_begin = work_.chunk_begin[r * (work_.tiles + 1) + tile_];
      const int chunk_end = work_.chunk_begin[r * (work_.tiles + 1) + tile_ + 1];
      // [u | v] = z W1 + b1
      {
        Product<MT> product(fragments_of(model_.fragments, model_.w1, r * 2 * hp / 16, zp / 16), 2 * hp / 16, zp / 16,
                            zp / 16);
        __syncthreads();
        const float* bias = model_.flat + model_.b1 + r * 2 * hp;
        product.run(s_.zs, s_.ldz, [&](int column, const float(&c)[MT][2][4]) {
          for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
            x += bias[col], y += bias[col + 1];
            store_pair(s_.uv + row * s_.ldu + col, x, y);
            if (kept_.uv != nullptr && row < n_) store_pair(kept_.uv + (row0 + row) * uvp + r * 2 * hp + col, x, y);
          });
        });
      }
      for (int chunk = chunk_begin; chunk < chunk_end; ++chunk) {
        const int pairs = work_.count[chunk];
        s_.chunk.load(work_, chunk);
        __syncthreads();
        build_h(s_.uv, s_.ldu, s_.chunk, pairs, hp, s_.h, s_.ldh, nullptr);
        // e = ReLU(h W2 + b2)
        Product<kChunk / 16> product(model_.fragments + model_.w2[r], hp / 16, hp / 16, hp / 16);
        __syncthreads();
        const float* bias = model_.flat + model_.b2[r];
        product.run(s_.h, s_.ldh, [&](int column, const float(&c)[kChunk / 16][2][4]) {
          std::uint32_t vote = 0;
          int word = 0;
#pragma unroll
          for (int mt = 0; mt < kChunk / 16; ++mt)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
              const int lane = lane_id(), col = column + half * 8 + (lane & 3) * 2, row = mt * 16 + (lane >> 2);
              const float bx = bias[col], by = bias[col + 1];
              const float v[4] = {c[mt][half][0] + bx, c[mt][half][1] + by, c[mt][half][2] + bx, c[mt][half][3] + by};
#pragma unroll
              for (int q = 0; q < 4; ++q, ++word) {
                const std::uint32_t above = __ballot_sync(0xffffffffU, v[q] > 0);
                if (lane == word) vote = above;
              }
              *reinterpret_cast<float2*>(s_.e + row * s_.lde + col) = make_float2(fmaxf(v[0], 0), fmaxf(v[1], 0));
              *reinterpret_cast<float2*>(s_.e + (row + 8) * s_.lde + col) = make_float2(fmaxf(v[2], 0), fmaxf(v[3], 0));
            }
          if (kept_.signs != nullptr)
            kept_.signs[(static_cast<std::int64_t>(evaluation - kept_.first) * work_.chunks + chunk) * 2 * hp +
                        column * 2 + lane_id()] = vote;
        });
        __syncthreads();
        columns.each([&](int c, int part) {
          int last = -1;
          float sum = 0;
          for (int p = 0; p < pairs; ++p) {
            const int t = s_.chunk.target[p];
            if (t % columns.parts != part) continue;
            if (t != last) {
              if (last >= 0) s_.sum[last * s_.lde + c] += sum;
              last = t;
              sum = 0;
            }
            sum += s_.chunk.weight[p] * s_.e[p * s_.lde + c];
          }
          if (last >= 0) s_.sum[last * s_.lde + c] += sum;
        });
        __syncthreads();
      }
    }
    columns.each([&](int c, int part) {
      for (int row = part; row < n_; row += columns.parts) {
        const bf16 x = __float2bfloat16(s_.sum[row * s_.lde + c]);
        s_.zs[row * s_.ldz + zp + c] = x;
        if (kept_.zs != nullptr) kept_.zs[(row0 + row) * wide + zp + c] = x;
      }
    });
    hidden(model_.o1, model_.c1, wide / 16, s_.zs, s_.ldz, s_.a1, kept_.a1, row0);
    hidden(model_.o2, model_.c2, hp / 16, s_.a1, s_.ldh, s_.a2, kept_.a2, row0);
    {
      Product<MT> product(model_.fragments + model_.o3, zp / 16, hp / 16, hp / 16);
      __syncthreads();
      const float* bias = model_.flat + model_.c3;
      product.run(s_.a2, s_.ldh, [&](int column, const float(&c)[MT][2][4]) {
        for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
          *reinterpret_cast<float2*>(s_.out + row * s_.ldo + col) = make_float2(x + bias[col], y + bias[col + 1]);
        });
      });
    }
    __syncthreads();
  }

  // out = ReLU(a W + b)
  __device__ void hidden(int w, int b, int depth, const bf16* a, int lda, bf16* out, bf16* kept, std::int64_t row0) {
    Product<MT> product(model_.fragments + w, model_.hp / 16, depth, depth);
    __syncthreads();
    const float* bias = model_.flat + b;
    product.run(a, lda, [&](int column, const float(&c)[MT][2][4]) {
      for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
        x = fmaxf(x + bias[col], 0), y = fmaxf(y + bias[col + 1], 0);
        store_pair(out + row * s_.ldh + col, x, y);
        if (kept != nullptr && row < n_) store_pair(kept + (row0 + row) * model_.hp + col, x, y);
      });
    });
  }

  const GraphModel& model_;
  const GraphWork& work_;
  int z_;
  const GraphKept& kept_;
  ForwardMemory s_;
  int tile_, begin_, n_;
};

template <int MT>
class Backward {
 public:
  __device__ Backward(const GraphModel& model, const GraphWork& work, int z, const GraphKept& kept,
                      const GraphGradients& gradients, char* memory)
      : model_(model), work_(work), z_(z), kept_(kept), out_(gradients), s_(memory, model, 16 * MT) {
    tile_ = static_cast<int>(blockIdx.x);
    begin_ = work.row_begin[tile_];
    n_ = work.row_begin[tile_ + 1] - begin_;
    const int hp = model.hp, lists = model.lists;
    float* bias = gradients.bias + static_cast<std::int64_t>(tile_) * model.biases;
    b1_ = bias, b2_ = b1_ + 2 * lists * hp, c1_ = b2_ + lists * hp, c2_ = c1_ + hp, c3_ = c2_ + hp;
  }

  __device__ void run(int first, int last, bool last_slope, const float* dstates, const float* dslopes) {
    for (int i = static_cast<int>(threadIdx.x); i < 16 * MT * s_.ldg; i += kThreads) s_.g[i] = __float2bfloat16(0.0F);
    each_element([&](int row, int c, int i) { s_.lambda[i] = out_.lambda[(begin_ + row) * model_.zp + c]; });
    if (last_slope) {
      if (dslopes != nullptr) {
        each_element([&](int row, int c, int) { *dk(row, 0, c) = c < z_ ? dslopes[at(last, row, c)] : 0.0F; });
        evaluate_backward(last * work_.stages, 0);
        each_element([&](int row, int c, int i) { s_.lambda[i] += s_.dz[row * s_.ldo + c]; });
      }
      if (dstates != nullptr)
        each_element([&](int row, int c, int i) { s_.lambda[i] += c < z_ ? dstates[at(last, row, c)] : 0.0F; });
    }
    for (int step = last - 1; step >= first; --step) {
      each_element([&](int row, int c, int i) {
        const float h = work_.step[step * work_.rows + begin_ + row];
        for (int stage = 0; stage < work_.stages; ++stage) *dk(row, stage, c) = h * work_.b[stage] * s_.lambda[i];
        if (dslopes != nullptr && c < z_) *dk(row, 0, c) += dslopes[at(step, row, c)];
      });
      for (int stage = work_.stages - 1; stage >= 0; --stage) {
        evaluate_backward(step * work_.stages + stage, stage);
        each_element([&](int row, int c, int i) {
          const float h = work_.step[step * work_.rows + begin_ + row], d = s_.dz[row * s_.ldo + c];
          s_.lambda[i] += d;
          for (int j = 0; j < stage; ++j) *dk(row, j, c) += h * work_.a[stage][j] * d;
        });
      }
      if (dstates != nullptr)
        each_element([&](int row, int c, int i) { s_.lambda[i] += c < z_ ? dstates[at(step, row, c)] : 0.0F; });
    }
    each_element([&](int row, int c, int i) { out_.lambda[(begin_ + row) * model_.zp + c] = s_.lambda[i]; });
  }

 private:
  __device__ std::int64_t at(int node, int row, int c) const {
    return (static_cast<std::int64_t>(node) * work_.rows + begin_ + row) * z_ + c;
  }
  __device__ float* dk(int row, int stage, int c) const {
    return out_.scratch + (static_cast<std::int64_t>(begin_ + row) * kMaxStages + stage) * model_.zp + c;
  }
  template <class Body>
  __device__ void each_element(const Body& body) const {
    for (int i = static_cast<int>(threadIdx.x); i < n_ * model_.zp; i += kThreads)
      body(i / model_.zp, i % model_.zp, i);
  }
  // bias[c] += sum over the tile's rows
  __device__ void add_bias(const bf16* x, int ld, int width, int rows, float* bias) const {
    for (int c = static_cast<int>(threadIdx.x); c < width; c += kThreads) {
      float sum = 0;
      for (int row = 0; row < rows; ++row) sum += __bfloat162float(x[row * ld + c]);
      atomicAdd(bias + c, sum);  // one writer: the order is always the same
    }
  }
  // Rows of a kept matrix to shared memory, `width` columns.
  __device__ void fetch(const bf16* from, std::int64_t stride, int width, bf16* to, int ld) const {
    const int vectors = width / 8;
    for (int i = static_cast<int>(threadIdx.x); i < n_ * vectors; i += kThreads) {
      const int row = i / vectors, c = i % vectors * 8;
      *reinterpret_cast<uint4*>(to + row * ld + c) = __ldcs(reinterpret_cast<const uint4*>(from + row * stride + c));
    }
  }

  // dz = J' dk of the evaluation, to s_.dz; the weight gradients' factors go out.
  __device__ void evaluate_backward(int evaluation, int stage) {
    const int zp = model_.zp, hp = model_.hp, uvp = model_.lists * 2 * hp;
    const std::int64_t e = evaluation - kept_.first, row0 = e * work_.rows + begin_;
    __syncthreads();
    fetch(kept_.a2 + row0 * hp, hp, hp, s_.a2, s_.ldh);
    fetch(kept_.a1 + row0 * hp, hp, hp, s_.a1, s_.ldh);
    each_element([&](int row, int c, int) {
      const bf16 x = __float2bfloat16(*dk(row, stage, c));
      s_.g[row * s_.ldg + c] = x;
      out_.g[(row0 + row) * zp + c] = x;
    });
    masked(model_.o3, zp / 16, s_.g, s_.ldg, s_.a2, s_.d2, out_.d2, row0);
    add_bias(s_.g, s_.ldg, zp, n_, c3_);
    masked(model_.o2, hp / 16, s_.d2, s_.ldh, s_.a1, s_.d1, out_.d1, row0);
    add_bias(s_.d2, s_.ldh, hp, n_, c2_);
    {
      Product<MT> product(model_.transposed + model_.o1, (zp + hp) / 16, hp / 16, hp / 16);
      __syncthreads();
      add_bias(s_.d1, s_.ldh, hp, n_, c1_);
      product.run(s_.d1, s_.ldh, [&](int column, const float(&c)[MT][2][4]) {
        for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
          float* to = col < zp ? s_.dz + row * s_.ldo + col : s_.dsum + row * s_.lde + col - zp;
          *reinterpret_cast<float2*>(to) = make_float2(x, y);
        });
      });
    }
    const ColumnShare columns(hp);
    for (int r = 0; r < model_.lists; ++r) {
      const int chunk_begin = work_.chunk_begin[r * (work_.tiles + 1) + tile_];
      const int chunk_end = work_.chunk_begin[r * (work_.tiles + 1) + tile_ + 1];
      __syncthreads();
      fetch(kept_.uv + row0 * uvp + r * 2 * hp, uvp, 2 * hp, s_.uv, s_.ldu);
      columns.each([&](int c, int part) {
        for (int side = part; side < 2; side += columns.parts)
          for (int row = 0; row < n_; ++row) s_.duv[row * s_.ldd + side * hp + c] = 0;
      });
      for (int chunk = chunk_begin; chunk < chunk_end; ++chunk) {
        const int pairs = work_.count[chunk];
        const std::int64_t slot = (e * work_.chunks + chunk) * kChunk;
        s_.chunk.load(work_, chunk);
        __syncthreads();
        build_h(s_.uv, s_.ldu, s_.chunk, pairs, hp, s_.h, s_.ldh, out_.h + slot * hp);
        build_de(kept_.signs + (e * work_.chunks + chunk) * 2 * hp, pairs, out_.de + slot * hp);
        Product<kChunk / 16> product(model_.transposed + model_.w2[r], hp / 16, hp / 16, hp / 16);
        __syncthreads();
        add_bias(s_.de, s_.ldh, hp, pairs, b2_ + r * hp);
        // dh = de W2', through h's ReLU
        product.run(s_.de, s_.ldh, [&](int column, const float(&c)[kChunk / 16][2][4]) {
          for_each_pair<kChunk / 16>(column, c, [&](int row, int col, float x, float y) {
            const float2 h = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(s_.h + row * s_.ldh + col));
            *reinterpret_cast<float2*>(s_.dh + row * s_.lde + col) = make_float2(h.x > 0 ? x : 0, h.y > 0 ? y : 0);
          });
        });
        __syncthreads();
        columns.each([&](int c, int part) {
          for (int side = part; side < 2; side += columns.parts) {
            float* to = s_.duv + side * hp + c;
            const auto x = [&](int p) { return s_.dh[p * s_.lde + c]; };
            if (side == 0)
              sum_runs(pairs, [](int i) { return i; }, [&](int p) { return s_.chunk.target[p]; }, x, to, s_.ldd);
            else
              sum_runs(
                  pairs, [&](int i) { return s_.chunk.order[i]; }, [&](int p) { return s_.chunk.source[p]; }, x, to,
                  s_.ldd);
          }
        });
        __syncthreads();
      }
      // dz += [du | dv] W1'
      columns.each([&](int c, int part) {
        for (int side = part; side < 2; side += columns.parts) {
          float total = 0;
          for (int row = 0; row < n_; ++row) {
            const float x = s_.duv[row * s_.ldd + side * hp + c];
            const bf16 x16 = __float2bfloat16(x);
            total += x;
            s_.duv16[row * s_.ldu + side * hp + c] = x16;
            out_.duv[(row0 + row) * uvp + r * 2 * hp + side * hp + c] = x16;
          }
          if (side == 0) atomicAdd(b1_ + r * 2 * hp + c, total);
        }
      });
      Product<MT> product(model_.transposed + model_.w1 + r * (2 * hp / 16) * 256, zp / 16, 2 * hp / 16, uvp / 16);
      __syncthreads();
      // The lane that wrote an element of dz is the one that adds to it.
      product.run(s_.duv16, s_.ldu, [&](int column, const float(&c)[MT][2][4]) {
        for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
          s_.dz[row * s_.ldo + col] += x;
          s_.dz[row * s_.ldo + col + 1] += y;
        });
      });
    }
    __syncthreads();
  }

  // out = (a W') where mask > 0
  __device__ void masked(int w, int depth, const bf16* a, int lda, const bf16* mask, bf16* out, bf16* kept,
                         std::int64_t row0) {
    Product<MT> product(model_.transposed + w, model_.hp / 16, depth, depth);
    __syncthreads();
    product.run(a, lda, [&](int column, const float(&c)[MT][2][4]) {
      for_each_pair<MT>(column, c, [&](int row, int col, float x, float y) {
        const float2 m = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(mask + row * s_.ldh + col));
        x = m.x > 0 ? x : 0, y = m.y > 0 ? y : 0;
        store_pair(out + row * s_.ldh + col, x, y);
        if (row < n_) store_pair(kept + (row0 + row) * model_.hp + col, x, y);
      });
    });
  }

  // de_p = weight dsum_target where e_p > 0, zeros beyond the chunk's pairs.
  __device__ void build_de(const std::uint32_t* signs, int pairs, bf16* out) {
    const int hp = model_.hp, vectors = hp / 8;
    for (int i = static_cast<int>(threadIdx.x); i < kChunk * vectors; i += kThreads) {
      const int p = i / vectors, c = i % vectors * 8;
      uint4 r = {0, 0, 0, 0};
      if (p < pairs) {
        const float* dsum = s_.dsum + s_.chunk.target[p] * s_.lde + c;
        const float weight = s_.chunk.weight[p];
        // The word of sums q of lanes, as the forward product voted.
        const int word = c / 16 * 32 + (p / 16 * 2 + c / 8 % 2) * 4 + (p % 16 < 8 ? 0 : 2), shift = p % 8 * 4;
        const std::uint32_t even = signs[word] >> shift, odd = signs[word + 1] >> shift;
        std::uint32_t v[4];
#pragma unroll
        for (int m = 0; m < 4; ++m)
          v[m] = bf16_pair((even >> m & 1U) != 0 ? weight * dsum[2 * m] : 0.0F,
                           (odd >> m & 1U) != 0 ? weight * dsum[2 * m + 1] : 0.0F);
        r = {v[0], v[1], v[2], v[3]};
      }
      *reinterpret_cast<uint4*>(s_.de + p * s_.ldh + c) = r;
      *reinterpret_cast<uint4*>(out + p * hp + c) = r;
    }
  }

  const GraphModel& model_;
  const GraphWork& work_;
  int z_;
  const GraphKept& kept_;
  const GraphGradients& out_;
  BackwardMemory s_;
  int tile_, begin_, n_;
  float *b1_, *b2_, *c1_, *c2_, *c3_;
};

extern __shared__ __align__(16) char shared_memory[];

template <int MT>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z, int first,
                   int last, bool last_slope, float* states, float* slopes, const __grid_constant__ GraphKept kept) {
  Forward<MT>(model, work, z, kept, shared_memory).run(first, last, last_slope, states, slopes);
}

template <int MT>
__global__ void __launch_bounds__(kThreads, 1)
    backward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z, int first,
                    int last, bool last_slope, const float* dstates, const float* dslopes,
                    const __grid_constant__ GraphKept kept, const __grid_constant__ GraphGradients gradients) {
  Backward<MT>(model, work, z, kept, gradients, shared_memory).run(first, last, last_slope, dstates, dslopes);
}

// A lane's 8 elements of the fragment (group of 16 columns, 16 rows): two rows, then the two 8 further, of its column;
// then the same 8 columns further.
__global__ void pack_kernel(const float* flat, PackedMatrix m, bf16* fragments, bf16* transposed) {
  const int total = m.inputs * m.outputs;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < 2 * total;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const bool flip = i >= total;
    const int at = flip ? i - total : i, rows = flip ? m.outputs : m.inputs;
    const int element = at % 8, lane = at / 8 % 32, tile = at / 256, depth = rows / 16;
    const int row = tile % depth * 16 + (lane & 3) * 2 + (element & 1) + (element & 2) * 4;
    const int column = tile / depth * 16 + (lane >> 2) + (element & 4) * 2;
    const float x = flip ? flat[m.offset + column * m.outputs + row] : flat[m.offset + row * m.outputs + column];
    (flip ? transposed : fragments)[m.offset + at] = __float2bfloat16(x);
  }
}

template <class Kernel>
cudaError_t allow_shared(Kernel kernel, int bytes) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

}  // namespace

int forward_shared(const GraphModel& model, int rows) {
  return ForwardMemory(nullptr, model, rows, kMaxStages).arena.used;
}
int backward_shared(const GraphModel& model, int rows) { return BackwardMemory(nullptr, model, rows).arena.used; }

cudaError_t pack_fragments(const float* flat, const PackedMatrix* matrices, int count, __nv_bfloat16* fragments,
                           __nv_bfloat16* transposed, cudaStream_t stream) {
  for (int i = 0; i < count; ++i)
    pack_kernel<<<64, 256, 0, stream>>>(flat, matrices[i], fragments, transposed);
  return cudaGetLastError();
}

cudaError_t graph_forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                          bool last_slope, float* states, float* slopes, const GraphKept& kept, cudaStream_t stream) {
  if (work.tiles == 0) return cudaSuccess;
  const int bytes = forward_shared(model, rows);
  const auto kernel = rows == 16 ? forward_kernel<1> : forward_kernel<2>;
  if (const cudaError_t error = allow_shared(kernel, bytes); error != cudaSuccess) return error;
  kernel<<<work.tiles, kThreads, bytes, stream>>>(model, work, z, first, last, last_slope, states, slopes, kept);
  return cudaGetLastError();
}

cudaError_t graph_backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                           bool last_slope, const float* dstates, const float* dslopes, const GraphKept& kept,
                           const GraphGradients& gradients, cudaStream_t stream) {
  if (work.tiles == 0) return cudaSuccess;
  const int bytes = backward_shared(model, rows);
  const auto kernel = rows == 16 ? backward_kernel<1> : backward_kernel<2>;
  if (const cudaError_t error = allow_shared(kernel, bytes); error != cudaSuccess) return error;
  kernel<<<work.tiles, kThreads, bytes, stream>>>(model, work, z, first, last, last_slope, dstates, dslopes, kept,
                                                  gradients);
  return cudaGetLastError();
}

}  // namespace lgode::ops::cuda
