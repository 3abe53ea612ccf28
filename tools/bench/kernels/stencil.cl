// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One step of heat flow in three dimensions. The outermost cells keep their temperature.
kernel void heat(const global float *restrict in, global float *restrict out, float rate) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int width = get_global_size(0), height = get_global_size(1), depth = get_global_size(2);
  const int i = (z * height + y) * width + x;
  const float center = in[i];
  if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1) {
    out[i] = center;
    return;
  }
  const float around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - width * height] +
                       in[i + width * height];
  out[i] = fma(rate, fma(-6.0f, center, around), center);
}
