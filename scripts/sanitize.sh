#!/usr/bin/env bash
# Runs the operator tests under the address and undefined-behaviour sanitizers (preset asan), then under the thread
# sanitizer (preset tsan). A program with a deliberate race first checks that the thread sanitizer finds races.
#   scripts/sanitize.sh [googletest flags]     JOBS=n compile jobs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${JOBS:-$(nproc)}
# Tests set the number of threads of the operators themselves.
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

build() {  # preset, targets
  local preset=$1
  shift
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --parallel "$jobs" --target "$@"
}

build asan ops_tests
echo "== address and undefined behaviour"
build/asan/bin/ops_tests --gtest_brief=1 "$@"

build tsan ops_tests tsan_race
# The thread sanitizer's shadow memory needs the address layout without randomisation.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi
export TSAN_OPTIONS="suppressions=$PWD/tests/sanitize/tsan.supp"
echo "== threads"
found=$("${fixed[@]}" build/tsan/bin/tsan_race 2>&1 || true)
if [[ "$found" != *"ThreadSanitizer: data race"* ]]; then
  echo "sanitize: the race in tests/sanitize/race.cpp was not found; its program said: $found" >&2
  exit 1
fi
"${fixed[@]}" build/tsan/bin/ops_tests --gtest_brief=1 "$@"
