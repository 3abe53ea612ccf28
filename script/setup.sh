# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The other scripts source this file. It installs missing packages; `build_preset` then configures and builds. Both may
# be run again at any time and are quick the second time.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# These variables are for the scripts. The library would report a LANECL_ variable that it does not know.
export -n LANECL_PRESET LANECL_JOBS LANECL_PRECOMPILED_HEADERS

say() { printf '\033[1m== %s\033[0m\n' "$*"; }
die() {
  printf 'error: %s\n' "$1" >&2
  shift
  [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages needs root, and there is no sudo" "Run as root: $*"
  fi
}

# Lists the packages of packages.txt, and of the file that the script names as more_packages.
listed_packages() { grep -hv '^#' "$root/script/packages.txt" ${more_packages:+"$root/$more_packages"}; }

missing_packages() {
  listed_packages | while read -r package _; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# Installs packages with apt, and says which ones and why.
install_packages() {
  command -v apt-get >/dev/null ||
    die "this is not a Debian-like system" "Install the equivalents of script/packages.txt, then use CMake:" \
      "cmake --preset release && cmake --build --preset release"
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  say "Installing packages"
  for package in $missing; do
    printf '   %s\n' "$(listed_packages | grep "^$package ")"
  done
  as_root apt-get update -q -o APT::Update::Error-Mode=any >/dev/null ||
    die "apt-get update failed" "Look at the network and /etc/apt/sources.list, then run this again."
  if [ -z "$(apt-cache policy llvm-22-dev | sed -n 's/.*Candidate: \([^(]*\)$/\1/p')" ]; then
    die "this system's package sources have no LLVM 22" \
      "Debian 12 carries it in its security archive (suite bookworm-security, component main):" \
      "add that suite to /etc/apt/sources.list. On other distributions, take it from the LLVM project's own" \
      "apt repository (packages llvm-22-dev, clang-22, …). Then run this again."
  fi
  # shellcheck disable=SC2086 # one word a package
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >"${TMPDIR:-/tmp}/lanecl-apt.log" 2>&1 ||
    die "apt-get install failed" "$(tail -3 "${TMPDIR:-/tmp}/lanecl-apt.log")"
}

# build_preset PRESET [TARGET…] builds the targets, by default everything, and sets `build` to the folder.
build_preset() {
  local preset=$1
  shift
  build=$root/build/$preset
  if [ ! -f "$build/build.ninja" ]; then
    say "Configuring ($preset)"
    cmake -S "$root" --preset "$preset" \
      ${LANECL_PRECOMPILED_HEADERS:+-DLANECL_PRECOMPILED_HEADERS="$LANECL_PRECOMPILED_HEADERS"} >"$root/build-configure.log" 2>&1 || {
      cat "$root/build-configure.log" >&2
      die "CMake could not configure the build"
    }
    rm -f "$root/build-configure.log"
  fi
  say "Building ($preset)"
  # shellcheck disable=SC2086 # one word
  cmake --build "$build" ${1:+--target "$@"} -- ${LANECL_JOBS:+-j"$LANECL_JOBS"}
}

check_processor() {
  grep -qw avx2 /proc/cpuinfo ||
    printf 'note: this processor has no AVX2; kernels run on narrower registers, correctly but slower.\n'
}

install_packages
check_processor
