// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// vload and vstore, vector components, copies between global and local memory.
#include "each_item.hpp"

#include <numeric>

using namespace lanecl::test;

TEST_CASE("vload and vstore of every size, in all memories", "[vector_memory]") {
  for (int n : {2, 3, 4, 8, 16}) {
    const std::string size = std::to_string(n);
    checkEachItem("#define N " + size + "\n#define LOAD vload" + size + "\n#define STORE vstore" + size +
                      "\ntypedef int" + size + R"( V;
KERNEL void k(global const int *in, global int *out) {
  local int tile[64 * 16];
  size_t i = get_global_id(0), l = get_local_id(0), last = get_global_size(0) / N;
  int own[2 * N];
  for (int c = 0; c < 2 * N; ++c) own[c] = c;
  V v = LOAD(i % last, in);
  STORE(v + 1, l, tile);
  STORE(v * 2, in[i] & 1, own);
  V w = LOAD(l, tile) + LOAD(0, own) * 10;
  int sum = 0;
  if (in[i] > 30) { int flat[N]; STORE(w, 0, flat); for (int c = 0; c < N; ++c) sum += flat[c] * (c + 1); }
  out[i] = sum;
})",
                  [n](const Item &item) {
                    int sum = 0;
                    for (int c = 0; c < n && item.x() > 30; ++c) {
                      const int v = item.in[item.global % (item.in.size() / n) * n + c];
                      sum += (v + 1 + (item.x() & 1 ? c : v * 2) * 10) * (c + 1);
                    }
                    return sum;
                  },
                  {{64}, {37}, {9}});
  }
}

TEST_CASE("vectors at a constant distance between lanes, in all and in some of the lanes", "[vector_memory]") {
  for (const std::string type : {"uchar", "ushort", "int"})
    for (int n : {2, 4, 8})
      for (int distance : {n + 2, 24}) {
        const std::string size = std::to_string(n);
        const uint32_t bits = type == "uchar" ? 255 : type == "ushort" ? 65535 : ~0U;
        CAPTURE(type, n, distance);
        checkEachItem("#define N " + size + "\n#define LOAD vload" + size + "\n#define STORE vstore" + size +
                          "\n#define D " + std::to_string(distance) + "\ntypedef " + type + " T;\n" + R"(
KERNEL void k(global const int *in, global int *out) {
  local T table[64 * D];
  size_t i = get_global_id(0), l = get_local_id(0);
  for (size_t at = l; at < 64 * D; at += get_local_size(0)) table[at] = (T)(at * 37 + 11);
  barrier(CLK_LOCAL_MEM_FENCE);
  T flat[N], some[N];
  STORE(LOAD(0, table + l * D), 0, flat);
  int sum = 0;
  for (int c = 0; c < N; ++c) sum = 3 * sum + flat[c];
  if (in[i] & 1) {
    STORE(LOAD(0, table + l * D + 1), 0, some);
    for (int c = 0; c < N; ++c) sum = 5 * sum + some[c];
  }
  out[i] = sum;
})",
                      [=](const Item &item) {
                        const auto element = [&](size_t at) { return uint32_t(at * 37 + 11) & bits; };
                        uint32_t sum = 0;
                        for (int c = 0; c < n; ++c)
                          sum = 3 * sum + element(item.local * size_t(distance) + size_t(c));
                        for (int c = 0; c < n && (item.x() & 1); ++c)
                          sum = 5 * sum + element(item.local * size_t(distance) + size_t(c) + 1);
                        return int(sum);
                      },
                      {{64}, {37}});
      }
}

