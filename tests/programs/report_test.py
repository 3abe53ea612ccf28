#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `lanecl compile --report` with what a kernel file says in its comments `//~ KIND: TEXT`; see report.cl.

    report_test.py LANECL KERNELS.cl CPU
"""
import pathlib
import re
import subprocess
import sys

OPTIONAL = {"loop", "spill"}  # they depend on the processor; listed are those that all have


def expectations(path):
    """Each comment as (line, kind, regular expression)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for kind, text in re.findall(r"//~ ([a-z -]+): (.*?)(?= //~|$)", line):
            at = lambda match, here=number: str(here + int(match[1] or 0))
            yield number, kind, re.sub(r"@([+-]\d+)?", at, text)


def remarks(report, path):
    """Each line of the report as (line, kind, text)."""
    for line in report.splitlines():
        if found := re.match(rf"  {re.escape(str(path))}:(\d+):\d+ +([a-z -]+?)  +(.*)", line):
            yield int(found[1]), found[2], found[3]


def main():
    lanecl, kernels, cpu = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    done = subprocess.run([lanecl, "compile", kernels, "--report", "--local-size", "64", "--cpu", cpu, "--",
                           "-cl-std=CL3.0"], check=False, capture_output=True, text=True)
    got, wanted = list(remarks(done.stdout, kernels)), list(expectations(kernels))
    wrong = [] if done.returncode == 0 and wanted else [f"exit status {done.returncode}", done.stderr]
    matches = lambda want, is_there: want[:2] == is_there[:2] and re.match(want[2], is_there[2])
    for want in wanted:
        if not any(matches(want, is_there) for is_there in got):
            wrong.append("not reported: line {}, {}: {}".format(*want))
    for is_there in got:
        if is_there[1] not in OPTIONAL and not any(matches(want, is_there) for want in wanted):
            wrong.append("not expected: line {}, {}: {}".format(*is_there))
    if wrong:
        print("\n".join(wrong), done.stdout, sep="\n")
    return bool(wrong)


sys.exit(main())
