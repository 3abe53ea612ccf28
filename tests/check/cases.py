# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that break a rule in the line marked with BROKEN, unless they are built with -DCORRECT."""
import collections

# lanes: the lanes that break the rule first, as a function of the width; sub_group: their sub-group, in work-groups of
# 32 and of 64 work-items; message: a part of the message, by width where it differs; findings: their number, or None
# where consequences of the first one may be found as well.
Case = collections.namedtuple(
    "Case", "rule memory source lanes sub_group work_items severity message widths findings checks")


def case(rule, source, lanes, memory="buffer", sub_group=0, work_items=64, severity="error", message="",
         widths=(8, 16, 32), findings=1, checks="all"):
    return Case(rule, memory, source, lanes, sub_group, work_items, severity, message, widths, findings, checks)


def every(width):
    return "0-%d" % (width - 1)


# Returns the last quarter of a sub-group's lanes. The sub-group is the last one of its work-group.
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
PART_OF_SVM = """kernel void k(global int *p) {
  size_t i = get_global_id(0) + 64; // behind the sub-buffer, which ends where the last third of the memory begins
#ifdef CORRECT
  p[i] = 1;
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

MISALIGNED = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
  global char *bytes = (global char *)p;
#ifdef CORRECT
  uint at = 4;
#else
  uint at = 2;
#endif
  if (i < 60)
    p[i] += *(global int *)(bytes + at); // BROKEN
}
"""
MISALIGNED_VECTOR = """kernel void k(global float *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  if (i < 12)
    vstore4((float4)(1), 0, p + i * 4 + 1);
#else
  if (i < 12)
    *(global float4 *)(p + i * 4 + 1) = (float4)(1); // BROKEN
#endif
}
"""
MISALIGNED_LOCAL = """kernel void k(global int *p, local char *tile) {
  uint l = get_local_id(0);
#ifdef CORRECT
  local ushort *q = (local ushort *)(tile + 2 * l);
#else
  local ushort *q = (local ushort *)(tile + l);
#endif
  *q = l; // BROKEN
  p[get_global_id(0)] = l;
}
"""
READ_ONLY = """kernel void k(global int *p) {
  int x = p[get_global_id(0)];
#ifdef CORRECT
  if (x == 12345)
#else
  if (x != 12345)
#endif
    p[x & 63] = x; // BROKEN
}
"""
WRITE_ONLY = """kernel void k(global int *p) {
  size_t i = get_global_id(0);
#ifdef CORRECT
  p[i] = 1;
  global int4 *q = (global int4 *)p;
  if (i < 16) {
    q[i].z = 2; // the compiler reads the others, too
    q[i].x = get_sub_group_id();
  }
#else
  p[i] += 1; // BROKEN
#endif
}
"""