TEST_CASE("vectors stored to places that each work-item computes, in all and in some of the lanes", "[vector_memory]") {
  for (const std::string type : {"uchar", "ushort", "int"})
    for (int n : {2, 3, 4, 8}) {
      const uint32_t bits = type == "uchar" ? 255 : type == "ushort" ? 65535 : ~0U;
      CAPTURE(type, n);
      checkEachItem("#define N " + std::to_string(n) + "\n#define STORE vstore" + std::to_string(n) + "\ntypedef " +
                        type + std::to_string(n) + " V;\ntypedef " + type + " T;\n" + R"(
KERNEL void k(global const int *in, global int *out) {
  local T table[64 * 9];
  size_t i = get_global_id(0), l = get_local_id(0), place = l * 7 % 64;
  for (size_t at = l; at < 64 * 9; at += get_local_size(0)) table[at] = (T)(at + 5);
  barrier(CLK_LOCAL_MEM_FENCE);
  T parts[N];
  for (int c = 0; c < N; ++c) parts[c] = (T)(l * 37 + c * 11);
  V v; __builtin_memcpy(&v, parts, sizeof(T) * N);
  STORE(v, 0, table + place * 9);
  if (in[i] & 1) STORE(v + (V)3, 0, table + place * 9 + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int c = 0; c < 9; ++c) sum = 3 * sum + table[place * 9 + c];
  out[i] = sum;
})",
                    [=](const Item &item) {
                      const auto l = uint32_t(item.local), place = l * 7 % 64;
                      std::vector<uint32_t> row(9);
                      for (uint32_t c = 0; c < 9; ++c)
                        row[c] = (place * 9 + c + 5) & bits;
                      for (uint32_t c = 0; c < uint32_t(n); ++c)
                        row[c] = (l * 37 + c * 11) & bits;
                      for (uint32_t c = 0; c < uint32_t(n) && (item.x() & 1); ++c)
                        row[c + 1] = (l * 37 + c * 11 + 3) & bits;
                      uint32_t sum = 0;
                      for (const uint32_t element : row)
                        sum = 3 * sum + element;
                      return int(sum);
                    },
                    {{64}, {37}});
    }
}

TEST_CASE("components, swizzles and vector comparison", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i];
  int4 v = (int4)(x, x - 50, 3, (int)i);
  v.xy = v.yx; v.s3 &= 15;
  int4 m = v > (int4)(10) ? v : -v;
  int4 s = select(v, m * 2, v < 20);
  float4 f = convert_float4(m).wzyx * 0.5f;
  out[i] = any(v == 3) + s.x + s.y * 2 + s.z * 3 + s.w * 4 + (int)dot(f, (float4)(2, 4, 6, 8));
})",
                [](const Item &item) {
                  const int x = item.x(), v[4] = {x - 50, x, 3, int(item.global & 15)};
                  int m[4], s[4];
                  for (int c = 0; c < 4; ++c) {
                    m[c] = v[c] > 10 ? v[c] : -v[c];
                    s[c] = v[c] < 20 ? m[c] * 2 : v[c];
                  }
                  return 1 + s[0] + s[1] * 2 + s[2] * 3 + s[3] * 4 + m[3] + m[2] * 2 + m[1] * 3 + m[0] * 4;
                });
}

TEST_CASE("the lowest bit of a loaded component", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0), at = i + 8 < get_global_size(0) ? i : 0;
  int v = 3;
  switch (vload8(0, in + at).s4 & 1) {
  case 0: v = in[i]; break;
  case 1: break;
  default: v = 100;
  }
  out[i] = v;
})",
                [](const Item &item) {
                  const size_t at = item.global + 8 < item.in.size() ? item.global : 0;
                  return item.in[at + 4] & 1 ? 3 : item.x();
                },
                {{64}, {37}, {5}});
}

TEST_CASE("work-group copies to local memory and back", "[vector_memory]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[64];
  local int back[64];
  size_t l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
  event_t e = async_work_group_copy(tile, in + first, n, 0);
  wait_group_events(1, &e);
  back[l] = tile[n - 1 - l] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + first, back, n, 0);
  wait_group_events(1, &e);
})",
      [](const Item &item) { return item.in[item.global - item.local + item.local_size - 1 - item.local] * 2; });
}

TEST_CASE("strided work-group copies", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[64];
  size_t l = get_local_id(0), n = get_local_size(0);
  event_t e = async_work_group_strided_copy(tile, in, n, 3, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[l];
})",
                [](const Item &item) { return item.in[item.local * 3]; });
}

