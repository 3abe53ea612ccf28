// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are not inlined, because functions_test.py sets LANECL_KEEP_FUNCTIONS=1.
int twice(int v)
{
  int doubled = v * 2;
  return doubled;
}

int chain(int v, int limit)
{
  int numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = v + i;
  int result = numbers[v & 3];
  if (v > limit) {
    int more = twice(v);
    result += more;
  }
  return result;
}

void put(global int *out, int value)
{
  int at = get_global_linear_id();
  out[at] = value;
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void calls(global const int *in, global int *out, int limit)
{
  int x = in[get_global_linear_id()];
  int y = -1;
  if (x & 1)
    y = chain(x, limit);
  int z = x + y;
  put(out, z);
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void calls_among_barriers(global const int *in, global int *out, int limit)
{
  local int tile[256];
  int place = get_local_linear_id();
  int x = in[get_global_linear_id()];
  tile[place] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int left = place > 0 ? tile[place - 1] : -1;
  int y = chain(left, limit);
  barrier(CLK_LOCAL_MEM_FENCE);
  put(out, y + tile[0]);
}

// This function has two versions: for arguments that are uniform, and for arguments that differ between lanes.
__attribute__((intel_reqd_sub_group_size(W)))
kernel void calls_versions(global const int *in, global int *out, int limit)
{
  int alike = twice(limit);
  int own = twice(in[get_global_linear_id()]);
  put(out, alike + own);
}
