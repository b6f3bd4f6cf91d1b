#!/usr/bin/env bash
# Makes screenshots of a run's report, as the documentation shows them: PREFIX-summary.png, PREFIX-systems.png and, dark
# and as wide as a phone, PREFIX-phone.png. Needs node, Chromium and the packages of viewer/ (scripts/setup.sh --browser).
#   scripts/screenshots.sh RUN PREFIX
#   LGODE           the command (build/release/bin/lgode)
#   LGODE_CHROMIUM  the browser (chromium)
set -euo pipefail
if (($# != 2)); then
  echo "usage: scripts/screenshots.sh RUN PREFIX, such as scripts/screenshots.sh runs/first docs/report" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lgode=${LGODE:-$root/build/release/bin/lgode}
LGODE_CHROMIUM=$(command -v "${LGODE_CHROMIUM:-chromium}") || { echo "screenshots: there is no chromium here; scripts/setup.sh --browser installs it" >&2; exit 1; }
export LGODE_CHROMIUM
page=$(mktemp --suffix=.html)
trap 'rm -f "$page"' EXIT
"$lgode" report "$1" --out "$page" --force
node "$root/viewer/screenshots.mjs" "$page" "$2"
