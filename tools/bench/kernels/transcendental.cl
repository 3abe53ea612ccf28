// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls functions of the built-in library in the type T again and again, on a value that stays between 0 and 1.5.
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half T;
#elif defined DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double T;
#else
typedef float T;
#endif

kernel void mix_functions(const global T *restrict in, global T *restrict out, int rounds) {
  T x = in[get_global_id(0)];
  for (int round = 0; round < rounds; ++round) {
    const T wave = sin(x) * (T)0.5f + cos(x) * (T)0.125f;
    const T bell = exp(-x * x) * (T)0.25f + log((T)1 + x * x) * (T)0.25f;
    x = wave + bell + sqrt(x) * (T)0.125f;
  }
  out[get_global_id(0)] = x;
}
