// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What loops compute if the vectorizer computes it in another way: results that two loops have in common, the turns
// after which lanes leave, accesses under conditions that hold for all lanes of most sub-groups, and rows that
// sub-groups share.
#include "each_item.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 150, kLocal = 50, kLongest = 70;
const std::string kHash = R"(
uint hash_of(uint x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; x += x << 3;
  x ^= x >> 11; x += x << 15; x = x * 2654435761u + 1u; x ^= x >> 13;
  return x;
}
)";

uint32_t hashOf(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16, x += x << 3;
  x ^= x >> 11, x += x << 15, x = x * 2654435761u + 1u, x ^= x >> 13;
  return x;
}

// Returns what the first loop of a kernel computes.
uint32_t sumOfHashes(const uint32_t *x, uint32_t n) {
  uint32_t sum = 1;
  for (uint32_t i = 0; i < n; ++i)
    sum += hashOf(x[i]) >> 8;
  return sum;
}

std::string ofWidth(size_t width) {
  return "__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + "))) kernel void ";
}

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = uint32_t(i * 40503 % 1009);
  return values;
}

// Each work-item has a row of `length` numbers, and its results are hash(x) / sum of the hashes, as in a softmax. With
// `next`, the lowest bit of the following element of y is added before that element is written.
void checkRows(const std::string &parameters, const std::string &between, size_t width, size_t length,
               bool next = false) {
  const Session cl;
  const Program program = cl.build(kHash + ofWidth(width) + "k(" + parameters + R"(, uint length) {
  const size_t id = get_global_id(0);
  uint sum = 1;
  for (uint i = 0; i < length; ++i)
    sum += hash_of(x[id * length + i]) >> 8;
)" + between + R"(
  for (uint i = 0; i < length; ++i)
    y[id * length + i] = hash_of(x[id * length + i]) / sum + (NEXT);
})",
                                   next ? "-DNEXT=(y[id*length+min(i+1,length-1)]&1)" : "-DNEXT=0");
  const std::vector<uint32_t> in = numbers(kItems * length + 1);
  Memory x = cl.buffer(in), y = cl.buffer(in);
  cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, x, y, cl_uint(length));
  std::vector<uint32_t> want = in;
  for (size_t id = 0; id < kItems; ++id) {
    uint32_t sum = 1;
    for (size_t i = 0; i < length; ++i)
      sum += hashOf(in[id * length + i]) >> 8;
    for (size_t i = 0; i < length; ++i)
      want[id * length + i] =
          hashOf(in[id * length + i]) / sum + (next ? in[id * length + std::min(i + 1, length - 1)] & 1 : 0);
  }
  INFO(parameters << between << next << ", " << length << " numbers, sub-groups of " << width);
  CHECK(cl.read<uint32_t>(y) == want);
}

// Runs two loops over a row of `length` numbers; `length` is not 0. The loops are written with FOR. Each work-item's
// part of y, and of the expected values, starts at its row.
void checkTwoLoops(const std::string &loops,
                   const std::function<void(const uint32_t *x, uint32_t *y, uint32_t n)> &run) {
  for (const size_t width : widthsInTurn())
    for (const size_t length : {size_t(1), size_t(7), kLongest}) {
      const Session cl;
      const Program program = cl.build(kHash + ofWidth(width) + R"(k(global const uint *restrict xs,
                                                                    global uint *restrict rows, uint n, uint times) {
#define FOR uint i = 0; do
#define END while (++i < n)
  global const uint *x = xs + get_global_id(0) * n;
  global uint *y = rows + get_global_id(0) * n;
)" + loops + "\n}");
      std::vector<uint32_t> in;
      for (size_t id = 0; id < kItems; ++id)
        for (const uint32_t number : numbers(length))
          in.push_back(number);
      std::vector<uint32_t> want = numbers(kItems * length);
      Memory y = cl.buffer(want);
      cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, cl.buffer(in), y, cl_uint(length), cl_uint(3));
      for (size_t id = 0; id < kItems; ++id)
        run(in.data(), &want[id * length], uint32_t(length));
      INFO(loops << ", " << length << " numbers, sub-groups of " << width);
      CHECK(cl.read<uint32_t>(y) == want);
    }
}

// Checks that `loop`, which computes with x and stores one number for each work-item, stores turns(x).
void checkTurns(const std::string &loop, const std::function<int(uint32_t)> &turns) {
  for (const size_t width : widthsInTurn()) {
    const Session cl;
    const Program program = cl.build(ofWidth(width) + R"(k(global const uint *in, global int *out) {
  const uint x = in[get_global_id(0)];
  )" + loop + R"(
})");
    const std::vector<uint32_t> in = numbers(kItems);
    Memory out = cl.bytes(kItems * sizeof(int));
    cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, cl.buffer(in), out);
    std::vector<int> want;
    for (const uint32_t x : in)
      want.push_back(turns(x));
    INFO(loop << ", sub-groups of " << width);
    CHECK(cl.read<int>(out) == want);
  }
}

