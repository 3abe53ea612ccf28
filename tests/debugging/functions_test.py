#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are not inlined have frames of their own, with the lanes that have called them. The functions of
functions.cl are small; LANECL_KEEP_FUNCTIONS=1 keeps them from being inlined."""
import os
import pathlib
import re
import unittest

import model
from gdb_session import PROGRAM, Session, numbers, results

os.environ["LANECL_KEEP_FUNCTIONS"] = "1"

SOURCE = pathlib.Path(__file__).with_name("functions.cl")
TEXT = SOURCE.read_text().splitlines()
LAUNCH = model.Launch(16, (64,), (64,), 20)
OPTIONS = ("-g", "-g -cl-opt-disable")


def line(text, after=0):
    return next(number for number, content in enumerate(TEXT, 1) if number > after and text in content)


def at(text):
    return "functions.cl:%d" % line(text)


def program(kernel, launch, options):
    build = "-cl-std=CL3.0 -DW=%d -s %s %s" % (launch.width, SOURCE, options)
    return [PROGRAM, str(SOURCE), kernel, build] + launch.words()


def chain(v, limit):
    return v + (v & 3) + (2 * v if v > limit else 0)


def calls(x, limit):
    return x + (chain(x, limit) if x & 1 else -1)


class Functions(unittest.TestCase):
    def run_gdb(self, commands, kernel="calls", launch=LAUNCH, options="-g", with_script=True):
        """Returns the output of each command."""
        text = "".join("echo @@%d\\n\n%s\n" % (i, command) for i, command in enumerate(commands))
        self.session = Session(text, program(kernel, launch, options), with_script)
        parts = [part.strip("\n") for _, part in self.session.parts()]
        self.assertEqual(len(parts), len(commands), self.session.output)
        return parts

    def assert_calls(self, text, expected):
        """Checks what a backtrace shows of these functions, the innermost first: names, arguments and lines."""
        found = re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \((.*)\) at .*functions.cl:(\d+)$", text, re.M)
        for (name, arguments, number), wanted in zip(found, expected):
            self.assertEqual((name, int(number)), (wanted[0], line(wanted[2])), text)
            self.assertRegex(arguments, wanted[1], text)
        self.assertGreaterEqual(len(found), len(expected), text)

    def test_backtrace_and_variables(self):
        for options in OPTIONS:
            out = self.run_gdb(["break twice", "run", "bt 3", "info lanes", "lane 13", "info args", "up", "print numbers",
                                "print result__lanes", "print get_global_id(0)", "up", "info locals", "info lanes",
                                "print y", "down", "down", "print v"], options=options)
            self.assertIn("[Sub-group 1 of work-group 0, lanes [*5 7 9 11 13 15]; lane 5 is global id 21]", out[1])
            self.assert_calls(out[2], [("twice", "v=21", "int doubled"), ("chain", "v=21, limit=20", "int more"),
                                       ("calls", "in=0x.*, out=0x.*, limit=20", "y = chain")])
            self.assertRegex(out[3], r"\n  4 +inactive +20\n\* 5 +active +21\n  6 +inactive +22\n  7 +active +23\n")
            self.assertIn("lane 13 of sub-group 1 of work-group 0, global id 29, active", out[4])
            self.assertEqual(out[5], "v = 29")
            self.assertRegex(out[6], r"^#1 .*chain \(v=29, limit=20\)")
            self.assertEqual(out[7], "$1 = {29, 30, 31, 32}")
            of_lanes = numbers(out[8].split("= ")[1])
            self.assertEqual(of_lanes[5::2], [v + (v & 3) for v in range(21, 32, 2)])
            self.assertTrue(out[9].endswith(" = 29"), out[9])
            self.assertIn("x = 29\n", out[11] + "\n")
            # Lanes 17 and 19 have called the function as well but are inactive in the innermost one.
            self.assertRegex(out[12], r"\n  0 +inactive +16\n  1 +active +17\n  2 +inactive +18\n  3 +active +19\n")
            self.assertTrue(out[13].endswith(" = -1"), out[13])
            self.assertTrue(out[16].endswith(" = 29"), out[16])

    def test_every_lane_at_every_line(self):
        """With gdb alone, each sub-group that has a lane for a function reaches it once."""
        places = {"int doubled": ("v__lanes", lambda x: x), "return doubled": ("doubled__lanes", lambda x: 2 * x),
                  "if (v > limit)": ("result__lanes", lambda x: x + (x & 3)),
                  "result += more": ("more__lanes", lambda x: 2 * x),
                  "return result": ("result__lanes", lambda x: chain(x, LAUNCH.limit)),
                  "int z =": ("y__lanes", lambda x: chain(x, LAUNCH.limit) if x & 1 else -1),
                  "out[at] =": ("value__lanes", lambda x: calls(x, LAUNCH.limit))}
        inner = ("int doubled", "return doubled", "result += more")
        for options in OPTIONS:
            commands = "".join("break %s\ncommands\nsilent\necho @@%s\\n\noutput __lanecl_frame.mask\necho \\n\n"
                               "output __lanecl_frame.sub_group\necho \\n\noutput %s\necho \\n\ncontinue\nend\n"
                               % (at(place), place, expression) for place, (expression, _) in places.items())
            session = Session(commands + "run\n", program("calls", LAUNCH, options), with_script=False)
            count = dict.fromkeys(places, 0)
            for place, text in session.parts():
                mask, sub_group, values = text.strip("\n").split("\n")[:3]
                items = [16 * int(sub_group) + lane for lane in range(16)]
                active = [x for x in items if place in ("int z =", "out[at] =") or
                          (x & 1 and (place not in inner or x > LAUNCH.limit))]
                count[place] += 1
                with self.subTest(options=options, place=place, sub_group=sub_group):
                    self.assertEqual([x for lane, x in enumerate(items) if int(mask) >> lane & 1], active)
                    shown = numbers(values)
                    self.assertEqual([shown[x % 16] for x in active], [places[place][1](x) for x in active])
            self.assertEqual(count, {place: 3 if place in inner else 4 for place in places}, session.output)
            self.assertEqual(results(session.output), [calls(x, LAUNCH.limit) for x in range(64)])

    def test_stepping(self):
        for options in OPTIONS:
            out = self.run_gdb(["break %s if x == 25" % at("y = chain"), "run", "step", "next", "delete",
                                "tbreak " + at("int more"), "continue", "step", "next", "next", "next", "next", "print y",
                                "next", "next", "print $_lane"], options=options)
            self.assertIn("lanes [*9]; lane 9 is global id 25", out[1])
            shown = [re.findall(r"^(\d+)\t", part, re.M)[-1:] for part in out]
            self.assertEqual([int(number) for part in (2, 7, 8, 9, 10, 11, 13) for number in shown[part]],
                             [line(text) for text in ("for (int i = 0", "int doubled", "return doubled", "result += more",
                                                      "return result", "int z =", "put(out, z)")], self.session.output)
            self.assertIn("chain (v=25, limit=20)", out[9])
            self.assertTrue(out[12].endswith(" = %d" % chain(25, 20)), out[12])
            self.assertRegex(out[14], r"(?m)^%d\t" % (line("put(out, z)") + 1))
            self.assertTrue(out[15].endswith(" = 9"), out[15])

    def test_finish(self):
        """gdb cannot show the result, which is a vector of all lanes. The lane stays selected."""
        out = self.run_gdb(["break twice", "run", "lane 11", "finish", "print v", "finish", "print x", "print twice(3)"])
        self.assertRegex(out[3], r"(?m)^(?:Run till exit.*\n)?(?:.*\n)*.* chain \(v=2\d, limit=20\) at .*:%d$" % line("int more"))
        self.assertNotIn("Value returned", out[3] + out[5])
        self.assertTrue(out[4].endswith(" = 27"), out[4])
        self.assertTrue(out[6].endswith(" = 27"), out[6])
        self.assertIn("does not follow the target calling convention", self.session.output)

    def test_conditions(self):
        """Conditions apply to each work-item, both with our script and with gdb alone."""
        for options in OPTIONS:
            out = self.run_gdb(["break twice if v == 27", "run", "bt 2", "print $_lane"], options=options)
            self.assertIn("lanes [*11]; lane 11 is global id 27", out[1])
            self.assert_calls(out[2], [("twice", "v=27", "int doubled"), ("chain", "v=27", "int more")])
            out = self.run_gdb(["break %s if __ocl_dbg_gid0 == 29" % at("int doubled"), "run", "print v", "up", "print v",
                                "set var __lanecl_frame.lane = 7", "print result", "up", "print x", "print __ocl_dbg_lid0",
                                "down 2", "print v"], options=options, with_script=False)
            self.assertEqual([out[i].split(" = ")[1] for i in (2, 4, 6, 8, 9)], ["29", "29", "26", "23", "23"])
            self.assertTrue(out[11].endswith(" = 23"), out[11])

    def test_sub_groups(self):
        """Between barriers, the other sub-groups of the work-group can be seen from a function as well."""
        for options in OPTIONS:
            out = self.run_gdb(["break twice", "run", "info sub-groups", "sub-group 0 bt 1", "sub-group 0 print y__lanes",
                                "up", "sub-group 3 bt 1", "sub-group 3 print place__lanes", "bt 3", "info work-groups",
                                "down", "print v", "delete", "continue"], kernel="calls_among_barriers", options=options)
            first = line("barrier(CLK")
            self.assertRegex(out[2], r"\n  0 +16 +waits at the barrier, functions.cl:%d\n\* 1 +16 +runs, lanes "
                             r"\[\*6 7-15\]\n  2 +16 +waits at the barrier, functions.cl:%d\n"
                             % (line("barrier(CLK", after=first), first))
            self.assertRegex(out[3], r"^#0 +calls_among_barriers \(.*\) at .*:%d$" % line("barrier(CLK", after=first))
            self.assertEqual(numbers(out[4].split("= ")[1]), [chain(x, 20) for x in range(-1, 15)])
            self.assertRegex(out[6], r"^#0 +calls_among_barriers \(.*\) at .*:%d$" % first)
            self.assertEqual(numbers(out[7].split("= ")[1]), list(range(48, 64)))
            self.assert_calls(out[8], [("twice", "v=21", "int doubled"), ("chain", "v=21", "int more"),
                                       ("calls_among_barriers", "limit=20", "int y = chain(left")])
            self.assertRegex(out[9], r"\n\* \d+ +0 +1 +calls_among_barriers")
            self.assertTrue(out[11].endswith(" = 21"), out[11])
            self.assertEqual(results(self.session.output), [chain(x - 1, 20) for x in range(64)])

    def test_versions(self):
        """A function's name and its lines stand for all versions of the function."""
        launch = model.Launch(8, (20,), (20,), 7)
        for place in ("twice", at("int doubled")):
            commands = "break %s\ncommands 1\nsilent\necho @@\\n\noutput v__lanes\necho \\n\noutput __lanecl_frame.mask\n" \
                       "echo \\n\nframe function calls_versions\ncontinue\nend\nrun\n" % place
            session = Session(commands, program("calls_versions", launch, "-g"), with_script=False)
            stops = [text.strip("\n").split("\n") for _, text in session.parts()]
            self.assertEqual(len(stops), 6, session.output)
            for turn, stop in enumerate(stops):
                items = range(8 * (turn // 2), min(8 * (turn // 2) + 8, 20))
                self.assertEqual(int(stop[1]), (1 << len(items)) - 1, session.output)
                self.assertEqual(numbers(stop[0])[:len(items)], list(items) if turn % 2 else [7] * len(items))
                self.assertRegex(stop[2], r"calls_versions \(.*\) at .*:%d$" % line("int own" if turn % 2 else "int alike"))
            self.assertEqual(results(session.output)[:20], [14 + 2 * x for x in range(20)])

    def test_watch(self):
        """A watchpoint on a function's variable lasts until the function returns."""
        out = self.run_gdb(["break %s if v == 25" % at("if (v > limit)"), "run", "delete", "lane watch result", "continue",
                            "print result", "print $_lane", "continue"], options="-g -cl-opt-disable")
        self.assertIn("[result of global id 25]", out[3])
        self.assertTrue(out[5].endswith(" = %d" % chain(25, 20)), self.session.output)
        self.assertTrue(out[6].endswith(" = 9"), out[6])
        self.assertEqual(results(self.session.output), [calls(x, 20) for x in range(64)])


if __name__ == "__main__":
    unittest.main()
