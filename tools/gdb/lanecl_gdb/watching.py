# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command lane watch stops when a variable of one work-item changes."""
import gdb

from . import focus, sub_group


class WorkItemWatchpoint(gdb.Breakpoint):
    """A watchpoint on a variable's memory that stops only while the variable's sub-group runs, because other sub-groups
    use the same memory before and after."""

    def __init__(self, variable, current):
        self.of = (current.group, current.id)
        self.is_over = False
        super().__init__("*(%s *) %d" % (variable.type.unqualified(), int(variable.address)), gdb.BP_WATCHPOINT,
                         gdb.WP_WRITE)

    def stop(self):
        current = None if self.is_over else sub_group.of_frame(gdb.newest_frame())
        return current is not None and (current.group, current.id) == self.of


class _Return(gdb.FinishBreakpoint):
    """Ends a watchpoint where a function that the kernel has called returns, since the function's variables are gone
    then."""

    def __init__(self, frame, watchpoint):
        super().__init__(frame, internal=True)
        self._watchpoint = watchpoint

    def stop(self):
        self._watchpoint.is_over = True
        return False

    out_of_scope = stop


class LaneWatch(gdb.Command):
    """Stop when a variable of the selected lane's work-item is assigned another value.

Usage: lane watch EXPRESSION

Other work-items' variables of that name do not stop the program. The lane stays selected."""

    def __init__(self):
        super().__init__("lane watch", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        if not argument:
            raise gdb.GdbError("Usage: lane watch EXPRESSION")
        variable = gdb.parse_and_eval(argument)
        if variable.address is None:
            raise gdb.GdbError("'%s' is not in one place in memory: it is not a variable, or it is an array of "
                               "numbers, which are kept lane by lane" % argument)
        focus.choose(current, current.lane)
        watchpoint = WorkItemWatchpoint(variable, current)
        if current.is_in_function() and current.has_variable_at(int(variable.address)):
            _Return(current.frame, watchpoint)
        print("[%s of global id %s]" % (argument, current.place(current.global_id(current.lane))))


LaneWatch()
