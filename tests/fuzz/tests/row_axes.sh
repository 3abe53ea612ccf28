#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The generator `rows` reaches what it is for: many of its kernels get lanes along y, and many along z.
#   row_axes.sh LANECL_FUZZ
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kernels=24
LANECL_DUMP_DIR=$folder/dumps "$1" --generator rows --seed 1 --count $kernels --folder "$folder" --no-reduce
for axis in y z; do
  with=$(grep -rlE "^define .*\.row\.$axis" "$folder"/dumps --include='*-wide-extensions.ll' | wc -l)
  echo "$with of $kernels kernels have rows along $axis"
  ((with * 10 >= kernels)) || { echo "too few" && exit 1; }
done
