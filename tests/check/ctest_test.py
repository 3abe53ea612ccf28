#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ctest_test.py LANECL CHECK_HOST CMAKE CTEST: tests `lanecl check ctest`, where ctest hides the output of tests that
pass."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST, CMAKE, CTEST = sys.argv[1:5]
PROJECT = pathlib.Path(__file__).resolve().parent / "ctest_project"


class CheckedTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        subprocess.run([CMAKE, "-S", str(PROJECT), "-B", self.folder, f"-DRUN_KERNEL={HOST}"], check=True,
                       stdout=subprocess.DEVNULL)

    def check(self, *options):
        return subprocess.run([LANECL, "check", *options, CTEST, "--test-dir", self.folder, "-j", "2"], check=False,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)

    def test_the_summary_says_what_the_tests_found(self):
        done = self.check()
        self.assertIn("100% tests passed", done.stdout)
        self.assertEqual(done.returncode, 86)
        self.assertRegex(done.stderr, r"error: out-of-bounds in kernel 'k'\n")
        self.assertRegex(done.stderr, r"warning: lane-out-of-range in kernel 'k' \(2 times\)\n")
        self.assertRegex(done.stderr, r"\nLaneCL check: 1 error, 1 warning; 3 launches in 3 processes, ")

    def test_what_decides_the_status(self):
        for options, status in ((["--ignore", "out-of-bounds"], 0), (["--warning", "out-of-bounds"], 0),
                                (["--ignore", "out-of-bounds", "--error", "lane-out-of-range"], 86),
                                (["--ignore", "out-of-bounds", "--fail-on", "warning"], 86)):
            self.assertEqual(self.check(*options).returncode, status, options)

    def test_places_in_the_sources(self):
        done = self.check("--sources", str(PROJECT))
        self.assertIn("  shifted.cl:3:", done.stderr)
        self.assertIn("  swapped.cl:3:", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
