# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="dpctl 0.22.1 from PyPI with Intel's SYCL runtime: its own tests"
devices='cpu gpu'

install_program() {
  debian g++
  pypi dpctl==0.22.1 pytest cython setuptools
}

run_program() { pytest_on_device 3000 --pyargs dpctl.tests; }
