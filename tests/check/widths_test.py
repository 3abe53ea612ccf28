#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""widths_test.py LANECL CHECK_STUDY_HOST: kernels whose results depend on the sub-group size."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST = sys.argv[1:3]
HEAD = "kernel void k(global const int *in, global int *out, int n) {\n  int i = get_global_id(0);\n"
DEPENDS = HEAD + "  out[i] = sub_group_reduce_add(1);\n}\n"
REQUIRES = "__attribute__((intel_reqd_sub_group_size(8)))\n" + DEPENDS
SAME = HEAD + "  out[i] += work_group_reduce_add(in[i]);\n  if (i == 0) printf(\"once\\n\");\n}\n"
VARIES = HEAD + "  out[i] = (int)clock_read_device() + get_sub_group_size();\n}\n"
# Only the lanes of the same sub-group see what the others have written.
LOCKSTEP = HEAD + """  local volatile int tile[64];
  int l = get_local_id(0);
  tile[l] = l;
  out[i] = tile[(l + 31) % 32];
  tile[l] = -1;
}
"""
VARIABLE = "global int total;\n" + HEAD + """  if (i == 0)
    total += get_max_sub_group_size();
  out[i] = 1;
}
"""


class Widths(unittest.TestCase):
    def check(self, source, groups="widths"):
        with tempfile.TemporaryDirectory() as name:
            path, report = pathlib.Path(name) / "k.cl", pathlib.Path(name) / "report.json"
            path.write_text(source)
            self.done = subprocess.run(
                [LANECL, "check", "--checks", groups, "--json", str(report), HOST, str(path), "64", "32", "64", "64", "0",
                 "-cl-std=CL3.0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
            self.assertEqual(self.done.returncode, 0, self.done.stderr)
            return json.loads(report.read_text())["findings"]

    def test_depends(self):
        finding, = self.check(DEPENDS)
        self.assertEqual((finding["rule"], finding["severity"], finding["kernel"]), ("width-dependent", "warning", "k"))
        self.assertRegex(finding["message"],
                         r"^argument 1 'out' \(256 bytes\) differs from byte 0 on: at byte 0 it has (08|10) 00 00 00 "
                         r"with sub-group size (8|16), but 20 00 00 00 with 32$")
        self.assertEqual(set(self.done.stdout.split()), {"32"}) # the kernel's own width
        self.assertIn("1 launch in 1 process,", self.done.stderr)

    def test_lockstep_and_variables(self):
        self.assertEqual(len(self.check(LOCKSTEP)), 1)
        finding, = self.check(VARIABLE)
        self.assertIn("the program scope variables", finding["message"])

    def test_same(self):
        for source in (REQUIRES, SAME):
            self.assertEqual(self.check(source), [])
            self.assertNotIn("sub-group size, because", self.done.stderr)
        self.assertEqual(self.done.stdout.count("once"), 1)
        # The variable that the kernel adds to is restored before each run.
        self.assertGreater(int(self.done.stdout.split()[-1]), 0)

    def test_with_other_checks(self):
        self.assertEqual([finding["rule"] for finding in self.check(DEPENDS, "all,races,widths")], ["width-dependent"])
        self.assertEqual(self.check(DEPENDS, "all"), [])

    def test_varies(self):
        self.assertEqual(self.check(VARIES), [])
        self.assertIn("  1 launch ran only with the kernel's own sub-group size, because its results vary even with "
                      "that\n", self.done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
