# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="OpenVINO 2026.4.1 from PyPI: the GPU plugin on 30 layers and 8 networks in four number formats"
devices='gen9 gpu'

install_program() { pypi openvino==2026.4.1 numpy; }

run_program() {
  local kind model detail
  while read -r kind model detail; do
    note "$kind" "$model" "$detail"
    echo "$kind $model $detail"
  done < <(on_device "$python" "$real/programs/openvino/compare.py" 2>errors)
}
