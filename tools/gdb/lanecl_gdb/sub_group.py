# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sub-group of a kernel's frame, read from its debug frame (vectorizer/contract/debug_frame.h)."""
import re

import gdb

HEADER = "__lanecl_frame"
BEGUN, DONE = 1, 2

NO_KERNEL = ("no kernel built with -g runs on this thread here; build programs with '-g', "
             "or run with LANECL_DEBUG=optimized or LANECL_DEBUG=unoptimized")


_own_writes = 0  # that are going on


def write(address, value, size):
    """Into the program's memory, without the warning that stops.py gives the user for that."""
    global _own_writes
    _own_writes += 1
    try:
        gdb.selected_inferior().write_memory(address, value.to_bytes(size, "little"))
    finally:
        _own_writes -= 1


def is_own_write():
    return _own_writes > 0


class SubGroup:
    """A sub-group whose debug frame begins at `address`. `frame` is the gdb.Frame of its kernel, where it has one."""

    def __init__(self, address, header_type, frame=None):
        self.address = address
        self.frame = frame
        self._type = header_type
        self.header = gdb.Value(address).cast(header_type.pointer()).dereference()

    def __eq__(self, other):
        return isinstance(other, SubGroup) and self.address == other.address

    def _number(self, field):
        return int(self.header[field])

    def _words(self, address, count=3):
        bytes_read = gdb.selected_inferior().read_memory(address, 8 * count).tobytes()
        return [int.from_bytes(bytes_read[8 * i:8 * i + 8], "little") for i in range(count)]

    # What it is.
    id = property(lambda self: self._number("sub_group"))
    width = property(lambda self: self._number("width"))
    size = property(lambda self: self._number("lanes"))
    mask = property(lambda self: self._number("mask"))
    line = property(lambda self: self._number("line"))
    phase = property(lambda self: self._number("phase"))
    optimized = property(lambda self: self._number("optimized") != 0)
    group = property(lambda self: [int(self.header["group"][i]) for i in range(3)])
    local_size = property(lambda self: self._words(self._number("local_size")))

    @property
    def waited_at(self):
        """The barrier at which it waited last: for each function, the innermost first, its name, file and line."""
        address = self._number("waited_at")
        if address == 0:
            return []
        text = gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()
        return [tuple(re.fullmatch(r"(.*) (.*):(\d+)", line).groups()) for line in text.splitlines()]

    @property
    def work_items(self):
        """Of the work-group."""
        x, y, z = self.local_size
        return x * y * z

    def is_active(self, lane):
        return bool(self.mask >> lane & 1)

    def active_lanes(self):
        return [lane for lane in range(self.width) if self.is_active(lane)]

    def state(self, lane):
        return "unused" if lane >= self.size else "active" if self.is_active(lane) else "inactive"

    # Of the launch, as abi::LaunchInfo has it.
    global_size = property(lambda self: self._words(self._number("launch")))
    global_offset = property(lambda self: self._words(self._number("launch") + 24))
    enqueued_local_size = property(lambda self: self._words(self._number("launch") + 48))
    group_count = property(lambda self: self._words(self._number("launch") + 72))

    def local_id(self, lane):
        linear = self.id * self.width + lane
        x, y, _ = self.local_size
        return [linear % x, linear // x % y, linear // (x * y)]

    def global_id(self, lane):
        offset, enqueued, local = self.global_offset, self.enqueued_local_size, self.local_id(lane)
        return [offset[d] + self.group[d] * enqueued[d] + local[d] for d in range(3)]

    def dimensions(self):
        launch = self._number("launch")
        return int.from_bytes(gdb.selected_inferior().read_memory(launch + 96, 4).tobytes(), "little")

    def lane_of(self, global_id):
        """The lane of the work-item; None: another sub-group has it."""
        for lane in range(self.size):
            if self.global_id(lane)[:len(global_id)] == list(global_id):
                return lane
        return None

    def has_variable_at(self, address):
        """Whether a variable may lie there: not the header, and not far behind it."""
        return self.address + self.header.type.sizeof <= address < self.address + (1 << 20)

    @property
    def lane(self):
        return self._number("lane")

    def select(self, lane):
        try:
            write(self.address, lane, 4)
        except gdb.MemoryError:
            raise gdb.GdbError("no other lane can be selected here: a core file cannot be changed; "
                               "print NAME__lanes[%d] instead" % lane) from None

    def all(self):
        """The sub-groups of the work-group that are in memory at once, itself among them."""
        distance = self._number("slot_bytes")
        if distance == 0:
            return [self]
        count = (self.work_items + self.width - 1) // self.width
        first = self.address - self.id * distance
        return [self if i == self.id else SubGroup(first + i * distance, self._type) for i in range(count)]

    def name(self):
        return "sub-group %d of work-group %s" % (self.id, self.place(self.group))

    def place(self, triple):
        """Group or global ids in as many dimensions as the launch has."""
        return ",".join(str(value) for value in triple[:max(1, self.dimensions())])


def of_frame(frame):
    """The sub-group whose kernel the frame, or one that it was called from, belongs to, or None."""
    while frame is not None and frame.is_valid():
        while frame.type() == gdb.INLINE_FRAME:  # a part of the kernel's
            frame = frame.older()
        try:
            header = frame.read_var(HEADER)
            return SubGroup(int(header.address), header.type.strip_typedefs(), frame)
        except (ValueError, RuntimeError, gdb.error):
            frame = frame.older()
    return None


def selected():
    """That of the selected frame, or None."""
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
    """[0 *1 2-15]: numbers, with a star before one of them."""
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
    """The numbers of a list like 0-3 7, all below the limit."""
    numbers = []
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise gdb.GdbError("'%s' is no lane number or range, such as 3 or 0-7" % part)
        numbers += range(int(first), int(last or first) + 1)
    for number in numbers:
        if number >= limit:
            raise gdb.GdbError("no lane %d: the sub-group has lanes 0 to %d" % (number, limit - 1))
    return numbers
