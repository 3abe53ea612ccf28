// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Divergent branches and loops of every kind.
#include "each_item.hpp"

using namespace lanecl::test;

TEST_CASE("a nest of loops with break, continue and return", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], sum = 0;
  for (int a = 0; a < x % 7; ++a) {
    if (a == x % 3) continue;
    for (int b = x; ; b -= 5) {
      if (b < 10) break;
      if (b % 11 == 0 && a > 2) { out[i] = -sum; return; }
      sum += a * b;
    }
    if (sum > 300) break;
  }
  out[i] = sum;
})",
                [](const Item &item) {
                  const int x = item.x();
                  int sum = 0;
                  for (int a = 0; a < x % 7; ++a) {
                    if (a == x % 3)
                      continue;
                    for (int b = x; b >= 10; b -= 5) {
                      if (b % 11 == 0 && a > 2)
                        return -sum;
                      sum += a * b;
                    }
                    if (sum > 300)
                      break;
                  }
                  return sum;
                });
}

TEST_CASE("a switch with cases that fall through", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int r = 1;
  switch (in[i] % 6) {
  case 0: r = 10; break;
  case 1: r = 20;
  case 2: r += 5;
  case 4: if (in[i] > 50) break; r *= 3; break;
  default: r = -in[i];
  }
  out[i] = r;
})",
                [](const Item &item) {
                  int r = 1;
                  switch (item.x() % 6) {
                  case 0: r = 10; break;
                  case 1: r = 20; [[fallthrough]];
                  case 2: r += 5; [[fallthrough]];
                  case 4:
                    if (item.x() > 50)
                      break;
                    r *= 3;
                    break;
                  default: r = -item.x();
                  }
                  return r;
                });
}

TEST_CASE("goto into a loop with two entries", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], n = 0;
  if (x & 1) goto second;
first:
  n += 3;
  if (n > x) goto done;
second:
  n += x % 4 + 1;
  if (n < 2 * x) goto first;
done:
  out[i] = n;
})",
                [](const Item &item) {
                  const int x = item.x();
                  int n = 0;
                  for (bool skip = x & 1;; skip = false) {
                    if (!skip && (n += 3) > x)
                      return n;
                    n += x % 4 + 1;
                    if (n >= 2 * x)
                      return n;
                  }
                });
}

TEST_CASE("a state machine of gotos", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], steps = 0;
a: ++steps; x = x * 5 + 1 & 127; if (steps > 40) goto end; if (x & 1) goto b; if (x & 2) goto c; goto a;
b: ++steps; x ^= 21; if (x & 4) goto a; if (steps > 60) goto end; goto c;
c: ++steps; x = x + 7 & 127; if (x & 8) goto b; if (x & 16) goto end; goto a;
end: out[i] = x * 1000 + steps;
})",
                [](const Item &item) {
                  int x = item.x(), steps = 0;
                  for (char state = 'a';;) {
                    ++steps;
                    if (state == 'a') {
                      x = (x * 5 + 1) & 127;
                      if (steps > 40)
                        break;
                      state = x & 1 ? 'b' : x & 2 ? 'c' : 'a';
                    } else if (state == 'b') {
                      x ^= 21;
                      if (!(x & 4) && steps > 60)
                        break;
                      state = x & 4 ? 'a' : 'c';
                    } else {
                      x = (x + 7) & 127;
                      if (!(x & 8) && (x & 16))
                        break;
                      state = x & 8 ? 'b' : 'a';
                    }
                  }
                  return x * 1000 + steps;
                });
}

TEST_CASE("a trap that some lanes must not reach", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], d = x % 3;
  int r = x;
  if (d != 0) r = 1000 / d;
  if (x > 90) r += in[i + (x > 98 ? 0 : 0)];
  out[i] = x % 2 == 0 ? r : (d ? r % d : -1);
})",
                [](const Item &item) {
                  const int x = item.x(), d = x % 3;
                  int r = d != 0 ? 1000 / d : x;
                  if (x > 90)
                    r += x;
                  return x % 2 == 0 ? r : d ? r % d : -1;
                });
}

TEST_CASE("a loop that ends in a different round for each lane, with a value from the last round", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint x = in[i] + 1; int rounds = 0; uint last = 0;
  while (x != 1) { last = x; x = x & 1 ? 3 * x + 1 : x / 2; ++rounds; }
  out[i] = rounds * 100 + (int)last;
})",
                [](const Item &item) {
                  unsigned x = item.x() + 1, last = 0;
                  int rounds = 0;
                  for (; x != 1; ++rounds) {
                    last = x;
                    x = x & 1 ? 3 * x + 1 : x / 2;
                  }
                  return rounds * 100 + int(last);
                });
}

TEST_CASE("a load under a mask stays before a store that follows it", "[control_flow]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[64];
  size_t i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i];
  int v = -5;
  if (in[i] & 3) { v = tile[l]; tile[l] = 1000; }
  out[i] = v + tile[l];
})",
                [](const Item &item) { return item.x() & 3 ? item.x() + 1000 : item.x() - 5; });
}
