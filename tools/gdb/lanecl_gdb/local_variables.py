# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces `info locals` by a command that leaves out the variables that LaneCL adds to a kernel's: NAME__lanes, and
those that start with __lanecl_ or __ocl_dbg_. After `set lanecl all-locals on` it shows them as well. They can always
be printed by their names."""
import re

import gdb

_ADDED = re.compile(r"__lanecl_|__ocl_dbg_|.*__lanes$")


class _Prefix(gdb.Command):
    """Settings of LaneCL."""


_Prefix("set lanecl", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)
_Prefix("show lanecl", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class AllLocals(gdb.Parameter):
    """Whether `info locals` shows the variables that LaneCL adds to those of a kernel."""

    set_doc = show_doc = __doc__

    def __init__(self):
        super().__init__("lanecl all-locals", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "info locals shows the variables that LaneCL adds: %s." % value


_all_locals = AllLocals()


def _is_shown(symbol):
    return symbol.is_variable and not symbol.is_argument and (_all_locals.value or not _ADDED.match(symbol.name))


def _blocks(frame):
    """Yields the blocks of the frame's function, the innermost one first."""
    try:
        block = frame.block()
    except RuntimeError:
        raise gdb.GdbError("No symbol table info available.") from None
    while block is not None:
        yield block
        if block.function is not None:
            return
        block = block.superblock


def _text_of(symbol, frame):
    try:
        return symbol.value(frame).format_string()
    except gdb.error as error:
        return "<error: %s>" % error


class InfoLocals(gdb.Command):
    """All local variables of the current stack frame.
Usage: info locals [-q] [-t TYPE] [NAME]
NAME and TYPE are regular expressions that the variables' names and types must match; with -q no message says that
there are none. Variables that LaneCL adds to those of a kernel are shown after `set lanecl all-locals on`."""

    def __init__(self):
        super().__init__("info locals", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        is_quiet, name, kind = False, "", ""
        while words:
            word = words.pop(0)
            if word == "-q":
                is_quiet = True
            elif word == "-t" and words:
                kind = words.pop(0)
            elif word != "--":
                name = word
        frame = gdb.selected_frame()
        shown = [symbol for block in _blocks(frame) for symbol in block
                 if _is_shown(symbol) and re.search(name, symbol.name) and re.search(kind, str(symbol.type))]
        for symbol in shown:
            print("%s = %s" % (symbol.name, _text_of(symbol, frame)))
        if not shown and not is_quiet:
            print("No locals." if not (name or kind) else "No matching locals.")


InfoLocals()
