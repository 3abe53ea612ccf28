#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SPIR-V with debug information shows the lines and variables of the source that it was compiled from."""
import pathlib
import re
import tempfile
import unittest

from gdb_session import PROGRAM, Session, numbers, results

MODULE = pathlib.Path(__file__).with_name("spirv.spvasm")
ITEMS, LOCAL, LIMIT = 64, 32, 20


def stop_at(number, expressions):
    prints = "".join("output %s\necho \\n\n" % expression for expression in expressions)
    return "break spirv.cl:%d\ncommands\nsilent\necho @@%d\\n\n%scontinue\nend\n" % (number, number, prints)


def command(kernel, options):
    return [PROGRAM, str(MODULE), kernel, options, str(ITEMS), str(LOCAL), str(LIMIT)]


class Spirv(unittest.TestCase):
    def check(self, kernel, places, expected_results, options):
        """`places` has for each line the expected values of expressions, as functions of a work-item, and the number of
        work-items that execute the line."""
        commands = "".join(stop_at(number, ["__lanecl_frame.mask", "__lanecl_frame.width", "__lanecl_frame.sub_group",
                                            "__lanecl_frame.group[0]"] + list(values))
                           for number, (values, _) in places.items())
        session = Session(commands + "run\n", command(kernel, options), with_script=False)
        executed = dict.fromkeys(places, 0)
        for mark, text in session.parts():
            mask, width, sub_group, group, *rest = text.strip("\n").split("\n")
            expected, _ = places[int(mark)]
            for lane in range(int(width)):
                if not int(mask) >> lane & 1:
                    continue
                executed[int(mark)] += 1
                item = int(group) * LOCAL + int(sub_group) * int(width) + lane
                for text, value in zip(rest, expected.values()):
                    self.assertEqual(numbers(text)[lane], value(item), (mark, item, session.output))
        self.assertEqual(executed, {number: items for number, (_, items) in places.items()}, session.output)
        self.assertEqual(results(session.output), expected_results)

    def test_variables_in_memory(self):
        def pair(item):
            return [item, 2 * item if item < LIMIT else 0]
        places = {
            7: ({"v__lanes": lambda i: i}, LIMIT),
            12: ({"p__lanes": lambda i: [i, 0], "limit__lanes": lambda i: LIMIT}, ITEMS),
            13: ({"x__lanes": lambda i: LIMIT}, ITEMS),
            14: ({"p__lanes": lambda i: [i, 0]}, LIMIT),
            15: ({"p__lanes": pair}, ITEMS),
        }
        for options in ("-g", "-g -cl-opt-disable"):
            self.check("declared", places, [sum(pair(i)) for i in range(ITEMS)], options)

    def test_recorded_values(self):
        def more(item):
            return item + (100 if item < LIMIT else 0)
        places = {
            24: ({"p__lanes": lambda i: [i, 7], "v__lanes": lambda i: [i, LIMIT], "x__lanes": lambda i: i}, ITEMS),
            25: ({"x__lanes": lambda i: i}, LIMIT),
            26: ({"x__lanes": more}, ITEMS),
        }
        for options in ("-g", "-g -cl-opt-disable"):
            self.check("assigned", places, [more(i) + LIMIT + 7 for i in range(ITEMS)], options)

    def test_what_was_optimized_away_is_not_shown(self):
        session = Session("break spirv.cl:26\nrun\ninfo locals\n", command("assigned", "-g"), with_script=False)
        shown = re.findall(r"^(\w+) = ", session.output, re.M)
        self.assertEqual({"p", "v", "x"}, {name for name in shown if not name.startswith("_") and "__" not in name})

    def test_lines_of_the_disassembly(self):
        """Without debug information, each line that gdb shows is an instruction of the kernel, in their order."""
        with tempfile.TemporaryDirectory() as folder:
            module = pathlib.Path(folder) / "plain.spvasm"
            kept = [line for line in MODULE.read_text().split("\n")
                    if not re.search(r"OpLine|%debug |OpString", line)]
            module.write_text("\n".join(kept))
            words = [PROGRAM, str(module), "assigned", "-g", str(ITEMS), str(LOCAL), str(LIMIT)]
            session = Session("break assigned\nrun\n" + "next\n" * 5, words, with_script=False)
        shown = re.findall(r"^(\d+)\t *(?:%\w+ = )?(Op\w+)", session.output, re.M)
        self.assertEqual(len(shown), 6, session.output)
        lines = [int(number) for number, _ in shown]
        self.assertEqual(lines, sorted(set(lines)), session.output)
        self.assertRegex(session.output, r"at .*[0-9a-f]{16}\.spvasm:%d" % lines[0])


if __name__ == "__main__":
    unittest.main()
