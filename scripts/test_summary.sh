#!/usr/bin/env bash
# The summary that `make test` prints: number of tests, the slowest tests, and the kernels that the numeric test
# programs used.
#   BUILD   the build folder (build/release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${BUILD:-build/release}
log=$build/Testing/Temporary/LastTest.log
[[ -f "$log" ]] || exit 0

# CTest counts programs, which hold many tests each: count the lines that the programs print.
awk '
  /^\[==========\] [0-9]+ tests? from .* ran/ { ran += $2; programs++ }
  /^\[  SKIPPED \] [0-9]+ tests?/ { skipped += $4 }
  /^\[       OK \]/ {
    name = $4; ms = $0
    if (match(ms, /\([0-9]+ ms\)/)) { split(substr(ms, RSTART + 1, RLENGTH - 2), part, " "); if (part[1] > time[name]) time[name] = part[1] }
  }
  END {
    for (name in time) distinct++
    printf "\n%d tests ran in %d programs, %d of them skipped; %d different ones passed\n", ran, programs, skipped, distinct
    for (name in time) printf "%s %s\n", time[name], name | "sort -rn | head -n 10 | awk '\''BEGIN { print \"the slowest, in seconds:\" } { printf \"  %6.1f  %s\\n\", $1 / 1000, $2 }'\''"
  }' "$log"

# Each test program writes a file, unless it was skipped because the processor lacks the instructions it needs.
if compgen -G "$build/kernels/*" >/dev/null; then
  echo "kernels of the numeric tests:"
  for file in "$build"/kernels/*; do printf '%s\t%s\n' "$(basename "$file")" "$(cat "$file")"; done |
    awk -F '\t' '{ split($1, part, "."); if ($2 !~ /not linked/ || !(part[1] in line)) line[part[1]] = $2; programs[part[1]] = programs[part[1]] " " part[2] }
      END { for (name in line) printf "  %-18s %s (%s)\n", name, line[name], substr(programs[name], 2) }' | sort
fi
grep -h '^skipped: this processor' "$log" | sort | uniq -c | sed 's/^ *\([0-9]*\) skipped: /  \1 programs skipped: /' || true
