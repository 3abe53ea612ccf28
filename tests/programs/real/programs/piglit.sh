# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="piglit of January 2022 from Debian: its OpenCL tests"
devices='cpu gpu'

install_program() { debian piglit python3; }

run_program() {
  on_device timeout 7200 piglit run -1 -o -b junit cl tests || true
  note_pytest tests/results.xml*
}
