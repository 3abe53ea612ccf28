# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check mode stops the kernel at a finding, with the first lane that breaks the rule selected."""
import gdb

from . import sub_group

_FUNCTION = "laneclCheckStop"  # of the device's library, icd/src/check/debugger_stop.h


class _Finding(gdb.Breakpoint):
    def __init__(self):
        super().__init__(_FUNCTION, internal=True)
        self.silent = True


class _Return(gdb.Breakpoint):
    def __init__(self, address):
        super().__init__("*%#x" % address, internal=True)
        self.silent = True
        self.thread = gdb.selected_thread().num


def is_at_finding():
    """Whether the thread has just reported one."""
    try:
        return gdb.newest_frame().name() == _FUNCTION
    except gdb.error:
        return False


def lanes_of_finding(current):
    """Those that break the rule."""
    mask = int(gdb.newest_frame().read_register("rdi"))
    return [lane for lane in range(current.width) if mask >> lane & 1]


def show_place(current):
    """The innermost of the functions that were inlined there: all have the kernel's address."""
    frame = gdb.newest_frame()
    while frame.pc() != current.frame.pc():
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


def leave():
    """Before the kernel is stepped: out of the report, back into it."""
    current = sub_group.of_frame(gdb.newest_frame()) if is_at_finding() else None
    if current is None:
        return
    guard = _Return(current.frame.pc())
    try:
        gdb.execute("continue", False, True)
    finally:
        if guard.is_valid():
            guard.delete()


_Finding()
