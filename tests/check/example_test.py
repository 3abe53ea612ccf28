#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""example_test.py LANECL EXAMPLES PROGRAM: examples/checked_kernel passes its own test, and check mode finds each of
its mistakes in the line that the mistake's comment is in."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

NAME = "checked_kernel/checked_kernel.cl"


def main(lanecl, examples, program):
    wanted = {(NAME, line, match[1])
              for line, text in enumerate((pathlib.Path(examples) / NAME).read_text().split("\n"), 1)
              if (match := re.search(r"// BUG: ([a-z-]+)$", text))}
    alone = subprocess.run([lanecl, program], stdout=subprocess.PIPE, text=True, check=False)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report"
        checked = subprocess.run([lanecl, "check", "--sources", examples, "--json", str(report), program],
                                 stderr=subprocess.PIPE, text=True, check=False)
        found = {(finding["file"], finding["line"], finding["rule"])
                 for finding in json.loads(report.read_text())["findings"]}
    good = (len(wanted) == 3 and found == wanted and alone.returncode == 0 and checked.returncode == 86 and
            alone.stdout.count("all results are right") == 3)
    if not good:
        print("expected %s\nfound %s\n%s%s" % (wanted, found, alone.stdout, checked.stderr))
    return not good


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
