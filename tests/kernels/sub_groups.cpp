// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-group functions in which only some sub-groups take part, and block reads and writes of every size.
#include "each_item.hpp"

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

int laneSum(const Item &item) {
  int sum = 0;
  for (size_t lane = 0; lane < item.subGroupSize(); ++lane)
    sum += item.lane(lane);
  return sum;
}

const std::vector<std::vector<size_t>> kShapes{{64}, {37}, {5}, {12, 3}, {5, 3, 2}};

} // namespace

TEST_CASE("a branch that some sub-groups take", "[sub_groups]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int r = -in[i];
  if (get_sub_group_id() % 2 == 0) {
    r = sub_group_reduce_add(in[i]) + sub_group_scan_exclusive_add(1);
  } else if (sub_group_any(in[i] == 3)) {
    r = sub_group_reduce_max(in[i]);
  }
  out[i] = r;
})",
      [](const Item &item) {
        if (item.subGroup() % 2 == 0)
          return laneSum(item) + int(item.lane());
        int largest = 0;
        bool three = false;
        for (size_t lane = 0; lane < item.subGroupSize(); ++lane) {
          largest = std::max(largest, item.lane(lane));
          three |= item.lane(lane) == 3;
        }
        return three ? largest : -item.x();
      },
      kShapes);
}

TEST_CASE("a loop whose trip count differs between sub-groups", "[sub_groups]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int x = in[i], rounds = sub_group_broadcast(x, 0) % 5;
  for (int n = 0; n < rounds; ++n) x = sub_group_scan_inclusive_add(x & 15) + n;
  out[i] = x;
})",
      [](const Item &item) {
        std::vector<int> x;
        for (size_t lane = 0; lane < item.subGroupSize(); ++lane)
          x.push_back(item.lane(lane));
        const int rounds = x[0] % 5;
        for (int n = 0; n < rounds; ++n) {
          int sum = 0;
          for (int &value : x)
            value = (sum += value & 15) + n;
        }
        return x[item.lane()];
      },
      kShapes);
}

TEST_CASE("sub-group functions next to a work-group barrier", "[sub_groups]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int sums[32];
  size_t i = get_global_linear_id();
  int sum = sub_group_reduce_add(in[i]);
  if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  int all = 0;
  for (uint n = 0; n < get_num_sub_groups(); ++n) all += sums[n] * (n + 1);
  out[i] = all - sum;
})",
      [](const Item &item) {
        int all = 0;
        for (size_t l = 0; l < item.local_size; ++l)
          all += item.in[item.global - item.local + l] * int(l / item.width + 1);
        return all - laneSum(item);
      },
      kShapes);
}

TEST_CASE("shuffles of vectors", "[sub_groups]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int x = in[i]; uint n = get_sub_group_size();
  float8 v = (float8)(x, x + 1, x + 2, x + 3, -x, 5, x * 2, i % 7);
  float8 s = intel_sub_group_shuffle(v, (get_sub_group_local_id() * 3 + 1) % n);
  uint2 t = intel_sub_group_shuffle((uint2)(x, x * 3), n - 1);
  out[i] = (int)(s.s0 + 2 * s.s1 + 3 * s.s4 + s.s6 + s.s7) + (int)(t.x + t.y);
})",
      [](const Item &item) {
        const size_t n = item.subGroupSize(), from = (item.lane() * 3 + 1) % n;
        const int x = item.lane(from), last = item.lane(n - 1);
        return x + 2 * (x + 1) - 3 * x + 2 * x + int((item.global - item.lane() + from) % 7) + 4 * last;
      },
      kShapes);
}

