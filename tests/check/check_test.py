#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_test.py LANECL CHECK_HOST CASE: `lanecl check` finds the broken rule of the kernel in the right line and lanes,
at widths of 8, 16 and 32, and finds nothing in the correct kernel."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cases
import lane_cases

STATUS = 86
FLAGS = {"avx512": " avx512vl ", "avx2": " avx2 "}  # flags of a processor that runs LANECL_ISA


def runs_here():
    return FLAGS.get(os.environ.get("LANECL_ISA"), "") in pathlib.Path("/proc/cpuinfo").read_text()


def run(lanecl, host, folder, case, options):
    """Returns the exit status, the report and what was printed."""
    source, report = folder / "k.cl", folder / "report.json"
    source.write_text(case.source)
    local = min(32, case.work_items)
    words = [lanecl, "check", "--checks", case.checks, "--json", str(report), host, str(source), case.memory,
             str(case.work_items), str(local), "-cl-std=CL3.0 " + options]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    return done.returncode, json.loads(report.read_text()), done.stderr


def problems_of_broken(case, width, status, report, text):
    line = next(number for number, text in enumerate(case.source.split("\n"), 1) if "BROKEN" in text)
    sub_group = case.sub_group(width) if callable(case.sub_group) else case.sub_group
    found = [finding for finding in report["findings"] if finding["rule"] == case.rule]
    if not found:
        return ["not found"]
    first = found[0]
    wanted = {"line": line, "lanes": case.lanes(width), "sub_group": sub_group, "severity": case.severity, "kernel": "k"}
    problems = ["%s is %s, not %s" % (name, first[name], value) for name, value in wanted.items()
                if first[name] != value]
    message = case.message[width] if isinstance(case.message, dict) else case.message
    if message not in first["message"]:
        problems.append("the message is '%s'" % first["message"])
    if case.findings not in (None, len(report["findings"])):
        problems.append("%d findings" % len(report["findings"]))
    if status != (STATUS if case.severity == "error" else 0):
        problems.append("exit status %d" % status)
    if "BROKEN" not in text or "^" not in text:
        problems.append("the source line is not shown")
    return problems


def main(lanecl, host, name):
    if not runs_here():
        return 77
    case = {**cases.CASES, **lane_cases.CASES}[name]
    if name.startswith("race_groups"):
        os.environ["LANECL_THREADS"] = "1"  # makes sure which work-group comes later
    if name == "init_usm":
        # the host may write to device USM of a processor, which would count as initialized
        os.environ["LANECL_DEVICE"] = "gpu"
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for width in case.widths:
            os.environ["LANECL_SUB_GROUP_SIZE"] = str(width)
            options = "-DW=%d" % width
            status, report, text = run(lanecl, host, pathlib.Path(folder), case, options)
            problems = problems_of_broken(case, width, status, report, text)
            if problems:
                failed = True
                print("%s, width %d: %s\n%s" % (name, width, "; ".join(problems), text))
            status, report, text = run(lanecl, host, pathlib.Path(folder), case, options + " -DCORRECT")
            if status != 0 or report["findings"] or report["launches"] != 1:
                failed = True
                print("%s, width %d, correct: exit status %d\n%s" % (name, width, status, text))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
