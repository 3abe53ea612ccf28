# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2034,SC2154 # read, and set, by run
about="FFmpeg 5.1 from Debian: its OpenCL filters, compared with those of the same name that run on the host"
devices='cpu gpu'

install_program() { debian ffmpeg python3-numpy; }

run_program() { note_lines on_device timeout 3000 /usr/bin/python3 "$real/programs/ffmpeg/filters.py"; }
