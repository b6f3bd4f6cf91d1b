// The kernels of graph_kernel.h, whose legend explains the symbols: the Runge-Kutta steps of Eq. 1 around evaluations
// of Eq. 10, and their gradient. Forward and Backward are the code of one block; Launcher launches them. P: the numbers
// of the products' factors (mma.cuh); one .cu file instantiates the kernels of each. No error checks: see graph_rk.cpp.
#pragma once

#include "ops/cuda/graph_kernels.h"
#include "ops/cuda/mma.cuh"

namespace lgode::ops::cuda {
namespace {

// The default sizes of LG-ODE and of the assimilating model (up to 4, and up to 20 features); compiled in as constants.
constexpr int kUsualState = 80, kAssimilating = 32, kAssimilatingMore = 48, kUsualHidden = 128;

// Takes arrays one after the other from a block's shared memory. With a null pointer it only adds up their sizes.
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

// In tiles of more than kSharedRows rows, arrays that are not factors of products are in `scratch`. Rows of factors
// have P::kPad elements more: rows that start an odd multiple of 16 bytes apart modulo 128 do not share banks. SPLIT:
// factors are stored as two matrices whose sum they are, so that not every warp has to split them again. With float32
// factors arrays share memory where one is not needed any more when the other is written.
template <class P, bool SPLIT>
struct ForwardMemory {
  using Number = typename P::Number;
  using Wide = typename P::Wide;
  static constexpr int kParts = SPLIT ? 2 : 1;

  __host__ __device__ ForwardMemory(char* memory, char* scratch, int zp, int hp, int rows, int stages)
      : arena(memory),
        far(scratch),
        ldz(zp + hp + P::kPad),
        ldu(2 * hp + 16 / static_cast<int>(sizeof(Wide))),
        ldh(hp + P::kPad),
        lds(P::kFloat ? ldz : hp + 4),
        ldo(zp + 4),
        split_z(rows * ldz),
        split_a(rows * ldh),
        split_h(kChunk * ldh),
        buffers_(buffers(rows)),
        zs(arena.template take<Number>(kParts * rows * ldz)),
        uv(place(rows, kNearRows).template take<Wide>(rows * ldu)),
        h_(arena.template take<Number>(kParts * buffers_ * kChunk * ldh)),
        a1(SPLIT && rows <= kChunk ? h_ : arena.template take<Number>(kParts * rows * ldh)),
        a2(P::kSplits || P::kFloat ? zs : arena.template take<Number>(rows * ldh)),
        out(P::kKeeps ? place(rows).template take<float>(rows * ldo) : reinterpret_cast<float*>(uv)),
        y(place(rows, kStateRows).template take<float>(rows * zp)),
        k(place(rows, kStateRows).template take<float>(stages * rows * zp)),
        weight_(arena.template take<float>(2 * kChunk)),
        tie(arena.template take<int>(zp)) {
    // In float32 the sums grow where they are needed.
    if constexpr (P::kFloat)
      sum = zs + zp;
    else
      sum = place(rows, kNearRows).template take<float>(rows * lds);
  }

  // Two buffers in turn, one for this chunk, one for the next; a single one where memory is short.
  __host__ __device__ static constexpr int buffers(int rows) {
    return P::kFloat && (SPLIT || rows == kMaxRows) ? 1 : !P::kKeeps ? 1 : 2;
  }
  __device__ Number* h(int turn) const { return h_ + (buffers_ == 1 ? 0 : turn) * kChunk * ldh; }
  __device__ float* weight(int turn) const { return weight_ + turn * kChunk; }
  // Without a backward two blocks share a multiprocessor: they hide each other's latency better than larger tiles
  // would, and find y and k in the second-level cache.
  static constexpr int kNearRows = P::kKeeps ? kSharedRows : 2 * kSharedRows;  // most rows of uv and sum
  static constexpr int kStateRows = P::kKeeps ? kSharedRows : 0;               // of y and k
  __host__ __device__ Arena& place(int rows, int most = kSharedRows) { return rows > most ? far : arena; }

  Arena arena, far;
  int ldz, ldu, ldh, lds, ldo;
  int split_z, split_a, split_h;  // from the first to the second part of zs, of a1 and a2, and of h
  int buffers_;
  Number* zs;
  Wide* uv;
  Number *h_, *a1, *a2;
  float *out, *y, *k;
  float* weight_;
  int* tie;  // [zp] the tie whose position a column is, -1: none
  float* sum;
};

// Whether the forward's factors are stored split: up to where they fit into shared memory.
template <class P>
__host__ __device__ constexpr bool is_split(int rows) {
  return P::kSplits && (!P::kFloat || rows < kMaxRows);
}

template <class P>
struct BackwardMemory {
  using Number = typename P::Number;
  using Wide = typename P::Wide;

  __host__ __device__ BackwardMemory(char* memory, char* scratch, int zp, int hp, int rows)
      : arena(memory),
        far(scratch),
        ldg(zp + P::kPad),
        ldu(2 * hp + P::kPad),
        ldh(hp + P::kPad),
        lds(hp + 4),
        ldd(2 * hp + 4),
        ldo(zp + 4),
        g(arena.template take<Number>(rows * ldg)),
        d2(arena.template take<Number>(rows * ldh)),
        d1(arena.template take<Number>(rows * ldh)),
        duv((P::kFloat ? arena : place(rows)).template take<float>(rows * ldd)),
        dz(place(rows).template take<float>(rows * ldo)),
        dsum(place(rows).template take<float>(rows * lds)),
        lambda(place(rows).template take<float>(rows * zp)),
        rows_(rows),
        uv_(is_far(rows) ? nullptr : arena.template take<Wide>(2 * rows * ldu)),
        h_(arena.template take<Number>(kBuffers * kChunk * ldh)),
        de(arena.template take<Number>(kChunk * ldh)),
        later_(place(rows).template take<float>((kMaxStages - 1) * rows * zp)),
        zp_(zp),
        tie(arena.template take<int>(zp)) {
    if constexpr (P::kFloat)
      factor = duv;
    else
      factor = arena.template take<Number>(rows * ldu);
  }

  static constexpr int kBuffers = P::kFloat ? 1 : 2;
  // Whether [u | v] stays in global memory.
  __host__ __device__ static constexpr bool is_far(int rows) { return P::kFloat || rows > kSharedRows; }

  // Two buffers in turn: one for this list or chunk, one for the next.
  __device__ Wide* uv(int turn) const { return uv_ + turn * rows_ * ldu; }
  __device__ Number* h(int turn) const { return h_ + (kBuffers == 1 ? 0 : turn) * kChunk * ldh; }
  // dz of a stage after the first, kept until the step is done.
  __device__ float* later(int stage) const { return later_ + (stage - 1) * rows_ * zp_; }
  __host__ __device__ Arena& place(int rows) { return rows > kSharedRows ? far : arena; }

