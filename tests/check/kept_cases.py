# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose functions break rules in lines marked with BROKEN, unless they are built with -DCORRECT. A line marked
with CALL, and its function, lead to the broken line.
"""
import collections

# rules: the number of findings for each rule, or None for any number; calls: the functions around the first finding, or
# None where they are not compared; is_equal: whether the same is found where the functions are inlined. Optimizations
# of the whole kernel may lose the line there, or a read without a branch.
Case = collections.namedtuple("Case", "source rules calls memory standards checks work_items local is_equal")


def case(source, rules, calls, memory="buffer", standards=("CL1.2", "CL3.0"), checks="all", work_items=64, local=32,
         is_equal=True):
    return Case(source, rules, calls, memory, standards, checks, work_items, local, is_equal)


CASES = {
    # The pointer is past the end of its memory when it is passed, so it may point into other memory.
    "passed_past_end": case("""
int read(global int *p, int i) {
  return p[i]; // BROKEN
}
int far(global int *p, int i) {
#ifdef CORRECT
  return read(p + 32, i - 32);
#else
  return read(p + 64, i); // CALL far
#endif
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  p[i] = far(p, i); // CALL k
}
""", {"out-of-bounds": 1}, ["far", "k"], memory="sub-buffer"),
    # One access leaves the first of two variables in local memory and hits the second one. The other leaves an argument
    # in local memory.
    "local_memory": case("""
void put(local int *tile, int i) {
  tile[i] = i; // BROKEN
}
kernel void k(global int *p, local int *argument) {
  local int first[32], second[32];
  int i = get_local_id(0);
#ifdef CORRECT
  int to = i;
#else
  int to = i + 4;
#endif
  put(first, to); // CALL k
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i % 3 != 1)
    put(argument, to);
  second[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = first[i] + second[i];
}
""", {"out-of-bounds": 1}, ["k"]),
    "private_memory": case("""
int sum(int *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i]; // BROKEN
  return sum;
}
int more(int *values, int n) {
  values[0] += 1;
  return sum(values, n); // CALL more
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  int values[5] = {1, 2, 3, 4, i};
  if (i % 5 != 2)
#ifdef CORRECT
    p[i] = more(values, 1 + i % 5);
#else
    p[i] = more(values, 2 + i % 5); // CALL k
#endif
}
""", {"out-of-bounds": 1}, ["more", "k"]),
    "private_or_own": case("""
int of_either(int *values, int i) {
  int own[2] = {i, i + 1};
  int *chosen = i % 4 == 0 ? values : own;
#ifdef CORRECT
  return chosen[i % 2];
#else
  return chosen[2 + i % 2]; // BROKEN
#endif
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  int values[4] = {1, 2, 3, i};
  p[i] = of_either(values, i) + of_either(values + 1, i + 1); // CALL k
}
""", {"out-of-bounds": 1}, ["k"]),
    "constant_memory": case("""
constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int at(constant int *numbers, int i) {
  return numbers[i]; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = at(table, i % 8);
#else
  p[i] = at(table + 1, i % 8); // CALL k
#endif
}
""", {"out-of-bounds": 1}, ["k"]),
    "structure": case("""
typedef struct {
  int a[3];
} triple;
int component(triple values, int i) {
  values.a[0] += i;
  return values.a[i]; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  triple values = {{1, 2, i}};
#ifdef CORRECT
  p[i] = component(values, i % 3);
#else
  p[i] = component(values, i % 4); // CALL k
#endif
}
""", {"out-of-bounds": 1}, ["k"]),
    "misaligned": case("""
int read(global char *p) {
  return *(global int *)p; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = read((global char *)(p + i));
#else
  p[i] = read((global char *)(p + i / 2) + i % 3); // CALL k
#endif
}
""", {"misaligned-access": 1}, ["k"]),
    # A function that returns a pointer is inlined, because nothing would say which memory the pointer belongs to.
    "returned_pointer": case("""
global int *at(global int *p, int i) {
  return p + i;
}
int read(global int *p) {
  return *p; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = read(at(p, i));
#else
  p[i] = read(at(p, i + 64)); // CALL k
#endif
}
""", {"out-of-bounds": 1}, ["k"], memory="sub-buffer"),
    "image": case("""
int move(read_write image2d_t image, int2 from, int2 to) {
  int x = read_imagei(image, from).x; // BROKEN
  write_imagei(image, to, x + 1); // BROKEN
  return x;
}
kernel void k(read_write image2d_t image) {
  int i = get_global_id(0);
#ifdef CORRECT
  int more = 0;
#else
  int more = 1;
#endif
  move(image, (int2)(i % 16 - more, i / 16), (int2)(i % 16, i / 16 + more)); // CALL k
}
""", {"image-read-outside": 1, "image-write-outside": 1}, ["k"], memory="image", standards=("CL3.0",)),
    "arithmetic": case("""
int divide(int a, int b) {
  return a / b; // BROKEN
}
float root(float x) {
  return sqrt(x); // BROKEN
}
uint shift(uint x, uint by) {
  return x << by; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int add = 1;
#else
  int add = 0;
#endif
  int sum = divide(100, i % 4 + add); // CALL k
  if (i % 8 < 6)
    sum += root(i % 8 - 3 + 3 * add) > 1;
  p[i] = sum + shift(i, i % 40 - 8 * add * (i % 40 > 31));
}
""", {"division-by-zero": 1, "nan-result": 1, "shift-beyond-width": 1}, ["k"], checks="all,arithmetic"),
    # The same with a pointer of the generic address space is race_generic.
    "race": case("""
