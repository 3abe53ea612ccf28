#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""api_test.py LANECL CHECK_API_HOST: what `lanecl check` says of the program's own use of the API."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import structure

LANECL, HOST = sys.argv[1:3]


class Api(unittest.TestCase):
    def check(self, mode, options=()):
        with tempfile.TemporaryDirectory() as name:
            json_path, sarif, junit = [pathlib.Path(name) / form for form in ("json", "sarif", "junit")]
            words = [LANECL, "check", "--json", str(json_path), "--sarif", str(sarif), "--junit", str(junit)]
            self.done = subprocess.run(words + list(options) + [HOST, mode], stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.PIPE, check=False, timeout=120)
            self.assertEqual(structure.sarif_problems(json.loads(sarif.read_text())), [])
            self.assertEqual(structure.junit_problems(xml.etree.ElementTree.parse(junit).getroot()), [])
            return json.loads(json_path.read_text())["findings"]

    def test_no_mistake(self):
        for mode in ("right", "null", "static", "fork"):
            self.assertEqual(self.check(mode), [], mode)
            self.assertEqual(self.done.returncode, 0)

    def test_runs_of_a_changed_command_are_not_compared(self):
        self.assertEqual(self.check("changed", ["--checks", "all,races"]), [])

    def test_leaks(self):
        finding, = self.check("leak")
        self.assertEqual((finding["rule"], finding["severity"], self.done.returncode), ("leaked-object", "warning", 0))
        self.assertEqual(finding["message"], "not released when the program ended: 1 memory object")

    def test_released_too_often(self):
        findings = self.check("double")
        # One of the releases is correct. Calls from one place are one finding; the last call is in another function.
        self.assertEqual({finding["rule"] for finding in findings}, {"released-too-often"})
        self.assertGreaterEqual(len(findings), 2)
        self.assertEqual(self.done.returncode, 86)
        for finding in findings:
            self.assertRegex(finding["message"], r"^clReleaseMemObject: 0x[0-9a-f]+ is not a cl_mem that the program "
                                                 r"holds a reference to; .*; called by .*check_api_host")

    def test_calls_that_fail(self):
        findings = self.check("query", ["--checks", "failures"])
        self.assertEqual(sorted(re.sub("; called by .*api_host.*", "; by it", finding["message"])
                                for finding in findings),
                         ["clCreateBuffer failed with CL_INVALID_BUFFER_SIZE; by it",
                          "clGetDeviceInfo for 0x4250 failed with CL_INVALID_VALUE; by it",
                          "clLinkProgram failed with CL_LINK_PROGRAM_FAILURE; by it"])
        self.assertEqual({(finding["rule"], finding["severity"]) for finding in findings}, {("failed-call", "warning")})
        self.assertEqual(self.done.returncode, 0)
        self.assertIn("checked: failures\n", self.done.stderr)

    def test_a_call_that_fails_before_there_is_a_context(self):
        finding, = self.check("nothing", ["--checks", "failures"])
        self.assertIn("clGetDeviceIDs failed with CL_DEVICE_NOT_FOUND; called by ", finding["message"])

    def test_warnings_of_a_build(self):
        finding, = self.check("warning")
        self.assertEqual((finding["rule"], finding["file"], finding["line"]), ("build-warning", "program.cl", 2))
        self.assertIn("implicit conversion", finding["message"])
        self.assertEqual(finding["source"], "  int x = 1.5e10;")
        self.assertEqual(self.done.returncode, 0)

    def test_groups(self):
        self.assertEqual(self.check("leak", ["--checks", "memory"]), [])
        self.assertEqual(len(self.check("leak", ["--checks", "api"])), 1)
        self.assertIn("checked: api\n", self.done.stderr)
        self.assertEqual(len(self.check("leak", ["--checks", "memory,api"])), 1)

    def test_annotations_without_a_place(self):
        self.check("leak", ["--annotations", "github"])
        self.assertRegex(self.done.stdout, r"^::warning title=LaneCL check%3A leaked-object::not released ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
