#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""allocations_test.py LANECL CHECK_ALLOCATIONS_HOST: check mode takes all allocations into account while other threads
use their registry."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST = sys.argv[1:3]


class Allocations(unittest.TestCase):
    def check(self, case, groups):
        with tempfile.TemporaryDirectory() as name:
            report = pathlib.Path(name) / "report.json"
            done = subprocess.run([LANECL, "check", "--checks", groups, "--json", str(report), HOST, case],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
            self.assertEqual(json.loads(report.read_text())["findings"], [], done.stderr)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

    def test_runs_at_other_widths_are_taken_back(self):
        self.assertEqual(self.check("count", "widths"), "0 wrong\n")

    def test_what_the_host_writes_is_initialized(self):
        self.check("decide", "initialisation")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
