#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses gdb's machine interface as development environments do: breakpoints with conditions, stepping, and variables."""
import re
import subprocess
import unittest

from gdb_session import KEEPS_FUNCTIONS, SCRIPT, environment, program
import model

LAUNCH = model.Launch(16, (64,), (32,), 20)


class Gdb:
    def __init__(self, kernel, options="-g", with_script=True):
        words = ["gdb", "-nx", "-q", "--interpreter=mi2"] + (["-ex", "source " + SCRIPT] if with_script else [])
        self.process = subprocess.Popen(words + ["--args"] + program(kernel, LAUNCH, options), env=environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log = []
        self.read_until(r"^\(gdb\)")
        self.ask("-gdb-set mi-async off")
        self.ask("-gdb-set breakpoint pending on")

    def read_until(self, pattern):
        for line in self.process.stdout:
            self.log.append(line)
            if re.search(pattern, line):
                return line
        raise AssertionError("gdb ended:\n" + "".join(self.log[-40:]))

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.read_until(r"^\^(done|running|error|exit)")
        return answer

    def go(self, command):
        """Starts or continues the program and returns the record of the next stop."""
        answer = self.ask(command)
        assert answer.startswith("^running"), answer
        return self.read_until(r"^\*stopped")

    def value(self, expression):
        return re.search(r'value="(.*)"', self.ask('-data-evaluate-expression "%s"' % expression)).group(1)

    def close(self):
        self.ask("-gdb-exit")
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)


class MachineInterface(unittest.TestCase):
    def open(self, *arguments, **options):
        gdb = Gdb(*arguments, **options)
        self.addCleanup(gdb.close)
        return gdb

    def place(self, text):
        return "%s:%d" % (model.SOURCE, model.line(text))

    def test_variables(self):
        gdb = self.open("branches", with_script=False)
        gdb.ask("-break-insert -f " + self.place("pair.part ="))
        stop = gdb.go("-exec-run")
        self.assertIn('reason="breakpoint-hit"', stop)
        self.assertIn('func="branches"', stop)
        self.assertIn('line="%d"' % model.line("pair.part ="), stop)
        names = gdb.ask("-stack-list-variables --simple-values")
        for entry in ('{name="limit",arg="1",type="int",value="20"}', '{name="x",type="int",value="0"}',
                      '{name="numbers",type="int [4]"}', '{name="pair",type="pair_t"}'):
            self.assertIn(entry, names)
        self.assertIn('numchild="4"', gdb.ask("-var-create numbers * numbers"))
        children = gdb.ask("-var-list-children --all-values numbers")
        self.assertEqual(re.findall(r'value="(-?\d+)"', children), ["3", "1", "4", "1"])
        self.assertIn('value="0"', gdb.ask("-var-create count * pair.count"))
        self.assertEqual(gdb.value("x__lanes[7]"), "7")
        gdb.ask("-gdb-set var __lanecl_frame.lane = 6")
        changes = gdb.ask("-var-update --all-values *")
        self.assertIn('name="count",value="6"', changes)
        self.assertEqual(gdb.value("numbers[2]"), "10")

    def test_conditions(self):
        gdb = self.open("branches")
        gdb.ask('-break-insert -f -c "x == 29 || x == 30" ' + self.place("y = y * 7"))
        gdb.go("-exec-run")
        self.assertEqual(gdb.value("x"), "29")
        self.assertEqual(gdb.value("$_lane"), "13")

    def test_stepping(self):
        gdb = self.open("branches")
        gdb.ask("-break-insert -f " + self.place("int q ="))
        gdb.go("-exec-run")
        lines = [re.search(r'line="(\d+)"', gdb.go(command)).group(1)
                 for command in ("-exec-step", "-exec-next", "-exec-finish", "-exec-next")]
        after = ("int q =", "float4 v") if KEEPS_FUNCTIONS else ("float4 v", "v.y *=")
        self.assertEqual([int(number) for number in lines],
                         [model.line(text) for text in ("int s =", "return s + 1") + after])

    def test_watch(self):
        gdb = self.open("branches", "-g -cl-opt-disable")
        gdb.ask("-break-insert -t -f " + self.place("for (int i = 0; i < (x"))
        gdb.go("-exec-run")
        gdb.ask("-gdb-set var __lanecl_frame.lane = 3")
        address = gdb.value("&sum").split()[-1]
        gdb.ask("-break-watch *(int*)%s" % address)
        seen = []
        while len(seen) < 3:
            stop = gdb.go("-exec-continue")
            self.assertIn('reason="watchpoint-trigger"', stop)
            seen.append(int(re.search(r'new="(-?\d+)"', stop).group(1)))
        self.assertEqual(seen, [3, 9, 10])


if __name__ == "__main__":
    unittest.main()
