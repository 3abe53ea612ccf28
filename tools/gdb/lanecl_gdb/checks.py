# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops a kernel in check mode when it breaks a rule, and selects the first lane that does."""
import gdb

from . import sub_group

_FUNCTION = "laneclCheckStop"  # the device's library calls it for each finding, see icd/src/check/findings/debugger_stop.h


# Stops at each finding.
class _Finding(gdb.Breakpoint):
    def __init__(self):
        super().__init__(_FUNCTION, internal=True)
        self.silent = True


# Stops this thread where the report returns to the kernel.
class _Return(gdb.Breakpoint):
    def __init__(self, address):
        super().__init__("*%#x" % address, internal=True)
        self.silent = True
        self.thread = gdb.selected_thread().num


def is_at_finding():
    """Returns whether the thread has just reported a finding."""
    try:
        return gdb.newest_frame().name() == _FUNCTION
    except gdb.error:
        return False


def lanes_of_finding(current):
    """Returns the lanes that break the rule."""
    mask = int(gdb.newest_frame().read_register("rdi"))
    return [lane for lane in range(current.width) if mask >> lane & 1]


def show_place(current):
    """Selects the innermost of the functions that were inlined at the finding's place, which all share the kernel's
    address, and shows its line."""
    frame = gdb.newest_frame()
    while frame.pc() != current.frame.pc():
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


def leave():
    """Lets the report return to the kernel. It is called before the kernel is stepped."""
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
