#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A program whose kernels are in the cache does not load Clang.
#   clang_when_needed.sh LANECL PROGRAM FOLDER LIBRARY    PROGRAM: the tests of icd; LIBRARY: the name of Clang's
set -uo pipefail
lanecl=$1 program=$2 folder=$3 library=$4
export LANECL_CPU=x86-64-v2 LANECL_CACHE_DIR=$folder/cache
unset LANECL_ISA LANECL_CACHE LANECL_CACHE_SHARED
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT

# Prints how many processes of a run initialized Clang's library.
processes_with_clang() {
  rm -f "$folder"/libraries.*
  LD_DEBUG=libs LD_DEBUG_OUTPUT=$folder/libraries "$lanecl" "$program" '[.processor]' >"$folder/output" 2>&1 ||
    { cat "$folder/output" && exit 1; }
  { grep -lE "calling init: .*/$library" "$folder"/libraries.* || true; } | wc -l
}
first=$(processes_with_clang) || exit 1
again=$(processes_with_clang) || exit 1
[ "$first" -eq 1 ] || { echo "FAILED: $first processes of the run that compiles loaded $library" && exit 1; }
[ "$again" -eq 0 ] || { echo "FAILED: $again processes of the run from the cache loaded $library" && exit 1; }
