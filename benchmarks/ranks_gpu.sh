#!/usr/bin/env bash
# Measures ranks on one GPU against the plain run with the same global batch, and writes scaling-gpu.json into FOLDER:
# NCCL with one rank, with the sum around the captured step and inside it, and Gloo with two ranks on the GPU.
#   benchmarks/ranks_gpu.sh FOLDER [CMake flags]
# Builds with CUDA first (scripts/gpu.sh says what that needs). Then: cp FOLDER/scaling-gpu.json experiments/benchmarks/
# and experiments/include_tables.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if (($# < 1)); then
  echo "usage: benchmarks/ranks_gpu.sh FOLDER [CMake flags]" >&2
  exit 2
fi
folder=$1
shift
source scripts/python_libtorch.sh
cmake --preset cuda "$@"
cmake --build --preset cuda -j "$(nproc)" --target lgode reduce_bench
mkdir -p "$folder"
python3 benchmarks/scaling.py gpu --bin build/cuda/bin --out "$folder/scaling-gpu.json"