IMAGE_WRITE = """kernel void k(read_write image2d_t p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int2 at = (int2)(i % 16, i / 16);
#else
  int2 at = (int2)(i % 16, i / 16 + 1);
#endif
  write_imagei(p, at, i); // BROKEN
}
"""
IMAGE_READ = """kernel void k(read_write image2d_t p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int2 at = (int2)(i % 16, i / 16);
#else
  int2 at = (int2)(i % 16 - 1, i / 16);
#endif
  int x = read_imagei(p, at).x; // BROKEN
  write_imagei(p, (int2)(i % 16, i / 16), x);
}
"""
# In the correct kernel the addressing mode allows coordinates outside of the image.
IMAGE_SAMPLED = """kernel void k(read_only image2d_t p) {
#ifdef CORRECT
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#else
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
#endif
  int i = get_global_id(0);
  volatile int x = read_imagei(p, s, (int2)(i % 16, i / 16 + 2)).x; // BROKEN
}
"""
IMAGE_SAMPLED_BY_FLOATS = """kernel void k(read_only image2d_t p) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  int i = get_global_id(0);
  float2 at = (float2)((i % 16) / 16.0f, (i / 16 + 0.5f) / 4.0f);
#ifndef CORRECT
  at.x -= 0.03125f;
#endif
  volatile int x = read_imagei(p, s, at).x; // BROKEN
}
"""
MEDIA_BLOCK = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(read_write image2d_t p) {
#ifdef CORRECT
  int rows = 2;
#else
  int rows = get_sub_group_local_id() / (W / 2) + 1;
#endif
  uint value = intel_sub_group_media_block_read_ui((int2)(0, 0), 4, rows, p); // BROKEN
  write_imagei(p, (int2)(get_global_id(0) % 16, get_global_id(0) / 16), value);
}
"""
IMAGE_ARRAY = """kernel void k(write_only image2d_array_t p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int layer = i / 16;
#else
  int layer = i / 16 + 1;
#endif
  write_imagei(p, (int4)(i % 4, i / 4 % 4, layer, 77), i); // BROKEN
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
# The block that the first lane's pointer points to ends with the buffer. The pointers of other lanes do not matter.
BLOCK_POINTER = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
#ifdef CORRECT
  uint by = 64 - W;
#else
  uint by = 64 - W + get_sub_group_local_id() / (W / 2);
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

# Work-groups have 32 work-items. Where one sub-group holds them all, its lanes diverge.
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

EVENTS_TOO_MANY = """#ifdef CORRECT
#define COUNT 1
#else
#define COUNT 2
#endif
kernel void k(global int *p) {
  local int tile[32];
  event_t event = async_work_group_copy(tile, p, 32, 0);
  wait_group_events(COUNT, &event); // BROKEN
  p[get_global_id(0)] = tile[get_local_id(0)];
}
"""

# Races between the 32 work-items of a work-group.
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
  tile[l] = p[get_global_id(0)];
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

RACE_BOTH = """kernel void k(const global int *in, global int *out) {
  int i = get_global_id(0);
#ifdef CORRECT
  int to = i;
#else
  int to = i ^ 1;
#endif
  out[to] = in[i]; // BROKEN
}
"""
# Adds floats as programs in OpenCL 1.2 do, with compare-exchanges.
# The kernel writes only through pointers that are in an array.
RACE_POINTERS = """kernel void k(global int *p) {
  global int *pointers[2] = {p, p};
  int i = get_global_id(0);
  pointers[i & 1][i] = i;
#ifdef CORRECT
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  int other = pointers[i & 1][i ^ 1]; // BROKEN
#ifdef CORRECT
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  if (other == 1000)
    pointers[0][i] = 3;
}
"""
RACE_VOLATILE = """kernel void k(volatile global int *p) {
#ifdef CORRECT
  volatile global int *q = p;
#else
  global int *q = (global int *)p;
#endif
  int old, expected;
  do {
    expected = *q;
    old = atomic_cmpxchg(p, expected, expected + 1); // BROKEN
  } while (old != expected);
}
"""
RACE_GROUPS = """kernel void k(global int *p) {
  int l = get_local_id(0);
#ifdef CORRECT
  atomic_add(&p[l], l);
  if (get_group_id(0) == 1)
    p[l + 32] = l;
#else
  p[l] += get_global_id(0); // BROKEN
#endif
}
"""
RACE_GROUPS_WRITE = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = i;
#else
  p[get_local_id(0)] = i; // BROKEN
#endif
}
"""
RACE_GROUPS_SAME = """kernel void k(global int *p) {
#ifdef CORRECT
  if (get_global_id(0) == 0)
#else
  if (get_local_id(0) == 0)
#endif
    p[3] = 7; // BROKEN
}
"""
# The last work-group reads, after a fence, what the other ones have written before their fences.
RACE_GROUPS_LAST = """global int counter;
kernel void k(global int *p) {
  int l = get_local_id(0), g = get_group_id(0);
  if (g == 0)
    p[l] = l;
#ifdef CORRECT
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    atomic_inc(&counter);
#ifdef CORRECT
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g == 1)
    p[l + 32] = p[l]; // BROKEN
}
"""
# OpenCL 1.2 has no other way to look at the flag.
RACE_GROUPS_VOLATILE = """kernel void k(global int *p) {
#ifdef CORRECT
  volatile global int *flag = p;
#else
  global int *flag = p;
#endif
  if (get_group_id(0) == 0 && get_local_id(0) == 0)
    atomic_inc((volatile global int *)p);
  if (get_group_id(0) == 1 && get_local_id(0) == 0)
    p[1] = *flag; // BROKEN
}
"""
RACE_BLOCK = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
  local uint tile[64] __attribute__((aligned(16)));
  uint l = get_local_id(0), first = l / W * W;
  intel_sub_group_block_write(tile + first, l);
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  p[get_global_id(0)] = tile[l ^ 1]; // BROKEN
}
"""
RACE_BLOCK_READ = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global uint *p) {
  local uint tile[64] __attribute__((aligned(16)));
  uint l = get_local_id(0), first = l / W * W;
  tile[l] = tile[l + 32] = l;
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  uint2 both = intel_sub_group_block_read2(tile + first + 1); // BROKEN
  p[get_global_id(0)] = both.x + both.y;
}
"""

DIVISION = """kernel void k(global int *p) {
  int i = get_global_id(0), d = i % 4;
#ifdef CORRECT
  if (d != 0)
#endif
    p[i] = 7 / d; // BROKEN
}
"""
# Runs with a local size of 1. No value depends on the quotient.
DIVISION_FOLDED = """kernel void k(global int *p) {
  uint n = get_local_size(0);
#ifdef CORRECT
  n += 1;
#endif
  uint more = get_local_id(0) / (n - 1); // BROKEN
  for (uint i = 0; i < min(more, 1u); ++i)
    p[i] = 7;
  p[get_global_id(0)] = 42;
}
"""
DIVISION_LITERAL = """kernel void k(global int *p) {
#ifdef CORRECT
  p[get_global_id(0)] = (7 / 1 & 0) | 42;
#else
  p[get_global_id(0)] = (7 / 0 & 0) | 42; // BROKEN
#endif
}
"""
DIVISION_LITERAL_OVERFLOW = """kernel void k(global int *p) {
#ifdef CORRECT
  p[get_global_id(0)] = ((int4)(7) / (int4)(-1, 1, 2, 3)).w + 40;
#else
  p[get_global_id(0)] = ((int4)(INT_MIN) / (int4)(-1, 1, 2, 3)).w * 0 + 42; // BROKEN
#endif
}
"""
CONVERSION_LITERAL = """kernel void k(global int *p) {
#ifdef CORRECT
  p[get_global_id(0)] = __builtin_convertvector((float2)(42.0f, 1.0f), int2).x;
#else
  p[get_global_id(0)] = __builtin_convertvector((float2)(42.0f, 1e30f), int2).x; // BROKEN
#endif
}
"""
DIVISION_VECTOR = """kernel void k(global int *p) {
  int i = get_global_id(0);
  uint2 d = (uint2)(5, i == 3);
#ifdef CORRECT
  d |= 2;
#endif
  uint2 q = (uint2)(9, 8) / d; // BROKEN
  p[i] = q.x + q.y;
}
"""
REMAINDER = """int wrap(int i, int n) {
  return i % n; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = wrap(i, 5);
#else
  p[i] = wrap(i, p[i] / 4);
#endif
}
"""
DIVISION_OVERFLOW = """kernel void k(global int *p) {
  int i = get_global_id(0);
  int n = INT_MIN + i;
#ifdef CORRECT
  n += 1;
#endif
  p[i] = n / (i < 2 ? -1 : i); // BROKEN
}
"""
SHIFT = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = 1 << (i & 31);
#else
  p[i] = 1 << (i + 28); // BROKEN
#endif
}
"""
SHIFT_VECTOR = """kernel void k(global int *p) {
  int i = get_global_id(0);
  ushort2 n = (ushort2)(i, i + 1);
#ifdef CORRECT
  n &= (ushort)15;
#else
  n += (ushort)12;
#endif
  ushort2 s = (ushort2)(40000, 500) >> n; // BROKEN
  p[i] = s.x + s.y;
}
"""
CONVERSION = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float x = 2147483520.0f + 64.0f * p[i] - 64.0f;
#ifdef CORRECT
  x = -2147483648.0f + p[i];
