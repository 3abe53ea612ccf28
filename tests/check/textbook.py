# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with a textbook defect when they are built with -DDEFECT, and correct without it. Each takes one buffer of 64
integers and runs in work-groups of 32."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Kernel:
    rule: str         # the rule that is reported
    by_default: bool  # whether it is found by default; otherwise only --checks full finds it
    source: str


KERNELS = {
    "barrier_missing": Kernel("data-race", True, """
kernel void k(global int *p) {
  local int t[32];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = p[g];
#ifndef DEFECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  p[g] = t[31 - l];
}
"""),
    # The tree has no barriers once a single warp of 32 does the work, as some programs for other GPUs assume.
    "barrier_missing_in_a_tree": Kernel("data-race", True, """
kernel void k(global int *p) {
  local int t[32];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = p[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (l < step)
      t[l] += t[l + step];
#ifdef DEFECT
    if (step > 32)
#endif
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    p[g] = t[0];
}
"""),
    "fence_of_other_memory": Kernel("data-race", True, """
#ifdef DEFECT
#define FENCE CLK_GLOBAL_MEM_FENCE
#else
#define FENCE CLK_LOCAL_MEM_FENCE
#endif
kernel void k(global int *p) {
  local int t[32];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = p[g];
  barrier(FENCE);
  p[g] = t[l ^ 31];
}
"""),
    "fence_of_local_memory": Kernel("data-race", False, """
#ifdef DEFECT
#define FENCE CLK_LOCAL_MEM_FENCE
#else
#define FENCE CLK_GLOBAL_MEM_FENCE
#endif
kernel void k(global int *p) {
  int g = get_global_id(0);
  p[g] = g;
  barrier(FENCE);
  int other = p[g ^ 31];
  barrier(FENCE);
  p[g] = other;
}
"""),
    "counter_in_local_memory": Kernel("data-race", True, """
kernel void k(global int *p) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef DEFECT
  count += 1;
#else
  atomic_inc(&count);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = count;
}
"""),
    "counter_in_global_memory": Kernel("data-race", False, """
kernel void k(global int *p) {
#ifdef DEFECT
  p[0] += 1;
#else
  atomic_inc(p);
#endif
}
"""),
    "local_memory_written_in_part": Kernel("uninitialized-read", True, """
#ifdef DEFECT
#define END 20
#else
#define END 32
#endif
kernel void k(global int *p) {
  local int t[32];
  int l = get_local_id(0);
  if (l < END)
    t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t[31 - l] > 3)
    p[get_global_id(0)] = 1;
}
"""),
    "local_counter_without_a_start": Kernel("uninitialized-read", True, """
kernel void k(global int *p) {
  local int count;
#ifndef DEFECT
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = count;
}
"""),
    "variable_written_on_one_side": Kernel("uninitialized-read", True, """
kernel void k(global int *p) {
  int g = get_global_id(0), found;
#ifndef DEFECT
  found = 0;
#endif
  if (p[g] > 40)
    found = 1;
  if (found)
    p[g] = 7;
}
"""),
    "array_written_in_part": Kernel("uninitialized-read", True, """
#ifdef DEFECT
#define COUNT 3
#else
#define COUNT 4
#endif
kernel void k(global int *p) {
  int g = get_global_id(0), a[4];
  for (int i = 0; i < COUNT; ++i)
    a[i] = p[g] + i;
  if (a[(g + 3) & 3] > 5)
    p[g] = 1;
}
"""),
    "sum_of_a_sub_group_for_that_of_a_work_group": Kernel("width-dependent", False, """
kernel void k(global int *p) {
  int g = get_global_id(0);
#ifdef DEFECT
  int sum = sub_group_reduce_add(1);
#else
  int sum = work_group_reduce_add(1);
#endif
  p[g] = sum;
}
"""),
    "lanes_taken_for_items": Kernel("width-dependent", False, """
kernel void k(global int *p) {
#ifdef DEFECT
  p[get_global_id(0)] = get_sub_group_local_id();
#else
  p[get_global_id(0)] = get_local_id(0);
#endif
}
"""),
}