// Work-items for which `condition`, in i and n, holds access neighboring elements of y, x and z. The others leave them
// alone.
void checkGuard(const std::string &condition, const std::function<bool(size_t, size_t)> &holds) {
  for (const size_t width : widthsInTurn()) {
    const Session cl;
    const Program program = cl.build(ofWidth(width) +
                                         "k(global uint *x, global const uint *y, global uint *z, uint n) {\n"
                                         "  const uint i = get_global_id(0);\n  uint last = 7;\n  if (" +
                                         condition + R"() {
    last = y[i + 1];
    x[i] = y[i] * 3 + last;
    for (uint j = 0; j < 3; ++j)
      z[3 * i + j] = x[i] + y[i + j];
  }
  x[kItems + i] = last;
})",
                                     "-DkItems=" + std::to_string(kItems));
    for (const size_t n : {size_t(0), size_t(1), size_t(8), size_t(49), size_t(77), kItems - 1, kItems + 5}) {
      const std::vector<uint32_t> y = numbers(kItems + 4);
      std::vector<uint32_t> want_x(2 * kItems, 5), want_z(3 * kItems, 6);
      Memory x = cl.buffer(want_x), z = cl.buffer(want_z);
      cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, x, cl.buffer(y), z, cl_uint(n));
      for (size_t i = 0; i < kItems; ++i) {
        want_x[kItems + i] = holds(i, n) ? y[i + 1] : 7;
        if (!holds(i, n))
          continue;
        want_x[i] = y[i] * 3 + y[i + 1];
        for (size_t j = 0; j < 3; ++j)
          want_z[3 * i + j] = want_x[i] + y[i + j];
      }
      INFO(condition << " for " << n << ", sub-groups of " << width);
      CHECK(cl.read<uint32_t>(x) == want_x);
      CHECK(cl.read<uint32_t>(z) == want_z);
    }
  }
}

} // namespace

TEST_CASE("two loops over a row have results in common", "[loop_values]") {
  for (const size_t width : widthsInTurn())
    for (const size_t length : {size_t(0), size_t(1), size_t(7), kLongest}) {
      checkRows("global const uint *restrict x, global uint *restrict y", "", width, length);
      checkRows("global const uint *x, global uint *y", "", width, length); // x and y may be the same
      checkRows("global const uint *restrict x, global uint *restrict y",
                "  if (y[get_global_size(0) * length] == 1009) sum = 3;", width, length);
      checkRows("global const uint *restrict x, global uint *restrict y", "", width, length, /*next=*/true);
    }
}

TEST_CASE("the first of two loops does not know where the second one stores", "[loop_values]") {
  checkTwoLoops("uint sum = 1; { FOR sum += hash_of(xs[i]) >> 8; END; } { FOR y[i] = hash_of(xs[i]) / sum; END; }",
                [](const uint32_t *x, uint32_t *y, uint32_t n) {
                  const uint32_t sum = sumOfHashes(x, n);
                  for (uint32_t i = 0; i < n; ++i)
                    y[i] = hashOf(x[i]) / sum;
                });
  checkTwoLoops("uint sum = 1; { FOR sum += hash_of(xs[i]) >> 8; END; } y += n > 8 ? sum & 3 : 0;"
                "{ FOR if (n == 1 || i < n - 3) y[i] = hash_of(xs[i]) / sum; END; }",
                [](const uint32_t *x, uint32_t *y, uint32_t n) {
                  const uint32_t sum = sumOfHashes(x, n);
                  y += n > 8 ? sum & 3 : 0;
                  for (uint32_t i = 0; i < n; ++i)
                    if (n == 1 || i < n - 3)
                      y[i] = hashOf(x[i]) / sum;
                });
}

