# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands for kernels, for gdb 9 and later. gdb loads this file by itself where LaneCL is installed; `lanecl gdb` does
so, too. By hand: source …/lanecl-gdb.py"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True  # packages could not be removed whole
import lanecl_gdb  # noqa: E402,F401
