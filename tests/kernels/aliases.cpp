// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of members and elements by subscripts that differ in the text but are equal at run time.
#include "each_item.hpp"

#include <array>

using namespace lanecl::test;

namespace {

constexpr int kSubscript = 3; // the kernels subtract this from their subscripts again

// A kernel body that changes the work-item's structure s[i], which is also s[j], and returns one number in `r`.
struct Change {
  const char *text;
  int (*expected)(std::array<int, 4> &s, int x);
};

constexpr Change kChanges[] = {
    {"int a = s[i].x; s[j].y = 1000; r = a + s[i].y;",
     [](std::array<int, 4> &s, int) {
       s[1] = 1000;
       return s[0] + s[1];
     }},
    {"int a = s[i].w; s[j].y += x; int c = s[i].z; s[j].x -= x; r = a + 3 * c + 5 * s[i].y + 7 * s[i].x;",
     [](std::array<int, 4> &s, int x) {
       s[1] += x;
       s[0] -= x;
       return s[3] + 3 * s[2] + 5 * s[1] + 7 * s[0];
     }},
    {"s[i].x = x; r = s[j].x; s[i].y = 2 * x; s[i].z = r; r += 3 * s[j].z; s[i].w = 5;",
     [](std::array<int, 4> &s, int x) {
       s = {x, 2 * x, x, 5};
       return 4 * x;
     }},
    {"r = s[i].x + s[i].y; s[j].z = x; s[j].w = r; s[i].x = s[j].w; r += s[i].z + s[i].w; s[i].y = s[j].x;",
     [](std::array<int, 4> &s, int x) {
       const int sum = s[0] + s[1];
       s = {sum, sum, x, sum};
       return sum + x + sum;
     }},
    {"for (int n = 0; n < 4; ++n) { r = r * 3 + s[i].x; s[j].y ^= r & 255; r += s[i].y + s[i].z; s[j].w = n; r += "
     "s[i].w; }",
     [](std::array<int, 4> &s, int) {
       int r = 0;
       for (int n = 0; n < 4; ++n) {
         r = r * 3 + s[0];
         s[1] ^= r & 255;
         r += s[1] + s[2] + n;
         s[3] = n;
       }
       return r;
     }},
    {"if (x & 1) { r = s[i].x; s[j].z = x; r += s[i].y + s[i].z + s[i].w; } else { s[i].x = x; r = s[j].x; s[i].y = r; "
     "}",
     [](std::array<int, 4> &s, int x) {
       if ((x & 1) == 0) {
         s[0] = s[1] = x;
         return x;
       }
       s[2] = x;
       return s[0] + s[1] + s[2] + s[3];
     }},
};

void checkChange(const Session &cl, const Change &change, const std::string &type, const std::string &space,
                 size_t width, size_t local) {
  const bool is_local = space == "local";
  const Program program =
      buildForWidth(cl,
                    "typedef struct { " + type + " x, y, z, w; } T;\n" +
                        "KERNEL void k(global T *all, global int *out, uint b, local T *part) {\n" +
                        "  size_t i = get_global_id(0), j; int x = i % 50, r = 0;\n" +
                        (is_local ? "  local T *s = part; T old = all[i]; i = get_local_id(0); "
                                    "s[i] = old;\n"
                                  : "  global T *s = all;\n") +
                        "  j = i + (b - 3);\n  " + change.text + "\n" +
                        (is_local ? "  all[get_global_id(0)] = s[i];\n" : "") + "  out[get_global_id(0)] = r;\n}",
                    width);
  const size_t items = 3 * local;
  const std::vector<int> given = mixedInput(4 * items);
  std::vector<int> want_all, want_out;
  for (size_t i = 0; i < items; ++i) {
    std::array<int, 4> s{given[4 * i], given[4 * i + 1], given[4 * i + 2], given[4 * i + 3]};
    want_out.push_back(change.expected(s, int(i % 50)));
    want_all.insert(want_all.end(), s.begin(), s.end());
  }
  const auto run = [&](auto element) {
    using Element = decltype(element);
    Memory all = cl.buffer(std::vector<Element>(given.begin(), given.end()));
    Memory out = cl.buffer(std::vector<int>(items, -12345));
    cl.run(cl.kernel(program, "k"), {items}, {local}, all, out, uint32_t(kSubscript),
           Local{local * 4 * sizeof(Element)});
    INFO(space << " " << type << ", sub-groups of " << width << ", local size " << local << "\n" << change.text);
    CHECK(cl.read<int>(out) == want_out);
    CHECK(cl.read<Element>(all) == std::vector<Element>(want_all.begin(), want_all.end()));
  };
  if (type == "int")
    run(int32_t());
  else if (type == "short")
    run(int16_t());
  else
    run(int64_t());
}

} // namespace

