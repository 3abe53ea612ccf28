#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every file of vectorizer/src that makes, moves or repeats accesses of memory, or has LLVM do so, is named in the tables
# of docs/memory-order.md, and every place that these name exists.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
page=docs/memory-order.md

accesses='Create(Aligned|Masked|Atomic)?(Load|Store|Gather|Scatter|RMW|CmpXchg)\(|CreateMem(Cpy|Move|Set)\(|CreateFence\('
accesses+='|new (Load|Store|AtomicRMW|AtomicCmpXchg|Fence)Inst\(|lowerAtomic|emit(Load|Store|Gather|Scatter|BlockRead|BlockWrite)\w*\('
moves='moveBefore\(|moveAfter\(|splice\('
repeats='clone\(\)|CloneBasicBlock\(|cloneLoop\w*\(|CloneFunction\w*\('
llvm='#include "llvm/Transforms/(AggressiveInstCombine|Coroutines|InstCombine|IPO|Scalar|Vectorize)/|InlineFunction\('

named=$("$root/tests/house/places.sh" "$page" | grep -o 'vectorizer/src/[^: ]*' | sort -u)
missing=0
while IFS= read -r file; do
  grep -qx "$file" <<<"$named" && continue
  echo "$page does not name $file, which makes, moves or repeats accesses of memory:" >&2
  grep -nE "$accesses|$moves|$repeats|$llvm" "$root/$file" | head -3 >&2
  missing=1
done < <(cd "$root" && grep -rlE "$accesses|$moves|$repeats|$llvm" vectorizer/src --include='*.cpp' --include='hoisting.h' --include='volatile_order.h' | sort)
exit $missing
