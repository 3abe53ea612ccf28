# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="clinfo 3.0.23 from Debian: every property of the platform and the device"
devices='cpu gpu gen9 gen11 tgl dg2 mtl bmg pvc'

install_program() { debian clinfo; }

# A query that fails is a line with an error's name, or with a warning.
run_program() {
  local line
  on_device timeout 60 clinfo --raw >properties
  while read -r line; do
    case $line in
    *CL_INVALID_* | *CL_OUT_OF_* | *error* | *WARNING*) note failed "$(cut -c1-60 <<<"$line")" "$line" ;;
    *CL_*) note passed "$(awk '{print $2}' <<<"$line")" ;;
    esac
  done <properties
}
