// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A scene of spheres in rows, described by the distance to the nearest sphere. A ray steps by that distance until it is
// close to a sphere or far away from all. Neighbors take different numbers of steps.
#pragma OPENCL FP_CONTRACT OFF

float distanceToScene(float x, float y, float z) {
  const float row_x = x - 2.0f * floor(fma(x, 0.5f, 0.5f)), row_z = z - 2.0f * floor(fma(z, 0.5f, 0.5f));
  return sqrt(fma(row_x, row_x, fma(y, y, row_z * row_z))) - 0.6f;
}

kernel void march(global float *depths, float scale, int most_steps, float far) {
  const float u = fma((float)get_global_id(0), scale, -1.0f), v = fma((float)get_global_id(1), scale, -1.0f);
  const float length = 1.0f / sqrt(fma(u, u, fma(v, v, 1.0f)));
  const float dx = u * length, dy = v * length, dz = length;
  float t = 0;
  for (int step = 0; step < most_steps && t < far; ++step) {
    const float distance = distanceToScene(fma(dx, t, 0.3f), fma(dy, t, 1.5f), fma(dz, t, 0.2f));
    if (distance < 0.001f)
      break;
    t += distance;
  }
  depths[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t;
}
