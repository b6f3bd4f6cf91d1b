// How gradients flow through a solve. No LibTorch here: options name these, too.
#pragma once

namespace lgode::ode {

enum class Gradient {
  kRecompute,  // exact through the discrete steps; one state a step is kept, stages are computed again (default)
  kStored,     // exact through the discrete steps; everything is kept
  kAdjoint,    // continuous adjoint, solved backwards over the same nodes with the same rule (Chen et al., 2018)
};

}  // namespace lgode::ode
