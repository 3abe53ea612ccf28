// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structs, unions and constant memory.
#include "each_item.hpp"

using namespace lanecl::test;

TEST_CASE("structs in private and local memory, by value and by pointer", "[structs]") {
  checkEachItem(R"(
typedef struct { int id; float4 position; struct { short kind; uchar tags[3]; } inner; long mass; } Particle;
Particle make(int x) {
  Particle p = {x, (float4)(x, 1, 2, 3), {(short)(x * 2), {1, 2, (uchar)x}}, (long)x << 20};
  return p;
}
void move(Particle *p, int steps) {
  for (int n = 0; n < steps; ++n) { p->position.y += p->position.x; p->inner.tags[n % 3]++; }
}
KERNEL void k(global const int *in, global int *out) {
  local Particle shared[64];
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  int x = in[i];
  Particle p = make(x), list[3] = {p, make(x + 1), make(x + 2)};
  move(&p, x % 5);
  move(&list[x % 3], x % 4);
  shared[l] = x & 1 ? p : list[x % 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  Particle q = shared[(l + 1) % n];
  out[i] = q.id + (int)q.position.y + q.inner.kind + q.inner.tags[0] * 3 + q.inner.tags[2] + (int)(q.mass >> 18);
})",
                [](const Item &item) {
                  const int x = item.in[item.global - item.local + (item.local + 1) % item.local_size];
                  const bool own = x & 1;
                  const int id = own ? x : x + x % 3, steps = own ? x % 5 : x % 4;
                  const int first = 1 + (steps + 2) / 3, last = id + steps / 3;
                  return id + 1 + steps * id + id * 2 + first * 3 + last + id * 4;
                });
}

TEST_CASE("a struct as a kernel argument and in global memory", "[structs]") {
  struct Pair {
    float value;
    int32_t weight[3];
    int64_t key;
  };
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
typedef struct { float value; int weight[3]; long key; } Pair;
KERNEL void k(global Pair *pairs, Pair extra, global int *out) {
  size_t i = get_global_id(0);
  Pair p = pairs[i];
  out[i] = (int)(p.value * 2) + p.weight[i % 3] * extra.weight[2 - i % 3] + (int)(p.key - extra.key);
  pairs[i].weight[i % 3] = -1; pairs[i].key += 5;
})",
                                          width);
    std::vector<Pair> pairs;
    for (int i = 0; i < 50; ++i)
      pairs.push_back({i * 0.5f, {i, i + 1, i + 2}, i * 3});
    const Pair extra{0, {10, 20, 30}, 7};
    Memory buffer = cl.buffer(pairs), out = cl.buffer(std::vector<int>(50));
    cl.run(cl.kernel(program, "k"), {50}, {25}, buffer, extra, out);
    const auto changed = cl.read<Pair>(buffer);
    std::vector<int> want;
    for (int i = 0; i < 50; ++i) {
      want.push_back(i + (i + i % 3) * extra.weight[2 - i % 3] + i * 3 - 7);
      CHECK(changed[i].weight[i % 3] == -1);
      CHECK(changed[i].weight[(i + 1) % 3] == i + (i + 1) % 3);
      CHECK(changed[i].key == i * 3 + 5);
    }
    CHECK(cl.read<int>(out) == want);
  }
}

TEST_CASE("unions and reinterpreted values", "[structs]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  union { int i; float f; uchar4 b; } u;
  u.f = in[i];
  int exponent = (u.i >> 23 & 255) - 127;
  u.i = in[i] * 0x01010101;
  out[i] = exponent * 1000 + u.b.z + as_int(as_float(u.i) * 1.0f == as_float(u.i) ? 3 : 4);
})",
                [](const Item &item) {
                  int exponent = -127;
                  for (int x = item.x(), e = 0; x != 0; x >>= 1)
                    exponent = e++;
                  return exponent * 1000 + item.x() + 3;
                });
}

TEST_CASE("program scope constants with uniform and varying subscripts", "[structs]") {
  checkEachItem(R"(
typedef struct { int a; float b[2]; } Entry;
constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
constant Entry entries[3] = {{1, {0.5f, 1.5f}}, {2, {2.5f, 3.5f}}, {3, {4.5f, 5.5f}}};
constant char text[] = "lane";
int look(constant int *table, int at) { return table[at]; }
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], sum = 0;
  for (int n = 0; n < 4; ++n) sum += primes[n] * n;
  out[i] = sum + look(primes, x & 7) * 100 + entries[x % 3].a + (int)(entries[x % 3].b[x & 1] * 2) + text[x & 3];
})",
                [](const Item &item) {
                  const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19}, x = item.x();
                  const float b[] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f};
                  return 3 + 10 + 21 + primes[x & 7] * 100 + x % 3 + 1 + int(b[x % 3 * 2 + (x & 1)] * 2) +
                         "lane"[x & 3];
                });
}

TEST_CASE("a constant buffer", "[structs]") {
  const Session cl;
  const std::vector<int> input = mixedInput(64);
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(
        cl,
        "KERNEL void k(constant int *c, global int *out) { int i = get_global_id(0); out[i] = c[c[i] & 63] + c[1]; }",
        width);
    Memory in = cl.buffer(input), out = cl.buffer(input);
    cl.run(cl.kernel(program, "k"), {64}, {32}, in, out);
    std::vector<int> want;
    for (int x : input)
      want.push_back(input[x & 63] + input[1]);
    CHECK(cl.read<int>(out) == want);
  }
}
