#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every variable has its exact value at every line, for every active lane, with gdb alone. NAME__lanes shows all lanes,
and NAME shows the lane that the debug frame selects."""
import unittest

from gdb_session import Session, in_turn, numbers, program, results
import model

LAUNCHES = [
    model.Launch(8, (64,), (32,), 20),
    model.Launch(16, (64,), (32,), 20),
    model.Launch(32, (64,), (64,), 20),
    model.Launch(16, (60,), (20,), 17),
    model.Launch(8, (12, 6), (6, 3), 30),
]

HEADER = ["__lanecl_frame.mask", "__lanecl_frame.group[0]", "__lanecl_frame.group[1]", "__lanecl_frame.sub_group"]


def stop_at(number, expressions):
    """Returns commands that print the header and the expressions whenever the line is reached."""
    prints = "".join("output %s\necho \\n\n" % expression for expression in HEADER + expressions)
    return "break lanes.cl:%d\ncommands\nsilent\necho @@%d\\n\n%scontinue\nend\n" % (number, number, prints)


class Stop:
    """The lanes and values that were printed at one stop."""

    def __init__(self, launch, mark, text, expressions):
        lines = text.strip("\n").split("\n")
        self.line = int(mark)
        self.mask = int(lines[0])
        group = int(lines[1]) + int(lines[2]) * -(-launch.global_size[0] // launch.local_size[0])
        sub_group = int(lines[3])
        first = sub_group * launch.width
        self.items = launch.groups()[group][first:first + launch.width]
        self.values = dict(zip(expressions, map(numbers, lines[4:4 + len(expressions)])))

    def active(self):
        """Returns pairs of an active lane and its linear global id."""
        return [(lane, item) for lane, item in enumerate(self.items) if self.mask >> lane & 1]


def stops(launch, kernel, places, options, test):
    """Runs gdb and returns its stops. `places` has the expressions for each line."""
    commands = "".join(stop_at(number, expressions) for number, expressions in places.items())
    session = Session(commands + "run\n", program(kernel, launch, options), with_script=False)
    found = [Stop(launch, mark, text, places[int(mark)]) for mark, text in session.parts()]
    test.assertTrue(found, session.output)
    return found, results(session.output)


class Values(unittest.TestCase):
    def check(self, launch, kernel, expected, options):
        """`expected` has for each line the expected values of expressions and whether a work-item is active. Both are
        functions of the work-item's id and of the number of the stop at the line in its sub-group."""
        places = {number: list(values) for number, (values, _) in expected.items()}
        found, _ = stops(launch, kernel, places, options, self)
        count = {}
        for stop in found:
            key = (stop.line, tuple(stop.items))
            turn = count[key] = count.get(key, -1) + 1
            values, is_active = expected[stop.line]
            with self.subTest(launch=launch, line=model.TEXT[stop.line - 1], items=stop.items, turn=turn):
                self.assertEqual([item for _, item in stop.active()],
                                 [item for item in stop.items if is_active(item, turn)])
                for expression, value in values.items():
                    got = [stop.values[expression][lane] for lane, _ in stop.active()]
                    self.assertEqual(got, [value(item, turn) for _, item in stop.active()], expression)

    def branches_at(self, launch):
        final = lambda name: lambda x, turn: model.branches(x, launch.limit)[name]
        always = lambda x, turn: True
        partial = lambda x, turns: sum(i * x for i in range(turns))
        below = lambda x, turn: x < launch.limit
        above = lambda x, turn: x >= launch.limit
        at = model.line
        return {
            at("return s + 1"): ({"s__lanes": lambda x, turn: x * x, "v__lanes": lambda x, turn: x},
                                 always),
            at("int y = 0"): ({"x__lanes": lambda x, turn: x, "limit__lanes": lambda x, turn: launch.limit}, always),
            at("y = x * 2"): ({"y__lanes": lambda x, turn: 0}, below),
            at("y = y + 3"): ({"y__lanes": lambda x, turn: x * 2}, below),
            at("y = y * 7"): ({"y__lanes": lambda x, turn: x - 5}, above),
            at("int sum = 0"): ({"y__lanes": final("y")}, always),
            at("if (i == 5)"): ({"i__lanes": lambda x, turn: turn,
                                 "sum__lanes": lambda x, turn: partial(x, turn)},
                                lambda x, turn: turn < model.turns(x)),
            at("break;"): ({"i__lanes": lambda x, turn: 5}, lambda x, turn: model.turns(x) == 6),
            at("int q ="): ({"sum__lanes": lambda x, turn: final("sum")(x, turn) - 1}, always),
            at("v.y *="): ({"q__lanes": final("q"), "v__lanes": lambda x, turn: [x, x + 1, x + 2, x + 3]}, always),
            at("pair.count ="): ({"v__lanes": final("v"), "numbers__lanes": final("numbers")}, always),
            at("out[id] ="): ({"x__lanes": final("x"), "y__lanes": final("y"), "sum__lanes": final("sum"),
                               "numbers__lanes": final("numbers"), "v__lanes": final("v")}, always),
        }

    def test_branches(self):
        for launch in in_turn(LAUNCHES):
            self.check(launch, "branches", self.branches_at(launch), "-g")

    def test_branches_without_optimization(self):
        for launch in LAUNCHES[1:4:2]:
            self.check(launch, "branches", self.branches_at(launch), "-g -cl-opt-disable")

    def test_barriers(self):
        for begin, options in enumerate(("-g", "-g -cl-opt-disable")):
            for launch in in_turn(LAUNCHES, begin):
                variables = model.barriers(launch)
                of = lambda name: lambda item, turn: variables[item][name]
                always = lambda item, turn: True
                behind = model.line("int left")
                self.check(launch, "barriers", {
                    model.line("int left"): ({"x__lanes": of("x")}, always),
                    model.line("int sum", after=behind): ({"left__lanes": of("left")}, always),
                    model.line("out[id] = tile"): ({"x__lanes": of("x"), "left__lanes": of("left"),
                                                    "sum__lanes": of("sum")}, always),
                }, options)

    def test_selected_lane(self):
        """Prints scalars, members, elements, pointers and ids of a chosen lane."""
        for launch in (LAUNCHES[1], LAUNCHES[4]):
            lane = launch.width - 3
            expressions = ["x", "v.y", "v.xz", "v[3]", "numbers[2]", "numbers", "pair.count", "pair.part", "*address",
                           "weights[2]", "in[x]", "__ocl_dbg_gid0", "__ocl_dbg_gid1", "__ocl_dbg_gid2", "y + x"]
            commands = "break lanes.cl:%d\nrun\nset var __lanecl_frame.lane = %d\n" % (model.line("+ pair.count"), lane)
            commands += "".join("print %s\n" % expression for expression in expressions)
            session = Session(commands, program("branches", launch), with_script=False)
            x = launch.sub_groups()[0][lane]
            want = model.branches(x, launch.limit)
            width = launch.global_size[0]
            self.assertEqual([numbers(value) for value in session.values()],
                             [x, want["v"][1], [x, x + 2], x + 3, x + 4, want["numbers"], x, x * 0.5, want["sum"], 4, x,
                              x % width, x // width, 0, want["y"] + x], session.output)

    def test_local_memory(self):
        launch = LAUNCHES[1]
        commands = "break lanes.cl:%d\nrun\nprint tile[3]\nprint tile[20]\nprint sizeof(tile)\n" % model.line("int left")
        session = Session(commands, program("barriers", launch), with_script=False)
        self.assertEqual(session.values(), ["9", "60", "1024"], session.output)

    def test_assignment(self):
        """Without optimization, an assignment in the debugger takes effect."""
        launch = LAUNCHES[1]
        commands = ("break lanes.cl:%d if __lanecl_frame.sub_group == 1 && __lanecl_frame.group[0] == 0\nrun\n"
                    "set var __lanecl_frame.lane = 3\nset var x = 5\ncontinue\n" % model.line("if (x < limit)"))
        session = Session(commands, program("branches", launch, "-g -cl-opt-disable"), with_script=False)
        want = [model.branches(x, launch.limit)["out"] for x in range(64)]
        want[19] = model.branches(5, launch.limit)["out"]
        self.assertEqual(results(session.output), want, session.output)


if __name__ == "__main__":
    unittest.main()
