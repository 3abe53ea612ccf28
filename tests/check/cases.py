# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that break a rule in the line marked with BROKEN, unless they are built with -DCORRECT."""
import collections

# lanes: those that break it first, for a width; sub_group: in which sub-group, with work-groups of 32 and 64 work-items;
# message: a part of it, by width where it differs; findings: how many, None: what follows from the first one may be
# found, too.
Case = collections.namedtuple(
    "Case", "rule memory source lanes sub_group work_items severity message widths findings checks")


def case(rule, source, lanes, memory="buffer", sub_group=0, work_items=64, severity="error", message="",
         widths=(8, 16, 32), findings=1, checks="all"):
    return Case(rule, memory, source, lanes, sub_group, work_items, severity, message, widths, findings, checks)


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

LOCAL_VARIABLE = """kernel void k(global int *p) {
  local int before[32], tile[32], behind[32];
  size_t l = get_local_id(0);
  before[l] = behind[l] = tile[l] = p[l];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef CORRECT
  int next = l < 31 ? tile[l + 1] : 0;
#else
  int next = tile[l + 1]; // BROKEN
#endif
  p[get_global_id(0)] = before[l] + behind[l] + next;
}
"""
LOCAL_WRITE = """void put(local int *to, int at, int value) {
  to[at] = value; // BROKEN
}
kernel void k(global int *p) {
  local int tile[32];
  int l = get_local_id(0);
#ifdef CORRECT
  put(tile, l, 1);
#else
  put(tile, l - 2, 1);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[l];
}
"""
LOCAL_ARGUMENT = """kernel void k(global int *p, local int *tile) {
  size_t l = get_local_id(0);
#ifdef CORRECT
  tile[l] = p[l];
#else
  tile[l + W / 4] = p[l]; // BROKEN
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[31 - l];
}
"""
PRIVATE_READ = """kernel void k(global int *p) {
  int i = get_global_id(0), a[5];
  for (int j = 0; j < 5; ++j)
    a[j] = p[j];
#ifdef CORRECT
  i %= 5;
#else
  i %= 6;
#endif
  p[get_global_id(0)] = a[i]; // BROKEN
}
"""
PRIVATE_UNROLLED = """kernel void k(global int *p) {
  int a[4], sum = 0;
#ifdef CORRECT
  for (int j = 0; j < 4; ++j)
#else
  for (int j = 0; j <= 4; ++j)
#endif
    a[j] = p[j] + j; // BROKEN
  for (int j = 0; j < 4; ++j)
    sum += a[j];
  p[get_global_id(0)] = sum;
}
"""
PRIVATE_HELPER = """int sum(const int *from, const int *end) {
  int result = 0;
  for (; from != end; ++from)
    result += *from; // BROKEN
  return result;
}
kernel void k(global int *p) {
  int i = get_global_id(0), a[7];
  for (int j = 0; j < 7; ++j)
    a[j] = p[(i + j) % 64];
#ifdef CORRECT
  p[i] = sum(a, a + i % 8);
#else
  p[i] = sum(a, a + i % 8 + 1);
#endif
}
"""
CONSTANT_TABLE = """constant int table[4] = {3, 1, 4, 1};
kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  p[i] = table[i % 4];
#else
  p[i] = table[i % 4 + 1]; // BROKEN
#endif
}
"""
PROGRAM_VARIABLE = """global int counts[16], others[16];
kernel void k(global int *p) {
  size_t i = get_global_id(0);
  others[i % 16] = 0;
#ifdef CORRECT
  atomic_inc(counts + i % 16);
#else
  atomic_inc(counts + i % 17); // BROKEN
#endif
  p[i] = others[i % 16];
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

# Work-groups of 32 work-items: where a sub-group holds them all, its lanes diverge.
GROUP_BARRIER = """kernel void k(global int *p) {
  local int tile[32];
  int l = get_local_id(0);
  tile[l] = l;
#ifdef CORRECT
  if (get_group_id(0) < 16)
#else
  if (l < 16)
#endif
    barrier(CLK_LOCAL_MEM_FENCE); // BROKEN
  p[get_global_id(0)] = tile[l];
}
"""
GROUP_LANES = """kernel void k(global int *p) {
  int l = get_local_id(0);
#ifdef CORRECT
  if (p[0] == 0)
#else
  if (l % 8 != 7)
#endif
    work_group_barrier(CLK_GLOBAL_MEM_FENCE); // BROKEN
  p[get_global_id(0)] = l;
}
"""
GROUP_BRANCHES = """kernel void k(global int *p) {
  int l = get_local_id(0);
#ifdef CORRECT
  int which = get_group_id(0);
#else
  int which = get_local_id(0) / W;
#endif
  if (which == 1)
    work_group_barrier(CLK_LOCAL_MEM_FENCE); // BROKEN
  else
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  p[get_global_id(0)] = l;
}
"""
GROUP_LOOP = """kernel void k(global int *p) {
  int l = get_local_id(0), turns = 3;
#ifndef CORRECT
  turns += l / W;
#endif
  for (int i = 0; i < turns; ++i) {
    p[get_global_id(0)] += i;
    barrier(CLK_GLOBAL_MEM_FENCE); // BROKEN
  }
}
"""
GROUP_RETURNED = """kernel void k(global int *p) {
  int l = get_local_id(0);
#ifndef CORRECT
  if (get_local_id(0) >= 24)
    return;
#endif
  p[get_global_id(0)] = work_group_reduce_add(l); // BROKEN
}
"""
GROUP_COPY = """kernel void k(global int *p) {
  local int tile[32];
  event_t event = 0;
#ifndef CORRECT
  if (get_local_id(0) < 4)
#endif
    event = async_work_group_copy(tile, p, 32, 0); // BROKEN
  wait_group_events(1, &event);
  p[get_global_id(0)] = tile[get_local_id(0)];
}
"""

# Races of the 32 work-items of a work-group.
RACE_LANES = """kernel void k(global int *p) {
  local int tile[32];
  int l = get_local_id(0);
  tile[l] = l;
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  p[get_global_id(0)] = tile[l ^ 1]; // BROKEN
}
"""
RACE_SUB_GROUPS = """kernel void k(global int *p, local int *tile) {
  int l = get_local_id(0), value = 0;
  tile[l] = l;
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (l >= W)
    value = tile[l - W]; // BROKEN
  p[get_global_id(0)] = value;
}
"""
RACE_FLAGS = """kernel void k(global int *p) {
  int i = get_global_id(0);
  p[i] = i;
#ifdef CORRECT
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int value = p[i ^ 1]; // BROKEN
  barrier(CLK_GLOBAL_MEM_FENCE);
  p[i] = value;
}
"""
RACE_LOCKSTEP = """kernel void k(global int *p) {
  local int tile[32];
  int l = get_local_id(0);
  tile[l] = p[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int value = tile[l ^ 1];
#ifdef CORRECT
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  tile[l] = value; // BROKEN
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[31 - l];
}
"""
RACE_SUB_GROUP_BARRIER = """kernel void k(global int *p) {
  local float4 tile[32];
  int l = get_local_id(0);
  tile[l] = (float4)(l);
#ifdef CORRECT
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#else
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  p[get_global_id(0)] = convert_int(tile[l ^ 3].w); // BROKEN
}
"""
RACE_BYTES = """kernel void k(global int *p) {
  local uchar bytes[32];
  int l = get_local_id(0);
#ifdef CORRECT
  bytes[l] = l;
#else
  bytes[l / 2] = l; // BROKEN
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = bytes[31 - l];
}
"""
RACE_SAME_VALUE = """kernel void k(global int *p) {
  local int count;
#ifdef CORRECT
  if (get_local_id(0) == 0)
#endif
    count = get_group_id(0); // BROKEN
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = count;
}
"""
RACE_COLLECTIVE = """kernel void k(global int *p) {
  local int tile[32];
  int l = get_local_id(0), i = get_global_id(0);
  event_t event = async_work_group_copy(tile, p + i - l, 32, 0);
  wait_group_events(1, &event);
  int sum = work_group_reduce_add(tile[31 - l]);
  sum += work_group_scan_inclusive_add(l);
  tile[l] = sum;
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  p[i] = tile[l ^ 1]; // BROKEN
}
"""
RACE_ATOMIC = """kernel void k(global int *p) {
  local int sum;
  int l = get_local_id(0), value = 0;
  if (l == 0)
    sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, l);
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (l >= 32 - W)
    value = sum; // BROKEN
  p[get_global_id(0)] = value;
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
    "local_variable": case("out-of-bounds", LOCAL_VARIABLE, lambda width: str(width - 1), sub_group=last_sub_group,
                           message="0 bytes behind the end of the local variable 'tile' of 128 bytes"),
    "local_write": case("out-of-bounds", LOCAL_WRITE, lambda width: "0-1",
                        message="8 bytes before the begin of the local variable 'tile' of 128 bytes"),
    "local_argument": case("out-of-bounds", LOCAL_ARGUMENT, last_quarter, sub_group=last_sub_group,
                           message="0 bytes behind the end of local memory of 128 bytes, argument 1 'tile'"),
    "private_read": case("out-of-bounds", PRIVATE_READ, lambda width: {8: "5", 16: "5,11", 32: "5,11,17,23,29"}[width],
                         message="0 bytes behind the end of the private variable 'a' of 20 bytes"),
    "private_unrolled": case("out-of-bounds", PRIVATE_UNROLLED, every,
                             message="writing 4 bytes: 0 bytes behind the end of the private variable 'a' of 16 bytes"),
    "private_helper": case("out-of-bounds", PRIVATE_HELPER,
                           lambda width: {8: "7", 16: "7,15", 32: "7,15,23,31"}[width],
                           message="reading 4 bytes: 0 bytes behind the end of the private variable 'a' of 28 bytes"),
    "constant_table": case("out-of-bounds", CONSTANT_TABLE,
                           lambda width: {8: "3,7", 16: "3,7,11,15", 32: "3,7,11,15,19,23,27,31"}[width],
                           message="0 bytes behind the end of the constant 'table' of 16 bytes"),
    "program_variable": case("out-of-bounds", PROGRAM_VARIABLE, lambda width: str(16 % width),
                             sub_group=lambda width: 16 // width,
                             message="0 bytes behind the end of the program scope variable 'counts' of 64 bytes"),
    "group_barrier": case("whole-work-group", GROUP_BARRIER, lambda width: every(min(width, 16)),
                          message={8: "barrier is never reached by sub-group 2, 3 of 4",
                                   16: "barrier is never reached by sub-group 1 of 2",
                                   32: "barrier is called by lanes 0-15 of 0-31"}),
    "group_lanes": case("whole-work-group", GROUP_LANES,
                        lambda width: {8: "0-6", 16: "0-6,8-14", 32: "0-6,8-14,16-22,24-30"}[width],
                        message="work_group_barrier is called by lanes 0-6"),
    "group_branches": case("whole-work-group", GROUP_BRANCHES, every, sub_group=1, widths=(8, 16),
                           message="work_group_barrier is reached by sub-group 1 while sub-group 0 is at "
                                   "work_group_barrier in line 11"),
    "group_loop": case("whole-work-group", GROUP_LOOP, every, sub_group=1, widths=(8, 16),
                       message="barrier is never reached by sub-group 0"),
    "group_returned": case("whole-work-group", GROUP_RETURNED,
                           lambda width: {8: "0-7", 16: "0-7", 32: "0-23"}[width],
                           sub_group={8: 0, 16: 1, 32: 0}.get,
                           message={8: "work_group_reduce_add is never reached by sub-group 3 of 4",
                                    16: "work_group_reduce_add is called by lanes 0-7 of 0-15",
                                    32: "work_group_reduce_add is called by lanes 0-23 of 0-31"}),
    "group_copy": case("whole-work-group", GROUP_COPY, lambda width: "0-3", findings=None,
                       message="async_work_group_copy is called by lanes 0-3"),
    "race_lanes": case("data-race", RACE_LANES, every, checks="races",
                       message="reading 4 bytes that work-item 1 of the work-group has written with no barrier of "
                               "local memory between: 4 bytes behind the begin of the work-group's local memory"),
    "race_sub_groups": case("data-race", RACE_SUB_GROUPS, every, sub_group=1, widths=(8, 16), checks="races",
                            message="reading 4 bytes that work-item 0 of the work-group has written"),
    "race_flags": case("data-race", RACE_FLAGS, every, checks="races",
                       message="with no barrier of global memory between: 4 bytes behind the begin of a buffer of 256 "
                               "bytes, argument 0 'p'"),
    "race_lockstep": case("data-race", RACE_LOCKSTEP, every, checks="races",
                          message="writing 4 bytes that work-item 1 of the work-group has read"),
    "race_sub_group_barrier": case("data-race", RACE_SUB_GROUP_BARRIER, every, checks="races",
                                   message="that work-item 3 of the work-group has written"),
    "race_bytes": case("data-race", RACE_BYTES, lambda width: ",".join(str(l) for l in range(1, width, 2)),
                       checks="races", message="writing 1 bytes that work-item 0 of the work-group has written"),
    "race_same_value": case("data-race-of-equal-values", RACE_SAME_VALUE, lambda width: "1-%d" % (width - 1), severity="warning",
                            checks="races", message="both the same value"),
    "race_collective": case("data-race", RACE_COLLECTIVE, every, checks="races"),
    "race_atomic": case("data-race", RACE_ATOMIC, lambda width: "0-%d" % (width - 2), sub_group=last_sub_group,
                        checks="races", message="reading 4 bytes that work-item "),
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
