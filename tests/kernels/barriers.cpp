// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-group barriers: in loops, in helper functions, with values live across them.
#include "each_item.hpp"

#include <numeric>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes{{64}, {37}, {5}, {200}, {12, 3}, {6, 4, 2}, {5, 3, 2}};

// Returns the inputs of the item's work-group.
std::vector<int> groupInput(const Item &item) {
  const auto first = item.in.begin() + item.group * item.local_size;
  return {first, first + item.local_size};
}

// `same` returns a value that is the same for all of the work-group, in a way that the compiler cannot recognize.
const std::string kSame = R"(
int same(local int *tile, int value) {
  size_t l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  int result = tile[(l + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}
)";

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

TEST_CASE("variables that start with the number of the work-group or of the sub-group, and change", "[barriers]") {
  checkEachItem(
      R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  size_t row = get_group_id(0);
  uint part = get_sub_group_id();
  int sum = 0;
  for (int round = 0; round < get_num_groups(0); ++round) {
    tile[l] = in[i] * (int)(row + 1) + (int)part;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    row = 5 * row + 2;
    part = 3 * part + 1;
  }
  out[i] = sum;
})",
      [](const Item &item) {
        const size_t other = (item.local + 1) % item.local_size;
        int sum = 0, row = int(item.group), part = int(other / item.width);
        for (int round = 0; round < 3; ++round) {
          sum += groupInput(item)[other] * (row + 1) + part;
          row = 5 * row + 2;
          part = 3 * part + 1;
        }
        return sum;
      },
      {{64}, {37}, {5}, {200}});
}

