# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="tinygrad 0.14.0 from PyPI: its test of what users see, and operations compared with NumPy"
devices='cpu gpu'

install_program() {
  debian ocl-icd-libopencl1
  pypi tinygrad==0.14.0 numpy pytest
  pypi_source tinygrad==0.14.0
}

run_program() {
  export DEV=CL
  pytest_on_device 3000 "$folder/source/test/test_tiny.py"
  note_lines on_device timeout 3000 "$python" "$real/programs/tinygrad/operations.py"
}
