// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that are not inlined. With LANECL_KEEP_FUNCTIONS=1 nearly all functions are kept; otherwise only those of
// kernels that would become too large.
#include "each_item.hpp"

#include <array>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes = {{64}, {37}, {5}, {1}, {8, 5}, {3, 4, 3}};

TEST_CASE("functions under masks, in loops and within each other", "[functions]") {
  checkEachItem(
      R"(
int inner(int x, int n) { int s = 0; for (int i = 0; i < n; ++i) s = s * 3 + (x >> (i & 7)); return s; }
int outer(int x) {
  if (x < 20) return inner(x, 3);
  if (x & 1) return -x;
  int s = 1;
  for (int i = 0; i < (x & 7); ++i) s += inner(x + i, i);
  return s;
}
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i], r = x;
  if (x & 2) r += outer(x);
  while (r > 5) { r = r / 2 - outer(r & 15); if (r & 64) break; }
  out[i] = r;
})",
      [](const Item &item) {
        const auto inner = [](int x, int n) {
          int s = 0;
          for (int i = 0; i < n; ++i)
            s = s * 3 + (x >> (i & 7));
          return s;
        };
        const auto outer = [&](int x) {
          if (x < 20)
            return inner(x, 3);
          if ((x & 1) != 0)
            return -x;
          int s = 1;
          for (int i = 0; i < (x & 7); ++i)
            s += inner(x + i, i);
          return s;
        };
        const int x = item.x();
        int r = x;
        if ((x & 2) != 0)
          r += outer(x);
        while (r > 5) {
          r = r / 2 - outer(r & 15);
          if ((r & 64) != 0)
            break;
        }
        return r;
      },
      kShapes);
}

TEST_CASE("functions take and return structures, vectors and private variables", "[functions]") {
  checkEachItem(
      R"(
typedef struct { int a; char b; short2 c; } record;
record change(record r, int n) { r.a += n; r.b ^= 5; r.c.y = (short)(r.c.x - n); return r; }
int sum(record r) { return r.a + r.b * 3 + r.c.x * 7 + r.c.y; }
int4 turn(int4 v, uchar3 w) { v.xy = v.zw + 1; v.w += w.z; return v.yzwx; }
void fill(int *row, int n, int x) { for (int i = 0; i < n; ++i) row[i] = x * i; row[x & 3] -= 100; }
int pick(const int *row, int i) { return row[i & 7]; }
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i], row[8];
  record r = { x, (char)x, (short2)(x, 2) };
  if (x & 1) r = change(r, 3);
  record unchanged = r;
  r = change(unchanged, x);
  fill(row, 8, x);
  if (x & 4) fill(row + 2, x & 3, 9);
  int4 v = turn((int4)(x, 1, 2, 3), (uchar3)(4, 5, (uchar)x));
  out[i] = sum(r) + sum(unchanged) * 1000 + pick(row, x) + v.x + v.y * 2 + v.z * 3 + v.w * 5;
})",
      [](const Item &item) {
        struct Record {
          int a;
          signed char b;
          short c[2];
        };
        const auto change = [](Record r, int n) {
          r.a += n;
          r.b = static_cast<signed char>(r.b ^ 5);
          r.c[1] = static_cast<short>(r.c[0] - n);
          return r;
        };
        const auto sum = [](const Record &r) { return r.a + r.b * 3 + r.c[0] * 7 + r.c[1]; };
        const auto fill = [](int *row, int n, int x) {
          for (int i = 0; i < n; ++i)
            row[i] = x * i;
          row[x & 3] -= 100;
        };
        const int x = item.x();
        Record r{x, static_cast<signed char>(x), {static_cast<short>(x), 2}};
        if ((x & 1) != 0)
          r = change(r, 3);
        const Record unchanged = r;
        r = change(unchanged, x);
        int row[8];
        fill(row, 8, x);
        if ((x & 4) != 0)
          fill(row + 2, x & 3, 9);
        // turn: v = (x, 1, 2, 3) becomes (3, 4, 2, 3 + (uchar)x), and then .yzwx
        const int v[4] = {4, 2, 3 + (x & 255), 3};
        return sum(r) + sum(unchanged) * 1000 + row[x & 7] + v[0] + v[1] * 2 + v[2] * 3 + v[3] * 5;
      },
      kShapes);
}

