# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs gdb on the test program. The environment names what is tested: DEBUGGED_PROGRAM and GDB_SCRIPT."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import model

PROGRAM = os.environ["DEBUGGED_PROGRAM"]
SCRIPT = os.environ["GDB_SCRIPT"]
TIMEOUT = 280

# Whether functions are called instead of inlined. A real frame knows its caller's address, and after `finish` the line
# of the call is not yet done.
KEEPS_FUNCTIONS = "LANECL_KEEP_FUNCTIONS" in os.environ


# The tests need gdb and a processor that has the instruction set.
_FLAG = {"avx512": " avx512vl ", "avx2": " avx2 "}.get(os.environ.get("LANECL_ISA"), "")
if not shutil.which("gdb") or _FLAG not in pathlib.Path("/proc/cpuinfo").read_text():
    print("skipped: no gdb, or the processor lacks the instruction set")
    sys.exit(77)


def in_turn(cases, begin=0):
    """Returns every other case, and the others for the other instruction set. LANECL_TEST_COMPLETE=1 selects all. gdb
    takes most of a second to read the symbols of LLVM's library in each session."""
    if os.environ.get("LANECL_TEST_COMPLETE") == "1":
        return cases
    return cases[(begin + (os.environ.get("LANECL_ISA") == "avx512")) % 2::2]


def program(kernel, launch, options="-g"):
    """Returns the command that runs a kernel and prints what it wrote."""
    build = "-cl-std=CL3.0 -DW=%d -s %s %s" % (launch.width, model.SOURCE, options)
    return [PROGRAM, str(model.SOURCE), kernel, build] + launch.words()


def environment(threads=1):
    return dict(os.environ, LANECL_THREADS=str(threads))


def results(output):
    """Returns what the kernel wrote."""
    match = re.search(r"^results: (.*)$", output, re.M)
    assert match, "the program printed no results:\n" + output
    return [int(word) for word in match.group(1).split()]


class Session:
    """Runs gdb in batch mode with a file of commands. `with_script` loads our script as well."""

    def __init__(self, commands, command, with_script, threads=1):
        with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
            file.write("set pagination off\nset width 0\nset print elements 0\nset print repeats 0\n"
                       "set breakpoint pending on\n" + commands + "\n")
            file.flush()
            options = ["-ex", "source " + SCRIPT] if with_script else []
            words = ["gdb", "-nx", "-q", "-batch"] + options + ["-x", file.name, "--args"] + command
            done = subprocess.run(words, env=environment(threads), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=TIMEOUT, check=False)
        self.output = done.stdout

    def values(self):
        """Returns the values that print has shown, in order."""
        return [value for _, value in re.findall(r"^\$(\d+) = (.*)$", self.output, re.M)]

    def parts(self, mark="@@"):
        """Splits the output at lines that start with the mark. Returns the rest of each such line with the output after
        it."""
        found = re.split(r"^%s(.*)$" % re.escape(mark), self.output, flags=re.M)
        return list(zip(found[1::2], found[2::2]))


def numbers(text):
    """Turns a text such as {1, {x = 2, y = 3}} into nested lists."""
    return eval(re.sub(r"\w+ = ", "", text).replace("{", "[").replace("}", "]"), {})  # pylint: disable=eval-used
