// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pointers to the generic address space. Each work-item's pointer may point to a different memory.
#include "each_item.hpp"

#include <array>
#include <cmath>

using namespace lanecl::test;

namespace {

// pick() chooses between pointers to global, local and private memory by the work-item's input, so that neighboring
// work-items choose differently. space() tells which memory a pointer points to.
const std::string kPick = R"(
int *pick(int x, global int *g, local int *l, private int *p) {
  switch (x % 3) {
  case 0: return g;
  case 1: return l;
  default: return p;
  }
}
int space(const void *p) {
  return (to_global(p) != 0) * 100 + (to_local(p) != 0) * 10 + (to_private(p) != 0);
}
)";

int spaceOf(int x) {
  return x % 3 == 0 ? 100 : x % 3 == 1 ? 10 : 1;
}

} // namespace

TEST_CASE("a pointer to one of three memories", "[generic_pointers]") {
  checkEachItem(kPick + R"(
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], v[4] = {x, x + 1, x + 2, x + 3};
  l[n] = 1000 * x;
  int *p = pick(x, &out[i], &l[n], &v[x % 4]);
  *p = *p + 7;
  out[i] = (x % 3 == 0 ? out[i] : 0) + l[n] + v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3];
})",
                [](const Item &item) {
                  const int x = item.x();
                  int l = 1000 * x;
                  std::array<int, 4> v{x, x + 1, x + 2, x + 3};
                  if (x % 3 == 1)
                    l += 7;
                  if (x % 3 == 2)
                    v[x % 4] += 7;
                  return (x % 3 == 0 ? -12345 + 7 : 0) + l + v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3];
                });
}

TEST_CASE("the address space of a pointer is determined", "[generic_pointers]") {
  checkEachItem(kPick + R"(
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], v[5] = {0};
  int *p = pick(x, &out[i], &l[n], &v[x % 5]);
  *p = x;
  int *none = x > 50 ? 0 : p;
  int sum = space(p) + 1000 * space(none);
  if (to_global(p)) sum += 1000000 * (*to_global(p) == x);
  if (to_local(p)) sum += 2000000 * (*to_local(p) == x);
  if (to_private(p)) sum += 3000000 * (*to_private(p) == x);
  out[i] = sum;
})",
                [](const Item &item) {
                  const int x = item.x(), one = spaceOf(x);
                  return one + 1000 * (x > 50 ? 0 : one) + 1000000 * (x % 3 + 1);
                });
}

TEST_CASE("a fence covers the memory that a generic pointer points to", "[generic_pointers]") {
  checkEachItem(kPick + R"(
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], v[2] = {0};
  l[n] = x;
  const int *p = pick(x, &in[i], &l[n], &v[x % 2]);
  out[i] = ((get_fence(p) & CLK_GLOBAL_MEM_FENCE) != 0) * 2 + ((get_fence(p) & CLK_LOCAL_MEM_FENCE) != 0) + (*p > 99);
})",
                [](const Item &item) { return item.x() % 3 == 1 ? 1 : 2; });
}

TEST_CASE("private memory stays private across a barrier", "[generic_pointers]") {
  checkEachItem(kPick + R"(
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], v[3] = {x, 2 * x, 3 * x};
  l[n] = x;
  int *p = pick(x, &in[i], &l[n], v + x % 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int y = *p;
  if (x % 3 == 0) in[i] = x;
  out[i] = space(p) * 1000 + y;
})",
                [](const Item &item) {
                  const int x = item.x();
                  return spaceOf(x) * 1000 + (x % 3 == 2 ? x * (x % 3 + 1) : x) + 5;
                });
}

TEST_CASE("pointers in structures, in arrays and through helpers", "[generic_pointers]") {
  checkEachItem(kPick + R"(
typedef struct Node { int *value; struct Node *next; } Node;
__attribute__((noinline)) int total(const Node *node) {
  int sum = 0;
  for (; node; node = node->next) sum = sum * 2 + *node->value;
  return sum;
}
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], a = 3, b[2] = {4, 5};
  l[n] = x + 1;
  Node nodes[3] = {{&a, 0}, {pick(x, &in[i], &l[n], &b[x & 1]), 0}, {&l[n], 0}};
  nodes[0].next = x & 4 ? &nodes[1] : &nodes[2];
  nodes[1].next = x & 8 ? &nodes[2] : 0;
  int *table[3] = {&a, &b[0], &in[i]};
  out[i] = total(nodes) * 1000 + *table[x % 3];
})",
                [](const Item &item) {
                  const int x = item.x(), b[2] = {4, 5};
                  const int second = x % 3 == 0 ? x : x % 3 == 1 ? x + 1 : b[x & 1];
                  int sum = 3;
                  if (x & 4)
                    sum = sum * 2 + second;
                  if (!(x & 4) || (x & 8))
                    sum = sum * 2 + x + 1;
                  const int table[3] = {3, 4, x};
                  return sum * 1000 + table[x % 3];
                });
}

