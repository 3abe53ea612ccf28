#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel that cannot tell its local size is not compiled for every shape of the short ranges that it is launched with.
#   codes_of_short_ranges.sh LANECL PROGRAM FOLDER    PROGRAM: the tests of icd
set -uo pipefail
lanecl=$1 program=$2 folder=$3
unset LANECL_CHECK LANECL_DEBUG
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
LANECL_DUMP_DIR=$folder "$lanecl" "$program" 'short ranges of many shapes' || exit 1
# There is code for one work-item, for rows, for the first of the other shapes, and for the rest of those.
codes=$(find "$folder" -mindepth 1 -maxdepth 1 -name 'shapes.*')
[ "$(wc -l <<<"$codes")" -le 4 ] || { printf 'FAILED: compiled too often:\n%s\n' "$codes" && exit 1; }
[ "$(wc -l <<<"$codes")" -ge 3 ] || { printf 'FAILED: the codes were not dumped: %s\n' "$codes" && exit 1; }
