// The gradient of graph_forward.cuh for one tile: the steps in reverse, each evaluation's backward from what the
// forward kept. Writes one factor of every weight gradient and adds up the bias gradients; graph_rk.cpp forms the
// products.
#pragma once

#include "ops/cuda/graph_memory.cuh"
#include "ops/cuda/graph_tile.cuh"

namespace lgode::ops::cuda {
namespace {

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

  // Zeros for the factors of an evaluation that was not needed.
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

}  // namespace
}  // namespace lgode::ops::cuda
