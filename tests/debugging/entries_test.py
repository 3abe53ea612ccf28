#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`break KERNEL` stops in the kernel's first statement, once for each sub-group, both with gdb alone and with our
script."""
import collections
import pathlib
import re
import unittest

import model
from gdb_session import PROGRAM, Session

SOURCE = pathlib.Path(__file__).with_name("entries.cl")
FIRST = {kernel: number for number, content in enumerate(SOURCE.read_text().splitlines(), 1)
         for kernel in re.findall(r"// first of (\w+)", content)}
LAUNCHES = [model.Launch(8, (64,), (32,), 5), model.Launch(16, (40,), (40,), 2)]


class Entries(unittest.TestCase):
    def test_one_stop_of_each_sub_group(self):
        self.assertEqual(len(FIRST), 6)
        # Every kernel is tested with optimization, which reorders its code, and one of them also without.
        runs = [(kernel, "-g") for kernel in FIRST] + [("enter_one_barrier", "-g -cl-opt-disable")]
        for turn, (kernel, options) in enumerate(runs):
            launch = LAUNCHES[turn % 2]
            with self.subTest(kernel=kernel, options=options, launch=launch):
                self.check_stops(kernel, FIRST[kernel], options, launch, with_script=turn % 4 < 2)

    def check_stops(self, kernel, first, options, launch, with_script):
        build = "-cl-std=CL3.0 -DW=%d -s %s %s" % (launch.width, SOURCE, options)
        command = [PROGRAM, str(SOURCE), kernel, build] + launch.words()
        commands = "break %s\ncommands 1\nsilent\necho \\n\nframe\ncontinue\nend\nrun\n" % kernel
        session = Session(commands, command, with_script)
        lines = collections.Counter(map(int, re.findall(r"^#0 .*\b%s \(.*\) at .*entries.cl:(\d+)$" % kernel,
                                                        session.output, re.M)))
        self.assertEqual(lines, {first: len(launch.sub_groups())}, session.output)
        self.assertIn("results: ", session.output)


if __name__ == "__main__":
    unittest.main()
