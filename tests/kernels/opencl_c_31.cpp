// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What became part of OpenCL C with version 3.1: functions that programs do not have to enable.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kLocals = {{64}, {37}};

void check31(const std::string &source, const std::function<int(const Item &)> &expected) {
  checkEachItem("#if __OPENCL_C_VERSION__ < CL_VERSION_3_1\n#error\n#endif\n" + source, expected, kLocals, "CL3.1");
}

uint32_t reversed(uint32_t value) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    result |= (value >> bit & 1) << (31 - bit);
  return result;
}

// Whether the item's sub-group is full. In other sub-groups, partners may be missing.
bool isFull(const Item &item) {
  return item.subGroupSize() == item.width;
}

} // namespace

TEST_CASE("extended bit operations of OpenCL C 3.1", "[opencl_c_31]") {
  check31(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint x = (uint)in[i] * 2654435761u;
  uint n = (uint)(i % 24);
  out[i] = (int)(bit_reverse(x) ^ bitfield_insert(x, 0xffu, n, 5) ^ (uint)bitfield_extract_signed(x, n, 7) ^
                 bitfield_extract_unsigned(x, n, 8));
})",
          [](const Item &item) {
            const uint32_t x = uint32_t(item.x()) * 2654435761u, n = uint32_t(item.global % 24), mask = 31u << n;
            const int32_t extracted = int32_t(x << (25 - n)) >> 25;
            return int(reversed(x) ^ ((x & ~mask) | (0xffu << n & mask)) ^ uint32_t(extracted) ^ (x >> n & 0xff));
          });
}

TEST_CASE("integer dot products of OpenCL C 3.1", "[opencl_c_31]") {
  check31(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint x = (uint)in[i] * 2654435761u;
  char4 a = as_char4(x);
  uchar4 b = as_uchar4(~x);
  out[i] = dot(a, a) + dot(a, b) + dot_acc_sat(a, b, in[i]) + dot_4x8packed_ss_int(x, ~x) +
           (int)dot_4x8packed_uu_uint(x, ~x) + dot_acc_sat_4x8packed_us_int(x, ~x, in[i]);
})",
          [](const Item &item) {
            const uint32_t x = uint32_t(item.x()) * 2654435761u;
            int sum = 0;
            for (unsigned i = 0; i < 32; i += 8) {
              const int a = int8_t(x >> i), b = uint8_t(~x >> i), ua = uint8_t(x >> i), sb = int8_t(~x >> i);
              sum += a * a + a * b + a * b + a * sb + ua * b + ua * sb;
            }
            return sum + 2 * item.x();
          });
}

TEST_CASE("shuffles and rotations of OpenCL C 3.1", "[opencl_c_31]") {
  check31(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint lane = get_sub_group_local_id(), size = get_sub_group_size();
  if (size < WIDTH) { out[i] = 0; return; }
  int x = in[i];
  short s = (short)x;
  double d = x;
  int up = sub_group_shuffle_up(x, 2u), down = (int)sub_group_shuffle_down(d, 3u);
  out[i] = sub_group_shuffle(x, (lane * 3u + 1u) % WIDTH) + 101 * sub_group_shuffle_xor(s, 5u) +
           10007 * (lane >= 2 ? up : 0) + 77 * (lane + 3 < WIDTH ? down : 0) + 31 * sub_group_rotate((long)x, 7) +
           13 * (int)sub_group_clustered_rotate((uchar)x, 1, 4u);
})",
          [](const Item &item) {
            if (!isFull(item))
              return 0;
            const size_t lane = item.lane(), width = item.width;
            return item.lane((lane * 3 + 1) % width) + 101 * item.lane(lane ^ 5) +
                   10007 * (lane >= 2 ? item.lane(lane - 2) : 0) + 77 * (lane + 3 < width ? item.lane(lane + 3) : 0) +
                   31 * item.lane((lane + 7) % width) + 13 * item.lane(lane / 4 * 4 + (lane + 1) % 4);
          });
}

TEST_CASE("sub-group functions of all types of OpenCL C 3.1", "[opencl_c_31]") {
  check31(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  char x = (char)in[i];
  ushort4 all = sub_group_broadcast((ushort4)((ushort)x, 1, 2, (ushort)i), 0u);
  out[i] = sub_group_reduce_max(x) + 128 * sub_group_scan_inclusive_min((short)x) +
           32768 * (int)sub_group_scan_exclusive_add((uchar)(x & 1)) + 1000 * all.x + all.z;
})",
          [](const Item &item) {
            int most = 0, least = 1000, odd = 0;
            for (size_t i = 0; i < item.subGroupSize(); ++i)
              most = std::max(most, item.lane(i));
            for (size_t i = 0; i <= item.lane(); ++i)
              least = std::min(least, item.lane(i));
            for (size_t i = 0; i < item.lane(); ++i)
              odd += item.lane(i) & 1;
            return most + 128 * least + 32768 * odd + 1000 * item.lane(0) + 2;
          });
}

TEST_CASE("scopes of different width that include each other synchronize", "[opencl_c_31]") {
  // All work-items write, and the one that comes last sees what all have written, whatever the scope of either side.
  for (const char *first : {"sub_group", "work_group", "device", "all_devices"})
    for (const char *second : {"sub_group", "work_group", "device", "all_devices"}) {
      const bool is_narrow = std::string(first) == "sub_group" || std::string(second) == "sub_group";
      for (const size_t width : widthsInTurn()) {
        const Session cl;
        const std::string scopes =
            std::string("#define FIRST memory_scope_") + first + "\n#define SECOND memory_scope_" + second + "\n";
        const Program program = buildForWidth(cl, scopes + R"(
KERNEL void k(global int *values, global atomic_int *count, global int *out) {
  int i = (int)get_local_id(0), total = (int)get_local_size(0), group = (int)get_group_id(0), seen = total;
  values[get_global_id(0)] = i + 1;
#if FENCES
  atomic_fetch_add_explicit(count + group, 1, memory_order_relaxed, FIRST);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, FIRST);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, SECOND);
  atomic_compare_exchange_strong_explicit(count + group, &seen, 0, memory_order_relaxed, memory_order_relaxed, SECOND);
#else
  atomic_fetch_add_explicit(count + group, 1, memory_order_release, FIRST);
  atomic_compare_exchange_strong_explicit(count + group, &seen, 0, memory_order_acquire, memory_order_relaxed, SECOND);
#endif
  if (seen == total) {
    int sum = 0;
    for (int j = 0; j < total; ++j)
      sum += values[group * total + j];
    out[group] = sum;
  }
})",
                                              width, std::string("CL3.1 -DFENCES=") + (width == 16 ? "1" : "0"));
        const size_t local = is_narrow ? width : 96, groups = 20;
        const Memory values = cl.buffer(std::vector<int>(local * groups)), count = cl.buffer(std::vector<int>(groups)),
                     out = cl.buffer(std::vector<int>(groups));
        cl.run(cl.kernel(program, "k"), {local * groups}, {local}, values, count, out);
        INFO(first << ", " << second << ", sub-groups of " << width);
        CHECK(cl.read<int>(out) == std::vector<int>(groups, int(local * (local + 1) / 2)));
      }
    }
}
