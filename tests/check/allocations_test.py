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
            return done, json.loads(report.read_text())["findings"]

    def test_runs_at_other_widths_are_taken_back(self):
        done, findings = self.check("count", "widths")
        self.assertEqual((findings, done.returncode, done.stdout), ([], 0, "0 wrong\n"), done.stderr)

    def test_memory_that_is_freed_meanwhile(self):
        done, findings = self.check("free", "widths")
        self.assertEqual((findings, done.returncode, done.stdout), ([], 0, "0 wrong\n"), done.stderr)

    def test_what_the_host_writes_is_initialized(self):
        done, findings = self.check("decide", "initialization")
        self.assertEqual((findings, done.returncode), ([], 0), done.stderr)

    def test_memory_is_named(self):
        _, findings = self.check("leave", "memory")
        self.assertEqual([finding["message"] for finding in findings],
                         [f"out-of-bounds read of 4 bytes: {4 * i} bytes past the end of USM shared memory (256 bytes, "
                          "argument 0 'p')" for i in range(50)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
