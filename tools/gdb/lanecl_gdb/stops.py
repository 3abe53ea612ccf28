# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reacts when a kernel stops: selects a lane and tells which lanes are there. It also makes conditions apply to each
lane."""
import os
import re

import gdb

from . import checks, focus, sub_group

# The address of a sub-group's debug frame and the lanes for which a breakpoint's condition was true, or None.
_noted = None

# The threads that are named after a sub-group at the moment.
_named = set()


def note_lanes(current, lanes):
    global _noted
    _noted = (current.address, lanes) if lanes else None


def _on_continue(event):
    global _noted
    _noted = None
    # gdb prints a thread's name before this module learns of the next stop, which may be in another sub-group.
    for thread in gdb.selected_inferior().threads():
        if thread.ptid in _named:
            thread.name = None
    _named.clear()


def _on_stop(event):
    global _noted
    noted, _noted = _noted, None
    try:
        current = sub_group.of_frame(gdb.newest_frame())
    except gdb.error:
        return
    if current is None:
        return
    hit = noted[1] if noted and noted[0] == current.address else None
    is_finding = checks.is_at_finding()
    if is_finding:
        hit = checks.lanes_of_finding(current)
    focus.after_stop(current, hit)
    if is_finding:
        checks.show_place(current)
    _named.add(gdb.selected_thread().ptid)
    gdb.selected_thread().name = "%s sub-group %d" % (current.place(current.group), current.id)
    if isinstance(event, gdb.BreakpointEvent) or is_finding:
        lane = current.lane
        print("[%s, lanes %s; lane %d is global id %s]" % (
            current.name()[0].upper() + current.name()[1:], sub_group.ranges(hit or current.active_lanes(), lane), lane,
            current.place(current.global_id(lane))))
        if current.is_in_function() and focus.has_shown_another(current):
            gdb.execute("frame")


_OWN_LIBRARIES = ("liblanecl", "libLLVM", "libclang")

_PER_LANE = re.compile(r"^\$_(any_lane|all_lanes|gid_active)\s*\(")


def _is_in_kernel(breakpoint):
    if re.search(r"\.cl(pp|cpp)?:\d+$", breakpoint.location or ""):
        return True
    for location in getattr(breakpoint, "locations", []):
        symtab = gdb.find_pc_line(location.address).symtab
        if symtab is not None and "(like IBM XL C for OpenCL)" in (symtab.producer or ""):
            return True
    return False


def _make_condition_per_lane(breakpoint):
    """Makes the condition of a breakpoint in a kernel apply to each work-item, as its author means it."""
    condition = breakpoint.condition
    if breakpoint.type != gdb.BP_BREAKPOINT or not breakpoint.visible or not condition:
        return
    if breakpoint.pending:
        return  # gdb would disable it; this runs again when the kernel has been loaded
    if _PER_LANE.match(condition) or not _is_in_kernel(breakpoint):
        return
    breakpoint.condition = '$_any_lane("%s")' % condition.replace("\\", "\\\\").replace('"', '\\"')


# The places of breakpoints that have been looked at already. A place that the user enables again stays enabled.
_known_places = set()


def _leave_out_own_functions(breakpoint):
    """Disables the places of `break one` that belong to C++ functions of LaneCL's own libraries. The user means the
    kernel `one`, but gdb finds functions of that name in every namespace."""
    if breakpoint.type != gdb.BP_BREAKPOINT or not breakpoint.visible or not re.fullmatch(r"\w+", breakpoint.location or ""):
        return
    for location in getattr(breakpoint, "locations", []):
        library = os.path.basename(gdb.solib_name(location.address) or "")
        if (breakpoint.number, location.address) in _known_places:
            continue
        _known_places.add((breakpoint.number, location.address))
        if location.enabled and library.startswith(_OWN_LIBRARIES):
            name = gdb.execute("info symbol %d" % location.address, False, True)
            if name.split()[0] != breakpoint.location:  # a C function is named exactly like that and stays
                location.enabled = False  # makes gdb report a modification, so this function runs again


def _on_memory_changed(event):
    """Warns after `set var` in an optimized kernel."""
    if sub_group.is_own_write():
        return
    current = sub_group.selected()
    if current and current.optimized and current.has_variable_at(event.address):
        print("warning: this kernel is optimized: only the debugger's copy of the variable has changed; "
              "build it with '-g -cl-opt-disable', or run with LANECL_DEBUG=unoptimized")


gdb.events.stop.connect(_on_stop)
gdb.events.cont.connect(_on_continue)
gdb.events.breakpoint_created.connect(_make_condition_per_lane)
gdb.events.breakpoint_modified.connect(_make_condition_per_lane)
gdb.events.breakpoint_created.connect(_leave_out_own_functions)
gdb.events.breakpoint_modified.connect(_leave_out_own_functions)
gdb.events.memory_changed.connect(_on_memory_changed)
gdb.execute("set breakpoint pending on", False, True)
