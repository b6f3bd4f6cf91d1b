#!/usr/bin/env bash
# Fuzzes the readers of foreign files (fuzz/), starting from valid seeds, and reports the coverage.
#   scripts/fuzz.sh              all targets, two at a time
#   scripts/fuzz.sh asf amc      these
#   FUZZ_SECONDS=30              seconds per target
#   FUZZ_JOBS=2                  targets at a time
#   FUZZ_COVERAGE=0              do not count lines, which needs a separate build
#   FUZZ_BIN=folder              use the programs in this folder instead of building them
#   FUZZ_RECORD=file.json        also write what the fuzzers counted (tests/reliability/fuzz_record.py)
#   FUZZ_SECONDS=1200 FUZZ_RECORD=experiments/reliability/fuzz.json scripts/fuzz.sh    made docs/reliability.md's table
# The corpus grows in build/fuzz/corpus and is reused; findings stay in build/fuzz/findings. Exits with 1 if there is a
# finding. gcov counts the lines that the corpus reaches. Needs clang with libFuzzer (scripts/setup.sh --fuzz).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${FUZZ_SECONDS:-30}
jobs=${FUZZ_JOBS:-2}
targets=("$@")
if ((${#targets[@]} == 0)); then targets=(amc asf benchmark checkpoint config csv npy safetensors); fi
work=build/fuzz
bin=${FUZZ_BIN:-$work/bin}
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
fixtures=tests/fixtures

say() { printf 'fuzz: %s\n' "$*"; }

if ! command -v clang++ >/dev/null; then
  say "no clang++ here; scripts/setup.sh --fuzz installs it" >&2
  exit 2
fi

# Valid files as a starting point.
seeds() {
  case "$1" in
    asf | amc) ls "$fixtures"/motion/*."$1" ;;
    npy) ls "$fixtures"/npy/*.npy ;;
    benchmark | checkpoint | config | csv | safetensors) ls "fuzz/seeds/$1"/* ;;
    *)
      say "unknown target '$1'" >&2
      return 2
      ;;
  esac
}

# The sources whose lines are counted for a target.
sources() {
  case "$1" in
    asf) echo asf.cpp motion_text.cpp ;;
    amc) echo amc.cpp kinematics.cpp motion_text.cpp ;;
    npy) echo npy.cpp pickle.cpp ;;
    benchmark) echo tracks.cpp forecast_file.cpp ;;
    checkpoint) echo run_info.cpp safetensors.cpp ;;
    config) echo options.cpp ;;
    csv) echo csv/{block,cursor,file,layout,read}.cpp table/{assemble,cell,edge_rows,edges,import}.cpp time_text.cpp ;;
    safetensors) echo safetensors.cpp dataset_file.cpp dataset.cpp ;;
  esac
}

build() {
  local preset=$1 prefix=$2
  mkdir -p build
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "${JOBS:-$jobs}" \
    --target "${targets[@]/#/$prefix}"; } >"build/$preset.log" 2>&1; then
    tail -n 30 "build/$preset.log" >&2
    say "the $preset build failed" >&2
    exit 2
  fi
}

# Runs one target; the table below is read from its log.
fuzz() {
  local target=$1 corpus=$work/corpus/$1 file
  mkdir -p "$corpus" "$work/findings"
  while read -r file; do cp "$file" "$corpus/seed-$(basename "$file")"; done < <(seeds "$target")
  printf 'lgode: target %s, commit %s\n' "$target" "$commit" >"$work/$target.log"
  "$bin/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
    -dict="fuzz/dictionaries/$target.dict" -artifact_prefix="$work/findings/$target-" "$corpus" \
    >>"$work/$target.log" 2>&1 || echo "$target" >>"$work/failed"
}

for target in "${targets[@]}"; do seeds "$target" >/dev/null; done
if [[ -z "${FUZZ_BIN:-}" ]]; then build fuzz fuzz_; fi
say "${#targets[@]} targets, $seconds s each, $jobs at a time"
rm -f "$work/failed"
for target in "${targets[@]}"; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
  fuzz "$target" &
done
wait

# Counts the lines that the corpus reaches.
coverage=${FUZZ_COVERAGE:-1}
if ((coverage)); then
  build coverage replay_
  find build/coverage -name '*.gcda' -delete
fi
lines_of() {
  if ((!coverage)); then
    echo "not counted"
    return
  fi
  local target=$1 source
  find build/coverage/src -name '*.gcda' -delete
  "build/coverage/bin/replay_$target" --any "$work/corpus/$target" >/dev/null
  for source in $(sources "$target"); do
    find build/coverage/src -path "*/$source.gcda" -print0 | xargs -0 -r gcov -n 2>/dev/null |
      awk -v source="$source" '/^File/ { mine = $0 ~ "/" source "\x27$" }
        mine && /^Lines executed/ { split($2, part, "[:%]"); print part[2], $NF; exit }'
  done | awk '{ hit += $1 / 100 * $2; all += $2 } END { if (all) printf "%.0f %% of %d", 100 * hit / all, all; else print "-" }'
}

printf '\n  %-12s %12s %10s %8s %22s %18s\n' target executions 'per second' corpus 'edges of the program' 'lines of readers'
for target in "${targets[@]}"; do
  log=$work/$target.log
  stat() { awk -v name="stat::$1:" '$1 == name { value = $2 } END { print value + 0 }' "$log"; }
  edges=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d ' ' -f 2 || true)
  all=$(grep -oE '\([0-9]+ inline 8-bit counters\)' "$log" | grep -oE '[0-9]+' | head -n 1 || true)
  printf '  %-12s %12s %10s %8s %22s %18s\n' "$target" "$(stat number_of_executed_units)" \
    "$(stat average_exec_per_sec)" "$(find "$work/corpus/$target" -type f | wc -l)" "${edges:-0} of ${all:-?}" "$(lines_of "$target")"
done

if [[ -n "${FUZZ_RECORD:-}" ]]; then tests/reliability/fuzz_record.py "$work" "$FUZZ_RECORD" "${targets[@]}"; fi

if [[ -f "$work/failed" ]]; then
  while read -r target; do
    say "finding in $target:"
    grep -E 'ERROR|SUMMARY|Test unit written|runtime error' "$work/$target.log" || tail -n 5 "$work/$target.log"
  done <"$work/failed"
  exit 1
fi
say "no finding"