TEST_CASE("a structure passed by value is private", "[generic_pointers]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
typedef struct { int a, b[3]; } Data;
KERNEL void k(Data data, global int *out) {
  int i = get_global_id(0);
  int *p = i & 1 ? (int *)&data.b[i % 3] : (int *)&out[i];
  out[i] = data.a + data.b[i % 3];
  out[i] += (to_private(p) != 0) * 1000 + (to_global(p) != 0) * 2000;
})",
                                          width);
    struct {
      int a, b[3];
    } data{10, {1, 2, 3}};
    Memory out = cl.bytes(100 * sizeof(int));
    cl.run(cl.kernel(program, "k"), {100}, {50}, data, out);
    const std::vector<int> got = cl.read<int>(out);
    for (int i = 0; i < 100; ++i)
      CHECK(got[i] == 10 + data.b[i % 3] + (i & 1 ? 1000 : 2000));
  }
}

TEST_CASE("memory on the stack of the host program's thread is global", "[generic_pointers]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kPick + R"(
KERNEL void k(global int *data) {
  size_t i = get_global_id(0);
  int own[2] = {1, 2};
  int *p = i % 4 == 3 ? (int *)&own[i / 4 % 2] : (int *)&data[i];
  int s = space(p);
  data[i] = s;
})",
                                          width);
    const Kernel kernel = cl.kernel(program, "k");
    std::array<int, 40> data{};
    Memory memory = cl.bytes(sizeof data, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, data.data());
    for (int run = 0; run < 50; ++run) { // a short launch runs on this thread as soon as it is known to be short
      cl.run(kernel, {data.size()}, {20}, memory);
      const std::vector<int> got = cl.read<int>(memory);
      for (size_t i = 0; i < data.size(); ++i)
        REQUIRE(got[i] == (i % 4 == 3 ? 1 : 100));
    }
  }
}

TEST_CASE("functions with a second result store it through a pointer", "[generic_pointers]") {
  const Session cl;
  constexpr size_t n = 3 * 37;
  std::vector<float> input(n);
  for (size_t i = 0; i < n; ++i)
    input[i] = float(int(i * 37 % 101) - 50) / 8;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global const float *in, global float *values, global int *numbers, global float *out) {
  local float lf[64]; local int li[64];
  size_t i = get_global_id(0), l = get_local_id(0);
  float x = in[i], pf = -1; int pi = -1;
  float *f = i % 3 == 0 ? (float *)&values[i] : i % 3 == 1 ? (float *)&lf[l] : &pf;
  int *n = i % 3 == 1 ? (int *)&numbers[i] : i % 3 == 2 ? (int *)&li[l] : &pi;
  float8 r = 0;
  r.s0 = fract(x, f) + 100 * *f;
  r.s1 = modf(x, f) + 100 * *f;
  r.s2 = sincos(x, f); r.s3 = *f;
  r.s4 = frexp(x, n) + 100 * *n;
  r.s5 = remquo(x, 0.75f, n) + 100 * (*n & 7);
  r.s6 = lgamma_r(x + 7, n) * *n;
  if (i % 5 != 4) vstore8(r, i, out);
})",
                                          width);
    Memory in = cl.buffer(input), values = cl.bytes(4 * n), numbers = cl.bytes(4 * n);
    Memory out = cl.buffer(std::vector<float>(8 * n, -1.0f));
    cl.run(cl.kernel(program, "k"), {n}, {37}, in, values, numbers, out);
    const std::vector<float> got = cl.read<float>(out);
    for (size_t i = 0; i < n; ++i) {
      std::array<float, 8> want;
      want.fill(-1);
      if (i % 5 != 4) {
        const float x = input[i];
        int exponent = 0, quotient = 0;
        want[0] = x - std::floor(x) + 100 * std::floor(x);
        want[1] = x - std::trunc(x) + 100 * std::trunc(x);
        want[2] = std::sin(x);
        want[3] = std::cos(x);
        want[4] = std::frexp(x, &exponent);
        want[4] += 100 * exponent;
        want[5] = std::remquo(x, 0.75f, &quotient);
        want[5] += 100 * (quotient & 7);
        want[6] = std::lgamma(x + 7); // only positive arguments
        want[7] = 0;
      }
      INFO("work-item " << i << ", sub-groups of " << width);
      for (size_t c = 0; c < 8; ++c)
        CHECK(got[8 * i + c] == Approx(want[c]).epsilon(1e-5).margin(1e-5));
    }
  }
}

