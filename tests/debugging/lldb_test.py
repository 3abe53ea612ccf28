#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lanecl lldb`: LLDB stops on a line and shows variables, those of all lanes, and the active lanes."""
import os
import shutil
import subprocess
import sys
import unittest

from gdb_session import TIMEOUT, program
import model

LAUNCH = model.Launch(16, (64,), (32,), 20)

if not any(shutil.which(name) for name in ("lldb", "lldb-22", "lldb-21", "lldb-20", "lldb-19")):
    print("skipped: no LLDB")
    sys.exit(77)


class Lldb(unittest.TestCase):
    def test_stop(self):
        words = [os.environ["COMMAND_UNDER_TEST"], "lldb", "--batch", "--no-lldbinit"]
        for command in ("breakpoint set --file lanes.cl --line %d" % model.line("y = y * 7"), "run", "bt 2",
                        "frame variable x y limit", "print x__lanes[7]", "print __lanecl_frame.mask"):
            words += ["-o", command]
        done = subprocess.run(words + ["--"] + program("branches", LAUNCH), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
        for expected in ("lanes.cl:%d" % model.line("y = y * 7"), "(int) x = 20", "(int) y = 15", "(int) limit = 20",
                         "(int) 23", "65520"):
            self.assertIn(expected, done.stdout)


if __name__ == "__main__":
    unittest.main()
