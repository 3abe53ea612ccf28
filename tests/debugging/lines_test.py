#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every line with a statement takes a breakpoint and is reached as often as sub-groups execute it. Stopping changes no
results."""
import re
import unittest

from gdb_session import Session, in_turn, program, results
import model

LAUNCHES = [
    model.Launch(8, (64,), (32,), 20),
    model.Launch(16, (64,), (32,), 20),
    model.Launch(32, (64,), (64,), 20),
    model.Launch(16, (60,), (20,), 17),       # incomplete sub-groups
    model.Launch(8, (12, 6), (6, 3), 30),     # rows wrap around
    model.Launch(16, (30,), (12,), 9),        # and work-groups at the edge are smaller
]


def check_hits(test, kernel, launch, hits, want, options="-g", with_script=False, threads=1):
    order = sorted(hits)
    commands = "".join("break lanes.cl:%d\n" % number for number in order)
    commands += "".join("ignore %d 1000000\n" % (i + 1) for i in range(len(order)))
    session = Session(commands + "break kernel_is_done\nrun\ninfo breakpoints\ncontinue\n", program(kernel, launch, options), with_script, threads)
    table = session.output[session.output.rindex("Num     Type"):]
    got = {}
    for entry in re.split(r"^(?=\d+ )", table, flags=re.M)[1:len(order) + 1]:
        number = order[int(entry.split()[0]) - 1]
        places = set(re.findall(r"lanes\.cl:(\d+)", entry))
        count = re.search(r"already hit (\d+) time", entry)
        got[number] = int(count.group(1)) if count else 0
        test.assertEqual(places, {str(number)}, entry)
    test.assertEqual(got, hits, session.output)
    test.assertEqual(results(session.output), want, session.output)


class Lines(unittest.TestCase):
    def check_branches(self, launch, **how):
        items = sorted(i for items in launch.sub_groups() for i in items)
        want = [model.branches(x, launch.limit)["out"] for x in items]
        check_hits(self, "branches", launch, model.branches_hits(launch), want, **how)

    def check_barriers(self, launch, **how):
        variables = model.barriers(launch)
        check_hits(self, "barriers", launch, model.barriers_hits(launch), [variables[i]["out"] for i in sorted(variables)],
                   **how)

    def test_branches(self):
        for launch in in_turn(LAUNCHES):
            with self.subTest(launch=launch):
                self.check_branches(launch)

    def test_barriers(self):
        for launch in in_turn(LAUNCHES, 1):
            with self.subTest(launch=launch):
                self.check_barriers(launch)

    def test_without_optimization(self):
        for launch in (LAUNCHES[1], LAUNCHES[3]):
            with self.subTest(launch=launch):
                self.check_branches(launch, options="-g -cl-opt-disable")
                self.check_barriers(launch, options="-g -cl-opt-disable")

    def test_with_script_and_threads(self):
        self.check_branches(LAUNCHES[1], with_script=True)
        self.check_branches(LAUNCHES[4], with_script=True, threads=3)
        self.check_barriers(LAUNCHES[4], threads=3)


if __name__ == "__main__":
    unittest.main()
