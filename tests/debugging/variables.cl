// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of variables that lanes.cl does not have.
int counter = 3;
constant int table[4] = {1, 2, 3, 5};
struct state {
  int hits;
  float part;
};
global struct state both = {7, 2.5f};

kernel void program_scope(global const int *in, global int *out, int limit) {
  int id = get_global_id(0);
  if (id == 5)
    counter += table[id & 3];
  both.hits += counter > 100;
  out[id] = table[id & 3];
}

int tripled(int v) {
  int result = v * 3;
  return result + 1;
}

int fivefold(int v) {
  int product = v * 5;
  return product - 1;
}

kernel void chosen(global const int *in, global int *out, int limit) {
  int id = get_global_id(0);
  int x = in[id];
  out[id] = limit > 15 ? tripled(x) : fivefold(x);
}

kernel void handles(global const int *in, global int *out, int limit, read_only image2d_t image, sampler_t given) {
  int id = get_global_id(0);
  local int tile[32];
  sampler_t copy = given;
  event_t done = async_work_group_copy(tile, in, 32, 0);
  wait_group_events(1, &done);
  float4 color = read_imagef(image, copy, (int2)(id & 3, 0));
  out[id] = tile[id] + (int)color.x;
}

int meet(local int *tile, int own) {
  int place = get_local_id(0), next = (place + 1) % get_local_size(0);
  tile[place] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  return tile[next];
}

__attribute__((intel_reqd_sub_group_size(8)))
kernel void helpers(global const int *in, global int *out, int limit) {
  local int tile[32];
  int x = in[get_global_id(0)] * 3;
  int first = meet(tile, x);
  x += first;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = x - meet(tile, x);
}