TEST_CASE("loads and stores of bytes and shorts", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  global const uchar *bytes = (global const uchar *)in;
  global short *halves = (global short *)out;
  halves[2 * i] = bytes[4 * i] - 200;
  if (in[i] & 1) halves[2 * i + 1] = (short)(bytes[4 * i + 1] + in[i]);
  else { global char *o = (global char *)(halves + 2 * i + 1); o[0] = (char)in[i]; o[1] = 1; }
})",
                [](const Item &item) {
                  const uint32_t low = uint16_t(item.x() - 200);
                  const uint32_t high = item.x() & 1 ? item.x() : 256 | item.x();
                  return int(high << 16 | low);
                });
}

TEST_CASE("rows of a matrix, by signed and unsigned indices, in some of the lanes", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0), l = get_local_id(0);
  uint column = (uint)l, columns = (uint)get_local_size(0);
  int sum = 0;
  for (int row = 0; row < 3; ++row)
    sum = 3 * sum + in[l + row * 5];
  for (uint row = 0; row < 3; ++row) {
    sum = 3 * sum + in[column + row * columns];
    if (l > 2 && (in[i] & 1)) sum += in[column + row * columns - 3];
  }
  if (l > 2) sum += in[column - 3] + in[(int)l - 3];
  out[i] = sum;
})",
                [](const Item &item) {
                  int sum = 0;
                  for (size_t row = 0; row < 3; ++row)
                    sum = 3 * sum + item.in[item.local + row * 5];
                  for (size_t row = 0; row < 3; ++row) {
                    const size_t at = item.local + row * item.local_size;
                    sum = 3 * sum + item.in[at];
                    if (item.local > 2 && (item.x() & 1))
                      sum += item.in[at - 3];
                  }
                  return item.local > 2 ? sum + 2 * item.in[item.local - 3] : sum;
                },
                {{64}, {37}, {5}});
}

TEST_CASE("indices that wrap around between two lanes, all of which are active", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int table[256], turned[256];
  size_t i = get_global_id(0), l = get_local_id(0);
  for (uint at = l; at < 256; at += get_local_size(0)) { table[at] = 3 * at; turned[at] = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar below = (uchar)l - (uchar)5;
  char over = (char)((char)l + (char)120);
  turned[below] = table[below];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = turned[((uint)l - 5u) & 255] + 1000 * (table + 128)[over];
})",
                [](const Item &item) {
                  const auto l = int(item.local);
                  return 3 * ((l - 5) & 255) + 3000 * (int8_t(l + 120) + 128);
                });
}

TEST_CASE("unsigned indices that wrap around between two lanes", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint wrapped = (uint)get_local_id(0) - 3u;
  global const int *far = (global const int *)((ulong)in - 4294967293ul * 4);
  int x;
  if (get_local_id(0) < 3) x = far[wrapped];
  else x = in[wrapped];
  uint place = (uint)i - 7u;
  global int *first = (global int *)((ulong)out - 4294967289ul * 4), *others = out + 7;
  if (i < 7) first[place] = x;
  else others[place] = x + 1;
})",
                [](const Item &item) {
                  return item.in[item.local < 3 ? item.local : item.local - 3] + (item.global < 7 ? 0 : 1);
                });
}

TEST_CASE("vectors are divided, also by work-items that run alone", "[vector_memory]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int16 number = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  int16 x = in[i] * 1000 - number * 7777, y = number - 20 - in[i];
  uchar16 a = convert_uchar16(number * 17), b = convert_uchar16(number % 5 + in[i] % 3 + 1);
  int16 sum = x / y + x % y * 3 + convert_int16(a / b) + convert_int16(a % b) * 5;
  int8 eight = sum.lo + sum.hi * 2;
  int4 four = eight.lo + eight.hi * 2;
  out[i] = four.x + four.y * 2 + four.z * 3 + four.w * 4;
})",
                [](const Item &item) {
                  int result = 0;
                  for (int n = 0; n < 16; ++n) {
                    const int x = item.x() * 1000 - n * 7777, y = n - 20 - item.x();
                    const int a = n * 17, b = n % 5 + item.x() % 3 + 1;
                    const int sum = x / y + x % y * 3 + a / b + a % b * 5;
                    result += sum * (n >= 8 ? 2 : 1) * (n % 8 >= 4 ? 2 : 1) * (n % 4 + 1);
                  }
                  return result;
                });
}
