// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations of neural networks on each row of a matrix. The softmax of a row is computed by a sub-group. The division
// by the root of the mean square is computed by a work-group with a tree in local memory.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void softmax(const global float *restrict in, global float *restrict out, int columns) {
  const int lane = get_sub_group_local_id(), row = get_global_id(0) / 16;
  const global float *x = in + row * columns;
  global float *y = out + row * columns;
  float largest = -INFINITY;
  for (int i = lane; i < columns; i += 16)
    largest = fmax(largest, x[i]);
  largest = sub_group_reduce_max(largest);
  float sum = 0;
  for (int i = lane; i < columns; i += 16)
    sum += exp(x[i] - largest);
  const float factor = 1.0f / sub_group_reduce_add(sum);
  for (int i = lane; i < columns; i += 16)
    y[i] = exp(x[i] - largest) * factor;
}

#define GROUP 256

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void rms_norm(const global float *restrict in, const global float *restrict weights, global float *restrict out,
              int columns, float epsilon) {
  local float sums[GROUP];
  const int id = get_local_id(0), row = get_group_id(0);
  float sum = 0;
  for (int i = id; i < columns; i += GROUP)
    sum = fma(in[row * columns + i], in[row * columns + i], sum);
  sums[id] = sum;
  for (int half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < half_size)
      sums[id] += sums[id + half_size];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float factor = rsqrt(sums[0] / columns + epsilon);
  for (int i = id; i < columns; i += GROUP)
    out[row * columns + i] = in[row * columns + i] * factor * weights[i];
}
