#!/usr/bin/env bash
# Installs the missing build dependencies on Debian 12. If nothing is missing, it downloads nothing and ends at once.
#   scripts/setup.sh          compiler, CMake, LibTorch, OpenBLAS and the libraries
#   scripts/setup.sh --python the same, and Python's headers, pybind11 and what the tests of the package use
#   scripts/setup.sh --lint   the same, and the tools of scripts/lint.sh
#   scripts/setup.sh --fuzz   the same, and the tools of scripts/fuzz.sh
#   scripts/setup.sh --browser   Chromium and, where node and npm are, the packages of viewer/: for the browser tests,
#                             which are skipped without; it never fails
# With LGODE_SKIP_SETUP=1 it does nothing: for other systems, or your own LibTorch (CMAKE_PREFIX_PATH).
set -euo pipefail

packages=(
  build-essential cmake ninja-build ccache git
  libtorch-dev libgloo-dev libopenblas0-openmp libhwy-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev
  zlib1g-dev libzstd-dev zstd
  pkg-config libcairo2-dev
  libgtest-dev libbenchmark-dev
)

say() { printf 'setup: %s\n' "$*" >&2; }

browser=0
case "${1:-}" in
  "") ;;
  --python)
    packages+=(
      python3-dev pybind11-dev python3-numpy python3-pandas python3-matplotlib python3-pytest python3-setuptools
      python3-wheel python3-pip mypy python3-torch
    )
    ;;
  --lint) packages+=(clang-format clang-tidy) ;;
  --fuzz) packages+=(clang libclang-rt-dev) ;;
  --browser) browser=1 ;;
  *)
    say "unknown argument '$1'; usage: scripts/setup.sh [--python | --lint | --fuzz | --browser]"
    exit 2
    ;;
esac

if [[ "${LGODE_SKIP_SETUP:-0}" == 1 ]]; then
  exit 0
fi

what_is_needed() {
  say "needed: a C++20 compiler (GCC 12 or newer), CMake 3.24, Ninja, LibTorch 1.13 or newer (Gloo's headers), OpenBLAS with OpenMP,"
  say "Highway, CLI11, nlohmann-json 3.9, fmt, GoogleTest, Google Benchmark; ccache saves time, Cairo draws PNG and PDF,"
  say "zlib and libzstd unpack tables."
  say "The Python package needs Python's headers and pybind11; without them everything else is built."
  say "On Debian 12 these are: ${packages[*]}"
  say "Once they are installed, LGODE_SKIP_SETUP=1 leaves this step out."
}

# Dependencies of the browser tests, which are skipped without them, so failures here are not errors.
set_up_browser() {
  local viewer
  if ! command -v chromium >/dev/null && command -v apt-get >/dev/null; then
    say "installing chromium"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    if [[ $(id -u) != 0 ]]; then apt=(sudo "${apt[@]}"); fi
    { "${apt[@]}" update && "${apt[@]}" -o Dpkg::Use-Pty=0 install -y --no-install-recommends chromium; } >/dev/null 2>&1 ||
      say "chromium could not be installed; the browser tests will be skipped."
  fi
  viewer="$(dirname "${BASH_SOURCE[0]}")/../viewer"
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    say "there is no node with npm here; the browser tests will be skipped."
  elif [[ "$viewer/node_modules/.package-lock.json" -ot "$viewer/package-lock.json" ]]; then
    say "installing the packages of viewer/"
    (cd "$viewer" && npm ci --ignore-scripts --no-audit --no-fund >/dev/null 2>&1) ||
      say "npm could not install them; the browser tests will be skipped."
  fi
}
if ((browser)); then
  set_up_browser
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "this system has no apt-get, so nothing can be installed from here."
  what_is_needed
  exit 1
fi

# Runs a command as root.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}
may_be_root() { [[ $(id -u) == 0 ]] || command -v sudo >/dev/null; }

missing_packages() {
  local installed package
  # dpkg-query exits with 1 if it does not know a package, but still lists the others.
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "${packages[@]}" 2>/dev/null || true)"
  for package in "${packages[@]}"; do
    [[ "$installed" == *" installed:$package "* ]] || printf '%s\n' "$package"
  done
}

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} > 0)); then
  if ! may_be_root; then
    say "missing: ${missing[*]}"
    say "installing them needs root or sudo, and neither is here. As root:"
    say "  apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
  say "installing ${missing[*]}"
  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # An unrelated package source that does not answer must not stop the installation.
  as_root "${apt[@]}" update || say "warning: apt-get update failed; trying with the package lists that are there."
  if ! as_root "${apt[@]}" -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${missing[@]}" >/dev/null; then
    say "apt-get could not install them all."
    what_is_needed
    exit 1
  fi
fi

# LibTorch uses the BLAS that the system has selected. On Debian this may be the reference BLAS, which is about forty
# times slower than OpenBLAS.
select_openblas() {
  local name value wanted
  while read -r name _ value; do
    case "$name" in
      libblas.so.3-* | liblapack.so.3-*) ;;
      *) continue ;;
    esac
    [[ "$value" == *openblas* ]] && continue
    wanted=$(update-alternatives --list "$name" | grep -m1 openblas-openmp || true)
    if [[ -z "$wanted" ]]; then
      say "warning: $name is $value and no OpenBLAS is offered in its place; LibTorch will be slow."
    elif may_be_root; then
      say "$name was $value; selecting $wanted (undo: update-alternatives --set $name $value)"
      as_root update-alternatives --quiet --set "$name" "$wanted"
    else
      say "warning: $name is $value, which is slow, and selecting OpenBLAS needs root:"
      say "  update-alternatives --set $name $wanted"
    fi
  done < <(update-alternatives --get-selections)
}
if command -v update-alternatives >/dev/null; then
  select_openblas
fi
