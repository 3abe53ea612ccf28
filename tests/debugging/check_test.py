#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check mode in gdb: it stops at a finding with the first lane selected that breaks the rule, and continues from
there."""
import os
import re
import subprocess
import tempfile
import unittest

import gdb_session  # noqa: F401; skips the test where gdb cannot run

LANECL, HOST = os.environ["COMMAND_UNDER_TEST"], os.environ["CHECK_HOST"]

KERNEL = """void put(global int *p, int i) {
  p[i + 4] = i;
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int i = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  put(p, i);
  int n = i + 1;
  if (i > 56)
    n = intel_sub_group_shuffle(i, i - 60);
  p[i] = n;
}
"""


class Checks(unittest.TestCase):
    def run_gdb(self, commands, options="", before=("--check",), environment=()):
        """Returns the output of each command."""
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "kernel.cl")
            with open(source, "w", encoding="utf-8") as file:
                file.write(KERNEL)
            words = [LANECL, "gdb"] + list(before) + ["-nx", "-batch", "-ex", "set width 0"]
            for i, command in enumerate(commands):
                words += ["-ex", "echo @@%d\\n" % i, "-ex", command]
            # The sub-buffer is followed by memory that nothing else uses.
            words += ["--", HOST, source, "sub-buffer", "64", "32", "-cl-std=CL3.0 -s %s %s" % (source, options)]
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                                  timeout=240, env=dict(os.environ, **dict(environment)))
        return [part.strip("\n") for part in re.split(r"^@@\d+\n", done.stdout, flags=re.M)[1:]]

    def test_stops_at_findings(self):
        out = self.run_gdb(["run", "print i", "info lanes", "next", "print i", "next", "continue", "print i",
                            "continue"])
        self.assertIn("kernel.cl:2:12 in kernel 'k'", out[0])
        self.assertRegex(out[0], r"#\d+ .* put \(p=0x[0-9a-f]+, i=60\) at \S*kernel\.cl:2\n2\t  p\[i \+ 4\] = i;\n"
                                 r"\[Sub-group 1 of work-group 1, lanes \[\*12 13-15\]; lane 12 is global id 60\]")
        self.assertEqual(out[1], "$1 = 60")
        self.assertRegex(out[2], r"\* 12 +active +60")
        self.assertRegex(out[3], r"3\t}")
        self.assertEqual(out[4], "$2 = 60")
        self.assertRegex(out[5], r"9\t  int n = i \+ 1;")
        # This is the warning of the shuffle: work-items 57 to 59 ask for lanes that do not exist.
        self.assertIn("[lane-out-of-range]", out[6])
        self.assertRegex(out[6], r"11\t.*\n\[Sub-group 1 of work-group 1, lanes \[\*9 10-11\]; lane 9 is global id 57\]")
        self.assertEqual(out[7], "$3 = 57")
        # Lanes of that sub-group also ask for lanes that do not call the function.
        self.assertIn("[lane-not-active]", out[8])

    def test_ends_as_without_a_debugger(self):
        out = self.run_gdb(["run", "continue", "continue", "continue"])
        self.assertIn("exited normally", out[-1])

    def test_unoptimized(self):
        out = self.run_gdb(["run", "print i", "continue", "print i"], options="-g -cl-opt-disable")
        self.assertIn("lane 12 is global id 60", out[0])
        self.assertEqual((out[1], out[3]), ("$1 = 60", "$2 = 57"))

    def test_a_group_of_checks(self):
        out = self.run_gdb(["run"], environment={"LANECL_CHECK": "sub-groups"})
        self.assertIn("lane 9 is global id 57", out[0])

    def test_without_check(self):
        out = self.run_gdb(["run"], before=())
        self.assertIn("exited normally", out[0])

    def test_what_is_suppressed_does_not_stop(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("out-of-bounds k *\n")
            file.flush()
            out = self.run_gdb(["run"], environment={"LANECL_CHECK_SUPPRESSIONS": file.name})
        self.assertIn("lane 9 is global id 57", out[0])

    def test_lldb_has_no_check(self):
        done = subprocess.run([LANECL, "lldb", "--check", "true"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("only gdb stops", done.stderr)


if __name__ == "__main__":
    unittest.main()
