// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for breakpoints on their names. Each sub-group has to stop in the line of its first statement.
int doubled(int v)
{
  return v * 2;
}

void meet(local int *tile, int place)
{
  tile[place] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_plain(global const int *in, global int *out, int limit)
{
  int id = get_global_linear_id(); // first of enter_plain
  out[id] = in[id] + limit;
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_one_barrier(global const int *in, global int *out, int limit)
{
  local int totals[256];
  int id = get_global_linear_id(); // first of enter_one_barrier
  totals[get_local_linear_id()] = in[id];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0)
    out[id] = totals[0] + totals[1];
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_loop(global const int *in, global int *out, int limit)
{
  local int tile[256];
  for (int i = 0; i < 3; i++) { // first of enter_loop
    tile[get_local_linear_id()] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_linear_id()] = tile[0];
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_call(global const int *in, global int *out, int limit)
{
  local int tile[256];
  tile[get_local_linear_id()] = doubled(in[get_global_linear_id()]); // first of enter_call
  meet(tile, get_local_linear_id());
  meet(tile, get_local_linear_id());
  out[get_global_linear_id()] = tile[0];
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_barrier(global const int *in, global int *out, int limit)
{
  barrier(CLK_GLOBAL_MEM_FENCE); // first of enter_barrier
  out[get_global_linear_id()] = 1;
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void enter_branch(global const int *in, global int *out, int limit)
{
  local int tile[256];
  if (limit > 3) { // first of enter_branch
    tile[get_local_linear_id()] = in[get_global_linear_id()];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = tile[0];
    return;
  }
  out[get_global_linear_id()] = 2;
}
