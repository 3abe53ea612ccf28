// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Facts that hold for active lanes only. Guards tell the compiler such facts: a low bit is zero, a number is not
// negative, a sum does not wrap around. Lane 0, from which the other lanes' numbers are derived, may be inactive, and
// then none of them holds for it.
#include "each_item.hpp"

#include <climits>
#include <optional>

using namespace lanecl::test;

namespace {

// What the work-item stores for each number `u`, computed on the host; nothing if its guard keeps it away.
using Expected = std::function<std::optional<int64_t>(int64_t gid, int32_t u)>;

constexpr int64_t kUntouched = -7777777777;

void check(const std::string &body, const std::vector<int32_t> &numbers, const Expected &expected) {
  const std::string source =
      "KERNEL void k(int u, global long *out) { const int gid = get_global_id(0); " + body + " }";
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *options : {"", " -cl-opt-disable"}) {
      const Program program =
          cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\n" + source,
                   "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + options);
      for (const int32_t u : numbers)
        for (const size_t local : {32, 37}) { // full sub-groups, and a partial one after them
          Memory out = cl.buffer(std::vector<int64_t>(3 * local, kUntouched));
          cl.run(cl.kernel(program, "k"), {3 * local}, {local}, u, out);
          std::vector<int64_t> want;
          for (size_t i = 0; i < 3 * local; ++i)
            want.push_back(expected(static_cast<int64_t>(i), u).value_or(kUntouched));
          INFO(body << "\nu = " << u << ", sub-groups of " << width << ", local size " << local << options);
          CHECK(cl.read<int64_t>(out) == want);
        }
    }
}

std::optional<int64_t> when(bool active, int64_t value) {
  return active ? std::optional(value) : std::nullopt;
}

const std::vector<int32_t> kBorders{0, 1, 3, 5, 8, 17, 40};
// For sums that stay in range in active lanes and wrap around in lanes before or after them.
const std::vector<int32_t> kExtremes{INT_MIN, INT_MIN + 1, INT_MIN + 20, INT_MAX - 140, -1, 0, 1};

} // namespace

TEST_CASE("a sum whose low bits a guard tells", "[active_lanes]") {
  check("int x = gid - u; if ((x & 1) == 0) out[gid] = x + 1;", kBorders,
        [](int64_t gid, int32_t u) { return when(((gid - u) & 1) == 0, gid - u + 1); });
  check("int x = gid - u; if ((x & 3) == 0) out[gid] = (long)(x + 2) * 3 + (x | 3);", kBorders,
        [](int64_t gid, int32_t u) {
          const int64_t x = gid - u;
          return when((x & 3) == 0, (x + 2) * 3 + (x | 3));
        });
  check("int x = u - gid; if ((x & 7) == 0) out[gid] = x + 5;", kBorders,
        [](int64_t gid, int32_t u) { return when(((u - gid) & 7) == 0, u - gid + 5); });
  check("short x = gid * 4 - u; if ((x & 1) == 0) out[gid] = (short)(x + 1);", kBorders,
        [](int64_t gid, int32_t u) { return when(((gid * 4 - u) & 1) == 0, gid * 4 - u + 1); });
  check("uchar x = gid * 2 - u; if ((x & 1) == 0) out[gid] = x + 1;", kBorders, [](int64_t gid, int32_t u) {
    const auto x = static_cast<uint8_t>(gid * 2 - u);
    return when((x & 1) == 0, x + 1);
  });
}

TEST_CASE("an address computed from a number whose low bits a guard tells", "[active_lanes]") {
  check("int x = gid - u; if (x >= 0 && (x & 1) == 0) out[x + 1 + u - 1] = x;", kBorders,
        [](int64_t gid, int32_t u) { return when(gid >= u && ((gid - u) & 1) == 0, gid - u); });
  // The addresses of active lanes are aligned to whole vectors of local memory; the address of lane 0 is not.
  check("local int a[256]; int x = gid - u; if ((x & 15) == 0 && x >= 0) { a[x] = gid; out[gid] = a[x]; }", kBorders,
        [](int64_t gid, int32_t u) { return when(((gid - u) & 15) == 0 && gid >= u, gid); });
}