void put(local int *tile, int i, int value) {
  tile[i] = value; // BROKEN
}
int get(local const int *tile, int i) {
  return tile[i];
}
kernel void k(global int *p) {
  local int tile[32];
  int i = get_local_id(0);
  put(tile, i, i); // CALL k
#ifdef CORRECT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  p[get_global_id(0)] = get(tile, (i + 1) % 32);
}
""", {"data-race": None}, None),
    "race_generic": case("""
void put(int *tile, int i, int value) {
  tile[i] = value; // BROKEN
}
kernel void k(global int *p) {
  local int tile[32];
  int i = get_local_id(0);
#ifdef CORRECT
  put(tile, i, i);
#else
  put(tile, i / 2, i); // CALL k
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  int own = 0;
  put(&own, 0, tile[i / 2]);
  put(p, get_global_id(0), own);
}
""", {"data-race": 1}, ["k"], standards=("CL3.0",)),
    "race_global": case("""
void put(global int *p, int i, int value) {
  p[i] = value; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  put(p, i, i);
#else
  put(p, i / 2, i); // CALL k
#endif
}
""", {"data-race": 1}, ["k"], checks="all,races"),
    "unwritten_argument": case("""
int choose(int x, int y) {
  if (x > 3) // BROKEN
    return y * 3;
  return y;
}
int between(int x, int y) {
  return choose(x * 2, y) + 1; // CALL between
}
kernel void k(global int *p) {
  int i = get_global_id(0), x;
#ifdef CORRECT
  x = i;
#endif
  if (i % 3 == 1)
    x = 5;
  p[i] = between(x, i); // CALL k
}
""", {"uninitialized-read": 1}, ["between", "k"]),
    "unwritten_result": case("""
int maybe(int i) {
  int x;
#ifdef CORRECT
  x = i;
#endif
  if (i % 4 != 0)
    x = i * 2;
  return x;
}
float twice(int i) {
  return maybe(i) * 2.0f;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  float x = 1;
  if (i % 8 < 6)
    x = twice(i);
  if (x > 5) // BROKEN
    p[i] = 1;
}
""", {"uninitialized-read": 1}, []),
    "unwritten_vector": case("""
int4 three(int i) {
  int4 v;
  v.x = i;
  v.yz = (int2)(1, 2);
#ifdef CORRECT
  v.w = 3;
#endif
  return v;
}
int of(int4 v, int i) {
  if (v.z + i > 4)
    return v.y;
  return v.w > 1; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  int4 v = three(i);
  if (of(v, i % 5)) // BROKEN too
    p[i] = v.x;
}
""", {"uninitialized-read": None}, None),
    "unwritten_memory": case("""
void first(int *values, int i) {
  values[i] = i;
}
int any(const int *values, int n) {
  for (int i = 0; i < n; ++i)
    if (values[i] == 7) // BROKEN
      return 1;
  return 0;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  int values[4];
  first(values, 0);
  first(values, 1);
#ifdef CORRECT
  p[i] = any(values, 2);
#else
  p[i] = any(values, i % 4); // CALL k
#endif
}
""", {"uninitialized-read": 1}, ["k"], is_equal=False),
    "unwritten_local": case("""
int is_large(local const int *tile, int i) {
  if (tile[i] > 5) // BROKEN
    return 1;
  return 0;
}
void fill(local int *tile, int i) {
  tile[i] = i;
}
kernel void k(global int *p) {
  local int tile[32];
  int i = get_local_id(0);
#ifndef CORRECT
  if (i != 7)
#endif
    fill(tile, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = is_large(tile, i); // CALL k
}
""", {"uninitialized-read": 1}, ["k"]),
    "unwritten_structure": case("""
typedef struct {
  int a, b;
  float c;
} parts;
parts make(int i) {
  parts made;
  made.a = i;
  made.c = 1.5f;
#ifdef CORRECT
  made.b = 2;
#endif
  return made;
}
int test(parts p) {
  if (p.c * p.a > 4)
    return p.a;
  if (p.b == 2) // BROKEN
    return 1;
  return 0;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
  p[i] = test(make(i % 9)); // CALL k
}
""", {"uninitialized-read": 1}, ["k"], is_equal=False),
    "unwritten_address": case("""
int read(global int *p) {
  return *p; // BROKEN
}
kernel void k(global int *p) {
  int i = get_global_id(0), x;
#ifdef CORRECT
  x = 3;
#endif
  if (i % 2 == 0)
    x = i;
  p[i] = read(p + (x & 31)); // CALL k
}
""", {"uninitialized-read": 1}, ["k"]),
    # Two ways lead to the same line, which is one finding. The last sub-group is partial.
    "two_ways": case("""
int read(global int *p, int i) {
  return p[i]; // BROKEN
}
int one(global int *p, int i) {
  return read(p, i) + 1; // CALL one
}
int other(global int *p, int i) {
  return read(p, i) + 2;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  int to = i;
#else
  int to = i * 2;
#endif
  if (i % 3 == 0)
    p[i] = one(p, to); // CALL k
  else
    p[i] = other(p, to);
}
""", {"out-of-bounds": 1}, ["one", "k"], work_items=60, local=30, is_equal=False),
    # Lanes leave the loops at different times, and the functions at different places.
    "divergent": case("""
int step(global const int *p, int x, int *rest) {
  if (x < 0)
    return 0;
  *rest -= 1;
  if (x % 7 == 1)
    return p[x]; // BROKEN
  return x / 2;
}
int walk(global const int *p, int x) {
  int sum = 0, rest = x % 11;
  while (rest > 0)
    sum += step(p, x + rest, &rest); // CALL walk
  return sum;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef CORRECT
  p[i] = walk(p, i / 2);
#else
  p[i] = walk(p, i); // CALL k
#endif
}
""", {"out-of-bounds": 1}, ["walk", "k"], work_items=60, local=30),
}
