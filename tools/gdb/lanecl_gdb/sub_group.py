# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sub-group that a frame belongs to: the frame of a kernel or of a function that the kernel has called. It is read
from the debug frame (vectorizer/contract/debug_frame.h)."""
import re

import gdb

HEADER = "__lanecl_frame"
BEGUN, DONE = 1, 2

NO_KERNEL = ("this thread is not in a kernel that was built with -g; build programs with '-g', "
             "or run with LANECL_DEBUG=optimized or LANECL_DEBUG=unoptimized")


_own_writes = 0  # writes of this package that are in progress


def write(address, value, size):
    """Writes to the program's memory without the warning that stops.py prints for the user's own writes."""
    global _own_writes
    _own_writes += 1
    try:
        gdb.selected_inferior().write_memory(address, value.to_bytes(size, "little"))
    finally:
        _own_writes -= 1


def is_own_write():
    return _own_writes > 0


def _triple(array):
    """Returns the three elements of an array of numbers."""
    return [int(array[i]) for i in range(3)]


class SubGroup:
    """A sub-group, seen from its kernel or from a function that the kernel has called. `address` is the address of the
    debug frame of that function, and `frame` its gdb.Frame, if it has one. Both show the lanes that are active there.
    `kernel` is the address of the kernel's debug frame. A sub-group has one of these, which says what is selected and
    where the sub-group is."""

    def __init__(self, address, header_type, frame=None):
        self.address = address
        self.frame = frame
        self._type = header_type
        self.header = self._header_at(address)
        self.kernel = self._number("kernel")
        self._of_kernel = self._header_at(self.kernel)

    def __eq__(self, other):
        return isinstance(other, SubGroup) and self.kernel == other.kernel

    def _header_at(self, address):
        return gdb.Value(address).cast(self._type.pointer()).dereference()

    def _number(self, field):
        return int(self.header[field])

    def is_written(self):
        """Returns whether the debug frame has been written. The `kernel` of a kernel's frame is its own address."""
        return int(self._of_kernel["kernel"]) == self.kernel

    def is_in_function(self):
        """Returns whether the sub-group is seen from a function that the kernel has called."""
        return self.address != self.kernel

    def kernel_frame(self):
        """Returns the gdb.Frame of the kernel, or that of the function if the kernel was built without -g."""
        frame = self.frame
        while frame is not None and _frame_address(frame) != self.kernel:
            frame = function_of(frame.older())
        return frame or self.frame

    # The sub-group's own values.
    id = property(lambda self: self._number("sub_group"))
    width = property(lambda self: self._number("width"))
    size = property(lambda self: self._number("lanes"))
    mask = property(lambda self: self._number("mask"))
    line = property(lambda self: int(self._of_kernel["line"]))
    phase = property(lambda self: int(self._of_kernel["phase"]))
    optimized = property(lambda self: self._number("optimized") != 0)
    group = property(lambda self: _triple(self.header["group"]))
    local_size = property(lambda self: _triple(self.header["local_size"].dereference()))

    @property
    def waited_at(self):
        """The barrier at which the sub-group waited last: name, file and line of each function there, the innermost one
        first."""
        address = int(self._of_kernel["waited_at"])
        if address == 0:
            return []
        text = gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()
        return [tuple(re.fullmatch(r"(.*) (.*):(\d+)", line).groups()) for line in text.splitlines()]

    @property
    def work_items(self):
        """The number of work-items in the work-group."""
        x, y, z = self.local_size
        return x * y * z

    def is_active(self, lane):
        return bool(self.mask >> lane & 1)

    def active_lanes(self):
        return [lane for lane in range(self.width) if self.is_active(lane)]

    def state(self, lane):
        return "unused" if lane >= self.size else "active" if self.is_active(lane) else "inactive"

    # The launch's values. The debug information of the kernel says where they are.
    _launch = property(lambda self: self.header["launch"].dereference())
    global_size = property(lambda self: _triple(self._launch["global_size"]))
    global_offset = property(lambda self: _triple(self._launch["global_offset"]))
    enqueued_local_size = property(lambda self: _triple(self._launch["enqueued_local_size"]))
    group_count = property(lambda self: _triple(self._launch["num_groups"]))

    def local_id(self, lane):
        linear = self.id * self.width + lane
        x, y, _ = self.local_size
        return [linear % x, linear // x % y, linear // (x * y)]

    def global_id(self, lane):
        offset, enqueued, local = self.global_offset, self.enqueued_local_size, self.local_id(lane)
        return [offset[d] + self.group[d] * enqueued[d] + local[d] for d in range(3)]

    def dimensions(self):
        return int(self._launch["work_dim"])

    def lane_of(self, global_id):
        """Returns the lane of the work-item, or None when another sub-group has it."""
        for lane in range(self.size):
            if self.global_id(lane)[:len(global_id)] == list(global_id):
                return lane
        return None

    def has_variable_at(self, address):
        """Returns whether a variable may lie at the address: past the header, and not far from it."""
        return self.address + self.header.type.sizeof <= address < self.address + (1 << 20)

    @property
    def lane(self):
        return int(self._of_kernel["lane"])

    def select(self, lane):
        """Selects the lane in the kernel and in all functions that it has called."""
        try:
            selected = self._of_kernel["lane"]
            write(int(selected.address), lane, selected.type.sizeof)
        except gdb.MemoryError:
            raise gdb.GdbError("no other lane can be selected here: a core file cannot be changed; "
                               "print NAME__lanes[%d] instead" % lane) from None

    def all(self):
        """Returns the sub-groups of the work-group that are in memory at the same time, including this one."""
        distance = int(self._of_kernel["slot_bytes"])
        if distance == 0:
            return [self]
        count = (self.work_items + self.width - 1) // self.width
        first = self.kernel - self.id * distance
        return [self if i == self.id else SubGroup(first + i * distance, self._type) for i in range(count)]

    def name(self):
        return "sub-group %d of work-group %s" % (self.id, self.place(self.group))

    def place(self, triple):
        """Formats a work-group's or work-item's id in as many dimensions as the launch has."""
        return ",".join(str(value) for value in triple[:max(1, self.dimensions())])


def function_of(frame):
    """Returns the frame of the function that the frame was inlined into, or the frame itself."""
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def _frame_address(frame):
    """Returns the address of the function's debug frame, or None when it has none."""
    try:
        return int(frame.read_var("__lanecl_frame_address"))
    except (ValueError, RuntimeError, gdb.error):
        return None


def of_frame(frame):
    """Returns the sub-group of the innermost frame with a debug frame, from this frame outward, or None."""
    while frame is not None and frame.is_valid():
        frame = function_of(frame)
        current = _of_function(frame)
        if current is not None:
            return current
        frame = frame.older()
    return None


def _of_function(frame):
    """Returns the sub-group of a frame with a debug frame, or None. A function that has just been entered has not
    written its debug frame yet."""
    address = _frame_address(frame)
    if address is None:
        return None
    try:
        current = SubGroup(address, frame.read_var(HEADER).type.strip_typedefs(), frame)
        return current if current.is_written() else None
    except gdb.error:
        return None


def selected():
    """Returns the sub-group of the selected frame, or None."""
    try:
        return of_frame(gdb.selected_frame())
    except gdb.error:
        return None


def required():
    sub_group = selected()
    if sub_group is None:
        raise gdb.GdbError(NO_KERNEL)
    return sub_group


def ranges(lanes, star=None):
    """Formats numbers as in [0 *1 2-15], with a star before the number `star`."""
    parts, begin = [], 0
    while begin < len(lanes):
        end = begin
        while end + 1 < len(lanes) and lanes[end + 1] == lanes[end] + 1 and star not in (lanes[end], lanes[end + 1]):
            end += 1
        text = str(lanes[begin]) if begin == end else "%d-%d" % (lanes[begin], lanes[end])
        parts.append(("*" if lanes[begin] == star else "") + text)
        begin = end + 1
    return "[" + " ".join(parts) + "]"


def listed(text, limit):
    """Returns the numbers of a list like 0-3 7. All of them must be below the limit."""
    numbers = []
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise gdb.GdbError("'%s' is not a lane number or range such as 3 or 0-7" % part)
        numbers += range(int(first), int(last or first) + 1)
    for number in numbers:
        if number >= limit:
            raise gdb.GdbError("no lane %d: the sub-group has lanes 0 to %d" % (number, limit - 1))
    return numbers
