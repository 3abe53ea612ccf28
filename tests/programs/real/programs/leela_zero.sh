# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="Leela Zero 0.17 from Debian: a network of random weights judges positions, compared with its code for the host"
devices='cpu gpu'

install_program() {
  debian leela-zero python3
  /usr/bin/python3 "$real/programs/leela_zero/network.py" >network
}

run_program() { note_lines on_device timeout 10000 /usr/bin/python3 "$real/programs/leela_zero/positions.py" "$folder/network"; }
