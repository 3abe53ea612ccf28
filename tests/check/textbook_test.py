#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""textbook_test.py LANECL CHECK_HOST RUN_KERNEL: tests what `lanecl check` finds in the kernels of textbook.py, by
default and with --checks full, and that checking does not change their results.

With --table it prints a line for each kernel instead: its rule, and the option that finds the defect."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import textbook

LANECL, HOST, RUN_KERNEL = sys.argv[1:4]
OPTIONS = "-cl-std=CL3.0"


class Folder:
    """A temporary folder with the kernels' files."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.temporary.name)
        for name, kernel in textbook.KERNELS.items():
            (self.path / f"{name}.cl").write_text(kernel.source)

    def source(self, name):
        return str(self.path / f"{name}.cl")

    def check(self, name, defect, checks):
        """Runs `lanecl check` and returns the report."""
        report = self.path / "report.json"
        subprocess.run([LANECL, "check", "--checks", checks, "--json", str(report), HOST, self.source(name), "buffer", "64",
                        "32", OPTIONS + (" -DDEFECT" if defect else "")], check=False, stderr=subprocess.DEVNULL, timeout=120)
        return json.loads(report.read_text())

    def rules(self, name, defect, checks):
        return {finding["rule"] for finding in self.check(name, defect, checks)["findings"]}


class Textbook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()

    def test_found_by_default(self):
        for name, kernel in textbook.KERNELS.items():
            with self.subTest(kernel=name):
                self.assertEqual(kernel.rule in self.folder.rules(name, True, "all"), kernel.by_default)

    def test_found_with_all_checks(self):
        for name, kernel in textbook.KERNELS.items():
            with self.subTest(kernel=name):
                self.assertIn(kernel.rule, self.folder.rules(name, True, "full"))

    def test_nothing_is_found_in_the_correct_twin(self):
        for name in textbook.KERNELS:
            for checks in "all", "full":
                with self.subTest(kernel=name, checks=checks):
                    self.assertEqual(self.folder.rules(name, False, checks), set())

    # Where work-items race, the result depends on the size and the order of sub-groups. One thread fixes the order.
    def test_checking_changes_nothing(self):
        environment = {**os.environ, "LANECL_THREADS": "1"}
        for name, kernel in textbook.KERNELS.items():
            # Uninitialized memory may have any contents, so results of these defects are not compared.
            for define in ("",) if kernel.rule == "uninitialized-read" else ("", " -DDEFECT"):
                words = [RUN_KERNEL, self.folder.source(name), "64", "32", OPTIONS + define]
                plain, *checked = (subprocess.run([LANECL, *options, *words], env=environment, check=False, timeout=120,
                                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
                                   for options in ([], ["check"], ["check", "--checks", "full"]))
                self.assertNotEqual(plain, b"", name)
                self.assertEqual(checked, [plain, plain], name + define)


def table():
    folder = Folder()
    print("| Kernel | Rule | Found with |\n|---|---|---|")
    for name, kernel in textbook.KERNELS.items():
        found = [checks for checks in ("all", "full") if kernel.rule in folder.rules(name, True, checks)]
        print(f"| {name} | {kernel.rule} | --checks {found[0]} |" if found else f"| {name} | {kernel.rule} | nothing |")


if __name__ == "__main__":
    if "--table" in sys.argv:
        table()
    else:
        unittest.main(argv=sys.argv[:1])
