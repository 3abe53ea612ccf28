// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One pixel for each work-item. Neighbors leave the loop after different numbers of iterations.
// fma is explicit and leaves nothing to contraction, so that every device computes the same numbers.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global uint *iterations, float left, float top, float step, uint limit) {
  const float cx = fma((float)get_global_id(0), step, left);
  const float cy = fma((float)get_global_id(1), step, top);
  float x = cx, y = cy;
  uint count = 0;
  while (count < limit && fma(x, x, y * y) <= 4.0f) {
    const float next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
    ++count;
  }
  iterations[get_global_id(1) * get_global_size(0) + get_global_id(0)] = count;
}
