#!/usr/bin/env bash
# Installs a build, builds examples/ against the installed tree alone, and runs it.
#   tests/install/example.sh BUILD_FOLDER SCRATCH_FOLDER [CMake flags]
set -euo pipefail
build=$1 scratch=$(realpath -m "$2")
shift 2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/install.log"
# A copy of the example outside the sources: nothing of them can be found by accident.
cp -r "$source/examples" "$scratch/examples"
cmake -S "$scratch/examples" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix;${CMAKE_PREFIX_PATH:-}" "$@" > "$scratch/configure.log"
if grep -rq "$source" "$scratch/prefix/lib/cmake"; then
  echo "the installed package names the folder that it was built from:"
  grep -rn "$source" "$scratch/prefix/lib/cmake"
  exit 1
fi
cmake --build "$scratch/build"
"$scratch/build/forecast" | tee "$scratch/output.txt"
# Thirty epochs are enough that a forecast of two seconds lies near the truth.
awk '/^epoch/ { last = $NF } /^t / { n++; e = $4 - $NF; if (e < 0) e = -e; if (e > worst) worst = e }
     END { print "forecasts:", n, " largest error:", worst, " validation:", last; exit !(n == 4 && worst < 0.15) }' "$scratch/output.txt"
"$scratch/prefix/bin/lgode" --version
rm -rf "$scratch"