// A function of more than 1,000 instructions reads entries of a table. It takes a number and a pointer into the table.
std::string functionWithTable(const std::string &table, const std::string &result) {
  return "constant int table[8] = { " + table + R"( };
#define STEP(i) x = x * 3 + table[(x ^ i) & 7]; x ^= (x >> 3) & 255;
#define STEPS(i) STEP(i) STEP(i + 1) STEP(i + 2) STEP(i + 3) STEP(i + 4) STEP(i + 5) STEP(i + 6) STEP(i + 7)
#define MANY(i) STEPS(i) STEPS(i + 8) STEPS(i + 16) STEPS(i + 24) STEPS(i + 32) STEPS(i + 40) STEPS(i + 48) STEPS(i + 56)
uint large(uint x, constant int *at) { MANY(0) MANY(64) return )" +
         result + "; }\n";
}

unsigned takeSteps(unsigned x, const std::array<int, 8> &table) {
  for (unsigned i = 0; i < 128; ++i) {
    x = x * 3 + static_cast<unsigned>(table[(x ^ i) & 7]);
    x ^= (x >> 3) & 255;
  }
  return x;
}

// The code of a large function is generated once for all kernels that contain it. The second program differs from the
// first in a table only, and the third one in what calls the function.
TEST_CASE("several programs have the same large function", "[functions]") {
  const auto check = [](const std::string &entries, const std::string &argument, const std::array<int, 8> &table,
                        const auto &value) {
    checkEachItem(
        functionWithTable(entries, "x") + R"(
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i];
  out[i] = (x & 4) ? large()" +
            argument + ", table) : x;\n}",
        [&](const Item &item) {
          const int x = item.x();
          return (x & 4) == 0 ? x : static_cast<int>(takeSteps(static_cast<unsigned>(value(x)), table));
        },
        kShapes);
  };
  const std::array primes{2, 3, 5, 7, 11, 13, 17, 19}, squares{1, 4, 9, 16, 25, 36, 49, 64};
  check("2, 3, 5, 7, 11, 13, 17, 19", "x", primes, [](int x) { return x; });
  check("1, 4, 9, 16, 25, 36, 49, 64", "x", squares, [](int x) { return x; });
  check("2, 3, 5, 7, 11, 13, 17, 19", "x * 5 - 1", primes, [](int x) { return x * 5 - 1; });
}

// The kernel and the function, whose code may be in different objects, must mean the same table when they compare
// addresses. The second program shares the function's code with the first, not its table. All work-items call it, then
// some of them.
TEST_CASE("a large function compares addresses of a table", "[functions]") {
  const auto check = [](const std::string &entries, const std::array<int, 8> &table) {
    checkEachItem(
        functionWithTable(entries, "(x & 0xffff) + 65536 * (uint)(at - table) + (at == table + 2) * 524288") +
            R"(
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i];
  uint y = large(7 * x, table + 2);
  out[i] = (x & 4) ? large(y, table + (x & 7)) : y;
})",
        [&](const Item &item) {
          const int x = item.x();
          const auto large = [&](unsigned y, unsigned at) {
            return (takeSteps(y, table) & 0xffff) + 65536 * at + (at == 2 ? 524288 : 0);
          };
          const unsigned y = large(static_cast<unsigned>(7 * x), 2);
          return static_cast<int>((x & 4) != 0 ? large(y, static_cast<unsigned>(x & 7)) : y);
        },
        kShapes);
  };
  check("2, 3, 5, 7, 11, 13, 17, 19", {2, 3, 5, 7, 11, 13, 17, 19});
  check("1, 4, 9, 16, 25, 36, 49, 64", {1, 4, 9, 16, 25, 36, 49, 64});
}

