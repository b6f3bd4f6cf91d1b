#!/usr/bin/env bash
# The Python package with a newer PyTorch: builds it against the LibTorch of `python3`'s torch, with the pybind11 that
# torch ships, then imports both in both orders and fits a tiny model (on the GPU, where there is one).
#   scripts/python_gpu_check.sh [CMake flags]        PYTHON=/path/to/python3 selects another Python
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-$(command -v python3)}
build=${LGODE_BUILD:-build/python-gpu}
prefix=$("$python" -c 'import torch; print(torch.utils.cmake_prefix_path)')
"$python" -c 'import numpy' || {
  echo "python_gpu_check: $python needs numpy (and pandas for tables)"
  exit 1
}
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DLGODE_TESTS=OFF -DLGODE_BENCHMARKS=OFF \
  -DLGODE_PYTHON="$python" -DCMAKE_PREFIX_PATH="$prefix" "$@"
grep -q '^LGODE_PYTHON_PACKAGE:INTERNAL=ON' "$build/CMakeCache.txt" || {
  echo "python_gpu_check: the package is not configured; see what CMake said about Python above"
  exit 1
}
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target lgode_python_package
export PYTHONPATH=$PWD/$build/python
check() {
  "$python" - "$@" <<'CODE'
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
import numpy as np
import torch
import lgode
from lgode import ops
data = lgode.simulate("springs", train=40, test=8, horizon=30)
model = lgode.Model(task="extrapolate").fit(data, epochs=2, progress=False)
arrays = model.predict(data.test, times=np.arange(3.0, 4.0, 0.25), output="arrays")
assert all(np.isfinite(p.mean).all() for p in arrays), "a forecast is not finite"
x = torch.randn(6, 4, requires_grad=True)
total = ops.segment_sum(x, torch.tensor([0, 2, 6]))
total.sum().backward()
assert torch.equal(x.grad, torch.ones_like(x)), "the gradient of segment_sum is wrong"
y = torch.nn.Linear(4, 1)(torch.from_numpy(arrays[0].mean))
y.sum().backward()
if torch.cuda.is_available():
    on_gpu = ops.segment_sum(x.detach().cuda(), torch.tensor([0, 2, 6]).cuda())
    assert torch.allclose(on_gpu.cpu(), total.detach()), "segment_sum differs on the GPU"
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libtorch_cpu" in line}
assert len(loaded) == 1, f"two LibTorch in one process: {loaded}"
print(f"fine: {' then '.join(sys.argv[1:])}; torch {torch.__version__}, lgode on {model.device}, error {model.result['best_validation']:.3g}")
CODE
}
check torch lgode
check lgode torch
check lgode._engine torch
