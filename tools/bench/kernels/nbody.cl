// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes the forces between all pairs of bodies. A work-group reads one tile of bodies at a time into local memory.
#define TILE 256

kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void accelerations(const global float4 *restrict bodies, global float4 *restrict result, int count, float softening) {
  local float4 tile[TILE];
  const int local_id = get_local_id(0);
  const float4 me = bodies[get_global_id(0)];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < count; first += TILE) {
    tile[local_id] = bodies[first + local_id];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < TILE; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const float force = other.w * inverse * inverse * inverse;
      ax = fma(force, dx, ax);
      ay = fma(force, dy, ay);
      az = fma(force, dz, az);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  result[get_global_id(0)] = (float4)(ax, ay, az, 0);
}
