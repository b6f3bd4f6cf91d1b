#!/bin/sh
# Builds with CUDA and runs the GPU tests, on a machine that has a GPU, nvcc and a LibTorch with CUDA (that of a Python
# installation is found by itself).
set -eu
cd "$(dirname "$0")/.."
if [ -z "${CMAKE_PREFIX_PATH:-}" ] && python3 -c 'import torch' 2>/dev/null; then
  CMAKE_PREFIX_PATH=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')
  export CMAKE_PREFIX_PATH
fi
cmake --preset cuda "$@"
cmake --build --preset cuda -j "$(nproc)"
