// The forward of one block (legend: graph_kernel.h): the Runge-Kutta steps of Eq. 1 around evaluations of Eq. 10, for
// one tile. run() takes all steps; run_back() makes the evaluations that the continuous adjoint needs. A file of 350
// lines with one class: an evaluation is a chain of products that share the arrays of graph_memory.cuh, whose barriers
// can only be checked in one place.
#pragma once

#include "ops/cuda/graph_memory.cuh"
#include "ops/cuda/graph_tile.cuh"

namespace lgode::ops::cuda {
namespace {

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

  // Rows from n to 16 MT belong to no object and begin with zeros; their results are not read.
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

  // Zeros for the factors of an evaluation that is not needed.
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
        // A small tile has few pairs: only these groups of 16 slots are computed. kAny: of any number; kSome: all or
        // half of them, unless signs are kept, which cover all slots.
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

}  // namespace
}  // namespace lgode::ops::cuda
