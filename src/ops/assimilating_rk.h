// The reference of assimilating_rk() in lgode/ops/graph_rk.h; arguments are checked there. `impl`: of the field.
#pragma once

#include "lgode/ops/graph_rk.h"

namespace lgode::ops::reference {

ode::Trajectory assimilating_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                                const ode::StepPlan& plan, const ode::Tableau& rule, const Assimilation& assimilation,
                                Impl impl);

}  // namespace lgode::ops::reference
