# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads LaneCL's commands for kernels into gdb, version 9 or later. gdb loads this file by itself where LaneCL is
installed, and `lanecl gdb` loads it otherwise. To load it by hand: source …/lanecl-gdb.py"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True  # cache files would stay behind when the package is removed
import lanecl_gdb  # noqa: E402,F401
