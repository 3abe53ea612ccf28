# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="clFFT 2.12.2 from Debian: 1-D, 2-D and 3-D transforms of all radices, compared with FFTW"
devices='cpu gpu'

install_program() {
  debian clfft-client g++ libclfft-dev libfftw3-dev ocl-icd-opencl-dev
  compile "$real/programs/clfft/transforms.cpp" -lclFFT -lfftw3 -lOpenCL
}

run_program() { note_lines on_device timeout 12000 "$folder/transforms"; }

time_program() {
  measure_transform '1000 of 1024' -x 1024 -b 1000
  measure_transform '1000 of 1024 in double' -x 1024 -b 1000 --double
  measure_transform '1000 of 1000' -x 1000 -b 1000
  measure_transform '1024×1024' -x 1024 -y 1024
  measure_transform '128×128×128' -x 128 -y 128 -z 128
}

measure_transform() { # TEST OPTION…
  on_device timeout 600 clFFT-client -p 20 "${@:2}" >output 2>&1
  cat output
  measure "$1" "$(awk '/^Execution gflops/ { printf "%.2f", $NF }' output)" GFLOPS
}
