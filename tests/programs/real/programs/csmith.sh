# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="Csmith 2.3 from Debian: 50 random programs as C++ for OpenCL, compared with the same run natively"
devices='cpu'

install_program() {
  debian csmith libcsmith-dev clang-22
  pypi pyopencl==2026.1.4 numpy
}

run_program() {
  note_lines on_device "$python" -W ignore "$real/programs/csmith/random_programs.py" 50
}
