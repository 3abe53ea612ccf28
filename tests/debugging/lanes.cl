// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for tests of the debugger. model.py knows the value of each variable after each line.
typedef struct {
  int count;
  float part;
} pair_t;

constant int weights[4] = {3, 1, 4, 1};

int square(int v)
{
  int s = v * v;
  return s + 1;
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void branches(global const int *in, global int *out, int limit)
{
  int id = get_global_linear_id();
  int x = in[id];
  int y = 0;
  if (x < limit) {
    y = x * 2;
    y = y + 3;
  } else {
    y = x - 5;
    y = y * 7;
  }
  int sum = 0;
  for (int i = 0; i < (x & 7); i++) {
    if (i == 5)
      break;
    sum += i * x;
  }
  int q = square(x);
  float4 v = (float4)(x, x + 1, x + 2, x + 3);
  v.y *= 2.0f;
  int numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = x + weights[i];
  pair_t pair;
  pair.count = x;
  pair.part = x * 0.5f;
  int *address = &sum;
  *address += 1;
  out[id] = y + sum + q + numbers[x & 3] + (int)v.y
    + pair.count
    + (int)pair.part;
}

__attribute__((intel_reqd_sub_group_size(W)))
kernel void barriers(global const int *in, global int *out, int limit)
{
  local int tile[256];
  int id = get_global_linear_id();
  int place = get_local_linear_id();
  int x = in[id] * 3;
  tile[place] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int left = place > 0 ? tile[place - 1] : -1;
  int sum = left + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[place] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = tile[0] + sum;
}
