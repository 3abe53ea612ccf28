#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck disable=SC1091,SC2016
# Checks that an installed tree which has been moved runs a program. The program compares its results with the host's.
#   moved.sh CMAKE BUILD FOLDER LIBDIR PROGRAM
set -euo pipefail
cmake=$1 build=$2 folder=$3 libdir=$4 program=$5
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
fail() {
  printf 'FAILED: %s\n' "$@"
  exit 1
}

DESTDIR=$folder "$cmake" --install "$build" --prefix /tree >/dev/null
mv "$folder/tree" "$folder/another place"
tree="$folder/another place"
for file in bin/lanecl "$libdir/lanecl/liblanecl.so" share/lanecl/lanecl-builtins.bc share/lanecl/lanecl-c.h \
  share/lanecl/opencl-c.h share/lanecl/opencl-c-CL1.2.pch share/man/man1/lanecl.1 share/bash-completion/completions/lanecl share/doc/lanecl/LICENSE; do
  [ -f "$tree/$file" ] || fail "no $file is installed"
done
[ -z "$(find "$folder" -name '*.a' -o -name '*.o' -o -name '*.cmake')" ] || fail "more is installed than runs"

export LANECL_CACHE_DIR=$folder/cache
said=$("$tree/bin/lanecl" info)
grep -qF "$tree/share/lanecl" <<<"$said" || fail "other resources are used:" "$said"
"$tree/bin/lanecl" "$program" --local 13x3 --width 8
"$tree/bin/lanecl" bash -c '[ "$OCL_ICD_VENDORS" = "$1" ]' bash "$tree/$libdir/lanecl/liblanecl.so" ||
  fail "programs are told of another library"

# Without its library, the tree says what is missing.
rm "$tree/$libdir/lanecl/liblanecl.so"
! said=$("$tree/bin/lanecl" info 2>&1) || fail "lanecl info succeeds without its library"
grep -qF "$libdir/lanecl/liblanecl.so; reinstall LaneCL" <<<"$said" || fail "another message was expected than" "$said"