#endif
  p[i] = (int)x; // BROKEN
}
"""
CONVERSION_CONSTANT = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int v = (int)1e3f;
#else
  int v = (int)1e30f; // BROKEN
#endif
  if (v > 3)
    p[i] = 7;
  p[i] = (v & 0) | 42;
}
"""
CONVERSION_UNSIGNED = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  float x = p[i] - 0.5f;
#else
  float x = p[i] - 1.0f;
#endif
  p[i] = (uchar)x; // BROKEN
}
"""
CONVERSION_ROUNDED = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float x = 255.5f - p[i];
#ifdef CORRECT
  p[i] = convert_uchar_rtn(max(x, 0.0f)) + convert_uchar_sat(x * 1000.0f);
#else
  p[i] = convert_uchar_rte(x); // BROKEN
#endif
}
"""
CONVERSION_VECTOR = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float4 x = (float4)(1.0f, 2.0f, i == 6 ? NAN : 0.0f, 3.0f);
#ifdef CORRECT
  x = select(x, 0.0f, isnan(x));
#endif
  short4 s = convert_short4(x); // BROKEN
  p[i] = s.x + s.y + s.z + s.w;
}
"""
NAN_QUOTIENT = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float x = i / 2, y = 2.0f * x;
#ifdef CORRECT
  x += 1.0f;
#endif
  float z = x / y; // BROKEN
  p[i] = as_int(z + 1.0f);
}
"""
NAN_FUNCTION = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  float x = sqrt((float)p[i]) + sqrt(i < 2 ? NAN : 1.0f) + nan(4u);
#else
  float x = sqrt(p[i] - 2.0f); // BROKEN
#endif
  p[i] = as_int(exp(x));
}
"""
NAN_VECTOR = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float2 x = (float2)(NAN, i - 2.0f);
#ifdef CORRECT
  x.y = fabs(x.y);
#endif
  float2 y = log2(x); // BROKEN
  p[i] = as_int(y.x + y.y);
}
"""
NAN_DOT = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float4 x = (float4)(1.0f, i < 2 ? INFINITY : 1.0f, 2.0f, 0.0f), y = (float4)(1.0f, 0.0f, 2.0f, 0.0f);
#ifdef CORRECT
  y.y = 1.0f;
#endif
  p[i] = as_int(dot(x, y)); // BROKEN
}
"""
NAN_FUSED = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float x = i < 2 ? INFINITY : 1.0f, y = 3.0f;
#ifdef CORRECT
  p[i] = as_int(x * y + x);
#else
  p[i] = as_int(x * y - x); // BROKEN
#endif
}
"""
# Only the first half of the buffer has been written.
INIT_BUFFER = """kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int v = p[i % 32];
#else
  int v = p[i];
#endif
  if (v > 5) // BROKEN
    p[i] = 0;
}
"""
INIT_COPY = """kernel void k(global int *p) {
  int i = get_global_id(0);
  int v = p[i];
  p[63 - i] = v + 1;
#ifndef CORRECT
  if (p[i] == 3) // BROKEN
    p[i] = 0;
#endif
}
"""
INIT_ADDRESS = """kernel void k(global int *p) {
  local int index[32];
  int i = get_global_id(0), l = get_local_id(0);
#ifndef CORRECT
  if (l % 4 != 0)
#endif
    index[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[i] = p[index[l] & 31]; // BROKEN
}
"""
LOCAL_NOTHING = """kernel void k(global int *p, local int *none, local int *tile) {
  size_t l = get_local_id(0);
  tile[l] = p[l];
#ifndef CORRECT
  if (l == 0)
    none[0] = 1; // BROKEN
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[31 - l];
}
"""

