# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="loopy 2025.2 from PyPI: its own tests, without those that compile C for the host"
devices='cpu gpu'

install_program() {
  debian gcc
  pypi loopy==2025.2 fparser==0.2.5 islpy==2025.2.5 pyopencl==2026.1.4 numpy scipy mako pytest
  pypi_source loopy==2025.2
}

run_program() {
  pytest_on_device 3000 -k 'not ExecutableCTarget' --ignore="$folder/source/test/test_c_execution.py" "$folder/source/test"
}
