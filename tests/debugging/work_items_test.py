#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`break FILE.cl:N if __ocl_dbg_gid0 == 17`, as the guides of Intel's CPU runtime teach it, stops where that work-item
executes the line and shows its variables. This works with gdb alone and with our script."""
import re
import unittest

import model
from gdb_session import Session, in_turn, program, results

# Some launches have incomplete sub-groups, and some have rows of work-groups in two dimensions.
LAUNCHES = [
    model.Launch(8, (64,), (32,), 20),
    model.Launch(16, (60,), (20,), 17),
    model.Launch(32, (64,), (32,), 20),
    model.Launch(32, (60,), (20,), 17),
    model.Launch(8, (12, 6), (6, 3), 30),
    model.Launch(32, (12, 6), (6, 3), 30),
]


def ids(launch, item):
    """Returns the names with the values that they have for a work-item."""
    width = launch.global_size[0]
    numbers = [item % width, item // width, 0]
    sizes = launch.local_size + (1,) * (3 - len(launch.local_size))
    names = {}
    for dim, (number, size) in enumerate(zip(numbers, sizes)):
        names["__ocl_dbg_gid%d" % dim] = number
        names["__ocl_dbg_lid%d" % dim] = number % size
        names["__ocl_dbg_grid%d" % dim] = number // size
    return names


def condition(launch, item):
    names = ["__ocl_dbg_gid%d" % dim for dim in range(len(launch.global_size))]
    return " && ".join("%s == %d" % (name, ids(launch, item)[name]) for name in names)


class WorkItems(unittest.TestCase):
    def stops(self, launch, place, when, with_script, expressions, options="-g"):
        """Returns the values of the expressions at each stop, in the line with a text or in the kernel `branches`."""
        prints = "".join("output %s\necho \\n\n" % expression for expression in expressions)
        commands = "break %s%s\nrun\nwhile $_isvoid($_exitcode)\necho @@stop\\n\n%scontinue\nend\n" % (
            place if place == "branches" else "lanes.cl:%d" % model.line(place), when and " if " + when, prints)
        session = Session(commands, program("branches", launch, options), with_script)
        self.assertEqual(len(results(session.output)), len(sum(launch.groups(), [])), session.output)
        self.assertNotIn("Error in", session.output)
        found = [part.strip().split("\n")[:len(expressions)] for _, part in session.parts()]
        return [[int(value) for value in values] for values in found], session.output

    def check_ids(self, launch, item, with_script, options="-g"):
        names = ids(launch, item)
        expressions = list(names) + ["x", "y", "__lanecl_frame.lane"]
        found, output = self.stops(launch, "int sum = 0", condition(launch, item), with_script, expressions, options)
        lane = next(items.index(item) for items in launch.sub_groups() if item in items)
        self.assertEqual(found, [list(names.values()) + [item, model.branches(item, launch.limit)["y"], lane]], output)

    def test_one_stop_at_the_work_item(self):
        for launch in in_turn(LAUNCHES):
            last = launch.sub_groups()[-1]
            for item, with_script in ((17, False), (last[-1], False), (17, True)):
                with self.subTest(launch=launch, item=item, with_script=with_script):
                    self.check_ids(launch, item, with_script)

    def test_without_optimization(self):
        for launch in LAUNCHES[1:5:3]:
            with self.subTest(launch=launch):
                self.check_ids(launch, 17, with_script=False, options="-g -cl-opt-disable")

    def test_both_sides_of_a_branch(self):
        """A condition does not hold for lanes that do not execute the line."""
        for launch, with_script in ((LAUNCHES[0], False), (LAUNCHES[2], False), (LAUNCHES[4], True)):
            for text, item in in_turn([(text, launch.limit + offset) for text in ("y = x * 2", "y = y * 7")
                                       for offset in (-3, 3)], with_script):
                takes = (item < launch.limit) == (text == "y = x * 2")
                with self.subTest(launch=launch, item=item, line=text, with_script=with_script):
                    found, output = self.stops(launch, text, condition(launch, item), with_script, ["x"])
                    self.assertEqual(found, [[item]] if takes else [], output)

    def test_each_turn_of_a_loop(self):
        """The rest of a condition is evaluated for the same work-item."""
        for launch, with_script in ((LAUNCHES[1], False), (LAUNCHES[2], False), (LAUNCHES[2], True)):
            with self.subTest(launch=launch, with_script=with_script):
                when = condition(launch, 21)
                found, output = self.stops(launch, "if (i == 5)", when, with_script, ["x", "i"])
                self.assertEqual(found, [[21, i] for i in range(model.turns(21))], output)
                found, output = self.stops(launch, "if (i == 5)", when + " && x == 21 && i == 3", with_script, ["x", "i"])
                self.assertEqual(found, [[21, 3]], output)

    def test_several_work_items(self):
        """With gdb alone each work-item is a stop of its own, in the order of lanes."""
        launch = LAUNCHES[2]
        when = "__ocl_dbg_gid0 == 3 || __ocl_dbg_gid0 == 17 || __ocl_dbg_gid0 == 40"
        found, output = self.stops(launch, "int q =", when, False, ["x"])
        self.assertEqual(found, [[3], [17], [40]], output)
        found, output = self.stops(launch, "int q =", "__ocl_dbg_lid0 == 30", False, ["x"])
        self.assertEqual(found, [[30], [62]], output)
        found, output = self.stops(launch, "int q =", "__ocl_dbg_grid0 == 1", False, ["x"])
        self.assertEqual(found, [[32]], output)

    def test_helpers_and_the_kernel(self):
        for with_script in (False, True):
            found, output = self.stops(LAUNCHES[2], "return s + 1", "__ocl_dbg_gid0 == 21", with_script, ["v"])
            self.assertEqual(found, [[21]], output)
            found, output = self.stops(LAUNCHES[2], "branches", "__ocl_dbg_gid0 == 21", with_script,
                                       ["__ocl_dbg_gid0"])
            self.assertEqual(found, [[21]], output)

    def test_other_breakpoints_stop_once_for_each_sub_group(self):
        """The same holds when all variables are listed at a stop."""
        launch = LAUNCHES[1]
        firsts = [[items[0]] for items in launch.sub_groups()]
        for when in ("", "x >= 0"):
            found, output = self.stops(launch, "int sum = 0", when, False, ["x"])
            self.assertEqual(found, firsts, output)
        commands = ("break lanes.cl:%d\ncommands 1\nsilent\necho @@stop\\n\ninfo locals\ncontinue\nend\nrun\n" %
                    model.line("int sum = 0"))
        session = Session(commands, program("branches", launch), with_script=False)
        found = [re.search(r"^x = (\d+)$", part, re.M).group(1) for _, part in session.parts()]
        self.assertEqual([[int(x)] for x in found], firsts, session.output)
        self.assertIn("__ocl_dbg_gid0 = 0", session.output)

    def test_threads(self):
        """Each sub-group asks about lanes of its own."""
        launch = model.Launch(16, (512,), (32,), 20)
        for _ in range(3):
            commands = ("break lanes.cl:%d if __ocl_dbg_lid0 == 9\ncommands 1\nsilent\noutput __ocl_dbg_gid0\necho @\\n\n"
                        "continue\nend\nrun\n" % model.line("int sum = 0"))
            session = Session(commands, program("branches", launch), with_script=False, threads=2)
            found = sorted(int(x) for x in re.findall(r"(\d+)@$", session.output, re.M))
            self.assertEqual(found, list(range(9, 512, 32)), session.output)


if __name__ == "__main__":
    unittest.main()
