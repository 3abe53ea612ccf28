# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="ViennaCL 1.7.1 from Debian: vectors, dense and sparse matrices, solvers, compared with plain code on the host"
devices='cpu gpu'

install_program() {
  debian g++ libviennacl-dev ocl-icd-opencl-dev
  compile "$real/programs/viennacl/algebra.cpp" -w -DVIENNACL_WITH_OPENCL -lOpenCL
}

run_program() { note_lines on_device timeout 3000 "$folder/algebra"; }