// A pointer to a private variable is passed as lane 0's address where all calls of a version pass variables of one
// size, and as an address for each lane where the lanes choose the variable.
TEST_CASE("functions take pointers to private variables of several sizes", "[functions]") {
  checkEachItem(
      R"(
typedef struct { int a; uchar b[3]; } record;
void bump(int *p, int by) { *p += by; }
void turns(int *p, int n) { for (int i = 0; i < n; ++i) if ((i ^ *p) & 1) bump(p, i * 5); else bump(p, -2 * i - 1); }
int bytes(uchar *b, int i) { b[i % 3] += 7; return b[0] ^ b[1] * 3 ^ b[2] * 9; }
void both(int *p, int *q) { int t = *p; *p = *q + 1; *q = t; }
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i], one = x, two = -x, five[5] = { x, x + 1, x + 2, x + 3, x + 4 };
  record r = { x * 3, { 1, 2, (uchar)x } };
  bump(&one, 3);
  if (x & 1) bump(&five[2], x);
  bump((x & 2) ? &one : five + 4, 100);
  turns(&one, x & 7);
  if (x > 10) turns(five + 1, 3);
  turns(&r.a, 2);
  int b = bytes(r.b, x & 15);
  if (x & 4) both(&one, five + 3); else both(&two, &r.a);
  both(five, five + (x & 3));
  out[i] = one + two * 3 + five[0] * 5 + five[1] * 7 + five[2] * 11 + five[3] * 13 + five[4] * 17 + r.a * 19 + b * 23;
})",
      [](const Item &item) {
        const auto bump = [](int *p, int by) { *p += by; };
        const auto turns = [&](int *p, int n) {
          for (int i = 0; i < n; ++i)
            bump(p, ((i ^ *p) & 1) != 0 ? i * 5 : -2 * i - 1);
        };
        const auto both = [](int *p, int *q) {
          const int t = *p;
          *p = *q + 1;
          *q = t;
        };
        const int x = item.x();
        int one = x, two = -x, five[5] = {x, x + 1, x + 2, x + 3, x + 4}, a = x * 3;
        unsigned char b[3] = {1, 2, static_cast<unsigned char>(x)};
        bump(&one, 3);
        if ((x & 1) != 0)
          bump(&five[2], x);
        bump((x & 2) != 0 ? &one : five + 4, 100);
        turns(&one, x & 7);
        if (x > 10)
          turns(five + 1, 3);
        turns(&a, 2);
        b[(x & 15) % 3] = static_cast<unsigned char>(b[(x & 15) % 3] + 7);
        const int bytes = b[0] ^ b[1] * 3 ^ b[2] * 9;
        if ((x & 4) != 0)
          both(&one, five + 3);
        else
          both(&two, &a);
        both(five, five + (x & 3));
        return one + two * 3 + five[0] * 5 + five[1] * 7 + five[2] * 11 + five[3] * 13 + five[4] * 17 + a * 19 +
               bytes * 23;
      },
      kShapes);
}

// All lanes choose the same variable, and yet each lane has its own.
TEST_CASE("functions take and return pointers to private variables that all lanes choose alike", "[functions]") {
  checkEachItem(
      R"(
typedef struct { int *row; int n; } part;
void add(int *row, int by) { row[0] += by; row[1] ^= by; }
int *later(int *row, int n) { row[n & 1] += 5; return row + 1; }
int last(part p) { return p.row[p.n & 1] * p.n; }
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), x = in[i], a[3] = { x, x + 1, x + 2 }, b[3] = { 3 * x, 1, -x };
  int *p = in[0] < 5 ? a : b, *q = in[0] < 5 ? b : a;
  add(p, x);
  if (x & 1) add(q, 3);
  add(later(p, x), 7);
  part one = { q, x }, two = { p + 1, 2 };
  out[i] = a[0] + a[1] * 3 + a[2] * 5 + b[0] * 7 + b[1] * 9 + b[2] * 11 + last(one) + last(two);
})",
      [](const Item &item) {
        const auto add = [](int *row, int by) {
          row[0] += by;
          row[1] ^= by;
        };
        const int x = item.x();
        int a[3] = {x, x + 1, x + 2}, b[3] = {3 * x, 1, -x};
        int *const p = item.in[0] < 5 ? a : b, *const q = item.in[0] < 5 ? b : a;
        add(p, x);
        if ((x & 1) != 0)
          add(q, 3);
        p[x & 1] += 5;
        add(p + 1, 7);
        return a[0] + a[1] * 3 + a[2] * 5 + b[0] * 7 + b[1] * 9 + b[2] * 11 + q[x & 1] * x + p[1] * 2;
      },
      kShapes);
}

TEST_CASE("functions ask for the launch and access all kinds of memory", "[functions]") {
  checkEachItem(R"(
constant int table[4] = { 3, 5, 7, 11 };
global int unused_by_all = 4;
int place(void) { return get_global_linear_id(); }
int where(void) { return get_local_linear_id() * 3 + get_group_id(get_work_dim() - 1) * 1000; }
int same(int n) { int s = 0; for (int i = 0; i < n; ++i) s += table[i & 3] + unused_by_all; return s; }
void put(global int *out, local int *shared, int x) { out[place()] += x; shared[get_local_linear_id()] = x; }
int read(const void *p) { return *(const int *)p; }
KERNEL void k(global const int *in, global int *out) {
  local int shared[64];
  int i = get_global_linear_id(), own = in[i] + 1;
  out[i] = same(get_work_dim() + 2);
  shared[get_local_linear_id()] = 0;
  if (in[i] & 1) put(out, shared, where());
  out[i] += shared[get_local_linear_id()] + read(&own) * 2 + read(in + i);
})",
                [](const Item &item) {
                  const int x = item.x();
                  const int where = static_cast<int>(item.local * 3 + item.group * 1000);
                  int same = 0;
                  for (int i = 0; i < 3; ++i)
                    same += std::array{3, 5, 7, 11}[i & 3] + 4;
                  return same + ((x & 1) != 0 ? 2 * where : 0) + (x + 1) * 2 + x;
                },
                {{64}, {37}, {5}, {1}});
}