  Arena arena, far;
  int ldg, ldu, ldh, lds, ldd, ldo;
  Number *g, *d2, *d1;
  float *duv, *dz, *dsum, *lambda;
  int rows_;
  Wide* uv_;
  Number *h_, *de;
  float* later_;
  int zp_;
  int* tie;        // as in the forward
  Number* factor;  // duv as a factor: rounded to bf16, or duv itself
};

__device__ inline std::uint32_t load_pair(const bf16* p) { return *reinterpret_cast<const std::uint32_t*>(p); }
__device__ inline float2 load_pair(const float* p) { return *reinterpret_cast<const float2*>(p); }
__device__ inline void add_pair(float* p, float x, float y) {
  float2 v = *reinterpret_cast<float2*>(p);
  v.x += x, v.y += y;
  *reinterpret_cast<float2*>(p) = v;
}
// What rounding to bf16 loses.
__device__ inline bf16 rest_of(float x) { return __float2bfloat16(x - __bfloat162float(__float2bfloat16(x))); }
__device__ inline void store_eight(bf16* p, const float (&x)[8]) {
  *reinterpret_cast<uint4*>(p) =
      uint4{bf16_pair(x[0], x[1]), bf16_pair(x[2], x[3]), bf16_pair(x[4], x[5]), bf16_pair(x[6], x[7])};
}
__device__ inline void store_eight(float* p, const float (&x)[8]) {
  reinterpret_cast<float4*>(p)[0] = make_float4(x[0], x[1], x[2], x[3]);
  reinterpret_cast<float4*>(p)[1] = make_float4(x[4], x[5], x[6], x[7]);
}
struct Nothing {};

// Eq. 10, first layer of MLP_r: h = ReLU(u_target + v_source), zeros in empty slots. [slots, Hp], also to `out` if it
// is not null. SPLIT: h in two parts, `split` elements apart.
template <bool SPLIT = false, class Number, class Wide>
__device__ inline void build_h(const GraphWork& work, int chunk, int pairs, const Wide* uv, int ldu, int hp, Number* h,
                               int ldh, Number* out, int split = 0, int slots = kChunk) {
  constexpr int kVector = 16 / sizeof(Wide);
  const int vectors = hp / kVector;  // a constant where the kernel knows hp
  const std::uint8_t *target = work.target + chunk * kChunk, *source = work.source + chunk * kChunk;
  for (int i = static_cast<int>(threadIdx.x); i < slots * vectors; i += kThreads) {
    const int p = i / vectors, c = (i - p * vectors) * kVector;
    uint4 r = {0, 0, 0, 0};
    if (p < pairs) {
      const uint4 u = *reinterpret_cast<const uint4*>(uv + __ldg(target + p) * ldu + c);
      const uint4 v = *reinterpret_cast<const uint4*>(uv + __ldg(source + p) * ldu + hp + c);
      if constexpr (sizeof(Wide) == 2) {
        r = {relu_of_sum(u.x, v.x), relu_of_sum(u.y, v.y), relu_of_sum(u.z, v.z), relu_of_sum(u.w, v.w)};
      } else {
        const auto sum = [](std::uint32_t a, std::uint32_t b) {
          return __float_as_uint(relu(__uint_as_float(a) + __uint_as_float(b)));
        };
        r = {sum(u.x, v.x), sum(u.y, v.y), sum(u.z, v.z), sum(u.w, v.w)};
      }
    }
    if constexpr (SPLIT && sizeof(Number) == 2) {
      const auto scaled = [](std::uint32_t x) { return __uint_as_float(x) * kActivationScale; };
      const SplitHalves x(scaled(r.x), scaled(r.y)), y(scaled(r.z), scaled(r.w));
      *reinterpret_cast<uint2*>(h + p * ldh + c) = {x.big, y.big};
      *reinterpret_cast<uint2*>(h + split + p * ldh + c) = {x.small, y.small};
      continue;
    } else if constexpr (SPLIT) {
      const Split x(__uint_as_float(r.x)), y(__uint_as_float(r.y));
      const Split z(__uint_as_float(r.z)), w(__uint_as_float(r.w));
      r = {bits(x.big), bits(y.big), bits(z.big), bits(w.big)};
      *reinterpret_cast<float4*>(h + split + p * ldh + c) = make_float4(x.small, y.small, z.small, w.small);
    }
    *reinterpret_cast<uint4*>(h + p * ldh + c) = r;
    if (out != nullptr) *reinterpret_cast<uint4*>(out + p * hp + c) = r;
  }
}

// What forward and backward know about their tile. Each thread owns some elements of the state: rows by warp, columns
// by lane. ZP, HP: Zp and Hp as compile-time constants, or 0 if known only at run time, which costs a third more
// instructions.
template <int ZP, int HP>
class Tile {
 public:
  __device__ Tile(const GraphModel& model, const GraphWork& work, int z)
      : model_(model),
        work_(work),
        z_(z),
        tile_(static_cast<int>(blockIdx.x)),
        begin_(work.row_begin[tile_]),
        n_(work.row_begin[tile_ + 1] - begin_) {}

 protected:
  __device__ std::int64_t at(int node, int row, int c) const {
    return (static_cast<std::int64_t>(node) * work_.rows + begin_ + row) * z_ + c;
  }
  __device__ float step_size(int step, int row) const { return __ldg(work_.step + of(step, row)); }
  __device__ bool is_jump(int step) const { return work_.alternating && (step & 1) == 0; }
  // The jump of a row at a jump step, -1: none.
  __device__ int jump_of(int step, int row) const {
    return work_.jump != nullptr ? __ldg(work_.jump + of(step, row)) : -1;
  }
  __device__ bool is_present(int node, int row) const {
    return work_.present == nullptr || __ldg(work_.present + of(node, row)) != 0;
  }
  // Whether nobody reads the slope of a jump step.
  __device__ bool is_skipped(int step) const {
    return is_jump(step) && work_.read != nullptr && __ldg(work_.read + step * work_.tiles + tile_) == 0;
  }
  // Zeros for the tile's rows of an evaluation, [n, columns].
  template <class Number>
  __device__ void clear_rows(Number* to, std::int64_t row0, int columns) const {
    constexpr int kVector = 16 / sizeof(Number);
    uint4* p = reinterpret_cast<uint4*>(to + row0 * columns);
    for (int i = static_cast<int>(threadIdx.x); i < n_ * columns / kVector; i += kThreads) p[i] = uint4{0, 0, 0, 0};
  }
  // Fills the table of ties, for all threads after the next barrier.
  __device__ void set_ties(int* tie) const {
    for (int c = static_cast<int>(threadIdx.x); c < zp(); c += kThreads) {
      tie[c] = -1;
      for (int t = 0; t < work_.ties; ++t)
        if (work_.tie[t].position == c) tie[c] = t;
    }
  }
  template <class Body>
  __device__ void each_row(const Body& body) const {
    for (int row = warp_id(); row < n_; row += kWarps) body(row);
  }
  template <class Body>
  __device__ void each_column(const Body& body) const {
    for (int c = lane_id(); c < zp(); c += 32) body(c);
  }
  __device__ std::int64_t of(int node, int row) const {
    return static_cast<std::int64_t>(node) * work_.rows + begin_ + row;
  }
  __device__ int first_chunk(int list) const { return work_.chunk_begin[list * (work_.tiles + 1) + tile_]; }
  __device__ int last_chunk(int list) const { return work_.chunk_begin[list * (work_.tiles + 1) + tile_ + 1]; }
  __device__ int zp() const { return ZP != 0 ? ZP : model_.zp; }
  __device__ int hp() const { return HP != 0 ? HP : model_.hp; }
  __device__ int uvp() const { return model_.lists * 2 * hp(); }

