// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-items that run without lanes beside them: alone in their work-group, or one after the other because they mostly
// move elements.
#include "each_item.hpp"

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

constexpr size_t kRow = 64; // number of elements that a work-item sorts

const char *kSorts = R"(
kernel void insert(global uint *keys, global uint *values, uint count, uint row) {
  uint start = get_global_id(0) * row, end = min(count, start + row);
  for (uint i = start + 1; i < end; ++i) {
    uint key = keys[i], value = values[i], at = i;
    while (at > start && key < keys[at - 1]) {
      keys[at] = keys[at - 1];
      values[at] = values[at - 1];
      --at;
    }
    keys[at] = key;
    values[at] = value;
  }
}
kernel void merge(global const uint *keys, global const uint *values, global uint *to_keys, global uint *to_values,
                  uint count, uint row) {
  uint a = get_global_id(0) * row * 2, a_end = min(count, a + row), b = a_end, b_end = min(count, b + row), to = a;
  while (a < a_end && b < b_end) {
    if (keys[b] < keys[a]) {
      to_keys[to] = keys[b];
      to_values[to] = values[b];
      ++b;
    } else {
      to_keys[to] = keys[a];
      to_values[to] = values[a];
      ++a;
    }
    ++to;
  }
  for (; a < a_end; ++a, ++to) { to_keys[to] = keys[a]; to_values[to] = values[a]; }
  for (; b < b_end; ++b, ++to) { to_keys[to] = keys[b]; to_values[to] = values[b]; }
}
)";

// Returns the positions in the order of the keys. Equal keys keep their order.
std::vector<uint32_t> sortedPositions(const std::vector<uint32_t> &keys) {
  std::vector<uint32_t> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  return positions;
}

void checkSort(size_t count, const std::vector<size_t> &local) {
  const Session cl;
  const Program program = cl.build(kSorts);
  const Kernel insert = cl.kernel(program, "insert"), merge = cl.kernel(program, "merge");
  std::vector<uint32_t> keys(count), positions(count);
  std::iota(positions.begin(), positions.end(), 0);
  for (size_t i = 0; i < count; ++i)
    keys[i] = uint32_t(i) * 2654435761u >> 20;
  Memory from = cl.buffer(keys), from_values = cl.buffer(positions), to = cl.buffer(keys), to_values = cl.buffer(keys);
  const auto n = cl_uint(count);
  cl.run(insert, {(count + kRow - 1) / kRow}, local, from, from_values, n, cl_uint(kRow));
  for (size_t row = kRow; row < count; row *= 2) { // down to a launch of one work-item
    cl.run(merge, {(count + 2 * row - 1) / (2 * row)}, {}, from, from_values, to, to_values, n, cl_uint(row));
    std::swap(from, to);
    std::swap(from_values, to_values);
  }
  INFO("count " << count);
  CHECK(cl.read<uint32_t>(from_values) == sortedPositions(keys));
  std::sort(keys.begin(), keys.end());
  CHECK(cl.read<uint32_t>(from) == keys);
}

} // namespace

TEST_CASE("rows are sorted and merged", "[one_lane]") {
  checkSort(1000, {});
  checkSort(64 * 300, {});
  checkSort(64 * 301 - 5, {7});
  checkSort(64 * 8, {1});
}

TEST_CASE("private arrays, tables and branches of a work-item alone", "[one_lane]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local uint tables[2][64];
  int own[9];
  local uint *table = tables[get_local_id(0) & 1];
  int x = in[get_global_id(0)];
  if (get_local_size(0) > 1 && get_local_id(0) > 0) { out[get_global_id(0)] = x; return; }
  for (int i = 0; i < 64; ++i) table[i] = i * 7 + x;
  for (int i = 0; i < 9; ++i) own[i] = (int)table[(x + i * 5) & 63];
  for (int round = 0; round < x % 7; ++round) {
    int at = (own[round] ^ x) & 7;
    own[at] += own[at + 1];
    if (own[at] & 1) table[own[at] & 63] = (uint)at;
    else own[at] -= (int)table[at];
  }
  int sum = 0;
  for (int i = 0; i < 9; ++i) sum = sum * 3 + own[i];
  out[get_global_id(0)] = sum;
})",
                [](const Item &item) {
                  const int x = item.x();
                  if (item.local_size > 1 && item.local > 0)
                    return x;
                  uint32_t table[64];
                  int own[9];
                  for (int i = 0; i < 64; ++i)
                    table[i] = uint32_t(i * 7 + x);
                  for (int i = 0; i < 9; ++i)
                    own[i] = int(table[(x + i * 5) & 63]);
                  for (int round = 0; round < x % 7; ++round) {
                    const int at = (own[round] ^ x) & 7;
                    own[at] += own[at + 1];
                    if (own[at] & 1)
                      table[own[at] & 63] = uint32_t(at);
                    else
                      own[at] -= int(table[at]);
                  }
                  uint32_t sum = 0;
                  for (const int value : own)
                    sum = sum * 3 + uint32_t(value);
                  return int(sum);
                },
                {{1}, {5}});
}

