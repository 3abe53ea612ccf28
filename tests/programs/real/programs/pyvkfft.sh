# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="pyvkfft 2025.1.1 from PyPI: its own tests of VkFFT's transforms, compared with SciPy"
devices=gpu # it looks for GPUs

install_program() {
  debian g++ ocl-icd-opencl-dev
  pypi pyvkfft==2025.1.1 pyopencl==2026.1.4 numpy scipy mako pytest
}

run_program() {
  local status=0
  on_device timeout 3000 "$python" -m pytest -q -rfE --junitxml=tests.xml -p no:cacheprovider -k TestFFT \
    --pyargs pyvkfft.test.test_fft || status=$?
  note_pytest tests.xml
  return $status
}
