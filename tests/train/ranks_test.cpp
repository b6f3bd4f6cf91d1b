// What a rank reads and draws, with ranks in one process: no sum is made, and rank 0's messages are kept for rank 1.
#include "lgode/train/ranks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <deque>
#include <set>

#include "lgode/data/dataset.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

class Pretended : public Ranks {
 public:
  Pretended(int rank, int size, std::deque<at::Tensor>& told) : rank_(rank), size_(size), told_(told) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size_; }
  std::string name(int rank) const override { return "rank " + std::to_string(rank); }
  std::string backend() const override { return "gloo"; }
  void sum(at::Tensor& /*tensor*/) override {}
  void broadcast(at::Tensor& tensor) override {
    if (rank_ == 0) {
      told_.push_back(tensor.clone());
    } else {
      tensor.copy_(told_.front());
      told_.pop_front();
    }
  }
  using Ranks::broadcast;
  using Ranks::sum;
  void watch(const StopFlag* /*own*/) override {}
  const StopFlag& stop() const override { return stop_; }
  std::optional<std::string> lost() const override { return {}; }
  bool writes() const override { return rank_ == 0; }
  void fail(const std::string& /*why*/) override {}
  void end() override {}
  void leave() override {}

 private:
  int rank_, size_;
  std::deque<at::Tensor>& told_;
  StopFlag stop_;
};

// Systems whose times and values are on memory pages of their own, which can be locked: reading them is then an error
// that ends the program.
class PagedSet {
 public:
  static constexpr std::int64_t kSystems = 24, kRows = 512, kFeatures = 2;

  PagedSet() {
    times_ = pages(kSystems * kRows), values_ = pages(kSystems * kRows * kFeatures);
    for (std::int64_t s = 0; s < kSystems; ++s)
      for (std::int64_t k = 0; k < kRows; ++k) {
        const double t = 6.0 * static_cast<double>(k) / kRows;
        times_[s * kRows + k] = t;
        double* value = values_ + (s * kRows + k) * kFeatures;
        value[0] = std::sin(t + 0.3 * static_cast<double>(s)), value[1] = std::cos(t + 0.3 * static_cast<double>(s));
      }
    for (std::int64_t s = 0; s <= kSystems; ++s) offsets_.push_back(s), rows_.push_back(s * kRows);
    relations_.assign(kSystems + 1, 0), parts_.assign(kSystems, 0), origins_.assign(kSystems, 0.0);
  }
  ~PagedSet() {
    ::munmap(times_, kSystems * kRows * sizeof(double));
    ::munmap(values_, kSystems * kRows * kFeatures * sizeof(double));
  }
  PagedSet(const PagedSet&) = delete;
  PagedSet& operator=(const PagedSet&) = delete;

  data::Dataset set() const { return {description(), arrays(), nullptr, "paged"}; }
  data::Dataset set(const data::Dataset::Facts& facts) const { return {description(), arrays(), nullptr, facts}; }

  void lock(std::int64_t system, bool locked) const {
    const int rights = locked ? PROT_NONE : PROT_READ | PROT_WRITE;
    ASSERT_EQ(::mprotect(times_ + system * kRows, kRows * sizeof(double), rights), 0);
    ASSERT_EQ(::mprotect(values_ + system * kRows * kFeatures, kRows * kFeatures * sizeof(double), rights), 0);
  }

 private:
  static double* pages(std::int64_t numbers) {
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(numbers) * sizeof(double), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return static_cast<double*>(memory);
  }
  static data::Description description() {
    data::Description about;
    about.name = "paged";
    about.features = {{"x", "", 0, -1}, {"v", "", 1, 0}};
    about.relation_types = {"any"};
    about.time_scale = about.conditioning_length = 6.0;
    about.max_length = about.min_length = kRows;
    return about;
  }
  data::Dataset::Arrays arrays() const {
    return {.object_offsets = offsets_,
            .observation_offsets = rows_,
            .relation_offsets = relations_,
            .times = {times_, kSystems * kRows},
            .values = {values_, kSystems * kRows * kFeatures},
            .relation_sources = {},
            .relation_targets = {},
            .relation_types = {},
            .relation_weights = {},
            .parts = parts_,
            .origins = origins_};
  }

  double *times_ = nullptr, *values_ = nullptr;
  std::vector<std::int64_t> offsets_, rows_, relations_;
  std::vector<std::uint8_t> parts_;
  std::vector<double> origins_;
};

