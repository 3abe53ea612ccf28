// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads and stores at addresses that each lane computes for itself.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes{{64}, {37}, {12, 3}};

} // namespace

TEST_CASE("indices of every integer type", "[gathers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int x = in[i];
  char c = x & 31; uchar uc = x & 31; short s = x & 31; ushort us = x & 31; uint u = x & 31; long l = x & 31; ulong ul = x & 31;
  int sum = in[c] + 2 * in[uc] + 3 * in[s] + 4 * in[us] + 5 * in[x & 31] + 6 * in[u] + 7 * in[l] + 8 * in[ul];
  if (x % 3 == 0) sum += in[in[i] % 29] + in[31 - u];
  out[i] = sum;
})",
      [](const Item &item) {
        const int x = item.x(), sum = 36 * item.in[size_t(x & 31)];
        return x % 3 == 0 ? sum + item.in[size_t(x % 29)] + item.in[size_t(31 - (x & 31))] : sum;
      },
      kShapes);
}

TEST_CASE("indices over the whole range of int and uint", "[gathers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  uint high = 4294967000u + in[i] % 30, low = 5u + in[i] % 30;
  int least = -2147483647 + in[i] % 30;
  global const int *a = (global const int *)((ulong)in - 4294967000ul * 4);
  global const int *b = (global const int *)((ulong)in - 5ul * 4);
  global const int *c = (global const int *)((ulong)in + 2147483647ul * 4);
  out[i] = a[high] + b[low] * 1000 + c[least] * 1000000;
})",
      [](const Item &item) { return item.in[size_t(item.x() % 30)] * 1001001; }, kShapes);
}

TEST_CASE("indices that are scaled, offset by uniform values, or composed of several values", "[gathers]") {
  checkEachItem(
      R"(
struct Item { int a, b, c; };
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id(), group = get_group_id(0) + get_group_id(1);
  int x = in[i], sum = 0;
  global const struct Item *items = (global const struct Item *)in;
  global const int4 *vectors = (global const int4 *)in;
  local int grid[6][5];
  if (i % (get_local_size(0) * get_local_size(1)) == 0)
    for (int k = 0; k < 30; ++k) grid[k / 5][k % 5] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += items[x % 9].b + 3 * items[x % 7].c;
  sum += 5 * vectors[x % 7].z + 7 * vectors[(uint)x % 8].w;
  sum += in[(size_t)(x % 11) + group * 2] + in[(x % 5) * (long)3 + 1];
  sum += 9 * grid[x % 6][in[x % 30] % 5];
  out[i] = sum;
})",
      [](const Item &item) {
        const auto x = size_t(item.x());
        const auto at = [&](size_t i) { return item.in[i]; };
        return at(x % 9 * 3 + 1) + 3 * at(x % 7 * 3 + 2) + 5 * at(x % 7 * 4 + 2) + 7 * at(x % 8 * 4 + 3) +
               at(x % 11 + item.group * 2) + at(x % 5 * 3 + 1) + 9 * at(x % 6 * 5 + size_t(at(x % 30)) % 5);
      },
      kShapes);
}

TEST_CASE("scatters by int, uint and struct", "[gathers]") {
  checkEachItem(
      R"(
struct Pair { int a, b; };
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id(), n = get_local_size(0) * get_local_size(1), first = i - i % n;
  local struct Pair pairs[64];
  local int4 vectors[64];
  int at = (i % n * 5 + 3) % n;
  uint back = n - 1 - i % n;
  if (n % 5 == 0) at = i % n;
  pairs[at].b = in[i];
  vectors[back] = (int4)(in[i], 2, in[i] * 3, 4);
  if (at & 1) pairs[at].a = in[i] + 1; else pairs[at].a = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + at] = pairs[at].a + 10 * pairs[at].b + 100 * vectors[at].x + 1000 * vectors[at].z + vectors[at].w;
})",
      [](const Item &item) {
        const size_t n = item.local_size, first = item.global - item.local;
        size_t from = item.local; // the work-item whose place this is
        for (size_t l = 0; l < n && n % 5 != 0; ++l)
          if ((l * 5 + 3) % n == item.local)
            from = l;
        const int x = item.in[first + from], y = item.in[first + n - 1 - item.local];
        return (item.local % 2 != 0 ? x + 1 : 0) + 10 * x + 3100 * y + 4;
      },
      kShapes);
}

// The scalar optimizer extracts the second load's number from the first load. In the end, that is the first load's only
// use, and it becomes a load of a wide integer.
TEST_CASE("a vector of which only one component is used", "[gathers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  global const int *row = in + in[i] % 7;
  int unread[4] = {0};
  unread[in[i] & 3] = 0;
  unread[0] = unread[1];
  vstore2((int2)0, vload8(0, row).s2 & 1, unread);
  out[i] = vload3(0, row).s1;
})",
      [](const Item &item) { return item.in[size_t(item.x() % 7 + 1)]; }, kShapes);
}
