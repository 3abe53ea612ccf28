// Work-group barriers: in loops, in helper functions, with values live across them.
#include "each_item.hpp"

#include <numeric>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes{{64}, {37}, {5}, {200}, {12, 3}, {6, 4, 2}, {5, 3, 2}};

// The inputs of the item's work-group.
std::vector<int> groupInput(const Item &item) {
  const auto first = item.in.begin() + item.group * item.local_size;
  return {first, first + item.local_size};
}

} // namespace

TEST_CASE("a tree of barriers in a loop", "[barriers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = 1; step < n; step *= 2) {
    if (l % (2 * step) == 0 && l + step < n) tile[l] += tile[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = tile[0];
})",
      [](const Item &item) {
        const auto values = groupInput(item);
        return std::accumulate(values.begin(), values.end(), 0);
      },
      kShapes);
}

TEST_CASE("values of every kind live across barriers", "[barriers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[i]; float f = x * 0.5f; long big = (long)x << 33; float4 v = (float4)(x, 1, 2, x); bool odd = x & 1; int start = x % 5;
  int a[5]; for (int k = 0; k < 5; ++k) a[k] = x * k;
  for (int round = 0; round < 3; ++round) {
    tile[l] = x + round;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = tile[(l + 1 + round) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (odd) a[start] += other;
    f += other; big += other; v.y += f; x += other & 3;
  }
  out[i] = a[in[i] % 5] + (int)f + (int)(big >> 33) + (int)v.y + (int)v.w + x;
})",
      [](const Item &item) {
        auto x = groupInput(item);
        const size_t n = x.size(), l = item.local;
        const int start = x[l];
        float f = start * 0.5f, y = 1;
        int element = start * (start % 5), sum = 0;
        std::vector<int> now = x;
        for (int round = 0; round < 3; ++round) {
          const std::vector<int> before = now;
          for (size_t j = 0; j < n; ++j)
            now[j] += (before[(j + 1 + round) % n] + round) & 3;
          const int other = before[(l + 1 + round) % n] + round;
          if (start & 1)
            element += other;
          f += other;
          sum += other;
          y += f;
        }
        return element + int(f) + int(((int64_t(start) << 33) + sum) >> 33) + int(y) + start + now[l];
      },
      kShapes);
}

TEST_CASE("barriers in a helper function called from a loop", "[barriers]") {
  checkEachItem(
      R"(
int neighbour(local int *tile, int mine, size_t l, size_t n) {
  tile[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  int result = tile[(l + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[i];
  for (int round = 0; round < 4; ++round) {
    int y = neighbour(tile, x, l, n);
    if (y > x) x = y;
    else if (round == 2) x -= 1;
  }
  out[i] = x;
})",
      [](const Item &item) {
        std::vector<int> x = groupInput(item);
        for (int round = 0; round < 4; ++round) {
          const std::vector<int> before = x;
          for (size_t l = 0; l < x.size(); ++l) {
            const int y = before[(l + 1) % x.size()];
            x[l] = y > x[l] ? y : x[l] - (round == 2);
          }
        }
        return x[item.local];
      },
      kShapes);
}

TEST_CASE("barriers in uniform branches, with break and return", "[barriers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  size_t first = (get_group_id(0) + get_group_id(1) + get_group_id(2)) * n; // groups lie along one dimension
  int x = in[i];
  out[i] = -1;
  for (int round = 0; ; ++round) {
    if (in[first] % 4 == round) break;
    tile[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[first] % 8 == 7 && round == 1) { out[i] = tile[n - 1 - l] - 1000; return; }
    if (l & 1) x += tile[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = x;
})",
      [](const Item &item) {
        std::vector<int> x = groupInput(item);
        const int first = x[0];
        for (int round = 0; first % 4 != round; ++round) {
          const std::vector<int> tile = x;
          if (first % 8 == 7 && round == 1)
            return tile[x.size() - 1 - item.local] - 1000;
          for (size_t l = 1; l < x.size(); l += 2)
            x[l] += tile[x.size() - 1 - l];
        }
        return x[item.local];
      },
      kShapes);
}

TEST_CASE("sub-groups that leave early are not waited for when no barrier follows", "[barriers]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  tile[l] = in[i] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 7;
  if (get_sub_group_id() == 1) return;
  if (l % 3 == 0) return;
  out[i] = tile[l - 1];
})",
                [](const Item &item) {
                  if (item.subGroup() == 1 || item.local % 3 == 0)
                    return 7;
                  return item.in[item.global - 1] * 3;
                });
}

TEST_CASE("a barrier behind a loop that lanes leave in three ways", "[barriers]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id(), n = get_local_size(0);
  int x = in[i], round = 0;
  do {
    int4 scoped = (int4)(x, round, 3, 4) << x;
    ++round;
    if (scoped.x % 3 == 1) continue;
    if (scoped.z % 7 == round) break;
    if (scoped.w % 5 == 2) continue;
    x += round;
  } while (round < 4 && x % 11 != 0);
  tile[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[(l + 1) % n];
})",
                [](const Item &item) {
                  int x = item.in[item.global - item.local + (item.local + 1) % item.local_size], round = 0;
                  do {
                    const int shift = x & 31;
                    const int a = int(unsigned(x) << shift), c = int(3u << shift), d = int(4u << shift);
                    ++round;
                    if (a % 3 == 1)
                      continue;
                    if (c % 7 == round)
                      break;
                    if (d % 5 == 2)
                      continue;
                    x += round;
                  } while (round < 4 && x % 11 != 0);
                  return x;
                });
}