TEST_CASE("shuffle_down crosses into the next value, shuffle_up into the previous one", "[sub_groups]") {
  for (int delta : {0, 1, 3, 7, 8})
    checkEachItem("#define DELTA " + std::to_string(delta) + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int x = in[i], y = x * 1000;
  out[i] = intel_sub_group_shuffle_down(x, y, DELTA) - intel_sub_group_shuffle_up(y, x, DELTA) * 7 +
           intel_sub_group_shuffle_xor(x, DELTA & 7) * 3;
})",
                  [delta](const Item &item) {
                    const size_t w = item.width, down = item.lane() + delta, up = item.lane() + w - delta;
                    const int below = down < w ? item.lane(down) : item.lane(down - w) * 1000;
                    const int above = up >= w ? item.lane(up - w) : item.lane(up) * 1000;
                    return below - above * 7 + item.lane(item.lane() ^ (delta & 7)) * 3;
                  },
                  {{64}, {32, 2}});
}

TEST_CASE("block reads and writes of one to eight uints", "[sub_groups]") {
  const Session cl;
  for (size_t width : {8, 16, 32})
    for (size_t n : {1, 2, 4, 8})
      for (size_t local : {3 * width, 2 * width + 3, size_t(5)}) {
        const std::string size = n == 1 ? "" : std::to_string(n);
        const Program program = buildForWidth(cl,
                                              R"(
KERNEL void k(global const uint *in, global uint *out, uint n) {
  size_t first = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * get_max_sub_group_size() * n;
  uint)" + size + " v = intel_sub_group_block_read" +
                                                  size + R"((in + first);
  intel_sub_group_block_write)" + size + R"((out + first, v * 3u + get_sub_group_local_id());
})",
                                              width);
        const size_t sub_groups = (local + width - 1) / width, count = 2 * sub_groups * width * n;
        std::vector<uint32_t> input(count), want(count, 77);
        std::iota(input.begin(), input.end(), 1000u);
        Memory in = cl.buffer(input), out = cl.buffer(want);
        cl.run(cl.kernel(program, "k"), {2 * local}, {local}, in, out, cl_uint(n));
        for (size_t i = 0; i < count; ++i) {
          const size_t lane = i % width, sub_group = i / (width * n) % sub_groups;
          if (sub_group * width + lane < local)
            want[i] = input[i] * 3 + uint32_t(lane);
        }
        INFO("sub-groups of " << width << ", uint" << size << ", local size " << local);
        CHECK(cl.read<uint32_t>(out) == want);
      }
}

TEST_CASE("block reads that only some sub-groups reach", "[sub_groups]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  uint x = 5;
  if (get_sub_group_id() > 0)
    x = intel_sub_group_block_read((global const uint *)in + (i - get_sub_group_local_id()));
  out[i] = x;
})",
      [](const Item &item) { return item.subGroup() > 0 ? item.x() : 5; }, kShapes);
}

TEST_CASE("reductions and scans of each type", "[sub_groups]") {
  for (const char *type : {"int", "uint", "long", "ulong", "float", "double"})
    checkEachItem("typedef " + std::string(type) + R"( T;
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  T x = (T)in[i];
  T r = sub_group_reduce_add(x) + sub_group_reduce_min(x) * 3 + sub_group_reduce_max(x) * 5 +
        sub_group_scan_inclusive_add(x) * 7 + sub_group_scan_inclusive_min(x) * 11 + sub_group_scan_inclusive_max(x) +
        sub_group_scan_exclusive_add(x) * 13 + sub_group_broadcast(x, get_sub_group_size() - 1);
  out[i] = (int)r;
})",
                  [](const Item &item) {
                    int sum = 0, least = 1000, most = 0, inclusive = 0, low = 1000, high = 0;
                    for (size_t lane = 0; lane < item.subGroupSize(); ++lane) {
                      const int x = item.lane(lane);
                      sum += x, least = std::min(least, x), most = std::max(most, x);
                      if (lane <= item.lane())
                        inclusive += x, low = std::min(low, x), high = std::max(high, x);
                    }
                    return sum + least * 3 + most * 5 + inclusive * 7 + low * 11 + high + (inclusive - item.x()) * 13 +
                           item.lane(item.subGroupSize() - 1);
                  },
                  {{64}, {21}});
}