TEST_CASE("sub-group functions and atomics of a work-item alone", "[one_lane]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int total;
  size_t i = get_global_id(0);
  int x = in[i];
  if (get_local_id(0) == 0) total = 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  int before = get_local_size(0) == 1 ? atomic_add(&total, x) : 100;
  int swapped = get_local_size(0) == 1 ? atomic_cmpxchg(&total, 100 + x, 5) : 100 + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int after = get_local_size(0) == 1 ? total : 5;
  int sum = 0;
  if (get_sub_group_size() == 1)
    sum = sub_group_reduce_add(x) + 2 * sub_group_scan_inclusive_max(x) + 3 * sub_group_scan_exclusive_add(x) +
          4 * intel_sub_group_shuffle(x, 0) + 5 * sub_group_broadcast(x, 0) + 6 * sub_group_all(x == in[i]) +
          7 * as_int(intel_sub_group_block_read((global const uint *)in + i)) + (int)get_sub_group_local_id();
  out[i] = sum + before + swapped * 2 + after * 3;
})",
                [](const Item &item) {
                  const int sum = item.subGroupSize() == 1 ? (1 + 2 + 4 + 5 + 7) * item.x() + 6 : 0;
                  return sum + 100 + (100 + item.x()) * 2 + 15;
                },
                {{1}, {64}});
}

TEST_CASE("work-items that divide the work between them", "[one_lane]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void sums(global const int *in, global int *out, uint count) {
  uint share = (count + get_global_size(0) - 1) / get_global_size(0);
  uint begin = get_global_id(0) * share, end = min(count, begin + share);
  int sum = 0;
  for (uint i = begin; i < end; ++i) { sum += in[i]; out[i] = sum; }
})");
  const std::vector<int> input = mixedInput(5000);
  for (const size_t items : {1, 2, 3, 4, 7, 8, 9, 15, 16, 40}) {
    Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(input.size(), -1));
    cl.run(cl.kernel(program, "sums"), {items}, {}, in, out, cl_uint(input.size()));
    std::vector<int> want(input.size());
    const size_t share = (input.size() + items - 1) / items;
    for (size_t i = 0; i < input.size(); ++i)
      want[i] = input[i] + (i % share == 0 ? 0 : want[i - 1]);
    INFO(items << " work-items");
    CHECK(cl.read<int>(out) == want);
  }
}

namespace {

// Long dependency chains of instructions on vectors. `through` is what a value passes through in each round.
std::string chains(const std::string &through) {
  return R"(
uint16 mixed(uint16 x, uint16 key) {
  x = rotate(x + key, (uint16)7) ^ 0x9e3779b9u;
  return x * 5u + (x >> 3u);
}
KERNEL void k(global const uint16 *in, global uint16 *out, local uint16 *memory) {
  const size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  uint16 x = in[i], y = in[i] ^ 77u;
  __attribute__((opencl_unroll_hint(40))) for (uint round = 0; round < 40; ++round) {
    x = mixed(x, y + round);
    )" + through +
         R"(
    y += x;
  }
  out[2 * i] = x;
  out[2 * i + 1] = y;
})";
}

uint32_t mixedOnHost(uint32_t x, uint32_t key) {
  x += key;
  x = (x << 7 | x >> 25) ^ 0x9e3779b9u;
  return x * 5 + (x >> 3);
}

} // namespace

TEST_CASE("work-groups that are one dependency chain", "[one_lane]") {
  const Session cl;
  const Program programs[] = {cl.build("#define KERNEL kernel" + chains("")),
                              cl.build("#define KERNEL kernel" + chains("memory[0] = x; x = memory[0];"))};
  using Size = std::vector<size_t>;
  for (const auto &[global, local] : std::vector<std::pair<Size, Size>>{{{1}, {1}},
                                                                        {{2}, {1}},
                                                                        {{3}, {1}},
                                                                        {{64}, {1}},
                                                                        {{77}, {1}},
                                                                        {{5, 3}, {1, 1}},
                                                                        {{4, 1, 3}, {1, 1, 1}},
                                                                        {{129}, {}},
                                                                        {{128}, {64}},
                                                                        {{48}, {16}}}) {
    size_t items = 1;
    for (const size_t size : global)
      items *= size;
    std::vector<cl_uint> input(items * 16), want(items * 32);
    for (size_t i = 0; i < input.size(); ++i) {
      input[i] = cl_uint(i) * 2654435761u;
      uint32_t x = input[i], y = input[i] ^ 77u;
      for (uint32_t round = 0; round < 40; ++round) {
        x = mixedOnHost(x, y + round);
        y += x;
      }
      want[i / 16 * 32 + i % 16] = x;
      want[i / 16 * 32 + 16 + i % 16] = y;
    }
    for (const Program &program : programs) {
      const bool uses_memory = &program != &programs[0];
      if (uses_memory && (local.empty() || local[0] > 1))
        continue;
      Memory in = cl.buffer(input), out = cl.buffer(std::vector<cl_uint>(want.size(), 0));
      cl.run(cl.kernel(program, "k"), global, local, in, out, Local{64});
      INFO(items << " work-items, through local memory: " << uses_memory);
      CHECK(cl.read<cl_uint>(out) == want);
    }
  }
}