TEST_CASE("members accessed by two subscripts that are equal at run time", "[aliases]") {
  const Session cl;
  const std::vector<size_t> locals{64, 37, 5};
  size_t turn = 0;
  for (const size_t width : widthsInTurn())
    for (const Change &change : kChanges)
      for (const char *type : {"int", "short", "long"})
        for (const char *space : {"global", "local"})
          checkChange(cl, change, type, space, width, locals[turn++ % locals.size()]);
}

TEST_CASE("one of two private arrays through a chosen pointer", "[aliases]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint p0[8], p1[8], l = get_local_id(0), acc = 0;
  for (uint k = 0; k < 8; ++k) { p0[k] = in[i] + k; p1[k] = in[i] * 3 + k; }
  uint *v = in[i] % 3 != 0 ? p0 : p1;
  v[l & 7] += 1;
  uint *x = p1[0] == in[0] ? p0 : p1;
  x[2] += 1;
  for (uint k = 0; k < 8; ++k) acc = acc * 17 + p0[k] + p1[k];
  out[i] = (int)acc;
})",
                [](const Item &item) {
                  const auto x = uint32_t(item.x());
                  std::array<std::array<uint32_t, 8>, 2> p;
                  for (uint32_t k = 0; k < 8; ++k) {
                    p[0][k] = x + k;
                    p[1][k] = x * 3 + k;
                  }
                  p[x % 3 != 0 ? 0 : 1][item.local & 7] += 1;
                  p[p[1][0] == uint32_t(item.in[0]) ? 0 : 1][2] += 1;
                  uint32_t acc = 0;
                  for (uint32_t k = 0; k < 8; ++k)
                    acc = acc * 17 + p[0][k] + p[1][k];
                  return int(acc);
                });
}

TEST_CASE("one buffer as two arguments", "[aliases]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
typedef struct { int x, y; } T;
KERNEL void k(global T *a, global T *b, global int *out) {
  size_t i = get_global_id(0);
  int r = a[i].x;
  b[i].y = r + 1;
  r += a[i].y * 3;
  a[i].x = r;
  r += b[i].x * 5;
  a[i].y = r;
  out[i] = r;
})",
                                          width);
    const std::vector<int> given = mixedInput(2 * 111);
    Memory all = cl.buffer(given), out = cl.buffer(std::vector<int>(111));
    cl.run(cl.kernel(program, "k"), {111}, {37}, all, all, out);
    std::vector<int> want_all, want_out;
    for (size_t i = 0; i < 111; ++i) {
      const int first = given[2 * i], x = first + (first + 1) * 3, y = x + x * 5;
      want_all.insert(want_all.end(), {x, y});
      want_out.push_back(y);
    }
    INFO("sub-groups of " << width);
    CHECK(cl.read<int>(all) == want_all);
    CHECK(cl.read<int>(out) == want_out);
  }
}

// In each call, the two pointers are to different objects, or only one of them is used. This does not hold from one
// turn to the next.
TEST_CASE("restrict parameters of a function that is called in a loop", "[aliases]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
void update(global int *restrict to, global int *restrict from, int copies) {
  if (copies) *to = *from + 1; else *to = 5;
}
void outer(global int *a, global int *s, int copies) { update(copies ? a : s, s, copies); }
KERNEL void called(global int *a, global int *s, global const int *copies, int n) {
  size_t g = get_global_id(0);
  a[g] = s[g];
  for (int i = 0; i < n; i++)
    update(copies[i] ? a + g : s + g, s + g, copies[i]);
}
KERNEL void nested(global int *a, global int *s, global const int *copies, int n) {
  size_t g = get_global_id(0);
  a[g] = s[g];
  for (int i = 0; i < n; i++)
    outer(a + g, s + g, copies[i]);
})",
                                          width);
    for (const char *kernel : {"called", "nested"}) {
      const size_t items = 2 * width + 3;
      Memory a = cl.buffer(std::vector<int>(items)), s = cl.buffer(std::vector<int>(items, 100));
      Memory copies = cl.buffer(std::vector<int>{0, 1, 1});
      cl.run(cl.kernel(program, kernel), {items}, {items}, a, s, copies, cl_int(3));
      INFO(kernel << ", sub-groups of " << width);
      CHECK(cl.read<int>(a) == std::vector<int>(items, 6));
      CHECK(cl.read<int>(s) == std::vector<int>(items, 5));
    }
  }
}
