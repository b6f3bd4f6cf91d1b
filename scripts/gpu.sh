#!/usr/bin/env bash
# Builds with CUDA. Needs a GPU, nvcc and a LibTorch with CUDA (one in a Python installation is found automatically).
#   scripts/gpu.sh [CMake flags]                  build
#   scripts/gpu.sh test [CMake flags]             build and run the GPU tests; a skip is a failure
#   scripts/gpu.sh sanitize [CMake flags]         build and check the kernels with compute-sanitizer: memory and races;
#                                                 the reports are in build/cuda/sanitize
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
    # Tensors of the tests get memory directly from the driver, so that an access past the end of one is found. racecheck
    # cannot follow some kernels of cuBLAS, so it runs only operators that do not call cuBLAS.
    export PYTORCH_NO_CUDA_MEMORY_CACHING=1
    operators='*Segment*:*Dropout*:*TimeEncoding*:*Attention*'
    logs=build/cuda/sanitize
    rm -rf "$logs" && mkdir -p "$logs"
    # Checks run at once, because a check of small kernels leaves most of the GPU and all but one core idle.
    names=() running=() begin=$SECONDS
    trap '((${#running[@]} == 0)) || kill "${running[@]}" 2>/dev/null || true' EXIT
    start() {
      names+=("$1")
      timeout "${LGODE_SANITIZE_SECONDS:-3600}" compute-sanitizer --error-exitcode 9 --tool "${@:2}" >"$logs/$1.log" 2>&1 &
      running+=($!)
    }
    # Not large-products: the same kernels as products, over more rows.
    for part in solve-bf16 solve-tf32 solve-float32 solve-halves attention "products weights" "rows sequences segments"; do
      # shellcheck disable=SC2086
      start "racecheck-${part// /-}" racecheck build/cuda/bin/cuda_kernel_check $part
    done
    start memcheck-kernels memcheck build/cuda/bin/cuda_kernel_check
    start synccheck-kernels synccheck build/cuda/bin/cuda_kernel_check
    start racecheck-operators racecheck --kernel-name kernel_substring=lgode build/cuda/bin/gpu_tests --gtest_brief=1 \
      --gtest_filter="$operators"
    start memcheck-operators memcheck build/cuda/bin/gpu_tests --gtest_brief=1 \
      --gtest_filter="$operators:*Solve*:*Objective*"
    failed=0
    for i in "${!names[@]}"; do
      status=0
      wait "${running[i]}" || status=$?
      echo "${names[i]}: exit $status, after $((SECONDS - begin)) s; $(tail -1 "$logs/${names[i]}.log")"
      ((status == 0)) || failed=1
    done
    exit $failed
    ;;
esac
