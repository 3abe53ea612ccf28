// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Local memory: variables, arguments, and both.
#include "each_item.hpp"

#include <numeric>

using namespace lanecl::test;

TEST_CASE("local variables of several types in several places", "[local_memory]") {
  checkEachItem(R"(
int reverse(local int *tile, size_t l, size_t n) { return tile[n - 1 - l]; }
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  local int tile[100];
  local int2 pairs[100];
  local uchar bytes[100];
  local int sum;
  tile[l] = in[i]; bytes[l] = (uchar)in[i]; pairs[l] = (int2)(in[i], (int)l);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == n - 1) for (size_t j = 0; j < n; ++j) sum += tile[j];
  barrier(CLK_LOCAL_MEM_FENCE);
  local int again[100];
  again[n - 1 - l] = sum - reverse(tile, l, n); barrier(CLK_LOCAL_MEM_FENCE);
  int2 p = pairs[(l + 2) % n];
  out[i] = again[l] + bytes[(l + 1) % n] * 2 + p.x * 3 + p.y;
})",
                [](const Item &item) {
                  const auto first = item.in.begin() + item.group * item.local_size;
                  const size_t n = item.local_size, l = item.local;
                  return std::accumulate(first, first + n, 0) - first[l] + first[(l + 1) % n] * 2 +
                         first[(l + 2) % n] * 3 + int((l + 2) % n);
                });
}

TEST_CASE("local arguments of different sizes beside local variables", "[local_memory]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global const int *in, local int *a, global int *out, local char *b, local double2 *c) {
  local int own[64];
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  a[l] = in[i]; b[l] = (char)(in[i] + 1); c[l] = (double2)(in[i], l); own[l] = in[i] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t j = (l + 5) % n;
  out[i] = a[j] + b[j] * 2 + (int)(c[j].x + c[j].y) * 3 + own[j];
  out[i] += ((size_t)c % 16 != 0) * 100000;
})",
                                          width);
    const Kernel kernel = cl.kernel(program, "k");
    for (size_t n : {64, 23}) {
      const std::vector<int> input = mixedInput(4 * n);
      Memory in = cl.buffer(input), out = cl.buffer(input);
      cl.run(kernel, {4 * n}, {n}, in, Local{n * 4}, out, Local{n}, Local{n * 16});
      std::vector<int> want;
      for (size_t i = 0; i < 4 * n; ++i) {
        const size_t l = (i % n + 5) % n;
        const int x = input[i / n * n + l];
        want.push_back(x + (x + 1) * 2 + (x + int(l)) * 3 + 2 * x);
      }
      CHECK(cl.read<int>(out) == want);
    }
  }
}

TEST_CASE("lanes of a sub-group see each other's stores in step", "[local_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[100];
  size_t i = get_global_id(0), l = get_local_id(0);
  uint lane = get_sub_group_local_id(), size = get_sub_group_size();
  local int *mine = tile + (l - lane);
  mine[lane] = in[i];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < size; step *= 2) {
    int other = lane >= step ? mine[lane - step] : 0;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    mine[lane] += other;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = mine[lane];
})",
                [](const Item &item) {
                  int sum = 0;
                  for (size_t lane = 0; lane <= item.lane(); ++lane)
                    sum += item.lane(lane);
                  return sum;
                });
}

// Rows that a loop fills, as kernels load a tile. What the compiler knows about the first lane's number decides how the
// loop stores. Steps and starts are multiples of the width, multiples of parts of it, and neither.
TEST_CASE("rows of a tile filled in a loop", "[local_memory]") {
  const Session cl;
  constexpr int kElements = 1024, kGroups = 3;
  struct Walk {
    int local_size, start, step, row;
  };
  const Walk walks[] = {{64, 0, 64, 32}, {64, 0, 64, 64}, {64, 16, 64, 32}, {64, 8, 64, 16},
                        {64, 5, 64, 32}, {64, 0, 72, 32}, {64, 0, 67, 8},   {64, 32, 96, 64},
                        {50, 0, 50, 32}, {40, 0, 40, 4},  {23, 1, 23, 32},  {96, 0, 96, 64}};
  for (const size_t width : widthsInTurn())
    for (const Walk &walk : walks) {
      const std::string size = std::to_string(walk.local_size), row = std::to_string(walk.row);
      const Program program =
          buildForWidth(cl,
                        "#define SIZE " + size + "\n#define ROW " + row + "\n#define START " +
                            std::to_string(walk.start) + "\n#define STEP " + std::to_string(walk.step) + R"(
KERNEL __attribute__((reqd_work_group_size(SIZE, 1, 1))) void k(global const int *in, global int *out, int count) {
  local int tile[1024 / ROW][ROW], turned[ROW][1024 / ROW];
  const int group = get_group_id(0);
  for (int i = get_local_id(0); i < 1024; i += SIZE)
    tile[i / ROW][i % ROW] = turned[i % ROW][i / ROW] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = START + get_local_id(0); i < count; i += STEP)
    tile[i / ROW][i % ROW] = in[i] + group;
  for (uint i = START + get_local_id(0); i < count; i += STEP)
    turned[i % ROW][i / ROW] = 2 * in[i] + group;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 1024; i += SIZE)
    out[group * 1024 + i] = tile[i / ROW][i % ROW] * 1000 + turned[i % ROW][i / ROW];
})",
                        width);
      const Kernel kernel = cl.kernel(program, "k");
      for (const int count : {kElements, 1000, 333}) {
        const std::vector<int> input = mixedInput(kElements);
        Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(kElements * kGroups, 0));
        cl.run(kernel, {size_t(walk.local_size * kGroups)}, {size_t(walk.local_size)}, in, out, count);
        std::vector<int> want;
        for (int group = 0; group < kGroups; ++group)
          for (int i = 0; i < kElements; ++i) {
            const int begin = i - walk.start;
            const bool written = i < count && begin >= 0 && begin % walk.step < walk.local_size;
            want.push_back(written ? (input[size_t(i)] + group) * 1000 + 2 * input[size_t(i)] + group : -1001);
          }
        INFO("width " << width << ", local size " << size << ", step " << walk.step << ", row " << row);
        CHECK(cl.read<int>(out) == want);
      }
    }
}
