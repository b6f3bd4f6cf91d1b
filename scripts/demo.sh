#!/usr/bin/env bash
# From nothing to two trained models: simulates springs, trains interpolation and extrapolation on them, evaluates both
# and prints a small table. Whatever is done already is skipped, and an interrupted training goes on where it was.
#   LGODE      the command (build/release/bin/lgode)
#   DEMO_DIR   where everything goes (demo)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Sized for two CPU cores and some minutes. 4,000 systems less a tenth for validation are 113 steps an epoch. The
# environment may set any of these, for a DEMO_DIR of its own.
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
# Waits for the command, which writes a checkpoint when it is interrupted.
trap 'say "interrupted; the same command goes on from here" >&2; exit 130' INT TERM

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
    say "going on with $run"
    "$lgode" train "$data" --out "$run" --resume
  else
    say "training $run, $epochs epochs"
    # A folder without a checkpoint is what an interruption in the first minute leaves.
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