TEST_CASE("numbers below zero before a guard", "[active_lanes]") {
  check("int x = gid - u; if (x >= 0) out[u + x] = (long)x;", kBorders,
        [](int64_t gid, int32_t u) { return when(gid >= u, gid - u); });
  check("uint x = gid - u; if ((int)x >= 0) out[gid] = (ulong)x + 1;", kBorders,
        [](int64_t gid, int32_t u) { return when(gid >= u, gid - u + 1); });
  check("int x = 31 - gid - u; if (x >= 0) out[gid] = (ulong)(uint)x;", kBorders,
        [](int64_t gid, int32_t u) { return when(31 - gid - u >= 0, 31 - gid - u); });
  check("char x = (char)(gid * 3) - (char)u; if (x > 0) out[gid] = (long)x * 2;", kBorders, [](int64_t gid, int32_t u) {
    const auto x = static_cast<int8_t>(static_cast<int8_t>(gid * 3) - static_cast<int8_t>(u));
    return when(x > 0, int64_t{x} * 2);
  });
}

TEST_CASE("sums that wrap around only in inactive lanes", "[active_lanes]") {
  // In the first two, lane 0 is below the smallest int; in the third, it is above the greatest.
  check("int a = gid - 5; if (a >= 0) { int x = a + u; out[gid] = (long)x; }", kExtremes,
        [](int64_t gid, int32_t u) { return when(gid >= 5, gid - 5 + u); });
  check("int a = gid - 21; if (a >= 0) { int x = a * 1 + u; out[gid] = (long)x * 2 + ((long)x << 3); }", kExtremes,
        [](int64_t gid, int32_t u) { return when(gid >= 21, (gid - 21 + u) * 10); });
  check("int a = 40 - gid; if (a <= 0) { int x = a - u; out[gid] = (long)x; }",
        {INT_MIN + 1, INT_MIN + 20, -1, 0, 1, INT_MAX - 140},
        [](int64_t gid, int32_t u) { return when(gid >= 40, 40 - gid - u); });
  check("int a = gid - 5; if (a >= 0 && u > 0) { uint x = (uint)u + a; out[gid] = (ulong)x; }", {1, 7, INT_MAX},
        [](int64_t gid, int32_t u) { return when(gid >= 5, int64_t{u} + gid - 5); });
  check("int a = gid - 13; if (a >= 0 && a < 4) { int x = a * (1 << 29) + u; out[gid] = (long)x; }",
        {INT_MIN, INT_MIN + 9},
        [](int64_t gid, int32_t u) { return when(gid >= 13 && gid < 17, (gid - 13) * (1 << 29) + u); });
}

TEST_CASE("numbers that are equal in all active lanes but different in lane 0", "[active_lanes]") {
  check("int a = gid - 5; if (a >= 0) { int x = a + u; int y = x - gid; out[gid] = (long)y; }",
        {INT_MIN + 6, INT_MIN + 20, 0, 99}, [](int64_t gid, int32_t u) { return when(gid >= 5, int64_t{u} - 5); });
  check("int x = gid - u; if ((x & 1) == 0) { int y = (x | 1) - gid; out[gid] = y; }", kBorders,
        [](int64_t gid, int32_t u) { return when(((gid - u) & 1) == 0, 1 - u); });
}

TEST_CASE("a division by a number that is valid only in active lanes", "[active_lanes]") {
  check("long d = gid - u; if (d > 0) out[gid] = 1000000 / d + 1000000 % d;", kBorders, [](int64_t gid, int32_t u) {
    const int64_t d = gid - u;
    return d > 0 ? when(true, 1000000 / d + 1000000 % d) : std::nullopt;
  });
  check("if (gid > u) out[gid] = sub_group_all((1 << (gid - u > 31 ? 31 : gid - u)) != 0);", kBorders,
        [](int64_t gid, int32_t u) { return when(gid > u, 1); });
}

TEST_CASE("numbers carried by a loop that lanes enter and leave at different times", "[active_lanes]") {
  check("int x = gid - u; long s = 0; for (int i = 0; i < (gid & 3) + 1; ++i) { if ((x & 1) == 0) s += x + 1; else s "
        "-= x; x += 2; } out[gid] = s;",
        kBorders, [](int64_t gid, int32_t u) {
          int64_t x = gid - u, s = 0;
          for (int64_t i = 0; i < (gid & 3) + 1; ++i, x += 2)
            s += (x & 1) == 0 ? x + 1 : -x;
          return when(true, s);
        });
}

