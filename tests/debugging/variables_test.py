#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of variables: variables of program scope, images and samplers, variables of C++, and those of helper functions,
also while their sub-group waits at a barrier in one."""
import os
import pathlib
import unittest
import unittest.mock

from gdb_session import PROGRAM, Session, numbers

FOLDER = pathlib.Path(__file__).parent
ITEMS = 32


def line(file, text):
    """Returns the number of the only line that contains the text."""
    found = [number for number, content in enumerate((FOLDER / file).read_text().splitlines(), 1) if text in content]
    assert len(found) == 1, (file, text, found)
    return found[0]


class Variables(unittest.TestCase):
    def show(self, file, kernel, at, commands, options="-g", limit=10, with_script=False):
        """Returns what the commands print when the kernel reaches the line."""
        standard = "CLC++2021" if file.endswith("pp") else "CL3.0"
        command = [PROGRAM, str(FOLDER / file), kernel, "-cl-std=%s -s %s %s" % (standard, FOLDER / file, options),
                   str(ITEMS), str(ITEMS), str(limit)]
        text = "break %s:%d\nrun\n" % (file, line(file, at)) + "".join("echo \\n@@\\n\n%s\n" % one for one in commands)
        session = Session(text, command, with_script)
        shown = [text.strip() for _, text in session.parts()]
        self.assertEqual(len(shown), len(commands), session.output)
        return shown

    def check(self, file, kernel, at, expected, **how):
        """`expected` has the value of each expression, or a function that computes it from a work-item, for a list of
        all."""
        for options in ("-g", "-g -cl-opt-disable"):
            shown = self.show(file, kernel, at, ["output " + expression for expression in expected], options, **how)
            for (expression, value), text in zip(expected.items(), shown):
                with self.subTest(at=at, expression=expression, options=options):
                    if callable(value):
                        self.assertEqual(numbers(text), [value(i) for i in range(ITEMS)][:len(numbers(text))])
                    else:
                        self.assertEqual(text, value)

    def test_program_scope(self):
        self.check("variables.cl", "program_scope", "both.hits +=", {
            "counter": "5", "table": "{1, 2, 3, 5}", "both": "{hits = 7, part = 2.5}", "both.part": "2.5",
            "sizeof(both)": "8", "*&counter": "5"})

    def test_helpers_in_both_branches(self):
        """Both branches of an expression are on one line, so only the variables tell them apart."""
        self.check("variables.cl", "chosen", "return product - 1", {
            "product__lanes": lambda i: 5 * i, "v__lanes": lambda i: i}, limit=10)
        self.check("variables.cl", "chosen", "return result + 1", {
            "result__lanes": lambda i: 3 * i, "v__lanes": lambda i: i}, limit=20)

    def test_handles(self):
        nearest = "{coordinates = CLK_NORMALIZED_COORDS_FALSE, address = CLK_ADDRESS_CLAMP, filter = CLK_FILTER_NEAREST}"
        self.check("variables.cl", "handles", "out[id] = tile[id]", {
            "given": nearest, "copy": nearest, "color": "{10, 0, 0, 1}", "color__lanes": lambda i: [10 + i % 4, 0, 0, 1],
            "image->extent": "{4, 1, 1}", "image->channel_order": "CLK_RGBA",
            "image->channel_type": "CLK_FLOAT", "tile": "{%s}" % ", ".join(map(str, range(ITEMS)))})

    def test_objects(self):
        file, kernel = "objects.clcpp", "objects"
        self.check(file, kernel, "total += by", {"this->total": "0", "total": "0", "by": "5"})
        self.check(file, kernel, "return result", {"by": "0.5", "result__lanes": lambda i: (i + 5) * 0.5})
        self.check(file, kernel, "return product + 1", {"product__lanes": lambda i: 3 * i})
        self.check(file, kernel, "counted += by", {"counted + 0": "1", "by": "2"})
        self.check(file, kernel, "return both", {"z": "4", "both__lanes": lambda i: 3 * i + 3 + 4})
        self.check(file, kernel, "out[id] = sum.total", {
            "sum.total": "5", "k__lanes": lambda i: 3 * i + 3, "same + 0": "3", "f__lanes": lambda i: (i + 5) * 0.5,
            "last__lanes": lambda i: 3 * i + 3 + 4})

    def test_objects_whose_methods_stay_functions(self):
        with unittest.mock.patch.dict(os.environ, LANECL_KEEP_FUNCTIONS="1"):
            self.test_objects()

    def test_sub_groups_that_wait_in_a_helper(self):
        """Sub-group 0 has passed the first call, and the others are in it."""
        file = "variables.cl"
        barrier, here = line(file, "tile[place] = own") + 1, line(file, "x += first")
        for options in ("-g", "-g -cl-opt-disable"):
            out = self.show(file, "helpers", "x += first", [
                "sub-group 2 bt 3", "sub-group 2 output own__lanes", "sub-group 2 up", "bt 1", "output x__lanes",
                "info sub-groups", "sub-group 2", "sub-group 0 bt 1", "continue", "sub-group 3 bt 2"], options, with_script=True)
            inside = (r"#0 +meet \(.*own=%%d\) at .*variables.cl:%d\n#1 +helpers \(.*\) at .*variables.cl:%d\b" %
                      (barrier, here - 1))
            self.assertRegex(out[0], inside % 48)
            self.assertEqual(numbers(out[1]), [3 * i for i in range(16, 24)])
            self.assertRegex(out[2], r"#1 +helpers ")
            self.assertRegex(out[3], r"^#0 +helpers \(.*\) at .*variables.cl:%d" % here)
            self.assertEqual(numbers(out[4]), [3 * i for i in range(8)])
            self.assertRegex(out[5], r"\* 0 +8 +runs.*\n +1 +8 +waits at the barrier, variables.cl:%d\n" % barrier)
            self.assertEqual(out[6], "[Sub-group 2 of work-group 0: waits at the barrier, variables.cl:%d]" % barrier)
            self.assertRegex(out[7], r"^#0 +helpers \(.*\) at .*variables.cl:%d" % here)  # runs, after that barrier
            self.assertIn("[Sub-group 1 of work-group 0, ", out[8])
            self.assertRegex(out[9], inside % 72)


if __name__ == "__main__":
    unittest.main()
