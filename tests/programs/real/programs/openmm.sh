# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="OpenMM 8.6.1 from PyPI: forces of small systems, compared with its reference implementation"
devices='cpu gpu'

install_program() {
  debian ocl-icd-libopencl1
  pypi openmm==8.6.1 numpy
}

run_program() { note_lines on_device timeout 3000 "$folder/venv/bin/python" "$real/programs/openmm/forces.py"; }
