#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The generator `chains` reaches what it is for: at least one in forty of its kernels runs two work-groups at a time.
#   chain_pairs.sh LANECL_FUZZ
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kernels=120
LANECL_DUMP_DIR=$folder/dumps "$1" --generator chains --seed 1 --count $kernels --folder "$folder" --no-reduce
with=$(grep -rlE '^pairs:' "$folder"/dumps --include='*-interleave-groups.ll' | wc -l)
echo "$with of $kernels kernels run pairs of work-groups"
((with * 40 >= kernels)) || { echo "too few" && exit 1; }
