# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes OpenCL C's work-item functions available in expressions: `print get_global_id(0)` prints the selected
lane's."""
import gdb

from . import sub_group


def _linear(numbers, sizes):
    return numbers[0] + sizes[0] * (numbers[1] + sizes[1] * numbers[2])


def _global_linear_id(current):
    numbers = [a - b for a, b in zip(current.global_id(current.lane), current.global_offset)]
    return _linear(numbers, current.global_size)


# For each function, the value that it has for a sub-group's selected lane. Functions of a dimension return a list of
# three numbers, and have a value for dimensions past the third.
_OF_DIMENSIONS = {
    "get_global_id": (lambda current: current.global_id(current.lane), 0),
    "get_local_id": (lambda current: current.local_id(current.lane), 0),
    "get_group_id": (lambda current: current.group, 0),
    "get_global_offset": (lambda current: current.global_offset, 0),
    "get_global_size": (lambda current: current.global_size, 1),
    "get_local_size": (lambda current: current.local_size, 1),
    "get_enqueued_local_size": (lambda current: current.enqueued_local_size, 1),
    "get_num_groups": (lambda current: current.group_count, 1),
}
_OF_NOTHING = {
    "get_work_dim": lambda current: current.dimensions(),
    "get_global_linear_id": _global_linear_id,
    "get_local_linear_id": lambda current: _linear(current.local_id(current.lane), current.local_size),
    "get_sub_group_local_id": lambda current: current.lane,
    "get_sub_group_id": lambda current: current.id,
    "get_sub_group_size": lambda current: current.size,
    "get_max_sub_group_size": lambda current: min(current.width, current.work_items),
    "get_num_sub_groups": lambda current: (current.work_items + current.width - 1) // current.width,
}
_UNSIGNED_INT = {"get_work_dim", *(name for name in _OF_NOTHING if "sub_group" in name)}


class _WorkItemFunction(gdb.Function):
    def __init__(self, name):
        super().__init__("_" + name)
        self.name = name
        # gdb expands this user-defined macro wherever an expression contains the name.
        gdb.execute("macro define %s $_%s" % (name, name), False, True)

    def invoke(self, *arguments):
        current = sub_group.selected()
        if current is None:
            raise gdb.GdbError(sub_group.NO_KERNEL)
        wanted = 1 if self.name in _OF_DIMENSIONS else 0
        if len(arguments) != wanted:
            raise gdb.GdbError("%s takes %s" % (self.name, "the dimension" if wanted else "no argument"))
        if wanted:
            of_dimensions, beyond = _OF_DIMENSIONS[self.name]
            dimension = int(arguments[0])
            value = of_dimensions(current)[dimension] if 0 <= dimension < 3 else beyond
        else:
            value = _OF_NOTHING[self.name](current)
        return gdb.Value(value).cast(gdb.lookup_type("unsigned int" if self.name in _UNSIGNED_INT else "unsigned long"))


for _name in {**_OF_DIMENSIONS, **_OF_NOTHING}:
    _WorkItemFunction(_name)

# The names that Intel's CPU runtime uses. A kernel's variables of these names make it ask about each lane, which is not
# needed here, because conditions apply to each work-item anyway (vectorizer/src/codegen/lane_questions.h).
for _name, _function in (("gid", "get_global_id"), ("lid", "get_local_id"), ("grid", "get_group_id")):
    for _dimension in range(3):
        gdb.execute("macro define __ocl_dbg_%s%d $_%s(%d)" % (_name, _dimension, _function, _dimension), False, True)
