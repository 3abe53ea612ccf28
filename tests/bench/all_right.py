#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each benchmark once, or those named; fails unless all results are right, on the device and in C++.

    all_right.py LANECL_BENCH [NAME...]

Skipped where the processor lacks LANECL_ISA: the library would take another instruction set, which has its own test.
With AVX2 on a processor that runs all benchmarks with AVX-512, every other one runs; LANECL_TEST_COMPLETE=1 runs all.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


FLAGS = {"avx512": " avx512vl ", "avx2": " avx2 "}  # of a processor that runs LANECL_ISA
SKIPPED = 77


def runs_every_other(processor):
    return (os.environ.get("LANECL_ISA") == "avx2" and FLAGS["avx512"] in processor
            and os.environ.get("LANECL_TEST_COMPLETE") != "1")


def main():
    processor = pathlib.Path("/proc/cpuinfo").read_text()
    if FLAGS.get(os.environ.get("LANECL_ISA"), "") not in processor:
        return SKIPPED
    bench, *names = sys.argv[1:]
    listed = {}
    for line in subprocess.run([bench, "--list"], check=True, capture_output=True, text=True).stdout.splitlines():
        name = line.split()[0]
        if not names or name in names or name.split(".")[0] in names:
            listed[name] = line.endswith("(native reference)")
    if runs_every_other(processor):
        names = list(listed)[::2]
        listed = {name: listed[name] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        figures = pathlib.Path(folder) / "figures.json"
        status = subprocess.run([bench, "--quick", "--json", str(figures), *names], check=False).returncode
        rows = {row["name"]: row["results"] for row in json.loads(figures.read_text())["benchmarks"]}
    wrong = [] if status == 0 else [f"exit status {status}"]
    if set(rows) != set(listed):
        wrong.append(f"other benchmarks than listed: {set(rows) ^ set(listed)}")
    for name, has_native in listed.items():
        for contestant in ["LaneCL"] + ["native"] * has_native:
            if not rows.get(name, {}).get(contestant, {}).get("seconds", 0) > 0:
                wrong.append(f"{name}: no time of {contestant}")
    for line in wrong:
        print("FAILED:", line)
    return int(bool(wrong))


sys.exit(main())
