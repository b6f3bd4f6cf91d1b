#!/usr/bin/env bash
# Runs one test of the pages in a real browser, or says why it is skipped (exit code 77).
#   tests/browser/run.sh CASE
#   LGODE           the command
#   LGODE_CHROMIUM  the browser (chromium)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
viewer=$here/../../viewer
skip() {
  echo "skipped: $1: $2"
  exit 77
}
command -v node >/dev/null || skip "$1" "there is no node here"
[[ -d "$viewer/node_modules/playwright-core" ]] || skip "$1" "no playwright-core; scripts/setup.sh --browser installs it"
if [[ "$1" == bundle ]]; then
  [[ -d "$viewer/node_modules/esbuild" ]] || skip "$1" "no esbuild; scripts/setup.sh --browser installs it"
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
  (cd "$viewer" && node_modules/.bin/tsc --noEmit && node build.mjs "$out")
  diff -r "$out" "$viewer/dist" >/dev/null || { echo "viewer/dist is not what viewer/src gives; run: cd viewer && node build.mjs"; exit 1; }
  exit 0
fi
chromium=${LGODE_CHROMIUM:-chromium}
command -v "$chromium" >/dev/null || skip "$1" "there is no $chromium here; scripts/setup.sh --browser installs it"
LGODE_CHROMIUM=$(command -v "$chromium")
export LGODE_CHROMIUM
exec node "$here/test.mjs" "$1"
