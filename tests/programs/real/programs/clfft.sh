# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="clFFT 2.12.2 from Debian: 1-D, 2-D and 3-D transforms of all radices, compared with FFTW"
devices='cpu gpu'

install_program() {
  debian g++ libclfft-dev libfftw3-dev ocl-icd-opencl-dev
  compile "$real/programs/clfft/transforms.cpp" -lclFFT -lfftw3 -lOpenCL
}

run_program() { note_lines on_device timeout 3000 "$folder/transforms"; }
