# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="oneMKL 2026.2 through dpnp 0.20.0, both from PyPI: products, decompositions, transforms"
devices='cpu gen9'

install_program() { pypi dpnp==0.20.0 dpctl==0.22.1; }

run_program() {
  local kind test detail
  while read -r kind test detail; do
    case $kind in passed | failed | skipped | wrong) note "$kind" "$test" "$detail" ;; esac # MKL prints lines of its own
    echo "$kind $test $detail"
  done < <(on_device "$python" "$real/programs/onemkl/products.py" 2>errors)
}