  const GraphModel& model_;
  const GraphWork& work_;
  int z_, tile_, begin_, n_;
};

template <class P, int MT, int ZP, int HP>
class Forward : Tile<ZP, HP> {
  using Base = Tile<ZP, HP>;
  using Number = typename P::Number;
  using Wide = typename P::Wide;
  using Base::at, Base::step_size, Base::each_row, Base::each_column, Base::first_chunk, Base::last_chunk, Base::uvp;
  using Base::is_jump, Base::is_skipped, Base::jump_of, Base::is_present, Base::set_ties;
  using Base::model_, Base::work_, Base::z_, Base::tile_, Base::begin_, Base::n_;

 public:
  __device__ Forward(const GraphModel& model, const GraphWork& work, int z, const GraphKept& kept, char* memory,
                     int scratch)
      : Base(model, work, z),
        kept_(kept),
        s_(memory, work.scratch + tile_ * static_cast<std::int64_t>(scratch), Base::zp(), Base::hp(), 16 * MT,
           kMaxStages) {}

  __device__ void run(int first, int last, bool last_slope, float* states, float* slopes) {
    const int zp = Base::zp(), count = 16 * MT * zp;
    bool failed = false;
    clear();
    each_row(
        [&](int row) { each_column([&](int c) { s_.y[row * zp + c] = c < z_ ? states[at(first, row, c)] : 0.0F; }); });
    __syncthreads();
    set_ties(s_.tie);
    __syncthreads();
    for (int step = first; step <= last; ++step) {
      if (step == last && !last_slope) break;
      const bool jump = is_jump(step);
      const bool skip = step < last && is_skipped(step);
      const int stages = jump || step == last ? 1 : work_.stages;  // node `last` has a slope but no step
      for (int stage = 0; stage < stages; ++stage) {
        const std::int64_t e = work_.evaluation(step) + stage - kept_.first, row0 = e * work_.rows + begin_;
        __syncwarp();  // columns of rests read another lane's y and k
        each_row([&](int row) {
          const float h = stage > 0 ? step_size(step, row) : 0.0F;
          each_column([&](int c) {
            const auto x = number_of(row, c, stage, h);
            put(s_.zs + row * s_.ldz + c, x);
            if constexpr (P::kKeeps)
              if (kept_.zs != nullptr) kept_zs()[(row0 + row) * (zp + Base::hp()) + c] = x;
          });
        });
        if (skip)
          leave_out(row0);
        else
          evaluate(e, row0, step);
        each_row([&](int row) {
          const float h = stage > 0 ? step_size(step, row) : 0.0F;
          const bool present = !skip && is_present(step, row);
          each_column([&](int c) {
            float slope = s_.out[row * s_.ldo + c];
            if (const int t = s_.tie[c]; t >= 0) {
              const GraphTie& tie = work_.tie[t];
              slope = (tie.remainder ? slope : 0.0F) + tie.factor * state_of(row, tie.velocity, stage, h);
            }
            if (!present) slope = 0;
            s_.k[stage * count + row * zp + c] = slope;
            if (stage == 0 && c < z_) slopes[at(step, row, c)] = slope;
            if constexpr (!P::kKeeps) failed |= !isfinite(slope);
          });
        });
      }
      if (step == last) break;
      __syncwarp();  // a tie reads another lane's y
      each_row([&](int row) {
        const float h = step_size(step, row);
        const std::int64_t j = jump ? jump_of(step, row) : -1;
        each_column([&](int c) {
          const int i = row * zp + c;
          // Eq. 1, next node: y + h sum_i b_i k_i
          float sum = 0;
          for (int s = 0; s < stages; ++s) sum += work_.b[s] * s_.k[s * count + i];
          float y = jump ? s_.y[i] : s_.y[i] + h * sum;
          if (j >= 0 && c < z_) y = __ldg(work_.keep + j * z_ + c) * y + __ldg(work_.add + j * z_ + c);
          s_.y[i] = y;
          if (c < z_) states[at(step + 1, row, c)] = y;
          if constexpr (!P::kKeeps) failed |= !isfinite(y);
        });
      });
    }
    if constexpr (!P::kKeeps) {
      failed = __syncthreads_or(failed);
      if (threadIdx.x == 0) work_.failed[tile_] = failed;
    }
  }

  // The evaluations of the steps taken backwards, each from the state after it, for the continuous adjoint: kept in
  // reverse order of their stages. Writes nothing else.
  __device__ void run_back(int first, int last, const float* states) {
    const int zp = Base::zp(), count = 16 * MT * zp;
    clear();
    for (int step = first; step < last; ++step) {
      each_row([&](int row) {
        each_column([&](int c) { s_.y[row * zp + c] = c < z_ ? states[at(step + 1, row, c)] : 0.0F; });
      });
      for (int stage = 0; stage < work_.stages; ++stage) {
        const std::int64_t e = work_.evaluation(step) + work_.stages - 1 - stage - kept_.first;
        const std::int64_t row0 = e * work_.rows + begin_;
        __syncthreads();
        each_row([&](int row) {
          const float h = stage > 0 ? -step_size(step, row) : 0.0F;
          each_column([&](int c) {
            const Number x = number_of(row, c, stage, h);
            put(s_.zs + row * s_.ldz + c, x);
            kept_zs()[(row0 + row) * (zp + Base::hp()) + c] = x;
          });
        });
        evaluate(e, row0, step);
        each_row([&](int row) {
          each_column([&](int c) { s_.k[stage * count + row * zp + c] = s_.out[row * s_.ldo + c]; });
        });
      }
    }
  }

 private:
  __device__ Number* kept_zs() const { return static_cast<Number*>(kept_.zs); }
  __device__ Number* kept_a1() const { return static_cast<Number*>(kept_.a1); }
  __device__ Number* kept_a2() const { return static_cast<Number*>(kept_.a2); }
  __device__ Wide* kept_uv() const { return static_cast<Wide*>(kept_.uv); }

  // Rows from n to 16 MT belong to no object and begin with zeros; what becomes of them nobody reads.
  __device__ void clear() {
    const int count = ForwardMemory<P, kSplit>::kParts * 16 * MT * s_.ldz;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) store_number(s_.zs + i, 0.0F);
  }
  // An element of zs.
  template <class T>
  __device__ void put(Number* to, T x) const {
    if constexpr (kSplit)
      store_split(to, s_.split_z, x);
    else
      *to = x;
  }

  // The state of a stage as a factor.
  __device__ auto number_of(int row, int c, int stage, float h) const {
    if constexpr (sizeof(Wide) == 4)
      return state_of(row, c, stage, h);
    else
      return c < z_ || c >= z_ + work_.precise ? __float2bfloat16(state_of(row, c, stage, h))
                                               : rest_of(state_of(row, c - z_, stage, h));
  }

  // Eq. 1, an element of the state of a stage: y + h sum_j a_ij k_j
  __device__ float state_of(int row, int c, int stage, float h) const {
    const int zp = Base::zp(), i = row * zp + c;
    float slope = 0;
    for (int j = 0; j < stage; ++j) slope += work_.a[stage][j] * s_.k[j * 16 * MT * zp + i];
    return s_.y[i] + h * slope;
  }

  // Zeros for the factors of an evaluation that nobody needs.
  __device__ void leave_out(std::int64_t row0) const {
    if (!P::kKeeps || kept_.zs == nullptr) return;
    this->clear_rows(kept_zs(), row0, Base::zp() + Base::hp());
    this->clear_rows(kept_a1(), row0, Base::hp());
    this->clear_rows(kept_a2(), row0, Base::hp());
    __syncthreads();
  }

