#!/usr/bin/env bash
# Computes the paper's tables on a GPU, in one or several calls: builds, lets trainings share the GPU if NVIDIA's MPS is
# available, continues with what FOLDER holds, and stops after SECONDS with checkpoints.
#   experiments/gpu_tables.sh FOLDER SECONDS [flags of lgode reproduce, such as --motion FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if (($# < 2)); then
  sed -n '2,4s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
folder=$1 seconds=$2
shift 2
begin=$SECONDS
# Build for this GPU only, which is faster.
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)-real
scripts/gpu.sh -DLGODE_BENCHMARKS=OFF -DLGODE_TESTS=OFF -DLGODE_CUDA_ARCHITECTURES="$architecture" >/dev/null
if command -v nvidia-cuda-mps-control >/dev/null; then
  export CUDA_MPS_PIPE_DIRECTORY=${CUDA_MPS_PIPE_DIRECTORY:-/tmp/lgode-mps} CUDA_MPS_LOG_DIRECTORY=${CUDA_MPS_LOG_DIRECTORY:-/tmp/lgode-mps}
  mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
  nvidia-cuda-mps-control -d 2>/dev/null && trap 'echo quit | nvidia-cuda-mps-control >/dev/null' EXIT
fi
source scripts/python_libtorch.sh
left=$((seconds - (SECONDS - begin)))
status=0
timeout --signal INT "$((left > 1 ? left : 1))" \
  build/cuda/bin/lgode reproduce --scale paper --device cuda --out "$folder" "$@" || status=$?
# 124: the time is over, as intended.
((status == 124 || status == 130)) && exit 0
exit "$status"
