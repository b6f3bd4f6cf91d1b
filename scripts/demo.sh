#!/usr/bin/env bash
# Demo: simulates springs, trains interpolation and extrapolation, evaluates both models and prints a small table. Skips
# what is done already and resumes an interrupted training.
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
EPOCHS_INTERPOLATE=${EPOCHS_INTERPOLATE:-6}
EPOCHS_EXTRAPOLATE=${EPOCHS_EXTRAPOLATE:-8}
BATCH=${BATCH:-32}
LR=${LR:-2e-3}

lgode=${LGODE:-build/release/bin/lgode}
demo=${DEMO_DIR:-demo}
data=$demo/springs.safetensors

say() { printf 'demo: %s\n' "$*"; }

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

# train TASK EPOCHS
train() {
  local task=$1 epochs=$2 run=$demo/$1
  if [[ -f "$run/evaluation.json" || -f "$run/.trained" ]]; then
    say "$run is trained"
    return
  fi
  if [[ -f "$run/checkpoint.safetensors" ]]; then
    say "resuming $run"
    "$lgode" train "$data" --out "$run" --resume
  else
    say "training $run, $epochs epochs"
    # An interruption in the first minute leaves a folder without a checkpoint.
    local force=()
    if [[ -d "$run" ]]; then force=(--force); fi
    "$lgode" train "$data" --task "$task" --observed "$OBSERVED" --epochs "$epochs" --batch "$BATCH" --lr "$LR" \
      --seed "$SEED" --out "$run" "${force[@]}"
  fi
  touch "$run/.trained"
}

# evaluate TASK
evaluate() {
  local run=$demo/$1
  if [[ -f "$run/evaluation.json" ]]; then
    say "$run is evaluated"
    return
  fi
  say "evaluating $run"
  "$lgode" evaluate "$run" --json >"$run/evaluation.json.tmp"
  mv "$run/evaluation.json.tmp" "$run/evaluation.json"
}

mkdir -p "$demo"
simulate
train interpolate "$EPOCHS_INTERPOLATE"
train extrapolate "$EPOCHS_EXTRAPOLATE"
evaluate interpolate
evaluate extrapolate
echo
"$lgode" evaluate "$demo/interpolate" "$demo/extrapolate" --table
echo
say "runs in $demo/interpolate and $demo/extrapolate; $SECONDS s"
