#!/usr/bin/env bash
# Builds with CUDA. Needs a GPU, nvcc and a LibTorch with CUDA (that of a Python installation is found automatically).
#   scripts/gpu.sh [CMake flags]                  build
#   scripts/gpu.sh test [CMake flags]             build and run the GPU tests; a skip is a failure
#   scripts/gpu.sh sanitize [CMake flags]         build and check the kernels with compute-sanitizer: memory and races
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
what=build
case "${1:-}" in test | sanitize) what=$1 && shift ;; esac
source scripts/python_libtorch.sh
cmake --preset cuda "$@"
case $what in
  build) cmake --build --preset cuda -j "$(nproc)" ;;
  test)
    cmake --build --preset cuda -j "$(nproc)" --target lgode gpu_tests cuda_kernel_check
    ctest --preset cuda -L gpu
    ;;
  sanitize)
    cmake --build --preset cuda -j "$(nproc)" --target gpu_tests cuda_kernel_check
    export LGODE_REQUIRE_GPU=1
    # First every kernel on its own, then the tests of the operators. These allocate memory directly from the driver, so
    # that an access past the end of a tensor is found. racecheck cannot follow some kernels of cuBLAS, so it runs only
    # operators that do not call cuBLAS.
    export PYTORCH_NO_CUDA_MEMORY_CACHING=1
    for tool in memcheck racecheck synccheck; do
      echo "== $tool, kernels by themselves"
      compute-sanitizer --tool "$tool" --error-exitcode 9 build/cuda/bin/cuda_kernel_check
    done
    operators='*Segment*:*Dropout*:*TimeEncoding*:*Attention*'
    echo "== racecheck, operators"
    compute-sanitizer --tool racecheck --kernel-name kernel_substring=lgode --error-exitcode 9 build/cuda/bin/gpu_tests --gtest_brief=1 \
      --gtest_filter="$operators"
    echo "== memcheck, operators"
    compute-sanitizer --tool memcheck --error-exitcode 9 build/cuda/bin/gpu_tests --gtest_brief=1 --gtest_filter="$operators:*Solve*:*Objective*"
    ;;
esac