RunConfig config() {
  RunConfig c;
  c.model.encoder_width = 4, c.model.sequence_width = 3, c.model.latent = 2, c.model.augment = 1, c.model.hidden = 3;
  c.model.step = 0.5;
  c.task.centre = data::Centre::kNone, c.task.observed = 0.1;
  c.train.epochs = 1, c.train.batch = 6;
  return c;
}

TEST(RanksTest, ARankReadsOnlyTheSystemsOfItsSteps) {
  const PagedSet paged;
  const data::Dataset checked = paged.set();
  const data::Dataset::Facts facts = checked.facts();
  std::deque<at::Tensor> told;
  Pretended first(0, 2, told), second(1, 2, told);
  Trainer reader(config(), checked, {}, nullptr, nullptr, &first);
  // Which these are follows from the parts and the seed.
  const StepMaker shares(reader.model(), reader.maker(), data::split_parts(reader.maker()).train, 6, config().train, {},
                         {1, 2});
  const StepMaker others(reader.model(), reader.maker(), data::split_parts(reader.maker()).train, 6, config().train, {},
                         {0, 2});
  std::set<std::int64_t> own;
  for (const std::int64_t step : {0, 1, 2})  // two are made ahead
    for (const std::int64_t s : shares.systems_of(step)) own.insert(s);
  EXPECT_LT(own.size(), 14U);
  for (const std::int64_t step : {0, 1, 2})
    EXPECT_LE(
        std::abs(static_cast<int>(shares.systems_of(step).size()) - static_cast<int>(others.systems_of(step).size())),
        1);

  for (std::int64_t s = 0; s < PagedSet::kSystems; ++s) paged.lock(s, true);
  {
    Trainer trainer(config(), paged.set(facts), {}, nullptr, nullptr, &second);
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(trainer.start().train_systems, reader.start().train_systems);
    EXPECT_EQ(trainer.maker().normalisation().scale, reader.maker().normalisation().scale);
    EXPECT_TRUE(trainer.model().parameters().flat().equal(reader.model().parameters().flat()));
    for (const std::int64_t s : own) paged.lock(s, false);
    trainer.step();
    EXPECT_EQ(trainer.progress().step, 1);
  }
  for (std::int64_t s = 0; s < PagedSet::kSystems; ++s) paged.lock(s, false);
}

TEST(RanksTest, SharesMakeUpTheStep) {
  const PagedSet paged;
  Trainer one(config(), paged.set(), {});
  const std::vector<std::int64_t> train = data::split_parts(one.maker()).train;
  const StepMaker whole(one.model(), one.maker(), train, 5, config().train, {});
  for (const int size : {1, 2, 3, 7})
    for (std::int64_t step = 0; step < whole.steps_per_epoch(); ++step) {
      std::multiset<std::int64_t> all;
      for (int rank = 0; rank < size; ++rank) {
        const StepMaker part(one.model(), one.maker(), train, 5, config().train, {}, {rank, size});
        const std::vector<std::int64_t> own = part.systems_of(step);
        all.insert(own.begin(), own.end());
        EXPECT_TRUE(part.make(step).rates.defined());
      }
      const std::vector<std::int64_t> expected = whole.systems_of(step);
      EXPECT_EQ(all, std::multiset<std::int64_t>(expected.begin(), expected.end()));
    }
}

// The sum over the systems of parts of a batch equals the batch's, so that one sum over ranks gives its mean.
TEST(RanksTest, SumsOverPartsAddUp) {
  const PagedSet paged;
  Trainer trainer(config(), paged.set(), {});
  model::Model& model = trainer.model();
  const StepMaker steps(model, trainer.maker(), {0, 1, 2, 3, 4}, 5, config().train, {});
  const auto take = [&](const std::vector<std::int64_t>& systems, Over over) {
    const StepInput in = steps.make(steps.batch_of(systems, 0), 0);
    const Objective o = differentiate(model, in, over);
    return std::pair{o, model.parameters().flat_grad().clone()};
  };
  const auto [mean, gradient] = take({0, 1, 2, 3, 4}, Over::kMean);
  const auto [a, first] = take({3, 0}, Over::kSum);
  const auto [b, second] = take({1, 4, 2}, Over::kSum);
  EXPECT_EQ((a.systems + b.systems).item<double>(), 5.0);
  EXPECT_NEAR(((a.loss + b.loss) / 5).item<double>(), mean.loss.item<double>(),
              1e-5 * std::abs(mean.loss.item<double>()));
  const at::Tensor together = (first + second) / 5;
  EXPECT_LT((together - gradient).norm().item<double>(), 1e-5 * gradient.norm().item<double>());
}

}  // namespace
}  // namespace lgode::train
