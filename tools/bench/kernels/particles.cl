// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An array of structures: each work-item moves one particle, which bounces off the ground.
typedef struct {
  float x, y, z, mass;
  float vx, vy, vz, age;
} Particle;

kernel void move(const global Particle *restrict before, global Particle *restrict after, float dt) {
  const size_t i = get_global_id(0);
  Particle p = before[i];
  p.vy = fma(-9.81f, dt, p.vy);
  p.x = fma(p.vx, dt, p.x);
  p.y = fma(p.vy, dt, p.y);
  p.z = fma(p.vz, dt, p.z);
  if (p.y < 0) {
    p.y = -p.y;
    p.vy *= -0.5f;
  }
  p.age += dt;
  after[i] = p;
}
