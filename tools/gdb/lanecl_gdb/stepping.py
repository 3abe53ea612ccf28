# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes next and step follow the selected lane: they continue while the lane does not execute the statement, and across
barriers."""
import gdb

from . import checks, focus, sub_group

_LIMIT = 100000  # stepping gives up after so many statements that the lane does not execute


class _Guard(gdb.Breakpoint):
    """A breakpoint that stops one thread at an address when the function `wanted` returns true."""

    def __init__(self, address, thread, wanted):
        super().__init__("*%#x" % address, internal=True)
        self.silent = True
        self.thread = thread
        self._wanted = wanted

    def stop(self):
        return self._wanted()


def _statements(frame):
    """Returns the addresses of the statements in the frame's function. The code of each statement starts with a nop."""
    block = frame.block()
    while block.function is None:
        block = block.superblock
    memory = gdb.selected_inferior()
    return [entry.pc for entry in frame.find_sal().symtab.linetable()
            if block.start <= entry.pc < block.end and memory.read_memory(entry.pc, 1).tobytes() == b"\x90"]


class _Stepper:
    """A single next or step of the user."""

    def __init__(self):
        self.start = None  # the sub-group that is stepped, or None outside of kernels
        self.lane = 0
        self.place = None  # the frame in which the user steps
        self.statements = []
        self.caller = None  # the address that the kernel's function returns to
        self.guard = None

    def begin(self):
        self.start = sub_group.selected()
        if self.start is None:
            return
        self.lane = self.start.lane
        focus.choose(self.start, self.lane)
        if checks.is_at_finding():
            checks.leave()
            self.start = sub_group.selected()
        self.place = gdb.newest_frame()
        kernel = self.start.kernel_frame()
        self.statements = _statements(kernel)
        caller = kernel.older()
        self.caller = caller.pc() if caller is not None else None
        if caller is not None:
            self.guard = _Guard(self.caller, gdb.selected_thread().num, lambda: True)

    def finish(self, command):
        """Completes the step after gdb has stepped once."""
        if self.start is None:
            return
        start, self.start = self.start, None
        try:
            if self._follow(start, command):
                gdb.execute("frame")
        finally:
            if self.guard is not None and self.guard.is_valid():
                self.guard.delete()
            self.guard = None

    def _follow(self, start, command):
        """Continues until the lane executes a statement. Returns whether gdb has shown something else than that
        statement."""
        for count in range(_LIMIT):
            if not _runs():
                return False
            if gdb.selected_frame().pc() == self.caller:
                if start.phase == sub_group.DONE:
                    print("[%s is done]" % start.name())
                    return False
                self._wait_for(start)
                continue
            current = sub_group.selected()
            if current is None or current != start:
                return False  # at a breakpoint in another sub-group, or in the host program
            if current.is_active(self.lane):
                current.select(self.lane)
                focus.publish(current)
                return count > 0 or (gdb.newest_frame() != self.place and focus.has_shown_another(current))
            gdb.execute(command, False, True)
        return True

    def _wait_for(self, start):
        """Lets the other sub-groups run until the one that waits at a barrier continues."""
        thread = gdb.selected_thread().num
        guards = [_Guard(address, thread, lambda: _stands_in(start)) for address in self.statements]
        try:
            gdb.execute("continue", False, True)
        finally:
            for guard in guards:
                if guard.is_valid():
                    guard.delete()


def _runs():
    try:
        return gdb.selected_thread() is not None and gdb.selected_frame().is_valid()
    except gdb.error:
        return False


def _stands_in(start):
    current = sub_group.of_frame(gdb.newest_frame())
    return current is not None and current == start


_stepper = _Stepper()


def begin():
    _stepper.begin()


def finish(command):
    _stepper.finish(command)


for _command in ("next", "step"):
    gdb.execute("define hook-%s\npython lanecl_gdb.stepping.begin()\nend" % _command, False, True)
    gdb.execute("define hookpost-%s\npython lanecl_gdb.stepping.finish('%s')\nend" % (_command, _command), False, True)
