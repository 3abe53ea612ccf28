# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="clpeak 1.1.2 from Debian: each of its measurements comes to an end with a figure"
devices='cpu gpu'

install_program() { debian clpeak; }

# A measurement is a line "float4 : 12.3" below the line that says of what.
run_program() {
  local status=0 what='' key value
  on_device timeout 3000 clpeak >output 2>&1 || status=$?
  cat output
  while IFS=: read -r key value; do
    key=$(tr -s ' ' '-' <<<"${key## }")
    case $value in
    '') what=$key ;;
    *[0-9].*) note passed "$what$key" "$value" ;;
    esac
  done < <(sed -n '/Global memory bandwidth/,$p' output)
  [ "$status" -eq 0 ] || note failed clpeak "ended with status $status"
}
