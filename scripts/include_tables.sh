#!/usr/bin/env bash
# Puts recorded tables into the docs: what stands between "<!-- begin FILE -->" and "<!-- end -->" is replaced by FILE, less its title and
# with headings a level lower. A file that is absent leaves "Not recorded yet."
#   scripts/include_tables.sh            writes
#   scripts/include_tables.sh --check    ends with 1 where a page is not up to date
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=0
case "${1:-}" in
  "") ;;
  --check) check=1 ;;
  *)
    echo "include_tables: unknown argument '$1'; usage: scripts/include_tables.sh [--check]" >&2
    exit 2
    ;;
esac

stale=0
for page in docs/reproducing-the-paper.md; do
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
    echo "$page: not up to date (scripts/include_tables.sh)"
    stale=1
  else
    printf '%s\n' "$fresh" >"$page"
    echo "$page: written"
  fi
done
exit $stale
