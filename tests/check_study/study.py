#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""study.py LANECL HOST [--every N] [--oclgrind PROGRAM] [--markdown FILE] [--details]

Runs kernels that are correct and their mutants, each with one seeded defect, under `lanecl check` and, where it is
installed, Oclgrind, and prints a table of what is found. Fails if a correct kernel computes something else than what is
evaluated here, or if something is found in one.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernels

# What a mutant is when nothing is found.
FOUND, SAME, OTHER, NOT_RUN = "found", "same results", "other results", "cannot run"
OCLGRIND_SAYS = re.compile(r"invalid|data race|divergen|uninitialized|out of bounds", re.I)


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def words(self, of, source):
        path = self.folder / "k.cl"
        path.write_text(source)
        return [self.arguments.host, str(path)] + [str(size) for size in (
            of.items, of.local, of.inputs, of.outputs, of.local_bytes)]

    def run(self, words):
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=300)

    def outcome(self, of, done, is_found):
        if is_found:
            return FOUND
        if done.returncode == 4:
            return NOT_RUN
        return SAME if done.stdout.split() == [str(value) for value in expected(of)] else OTHER

    def lanecl(self, of, source):
        done = self.run([self.arguments.lanecl, "check", "--checks", self.arguments.checks] +
                        self.words(of, source) + ["-cl-std=CL3.0"])
        rules = re.findall(r"^LaneCL check: (?:error|warning): .*\[([a-z-]+)\]$", done.stderr, re.M)
        return self.outcome(of, done, bool(rules)), rules, done

    # It knows OpenCL C 1.2, and no sub-groups.
    def oclgrind(self, of, source):
        if of.sub_groups:
            return NOT_RUN
        words = self.words(of, source) + ["-cl-std=CL1.2"]
        done = self.run([self.arguments.oclgrind, "--data-races", "--uninitialized"] + words)
        if "FATAL ERROR" in done.stderr: # its look for uninitialized values gives up
            done = self.run([self.arguments.oclgrind, "--data-races"] + words)
        if "FATAL ERROR" in done.stderr:
            return NOT_RUN
        return self.outcome(of, done, bool(OCLGRIND_SAYS.search(done.stderr)))


def expected(of):
    return of.reference(kernels.values(of.inputs))


def check_correct(bench):
    wrong = 0
    for of in kernels.KERNELS:
        outcome, rules, done = bench.lanecl(of, kernels.correct(of.source))
        if outcome != SAME:
            wrong += 1
            print("the correct kernel %s: %s %s\n%s" % (of.name, outcome, rules, done.stderr))
        elif bench.arguments.oclgrind and bench.oclgrind(of, kernels.correct(of.source)) not in (SAME, NOT_RUN):
            print("Oclgrind finds something in the correct kernel %s" % of.name)
    return wrong



def table(results, has_oclgrind):
    lines = ["| Defect | Kernels | `lanecl check` finds | not found: same results | not found: other results |" +
             (" Oclgrind finds | does not run |" if has_oclgrind else ""),
             "|---|--:|--:|--:|--:|" + ("--:|--:|" if has_oclgrind else "")]
    rows = [(text, [r for r in results if r[0].kind == kind]) for kind, text in kernels.KINDS.items()]
    for text, those in rows + [("**all**", results)]:
        if not those:
            continue
        own, peer = collections.Counter(r[1] for r in those), collections.Counter(r[2] for r in those)
        line = "| %s | %d | %d | %d | %d |" % (text, len(those), own[FOUND], own[SAME], own[OTHER] + own[NOT_RUN])
        lines.append(line + (" %d | %d |" % (peer[FOUND], peer[NOT_RUN]) if has_oclgrind else ""))
    return "\n".join(lines) + "\n"


def run(arguments):
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(arguments, pathlib.Path(name))
        wrong = check_correct(bench)
        results = []
        mutants = [mutant for of in kernels.KERNELS for mutant in kernels.mutants(of)]
        for mutant in mutants[::arguments.every]:
            outcome, rules, _ = bench.lanecl(mutant.kernel, mutant.source)
            peer = bench.oclgrind(mutant.kernel, mutant.source) if arguments.oclgrind else NOT_RUN
            results.append((mutant, outcome, peer))
            if arguments.details:
                print("%s %d %s: %s -> %s: %s %s; Oclgrind: %s" % (
                    mutant.kernel.name, mutant.number, mutant.kind, mutant.right, mutant.wrong or "(nothing)", outcome,
                    ",".join(sorted(set(rules))), peer), flush=True)
    text = table(results, bool(arguments.oclgrind))
    print(text)
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(text)
    found = sum(outcome == FOUND for _, outcome, _ in results)
    print("%d mutants, %d found, %d correct kernels, %d of them wrong" % (len(results), found, len(kernels.KERNELS),
                                                                      wrong))
    return wrong != 0 or found < arguments.at_least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lanecl")
    parser.add_argument("host")
    parser.add_argument("--checks", default="all,races,initialization,arithmetic")
    parser.add_argument("--every", type=int, default=1, help="only each Nth mutant")
    parser.add_argument("--oclgrind", default=shutil.which("oclgrind"), help="an empty word: without it")
    parser.add_argument("--markdown", help="file that receives the table")
    parser.add_argument("--details", action="store_true", help="a line for each mutant")
    parser.add_argument("--at-least", type=int, default=0, help="fail if fewer are found")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
