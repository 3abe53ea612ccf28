# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="darktable 4.2.1 from Debian: exports with presets of each of its modules, compared with its code for the host"
devices='cpu gpu'

install_program() { debian darktable python3-numpy; }

run_program() { note_lines on_device timeout 3000 /usr/bin/python3 "$real/programs/darktable/exports.py"; }
