// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What `lanecl compile --report` says, beside the lines that it says it about: //~ KIND: how the text begins, a regular
// expression in which @ is the number of the line itself and @-3 that of the third line before. All is listed except for
// loops and spills. report_test.py compares; the local size is 64.
kernel void gathers(global const float *in, global const int *map, global float *out, int width, uint first) {
  size_t i = get_global_id(0);
  int l = get_local_id(0);
  float a = in[map[i]];      //~ gather: load gathers: its index depends on the load on line @
  float b = in[i * 12];      //~ gather: load gathers: lanes are 12 elements apart; give neighboring lanes
  float c = in[l * width];   //~ gather: load gathers: its index is a product on line @; give neighboring lanes
  float d = in[i * 2];       // wide loads and permutes
  uint wrapping = (uint)i * 3u + first;
  float e = in[wrapping];    //~ gather: load gathers: its index may wrap around in 32 bits; use size_t
  float f = in[l ^ first];   // a guess, which is tested at run time
  out[i * 3] = a + b;        //~ scatter: store scatters: lanes are 3 elements apart; store whole vectors
  out[width + i] = c + d + e + f;
}

kernel void under_a_mask(global const float *in, global const int *map, global float *out) {
  size_t i = get_global_id(0);
  if (map[i] > 3)            //~ divergent: branch runs under a mask: depends on the load on line @
    out[i] = in[i * 2];      //~ gather: load gathers: lanes are 2 elements apart, under a mask
}

kernel void private_array(global const int *map, global float *out) {
  size_t i = get_global_id(0);
  float table[20];
  for (int k = 0; k < 20; ++k)
    table[k] = out[k * 1000];
  out[i] = table[map[i] & 15]; //~ gather: load from a private array gathers: its index depends on the load on line @
}

kernel void origins(global const int *in, global volatile int *out, int limit) {
  size_t l = get_local_id(0);
  if (l > 3)                 //~ divergent: branch runs under a mask: depends on get_local_id\(0\)
    out[l] = 1;
  if (limit > 3)             // the same in all lanes
    out[l] = 2;
  int n = in[l];             // far from the branch, and behind two operations
  n = (n + 3) * limit;
  if (n < 100)               //~ divergent: branch runs under a mask: depends on the load on line @-2
    out[l] = 3;
  if (n < (int)l)            //~ divergent: branch runs under a mask: depends on get_local_id\(0\) and the load on line @-4
    out[l] = 4;
  if (sub_group_shuffle(limit + in[3], (uint)l / 2) > 3) //~ sub-group: shuffle //~ divergent: branch runs under a mask: depends on the sub-group function on line @
    out[l] = 5;
}

kernel void lanes(global volatile int *out) {
  if (get_sub_group_local_id() == 1) //~ divergent: branch runs under a mask: depends on get_sub_group_local_id\(\)
    out[0] = 6;
}

// The lanes leave the loop in different iterations, so a value of it that is the same in all lanes differs behind it.
kernel void left_at_different_times(global const int *until, global volatile int *out, int step) {
  size_t i = get_global_id(0);
  int k = 0, end = until[i];
  while (k < end) {          //~ divergent: branch runs under a mask: depends on the load on line @-1 //~ divergent: loop runs until its last lane leaves: depends on the load on line @-1
    out[k + 1000 + i] = k;
    k += step;
  }
  if (k & 4)                 //~ divergent: branch runs under a mask: depends on the load on line @-5
    out[i] = 1;
}

kernel void limits(global const float *in, global float *out, int count) {
  size_t i = get_global_id(0);
  float sum = 0, product = 1;
  for (int k = 0; k < count; ++k) //~ loop: [0-9.]+ cycles per iteration: bound by latency, each iteration waits for the previous one's vaddps on line @+1
    sum += in[k * 1024 + i];
  for (int k = 0; k < count; ++k) { //~ loop: [0-9.]+ cycles per iteration: bound by the divider, most of it vdivps on line @+1
    float x = in[k * 1024 + i]; product = fmax(product, 1.5f / x + 7.25f / (x + 1) + 2.25f / (x + 2));
  }
  out[i] = sum + product;
}

__attribute__((intel_reqd_sub_group_size(16))) kernel void waits(global const float *in, global float *out, local float *part) { //~ barrier: a sub-group's frame takes [0-9]+ bytes, those of a work-group take [0-9]+
  size_t l = get_local_id(0);
  float x = in[get_global_id(0)];
  part[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE); //~ barrier: saves about [0-9]+ bytes per sub-group
  out[get_global_id(0)] = x + part[l];
}

kernel void best(global const float *in, global float *out) { //~ loop: over the sub-groups, [0-9.]+ cycles per iteration
  size_t i = get_global_id(0);
  out[i] = in[i] * 2 + 1;
}

// As good as nothing but gathers in a loop that lanes leave one by one: work-items run one after the other.
kernel void sparse_product(global const int *starts, global const int *columns, global const float *values,
                           global const float *x, global float *y) {
  size_t row = get_global_id(0);
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum = fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}

// Each load says where the next one is, so lanes wait for theirs together.
kernel void list(global const int *next, global const float *values, global float *y) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int at = i; at >= 0;) { //~ divergent: loop runs until its last lane leaves: depends on the load on line @+2
    sum += values[at];         //~ gather: load gathers: its index depends on the load on line @+1
    at = next[at];             //~ gather: load gathers: its index depends on the load on line @
  }
  y[i] = sum;
}