TEST_CASE("vectors and halves through a pointer", "[generic_pointers]") {
  checkEachItem(R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
KERNEL void k(global int *in, global int *out) {
  local int l[64 * 5]; local half lh[64 * 2];
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = in[i], v[5]; half h[2];
  int *p = x % 3 == 1 ? (int *)(l + 5 * n) : v;
  half *q = x % 3 == 1 ? (half *)(lh + 2 * n) : h;
  p[4] = 9;
  vstore3((int3)(x, 2 * x, 3 * x), 0, p + 1);
  vstore2((int2)(5, 6), 0, p);
  int4 sum = vload4(0, p + (x & 1));
  vstore_half2(convert_float2(sum.xw), 0, q);
  float2 back = vload_half2(0, q);
  if (x % 7 == 0) vstore_half(vload_half(1, q) + 1, 1, q);
  out[i] = sum.x + sum.y * 3 + sum.z * 5 + (int)back.x * 7 + (int)vload_half(1, q) * 11;
})",
                [](const Item &item) {
                  const int x = item.x(), v[5] = {5, 6, 2 * x, 3 * x, 9}, *sum = v + (x & 1);
                  return sum[0] + sum[1] * 3 + sum[2] * 5 + sum[0] * 7 + (sum[3] + (x % 7 == 0)) * 11;
                });
}

TEST_CASE("atomics through a pointer", "[generic_pointers]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local atomic_int l[2];
  size_t i = get_global_id(0), n = get_local_id(0);
  if (n < 2) atomic_store_explicit(&l[n], 0, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = in[i];
  global atomic_int *g = (global atomic_int *)&out[i];
  atomic_store_explicit(g, 100, memory_order_relaxed, memory_scope_work_group);
  atomic_int *p = x % 3 == 0 ? (atomic_int *)g : &l[x & 1];
  int seen = 0;
  if (x % 5 != 0) {
    atomic_fetch_add_explicit(p, x, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(p, -1, memory_order_relaxed, memory_scope_work_group);
    int expected = 100 + x;
    if (x % 3 == 0) seen = atomic_compare_exchange_strong_explicit(p, &expected, 5, memory_order_relaxed,
                                                                   memory_order_relaxed, memory_scope_work_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = out[i] + 10 * seen + 1000 * atomic_load_explicit(&l[0], memory_order_relaxed, memory_scope_work_group) +
           7 * atomic_load_explicit(&l[1], memory_order_relaxed, memory_scope_work_group);
})",
                [](const Item &item) {
                  int sums[2] = {0, 0};
                  for (size_t j = item.group * item.local_size; j < (item.group + 1) * item.local_size; ++j)
                    if (item.in[j] % 3 != 0 && item.in[j] % 5 != 0)
                      sums[item.in[j] & 1] += item.in[j];
                  const bool swapped = item.x() % 3 == 0 && item.x() % 5 != 0;
                  return (swapped ? 5 + 10 : 100) + 1000 * sums[0] + 7 * sums[1];
                },
                {{64}, {37}, {5}});
}

TEST_CASE("OpenCL C 2.0 has the generic address space", "[generic_pointers]") {
  const Session cl;
  const Program program = cl.build("kernel void k(global int *out) {\n"
                                   "  local int l[8]; int i = get_global_id(0), own = 4;\n"
                                   "  l[get_local_id(0)] = 3;\n"
                                   "  int *p = i % 2 ? (int *)&l[get_local_id(0)] : &own;\n"
                                   "  out[i] = *p + (to_local(p) ? 10 : 0);\n"
                                   "}\n",
                                   "-cl-std=CL2.0");
  Memory out = cl.bytes(16 * sizeof(int));
  cl.run(cl.kernel(program, "k"), {16}, {8}, out);
  const std::vector<int> got = cl.read<int>(out);
  for (int i = 0; i < 16; ++i)
    CHECK(got[i] == (i % 2 ? 13 : 4));
}

TEST_CASE("the device says that it has the generic address space", "[generic_pointers]") {
  cl_bool supported = CL_FALSE;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof supported, &supported, nullptr),
        "clGetDeviceInfo");
  CHECK(supported == CL_TRUE);
  const Session cl;
  CHECK_NOTHROW(cl.build("#ifndef __opencl_c_generic_address_space\n#error missing\n#endif\n", "-cl-std=CL3.0"));
}
