#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""command_test.py LANECL CHECK_HOST: the exit status, the options, the reports and the child processes of `lanecl
check`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cases


class Bench:
    def __init__(self, lanecl, host, folder):
        self.lanecl, self.host, self.folder = lanecl, host, folder
        self.failed = False
        self.source = folder / "k.cl"
        self.source.write_text(cases.STRIDED)

    def program(self, options="-DW=8", memory="buffer"):
        return [self.host, str(self.source), memory, "64", "32", options]

    def check(self, options, program):
        return subprocess.run([self.lanecl, "check"] + options + program, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=120)

    def expect(self, what, done, status, part=None):
        if done.returncode != status or (part is not None and part not in done.stdout + done.stderr):
            self.failed = True
            print("%s: exit status %d, not %d, or no '%s':\n%s%s" %
                  (what, done.returncode, status, part, done.stdout, done.stderr))


def main(lanecl, host):
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(lanecl, host, pathlib.Path(name))
        report = bench.folder / "report.json"
        summary = "work-groups, races of local memory, initialization of local and private memory, api"
        bench.expect("an error", bench.check([], bench.program()), 86, "1 error, 0 warnings; 1 launch in 1 process,")
        bench.expect("another status", bench.check(["--error-status", "5"], bench.program()), 5)
        bench.expect("a correct kernel", bench.check([], bench.program("-DW=8 -DCORRECT")), 0, "0 errors")
        bench.expect("one kind of check", bench.check(["--checks", "sub-groups"], bench.program()), 0,
                     "checked: sub-groups")
        bench.expect("kinds of checks", bench.check(["--checks", "memory,races"], bench.program()), 86,
                     "checked: memory, races")
        bench.expect("all and races", bench.check(["--checks", "all,races"], bench.program()), 86,
                     "checked: memory, sub-groups, work-groups, races, initialization of local and private memory, api")
        bench.expect("those by request", bench.check(["--checks", "initialization,arithmetic"], bench.program()), 0,
                     "checked: initialization, arithmetic")
        bench.expect("an unknown kind", bench.check(["--checks", "memory,everything"], ["true"]), 105,
                     "unknown group of checks 'everything'")
        bench.expect("a child", bench.check([], ["sh", "-c", '"$@"; true', "sh"] + bench.program()), 86)
        bench.expect("the program's own status", bench.check([], ["sh", "-c", "exit 3"]), 3, summary)
        bench.expect("a signal", bench.check([], ["sh", "-c", "kill -9 $$"]), 137, summary)
        bench.expect("a program's options", bench.check([], ["echo", "--json", "--", "-x"]), 0, "--json -- -x")
        bench.expect("no program of that name", bench.check([], ["no-such-program"]), 127, "no-such-program")
        bench.expect("no program", bench.check([], []), 1, "no program to check")
        bench.expect("a file that cannot be written", bench.check(["--json", "/no-such-folder/x"], ["echo", "begun"]), 1,
                     "cannot write the report /no-such-folder/x")
        if bench.check(["--checks", "everything"], ["true"]).returncode in (0, 86):
            bench.failed = True
            print("a wrong option was taken")
        # Findings are kept when the program dies.
        died = bench.check(["--json", str(report)], ["sh", "-c", '"$@"; kill -9 $$', "sh"] + bench.program())
        bench.expect("a program that dies", died, 137, "1 error,")
        if [finding["rule"] for finding in json.loads(report.read_text())["findings"]] != ["out-of-bounds"]:
            bench.failed = True
            print("the report has not what was found before the program died")
        # The variables have the same effect without the command.
        environment = dict(os.environ, LANECL_CHECK="memory")
        alone = subprocess.run([lanecl] + bench.program(), env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, check=False)
        bench.expect("the variable alone", alone, 0, "LaneCL check: error: out-of-bounds write of 4 bytes")
        for memory, text in (("null", "a null pointer"), ("freed", "freed memory")):
            done = bench.check([], bench.program("-DW=8 -DCORRECT", memory))
            if text not in done.stderr:
                bench.failed = True
                print("%s: %s" % (memory, done.stderr))
        # A constant is not an argument, and the store is not left out: the program dies after the report.
        bench.source.write_text("kernel void k(global int *p) { if (p[0] == 0) *(global int *)0 = 5; }")
        done = bench.check([], bench.program())
        bench.expect("a null pointer in the program", done, done.returncode, "LaneCL check: error: out-of-bounds "
                                                                             "write of 4 bytes")
        return bench.failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