  // The weights of a chunk's pairs at a node, for all threads after the next barrier.
  __device__ const float* pair_weights(int chunk, int node, int buffer) const {
    const float* weight = work_.weight + chunk * kChunk;
    if (work_.present == nullptr) return weight;
    for (int p = static_cast<int>(threadIdx.x); p < kChunk; p += kThreads) {
      const int source = __ldg(work_.source + chunk * kChunk + p);
      s_.weight(buffer)[p] = source != kNoRow && is_present(node, source) ? __ldg(weight + p) : 0.0F;
    }
    return s_.weight(buffer);
  }

  // Eq. 10: s_.out = dz/dt at the state in s_.zs. e: number of the evaluation, counted from kept_.first; row0: its
  // first row in the kept arrays; node: decides who is present.
  __device__ void evaluate(std::int64_t e, std::int64_t row0, int node) {
    const int zp = Base::zp(), hp = Base::hp(), wide = zp + hp;
    for (int group = warp_id(); group < hp / 16; group += kWarps)
      for_each_owned<MT>(group * 16, [&](int row, int col, int) {
        *reinterpret_cast<float2*>(s_.sum + row * s_.lds + col) = make_float2(0, 0);
      });
    int buffer = 0;
    for (int r = 0; r < model_.lists; ++r) {
      // Eq. 10, first layer of MLP_r, its linear part once per row: [u | v] = z W1 + b1
      {
        Product<MT, P> product(fragments(model_.w1 + r * 2 * hp / 16 * (zp / 16) * 256), 2 * hp / 16, zp / 16, zp / 16);
        if (r == 0) __syncthreads();
        product.template run<kSplit>(
            s_.zs, s_.ldz, [&](int column) { return Bias::load(model_.flat + model_.b1 + r * 2 * hp, column); },
            [&](int column, const Sums<MT>& sums, const Bias& bias) {
              for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int which) {
                const float2 b = bias.half[which >> 1 & 1];
                x = plus(x, b.x), y = plus(y, b.y);
                store_pair(s_.uv + row * s_.ldu + col, x, y);
                if (P::kKeeps && kept_.uv != nullptr && row < n_)
                  store_pair(kept_uv() + (row0 + row) * uvp() + r * 2 * hp + col, x, y);
              });
            },
            s_.split_z);
      }
      __syncthreads();
      for (int chunk = first_chunk(r); chunk < last_chunk(r); ++chunk, buffer ^= 1) {
        const int pairs = __ldg(work_.count + chunk);
        if (kSingle && chunk > first_chunk(r)) __syncthreads();  // wait until all threads are done with the previous h
        // A small tile has few pairs: only so many groups of 16 slots are computed. kAny: of any number; kSome: all or
        // half of them, unless signs are kept, which are those of all slots.
        constexpr bool kSome = MT == 1 && P::kSplits, kAny = kSome && !P::kKeeps;
        int groups = kChunk / 16;
        if (kAny)
          groups = (pairs + 15) / 16;
        else if (kSome && kept_.signs == nullptr && pairs <= kChunk / 2)
          groups = kChunk / 32;
        build_h<kSplit>(work_, chunk, pairs, s_.uv, s_.ldu, hp, s_.h(buffer), s_.ldh, static_cast<Number*>(nullptr),
                        s_.split_h, groups * 16);
        const float* weights = pair_weights(chunk, node, buffer);
        if (kAny && groups <= 1)
          second_layer<kAny ? 1 : kChunk / 16>(e, chunk, r, weights, buffer);
        else if (kSome && groups <= 2)
          second_layer<kSome ? 2 : kChunk / 16>(e, chunk, r, weights, buffer);
        else if (kAny && groups == 3)
          second_layer<kAny ? 3 : kChunk / 16>(e, chunk, r, weights, buffer);
        else
          second_layer<kChunk / 16>(e, chunk, r, weights, buffer);
      }
    }
    for (int group = warp_id(); group < hp / 16; group += kWarps)
      for_each_owned<MT>(group * 16, [&](int row, int col, int) {
        const float2 sum = *reinterpret_cast<const float2*>(s_.sum + row * s_.lds + col);
        if constexpr (kSplit) store_split_pair(s_.zs + row * s_.ldz + zp + col, s_.split_z, sum.x, sum.y);
        if constexpr (!P::kFloat && !kSplit) store_pair(s_.zs + row * s_.ldz + zp + col, sum.x, sum.y);
        if constexpr (P::kKeeps)
          if (kept_.zs != nullptr && row < n_) store_pair(kept_zs() + (row0 + row) * wide + zp + col, sum.x, sum.y);
      });
    // Eq. 10: dz_i/dt = MLP_o([z_i | sum_j w_ij e_ij])
    hidden(model_.o1, model_.c1, wide / 16, s_.zs, s_.ldz, s_.split_z, s_.a1, kept_a1(), row0);
    hidden(model_.o2, model_.c2, hp / 16, s_.a1, s_.ldh, s_.split_a, s_.a2, kept_a2(), row0);
    Product<MT, P> product(fragments(model_.o3), zp / 16, hp / 16, hp / 16);
    __syncthreads();
    product.template run<kSplit>(
        s_.a2, s_.ldh, [&](int column) { return Bias::load(model_.flat + model_.c3, column); },
        [&](int column, const Sums<MT>& sums, const Bias& bias) {
          for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int which) {
            const float2 b = bias.half[which >> 1 & 1];
            *reinterpret_cast<float2*>(s_.out + row * s_.ldo + col) = make_float2(plus(x, b.x), plus(y, b.y));
          });
        },
        s_.split_a);
    __syncthreads();
  }

  // Eq. 10, second layer of MLP_r for the first 16 PT slots of a chunk, from s_.h.
  template <int PT>
  __device__ void second_layer(std::int64_t e, int chunk, int r, const float* weights, int buffer) {
    const int hp = Base::hp();
    Product<PT, P> product(fragments(model_.w2[r]), hp / 16, hp / 16, hp / 16);
    __syncthreads();
    product.template run<kSplit>(
        s_.h(buffer), s_.ldh, [&](int column) { return Bias::load(model_.flat + model_.b2[r], column); },
        [&](int column, const Sums<PT>& sums, const Bias& bias) {
          messages<PT>(e, chunk, weights, column, sums, bias);
        },
        s_.split_h);
  }

  // Eq. 10: e_ij = ReLU(h W2 + b2) for the 16 columns from `column` (a group, see mma.cuh); writes the signs, and adds
  // w_ij e_ij to sum. Every lane votes on each of its 32 sums; word i of the group's 32 is the vote on sum i.
  template <int PT>
  __device__ void messages(std::int64_t e, int chunk, const float* weights, int column, const Sums<PT>& sums,
                           const Bias& bias) {
    Sums<PT> m;
#pragma unroll
    for (int mt = 0; mt < PT; ++mt)
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int q = 0; q < 4; ++q)
          m.c[mt][half][q] = plus(sums.c[mt][half][q], (q & 1) != 0 ? bias.half[half].y : bias.half[half].x);
    if (P::kKeeps && kept_.signs != nullptr) {
      std::uint32_t vote = 0;
#pragma unroll
      for (int mt = 0; mt < PT; ++mt)
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            const std::uint32_t above = __ballot_sync(0xffffffffU, m.c[mt][half][q] > 0);
            if (lane_id() == (mt * 2 + half) * 4 + q) vote = above;
          }
      kept_.signs[(e * work_.chunks + chunk) * 2 * Base::hp() + column * 2 + lane_id()] = vote;
    }
