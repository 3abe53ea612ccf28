// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 32-bit atomics on global and local memory, in divergent flow.
#include "each_item.hpp"

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 3 * 100;

void checkCounters(const std::string &source, const std::vector<uint32_t> &start, const std::vector<uint32_t> &want) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    Memory in = cl.buffer(mixedInput(kItems)), counters = cl.buffer(start);
    cl.run(cl.kernel(buildForWidth(cl, source, width), "k"), {kItems}, {100}, in, counters);
    INFO("sub-groups of " << width);
    CHECK(cl.read<uint32_t>(counters) == want);
  }
}

} // namespace

TEST_CASE("a histogram in global memory", "[atomics]") {
  std::vector<uint32_t> want(10);
  for (int x : mixedInput(kItems))
    ++want[x % 10];
  checkCounters("KERNEL void k(global const int *in, global uint *c) { atomic_inc(&c[in[get_global_id(0)] % 10]); }",
                std::vector<uint32_t>(10), want);
}

TEST_CASE("a histogram in local memory, then in global memory", "[atomics]") {
  std::vector<uint32_t> want(16);
  for (int x : mixedInput(kItems))
    if (x > 20)
      want[x & 15] += x;
  checkCounters(R"(
KERNEL void k(global const int *in, global uint *c) {
  local uint bins[16];
  uint l = get_local_id(0); int x = in[get_global_id(0)];
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x > 20) atomic_add(&bins[x & 15], (uint)x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&c[l], bins[l]);
})",
                std::vector<uint32_t>(16), want);
}

TEST_CASE("every operation in the lanes of a branch", "[atomics]") {
  std::vector<uint32_t> want{1000, 1u << 31, 0, ~0u, 0, 0, ~0u, uint32_t(-50)};
  for (int x : mixedInput(kItems)) {
    if (x % 3 == 0)
      continue;
    want[0] += x;
    want[1] -= x;
    want[2] = std::max<uint32_t>(want[2], x);
    want[3] = std::min<uint32_t>(want[3], x);
    want[4] ^= x;
    want[5] |= x;
    want[6] &= ~uint32_t(x % 4);
    want[7] = uint32_t(std::max(int32_t(want[7]), x - 100));
  }
  checkCounters(R"(
KERNEL void k(global const int *in, global uint *c) {
  int x = in[get_global_id(0)];
  if (x % 3 == 0) return;
  atomic_add(&c[0], (uint)x); atomic_sub(&c[1], (uint)x); atomic_max(&c[2], (uint)x); atomic_min(&c[3], (uint)x);
  atomic_xor(&c[4], (uint)x); atomic_or(&c[5], (uint)x); atomic_and(&c[6], ~(uint)(x % 4));
  atomic_max((global int *)&c[7], x - 100);
})",
                {1000, 1u << 31, 0, ~0u, 0, 0, ~0u, uint32_t(-50)}, want);
}

TEST_CASE("each work-item gets a ticket of its own", "[atomics]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global uint *counter, global uint *taken) {
  uint i = get_global_id(0);
  if (i % 4 != 1) taken[atomic_inc(counter)] = i;
  uint expected = counter[1];
  while (true) { uint seen = atomic_cmpxchg(&counter[1], expected, expected + i); if (seen == expected) break; expected = seen; }
})",
                                          width);
    Memory counter = cl.buffer(std::vector<uint32_t>(2)), taken = cl.buffer(std::vector<uint32_t>(200, 9999));
    cl.run(cl.kernel(program, "k"), {200}, {50}, counter, taken);
    CHECK(cl.read<uint32_t>(counter) == std::vector<uint32_t>{150, 199 * 100});
    std::vector<uint32_t> got = cl.read<uint32_t>(taken), want;
    std::sort(got.begin(), got.end());
    for (uint32_t i = 0; i < 200; ++i)
      if (i % 4 != 1)
        want.push_back(i);
    want.insert(want.end(), 50, 9999);
    CHECK(got == want);
  }
}
