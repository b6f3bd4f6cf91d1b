#!/usr/bin/env bash
# Demo: simulates springs, trains the default model and the paper's LG-ODE at interpolation and extrapolation, and prints
# a small table per task. Fails unless the default model's error is below every classical path's. Skips what is
# done already and resumes an interrupted training.
#   scripts/demo.sh               also writes a page to look at for every run, and one that compares them
#   scripts/demo.sh --no-report   no pages
#   LGODE      the command (build/release/bin/lgode)
#   DEMO_DIR   output folder (demo)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Sized for some minutes on two CPU cores. 4,000 systems minus a tenth for validation give 113 steps per epoch. The
# environment may set any of these; use another DEMO_DIR then.
TRAIN_SYSTEMS=${TRAIN_SYSTEMS:-4000}
TEST_SYSTEMS=${TEST_SYSTEMS:-500}
SEED=${SEED:-1}
OBSERVED=${OBSERVED:-0.6}
EPOCHS_INTERPOLATE=${EPOCHS_INTERPOLATE:-1}
EPOCHS_EXTRAPOLATE=${EPOCHS_EXTRAPOLATE:-4}
EPOCHS_LG_ODE=${EPOCHS_LG_ODE:-3}
BATCH=${BATCH:-32}
LR=${LR:-2e-3}

lgode=${LGODE:-build/release/bin/lgode}
demo=${DEMO_DIR:-demo}
data=$demo/springs.safetensors

say() { printf 'demo: %s\n' "$*"; }

report=1
case "${1:-}" in
  "") ;;
  --no-report) report=0 ;;
  *)
    say "unknown argument '$1'; usage: scripts/demo.sh [--no-report]" >&2
    exit 2
    ;;
esac

if ! command -v "$lgode" >/dev/null; then
  say "no command $lgode; make build makes it" >&2
  exit 1
fi
# Bash runs the trap after the command has ended, which writes a checkpoint when it is interrupted.
trap 'say "interrupted; the same command resumes it" >&2; exit 130' INT TERM

simulate() {
  if [[ -f "$data" ]]; then
    say "$data is there"
    return
  fi
  say "simulating $TRAIN_SYSTEMS training and $TEST_SYSTEMS test systems into $data"
  "$lgode" simulate springs --train "$TRAIN_SYSTEMS" --test "$TEST_SYSTEMS" --seed "$SEED" --out "$data"
}

# train TASK MODEL EPOCHS
train() {
  local task=$1 model=$2 epochs=$3 run=$demo/$1-$2
  if [[ -f "$run/.trained" ]]; then
    say "$run is trained"
    return
  fi
  if [[ -f "$run/checkpoint.safetensors" ]]; then
    say "resuming $run"
    "$lgode" train "$data" --out "$run" --resume --no-report
  else
    say "training $run, epochs: $epochs"
    # An interruption in the first minute leaves a folder without a checkpoint.
    local more=()
    if [[ -d "$run" ]]; then more+=(--force); fi
    # LG-ODE would first compare two kinds of coordinates.
    if [[ "$model" == lg-ode ]]; then more+=(--centre none); fi
    "$lgode" train "$data" --task "$task" --model "$model" --observed "$OBSERVED" --schedule cosine --epochs "$epochs" \
      --batch "$BATCH" --lr "$LR" --seed "$SEED" --out "$run" --no-report "${more[@]}"
  fi
  touch "$run/.trained"
}

# evaluate TASK MODEL
evaluate() {
  local run=$demo/$1-$2
  if [[ -f "$run/evaluation.txt" ]]; then
    say "$run is evaluated"
    return
  fi
  say "evaluating $run"
  # Test systems of springs reach the walls, training systems do not: a warning of that goes into the log.
  if ! "$lgode" evaluate "$run" >"$run/evaluation.txt.tmp" 2>"$run/evaluation.log"; then
    cat "$run/evaluation.log" >&2
    exit 1
  fi
  mv "$run/evaluation.txt.tmp" "$run/evaluation.txt"
}

# page TASK MODEL: the page of a run; the demo does not fail for it.
page() {
  local run=$demo/$1-$2
  if ((report == 0)) || [[ -f "$run/report.html" ]]; then return; fi
  # Warnings about the test part are in the log of the evaluation.
  "$lgode" report "$run" 2>"$run/report.log" || say "no page was written for $run: $(tail -1 "$run/report.log")" >&2
}

# table TASK: errors of both models and of the classical paths; fails unless the default model's is the lowest of these.
table() {
  echo
  awk -F '  +' -v task="$1" '
    function line(name, error) { printf "  %-28s %10s\n", name, error }
    FNR == 1 { run++ }
    /^  error x 10/ { on = 1; if (run == 1) print "  " task ", error x 10^-2"; next }
    NF == 0 { on = 0 }
    !on || /---/ { next }
    $2 == "model" && run == 1 { own = $3; line("default model (assimilate)", $3); next }
    $2 == "model" { lgode = $3; line("lg-ode", $3); for (i = 1; i <= n; i++) line(name[i], error[i]); next }
    run == 2 { next }
    { name[++n] = $2; error[n] = $3 }
    $2 !~ /paper/ && (best == "" || $3 + 0 < best + 0) { best = $3; which = $2 }
    END {
      below = own != "" && best != "" && own + 0 < best + 0
      printf "demo: %s: the default model is %s\n", task, !below ? "not below every classical path" : \
        sprintf("below every classical path; the nearest, %s, has %.3g times its error", which, best / own)
      exit !below
    }' "$demo/$1-assimilate/evaluation.txt" "$demo/$1-lg-ode/evaluation.txt"
}

mkdir -p "$demo"
simulate
train interpolate assimilate "$EPOCHS_INTERPOLATE"
train extrapolate assimilate "$EPOCHS_EXTRAPOLATE"
train interpolate lg-ode "$EPOCHS_LG_ODE"
train extrapolate lg-ode "$EPOCHS_LG_ODE"
for task in interpolate extrapolate; do
  for model in assimilate lg-ode; do
    evaluate "$task" "$model"
    page "$task" "$model"
  done
done
if ((report)) && [[ ! -f "$demo/compare.html" ]]; then
  "$lgode" compare "$demo"/{interpolate,extrapolate}-{assimilate,lg-ode} --out "$demo/compare.html" 2>"$demo/compare.log" ||
    say "the runs were not compared: $(tail -1 "$demo/compare.log")" >&2
fi
code=0
table interpolate || code=1
table extrapolate || code=1
echo
if ((report)); then say "open $demo/extrapolate-assimilate/report.html in a browser to look at the forecasts"; fi
say "runs in $demo; $SECONDS s"
exit $code