#pragma unroll
    for (int mt = 0; mt < PT; ++mt)
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int q = 0; q < 4; ++q) m.c[mt][half][q] = relu(m.c[mt][half][q]);
    Sums<MT> total;
    if constexpr (P::kSplits || P::kFloat) {
#pragma unroll
      for (int i = 0; i < 2 * PT; ++i) {
        const float weight = weights[i * 8 + (lane_id() >> 2)] * (P::kKeeps ? 1 : kActivationScale);
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int q = 0; q < 2; ++q) m.c[i >> 1][half][2 * (i & 1) + q] *= weight;
      }
      if constexpr (P::kKeeps)
        add_selected<MT, PT>(m, work_.target + chunk * kChunk, total);
      else
        add_selected_halves<MT, PT>(m, work_.target + chunk * kChunk, total);
    } else {
      add_selected<MT, PT>(m, work_.target + chunk * kChunk, weights, total);
    }
    constexpr float kScale = P::kKeeps ? 1 : 1 / kActivationScale;
    for_each_pair<MT>(column, total, [&](int row, int col, float x, float y, int) {
      add_pair(s_.sum + row * s_.lds + col, kScale * x, kScale * y);
    });
  }

  // out = ReLU(a W + b), also to `kept` if it is not null
  __device__ void hidden(int w, int b, int depth, const Number* a, int lda, int split, Number* out, Number* kept,
                         std::int64_t row0) {
    Product<MT, P> product(fragments(w), Base::hp() / 16, depth, depth);
    __syncthreads();
    product.template run<kSplit>(
        a, lda, [&](int column) { return Bias::load(model_.flat + b, column); },
        [&](int column, const Sums<MT>& sums, const Bias& bias) {
          for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int which) {
            const float2 v = bias.half[which >> 1 & 1];
            const float first = relu(plus(x, v.x)), second = relu(plus(y, v.y));
            if constexpr (kSplit)
              store_split_pair(out + row * s_.ldh + col, s_.split_a, first, second);
            else
              store_pair(out + row * s_.ldh + col, first, second);
            if constexpr (P::kKeeps)
              if (kept != nullptr && row < n_) store_pair(kept + (row0 + row) * Base::hp() + col, first, second);
          });
        },
        split);
  }

  // A product's sum, and a bias.
  __device__ static float plus(float sum, float bias) { return sum * P::kUnscale + bias; }

  // The fragments from an offset in elements of the weights on.
  __device__ const Number* fragments(int offset) const {
    return static_cast<const Number*>(model_.fragments) + P::kParts * offset;
  }

  static constexpr bool kSplit = is_split<P>(16 * MT);
  static constexpr bool kSingle = ForwardMemory<P, kSplit>::buffers(16 * MT) == 1;
  const GraphKept& kept_;
  ForwardMemory<P, kSplit> s_;
};

template <class P, int MT, int ZP, int HP>
class Backward : Tile<ZP, HP> {
  using Base = Tile<ZP, HP>;
  using Number = typename P::Number;
  using Wide = typename P::Wide;
  using Pair = typename P::Pair;
  using Base::at, Base::step_size, Base::each_row, Base::each_column, Base::first_chunk, Base::last_chunk, Base::uvp;
  using Base::is_jump, Base::is_skipped, Base::jump_of, Base::is_present, Base::set_ties;
  using Base::model_, Base::work_, Base::z_, Base::tile_, Base::begin_, Base::n_;

 public:
  __device__ Backward(const GraphModel& model, const GraphWork& work, int z, const GraphKept& kept,
                      const GraphGradients& gradients, char* memory, int scratch)
      : Base(model, work, z),
        kept_(kept),
        out_(gradients),
        s_(memory, work.scratch + tile_ * static_cast<std::int64_t>(scratch), Base::zp(), Base::hp(), 16 * MT) {
    const int hp = Base::hp(), lists = model.lists;
    float* bias = gradients.bias + static_cast<std::int64_t>(tile_) * model.biases;
    b1_ = bias, b2_ = b1_ + 2 * lists * hp, c1_ = b2_ + lists * hp, c2_ = c1_ + hp, c3_ = c2_ + hp;
  }

  __device__ void run(int first, int last, bool last_slope, const float* states, const float* dstates,
                      const float* dslopes) {
    const int zp = Base::zp();
    // Rows from n to 16 MT belong to no object and stay zero.
    for (int i = static_cast<int>(threadIdx.x); i < 16 * MT * s_.ldg; i += kThreads) store_number(s_.g + i, 0.0F);
    auto each = [&](const auto& body) {
      each_row([&](int row) { each_column([&](int c) { body(row, c, row * zp + c); }); });
    };
    auto incoming = [&](const float* from, int node, int row, int c) {
      return from != nullptr && c < z_ ? __ldg(from + at(node, row, c)) : 0.0F;
    };
    each([&](int row, int c, int i) { s_.lambda[i] = out_.lambda[(begin_ + row) * zp + c]; });
    set_ties(s_.tie);
    __syncthreads();
    // Node `last` has a slope but no step; a jump step has a slope and no length.
    for (int step = last_slope ? last : last - 1; step >= first; --step) {
      const bool jump = is_jump(step) && step < last, slope_only = jump || step == last;
      const bool skip = jump && is_skipped(step);
      const int stages = !slope_only ? work_.stages : dslopes != nullptr && !skip ? 1 : 0;
      if (skip) leave_out(work_.evaluation(step) - kept_.first);
      for (int stage = stages - 1; stage >= 0; --stage) {
        // Gradient of Eq. 1: dk_i = h (b_i lambda + sum over later stages l of a_li dz_l)
        evaluate_backward(work_.evaluation(step) + stage - kept_.first, step, [&](int row, int c, float h) {
          const int i = row * zp + c;
          float sum = work_.b[stage] * s_.lambda[i];
          for (int l = stage + 1; l < stages; ++l) sum += work_.a[l][stage] * s_.later(l)[i];
          return (slope_only ? 0.0F : h * sum) + (stage == 0 ? incoming(dslopes, step, row, c) : 0.0F);
        });
        if (stage > 0) each([&](int row, int c, int i) { s_.later(stage)[i] = s_.dz[row * s_.ldo + c]; });
      }
      each_row([&](int row) {
        const std::int64_t j = jump ? jump_of(step, row) : -1;
        each_column([&](int c) {
          const int i = row * zp + c;
          float sum = s_.lambda[i];
          if (j >= 0 && c < z_) {
            out_.dadd[j * z_ + c] = sum;
            out_.dkeep[j * z_ + c] = sum * __ldg(states + at(step, row, c));
            sum *= __ldg(work_.keep + j * z_ + c);
          }
          if (stages > 0) sum += s_.dz[row * s_.ldo + c];
          for (int l = 1; l < stages; ++l) sum += s_.later(l)[i];
          s_.lambda[i] = c < z_ ? sum + incoming(dstates, step, row, c) : 0.0F;
        });
      });
    }
    each([&](int row, int c, int i) { out_.lambda[(begin_ + row) * zp + c] = s_.lambda[i]; });
  }

 private:
  // For the sums that a lane owns, the activations that decide whether a gradient passes a ReLU.
  struct Masks {
    Pair pair[4 * MT];
  };

