#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""options_test.py LANECL CHECK_HOST: what the report leaves out, when a program is stopped, and the summary."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST = sys.argv[1:3]

# The kernel k breaks rules in lines 3 to 6, the last one as a warning. `other` breaks one in line 9.
KERNELS = """kernel void k(global int *p) {
  int i = get_global_id(0);
  p[i + 64] = i;
  p[i + 65] = i;
  p[i + 66] = i;
  p[i] = intel_sub_group_shuffle(i, 40);
}
kernel void other(global int *p) {
  p[64 + get_global_id(0)] = 1;
}
"""


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Options(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "k.cl").write_text(KERNELS)
        self.program = [HOST, str(self.folder / "k.cl"), "buffer", "64", "32", "-cl-std=CL3.0"]

    def check(self, options=(), program=None):
        report = self.folder / "report.json"
        words = [LANECL, "check", "--json", str(report)] + list(options) + (program or self.program)
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                              cwd=self.folder)
        done.report = json.loads(report.read_text()) if report.exists() and report.stat().st_size else None
        done.lines = sorted(finding["line"] for finding in done.report["findings"]) if done.report else None
        return done

    def suppress(self, *lines, program=None, options=()):
        (self.folder / "known").write_text("".join(line + "\n" for line in lines))
        return self.check(["--suppressions", "known"] + list(options), program)

    def test_nothing_left_out(self):
        done = self.check()
        self.assertEqual((done.returncode, done.lines), (86, [3, 4, 5, 6]))
        self.assertRegex(done.stderr, r"LaneCL check: 3 errors, 1 warning; 1 launch in 1 process, \d+\.\d s, checked: "
                                      r"memory, sub-groups, work-groups, races of local memory, initialization of "
                                      r"local and private memory, api\n  not checked: races of global memory, "
                                      r"initialization of global "
                                      r"memory, arithmetic, widths, commands, failures; --checks full checks "
                                      r"everything\n$")

    def test_what_is_looked_for(self):
        everything = ["memory", "sub-groups", "work-groups", "races", "initialization", "arithmetic", "widths", "commands",
                      "api", "failures"]
        for checks, checked, left_out in (
                ("full", everything, []), ("all,full", everything, []), ("api", ["api"], None),
                ("all", [group for group in everything if group in ("memory", "sub-groups", "work-groups", "races",
                                                                    "initialization", "api")],
                 ["races of global memory", "initialization of global memory", "arithmetic", "widths", "commands",
                  "failures"]),
                ("all,races", [group for group in everything if group in ("memory", "sub-groups", "work-groups", "races",
                                                                          "initialization", "api")],
                 ["initialization of global memory", "arithmetic", "widths", "commands", "failures"])):
            done = self.check(["--checks", checks], ["true"])
            self.assertEqual(done.report["checked"], checked, checks)
            self.assertEqual(done.report["left_out"],
                             [group for group in everything if group not in checked] if left_out is None else left_out)
            self.assertEqual("  not checked: " in done.stderr, left_out != [], checks)

    def test_the_summary_lists_what_was_found(self):
        quiet = ["sh", "-c", '"$@" 2>/dev/null', "sh"] + self.program
        done = self.check(program=quiet)
        self.assertRegex(done.stderr, r"""^LaneCL check found:
  program.cl:3:\d+: error: out-of-bounds in kernel 'k' \(2 times\)
  program.cl:4:\d+: error: out-of-bounds in kernel 'k' \(2 times\)
  program.cl:5:\d+: error: out-of-bounds in kernel 'k' \(2 times\)
  program.cl:6:\d+: warning: lane-out-of-range in kernel 'k' \(2 times\)
LaneCL check: 3 errors, 1 warning; """)
        twice = ["sh", "-c", '"$@" 2>/dev/null; "$@" 2>/dev/null', "sh"] + self.program
        self.assertIn("error: out-of-bounds in kernel 'k' (4 times)\n", self.check(program=twice).stderr)
        self.assertNotIn("LaneCL check found", self.suppress("* * *").stderr)

    def test_suppressed(self):
        done = self.suppress("# known", "", "out-of-bounds k program.cl:3 # since long", "out-of-bounds * program.cl:4")
        self.assertEqual((done.returncode, done.lines, done.report["suppressed"]), (86, [5, 6], 2))
        self.assertNotIn("program.cl:3", done.stderr)
        self.assertIn("suppressed: 2 places\n", done.stderr)
        self.assertNotIn("suppresses nothing", done.stderr)

    def test_patterns(self):
        for line, left in (("* * *", []), ("* k *.cl:*", []), ("out-of-bounds k program.cl:*", [6]),
                           ("lane-* k *", [3, 4, 5]), ("* k program.cl:5", [3, 4, 6]), ("* other *", [3, 4, 5, 6]),
                           ("* K *", [3, 4, 5, 6]), ("* ? *", [3, 4, 5, 6]), ("* * rogram.cl:3", [3, 4, 5, 6])):
            self.assertEqual(self.suppress(line).lines, left, line)

    def test_all_suppressed_is_no_error(self):
        self.assertEqual(self.suppress("out-of-bounds k *").returncode, 0)

    def test_unused(self):
        done = self.suppress("out-of-bounds k program.cl:3", "out-of-bounds other *", "", "* * gone.cl:7")
        self.assertIn("known:2 suppresses nothing: out-of-bounds other *\n", done.stderr)
        self.assertIn("known:4 suppresses nothing: * * gone.cl:7\n", done.stderr)
        self.assertNotIn("known:1", done.stderr)

    def test_wrong_lines(self):
        for line, problem in (("out-of-bounds k", "a line needs a rule, a kernel and a place"),
                              ("out-of-bound k *", "unknown rule 'out-of-bound'; the rules are out-of-bounds, "),
                              ("out-of-bounds k a.cl", "'a.cl' is not a place"),
                              ("out-of-bounds k a.cl:x", "'a.cl:x' is not a place"),
                              ("out-of-bounds k :3", "':3' is not a place")):
            done = self.suppress("* k *", line, program=["echo", "begun"])
            self.assertEqual((done.returncode, done.stdout), (1, ""), line)
            self.assertIn("known:2: " + problem, done.stderr)
        for path in ("no-such-file", "."):
            done = self.check(["--suppressions", path], ["echo", "begun"])
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("--suppressions: " + path + ": ", done.stderr)

    def test_the_variable_alone(self):
        (self.folder / "known").write_text("nonsense\nout-of-bounds k program.cl:3\n")
        environment = dict(os.environ, LANECL_CHECK="memory", LANECL_CHECK_SUPPRESSIONS="known")
        done = subprocess.run([LANECL] + self.program, env=environment, cwd=self.folder, stderr=subprocess.PIPE, text=True,
                              check=False)
        self.assertIn("known:1: ", done.stderr)
        self.assertEqual(done.stderr.count("[out-of-bounds]"), 2)

    def test_a_limit(self):
        done = self.check(["--limit", "2"])
        self.assertEqual((done.returncode, done.lines), (86, [3, 4]))
        self.assertEqual(done.stderr.count("LaneCL check: error"), 2)
        self.assertIn("not shown: 2 more findings (--limit 2)\n", done.stderr)
        self.assertEqual(done.report["further"], 2)
        # All processes share one limit, and suppressed findings do not count.
        twice = ["sh", "-c", '"$@" & "$@"; wait', "sh"] + self.program
        shown = re.findall(r"LaneCL check: (error|warning): ", self.check(["--limit", "3"], twice).stderr)
        self.assertEqual(len(shown), 3)
        self.assertEqual(self.suppress("* * *:3", "* * *:4", options=["--limit", "1"]).lines, [5])
        # An error beyond the limit still counts as an error.
        done = self.suppress("lane-* k *", "* * *:3", options=["--limit", "1"])
        self.assertEqual((done.lines, done.report["further"], done.returncode), ([4], 1, 86))

    def test_an_error_behind_a_thousand_places(self):
        many = ["kernel void k(global volatile int *p) {", "  int i = get_global_id(0);"]
        many += ["  p[i + %d] = i;" % (64 + n % 3) for n in range(1200)]
        many += ["  p[i + 64] = 1;", "}"]
        (self.folder / "k.cl").write_text("\n".join(many) + "\n")
        done = self.check()
        self.assertEqual((done.returncode, done.lines), (86, list(range(3, 1204))))
        # The findings before this one are suppressed.
        known = ["* * *:%d" % line for line in range(3, 1203)]
        done = self.suppress(*known)
        self.assertEqual((done.returncode, done.lines, done.report["suppressed"]), (86, [1203], 1200))
        self.assertEqual(done.report["findings"][0]["sub_groups"], 2)
        # The process ends at once.
        done = self.suppress(*known, options=["--stop-at-first"])
        self.assertEqual((done.returncode, done.lines, done.report["suppressed"]), (86, [1203], 1200))

    def test_stop_at_first(self):
        script = ["sh", "-c", '"$@"; echo ended $?', "sh"] + self.program
        done = self.check(["--stop-at-first"], script)
        self.assertEqual((done.returncode, done.stdout, done.lines), (86, "ended 86\n", [3]))
        done = self.check(["--stop-at-first", "--error-status", "3"])
        self.assertEqual((done.returncode, done.lines), (3, [3]))
        # Neither suppressed findings nor warnings stop the process.
        (self.folder / "known").write_text("out-of-bounds * *\n")
        done = self.check(["--stop-at-first", "--suppressions", "known"], script)
        self.assertEqual((done.returncode, done.stdout, done.lines), (0, "ended 0\n", [6]))

    def test_fail_on_warning(self):
        warned = "out-of-bounds k *"
        self.assertEqual(self.suppress(warned).returncode, 0)
        for options, status in ((["--fail-on", "error"], 0), (["--fail-on", "warning"], 86),
                                (["--fail-on", "warning", "--error-status", "5"], 5)):
            self.assertEqual(self.suppress(warned, options=options).returncode, status, options)
        self.assertEqual(self.suppress("* * *", options=["--fail-on", "warning"]).returncode, 0)
        self.assertNotEqual(self.check(["--fail-on", "nothing"]).returncode, 0)
        # The program's own status takes precedence.
        script = ["sh", "-c", '"$@"; exit 7', "sh"] + self.program
        self.assertEqual(self.suppress(warned, options=["--fail-on", "warning"], program=script).returncode, 7)

    def test_rules_by_severity(self):
        error, warning = "out-of-bounds", "lane-out-of-range"
        for options, errors, warnings, status in (
                (["--error", warning], 4, 0, 86), (["--warning", error], 0, 4, 0),
                (["--warning", error, "--error", warning], 1, 3, 86),
                (["--ignore", error], 0, 1, 0), (["--ignore", warning], 3, 0, 86),
                (["--ignore", error + "," + warning], 0, 0, 0), (["--ignore", error, "--ignore", warning], 0, 0, 0),
                (["--ignore", error, "--fail-on", "warning"], 0, 1, 86),
                (["--warning", error, "--stop-at-first"], 0, 4, 0)):
            done = self.check(options)
            severities = [finding["severity"] for finding in done.report["findings"]]
            self.assertEqual((severities.count("error"), severities.count("warning"), done.returncode),
                             (errors, warnings, status), options)
            self.assertIn(f"LaneCL check: {counted(errors, 'error')}, {counted(warnings, 'warning')}; ", done.stderr)
            self.assertEqual(done.stderr.count("LaneCL check: error: "), errors)
            self.assertEqual(done.stderr.count("LaneCL check: warning: "), warnings)
        done = self.check(["--ignore", error])
        self.assertIn("  ignored: out-of-bounds in 3 places\n", done.stderr)
        self.assertEqual(done.report["ignored"], {error: 3})
        # The process continues to the finding that --error makes an error.
        done = self.check(["--ignore", error, "--error", warning, "--stop-at-first"])
        self.assertEqual((done.returncode, done.lines), (86, [6]))

    def test_rules_that_there_are_not(self):
        for option in "--error", "--warning", "--ignore":
            done = self.check([option, "out-of-bound"], ["echo", "begun"])
            self.assertEqual(done.stdout, "")
            self.assertIn("unknown rule 'out-of-bound'; the rules are out-of-bounds, ", done.stderr)
        environment = dict(os.environ, LANECL_CHECK="all", LANECL_CHECK_IGNORE="out-of-bounds,nothing")
        done = subprocess.run([LANECL] + self.program, env=environment, stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn("LANECL_CHECK_IGNORE=out-of-bounds,nothing is ignored; legal values: out-of-bounds, ", done.stderr)
        self.assertEqual(done.stderr.count("[out-of-bounds]"), 3)

    def test_require_launch(self):
        done = self.check(["--require-launch"], ["true"])
        self.assertEqual(done.returncode, 86)
        self.assertIn("  no kernel was launched on this device, which is an error (--require-launch)\n", done.stderr)
        self.assertEqual(self.check(["--require-launch"], ["sh", "-c", "exit 3"]).returncode, 3)
        done = self.suppress("* * *", options=["--require-launch"])
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("no kernel was launched", done.stderr)

    def test_the_summary_without_kernels(self):
        done = self.check([], ["true"])
        self.assertRegex(done.stderr, r"^LaneCL check: 0 errors, 0 warnings; 0 launches in 0 processes, \d+\.\d s, "
                                      r"checked: "
                                      r"[^\n]*\n  no kernel was launched on this device\n  not checked: [^\n]*\n$")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