TEST_CASE("the second of two loops does not always run, or runs several times", "[loop_values]") {
  for (const uint32_t bit : {0U, 1U})
    checkTwoLoops("uint sum = 1; { FOR sum += hash_of(x[i]) >> 8; END; } if ((sum & 1) == " + std::to_string(bit) +
                      ") { FOR y[i] = hash_of(x[i]) / sum; END; }",
                  [=](const uint32_t *x, uint32_t *y, uint32_t n) {
                    const uint32_t sum = sumOfHashes(x, n);
                    for (uint32_t i = 0; i < n && (sum & 1) == bit; ++i)
                      y[i] = hashOf(x[i]) / sum;
                  });
  checkTwoLoops("uint sum = 1; { FOR sum += hash_of(x[i]) >> 8; END; }"
                "uint time = 0; do { FOR y[i] = hash_of(x[i]) / (sum + time); END; } while (++time < times);",
                [](const uint32_t *x, uint32_t *y, uint32_t n) {
                  const uint32_t sum = sumOfHashes(x, n);
                  for (uint32_t i = 0; i < n; ++i)
                    y[i] = hashOf(x[i]) / (sum + 2);
                });
}

TEST_CASE("the second of two loops uses what the first one computed in its last turn", "[loop_values]") {
  checkTwoLoops("uint sum = 1, all = 0; { FOR { sum += x[i]; all ^= hash_of(x[i] * 3 + sum); } END; }"
                "{ FOR y[i] = hash_of(x[i] * 3 + sum) + all; END; }",
                [](const uint32_t *x, uint32_t *y, uint32_t n) {
                  uint32_t sum = 1, all = 0;
                  for (uint32_t i = 0; i < n; ++i) {
                    sum += x[i];
                    all ^= hashOf(x[i] * 3 + sum);
                  }
                  for (uint32_t i = 0; i < n; ++i)
                    y[i] = hashOf(x[i] * 3 + sum) + all;
                });
}

TEST_CASE("a variable is multiplied and increased by constants, a known number of times", "[loop_values]") {
  for (const uint32_t turns : {1U, 2U, 37U, 5000U}) {
    CAPTURE(turns);
    checkEachItem("#define TURNS " + std::to_string(turns) + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  uint x = in[i], last = 0;
  for (uint turn = 0; turn < TURNS; ++turn) { last = x * 1664525u; x = last + 1013904223u; }
  ulong y = in[i];
  for (uint turn = 0; turn < TURNS; ++turn) y = 12345 - (y << 2);
  uchar z = in[i];
  if (z & 1) for (int turn = TURNS; turn > 0; --turn) z = z * 5 - 3;
  int sum = 0, w = in[i];
  for (uint turn = 0; turn < TURNS; ++turn) { sum += w; w = w * -7 + 11; }
  out[i] = x ^ last ^ (uint)(y >> 32) ^ (uint)y ^ z ^ sum ^ w;
})",
                  [=](const Item &item) {
                    const auto number = uint32_t(item.x());
                    uint32_t x = number, last = 0, sum = 0, w = number;
                    uint64_t y = number;
                    uint8_t z = uint8_t(number);
                    const bool odd = z & 1;
                    for (uint32_t turn = 0; turn < turns; ++turn) {
                      last = x * 1664525U, x = last + 1013904223U;
                      y = 12345 - (y << 2);
                      z = odd ? uint8_t(z * 5 - 3) : z;
                      sum += w, w = w * uint32_t(-7) + 11;
                    }
                    return int(x ^ last ^ uint32_t(y >> 32) ^ uint32_t(y) ^ z ^ sum ^ w);
                  },
                  {{64}, {37}});
  }
}

TEST_CASE("lanes leave a loop with the number of their last turn", "[loop_values]") {
  checkTurns("int i = 0; while (i < 20 && (x >> i & 1)) ++i; out[get_global_id(0)] = i;", [](uint32_t x) {
    int i = 0;
    while (i < 20 && (x >> i & 1))
      ++i;
    return i;
  });
  checkTurns("int i = x % 5; do { --i; if (x % 7 == -i) break; } while (i > -9); out[get_global_id(0)] = i;",
             [](uint32_t x) {
               int i = int(x % 5);
               do {
                 --i;
                 if (x % 7 == uint32_t(-i))
                   break;
               } while (i > -9);
               return i;
             });
  checkTurns("long i = 0; for (uint y = x; y > 3; y /= 3) ++i; out[get_global_id(0)] = (int)i;", [](uint32_t x) {
    int i = 0;
    for (uint32_t y = x; y > 3; y /= 3)
      ++i;
    return i;
  });
  checkTurns(
      "short n = 0; for (uint j = 0; j < 3; ++j) { short i = 1; while (i < 9 && (x + j) % (i + 1)) ++i; n += i; }"
      " out[get_global_id(0)] = n;",
      [](uint32_t x) {
        int n = 0;
        for (uint32_t j = 0; j < 3; ++j) {
          int i = 1;
          while (i < 9 && (x + j) % uint32_t(i + 1) != 0)
            ++i;
          n += i;
        }
        return n;
      });
}