INIT_LOCAL_ARGUMENT = """kernel void k(global int *p, local int *tile) {
  int i = get_global_id(0), l = get_local_id(0);
#ifdef CORRECT
  tile[l] = i;
#else
  if (get_group_id(0) == 0)
    tile[l] = i;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tile[31 - l] < 7) // BROKEN
    p[i] = 1;
}
"""
# Points into the middle of memory that the compiler does not know, and then goes back to its start.
PRIVATE_OR_OTHER = """kernel void k(global int *p) {
  int own = 3, i = get_global_id(0);
  int *behind = (int *)((uintptr_t)p + 4);
#ifdef CORRECT
  int *from = i % 2 ? &own : behind - 1;
#else
  int *from = i % 2 ? &own + 1 : behind - 1;
#endif
  int value = *from; // BROKEN
  barrier(CLK_GLOBAL_MEM_FENCE);
  p[i] = value;
}
"""
INIT_PRIVATE = """kernel void k(global int *p) {
  int i = get_global_id(0), number;
  if (i & 1)
    number = p[i];
#ifdef CORRECT
  else
    number = 3;
#endif
  if (number > 3) // BROKEN
    p[i] = 1;
}
"""
INIT_HELPER = """int find(global int *p, int i) {
  int found;
  for (int n = 0; n < 4; ++n)
    if (p[n] == i)
      found = n;
#ifdef CORRECT
    else if (n == 0)
      found = 5;
#endif
  return found;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  int at = find(p, i);
  p[at & 63] = i; // BROKEN
}
"""
INIT_SCOPE = """kernel void k(global int *p) {
  int i = get_global_id(0), sum = 0;
  for (int n = 0; n < p[5]; ++n) {
    int last;
#ifdef CORRECT
    last = n;
#else
    if (n == 0)
      last = n;
#endif
    if (last == 3) // BROKEN
      sum += n;
  }
  p[i] = sum;
}
"""
INIT_ARRAY = """kernel void k(global int *p) {
  int i = get_global_id(0), values[9];
  for (int n = 0; n < 9; ++n)
#ifndef CORRECT
    if (n != 4)
#endif
      values[(n * 2) % 9] = p[n];
  while (values[p[i] % 9] > 100) // BROKEN
    p[i] += 1;
}
"""
INIT_VECTOR = """kernel void k(global int *p) {
  int i = get_global_id(0);
  float4 v;
  v.xyz = (float3)(i, 1.0f, 2.0f);
  float4 w = v * 2.0f;
#ifdef CORRECT
  if (w.x + w.y + w.z > 9.0f)
#else
  if (w.x + w.w > 9.0f) // BROKEN
#endif
    p[i] = 1;
}
"""
INIT_STRUCTURE = """struct Pair { char first; int second; };
kernel void k(global int *p) {
  local struct Pair pairs[32];
  int i = get_global_id(0), l = get_local_id(0);
  struct Pair own;
  own.first = i;
#ifdef CORRECT
  own.second = 2 * i;
#endif
  pairs[l] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  struct Pair other = pairs[31 - l];
  if (other.first > 3 && other.second > 3) // BROKEN
    p[i] = 1;
}
"""
INIT_BITS = """kernel void k(global int *p) {
  local uchar bytes[128];
  int i = get_global_id(0), l = get_local_id(0);
  bytes[4 * l] = i;
  bytes[4 * l + 1] = 1;
  bytes[4 * l + 3] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint word = ((local uint *)bytes)[l];
#ifdef CORRECT
  word &= 0xff00ffff;
#endif
  if (word > 300) // BROKEN
    p[i] = 1;
}
"""
# The lowest byte of the word is uninitialized. Only a sum whose other operand has bits there carries it upwards.
INIT_CARRY = """kernel void k(global uint *p) {
  local uchar bytes[128];
  int i = get_global_id(0), l = get_local_id(0);
  bytes[4 * l + 1] = i;
  bytes[4 * l + 2] = 1;
  bytes[4 * l + 3] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint word = ((local uint *)bytes)[l], other = p[i] | 0xff;
#ifdef CORRECT
  other &= 0xffffff00;
#endif
  if ((word + other) & 0x100) // BROKEN
    p[i] = 1;
}
"""
# Only the sign is uninitialized.
INIT_SIGN = """kernel void k(global int *p) {
  local int signs[32];
  int i = get_global_id(0), l = get_local_id(0);
  float x = as_float((signs[l] & 0x80000000) | (p[i] & 0x7fffffff));
#ifdef CORRECT
  x = fabs(x);
#endif
  if (x > 1) // BROKEN
    p[i] = 1;
}
"""
INIT_ATOMIC = """kernel void k(global int *p) {
  local int count;
  int l = get_local_id(0);
#ifdef CORRECT
  if (l == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_add(&count, l); // BROKEN
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = count;
}
"""
INIT_REDUCE = """kernel void k(global int *p) {
  int i = get_global_id(0), own;
#ifndef CORRECT
  if (get_sub_group_local_id() != 2)
#endif
    own = p[i];
  p[i] = sub_group_reduce_add(own); // BROKEN
}
"""
INIT_SHUFFLE = """kernel void k(global int *p) {
  int i = get_global_id(0), l = get_sub_group_local_id(), own;
  if (l < 4)
    own = p[l];
#ifdef CORRECT
  int other = intel_sub_group_shuffle(own, l % 4);
#else
  int other = intel_sub_group_shuffle(own, l % 8);
#endif
  if (other == 2) // BROKEN
    p[i] = 1;
}
"""
INIT_BLOCK = """__attribute__((intel_reqd_sub_group_size(W)))
kernel void k(global int *p) {
  global uint *row = (global uint *)p + get_group_id(0) * 32;
  uint v = intel_sub_group_block_read(row + get_sub_group_id() * W);
#ifdef CORRECT
  v = get_group_id(0) == 0 ? v : 0;
#endif
  if (v == 9) // BROKEN
    p[get_global_id(0)] = 1;
}
"""


