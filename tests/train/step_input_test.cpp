// What a step is made of, and how steps are prepared ahead.
#include "lgode/train/step_input.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/prefetch.h"
#include "lgode/model/decay.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/ode_rnn.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

// Everything in a step that depends on its batch is in the upload, so that a captured step can be replayed with
// another batch.
TEST(StepInputTest, EveryTensorOfAStepIsInTheUploadsList) {
  const data::Dataset set = small_set();
  for (const char* kind : {"lg-ode", "latent-ode", "weight-decay"}) {
    RunConfig config = small_config();
    config.task.unseen = data::Unseen::kPredict;  // lets it borrow from others
    config.model.kind = std::string(kind) == "lg-ode"       ? model::ModelKind::kLgOde
                        : std::string(kind) == "latent-ode" ? model::ModelKind::kLatentOde
                                                            : model::ModelKind::kWeightDecay;
    const auto model = model::make_model(config.model, shape_for(set, config), 1);
    const data::BatchMaker maker(set, data::fit_normalisation(set, data::normalisation_systems(set, config.task)),
                                 config.task);
    const StepMaker steps(*model, maker, {0, 1, 2, 3}, 4, config.train, {});
    const StepInput in = steps.make(0);
    ASSERT_TRUE(in.has_targets);
    std::set<const void*> listed;
    for (const at::Tensor& t : in.uploaded.tensors()) listed.insert(t.data_ptr());
    const model::BatchTensors& b = in.batch;
    ASSERT_TRUE(b.borrowing.any());
    const auto* rollout = dynamic_cast<const model::OdeRollout*>(in.rollout.get());
    ASSERT_NE(rollout, nullptr);
    std::vector<at::Tensor> others{rollout->from, rollout->ahead.readings->terms.index,
                                   rollout->ahead.readings->terms.weight};
    for (const ops::PairGraph::List& list : rollout->ahead.pairs.lists)
      others.insert(others.end(), {list.target, list.source, list.target_offsets, list.weight});
    if (const auto* turns = dynamic_cast<const model::SeriesTurns*>(b.encoder_input.get()))
      others.insert(others.end(), {turns->gaps, turns->rows});
    if (const auto* decay = dynamic_cast<const model::DecayInput*>(b.encoder_input.get()))
      for (const model::SystemGroup& g : decay->groups)
        others.insert(others.end(), {g.rows, g.present, g.place, g.slots, g.relations});
    for (const at::Tensor& t : others) {
      EXPECT_TRUE(!t.defined() || listed.contains(t.data_ptr())) << kind << " " << t.sizes();
    }
    for (const at::Tensor& t :
         {b.inputs, b.times, b.observation_offsets, b.object_offsets, b.target_offsets, b.target_values, b.target_mask,
          b.target_seen, b.borrowing.objects, b.borrowing.offsets, b.borrowing.sources, in.noise, in.rates})
      EXPECT_TRUE(listed.contains(t.data_ptr())) << kind << " " << t.sizes();
  }
}

TEST(StepInputTest, AnEpochsStepsShowEverySystemOnce) {
  const data::Dataset set = small_set();
  const RunConfig config = small_config();
  const auto model = model::make_model(config.model, shape_for(set, config), 1);
  const data::BatchMaker maker(set, data::fit_normalisation(set, {0}), config.task);
  const StepMaker steps(*model, maker, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 4, config.train, {});
  ASSERT_EQ(steps.steps_per_epoch(), 3);
  std::vector<std::vector<std::int64_t>> orders;
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    std::vector<std::int64_t> all;
    for (std::int64_t k = 0; k < 3; ++k)
      for (const std::int64_t s : steps.systems_of(3 * epoch + k)) all.push_back(s);
    EXPECT_EQ(all.size(), 10U);
    EXPECT_EQ(std::set<std::int64_t>(all.begin(), all.end()).size(), 10U);
    orders.push_back(all);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_EQ(steps.systems_of(2).size(), 2U);
}

TEST(PrefetchTest, ComesInOrderAndStaysWithinItsBound) {
  std::atomic<int> started{0};
  Helpers helpers(3);
  Prefetch<int> values(
      helpers,
      [&](std::int64_t i) {
        ++started;
        if (i == 7) throw DataError("seven");
        return static_cast<int>(i * i);
      },
      3, 9, 2);
  EXPECT_EQ(values.take(), 9);
  EXPECT_LE(started, 2);
  values.fill();
  values.settle();
  EXPECT_LE(started, 3);
  EXPECT_EQ(values.take(), 16);
  EXPECT_EQ(values.take(), 25);
  EXPECT_EQ(values.take(), 36);
  EXPECT_THROW(values.take(), DataError);
  EXPECT_EQ(values.take(), 64);
  EXPECT_THROW(values.take(), std::out_of_range);
}

}  // namespace
}  // namespace lgode::train
