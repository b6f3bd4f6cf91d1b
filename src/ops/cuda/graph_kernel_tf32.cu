// The kernels of graph_kernel.h with factors rounded to tf32.
#include "ops/cuda/graph_kernels.h"
#include "ops/cuda/graph_launch.cuh"

namespace lgode::ops::cuda {

const GraphKernels kTf32Kernels = Launcher<Tf32>::kernels();

}  // namespace lgode::ops::cuda
