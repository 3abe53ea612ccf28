#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest_test.py LANECL PACKAGES: tests tools/pytest the way its users meet it, with the project pytest_project beside
this file. PACKAGES is the folder with the Python package lanecl of the build tree."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

LANECL, PACKAGES = sys.argv[1:3]
PROJECT = pathlib.Path(__file__).resolve().parent / "pytest_project"
CHECK = "--lanecl-check"


def expected(test, least="error"):
    """Returns the outcome that a test's name announces for --lanecl-check."""
    name = re.sub(r".*\[(.*)\]", r"\1", test)
    if "has_errors" in name:
        return "error"
    if "is_skipped" in name or "as_expected" in name:
        return "skipped"
    return "failed" if "fails" in name or ("warning" in name and least == "warning") else "passed"


def outcome(case):
    kinds = {child.tag for child in case}
    for tag, result in (("failure", "failed"), ("error", "error"), ("skipped", "skipped")):
        if tag in kinds:
            return result
    return "passed"


class Plugin(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = dict(os.environ, PYTHONPATH=PACKAGES, PYTHONDONTWRITEBYTECODE="1",
                                XDG_CACHE_HOME=str(self.folder / "cache"), TMPDIR=str(self.folder))
        # The plugin chooses the device itself.
        for variable in "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES":
            self.environment.pop(variable, None)

    def pytest(self, *options, file="test_kernels.py", before=(), environment=None):
        report = self.folder / "report.xml"
        report.unlink(missing_ok=True)
        words = [*before, sys.executable, "-m", "pytest", "-p", "lanecl.pytest_plugin", "-p", "no:cacheprovider", "-q",
                 f"--junit-xml={report}", *options, file]
        done = subprocess.run(words, cwd=PROJECT, env={**self.environment, **(environment or {})}, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        done.cases = {}
        if report.exists():
            for case in xml.etree.ElementTree.parse(report).iter("testcase"):
                # An error in the teardown is a test case of its own.
                known = done.cases.get(case.get("name"))
                if known is None or outcome(known) == "passed":
                    done.cases[case.get("name")] = case
        return done

    def assert_outcomes(self, done, least="error"):
        self.assertEqual({name: outcome(case) for name, case in done.cases.items()},
                         {name: expected(name, least) for name in done.cases}, done.stdout + done.stderr)
        self.assertEqual(len(done.cases), 19)
        self.assertEqual(done.returncode, 1)

    def assert_texts(self, done):
        """Each failing test has the text of its own finding."""
        for name, distance in (("test_fails", 1), ("test_fails_at_the_same_place", 4), ("test_parametrized[fails]", 5),
                               ("test_parametrized[fails_too]", 6), ("test_shared[fails]", 7),
                               ("test_fails_instead_of_being_skipped", 9), ("test_fails_in_a_child", 12)):
            text = "".join(done.cases[name].itertext()) + "".join(child.get("message", "") for child in done.cases[name])
            self.assertIn("[out-of-bounds]", text, name)
            self.assertIn("in kernel 'shift'", text, name)
            self.assertIn(f"the first is global id ({64 - distance},0,0)", text, name)

    def test_without_the_option(self):
        done = self.pytest(environment={"OCL_ICD_VENDORS": os.environ["OCL_ICD_VENDORS"]})
        failed = [name for name, case in done.cases.items() if outcome(case) == "failed"]
        self.assertEqual(failed, ["test_fails_by_itself"], done.stdout)
        self.assertNotIn("LaneCL check", done.stdout)

    def test_a_test_fails_whose_kernel_breaks_a_rule(self):
        done = self.pytest(CHECK)
        self.assert_outcomes(done)
        self.assert_texts(done)
        self.assertIn("test_kernels.py::test_fails: program.cl:4: error: out-of-bounds in kernel 'shift'\n", done.stdout)
        self.assertIn("test_kernels.py::test_passes_with_a_warning: program.cl:7: warning: lane-out-of-range in kernel "
                      "'swap'\n", done.stdout)
        self.assertRegex(done.stdout, r"\n12 errors, 1 warning; 19 launches\n")
        # The second run uses pyopencl's cached binaries, which contain the source.
        again = self.pytest(CHECK)
        self.assert_texts(again)
        self.assertIn("out[i + distance] = i;", again.stdout)
        self.assertTrue(list((self.folder / "cache").rglob("*binary*")), "pyopencl keeps no binaries any more")

    def test_workers(self):
        done = self.pytest(CHECK, "-n", "2")
        self.assert_outcomes(done)
        self.assert_texts(done)
        self.assertRegex(done.stdout, r"\n12 errors, 1 warning; 19 launches\n")

    def test_warnings_fail_by_request(self):
        self.assert_outcomes(self.pytest(CHECK, "--lanecl-fail-on", "warning"), "warning")
        self.assert_outcomes(self.pytest(CHECK, "--lanecl-error", "lane-out-of-range"), "warning")

    def test_options_of_the_check(self):
        done = self.pytest(CHECK, "--lanecl-ignore", "out-of-bounds")
        self.assertEqual([name for name, case in done.cases.items() if outcome(case) == "failed"], ["test_fails_by_itself"])
        done = self.pytest(CHECK, "--lanecl-sources", str(PROJECT))
        self.assertIn("kernels.py:9:", "".join(done.cases["test_fails"].itertext()))
        (self.folder / "known").write_text("* shift *\n")
        done = self.pytest(CHECK, "--lanecl-suppressions", str(self.folder / "known"))
        self.assertEqual([name for name, case in done.cases.items() if outcome(case) == "failed"], ["test_fails_by_itself"])

    def test_wrong_options(self):
        for options, message in (([CHECK, "--lanecl-checks", "memori"], "unknown group of checks 'memori'"),
                                 ([CHECK, "--lanecl-error", "out-of-bound"], "unknown rule 'out-of-bound'"),
                                 (["--lanecl-device", "banana"], "banana")):
            done = self.pytest(*options)
            self.assertEqual((done.returncode, done.cases), (4, {}), done.stdout)
            self.assertIn(message, done.stdout + done.stderr)

    def test_a_device(self):
        for options, name in ((["--lanecl-device", "dg2"], "Arc"), ([CHECK, "--lanecl-device", "dg2"], "Arc"),
                              ([CHECK], "LaneCL")):
            done = self.pytest(*options, file="test_device.py", environment={"EXPECTED_DEVICE": name})
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_no_kernel(self):
        done = self.pytest(CHECK, file="test_nothing.py")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no kernel was launched on this device\n", done.stdout)
        for workers in [], ["-n", "2"]:
            done = self.pytest(CHECK, "--lanecl-require-launch", *workers, file="test_nothing.py")
            self.assertEqual(done.returncode, 1, workers)
            self.assertIn("no kernel was launched on this device, which is an error", done.stdout)
            done = self.pytest(CHECK, "--lanecl-require-launch", *workers, "-k", "test_passes and not child")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_kernel_behind_the_last_test(self):
        done = self.pytest(CHECK, file="test_nothing.py", environment={"SHIFT_BEHIND_THE_LAST_TEST": "1"})
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("after the last test: program.cl:4: error: out-of-bounds in kernel 'shift'\n", done.stdout)

    def test_under_lanecl_check(self):
        done = self.pytest(CHECK, before=(LANECL, "check"))
        self.assertIn("program.cl:4:", done.stderr)
        self.assertIn("error: out-of-bounds in kernel 'shift'", done.stderr)
        self.assertEqual(outcome(done.cases["test_fails"]), "failed")
        self.assertEqual(outcome(done.cases["test_passes"]), "passed")
        # Without the plugin, only the summary of `lanecl check` shows the findings of tests that pass.
        done = self.pytest("-k", "test_fails and not by_itself", before=(LANECL, "check"))
        self.assertEqual(done.returncode, 86, done.stdout)
        self.assertRegex(done.stderr, r"LaneCL check found:\n  program.cl:4:\d+: error: out-of-bounds in kernel "
                                      r"'shift' \(")

    def test_nothing_is_left(self):
        self.pytest(CHECK, file="test_nothing.py")
        self.pytest(CHECK, "-n", "2", file="test_nothing.py")
        self.assertEqual(list(self.folder.glob("lanecl-pytest-*")), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
