# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="pyvkfft 2025.1.1 from PyPI: its own tests of VkFFT's transforms by length, compared with SciPy"
devices=gpu # it looks for GPUs

install_program() {
  debian g++ ocl-icd-opencl-dev
  pypi pyvkfft==2025.1.1 pyopencl==2026.1.4 numpy scipy mako
}

# Its regular tests of all shapes and axes take hours on a processor.
run_program() {
  local kind
  transforms --quick
  for kind in --c2c --r2c; do
    transforms --systematic --timeout 600 $kind --range 2 80
    transforms --systematic --timeout 600 $kind --range 2 40 --double --inplace
    transforms --systematic --timeout 600 $kind --range 2 24 --ndim 2
  done
  for kind in '--dct 1' '--dct 2' '--dct 3' '--dct 4' '--dst 1' '--dst 2' '--dst 3' '--dst 4'; do
    # shellcheck disable=SC2086 # two words
    transforms --systematic --timeout 600 $kind --range 2 16
  done
}

# The line of each transform ends with OK, FAIL or ERROR. Other output of unittest counts only if it is an error.
transforms() { # OPTION…
  local status=0
  on_device timeout -s INT -k 60 3000 "$folder/venv/bin/pyvkfft-test" --backend pyopencl "$@" >output 2>&1 || status=$?
  cat output
  awk '/^ *pyopencl / {
      kind = $NF == "OK" ? "passed" : $NF == "FAIL" ? "wrong" : "failed"
      sub(/ +iFFT:.*| +FFT:.*/, ""); sub(/^ *pyopencl +/, ""); gsub(/ +/, "_"); print kind, $0 }' output >>"$results"
  grep -qx 'OK.*' output || note failed "$*" "ended with status $status"
}
