// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program scope variables in global memory, which kernels, widths and launches share.
#include "each_item.hpp"

#include <numeric>

using namespace lanecl::test;

TEST_CASE("one kernel stores to a variable what another one reads", "[program_variables]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
global int counts[10];
int written;
kernel void clear(int start) { counts[get_global_id(0)] = start; }
KERNEL void k(global const int *in) {
  int x = in[get_global_id(0)];
  if (x > 20) atomic_inc(&counts[x % 10]);
  if (x == 77) written = x;
}
kernel __attribute__((intel_reqd_sub_group_size(8))) void take(global int *out) {
  size_t i = get_global_id(0);
  out[i] = i < 10 ? counts[i] : written;
})",
                                          width);
    const std::vector<int> input = mixedInput(300);
    Memory in = cl.buffer(input), out = cl.bytes(11 * sizeof(int));
    cl.run(cl.kernel(program, "clear"), {10}, {}, 1000);
    std::vector<int> want(11, 1000);
    want[10] = std::count(input.begin(), input.end(), 77) != 0 ? 77 : 0;
    for (size_t local : {100, 60, 20, 10, 5}) { // each size may have code of its own
      cl.run(cl.kernel(program, "k"), {300}, {local}, in);
      for (int x : input)
        want[x % 10] += x > 20;
      cl.run(cl.kernel(program, "take"), {11}, {}, out);
      INFO("sub-groups of " << width << ", local size " << local);
      CHECK(cl.read<int>(out) == want);
    }
  }
}

TEST_CASE("initial values of every kind", "[program_variables]") {
  checkEachItem(R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { char c; double d; short3 v; int *next; } Record;
global int a = 3;
int table[3][2] = {{1, 2}, {3, 4}, {5}};
global float4 vector = (float4)(0.5f, 1.5f, 2.5f, 3.5f);
global half h = 1.25h;
global ulong big = 0x123456789abcdef0UL;
global int *global p = &table[1][1];
global int *constant fixed = &a;
global int *global *global pp = &p;
constant int letters[4] = {10, 20, 30, 40};
constant int *global letter = letters + 2;
global Record records[2] = {{1, 2.5, (short3)(1, 2, 3), &a}, {-1, -2.5, (short3)(4, 5, 6), &table[2][0]}};
global const int constants[2] = {7, 8};
global int zeros[100];
global uchar8 __attribute__((aligned(64))) aligned = (uchar8)(1, 2, 3, 4, 5, 6, 7, 8);
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], sum = 0;
  sum += a == 3; sum *= 2;
  sum += table[x % 3][x & 1] == (x % 3 == 2 && (x & 1) ? 0 : (x % 3) * 2 + (x & 1) + 1); sum *= 2;
  sum += vector.y == 1.5f && vector.w == 3.5f && h == 1.25h; sum *= 2;
  sum += big == 0x123456789abcdef0UL; sum *= 2;
  sum += *p == 4 && **pp == 4 && *pp == &table[1][1]; sum *= 2;
  sum += *fixed == 3 && fixed == &a; sum *= 2;
  sum += *letter == 30 && letter[-1] == 20 && letter == &letters[2] && letters[x & 3] == ((x & 3) + 1) * 10; sum *= 2;
  global Record *r = &records[x & 1];
  sum += r->c == (x & 1 ? -1 : 1) && r->d == (x & 1 ? -2.5 : 2.5) && r->v.z == (x & 1 ? 6 : 3) &&
         *r->next == (x & 1 ? 5 : 3); sum *= 2;
  sum += constants[x & 1] == 7 + (x & 1); sum *= 2;
  sum += zeros[x] == 0 && aligned.s7 == 8 && ((ulong)&aligned & 63) == 0;
  out[i] = sum;
})",
                [](const Item &) { return 1023; });
}

TEST_CASE("static variables of functions", "[program_variables]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
uint next(uint step) { static global atomic_uint count = 5; return atomic_fetch_add_explicit(&count, step,
    memory_order_relaxed, memory_scope_work_group); }
KERNEL void k(global int *out) {
  static uint launches;
  size_t i = get_global_id(0);
  if (i % 3 != 1) next(2);
  if (i == 0) out[0] = ++launches;
}
kernel void take(global int *out) { static uint launches = 50; out[0] = next(0); out[1] = ++launches; }
)",
                                          width);
    Memory out = cl.bytes(2 * sizeof(int));
    for (int launch = 1; launch < 4; ++launch) {
      cl.run(cl.kernel(program, "k"), {90}, {15}, out);
      CHECK(cl.read<int>(out)[0] == launch);
      cl.run(cl.kernel(program, "take"), {1}, {}, out);
      CHECK(cl.read<int>(out) == std::vector<int>{5 + 120 * launch, 50 + launch});
    }
  }
}

TEST_CASE("pointers that one launch leaves for the next one", "[program_variables]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
typedef struct Node { int value; global struct Node *next; } Node;
global Node nodes[64];
global Node *global first;
global int *kept;
kernel void link(global int *data) {
  size_t i = get_global_id(0);
  nodes[i].value = i;
  nodes[i].next = i + 1 < get_global_size(0) ? &nodes[i + 1] : 0;
  if (i == 0) { first = nodes + 3; kept = data; }
}
KERNEL void k(global int *out) {
  size_t i = get_global_id(0);
  int sum = 0;
  global Node *node = first;
  for (int n = 0; n < (int)i % 7 && node; ++n, node = node->next) sum += node->value;
  out[i] = sum * 100 + kept[i % 4];
})",
                                          width);
    Memory data = cl.buffer(std::vector<int>{4, 5, 6, 7}), out = cl.bytes(100 * sizeof(int));
    cl.run(cl.kernel(program, "link"), {64}, {}, data);
    cl.run(cl.kernel(program, "k"), {100}, {50}, out);
    const std::vector<int> got = cl.read<int>(out);
    for (int i = 0; i < 100; ++i) {
      int sum = 0;
      for (int n = 0; n < i % 7; ++n)
        sum += 3 + n;
      CHECK(got[i] == sum * 100 + 4 + i % 4);
    }
  }
}

TEST_CASE("generic pointers to program scope variables", "[program_variables]") {
  checkEachItem(R"(
global int shared[100];
KERNEL void k(global const int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], own = x + 1;
  l[n] = x + 2; shared[x] = x + 3;
  int *p = x % 3 == 0 ? (int *)&shared[x] : x % 3 == 1 ? (int *)&l[n] : &own;
  out[i] = *p * 10 + (to_global(p) ? 1 : to_local(p) ? 2 : 3);
})",
                [](const Item &item) {
                  const int x = item.x();
                  return (x + (x % 3 == 0 ? 3 : x % 3 == 1 ? 2 : 1)) * 10 + x % 3 + 1;
                });
}
