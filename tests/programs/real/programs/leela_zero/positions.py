# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has Leela Zero judge positions with OpenCL and on the host, and compares the chances of all moves and of winning.
Prints a line for each: passed, failed or wrong, and the largest difference. The argument is the network."""
import os
import re
import subprocess
import sys

MOVES = ["black Q16", "white D4", "black C16", "white Q4", "black E16", "white K10", "black R6", "white F3", "black O3",
         "white C10"]


def judge(options):
    """What the program prints for the empty board and after each move, one list of numbers each. How it has tuned itself
    it writes into the home folder, here the current one."""
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "HOME": os.getcwd()}
    commands = ["heatmap 0"]
    for move in MOVES:
        commands += [f"play {move}", "heatmap 0"]
    done = subprocess.run(["/usr/games/leelaz", "-g", "--noponder", "-t", "1", "-s", "1", "-w", sys.argv[1], *options],
                          input="\n".join(commands + ["quit", ""]), capture_output=True, text=True, timeout=2400,
                          env=environment)
    said = done.stderr
    if done.returncode or "Error in OpenCL" in said:
        raise RuntimeError(f"status {done.returncode}: {' '.join(said.split())[-200:]}")
    positions = []
    for text in re.findall(r"((?:^[ \d]+\n){19}\n?pass: \d+\nwinrate: [\d.]+)", said, re.MULTILINE):
        chances = [int(number) for number in re.findall(r"^ *(?:\d+ +)+\d+ *$", text, re.MULTILINE)
                   for number in number.split()]
        passing, winning = re.search(r"pass: (\d+)\nwinrate: ([\d.]+)", text).groups()
        positions.append(chances + [int(passing), 1000 * float(winning)])
    return positions


def compare(precision):
    host, device = judge(["--cpu-only"]), judge(["--gpu", "0", "--precision", precision])
    if len(device) != len(MOVES) + 1 or len(host) != len(device):
        print("failed", f"{precision}-positions", f"{len(host)} and {len(device)} positions")
    # Chances are printed in thousandths, rounded.
    allowed = 1 if precision == "single" else 10
    for number, (expected, got) in enumerate(zip(host, device)):
        most = max(abs(a - b) for a, b in zip(expected, got)) if len(expected) == len(got) == 363 else 1000
        print("passed" if most <= allowed else "wrong", f"{precision}-position-{number}",
              f"differs by at most {most:.0f} thousandths", flush=True)


for name in ("single", "half"):
    try:
        compare(name)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print("failed", name, error)
