// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arrays of a work-item, with uniform and varying subscripts, and pointers into them.
#include "each_item.hpp"

#include <algorithm>
#include <array>

using namespace lanecl::test;

TEST_CASE("a private array with uniform and varying subscripts", "[private_arrays]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int a[10], x = in[i];
  for (int n = 0; n < 10; ++n) a[n] = n * x;
  a[x % 10] += 7;
  for (int n = 0; n < x % 5; ++n) a[(x + n) % 10] -= a[n];
  int sum = 0;
  for (int n = 0; n < 10; ++n) sum = sum * 3 + a[n];
  out[i] = sum;
})",
                [](const Item &item) {
                  const int x = item.x();
                  std::array<int, 10> a;
                  for (int n = 0; n < 10; ++n)
                    a[n] = n * x;
                  a[x % 10] += 7;
                  for (int n = 0; n < x % 5; ++n)
                    a[(x + n) % 10] -= a[n];
                  int sum = 0;
                  for (int n = 0; n < 10; ++n)
                    sum = sum * 3 + a[n];
                  return sum;
                });
}

TEST_CASE("helper functions sort a private array through pointers", "[private_arrays]") {
  checkEachItem(R"(
__attribute__((noinline)) void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
__attribute__((noinline)) void sort(int *v, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j > 0 && v[j - 1] > v[j]; --j) swap(&v[j - 1], v + j);
}
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v[8];
  for (int n = 0; n < 8; ++n) v[n] = in[(i * 5 + n * 3) % get_global_size(0)];
  sort(v, 4 + in[i] % 5);
  out[i] = v[0] + 10 * v[3] + 100 * v[7];
})",
                [](const Item &item) {
                  std::array<int, 8> v;
                  for (int n = 0; n < 8; ++n)
                    v[n] = item.in[(item.global * 5 + n * 3) % item.in.size()];
                  std::sort(v.begin(), v.begin() + 4 + item.x() % 5);
                  return v[0] + 10 * v[3] + 100 * v[7];
                });
}

TEST_CASE("a pointer to one of two arrays", "[private_arrays]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, x = in[i];
  int *p = x & 1 ? a : b;
  p[x & 3] += x;
  int *q = p == a ? b + 1 : a + 2;
  *q = 5;
  out[i] = a[0] + a[1] * 2 + a[2] * 3 + a[3] * 4 + b[0] * 5 + b[1] * 6 + b[2] * 7 + b[3] * 8;
})",
                [](const Item &item) {
                  int a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40};
                  const int x = item.x();
                  int *p = x & 1 ? a : b;
                  p[x & 3] += x;
                  *(p == a ? b + 1 : a + 2) = 5;
                  return a[0] + a[1] * 2 + a[2] * 3 + a[3] * 4 + b[0] * 5 + b[1] * 6 + b[2] * 7 + b[3] * 8;
                });
}

TEST_CASE("arrays of small integers, of vectors and of arrays", "[private_arrays]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uchar c[16]; short s[3][4]; float4 f[3]; long l[4];
  int x = in[i];
  for (int n = 0; n < 16; ++n) c[n] = (uchar)(x * n);
  for (int n = 0; n < 12; ++n) s[n / 4][n % 4] = (short)(n - x);
  for (int n = 0; n < 3; ++n) f[n] = (float4)(n, x, n * x, 1);
  for (int n = 0; n < 4; ++n) l[n] = (long)x << 10 * n;
  out[i] = c[x & 15] + s[x % 3][x & 3] * 2 + (int)f[x % 3].z + (int)f[1].y + (int)(l[x & 3] >> 9);
})",
                [](const Item &item) {
                  const int x = item.x(), n = x % 3 * 4 + (x & 3);
                  return int(uint8_t(x * (x & 15))) + short(n - x) * 2 + x % 3 * x + x +
                         int((int64_t(x) << 10 * (x & 3)) >> 9);
                });
}

TEST_CASE("a private array that is too large for many stacks", "[private_arrays]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int big[3000];
  for (int n = 0; n < 3000; ++n) big[n] = n ^ in[i];
  for (int n = 0; n < 100; ++n) big[n * 29 + in[i] % 29] += big[2999 - n];
  int sum = 0;
  for (int n = 0; n < 3000; ++n) sum += big[n] * (n & 15);
  out[i] = sum;
})",
                [](const Item &item) {
                  std::vector<int> big(3000);
                  for (int n = 0; n < 3000; ++n)
                    big[n] = n ^ item.x();
                  for (int n = 0; n < 100; ++n)
                    big[n * 29 + item.x() % 29] += big[2999 - n];
                  int sum = 0;
                  for (int n = 0; n < 3000; ++n)
                    sum += big[n] * (n & 15);
                  return sum;
                },
                {{40}});
}

// The pointers are volatile, so that the compiler has to use the actual addresses.
TEST_CASE("private variables have the alignment of their types, or the one that they ask for", "[private_arrays]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  char first = in[i];
  long16 wide = in[i];
  char second = first + 1;
  int8 eight = in[i];
  private char *volatile a = &first, *volatile b = &second;
  private long16 *volatile p = &wide;
  private int8 *volatile q = &eight;
  __attribute__((aligned(512))) int page[2] = {in[i], in[i] + 1};
  private int *volatile r = page;
  out[i] = (int)((ulong)r % 512) + (r[0] + 1 - r[1]) + (int)((ulong)p % sizeof(long16)) + (int)((ulong)q % sizeof(int8)) + (*a + 1 != *b);
})",
                [](const Item &) { return 0; });
}