  __device__ const Number* kept_a1() const { return static_cast<const Number*>(kept_.a1); }
  __device__ const Number* kept_a2() const { return static_cast<const Number*>(kept_.a2); }
  __device__ const Wide* kept_uv() const { return static_cast<const Wide*>(kept_.uv); }
  __device__ Number* out(void* array) const { return static_cast<Number*>(array); }
  __device__ const Number* transposed(int offset) const {
    return static_cast<const Number*>(model_.transposed) + P::kParts * offset;
  }

  // Zeros for the factors of an evaluation that nobody needed.
  __device__ void leave_out(std::int64_t e) const {
    const std::int64_t row0 = e * work_.rows + begin_;
    constexpr int kVector = 16 / sizeof(Number);
    this->clear_rows(out(out_.g), row0, Base::zp());
    this->clear_rows(out(out_.d2), row0, Base::hp());
    this->clear_rows(out(out_.d1), row0, Base::hp());
    this->clear_rows(out(out_.duv), row0, uvp());
    for (int r = 0; r < model_.lists; ++r) {
      const std::int64_t begin = (e * work_.chunks + first_chunk(r)) * kChunk * Base::hp();
      const int count = (last_chunk(r) - first_chunk(r)) * kChunk * Base::hp() / kVector;
      for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
        reinterpret_cast<uint4*>(out(out_.h) + begin)[i] = uint4{0, 0, 0, 0};
        reinterpret_cast<uint4*>(out(out_.de) + begin)[i] = uint4{0, 0, 0, 0};
      }
    }
  }

  static constexpr bool kFar = BackwardMemory<P>::is_far(16 * MT);

  // Starts the copy of [u | v] of a list to shared memory.
  __device__ void fetch_uv(std::int64_t row0, int list) const {
    if (kFar) return;
    const int vectors = 2 * Base::hp() / 8;
    for (int row = warp_id(); row < n_; row += kWarps)
      for (int v = lane_id(); v < vectors; v += 32)
        copy_ahead(s_.uv(list & 1) + row * s_.ldu + v * 8,
                   kept_uv() + (row0 + row) * uvp() + list * 2 * Base::hp() + v * 8);
    end_copies();
  }

  // Prefetches the data of evaluation e from global memory to the second-level cache.
  __device__ void expect(std::int64_t e) const {
    if (e < 0) return;
    const std::int64_t row0 = e * work_.rows + begin_;
    constexpr int kLine = 128 / sizeof(Number);  // elements of a cache line
    auto ask = [](const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); };
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < (n_ * Base::hp() + kLine - 1) / kLine; i += kThreads) {
      ask(kept_a1() + row0 * Base::hp() + i * kLine);
      ask(kept_a2() + row0 * Base::hp() + i * kLine);
    }
    for (int i = thread; i < (n_ * uvp() + kLine - 1) / kLine; i += kThreads) ask(kept_uv() + row0 * uvp() + i * kLine);
    for (int r = 0; r < model_.lists; ++r) {
      const int words = (last_chunk(r) - first_chunk(r)) * 2 * Base::hp();
      const std::uint32_t* signs = kept_.signs + (e * work_.chunks + first_chunk(r)) * 2 * Base::hp();
      for (int i = thread * 32; i < words; i += kThreads * 32) ask(signs + i);
    }
  }

  // Backward of evaluation e: s_.dz = J' dk; writes the factors of the weight gradients. e is counted from kept_.first;
  // dk(row, column, h) is called with the row's size h of step `step`, 0 where there is none. Rows that are absent at
  // node `step` have no gradient.
  template <class Dk>
  __device__ void evaluate_backward(std::int64_t e, int step, const Dk& dk) {
    const int zp = Base::zp(), hp = Base::hp();
    const std::int64_t row0 = e * work_.rows + begin_;
    expect(e - 1);
    fetch_uv(row0, 0);
    if (model_.lists > 1)
      fetch_uv(row0, 1);
    else
      end_copies();
    const auto size_of = [&](int row) { return step < work_.steps ? step_size(step, row) : 0.0F; };
    each_row([&](int row) {
      const float h = size_of(row);
      const bool present = is_present(step, row);
      each_column([&](int c) {
        const int t = s_.tie[c];
        const bool network = present && c < z_ && (t < 0 || work_.tie[t].remainder);
        const float x = network ? dk(row, c, h) : 0.0F;
        store_number(s_.g + row * s_.ldg + c, x);
        store_number(out(out_.g) + (row0 + row) * zp + c, x);
      });
    });
    masked(model_.o3, zp / 16, s_.g, s_.ldg, kept_a2(), s_.d2, out(out_.d2), row0);
    add_column_sums(s_.g, s_.ldg, MT, zp / 16, c3_);
    masked(model_.o2, hp / 16, s_.d2, s_.ldh, kept_a1(), s_.d1, out(out_.d1), row0);
    add_column_sums(s_.d2, s_.ldh, MT, hp / 16, c2_);
    {
      Product<MT, P> product(transposed(model_.o1), (zp + hp) / 16, hp / 16, hp / 16);
      __syncthreads();
      product.run(
          s_.d1, s_.ldh, [](int) { return Nothing(); },
          [&](int column, const Sums<MT>& sums, Nothing) {
            for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int) {
              float* to = col < zp ? s_.dz + row * s_.ldo + col : s_.dsum + row * s_.lds + col - zp;
              *reinterpret_cast<float2*>(to) = make_float2(x, y);
            });
          });
      add_column_sums(s_.d1, s_.ldh, MT, hp / 16, c1_);
    }
    int buffer = 0;
    for (int r = 0; r < model_.lists; ++r) list_backward(e, row0, step, r, buffer);
    __syncthreads();
    if (work_.ties == 0) return;
    each_row([&](int row) {
      const float h = size_of(row);
      if (is_present(step, row))
        for (int t = lane_id(); t < work_.ties; t += 32)
          s_.dz[row * s_.ldo + work_.tie[t].velocity] += work_.tie[t].factor * dk(row, work_.tie[t].position, h);
    });
    __syncwarp();
  }

  // Backward of the messages of list r at a node: adds to s_.dz.
  __device__ void list_backward(std::int64_t e, std::int64_t row0, int node, int r, int& buffer) {
    const int zp = Base::zp(), hp = Base::hp();
    for (int group = warp_id(); group < 2 * hp / 16; group += kWarps)
      for_each_owned<MT>(group * 16, [&](int row, int col, int) {
        *reinterpret_cast<float2*>(s_.duv + row * s_.ldd + col) = make_float2(0, 0);
      });
    if (r >= 2) {
      __syncthreads();  // list r - 2 used this buffer: wait until all threads are done with it
      fetch_uv(row0, r);
    }
    if (r == 0)
      wait_copies<1>();
    else
      wait_copies<0>();
    __syncthreads();
    for (int chunk = first_chunk(r); chunk < last_chunk(r); ++chunk, buffer ^= 1) {
      const int pairs = __ldg(work_.count + chunk);
      const std::int64_t slot = (e * work_.chunks + chunk) * kChunk;
      // Wait until all threads are done with the previous de, and with the previous h where there is one buffer.
      if (P::kFloat && chunk > first_chunk(r)) __syncthreads();
      build_h(work_, chunk, pairs, kFar ? kept_uv() + row0 * uvp() + r * 2 * hp : s_.uv(r & 1), kFar ? uvp() : s_.ldu,
              hp, s_.h(buffer), s_.ldh, out(out_.h) + slot * hp);
      if (!P::kFloat && chunk > first_chunk(r)) __syncthreads();
      build_de(chunk, pairs, node, kept_.signs + (e * work_.chunks + chunk) * 2 * hp, s_.de, out(out_.de) + slot * hp);
      Product<kChunk / 16, P> product(transposed(model_.w2[r]), hp / 16, hp / 16, hp / 16);
      __syncthreads();
      // dh = de W2', masked by h's ReLU; du_target += dh, dv_source += dh
      product.run(
          s_.de, s_.ldh, [](int) { return Nothing(); },
          [&](int column, const Sums<kChunk / 16>& sums, Nothing) {
            Sums<kChunk / 16> dh;
            for_each_pair<kChunk / 16>(column, sums, [&](int row, int col, float x, float y, int which) {
              const float2 h = P::floats(load_pair(s_.h(buffer) + row * s_.ldh + col));
              float* d = dh.c[which >> 2][which >> 1 & 1] + 2 * (which & 1);
              d[0] = h.x > 0 ? x : 0, d[1] = h.y > 0 ? y : 0;
            });
            Sums<MT> du, dv;
            if constexpr (P::kFloat) {
              add_selected<MT, kChunk / 16>(dh, work_.target + chunk * kChunk, du);
              add_selected<MT, kChunk / 16>(dh, work_.source + chunk * kChunk, dv);
            } else {
              add_selected<MT, kChunk / 16>(dh, work_.target + chunk * kChunk, nullptr, du);
              add_selected<MT, kChunk / 16>(dh, work_.source + chunk * kChunk, nullptr, dv);
            }
            for_each_pair<MT>(column, du, [&](int row, int col, float x, float y, int) {
              add_pair(s_.duv + row * s_.ldd + col, x, y);
            });
            for_each_pair<MT>(column, dv, [&](int row, int col, float x, float y, int) {
              add_pair(s_.duv + row * s_.ldd + hp + col, x, y);
            });
          });
      add_column_sums(s_.de, s_.ldh, kChunk / 16, hp / 16, b2_ + r * hp);
    }
    // No barrier is needed: the lane that reads an element here is the one that added to it. Column groups of du and of
    // dv have the same owner.
    for (int group = warp_id(); group < hp / 16; group += kWarps)
      for (int side = 0; side < 2; ++side)
        for_each_owned<MT>(side * hp + group * 16, [&](int row, int col, int) {
          const float2 d = *reinterpret_cast<const float2*>(s_.duv + row * s_.ldd + col);
          if constexpr (!P::kFloat) store_pair(s_.factor + row * s_.ldu + col, d.x, d.y);
          if (row < n_) store_pair(out(out_.duv) + (row0 + row) * uvp() + r * 2 * hp + col, d.x, d.y);
        });
    // dz += [du | dv] W1'
    Product<MT, P> product(transposed(model_.w1 + r * (2 * hp / 16) * 256), zp / 16, 2 * hp / 16, uvp() / 16);
    __syncthreads();
    product.run(
        s_.factor, s_.ldu, [](int) { return Nothing(); },
        [&](int column, const Sums<MT>& sums, Nothing) {
          for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int) {
            add_pair(s_.dz + row * s_.ldo + col, x, y);
          });
        });
    add_column_sums(s_.factor, s_.ldu, MT, hp / 16, b1_ + r * 2 * hp);
    __syncthreads();
  }

  // out = a W' where mask > 0, else 0: gradient before a ReLU. Also to `kept`.
  __device__ void masked(int w, int depth, const Number* a, int lda, const Number* mask, Number* out, Number* kept,
                         std::int64_t row0) {
    Product<MT, P> product(transposed(w), Base::hp() / 16, depth, depth);
    __syncthreads();
    product.run(
        a, lda,
        [&](int column) {
          Masks m;
          for_each_owned<MT>(column, [&](int row, int col, int which) {
            m.pair[which] =
                row < n_ ? __ldcs(reinterpret_cast<const Pair*>(mask + (row0 + row) * Base::hp() + col)) : Pair{};
          });
          return m;
        },
        [&](int column, const Sums<MT>& sums, const Masks& masks) {
          for_each_pair<MT>(column, sums, [&](int row, int col, float x, float y, int which) {
            const float2 m = P::floats(masks.pair[which]);
            const float first = m.x > 0 ? x : 0, second = m.y > 0 ? y : 0;
            store_pair(out + row * s_.ldh + col, first, second);
            if (row < n_) store_pair(kept + (row0 + row) * Base::hp() + col, first, second);
          });
        });
  }

  // de = w_ij dsum_target where e > 0, zeros in empty slots. [kChunk, Hp], also to `out`.
  __device__ void build_de(int chunk, int pairs, int node, const std::uint32_t* signs, Number* de, Number* out) {
    const int hp = Base::hp(), vectors = hp / 8;
    for (int i = static_cast<int>(threadIdx.x); i < kChunk * vectors; i += kThreads) {
      const int p = i / vectors, c = (i - p * vectors) * 8;
      float r[8] = {};
      if (p < pairs) {
        const float* dsum = s_.dsum + __ldg(work_.target + chunk * kChunk + p) * s_.lds + c;
        const float weight = is_present(node, __ldg(work_.source + chunk * kChunk + p))
                                 ? __ldg(work_.weight + chunk * kChunk + p)
                                 : 0.0F;
        // Finds the bits as Forward::messages() voted: one word per sum that a lane owns, one bit per lane.
        const int word = c / 16 * 32 + (p / 16 * 2 + c / 8 % 2) * 4 + (p % 16 < 8 ? 0 : 2), shift = p % 8 * 4;
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(signs + word));
        const std::uint32_t even = words.x >> shift, odd = words.y >> shift;
        const float4 x = *reinterpret_cast<const float4*>(dsum), y = *reinterpret_cast<const float4*>(dsum + 4);
        r[0] = (even & 1U) != 0 ? weight * x.x : 0.0F, r[1] = (odd & 1U) != 0 ? weight * x.y : 0.0F;
        r[2] = (even & 2U) != 0 ? weight * x.z : 0.0F, r[3] = (odd & 2U) != 0 ? weight * x.w : 0.0F;
        r[4] = (even & 4U) != 0 ? weight * y.x : 0.0F, r[5] = (odd & 4U) != 0 ? weight * y.y : 0.0F;
        r[6] = (even & 8U) != 0 ? weight * y.z : 0.0F, r[7] = (odd & 8U) != 0 ? weight * y.w : 0.0F;
      }
      store_eight(de + p * s_.ldh + c, r);
      store_eight(out + p * hp + c, r);
    }
  }

  const GraphKept& kept_;
  const GraphGradients& out_;
  BackwardMemory<P> s_;
  float *b1_, *b2_, *c1_, *c2_, *c3_;
};

