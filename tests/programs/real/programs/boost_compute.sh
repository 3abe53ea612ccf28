# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="Boost.Compute 1.74 from Debian: its algorithms, compared with those of the C++ library"
devices='cpu gpu'

install_program() {
  debian g++ libboost-dev libboost-filesystem-dev ocl-icd-opencl-dev
  compile "$real/programs/boost_compute/algorithms.cpp" -w -lOpenCL
}

run_program() { note_lines on_device timeout 3000 "$folder/algorithms"; }
