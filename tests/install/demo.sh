#!/usr/bin/env bash
# Runs the demo on a small data set and checks its exit status and its verdict.
#   tests/install/demo.sh EPOCHS EXPECTED_STATUS
set -euo pipefail
export EPOCHS_INTERPOLATE=$1 EPOCHS_EXTRAPOLATE=$1 EPOCHS_LG_ODE=1 TRAIN_SYSTEMS=200 TEST_SYSTEMS=40 BATCH=8
DEMO_DIR=$(mktemp -d)
export DEMO_DIR
trap 'rm -rf "$DEMO_DIR"' EXIT
status=0
more=()
if [[ $2 != 0 ]]; then more+=(--no-report); fi
"$(dirname "${BASH_SOURCE[0]}")/../../scripts/demo.sh" "${more[@]}" >"$DEMO_DIR/log" 2>&1 || status=$?
tail -30 "$DEMO_DIR/log"
[[ $status == "$2" ]]
if [[ $2 == 0 ]]; then
  [[ $(grep -c "is below every classical path" "$DEMO_DIR/log") == 2 ]]
  if grep "^warning" "$DEMO_DIR/log"; then exit 1; fi
  for page in {interpolate,extrapolate}-{assimilate,lg-ode}/report.html compare.html; do [[ -s "$DEMO_DIR/$page" ]]; done
else
  [[ ! -e "$DEMO_DIR/compare.html" ]]
  grep -q "extrapolate: the default model is not below every classical path" "$DEMO_DIR/log"
fi
