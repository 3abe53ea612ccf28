#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# block_orders.sh LANECL_FUZZ CASE runs a case that is a SPIR-V module with twenty orders of its blocks. All must be
# right.
set -euo pipefail
for order in $(seq 20); do
  status=0
  "$1" --replay <(sed "s/^spirv .*/spirv $order/" "$2") || status=$?
  if [ $status -ne 0 ]; then
    echo "order $order: exit status $status"
    exit $status
  fi
done