extern __shared__ __align__(16) char shared_memory[];

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, !P::kKeeps && MT <= 2 && HP != 0 ? 2 : 1)
    forward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z, int scratch,
                   int first, int last, bool last_slope, float* states, float* slopes,
                   const __grid_constant__ GraphKept kept) {
  if (work.only != nullptr && work.only[blockIdx.x] == 0) return;
  Forward<P, MT, ZP, HP>(model, work, z, kept, shared_memory, scratch).run(first, last, last_slope, states, slopes);
}

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, 1)
    forward_back_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z,
                        int scratch, int first, int last, const float* states, const __grid_constant__ GraphKept kept) {
  Forward<P, MT, ZP, HP>(model, work, z, kept, shared_memory, scratch).run_back(first, last, states);
}

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, 1)
    backward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z,
                    int scratch, int first, int last, bool last_slope, const float* states, const float* dstates,
                    const float* dslopes, const __grid_constant__ GraphKept kept,
                    const __grid_constant__ GraphGradients gradients) {
  Backward<P, MT, ZP, HP>(model, work, z, kept, gradients, shared_memory, scratch)
      .run(first, last, last_slope, states, dstates, dslopes);
}

struct PackedMatrices {
  PackedMatrix of[kMaxLists + 4];
};

// A fragment of B is a block of kDeep rows and 16 columns, stored as 16 consecutive bytes per lane. bf16: of the lane's
// column two neighbouring rows, then the two rows 8 further down; then the same for the column 8 further right.
// Float32: of the lane's column one row and that 4 further down, then the same 8 columns further right; big parts in
// one fragment, small ones in the next.
template <class P>
__global__ void pack_kernel(const float* flat, const PackedMatrices matrices, void* fragments, void* transposed) {
  constexpr int kElements = P::kFloat ? 4 : 8;  // per lane
  const PackedMatrix m = matrices.of[blockIdx.y];
  const int total = m.inputs * m.outputs, count = transposed != nullptr ? 2 * total : total;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const bool flip = i >= total;
    const int at = flip ? i - total : i, rows = flip ? m.outputs : m.inputs;
    const int element = at % kElements, lane = at / kElements % 32, tile = at / (kElements * 32);
    const int depth = rows / P::kDeep, first = tile % depth * P::kDeep;
    int row, column = tile / depth * 16 + (lane >> 2);
    if constexpr (P::kFloat)
      row = first + (lane & 3) + (element & 1) * 4, column += (element & 2) * 4;
    else
      row = first + (lane & 3) * 2 + (element & 1) + (element & 2) * 4, column += (element & 4) * 2;
    const float x = flip ? flat[m.offset + column * m.outputs + row] : flat[m.offset + row * m.outputs + column];
    auto* to = static_cast<typename P::Number*>(flip ? transposed : fragments);
    if constexpr (!P::kKeeps) {
      to += P::kParts * (m.offset + tile * kElements * 32) + lane * kElements + element;
      to[0] = __float2half_rn(x * kWeightScale);
      to[kElements * 32] = __float2half_rn(x * kWeightScale - __half2float(to[0]));
    } else if constexpr (P::kFloat) {
      const Split split(x);
      to += P::kParts * (m.offset + tile * kElements * 32) + lane * kElements + element;
      to[0] = split.big;
      if constexpr (P::kParts == 2) to[kElements * 32] = split.small;
    } else {
      store_number(to + m.offset + at, x);
    }
  }
}

