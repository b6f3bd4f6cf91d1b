#!/usr/bin/env bash
# Checks the subjects of commits (CONTRIBUTING.md) and the project's C++ code: format (.clang-format), then common
# mistakes and names (.clang-tidy).
#   scripts/lint.sh            format of every file; clang-tidy on files without LibTorch, and on changed files with
#                              LibTorch (about 20 s per file)
#   scripts/lint.sh --all      clang-tidy on every file
#   scripts/lint.sh --commits  subjects of commits only
#   scripts/lint.sh --format   subjects of commits and format only
#   scripts/lint.sh --fix      formats in place instead of reporting; can be combined with the others
# clang-tidy skips CUDA sources. Exits with 1 if there is a finding.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fix=0 all=0 tidy=1 code=1
for argument in "$@"; do
  case "$argument" in
    --fix) fix=1 ;;
    --all) all=1 ;;
    --format) tidy=0 ;;
    --commits) code=0 ;;
    *)
      echo "lint: unknown argument '$argument'; usage: scripts/lint.sh [--fix] [--all | --format | --commits]" >&2
      exit 2
      ;;
  esac
done

# The rule holds for commits since this date. A tree without its history has nothing to check.
commits_since=2026-11-18T00:00:00Z
bad_subjects=0 subjects=0
while IFS=$'\t' read -r hash subject; do
  subjects=$((subjects + 1))
  why=()
  if ((${#subject} > 72)); then why+=("${#subject} characters, at most 72"); fi
  if [[ "$subject" == *";"* ]]; then why+=("a semicolon joins several changes: make several commits, or use the body"); fi
  if ((${#why[@]})); then
    bad_subjects=$((bad_subjects + 1))
    printf 'commit %s: %s: %s\n' "$hash" "$subject" "$(printf '%s, ' "${why[@]}" | sed 's/, $//')"
  fi
done < <(git log --no-merges --since="$commits_since" --format='%h%x09%s' 2>/dev/null || true)
echo "commits: $subjects subjects since ${commits_since%T*}, $bad_subjects to correct"
if ((!code)); then exit $((bad_subjects > 0)); fi

preset=${PRESET:-release}
work=build/lint
jobs=${JOBS:-$(nproc)}

for tool in git clang-format clang-tidy; do
  if ! command -v "$tool" >/dev/null; then
    echo "lint: no $tool here; scripts/setup.sh --lint installs it" >&2
    exit 2
  fi
done

# Tracked and new files, except deleted ones that are not committed yet.
mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' '*.cu' '*.cuh' | sort -u |
  while read -r file; do [[ -f "$file" ]] && printf '%s\n' "$file"; done)
if ((${#files[@]} == 0)); then
  echo "lint: no C++ files"
  exit $((bad_subjects > 0))
fi

rm -rf "$work"
mkdir -p "$work/out"

unformatted=0
if ((fix)); then
  printf '%s\0' "${files[@]}" | xargs -0 -P "$jobs" -n 16 clang-format -i --style=file
else
  printf '%s\0' "${files[@]}" |
    xargs -0 -P "$jobs" -n 1 sh -c 'clang-format --dry-run -Werror --style=file "$1" 2>/dev/null || echo "$1"' sh |
    sort >"$work/unformatted"
  unformatted=$(wc -l <"$work/unformatted")
  if ((unformatted)); then
    sed 's/$/: not formatted (scripts\/lint.sh --fix)/' "$work/unformatted"
  fi
fi
echo "clang-format: ${#files[@]} files, $unformatted not formatted"
if ((!tidy)); then
  exit $((unformatted > 0 || bad_subjects > 0))
fi

# Adapts the compile commands for clang: removes GCC's precompiled headers and, in place of LibTorch's, includes the
# header that clang 14 must see first to parse LibTorch 1.13 as C++20. Removes OpenMP, because clang's OpenMP runtime
# may not be installed.
database=build/$preset/compile_commands.json
if [[ ! -f "$database" || ! -f "build/$preset/build.ninja" ]]; then
  cmake --preset "$preset" >"$work/configure.log" 2>&1 || {
    tail -n 20 "$work/configure.log" >&2
    echo "lint: cmake --preset $preset failed, so clang-tidy has no compile commands" >&2
    exit 2
  }
fi
# Reconfigures if a CMakeLists.txt changed, and writes the generated header.
cmake --build --preset "$preset" --target lgode_version >"$work/configure.log" 2>&1 || {
  tail -n 20 "$work/configure.log" >&2
  exit 2
}
sed -E -e 's# -Winvalid-pch# #g' -e 's# -include [^ "]*lgode_torch_pch[^ "]*cmake_pch\.hxx# -include ATen/core/ivalue.h#g' \
  -e 's# -include [^ "]*cmake_pch\.hxx# #g' -e 's# -fopenmp# #g' "$database" >"$work/compile_commands.json"

# Sources that are in the build: 1 with LibTorch, 0 without.
root=$PWD
declare -A kind=()
torch=0
while IFS= read -r line; do
  case "$line" in
    *'"command":'*)
      torch=0
      if [[ "$line" == *"-include ATen/core/ivalue.h"* ]]; then torch=1; fi
      ;;
    *'"file":'*)
      file=${line#*\"file\": \"}
      file=${file%%\"*}
      kind["${file#"$root"/}"]=$torch
      ;;
  esac
done <"$work/compile_commands.json"

declare -A changed=()
while IFS= read -r file; do changed["$file"]=1; done < <(
  git diff --name-only HEAD 2>/dev/null
  git ls-files --others --exclude-standard
)
chosen=() later=0 unknown=0
for file in "${files[@]}"; do
  [[ "$file" == *.cpp ]] || continue
  if [[ -z "${kind[$file]:-}" ]]; then
    unknown=$((unknown + 1))
  elif ((kind[$file] == 0 || all)) || [[ -n "${changed[$file]:-}" ]]; then
    chosen+=("$file")
  else
    later=$((later + 1))
  fi
done

check() {
  local log
  log="$1/out/${2//\//__}.txt"
  # GCC flags that clang does not support are not findings; GCC's omp.h provides the declarations.
  clang-tidy --quiet -p "$1" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument \
    --extra-arg=-idirafter --extra-arg="$(${CXX:-c++} -print-file-name=include)" "$2" >"$log" 2>/dev/null || true
}
export -f check
if ((${#chosen[@]})); then
  printf '%s\0' "${chosen[@]}" | xargs -0 -P "$jobs" -n 1 bash -c 'check "$0" "$1"' "$work"
fi

# A file that clang cannot parse is reported but is not a finding: the build's own compiler checks it.
unparsed=0
: >"$work/found"
for file in "${chosen[@]}"; do
  log="$work/out/${file//\//__}.txt"
  if grep -q '\[clang-diagnostic-error' "$log"; then
    unparsed=$((unparsed + 1))
    echo "$file: clang cannot parse it: $(grep -m1 '\[clang-diagnostic-error' "$log")"
  else
    cat "$log" >>"$work/found"
  fi
done
# Many files include the same header; each place counts once.
awk -v root="$root/" '
  / (warning|error): .*\[[a-z]/ { fresh = !seen[$0]++ }
  fresh { if (index($0, root) == 1) $0 = substr($0, length(root) + 1); print }' "$work/found" >"$work/unique"
findings=$(grep -cE ' (warning|error): .*\[[a-z]' "$work/unique" || true)
cat "$work/unique"

echo "clang-tidy: $((${#chosen[@]} - unparsed)) files, $findings findings; $unparsed not parsed," \
  "$later left for --all, $unknown not in the build"
if ((${#chosen[@]} > 0 && unparsed == ${#chosen[@]})); then
  echo "lint: clang could parse none of them" >&2
  exit 1
fi
exit $((unformatted > 0 || findings > 0 || bad_subjects > 0))