# These return every fourth lane and the first two lanes.
def fourths(width):
    return ",".join(str(lane) for lane in range(0, width, 4))


def first_two(width):
    return "0-1"


def arithmetic(rule, source, lanes, message="", severity="warning", widths=(8, 16, 32)):
    return case(rule, source, lanes, severity=severity, message=message, widths=widths, checks="arithmetic")


def initialization(source, lanes, message, memory="buffer", sub_group=0, findings=1):
    return case("uninitialized-read", source, lanes, memory=memory, sub_group=sub_group, message=message,
                findings=findings, checks="initialization")


def even(width):
    return ",".join(str(lane) for lane in range(0, width, 2))


CASES = {
    "strided_write": case("out-of-bounds", STRIDED, last_quarter, sub_group=last_sub_group),
    "sub_buffer": case("out-of-bounds", STRIDED, last_quarter, memory="sub-buffer", sub_group=last_sub_group,
                       message="out-of-bounds write of 4 bytes: 0 bytes past the end of a sub-buffer (256 bytes, "
                               "argument 0 'p')"),
    "sub_buffer_of_svm": case("out-of-bounds", PART_OF_SVM, last_quarter, memory="sub-buffer-of-svm",
                              sub_group=last_sub_group),
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
    "misaligned": case("misaligned-access", MISALIGNED, every,
                       message="which is not a multiple of 4: 2 bytes into a buffer (256 bytes"),
    "misaligned_vector": case("misaligned-access", MISALIGNED_VECTOR, {8: "0-7", 16: "0-11", 32: "0-11"}.get,
                              message="which is not a multiple of 16: 4 bytes into a buffer"),
    "misaligned_local": case("misaligned-access", MISALIGNED_LOCAL,
                             lambda width: ",".join(str(lane) for lane in range(1, width, 2)),
                             message="which is not a multiple of 2: 1 byte into ", checks="memory"),
    "read_only": case("read-only-memory", READ_ONLY, every, memory="read-only",
                      message="write of 4 bytes to CL_MEM_READ_ONLY memory: 0 bytes into a buffer (256"),
    "write_only": case("write-only-memory", WRITE_ONLY, every, memory="write-only", severity="warning",
                       message="read of 4 bytes from CL_MEM_WRITE_ONLY memory: 0 bytes into a buffer"),
    "image_write": case("image-write-outside", IMAGE_WRITE, {8: "0-7", 16: "0-15", 32: "16-31"}.get, memory="image",
                        sub_group={8: 2, 16: 1, 32: 0}.get,
                        message="write_imagei: coordinate y = 4 is outside the image, whose extent in y is 4"),
    "image_read": case("image-read-outside", IMAGE_READ, {8: "0", 16: "0", 32: "0,16"}.get, memory="image",
                       severity="warning", message="read_imagei: coordinate x = -1 is outside the image, whose extent "
                                                   "in x is 16"),
    "image_sampled": case("image-read-outside", IMAGE_SAMPLED, every, memory="image", severity="warning",
                          message="read_imagei: coordinate y = 4 is outside the image, whose extent in y is 4"),
    "image_sampled_by_floats": case("image-read-outside", IMAGE_SAMPLED_BY_FLOATS, {8: "0", 16: "0", 32: "0,16"}.get,
                                    memory="image", severity="warning",
                                    message="read_imagei: coordinate x = -1 is outside the image, whose extent in x "
                                            "is 16"),
    "image_array": case("image-write-outside", IMAGE_ARRAY, {8: "0-7", 16: "0-15", 32: "16-31"}.get,
                        memory="image-array", sub_group={8: 2, 16: 1, 32: 0}.get,
                        message="write_imagei: coordinate z = 4 is outside the image, whose extent in z is 4"),
    "local_variable": case("out-of-bounds", LOCAL_VARIABLE, lambda width: str(width - 1), sub_group=last_sub_group,
                           message="0 bytes past the end of the local variable 'tile' (128 bytes)"),
    "local_write": case("out-of-bounds", LOCAL_WRITE, lambda width: "0-1",
                        message="8 bytes before the start of the local variable 'tile' (128 bytes)"),
    "local_argument": case("out-of-bounds", LOCAL_ARGUMENT, last_quarter, sub_group=last_sub_group,
                           message="0 bytes past the end of local memory (128 bytes, argument 1 'tile')"),
    "local_nothing": case("out-of-bounds", LOCAL_NOTHING, lambda width: "0",
                          message="0 bytes past the end of local memory (0 bytes, argument 1 'none')"),
    "private_read": case("out-of-bounds", PRIVATE_READ, lambda width: {8: "5", 16: "5,11", 32: "5,11,17,23,29"}[width],
                         message="0 bytes past the end of the private variable 'a' (20 bytes)"),
    "private_unrolled": case("out-of-bounds", PRIVATE_UNROLLED, every,
                             message="out-of-bounds write of 4 bytes: 0 bytes past the end of the private variable "
                                     "'a' (16 bytes)"),
    "private_or_other": case("out-of-bounds", PRIVATE_OR_OTHER, lambda width: ",".join(str(l) for l in range(1, width, 2)),
                             message="out-of-bounds read of 4 bytes: 4 bytes into a private variable"),
    "private_helper": case("out-of-bounds", PRIVATE_HELPER,
                           lambda width: {8: "7", 16: "7,15", 32: "7,15,23,31"}[width],
                           message="out-of-bounds read of 4 bytes: 0 bytes past the end of the private variable 'a' "
                                   "(28 bytes)"),
    "constant_table": case("out-of-bounds", CONSTANT_TABLE,
                           lambda width: {8: "3,7", 16: "3,7,11,15", 32: "3,7,11,15,19,23,27,31"}[width],
                           message="0 bytes past the end of the constant 'table' (16 bytes)"),
    "program_variable": case("out-of-bounds", PROGRAM_VARIABLE, lambda width: str(16 % width),
                             sub_group=lambda width: 16 // width,
                             message="0 bytes past the end of the program scope variable 'counts' (64 bytes)"),
    "group_barrier": case("whole-work-group", GROUP_BARRIER, lambda width: every(min(width, 16)),
                          message={8: "barrier is never reached by sub-groups 2, 3 of 4",
                                   16: "barrier is never reached by sub-group 1 of 2",
                                   32: "barrier is called only by lanes 0-15 of 0-31"}),
    "group_lanes": case("whole-work-group", GROUP_LANES,
                        lambda width: {8: "0-6", 16: "0-6,8-14", 32: "0-6,8-14,16-22,24-30"}[width],
                        message="work_group_barrier is called only by lanes 0-6"),
    "group_branches": case("whole-work-group", GROUP_BRANCHES, every, sub_group=1, widths=(8, 16),
                           message="work_group_barrier is reached by sub-group 1 while sub-group 0 is at "
                                   "work_group_barrier on line 11"),
    "group_loop": case("whole-work-group", GROUP_LOOP, every, sub_group=1, widths=(8, 16),
                       message="barrier is never reached by sub-group 0"),
    "group_returned": case("whole-work-group", GROUP_RETURNED,
                           lambda width: {8: "0-7", 16: "0-7", 32: "0-23"}[width],
                           sub_group={8: 0, 16: 1, 32: 0}.get,
                           message={8: "work_group_reduce_add is never reached by sub-group 3 of 4",
                                    16: "work_group_reduce_add is called only by lanes 0-7 of 0-15",
                                    32: "work_group_reduce_add is called only by lanes 0-23 of 0-31"}),
    "group_copy": case("whole-work-group", GROUP_COPY, lambda width: "0-3", findings=None,
                       message="async_work_group_copy is called only by lanes 0-3"),
    "events_too_many": case("out-of-bounds", EVENTS_TOO_MANY, every,
                            message="out-of-bounds read of 8 bytes: 0 bytes past the end of the private variable "
                                    "'event' (8 bytes)"),
    "race_lanes": case("data-race", RACE_LANES, every, checks="races",
                       message="read of 4 bytes that work-item 1 of the same work-group has written, with no barrier "
                               "for local memory in between: 'tile', 4 bytes into the work-group's local memory"),
    "race_sub_groups": case("data-race", RACE_SUB_GROUPS, every, sub_group=1, widths=(8, 16), checks="races",
                            message="read of 4 bytes that work-item 0 of the same work-group has written"),
    "race_flags": case("data-race", RACE_FLAGS, every, checks="races",
                       message="with no barrier for global memory in between (the last one is for local memory only): "
                               "4 bytes into a buffer (256 bytes, argument 0 'p')"),
    "race_lockstep": case("data-race", RACE_LOCKSTEP, every, checks="races",
                          message="write of 4 bytes that work-item 1 of the same work-group has read"),
    "race_sub_group_barrier": case("data-race", RACE_SUB_GROUP_BARRIER, every, checks="races",
                                   message="that work-item 3 of the same work-group has written"),
    "race_bytes": case("data-race", RACE_BYTES, lambda width: ",".join(str(l) for l in range(1, width, 2)),
                       checks="races", message="write of 1 byte that work-item 0 of the same work-group has written"),
    "race_same_value": case("data-race-of-equal-values", RACE_SAME_VALUE, lambda width: "1-%d" % (width - 1), severity="warning",
                            checks="races", message="(both write the same value)"),
    "race_collective": case("data-race", RACE_COLLECTIVE, every, checks="races"),
    "race_atomic": case("data-race", RACE_ATOMIC, every, sub_group=last_sub_group, checks="races",
                        message="read of 4 bytes that several work-items of the same work-group have written"),
    "race_both": case("data-race", RACE_BOTH, every, memory="both", checks="races",
                      message="write of 4 bytes that work-item 1 of the same work-group has read"),
    "race_pointers": case("data-race", RACE_POINTERS, every, checks="races",
                          message="read of 4 bytes that work-item 1 of the same work-group has written"),
    # In the first sub-group one exchange succeeds; the other lanes write nothing.
    "race_volatile": case("data-race", RACE_VOLATILE, lambda width: "0", checks="races", findings=None),
    "race_groups": case("data-race", RACE_GROUPS, every, checks="races",
                        message="read of 4 bytes that work-item 0 of another work-group has written, and nothing "
                                "orders the work-groups: 0 bytes into a buffer"),
    "race_groups_write": case("data-race", RACE_GROUPS_WRITE, every, checks="races",
                              message="write of 4 bytes that work-item 0 of another work-group has written"),
    "race_groups_same": case("data-race-of-equal-values", RACE_GROUPS_SAME, lambda width: "0", severity="warning",
                             checks="races", message="of another work-group"),
    "race_groups_last": case("data-race", RACE_GROUPS_LAST, every, checks="races",
                             message="read of 4 bytes that work-item 0 of another work-group has written"),
    "race_groups_volatile": case("data-race", RACE_GROUPS_VOLATILE, lambda width: "0", checks="races",
                                 message="read of 4 bytes that work-item 0 of another work-group has written"),
    "race_block": case("data-race", RACE_BLOCK, every, checks="races",
                       message="read of 4 bytes that work-item 1 of the same work-group has written, with no barrier "
                               "for local"),
    "race_block_read": case("data-race", RACE_BLOCK_READ, {8: "0-6", 16: "0-14", 32: "0-31"}.get, checks="races", findings=None,
                            message="read of 4 bytes that work-item 1 of the same work-group has written, with no "
                                    "barrier for local"),
    "division": arithmetic("division-by-zero", DIVISION, fourths, "division of 7 by 0", "error"),
    "division_partial": case("division-by-zero", DIVISION, lambda width: "0", work_items=4,
                             message="division of 7 by 0", checks="arithmetic"),
    "division_folded": case("division-by-zero", DIVISION_FOLDED, lambda width: "0", work_items=1,
                            message="division of 0 by 0", checks="arithmetic"),
    "division_literal": arithmetic("division-by-zero", DIVISION_LITERAL, lambda width: "0-%d" % (width - 1),
                                   "division of 7 by 0", "error"),
    "division_literal_overflow": arithmetic("division-overflow", DIVISION_LITERAL_OVERFLOW,
                                            lambda width: "0-%d" % (width - 1), "division of -2147483648 by -1",
                                            "error"),
    "division_vector": arithmetic("division-by-zero", DIVISION_VECTOR,
                                  lambda width: "0-2,4-%d" % (width - 1), "division of 8 by 0", "error"),
    "remainder": arithmetic("division-by-zero", REMAINDER, lambda width: "0-3", "remainder of 0 by 0", "error"),
    "division_overflow": arithmetic("division-overflow", DIVISION_OVERFLOW, lambda width: "0",
                                    "division of -2147483648 by -1", "error"),
    "shift": arithmetic("shift-beyond-width", SHIFT, lambda width: "4-%d" % (width - 1),
                        "shift by 32 of a number of 32 bits"),
    "shift_vector": arithmetic("shift-beyond-width", SHIFT_VECTOR, lambda width: "3-%d" % (width - 1),
                               "shift by 16 of a number of 16 bits"),
    "conversion_literal": arithmetic("conversion-out-of-range", CONVERSION_LITERAL,
                                     lambda width: "0-%d" % (width - 1), "conversion of 1e+30 to int"),
    "conversion": arithmetic("conversion-out-of-range", CONVERSION, lambda width: "1-%d" % (width - 1),
                             "conversion of 2.147484e+09 to int"),
    "conversion_constant": arithmetic("conversion-out-of-range", CONVERSION_CONSTANT, every,
                                      "conversion of 1e+30 to int"),
    "conversion_unsigned": arithmetic("conversion-out-of-range", CONVERSION_UNSIGNED, lambda width: "0",
                                      "conversion of -1 to uchar"),
    "conversion_rounded": arithmetic("conversion-out-of-range", CONVERSION_ROUNDED, lambda width: "0",
                                     "conversion of 255.5 to uchar"),
    "conversion_vector": arithmetic("conversion-out-of-range", CONVERSION_VECTOR, lambda width: "6",
                                    "conversion of nan to short"),
    "nan_quotient": arithmetic("nan-result", NAN_QUOTIENT, first_two, "quotient of 0 and 0 is NaN"),
    "nan_function": arithmetic("nan-result", NAN_FUNCTION, first_two, "sqrt of -2 is NaN"),
    "nan_vector": arithmetic("nan-result", NAN_VECTOR, first_two, "log2 of -2 is NaN"),
    "nan_dot": arithmetic("nan-result", NAN_DOT, first_two, "dot of "),
    "nan_fused": arithmetic("nan-result", NAN_FUSED, first_two, "multiplication and addition of inf and 3 is NaN"),
    "init_buffer": initialization(INIT_BUFFER, every, "a condition depends on an uninitialized value: 128 bytes "
                                  "into a buffer (256 bytes, argument 0 'p')", "unwritten"),
    "init_usm": initialization(INIT_COPY, every, " into ", "usm"),
    "init_svm": initialization(INIT_BUFFER, every, "128 bytes into ", "unwritten-svm"),
    "init_address": initialization(INIT_ADDRESS, fourths, "an address depends on an uninitialized value: 0 bytes "
                                   "into the local variable 'index' (128 bytes)"),
    "init_local_argument": initialization(INIT_LOCAL_ARGUMENT, every,
                                          "into local memory (128 bytes, argument 1 'tile')"),
    "init_private": initialization(INIT_PRIVATE, even, "a condition depends on an uninitialized value"),
    "init_helper": initialization(INIT_HELPER, lambda width: "4-%d" % (width - 1), "an address depends on"),
    "init_scope": initialization(INIT_SCOPE, every, "the private variable 'last'", findings=None),
    "init_array": initialization(INIT_ARRAY, lambda width: {8: "0", 16: "8", 32: "8,17,26"}[width],
                                 "the private variable 'values'", sub_group=lambda width: 8 // width),
    "init_vector": initialization(INIT_VECTOR, every, "a condition depends on"),
    "init_structure": initialization(INIT_STRUCTURE, lambda width: {8: "0-7", 16: "0-15", 32: "0-27"}[width],
                                     "into the local variable 'pairs' (256 bytes)"),
    "init_bits": initialization(INIT_BITS, every, "into the local variable 'bytes' (128 bytes)"),
    "init_carry": initialization(INIT_CARRY, every, "a condition depends on"),
    "init_sign": initialization(INIT_SIGN, every, "a condition depends on"),
    "init_atomic": initialization(INIT_ATOMIC, every, "an atomic operation depends on an uninitialized value: "
                                  "0 bytes into the local variable 'count' (4 bytes)"),
    "init_reduce": initialization(INIT_REDUCE, lambda width: "2", "the argument of sub_group_reduce_add depends on"),
    "init_shuffle": initialization(INIT_SHUFFLE, lambda width: {
        8: "4-7", 16: "4-7,12-15", 32: "4-7,12-15,20-23,28-31"}[width], "a condition depends on"),
    "init_partial": case("uninitialized-read", INIT_PRIVATE, lambda width: "0,2", work_items=4, message="a condition",
                         checks="initialization"),
    "init_block": initialization(INIT_BLOCK, every, "into a buffer (256 bytes, argument 0 'p')",
                                 "unwritten"),
    "reduction": case("whole-sub-group", REDUCE, lambda width: "%d-%d" % (width // 2, width - 1)),
    "barrier": case("whole-sub-group", BARRIER, lambda width: "0-2"),
    "returned": case("whole-sub-group", RETURNED, lambda width: "1-%d" % (width - 1)),
    "block_pointer": case("uniform-argument", BLOCK_POINTER, lambda width: "%d-%d" % (width // 2, width - 1)),
    "block_write_alignment": case("block-alignment", BLOCK_WRITE_ALIGNMENT, every),
    "block_read_alignment": case("block-alignment", BLOCK_READ_ALIGNMENT, every),
    "partial": case("full-sub-group", PARTIAL, lambda width: "0-3", sub_group=0, work_items=4),
    "media_block": case("uniform-argument", MEDIA_BLOCK, lambda width: "%d-%d" % (width // 2, width - 1),
                        memory="image"),
    "broadcast": case("uniform-argument", BROADCAST, lambda width: "5-%d" % (width - 1)),
    "shuffle_range": case("lane-out-of-range", SHUFFLE_RANGE, lambda width: "%d-%d" % (width - 2, width - 1),
                          severity="warning"),
    "shuffle_inactive": case("lane-not-active", SHUFFLE_INACTIVE, lambda width: "2", severity="warning"),
}
