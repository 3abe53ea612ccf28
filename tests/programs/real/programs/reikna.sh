# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="reikna 0.9.0 from PyPI: its own tests"
devices='cpu gpu'

install_program() {
  pypi reikna==0.9.0 pyopencl==2025.1 numpy scipy mako pytest
  pypi_source reikna==0.9.0
}

run_program() { pytest_on_device 3000 --api ocl "$folder/source/test"; }