TEST_CASE("a kernel that a kernel calls has its own local variables", "[functions]") {
  checkEachItem(
      R"(
kernel void inner(global int *result, int x, int n) {
  local int kept[64];
  size_t l = get_local_linear_id();
  kept[l] = x;
  for (int i = 0; i < n; ++i) kept[l] = kept[l] * 3 + i;
  *result = kept[l];
}
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  inner(out + i, in[i], 100);
  int a = out[i];
  inner(out + i, in[i] + 1, in[i] & 15);
  out[i] ^= a;
})",
      [](const Item &item) {
        const auto inner = [](uint32_t x, int n) {
          for (int i = 0; i < n; ++i)
            x = x * 3 + static_cast<uint32_t>(i);
          return x;
        };
        return static_cast<int>(inner(item.x(), 100) ^ inner(item.x() + 1, item.x() & 15));
      },
      kShapes);
}

TEST_CASE("lanes that pass the same arguments get the same result", "[functions]") {
  // The loops of `turns` and the branch of the kernel then need no mask.
  checkEachItem(R"(
int turns(int n) { int s = n; while (s < 1000) s = s * 3 + n; return s; }
int first(global const int *in, int n) { return turns(in[n] | 1); }
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), r = in[i];
  int n = first(in, 2);
  if (n & 1) r += turns(r | 1); else r -= first(in, n & 1);
  for (int j = 0; j < (n & 7); ++j) r += first(in, j & 1);
  out[i] = r;
})",
                [](const Item &item) {
                  const auto turns = [](int n) {
                    int s = n;
                    while (s < 1000)
                      s = s * 3 + n;
                    return s;
                  };
                  const auto first = [&](int n) { return turns(item.in[n] | 1); };
                  int r = item.x();
                  const int n = first(2);
                  if ((n & 1) != 0)
                    r += turns(r | 1);
                  else
                    r -= first(n & 1);
                  for (int j = 0; j < (n & 7); ++j)
                    r += first(j & 1);
                  return r;
                },
                {{64}, {37}, {5}});
}

// The first lane's number would wrap around, but that lane does not call the function.
TEST_CASE("functions that the first lane does not call", "[functions]") {
  checkEachItem(R"(
long number(int least) { return (long)(least + ((int)get_local_id(0) - 3)); }
KERNEL void k(global const int *in, global int *out) {
  int i = get_global_linear_id(), l = get_local_id(0), least = in[0] < 1000 ? -2147483646 : in[1];
  long r = in[i];
  if (l >= 1 && l <= 4) r = number(least);
  out[i] = (int)(r >> 3);
})",
                [](const Item &item) {
                  const auto l = static_cast<int64_t>(item.local);
                  return static_cast<int>((l >= 1 && l <= 4 ? l - 3 - 2147483646 : int64_t{item.x()}) >> 3);
                },
                {{64}, {37}, {5}, {8}});
}

// 2^13 calls of `f0`, because each function calls the next one twice. Inlined, they would be a million instructions.
// Built for debugging or for sanitizers, the kernel has 2^6.
TEST_CASE("functions that each call the next one twice", "[functions]") {
  const int depth = isRepeated() ? 6 : 13;
  std::string source = "int f0(int x, global const int *t) { return (int)((uint)x * 2654435761u) ^ t[x & 3]; }\n";
  for (int i = 1; i <= depth; ++i) {
    const std::string next = "f" + std::to_string(i - 1), number = std::to_string(i);
    source += "int f" + number + "(int x, global const int *t) { int y = " + next + "(x, t); return " + next + "(y ^ " +
              number + ", t) + y; }\n";
  }
  const std::string last = "f" + std::to_string(depth), before = "f" + std::to_string(depth - 1);
  source +=
      "KERNEL void k(global const int *in, global int *out) { int i = get_global_linear_id(); out[i] = in[i] & 1 ? " +
      last + "(in[i], in) : " + before + "(i, in); }";
  checkEachItem(source,
                [&](const Item &item) {
                  const std::function<uint32_t(int, uint32_t)> f = [&](int number, uint32_t x) {
                    if (number == 0)
                      return (x * 2654435761u) ^ static_cast<uint32_t>(item.in[x & 3]);
                    const uint32_t y = f(number - 1, x);
                    return f(number - 1, y ^ static_cast<uint32_t>(number)) + y;
                  };
                  const auto x = static_cast<uint32_t>(item.x()), i = static_cast<uint32_t>(item.global);
                  return static_cast<int>((x & 1) != 0 ? f(depth, x) : f(depth - 1, i));
                },
                {{16}, {5}});
}

} // namespace
