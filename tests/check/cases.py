# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that break a rule in the line marked with BROKEN, unless they are built with -DCORRECT."""
import collections

# lanes: those that break it first, for a width; sub_group: in which sub-group, with work-groups of 32 and 64 work-items.
Case = collections.namedtuple("Case", "rule memory source lanes sub_group work_items severity")


def case(rule, source, lanes, memory="buffer", sub_group=0, work_items=64, severity="error"):
    return Case(rule, memory, source, lanes, sub_group, work_items, severity)


def every(width):
    return "0-%d" % (width - 1)


# The last quarter of a sub-group, and that a work-group's last one.
def last_quarter(width):
    return "%d-%d" % (width * 3 // 4, width - 1)


def last_sub_group(width):
    return 32 // width - 1


STRIDED = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  p[i] += 1;
#else
  p[i + W / 4] = 1; // BROKEN
#endif
}
"""
READ = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  int value = p[i];
#else
  int value = p[(i * 7) % 64 + (i == 60 ? 64 : 0)]; // BROKEN
#endif
  p[i] = value;
}
"""
UNIFORM = """kernel void k(global int *p) {
#ifdef CORRECT
  int n = 63;
#else
  int n = 64;
#endif
  if (get_group_id(0) == 0)
    p[get_local_id(0)] = p[n]; // BROKEN
}
"""
GUARDED = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  if (i < 60)
#endif
    p[i + 4] = 1; // BROKEN
}
"""
VECTOR = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  i %= 16;
#else
  i %= 17;
#endif
  vstore4((int4)(1), i, p); // BROKEN
}
"""
HELPER = """int at(global int *p, int i) {
  return p[i]; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = at(p, i);
#else
  p[i] = at(p, i - 1);
#endif
}
"""
ATOMIC = """kernel void k(global int *p) {
#ifdef CORRECT
  atomic_add(p + get_global_id(0), 1);
#else
  atomic_add(p + 2 * get_local_id(0) + 4, 1); // BROKEN
#endif
}
"""
BLOCK_BOUNDS = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  uint at = 0;
#else
  uint at = 4;
#endif
  if (get_group_id(0) == 0 && get_sub_group_id() == 0)
    intel_sub_group_block_write((global uint *)p + 64 - W + at, 1u); // BROKEN
}
"""

REDUCE = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  int lane = get_sub_group_local_id(), sum = 0;
#ifdef CORRECT
  if (lane >= 0)
#else
  if (lane >= W / 2)
#endif
    sum = sub_group_reduce_add(lane); // BROKEN
  p[get_global_id(0)] = sum;
}
"""
BARRIER = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  int lane = get_sub_group_local_id();
#ifdef CORRECT
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
#else
  if (lane < 3)
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE); // BROKEN
#endif
  p[get_global_id(0)] = lane;
}
"""
RETURNED = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
#ifndef CORRECT
  if (get_sub_group_local_id() == 0)
    return;
#endif
  p[get_global_id(0)] = sub_group_any(p[get_global_id(0)] == 3); // BROKEN
}
"""
BLOCK_POINTER = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  uint by = 0;
#else
  uint by = get_sub_group_local_id() / (W / 2);
#endif
  uint value = intel_sub_group_block_read((global uint *)p + by); // BROKEN
  p[get_global_id(0)] = value;
}
"""
BLOCK_WRITE_ALIGNMENT = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  uint by = 4;
#else
  uint by = 1;
#endif
  intel_sub_group_block_write(p + by, 7u); // BROKEN
}
"""
BLOCK_READ_ALIGNMENT = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  uint by = 2;
#else
  uint by = 1;
#endif
  ushort value = intel_sub_group_block_read_us((global ushort *)p + by); // BROKEN
  p[get_global_id(0)] = value;
}
"""
PARTIAL = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  if (get_sub_group_size() == get_max_sub_group_size())
#endif
    p[get_global_id(0)] = intel_sub_group_block_read((global uint *)p); // BROKEN
}
"""
BROADCAST = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  int lane = get_sub_group_local_id();
#ifdef CORRECT
  int from = 1;
#else
  int from = lane > 4 ? 1 : 2;
#endif
  p[get_global_id(0)] = sub_group_broadcast(lane, from); // BROKEN
}
"""
SHUFFLE_RANGE = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  int lane = get_sub_group_local_id();
#ifdef CORRECT
  int from = W - 1 - lane;
#else
  int from = lane + 2;
#endif
  p[get_global_id(0)] = intel_sub_group_shuffle(lane, from); // BROKEN
}
"""
SHUFFLE_INACTIVE = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  int lane = get_sub_group_local_id();
#ifdef CORRECT
  if (lane < 4)
#else
  if (lane < 3)
#endif
    p[get_global_id(0)] = sub_group_shuffle_xor(lane, 1); // BROKEN
}
"""

CASES = {
    "strided_write": case("out-of-bounds", STRIDED, last_quarter, sub_group=last_sub_group),
    "sub_buffer": case("out-of-bounds", STRIDED, last_quarter, memory="sub-buffer", sub_group=last_sub_group),
    "svm": case("out-of-bounds", STRIDED, last_quarter, memory="svm", sub_group=last_sub_group),
    "usm": case("out-of-bounds", STRIDED, last_quarter, memory="usm", sub_group=last_sub_group),
    "gathered_read": case("out-of-bounds", READ, lambda width: str(28 % width), sub_group=lambda width: 28 // width),
    "uniform_read": case("out-of-bounds", UNIFORM, every),
    "guard": case("out-of-bounds", GUARDED, lambda width: "%d-%d" % (width - 4, width - 1), sub_group=last_sub_group),
    "vector_store": case("out-of-bounds", VECTOR, lambda width: str(16 % width), sub_group=lambda width: 16 // width),
    "helper": case("out-of-bounds", HELPER, lambda width: "0"),
    "atomic": case("out-of-bounds", ATOMIC, lambda width: {8: "6-7", 16: "14-15", 32: "30-31"}[width],
                   sub_group=last_sub_group),
    "block_bounds": case("out-of-bounds", BLOCK_BOUNDS, every),
    "reduction": case("whole-sub-group", REDUCE, lambda width: "%d-%d" % (width // 2, width - 1)),
    "barrier": case("whole-sub-group", BARRIER, lambda width: "0-2"),
    "returned": case("whole-sub-group", RETURNED, lambda width: "1-%d" % (width - 1)),
    "block_pointer": case("uniform-argument", BLOCK_POINTER, lambda width: "%d-%d" % (width // 2, width - 1)),
    "block_write_alignment": case("block-alignment", BLOCK_WRITE_ALIGNMENT, every),
    "block_read_alignment": case("block-alignment", BLOCK_READ_ALIGNMENT, every),
    "partial": case("full-sub-group", PARTIAL, lambda width: "0-3", sub_group=0, work_items=4),
    "broadcast": case("uniform-argument", BROADCAST, lambda width: "5-%d" % (width - 1)),
    "shuffle_range": case("lane-out-of-range", SHUFFLE_RANGE, lambda width: "%d-%d" % (width - 2, width - 1),
                          severity="warning"),
    "shuffle_inactive": case("lane-not-active", SHUFFLE_INACTIVE, lambda width: "2", severity="warning"),
}