TEST_CASE("accesses under a condition that holds for most sub-groups as a whole", "[loop_values]") {
  checkGuard("i < n", [](size_t i, size_t n) { return i < n; });
  checkGuard("i >= n", [](size_t i, size_t n) { return i >= n; });
  checkGuard("i != n", [](size_t i, size_t n) { return i != n; });
  checkGuard("i != 0 && i != kItems - 1 && n != 8",
             [](size_t i, size_t n) { return i != 0 && i != kItems - 1 && n != 8; });
  checkGuard("y[i] % 64 != n", [](size_t i, size_t n) { return i * 40503 % 1009 % 64 != n; });
  checkGuard("2 * i + 3 <= n", [](size_t i, size_t n) { return 2 * i + 3 <= n; });
}

// Work-groups of 256 go through rows of `length` elements in steps of their size, forwards or backwards. They access
// elements past the row only under a condition. The last row ends where the buffer ends.
template <class T> static void checkSharedRows(const std::string &type, size_t width, size_t length) {
  constexpr size_t kGroup = 256, kRows = 3;
  const Session cl;
  const Program program = cl.build("__attribute__((reqd_work_group_size(256, 1, 1))) " + ofWidth(width) + R"(k(
    global const T *x, global T *y, int length) {
  local uint sums[256];
  const int id = get_local_id(0), row = get_group_id(0);
  uint sum = 0;
  for (int i = id; i < length; i += 256)
    sum = sum * 3 + (uint)x[row * length + i];
  sums[id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += sums[255 - id];
  for (int i = length - 1 - id; i >= 0; i -= 256)
    if (x[row * length + i] % 3 != 1)
      y[row * length + i] = (T)(x[row * length + i] + sum);
})",
                                   "-DT=" + type);
  std::vector<T> in(kRows * length), want(kRows * length, T(7));
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = T(i * 40503 % 119);
  for (size_t row = 0; row < kRows; ++row) {
    const T *const x = in.data() + row * length;
    uint32_t sums[kGroup] = {};
    for (size_t i = 0; i < length; ++i)
      sums[i % kGroup] = sums[i % kGroup] * 3 + uint32_t(x[i]);
    for (size_t i = 0; i < length; ++i)
      if (const size_t id = (length - 1 - i) % kGroup; x[i] % 3 != 1)
        want[row * length + i] = T(uint32_t(x[i]) + sums[id] + sums[kGroup - 1 - id]);
  }
  Memory x = cl.buffer(in), y = cl.buffer(std::vector<T>(kRows * length, T(7)));
  cl.run(cl.kernel(program, "k"), {kRows * kGroup}, {kGroup}, x, y, cl_int(length));
  INFO(type << ", rows of " << length << ", sub-groups of " << width);
  CHECK(cl.read<T>(y) == want);
}

// The second loop computes the hash again after its store.
TEST_CASE("after its store, the second loop uses what both loops compute", "[loop_values]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = cl.build(kHash + ofWidth(width) + R"(k(global const uint *restrict x,
        global uint *restrict y, global uint *restrict sums, uint length) {
  const size_t id = get_global_id(0);
  uint sum = 1, mixed = 0;
  for (uint i = 0; i < length; ++i)
    sum += hash_of(x[id * length + i]) >> 8;
  for (uint i = 0; i < length; ++i) {
    y[id * length + i] = sum;
    mixed = mixed * 5 ^ hash_of(x[id * length + i]);
  }
  sums[id] = mixed;
})",
                                     "-cl-std=CL3.0");
    const size_t length = 37;
    const std::vector<uint32_t> in = numbers(kItems * length);
    std::vector<uint32_t> want(kItems);
    for (size_t i = 0; i < in.size(); ++i)
      want[i / length] = want[i / length] * 5 ^ hashOf(in[i]);
    Memory x = cl.buffer(in), y = cl.buffer(in), sums = cl.buffer(std::vector<uint32_t>(kItems));
    cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, x, y, sums, cl_uint(length));
    INFO("sub-groups of " << width);
    CHECK(cl.read<uint32_t>(sums) == want);
    CHECK(cl.read<uint32_t>(y)[3 * length] == sumOfHashes(in.data() + 3 * length, length));
  }
}

TEST_CASE("sub-groups that share a row", "[loop_values]") {
  for (const size_t width : widthsInTurn())
    for (const size_t length : {1, 100, 256, 1000, 2048, 2061}) {
      checkSharedRows<uint32_t>("uint", width, length);
      checkSharedRows<uint16_t>("ushort", width, length);
      checkSharedRows<uint64_t>("ulong", width, length);
    }
}