TEST_CASE("barriers in a helper function called from a loop", "[barriers]") {
  checkEachItem(
      R"(
int neighbor(local int *tile, int mine, size_t l, size_t n) {
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
    int y = neighbor(tile, x, l, n);
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

TEST_CASE("sub-groups that leave early are not waited for if no barrier follows", "[barriers]") {
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

TEST_CASE("a barrier after a loop that lanes leave in three ways", "[barriers]") {
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

TEST_CASE("barriers on both sides of a condition that only looks divergent", "[barriers]") {
  checkEachItem(
      kSame + R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[i];
  if (i - l >= n) {
    tile[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += tile[n - 1 - l];
    if (same(tile, in[i - l] % 2)) {
      tile[l] = x * 3;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l & 1) x -= tile[(l + 2) % n];
    }
  } else {
    tile[n - 1 - l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = tile[l];
  }
  out[i] = x;
})",
      [](const Item &item) {
        const auto x = groupInput(item);
        const size_t n = x.size(), l = item.local;
        if (item.group == 0)
          return x[n - 1 - l];
        const auto sum = [&](size_t at) { return x[at] + x[n - 1 - at]; };
        return x[0] % 2 != 0 && l % 2 != 0 ? sum(l) - 3 * sum((l + 2) % n) : sum(l);
      },
      kShapes);
}

TEST_CASE("barriers in loops whose number of turns only looks divergent", "[barriers]") {
  checkEachItem(
      kSame + R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int x = in[i], turns = same(tile, in[i - l] % 5), stop = same(tile, in[i - l] % 3 + 1), sum = 0, round;
  for (round = 0; round < turns; ++round) {
    tile[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = tile[(l + round + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < x % 3; ++k) sum += other + k;
    if (round == stop) break;
    if (same(tile, round) % 2) continue;
    x += other & 7;
  }
  tile[l] = x + sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[n - 1 - l] * 8 + round;
})",
      [](const Item &item) {
        std::vector<int> x = groupInput(item), sum(x.size());
        const int turns = x[0] % 5, stop = x[0] % 3 + 1;
        const size_t n = x.size();
        int round = 0;
        for (; round < turns; ++round) {
          const std::vector<int> tile = x;
          for (size_t l = 0; l < n; ++l) {
            const int other = tile[(l + size_t(round) + 1) % n];
            for (int k = 0; k < tile[l] % 3; ++k)
              sum[l] += other + k;
            if (round != stop && round % 2 == 0)
              x[l] += other & 7;
          }
          if (round == stop)
            break;
        }
        const size_t from = n - 1 - item.local;
        return (x[from] + sum[from]) * 8 + round;
      },
      kShapes);
}

TEST_CASE("lanes that have returned do not disturb conditions that only look divergent", "[barriers]") {
  checkEachItem(
      kSame + R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256], turns[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  int x = in[i];
  turns[l] = in[i - l] % 4 + 1;
  tile[l] = x;
  out[i] = -x;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l % 3 == 0) return;
  for (int round = 0; round < turns[l - 1]; ++round) {
    int left = tile[l - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (turns[l - l % 3] > 2) {
    if (l % 3 == 1) { out[i] = 1000; return; }
    tile[l] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = tile[l];
})",
      [](const Item &item) {
        const auto x = groupInput(item);
        const size_t l = item.local, first = l - l % 3;
        if (l == first)
          return -x[l];
        const int turns = x[0] % 4 + 1;
        int middle = x[first + 1], last = l % 3 == 2 ? x[l] : 0;
        for (int round = 0; round < turns; ++round) {
          last += middle;
          middle += x[first];
        }
        if (turns > 2)
          return l % 3 == 1 ? 1000 : last + 5;
        return l % 3 == 1 ? middle : last;
      },
      kShapes);
}

TEST_CASE("sub-group functions count active lanes between barriers that only look divergent", "[barriers]") {
  checkEachItem(
      kSame + R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  int x = in[i], sum = 0;
  for (int round = 0; round < same(tile, 3); ++round) {
    if (x % (round + 2) == 0) sum += sub_group_reduce_add(x);
    else sum -= sub_group_reduce_max(x);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
})",
      [](const Item &item) {
        int sum = 0;
        for (int round = 0; round < 3; ++round) {
          const auto taken = [&](int x) { return x % (round + 2) == 0; };
          int total = 0, most = 0;
          for (size_t lane = 0; lane < item.subGroupSize(); ++lane) {
            const int x = item.lane(lane);
            (taken(x) ? total : most) = taken(x) ? total + x : std::max(most, x);
          }
          sum += taken(item.x()) ? total : -most;
        }
        return sum;
      },
      kShapes);
}

// This is undefined in OpenCL. Here, each work-item goes its own way, past memory that is not its own, and all of them
// end.
TEST_CASE("barriers that work-items reach different numbers of times neither hang nor fault", "[barriers]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  global const int *p = in[i] % 2 ? in : (global const int *)0;
  int sum = 0;
  for (int round = 0; round < in[i] % 7; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += round;
  }
  if (p) {
    sum += p[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 20) barrier(CLK_LOCAL_MEM_FENCE);
    sum += p[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum;
})",
                [](const Item &item) {
                  const int turns = item.x() % 7, sum = turns * (turns - 1) / 2;
                  return item.x() % 2 != 0 ? sum + 2 * item.x() : sum;
                });
}

TEST_CASE("a barrier in two halves: what was written before arriving is visible after waiting", "[barriers]") {
  for (const std::string scope : {"", ", memory_scope_work_group"})
    checkEachItem(
        "#define FLAGS CLK_LOCAL_MEM_FENCE" + scope + R"(
KERNEL void k(global const int *in, global int *out) {
  local int tile[2][256];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  int n = get_local_size(0) * get_local_size(1) * get_local_size(2), x = in[i];
  for (int round = 0; round < 3; ++round) {
    tile[round & 1][l] = x + round;
    intel_work_group_barrier_arrive(FLAGS);
    int own = x * 3; // what needs no other work-item
    intel_work_group_barrier_wait(FLAGS);
    x = own + tile[round & 1][n - 1 - l];
  }
  out[i] = x;
})",
        [](const Item &item) {
          std::vector<int> x = groupInput(item);
          for (int round = 0; round < 3; ++round) {
            const std::vector<int> before = x;
            for (size_t l = 0; l < x.size(); ++l)
              x[l] = before[l] * 3 + before[x.size() - 1 - l] + round;
          }
          return x[item.local];
        },
        kShapes);
}
