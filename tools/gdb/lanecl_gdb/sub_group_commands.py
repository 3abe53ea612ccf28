# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands info sub-groups, sub-group N [COMMAND] and info work-groups."""
import contextlib
import os

import gdb

from . import focus, sub_group


def where(current, other):
    """Says what the sub-group `other` of `current`'s work-group is doing."""
    if other == current:
        return "runs, lanes %s" % sub_group.ranges(other.active_lanes(), other.lane)
    if other.phase == sub_group.DONE:
        return "done"
    if other.line == 0:
        return "has not started"
    _, file, line = other.waited_at[0]
    return "waits at the barrier, %s:%s" % (os.path.basename(file), line)


class InfoSubGroups(gdb.Command):
    """List the sub-groups of the work-group and what they do.

Usage: info sub-groups"""

    def __init__(self):
        super().__init__("info sub-groups", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        everyone = current.all()
        print("  Sub-group  Work-items  State")
        for other in everyone:
            print("%s %-10d %-11d %s" % ("*" if other == current else " ", other.id, other.size,
                                         where(current, other)))
        count = (current.work_items + current.width - 1) // current.width
        if count > len(everyone):
            print("The kernel has no barriers; its %d sub-groups run one after the other." % count)


@contextlib.contextmanager
def seen(current, other):
    """For a while, makes the kernel's variables those of another sub-group, and the kernel stand where that one
    waits."""
    with _standing(current, other):
        kernel = sub_group.of_frame(gdb.newest_frame()).kernel_frame()
        address = int(kernel.read_var("__lanecl_frame_address").address)
        sub_group.write(address, other.kernel, 8)
        try:
            yield
        finally:
            sub_group.write(address, current.kernel, 8)
    focus.publish(sub_group.selected())


@contextlib.contextmanager
def _standing(current, other):
    """For a while, sets the program counter to the barrier at which the other sub-group waits, so that gdb finds the
    functions that were inlined there and their variables. All sub-groups of a work-group share the kernel's frame on
    the stack, and only the kernel has barriers, so the functions that it has called seem to have returned. Nothing
    changes while the kernel is in a function of the runtime."""
    level = gdb.selected_frame().level()
    innermost = sub_group.of_frame(gdb.newest_frame())
    before = _registers(gdb.newest_frame())
    moved = False
    try:
        if other != current and innermost.frame == sub_group.function_of(gdb.newest_frame()):
            moved = _set_registers(_registers(current.kernel_frame()))
            if other.phase != sub_group.DONE and other.line != 0:
                moved |= _move(other.waited_at)
        if moved:
            gdb.newest_frame().select()
        yield
    finally:
        if moved:
            _set_registers(before)
            frame = gdb.newest_frame()
            for _ in range(level):
                frame = frame.older()
            frame.select()


# The registers of which each frame on the stack has its own values.
_REGISTERS = ("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15", "rip")


def _registers(frame):
    return {name: int(frame.read_register(name)) for name in _REGISTERS}


def _set_registers(values):
    """Sets registers of the thread. Returns whether one of them has changed."""
    now = _registers(gdb.newest_frame())
    changed = {name: value for name, value in values.items() if value != now[name]}
    for name, value in changed.items():
        gdb.newest_frame().select()
        gdb.execute("set var $%s = %d" % (name, value), to_string=True)
    return bool(changed)


def _set_counter(address):
    gdb.newest_frame().select()
    gdb.execute("set var $pc = %d" % address, to_string=True)


def _calls(frame):
    """Returns the functions that were inlined where the frame stands, in the form of SubGroup.waited_at."""
    calls = []
    while frame is not None:
        place = frame.find_sal()
        calls.append((frame.name(), os.path.basename(place.symtab.filename) if place.symtab else "", str(place.line)))
        if frame.type() != gdb.INLINE_FRAME:
            break
        frame = frame.older()
    return calls


def _move(waited_at):
    """Sets the program counter to the statement where these calls were made. Returns False when there is no such
    statement."""
    before = int(gdb.newest_frame().pc())
    wanted = [(name, os.path.basename(file), line) for name, file, line in waited_at]
    try:
        _, places = gdb.decode_line("%s:%s" % waited_at[0][1:])
    except gdb.error:
        return False
    for place in places or []:
        _set_counter(place.pc)
        if _calls(gdb.newest_frame()) == wanted:
            return True
    _set_counter(before)
    return False


class SubGroupCommand(gdb.Command):
    """Show another sub-group of the work-group, or execute a command with its variables.

Usage: sub-group N [COMMAND]

`sub-group 1 info locals` shows the variables of sub-group 1 while it waits at a barrier, `sub-group 1 bt` where."""

    def __init__(self):
        super().__init__("sub-group", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        number, _, command = argument.strip().partition(" ")
        everyone = current.all()
        if not number.isdigit() or int(number) not in [other.id for other in everyone]:
            raise gdb.GdbError("no sub-group '%s' can be shown here; 'info sub-groups' lists those that can" % number)
        other = next(other for other in everyone if other.id == int(number))
        command = command.strip()
        if not command:
            print("[%s: %s]" % (other.name().capitalize(), where(current, other)))
            return
        with seen(current, other):
            gdb.execute(command, from_tty)


class InfoWorkGroups(gdb.Command):
    """List the running work-groups, at most one per thread.

Usage: info work-groups"""

    def __init__(self):
        super().__init__("info work-groups", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        before = gdb.selected_thread()
        if before is None:
            raise gdb.GdbError("the program is not running")
        frame = gdb.selected_frame()
        print("  Thread  Work-group   Sub-group  Kernel")
        try:
            for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
                thread.switch()
                current = sub_group.of_frame(gdb.newest_frame())
                if current is not None:
                    print("%s %-7d %-12s %-10d %s" % ("*" if thread.num == before.num else " ", thread.num,
                                                      current.place(current.group), current.id,
                                                      current.kernel_frame().name()))
        finally:
            before.switch()
            frame.select()


InfoSubGroups()
SubGroupCommand()
InfoWorkGroups()
