// The kernels of graph_kernel.h with float32 factors.
#include "ops/cuda/graph_kernels.h"
#include "ops/cuda/graph_launch.cuh"

namespace lgode::ops::cuda {

const GraphKernels kFloat32Kernels = Launcher<Float32>::kernels();

}  // namespace lgode::ops::cuda
