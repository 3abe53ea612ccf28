# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The convenience functions $_gid_active, $_any_lane and $_all_lanes."""
import gdb

from . import focus, stops, sub_group


def _of_newest_frame():
    current = sub_group.of_frame(gdb.newest_frame())
    if current is None:
        raise gdb.GdbError(sub_group.NO_KERNEL)
    return current


def _select_for_stop(current, hit):
    """Selects a lane already while the condition is evaluated, because gdb shows the arguments of functions before
    stops.py learns of the stop."""
    if hit:
        current.select(focus.best_lane(current, hit))


def lanes_where(current, expression):
    """Returns the active lanes for which the expression is true."""
    hit = []
    lane_before = current.lane
    try:
        for lane in current.active_lanes():
            current.select(lane)
            if bool(gdb.parse_and_eval(expression)):
                hit.append(lane)
    finally:
        current.select(lane_before)
    return hit


class AnyLane(gdb.Function):
    """$_any_lane("EXPRESSION"): whether it is true for any active lane. As a breakpoint condition it selects the first.
    """

    def __init__(self):
        super().__init__("_any_lane")

    def invoke(self, expression):
        current = _of_newest_frame()
        hit = lanes_where(current, expression.string())
        stops.note_lanes(current, hit)
        _select_for_stop(current, hit)
        return bool(hit)


class AllLanes(gdb.Function):
    """$_all_lanes("EXPRESSION"): whether it is true for all active lanes."""

    def __init__(self):
        super().__init__("_all_lanes")

    def invoke(self, expression):
        current = _of_newest_frame()
        return len(lanes_where(current, expression.string())) == len(current.active_lanes())


class GidActive(gdb.Function):
    """$_gid_active(X [, Y [, Z]]): whether this work-item executes the statement. As a breakpoint condition it selects it.
    """

    def __init__(self):
        super().__init__("_gid_active")

    def invoke(self, *numbers):
        current = _of_newest_frame()
        lane = current.lane_of([int(number) for number in numbers])
        active = lane is not None and current.is_active(lane)
        stops.note_lanes(current, [lane] if active else [])
        _select_for_stop(current, [lane] if active else [])
        return active


AnyLane()
AllLanes()
GidActive()