TEST_CASE("numbers and pointers that a selection or a loop passes on", "[active_lanes]") {
  check("int x = u > 3 ? gid - u : gid + u; if ((x & 1) == 0) out[gid] = (long)(x + 1);", kBorders,
        [](int64_t gid, int32_t u) {
          const int64_t x = u > 3 ? gid - u : gid + u;
          return when((x & 1) == 0, x + 1);
        });
  check("int x = gid - u; for (int i = 0; i < u; ++i) x += 3; if ((x & 1) == 0) out[gid] = (long)(x | 1);", kBorders,
        [](int64_t gid, int32_t u) {
          const int64_t x = gid - u + 3 * u;
          return when((x & 1) == 0, x | 1);
        });
  check("int x = gid - u; global long *p = out + x; if (x >= 0 && (x & 1) == 0) p[u] = p - out + 1;", kBorders,
        [](int64_t gid, int32_t u) { return when(gid >= u && ((gid - u) & 1) == 0, gid - u + 1); });
  check("global long *p = u & 1 ? out + gid : out + gid - u; if (gid >= u) p[u & 1 ? 0 : u] = (long)p - (long)out;",
        kBorders, [](int64_t gid, int32_t u) { return when(gid >= u, ((u & 1) != 0 ? gid : gid - u) * 8); });
}

TEST_CASE("restrict pointers of a helper do not hide what other work-items write across barriers", "[active_lanes]") {
  // Both pointers are the same. Each work-item reads what another one has written before the barrier.
  const char *const source = R"(
void step(local int *restrict to, local const int *restrict from, int id) {
  for (int i = 0; i < 3; ++i) {
    int x = from[id ^ 1];
    BARRIER(CLK_LOCAL_MEM_FENCE);
    to[id] = x + 1;
    BARRIER(CLK_LOCAL_MEM_FENCE);
  }
}
KERNEL void k(global const int *in, global int *out) {
  local int a[64];
  int id = get_local_id(0);
  a[id] = in[get_global_id(0)];
  BARRIER(CLK_LOCAL_MEM_FENCE);
  step(a, a, id);
  out[get_global_id(0)] = a[id];
})";
  for (const char *barrier : {"#define BARRIER barrier\n", "#define BARRIER sub_group_barrier\n"})
    checkEachItem(barrier + std::string(source), [](const Item &item) { return item.in[item.global ^ 1] + 3; },
                  {{64}, {32}, {8}});
}

TEST_CASE("restrict arguments of a kernel do not hide what other work-items write across barriers", "[active_lanes]") {
  const char *const source = R"(
KERNEL void k(global int *restrict to, global const int *restrict from) {
  int id = get_global_id(0);
  int before = from[id ^ 1];
  BARRIER(CLK_GLOBAL_MEM_FENCE);
  to[id] = before + 100;
  BARRIER(CLK_GLOBAL_MEM_FENCE);
  int behind = from[id ^ 1];
  BARRIER(CLK_GLOBAL_MEM_FENCE);
  to[id] = before * 1000 + behind;
})";
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *barrier : {"barrier", "sub_group_barrier"})
      for (size_t local : {8, 32, 64}) {
        const Program program = buildForWidth(cl, "#define BARRIER " + std::string(barrier) + "\n" + source, width);
        const std::vector<int> before = mixedInput(2 * local);
        Memory memory = cl.buffer(before);
        cl.run(cl.kernel(program, "k"), {2 * local}, {local}, memory, memory);
        std::vector<int> want;
        for (size_t i = 0; i < before.size(); ++i)
          want.push_back(before[i ^ 1] * 1000 + before[i] + 100);
        INFO(barrier << ", sub-groups of " << width << ", local size " << local);
        CHECK(cl.read<int>(memory) == want);
      }
}

TEST_CASE("a store of one lane writes that lane's bytes only", "[active_lanes]") {
  // The last sub-group has one work-item, or a number that is known when the program is built chooses one.
  const Session cl;
  for (const char *type : {"char", "short", "int"})
    for (const char *guard : {"", "if (get_sub_group_local_id() == 3)"})
      for (const char *options : {"", " -cl-opt-disable"}) {
        const Program program =
            cl.build("__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global TYPE *out, long u) {"
                     "  int gid = get_global_id(0);" +
                         std::string(guard) + " out[gid] = (TYPE)(u >> gid); }",
                     std::string("-cl-std=CL3.0 -DTYPE=") + type + options);
        const size_t bytes = std::string_view(type) == "char" ? 1 : std::string_view(type) == "short" ? 2 : 4;
        Memory out = cl.buffer(std::vector<uint8_t>(32 * bytes, 0xcd));
        cl.run(cl.kernel(program, "k"), {17}, {17}, out, int64_t{0x0123456789abcdef});
        std::vector<uint8_t> want(32 * bytes, 0xcd);
        for (size_t i = 0; i < 17; ++i)
          if (*guard == '\0' || i % 8 == 3)
            for (size_t byte = 0; byte < bytes; ++byte)
              want[i * bytes + byte] = static_cast<uint8_t>((int64_t{0x0123456789abcdef} >> i) >> (8 * byte));
        INFO(type << ' ' << guard << options);
        CHECK(cl.read<uint8_t>(out) == want);
      }
}