// Launches the kernels of P. Default sizes have their own.
template <class P>
struct Launcher {
  // Calls body(kernel) with the member of Kernels for tiles of at most `rows` rows.
  template <template <class, int, int, int> class Kernels, class Body>
  static cudaError_t with(const GraphModel& model, int rows, const Body& body) {
    if (rows == 64) return body(Kernels<P, 4, 0, 0>::kernel());
    if (rows == kMaxRows) {
      if constexpr (Kernels<P, 8, 0, 0>::kExists) return body(Kernels<P, 8, 0, 0>::kernel());
      return cudaErrorInvalidValue;
    }
    const bool usual = model.hp == kUsualHidden;
    if (usual && model.zp == kUsualState) return of<Kernels, kUsualState, kUsualHidden>(rows, body);
    if (usual && model.zp == kAssimilating) return of<Kernels, kAssimilating, kUsualHidden>(rows, body);
    if constexpr (!P::kFloat)
      if (usual && model.zp == kAssimilatingMore) return of<Kernels, kAssimilatingMore, kUsualHidden>(rows, body);
    return of<Kernels, 0, 0>(rows, body);
  }
  template <template <class, int, int, int> class Kernels, int ZP, int HP, class Body>
  static cudaError_t of(int rows, const Body& body) {
    return rows == 16 ? body(Kernels<P, 1, ZP, HP>::kernel()) : body(Kernels<P, 2, ZP, HP>::kernel());
  }

  static GraphMemory memory(const GraphModel& model, int rows) {
    return is_split<P>(rows) ? memory_of<P::kSplits>(model, rows) : memory_of<false>(model, rows);
  }
  template <bool SPLIT>
  static GraphMemory memory_of(const GraphModel& model, int rows) {
    const ForwardMemory<P, SPLIT> forward(nullptr, nullptr, model.zp, model.hp, rows, kMaxStages);
    if constexpr (!P::kKeeps) return {forward.arena.used, 0, forward.far.used};
    const BackwardMemory<P> backward(nullptr, nullptr, model.zp, model.hp, rows);
    return {forward.arena.used, backward.arena.used,
            forward.far.used > backward.far.used ? forward.far.used : backward.far.used};
  }

  static cudaError_t pack(const float* flat, const PackedMatrix* matrices, int count, void* fragments, void* transposed,
                          cudaStream_t stream) {
    PackedMatrices all;
    if (count > static_cast<int>(sizeof all.of / sizeof all.of[0])) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i) all.of[i] = matrices[i];
    pack_kernel<P><<<dim3(64, count), 256, 0, stream>>>(flat, all, fragments, transposed);
    return cudaGetLastError();
  }

  template <class Kernel, class... Arguments>
  static cudaError_t launch(Kernel kernel, int blocks, int shared, cudaStream_t stream, const Arguments&... arguments) {
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    if (error != cudaSuccess) return error;
    kernel<<<blocks, kThreads, shared, stream>>>(arguments...);
    return cudaGetLastError();
  }

  static cudaError_t forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                             bool last_slope, float* states, float* slopes, const GraphKept& kept,
                             cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<ForwardKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.forward, stream, model, work, z, need.scratch, first, last, last_slope,
                    states, slopes, kept);
    });
  }

  static cudaError_t forward_back(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                                  const float* states, const GraphKept& kept, cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<ForwardBackKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.forward, stream, model, work, z, need.scratch, first, last, states, kept);
    });
  }

  static cudaError_t backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                              bool last_slope, const float* states, const float* dstates, const float* dslopes,
                              const GraphKept& kept, const GraphGradients& gradients, cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<BackwardKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.backward, stream, model, work, z, need.scratch, first, last, last_slope,
                    states, dstates, dslopes, kept, gradients);
    });
  }

  static constexpr GraphKernels kernels() { return {memory, pack, forward, forward_back, backward}; }
  static constexpr GraphKernels forward_only() { return {memory, pack, forward, nullptr, nullptr}; }

 private:
  template <class Q, int MT, int ZP, int HP>
  struct ForwardKernel {
    static constexpr bool kExists = true;
    static auto kernel() { return forward_kernel<Q, MT, ZP, HP>; }
  };
  template <class Q, int MT, int ZP, int HP>
  struct ForwardBackKernel {
    static constexpr bool kExists = !Q::kFloat;
    static auto kernel() { return forward_back_kernel<Q, MT, ZP, HP>; }
  };
  template <class Q, int MT, int ZP, int HP>
  struct BackwardKernel {
    static constexpr bool kExists = !Q::kFloat;  // in float32 tiles of 128 rows do not fit into shared memory
    static auto kernel() { return backward_kernel<Q, MT, ZP, HP>; }
  };
};

}  // namespace
}  // namespace lgode::ops::cuda
