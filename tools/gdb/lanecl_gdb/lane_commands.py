# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands info lanes, lane, lane N, lane gid and lane apply."""
import re

import gdb

from . import focus, sub_group


class InfoLanes(gdb.Command):
    """List the lanes of the sub-group, with their states and their work-items.

Usage: info lanes

active: the lane executes the statement. inactive: it does not, because of a branch or a loop that it has left.
unused: the partial sub-group has no work-item for the lane."""

    def __init__(self):
        super().__init__("info lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        print("  Lane  State     Global id")
        for lane in range(current.width):
            state = current.state(lane)
            place = "" if state == "unused" else current.place(current.global_id(lane))
            print("%s %-5d %-9s %s" % ("*" if lane == current.lane else " ", lane, state, place))


def describe(current, lane):
    return "lane %d of %s, global id %s, %s" % (lane, current.name(), current.place(current.global_id(lane)),
                                                current.state(lane))


def select(current, lane):
    if not 0 <= lane < current.size:
        raise gdb.GdbError("no lane %d: %s has lanes 0 to %d" % (lane, current.name(), current.size - 1))
    focus.choose(current, lane)
    print("[Switching to %s]" % describe(current, lane))
    if not current.is_active(lane):
        print("[It does not execute this statement; lanes %s do.]" % sub_group.ranges(current.active_lanes()))
    gdb.execute("frame")


class Lane(gdb.Command):
    """Show or select the lane whose variables are shown.

Usage: lane
       lane N
       lane gid X [Y [Z]]
       lane apply {all | LIST} [-active | -inactive] COMMAND"""

    def __init__(self):
        super().__init__("lane", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        if not argument:
            print("[Current lane is %s]" % describe(current, current.lane))
            return
        select(current, int(gdb.parse_and_eval(argument)))


class LaneGid(gdb.Command):
    """Select the lane of the work-item with this global id.

Usage: lane gid X [Y [Z]]"""

    def __init__(self):
        super().__init__("lane gid", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        current = sub_group.required()
        wanted = [int(gdb.parse_and_eval(word)) for word in gdb.string_to_argv(argument)]
        if not 1 <= len(wanted) <= 3:
            raise gdb.GdbError("a global id has one to three numbers; usage: lane gid X [Y [Z]]")
        lane = current.lane_of(wanted)
        if lane is None:
            raise gdb.GdbError("work-item %s is not in %s, which has %s to %s" % (
                ",".join(map(str, wanted)), current.name(), current.place(current.global_id(0)),
                current.place(current.global_id(current.size - 1))))
        select(current, lane)


class LaneApply(gdb.Command):
    """Select each lane in turn and execute a command there.

Usage: lane apply {all | LIST} [-active | -inactive] COMMAND

LIST is a list such as 0-3 7; all is every lane of the sub-group."""

    def __init__(self):
        super().__init__("lane apply", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        match = re.match(r"(all|[\d\s,-]*\d)((?:\s+-(?:active|inactive))*)\s+(.+)$", argument)
        if not match:
            raise gdb.GdbError("Usage: lane apply {all | LIST} [-active | -inactive] COMMAND")
        which, filters, command = match.groups()
        current = sub_group.required()
        lanes = range(current.size) if which == "all" else sub_group.listed(which, current.size)
        if "-active" in filters.split():
            lanes = [lane for lane in lanes if current.is_active(lane)]
        if "-inactive" in filters.split():
            lanes = [lane for lane in lanes if not current.is_active(lane)]
        with focus.kept(current):
            for lane in lanes:
                current.select(lane)
                print("\nLane %d (global id %s, %s):" % (lane, current.place(current.global_id(lane)),
                                                         current.state(lane)))
                gdb.execute(command, from_tty)


InfoLanes()
Lane()
LaneGid()
LaneApply()
