#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels in gdb: at a random line, the variables of a random work-item against their evaluation on the host.

fuzz_test.py [--generator NAME] [--seed S] [--stops N] [--unoptimized]
"""
import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from gdb_session import SCRIPT, TIMEOUT, environment, numbers

FUZZ = os.environ["FUZZ_PROGRAM"]
GENERATORS = ("integers", "memory", "sub-groups")


def plans(generator, seed, count, options, folder):
    words = [FUZZ, "--stops", options, "--generator", generator, "--seed", str(seed), "--count", str(count), "--folder",
             folder]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def commands(plan):
    lines = ["set pagination off", "set width 0", "set print elements 0", "set print repeats 0",
             "break %s:%d if $_gid_active(%d, %d, %d)" % (plan["source"], plan["line"], *plan["global_id"]), "run",
             "echo @@stop\\n", "frame"]
    for variable in plan["variables"]:
        as_integer = "" if variable["type"] == "float" else "/u" if variable["type"].startswith("u") else "/d"
        lines += ["echo @@%s\\n" % variable["name"], "output%s %s" % (as_integer, variable["name"]), "echo \\n"]
    return "\n".join(lines + ["echo @@end\\n", "delete", "continue"]) + "\n"


def flat(value):
    return [scalar for part in value for scalar in flat(part)] if isinstance(value, list) else [value]


def bits_of(value, kind):
    return struct.unpack("<I", struct.pack("<f", value))[0] if kind == "float" else value


def run(plan):
    """Runs gdb. Returns what is wrong, an empty value when nothing is, or None when the line has no code."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write(commands(plan))
        file.flush()
        words = ["gdb", "-nx", "-q", "-batch", "-ex", "source " + SCRIPT, "-x", file.name, "--args", FUZZ, "--replay",
                 plan["case"]]
        done = subprocess.run(words, env=dict(environment(), LANECL_SUB_GROUP_SIZE="16"), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    output = done.stdout
    parts = dict(zip(*[iter(re.split(r"^@@(.*)$", output, flags=re.M)[1:])] * 2))
    place = re.search(r"^(\d+)\t", parts.get("stop", ""), re.M)
    if place and int(place.group(1)) != plan["line"]:
        return None
    if not place or "end" not in parts:
        return "gdb did not stop, or lacks a variable:\n" + output
    wrong = []
    for variable in plan["variables"]:
        text = parts[variable["name"]].strip()
        try:
            got = [bits_of(value, variable["type"]) for value in flat(numbers(text))]
        except (SyntaxError, NameError, ValueError, struct.error):
            got = text
        if got != variable["scalars"]:
            wrong.append("%s is %s, must be %s" % (variable["name"], got, variable["scalars"]))
    if not re.search(r"^passed on", output, re.M):
        wrong.append("the program's results are wrong after the stop:\n" + output)
    return "\n".join(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--generator", choices=GENERATORS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stops", type=int, default=20, help="of each generator")
    parser.add_argument("--unoptimized", action="store_true")
    arguments = parser.parse_args()
    options = "-g -cl-opt-disable" if arguments.unoptimized else "-g"
    stops = variables = without_code = failures = 0
    for generator in arguments.generator or GENERATORS:
        with tempfile.TemporaryDirectory() as folder:
            for plan in plans(generator, arguments.seed, arguments.stops, options, folder):
                wrong = run(plan)
                if wrong is None:
                    without_code += 1
                    continue
                stops += 1
                variables += len(plan["variables"])
                if wrong:
                    failures += 1
                    print("%s, line %d, work-item %s:\n%s" % (pathlib.Path(plan["source"]).name, plan["line"],
                                                              plan["global_id"], wrong), flush=True)
    print("%d stops, %d variables compared, %d stops wrong; %d lines without code" % (stops, variables, failures,
                                                                                      without_code))
    return failures != 0 or stops == 0


if __name__ == "__main__":
    sys.exit(main())
