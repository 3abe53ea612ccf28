// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fourier transforms of 256 complex numbers, one for each sub-group of 16. Element 16 n + lane is number n of a lane.
// First each lane transforms its 16 numbers in registers, in two steps of radix 4; then the lanes transform across each
// other, in four steps of radix 2.
#define EACH(i, count) __attribute__((opencl_unroll_hint(count))) for (int i = 0; i < (count); ++i)

float2 times(float2 a, float2 b) { return (float2)(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x)); }
float2 timesMinusI(float2 a) { return (float2)(a.y, -a.x); }
// Returns e^(-2 pi i turn).
float2 unit(float turn) { return (float2)(cospi(2 * turn), -sinpi(2 * turn)); }

void radix4(float2 *a, float2 *b, float2 *c, float2 *d) {
  const float2 even_sum = *a + *c, even_difference = *a - *c;
  const float2 odd_sum = *b + *d, odd_difference = timesMinusI(*b - *d);
  *a = even_sum + odd_sum;
  *b = even_difference + odd_difference;
  *c = even_sum - odd_sum;
  *d = even_difference - odd_difference;
}

// Transforms 16 numbers. Element c + 4 d of the result ends at place 4 c + d.
void fourier16(float2 *x) {
  EACH(b, 4) radix4(&x[b], &x[b + 4], &x[b + 8], &x[b + 12]);
  EACH(c, 4) {
    EACH(b, 4) x[4 * c + b] = times(x[4 * c + b], unit(b * c / 16.0f));
    radix4(&x[4 * c], &x[4 * c + 1], &x[4 * c + 2], &x[4 * c + 3]);
  }
}

// Transforms the numbers of 16 lanes. Element k of the result ends in the lane whose number is k with its four bits
// reversed.
float2 fourierOfLanes(float2 x, int lane, const float2 *units) {
  EACH(step, 4) {
    const int distance = 8 >> step;
    const float2 other = (float2)(sub_group_shuffle_xor(x.x, distance), sub_group_shuffle_xor(x.y, distance));
    x = lane & distance ? times(other - x, units[step]) : x + other;
  }
  return x;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void fourier256(const global float2 *restrict in, global float2 *restrict out) {
  const int lane = get_sub_group_local_id(), transform = get_global_id(0) / 16;
  float2 x[16];
  EACH(n, 16) x[n] = in[transform * 256 + 16 * n + lane];
  fourier16(x);

  float2 units[4];
  EACH(step, 4) {
    const int distance = 8 >> step;
    units[step] = unit((lane & (distance - 1)) / (2.0f * distance));
  }
  const float2 one_further = unit(lane / 256.0f);
  float2 factor = (float2)(1, 0);
  const int reversed = (lane & 1) << 3 | (lane & 2) << 1 | (lane & 4) >> 1 | lane >> 3;
  EACH(k, 16) {
    const float2 element = fourierOfLanes(times(x[4 * (k % 4) + k / 4], factor), lane, units);
    out[transform * 256 + 16 * reversed + k] = element;
    factor = times(factor, one_further);
  }
}
