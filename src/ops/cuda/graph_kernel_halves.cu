// The forward of graph_kernel.h with float32 factors as sums of two f16 numbers.
#include "ops/cuda/graph_kernels.h"
#include "ops/cuda/graph_launch.cuh"

namespace lgode::ops::cuda {

const GraphKernels kHalvesKernels = Launcher<Halves>::forward_only();

}  // namespace lgode::ops::cuda
