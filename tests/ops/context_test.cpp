// Contexts: a scope applies its settings and restores the previous ones.
#include "lgode/ops/context.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "lgode/core/error.h"
#include "lgode/ops/graph_rk.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {
namespace {

TEST(ContextTest, AScopeAppliesAndPutsBack) {
  const int threads = at::get_num_threads();
  Context context;
  context.threads = threads + 2;
  {
    const ContextScope outer(context.with_gradients(Precision::kBf16));
    EXPECT_EQ(at::get_num_threads(), threads + 2);
    EXPECT_TRUE(at::GradMode::is_enabled());
    {
      const ContextScope inner(context.without_gradients());
      EXPECT_FALSE(at::GradMode::is_enabled());
    }
    EXPECT_TRUE(at::GradMode::is_enabled());
  }
  EXPECT_EQ(at::get_num_threads(), threads);
}

TEST(ContextTest, ResultsAreFloat32AndTrainingMayRound) {
  const Context context;
  EXPECT_EQ(context.precision, Precision::kFloat32);
  EXPECT_EQ(context.with_gradients(Precision::kBf16).precision, Precision::kBf16);
  EXPECT_EQ(context.with_gradients(Precision::kBf16).without_gradients().precision, Precision::kFloat32);
  EXPECT_EQ(context.with_gradients(Precision::kBf16).spare, context.spare);
}

TEST(ContextTest, PrecisionFollowsTheDevice) {
  const at::Device gpu(at::kCUDA, 0);
  EXPECT_EQ(pick_precision(Precision::kAuto, at::kCPU), Precision::kFloat32);
  EXPECT_EQ(pick_precision(Precision::kAuto, gpu), Precision::kBf16);
  EXPECT_EQ(pick_precision(Precision::kBf16, gpu), Precision::kBf16);
  EXPECT_EQ(pick_precision(Precision::kFloat32, at::kCPU), Precision::kFloat32);
  if (has_bf16(at::kCPU)) {
    EXPECT_EQ(pick_precision(Precision::kBf16, at::kCPU), Precision::kBf16);
    EXPECT_EQ(pick_precision(Precision::kBf16, at::kCPU, /*saved=*/true), Precision::kBf16);
  } else {
    EXPECT_THROW(pick_precision(Precision::kBf16, at::kCPU), ConfigError);
    EXPECT_EQ(pick_precision(Precision::kBf16, at::kCPU, /*saved=*/true), Precision::kFloat32);
  }
}

TEST(ContextTest, NamesItsMachine) {
  EXPECT_NE(machine_name({.threads = 3}).find("3 threads"), std::string::npos);
  EXPECT_NE(machine_name({.threads = 1}).find("1 thread"), std::string::npos);
  EXPECT_GE(make_context("cpu", 0).threads, 1);
  EXPECT_EQ(make_context("cpu", 1).threads, 1);
  EXPECT_LE(make_context("cpu", 1'000'000).threads, make_context("cpu", 0).threads);
  if (!at::hasCUDA()) {
    EXPECT_THROW(make_context("cuda", 0), ConfigError);
  }
}

TEST(SpareMemoryTest, KeepsTheLargestBlock) {
  SpareMemory spare;
  SpareMemory::Block small = spare.take(100), large = spare.take(std::int64_t{5} << 20);
  ASSERT_GE(small.bytes, 100);
  ASSERT_GE(large.bytes, std::int64_t{5} << 20);
  const std::byte* address = large.memory.get();
  spare.give_back(std::move(small));
  spare.give_back(std::move(large));
  EXPECT_EQ(spare.take(1000).memory.get(), address);
}

TEST(UploadTest, ListsWhatItUploads) {
  Upload upload;
  const at::Tensor a = upload(std::vector<std::int64_t>{1, 2, 3}), b = upload(at::zeros({2, 2}));
  upload(at::Tensor());
  upload.shaped_by(7);
  ASSERT_EQ(upload.tensors().size(), 2U);
  EXPECT_EQ(upload.tensors()[0].data_ptr(), a.data_ptr());
  EXPECT_EQ(upload.shape(), (std::vector<std::int64_t>{7, 3, 2, 2}));
  const at::Tensor c = upload.written<float>({2, 3}, [](float* to) { std::iota(to, to + 6, 1.0F); });
  EXPECT_TRUE(at::equal(c, at::arange(1, 7, at::kFloat).view({2, 3})));
  EXPECT_EQ(upload.tensors().back().data_ptr(), c.data_ptr());
}

// On helper threads LibTorch is serial, whatever it is elsewhere.
TEST(ContextTest, LibTorchIsSerialOnHelperThreads) {
  const int before = at::get_num_threads();
  Helpers& threads = helpers();
  EXPECT_EQ(at::get_num_threads(), before);
  EXPECT_EQ(threads.run([] { return at::get_num_threads(); }).get(), 1);
  at::set_num_threads(before + 1);
  EXPECT_EQ(threads.run([] { return at::get_num_threads(); }).get(), 1);
  at::set_num_threads(before);
  EXPECT_EQ(&helpers(), &threads);
}

}  // namespace
}  // namespace lgode::ops
