// How gradients of a solve are computed. Free of LibTorch, because option parsing includes it.
#pragma once

namespace lgode::ode {

enum class Gradient {
  kRecompute,  // exact for the discrete steps; keeps one state per step and computes its stages again (default)
  kStored,     // exact for the discrete steps; keeps everything
  kAdjoint,    // continuous adjoint, solved backwards over the same nodes with the same rule (Chen et al., 2018)
};

}  // namespace lgode::ode
