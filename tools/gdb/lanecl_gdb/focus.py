# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps track of the selected lane. At each stop the kernel has its first active lane selected, so the lane that the
user has chosen is selected again."""
import contextlib
import re

import gdb

from . import sub_group

# The lane whose values gdb has shown at the last stop, before another lane was selected.
_shown = None

# For each thread, the work-item that the user chose last: its work-group, its sub-group and its lane.
_chosen = {}


def _key():
    thread = gdb.selected_thread()
    return thread.global_num if thread is not None else 0


def choose(current, lane):
    _chosen[_key()] = (current.group, current.id, lane)
    current.select(lane)
    publish(current)


def forget():
    _chosen.pop(_key(), None)


def chosen_lane(current):
    """Returns the lane that the user chose in this sub-group, or None."""
    choice = _chosen.get(_key())
    if choice and choice[:2] == (current.group, current.id):
        return choice[2]
    wanted = _work_item_of_the_environment()
    return current.lane_of(wanted) if wanted else None


def _work_item_of_the_environment():
    """Returns the global id in LANECL_DEBUG_GID of the program that is debugged, or None."""
    match = re.match(r"LANECL_DEBUG_GID = ([0-9,]+)$", gdb.execute("show environment LANECL_DEBUG_GID", False, True))
    return [int(part) for part in match.group(1).split(",") if part] if match else None


def after_stop(current, hit=None):
    """Selects a lane after a stop: the chosen one if it executes the statement, or the first lane for which the
    condition is true. `hit` lists the lanes for which it is."""
    global _shown
    _shown = current.lane
    current.select(best_lane(current, hit))
    publish(current)


def best_lane(current, hit):
    lane = chosen_lane(current)
    candidates = hit or current.active_lanes()
    if lane is None or (hit and lane not in hit) or not current.is_active(lane):
        lane = candidates[0] if candidates else 0
    return lane


def has_shown_another(current):
    """Returns whether gdb, at the last stop, has shown the arguments of functions with the values of another lane."""
    return _shown is not None and _shown != current.lane


@contextlib.contextmanager
def kept(current):
    lane = current.lane
    try:
        yield
    finally:
        current.select(lane)
        publish(current)


def publish(current):
    """Sets the convenience variables for the selected lane."""
    numbers = current.global_id(current.lane)
    word = gdb.lookup_type("unsigned long")
    data = b"".join(number.to_bytes(8, "little") for number in numbers)
    gdb.set_convenience_variable("_lane", current.lane)
    gdb.set_convenience_variable("_lane_mask", gdb.Value(current.mask).cast(word))
    gdb.set_convenience_variable("_lane_count", current.size)
    gdb.set_convenience_variable("_workitem_global_id", gdb.Value(data, word.array(2)))
    gdb.set_convenience_variable("_sub_group", current.id)


def publish_selected():
    current = sub_group.selected()
    if current is not None:
        publish(current)
