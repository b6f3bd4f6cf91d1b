#!/usr/bin/env bash
# The package as others get it: pip install without a network, then used outside the sources.
#   python/tests/pip_install.sh BUILD_FOLDER SCRATCH_FOLDER PYTHON --modules FOLDER   with modules that are built there
#   python/tests/pip_install.sh BUILD_FOLDER SCRATCH_FOLDER PYTHON    builds them against the library, which it installs
#     from the build folder first: some minutes
set -euo pipefail
build=$1 scratch=$(realpath -m "$2") python=$3
shift 3
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if ! "$python" -c 'import setuptools, wheel' 2>/dev/null || ! "$python" -m pip --version >/dev/null 2>&1; then
  echo "skipped: $python has no pip, setuptools or wheel"
  exit 77
fi
rm -rf "$scratch"
mkdir -p "$scratch"
if [[ "${1:-}" == --modules ]]; then
  export LGODE_MODULES=$2
else
  cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
  export LGODE_PREFIX=$scratch/prefix LGODE_BUILD=$scratch/build
fi
unset PYTHONPATH
"$python" -m pip install "$source" --quiet --no-index --no-deps \
  --no-build-isolation --no-warn-script-location --disable-pip-version-check --target "$scratch/site"
cd "$scratch"
PYTHONPATH=$scratch/site "$python" - "$scratch" <<'CODE'
import os, sys
import numpy as np
import lgode
assert lgode.__file__.startswith(sys.argv[1]), lgode.__file__
folder = os.path.dirname(lgode.__file__)
assert os.path.exists(os.path.join(folder, "py.typed")) and os.path.exists(os.path.join(folder, "_model.pyi"))
data = lgode.simulate("springs", train=12, test=3, horizon=20)
model = lgode.Model(task="extrapolate").fit(data, epochs=1, threads=1, device="cpu", progress=False)
print(model.predict(data.test, start=2, times=np.arange(2, 3, 0.5)).head(3))
print("lgode", lgode.__version__, "from", folder)
CODE
rm -rf "$scratch"
