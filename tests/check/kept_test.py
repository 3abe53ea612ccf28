#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kept_test.py LANECL CHECK_HOST: what is found in functions that are not inlined is what is found where they are
inlined. The findings, the work-items and the calls are the same, and correct kernels have no findings."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import kept_cases

STATUS = 86
WIDTHS = {"CL1.2": (8, 32), "CL3.0": (16,)}
FLAGS = {"avx512": " avx512vl ", "avx2": " avx2 "}  # flags of a processor that runs LANECL_ISA


def run(lanecl, host, folder, case, options, kept):
    """Returns the exit status and the findings without what differs between any two runs."""
    source, report = folder / "k.cl", folder / "report.json"
    source.write_text(case.source)
    words = [lanecl, "check", "--checks", case.checks, "--json", str(report), host, str(source), case.memory,
             str(case.work_items), str(case.local), options]
    environment = dict(os.environ, LANECL_KEEP_FUNCTIONS=str(kept), LANECL_THREADS="1")
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False, timeout=120, env=environment)
    findings = json.loads(report.read_text())["findings"]
    for finding in findings:
        del finding["text"]
        finding["message"] = re.sub("0x[0-9a-f]+", "ADDRESS", finding["message"])
        if finding["rule"] == "uninitialized-read":  # the variable that an argument comes from is not known
            finding["message"] = finding["message"].split(": the private variable")[0]
    return done.returncode, findings


def problems_of(case, findings):
    lines = case.source.split("\n")
    problems = []
    for rule, count in case.rules.items():
        found = [finding for finding in findings if finding["rule"] == rule]
        if not found or count not in (None, len(found)):
            problems.append("%d findings of %s" % (len(found), rule))
    for finding in findings:
        if "BROKEN" not in lines[finding["line"] - 1] and case.calls is not None:
            problems.append("a finding in line %d" % finding["line"])
    if case.calls is None or not findings:
        return problems
    calls = [call["function"] for call in findings[0]["calls"]]
    marked = ["CALL " + call["function"] in lines[call["line"] - 1] for call in findings[0]["calls"]]
    if calls != case.calls or not all(marked):
        problems.append("called by %s" % findings[0]["calls"])
    return problems


def problems(host, name, standard, width, more_options):
    case, options = kept_cases.CASES[name], "-cl-std=" + standard + more_options
    status, findings = host(case, options, 1)
    problems = problems_of(case, findings)
    if status != (STATUS if any(finding["severity"] == "error" for finding in findings) else 0):
        problems.append("exit status %d" % status)
    if case.is_equal and findings != (inlined := host(case, options, 0)[1]):
        problems.append("inlined, it is %s" % json.dumps(inlined, indent=1))
    if problems:
        problems.append("found is %s" % json.dumps(findings, indent=1))
    status, findings = host(case, options + " -DCORRECT", 1)
    if status != 0 or findings:
        problems.append("correct: exit status %d, %s" % (status, json.dumps(findings, indent=1)))
    return ["%s, %s, width %d: %s" % (name, options, width, problem) for problem in problems]


def main(lanecl, host_program, *names):
    if FLAGS.get(os.environ.get("LANECL_ISA"), "") not in pathlib.Path("/proc/cpuinfo").read_text():
        return 77
    found = []
    with tempfile.TemporaryDirectory() as folder:
        def host(case, options, kept):
            return run(lanecl, host_program, pathlib.Path(folder), case, options, kept)
        for name in names or kept_cases.CASES:
            for standard in kept_cases.CASES[name].standards:
                for width in WIDTHS[standard]:
                    os.environ["LANECL_SUB_GROUP_SIZE"] = str(width)
                    for more_options in ("", " -g") if width == 16 else ("",):
                        found += problems(host, name, standard, width, more_options)
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
