#!/usr/bin/env bash
# Copies result tables into the docs: replaces the text between "<!-- begin FILE -->" and "<!-- end -->" by FILE,
# without its title and with headings one level lower, or by "Not recorded yet." if there is no such file. First makes
# the README's summary, the places of the rows, and the tables of intervals, reliability and scaling
# (place_table.py, interval_table.py, training_table.py, reliability_table.py and scaling_table.py of this folder, which
# need Python 3), and thins the learning curves of the records (thin_curves.py).
#   experiments/include_tables.sh            writes
#   experiments/include_tables.sh --check    exits with 1 if a page is not up to date
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=0
case "${1:-}" in
  "") ;;
  --check) check=1 ;;
  *)
    echo "include_tables: unknown argument '$1'; usage: experiments/include_tables.sh [--check]" >&2
    exit 2
    ;;
esac

# Our model and LG-ODE at 60 % observed, next to the paper's number and the classical baselines for the task.
summary() {
  echo "| 60 % observed | springs | charged | motion |"
  echo "|---|---|---|---|"
  awk -F ' *[|] *' '
    function put(name) { print "| " name " | " $4 " | " $7 " | " $10 " |" }
    /^## / { task = $0; sub(/^## /, "", task) }
    /^[|] [*]/ { row = $2 }
    $2 == "**LG-ODE**" { put("**" task ": LG-ODE**") }
    $2 == "in the paper" && row == "**LG-ODE**" { put("in the paper") }
    $2 == "**ours (assimilate)**" { put("**" task ": ours**") }
    $2 == "*linear*" && task == "Interpolation" { put("*a straight line*") }
    $2 == "*cubic Hermite*" && task == "Interpolation" { put("*cubic Hermite*") }
    $2 == "*constant velocity*" && task == "Extrapolation" { put("*constant velocity*") }' "$1"
}

stale=0
tables=experiments/paper/tables.md summarised=experiments/paper/summary.md
if [[ -f "$tables" && "$(summary "$tables")" != "$(cat "$summarised" 2>/dev/null)" ]]; then
  if ((check)); then
    echo "$summarised: not up to date (experiments/include_tables.sh)"
    stale=1
  else
    summary "$tables" >"$summarised"
    echo "$summarised: written"
  fi
fi
# make SCRIPT FOLDER...: the tables of one script, written or checked.
options=()
if ((check)); then options=(--check); fi
make() { experiments/"$1" "${@:2}" "${options[@]}" || stale=1; }
if ! command -v python3 >/dev/null; then
  echo "include_tables: no python3 here, so the tables of Python scripts stay as they are"
else
  if [[ -f experiments/paper/tables.json ]]; then
    make place_table.py experiments/paper
    make interval_table.py experiments/paper
    make training_table.py experiments/results
  fi
  make thin_curves.py experiments/paper/records experiments/small/records
  if [[ -d experiments/reliability ]]; then make reliability_table.py experiments/reliability; fi
  if [[ -f experiments/benchmarks/scaling.json ]]; then make scaling_table.py experiments/benchmarks; fi
fi
for page in README.md docs/assimilation.md docs/benchmarks.md docs/intervals.md docs/performance.md docs/python.md \
  docs/reliability.md docs/reproducing-the-paper.md docs/scaling.md; do
  fresh=$(awk '
    /^<!-- begin .* -->$/ {
      print
      if (system("test -f " $3) != 0) {
        print "Not recorded yet."
      } else {
        first = 1
        while ((getline line < $3) > 0) {
          if (line ~ /^# /) continue
          if (first && line == "") continue
          first = 0
          if (line ~ /^##/) line = "#" line
          print line
        }
        close($3)
      }
      inside = 1
      next
    }
    /^<!-- end -->$/ { inside = 0 }
    !inside { print }' "$page")
  if [[ "$fresh" == "$(cat "$page")" ]]; then continue; fi
  if ((check)); then
    echo "$page: not up to date (experiments/include_tables.sh)"
    stale=1
  else
    printf '%s\n' "$fresh" >"$page"
    echo "$page: written"
  fi
done
exit $stale
