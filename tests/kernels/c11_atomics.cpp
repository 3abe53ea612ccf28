// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The atomic types and functions of OpenCL C 2.0: all types, memories, orders and scopes, in divergent flow.
#include "each_item.hpp"

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 3 * 100;
const char *const kPragmas = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                             "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";

// A function in its three forms. All of them mean the same here, because the result does not depend on the order.
const char *const kForms[] = {
    "#define ORDERED(name, ...) name(__VA_ARGS__)\n#define EXCHANGED(name, ...) name(__VA_ARGS__)\n"
    "#define LOAD(p) atomic_load(p)\n#define STORE(p, x) atomic_store(p, x)\n",
    "#define ORDERED(name, ...) name##_explicit(__VA_ARGS__, ORDER)\n"
    "#define EXCHANGED(name, ...) name##_explicit(__VA_ARGS__, ORDER, memory_order_relaxed)\n"
    "#define LOAD(p) atomic_load_explicit(p, memory_order_acquire)\n"
    "#define STORE(p, x) atomic_store_explicit(p, x, memory_order_release)\n",
    "#define ORDERED(name, ...) name##_explicit(__VA_ARGS__, ORDER, SCOPE)\n"
    "#define EXCHANGED(name, ...) name##_explicit(__VA_ARGS__, ORDER, memory_order_relaxed, SCOPE)\n"
    "#define LOAD(p) atomic_load_explicit(p, memory_order_seq_cst, SCOPE)\n"
    "#define STORE(p, x) atomic_store_explicit(p, x, memory_order_relaxed, SCOPE)\n"};

Program buildAtomics(const Session &cl, const std::string &source, const std::string &type, size_t form, size_t width) {
  static const char *const kOrders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  static const char *const kScopes[] = {"work_group", "device", "all_devices"};
  const std::string order = kOrders[(form + type.size()) % 5], scope = kScopes[(form + type.size()) % 3];
  return buildForWidth(cl,
                       kPragmas +
                           ("#define T " + type + "\n#define A atomic_" + type + "\n#define ORDER memory_order_") +
                           order + "\n#define SCOPE memory_scope_" + scope + "\n" + kForms[form] + source,
                       width);
}

// In repeated runs the forms take turns, and so do the widths.
std::vector<size_t> formsInTurn() {
  static size_t turn = 0;
  if (isRepeated() && !runsEverything())
    return {turn++ % std::size(kForms)};
  static_assert(std::size(kForms) == 3);
  return {0, 1, 2};
}

template <class T, class Check> void forEachBuild(const std::string &source, const char *type, Check check) {
  const Session cl;
  for (const size_t form : formsInTurn()) {
    const size_t width = 8 << form;
    INFO("atomic_" << type << ", form " << form << ", sub-groups of " << width);
    const Program program = buildAtomics(cl, source, type, form, width);
    check(cl, cl.kernel(program, "k"));
  }
}

// Checks every modifying function in the lanes of a branch. In the other lanes the address is null.
template <class T> void checkModifications(const char *type, const char *space) {
  const bool local = std::string(space) == "local";
  const std::string source = std::string("#define SPACE ") + space + "\n#define CELLS " +
                             (local ? "own\n#define LOCAL 1" : "cells\n#define LOCAL 0") +
                             R"(

KERNEL void k(global const int *in, global A *cells) {
  local A own[8];
  size_t i = get_global_id(0), l = get_local_id(0);
  int x = in[i];
  volatile SPACE A *p = CELLS;
  if (l < 8) atomic_init(&own[l], (T)(l == 3 || l == 6 ? -1 : 100));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x % 3 == 0) p = 0;
  if (x % 3 != 0) {
    ORDERED(atomic_fetch_add, p, (T)x);
    ORDERED(atomic_fetch_sub, p + 1, (T)x);
    ORDERED(atomic_fetch_max, p + 2, (T)(x + 100));
    ORDERED(atomic_fetch_and, p + 3, (T)~(1L << x % 30));
    ORDERED(atomic_fetch_or, p + 4, (T)((T)1 << x % 30));
    ORDERED(atomic_fetch_xor, p + 5, (T)((T)x * 77));
    ORDERED(atomic_fetch_min, p + 6, (T)x);
    T seen = atomic_load_explicit(p + 7, memory_order_relaxed, memory_scope_work_group);
    while (!EXCHANGED(atomic_compare_exchange_strong, p + 7, &seen, (T)(seen + x))) {}
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LOCAL && l < 8 && get_group_id(0) == 0) atomic_store(&cells[l], atomic_load(&own[l]));
})";
  std::vector<T> cells(8, 100), want(8, 100);
  cells[3] = want[3] = cells[6] = want[6] = T(-1);
  const std::vector<int> input = mixedInput(kItems);
  for (size_t i = 0; i < (local ? 100 : kItems); ++i)
    if (const int x = input[i]; x % 3 != 0) {
      want[0] += T(x);
      want[1] -= T(x);
      want[2] = std::max(want[2], T(x + 100));
      want[3] &= T(~(1L << x % 30));
      want[4] |= T(T(1) << x % 30);
      want[5] ^= T(T(x) * 77);
      want[6] = std::min(want[6], T(x));
      want[7] += T(x);
    }
  forEachBuild<T>(source, type, [&](const Session &cl, const Kernel &kernel) {
    Memory in = cl.buffer(input), memory = cl.buffer(cells);
    cl.run(kernel, {kItems}, {100}, in, memory);
    CHECK(cl.read<T>(memory) == want);
  });
}

template <class T> void checkEverySpace(const char *type) {
  for (const char *space : {"global", "local", "generic"})
    checkModifications<T>(type, space);
}

// Checks loads, stores, exchanges, and both the weak and the strong compare-exchange, also for types without
// arithmetic.
template <class T> void checkExchanges(const char *type) {
  const std::vector<int> input = mixedInput(kItems);
  forEachBuild<T>(R"(
KERNEL void k(global const int *in, global A *cells, global T *seen) {
  size_t i = get_global_id(0);
  int x = in[i];
  global A *mine = x % 4 == 1 ? 0 : cells + 2 + i;
  seen[i] = -1;
  if (x % 4 == 1) return;
  STORE(mine, (T)(x + 5));
  seen[i] = ORDERED(atomic_exchange, cells, (T)(i + 1));
  T sum = atomic_load(cells + 1);
  if (i & 1) while (!EXCHANGED(atomic_compare_exchange_strong, cells + 1, &sum, (T)(sum + x))) {}
  else while (!EXCHANGED(atomic_compare_exchange_weak, cells + 1, &sum, (T)(sum + x))) {}
  T wrong = (T)-7;
  bool same = EXCHANGED(atomic_compare_exchange_strong, mine, &wrong, (T)1);
  atomic_store(mine, (T)(wrong * 2 + same + LOAD(mine) - x));
}
)",
                  type, [&](const Session &cl, const Kernel &kernel) {
                    std::vector<T> cells(2 + kItems, T(-3));
                    cells[0] = cells[1] = 0;
                    Memory in = cl.buffer(input), memory = cl.buffer(cells), seen = cl.bytes(kItems * sizeof(T));
                    cl.run(kernel, {kItems}, {100}, in, memory, seen);
                    const std::vector<T> got = cl.read<T>(memory);
                    std::vector<T> chain = cl.read<T>(seen), want;
                    T sum = 0;
                    for (size_t i = 0; i < kItems; ++i) {
                      const bool active = input[i] % 4 != 1;
                      sum += active ? T(input[i]) : T(0);
                      want.push_back(active ? T(i + 1) : T(-1));
                      CHECK(got[2 + i] == (active ? T((input[i] + 5) * 3 - input[i]) : T(-3)));
                    }
                    CHECK(got[1] == sum);
                    // In whatever order the exchanges happened, the first value and all values that they left behind
                    // are seen once, except the last one.
                    std::replace(want.begin(), want.end(), got[0], T(0));
                    std::sort(chain.begin(), chain.end());
                    std::sort(want.begin(), want.end());
                    CHECK(chain == want);
                  });
}

} // namespace

TEST_CASE("modifications of 32-bit integers", "[c11_atomics]") {
  checkEverySpace<int32_t>("int");
  checkEverySpace<uint32_t>("uint");
}

TEST_CASE("modifications of 64-bit integers", "[c11_atomics]") {
  checkEverySpace<int64_t>("long");
  checkEverySpace<uint64_t>("ulong");
}

TEST_CASE("modifications of integers as wide as pointers", "[c11_atomics]") {
  checkModifications<uint64_t>("size_t", "global");
  checkModifications<int64_t>("ptrdiff_t", "local");
}

TEST_CASE("exchanges of every type", "[c11_atomics]") {
  checkExchanges<int32_t>("int");
  checkExchanges<uint32_t>("uint");
  checkExchanges<int64_t>("long");
  checkExchanges<uint64_t>("ulong");
  checkExchanges<float>("float");
  checkExchanges<double>("double");
}

TEST_CASE("a flag is taken only once until it is cleared", "[c11_atomics]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
global atomic_flag unused = ATOMIC_FLAG_INIT;
KERNEL void k(global const int *in, global atomic_flag *flags, global int *got) {
  local atomic_flag own;
  size_t i = get_global_id(0);
  int x = in[i];
  if (get_local_id(0) == 0) atomic_flag_clear(&own);
  barrier(CLK_LOCAL_MEM_FENCE);
  got[i] = 0;
  if (x % 3 == 1) {
    got[i] = !atomic_flag_test_and_set_explicit(&flags[x % 10], memory_order_acquire, memory_scope_device);
    if (!atomic_flag_test_and_set(&own)) got[i] += 100;
  }
  if (i == 0 && atomic_flag_test_and_set_explicit(&unused, memory_order_relaxed)) got[i] += 1000;
}
kernel void clear(global atomic_flag *flags) {
  if (get_global_id(0) & 1) atomic_flag_clear_explicit(&flags[get_global_id(0)], memory_order_release,
                                                       memory_scope_all_devices);
})",
                                          width);
    const std::vector<int> input = mixedInput(kItems);
    Memory in = cl.buffer(input), flags = cl.buffer(std::vector<int>(10)), got = cl.bytes(kItems * sizeof(int));
    const auto taken = [&] {
      cl.run(cl.kernel(program, "k"), {kItems}, {100}, in, flags, got);
      const std::vector<int> values = cl.read<int>(got);
      std::vector<int> counts(10);
      for (size_t i = 0; i < kItems; ++i) {
        counts[input[i] % 10] += values[i] % 10;
        CHECK((values[i] == 0 || input[i] % 3 == 1 || i == 0));
      }
      const int sum = std::accumulate(values.begin(), values.end(), 0);
      CHECK(sum / 100 % 10 == 3); // one of each work-group
      return counts;
    };
    std::vector<int> all(10);
    for (int x : input)
      if (x % 3 == 1)
        all[x % 10] = 1;
    CHECK(taken() == all);
    CHECK(taken() == std::vector<int>(10));
    cl.run(cl.kernel(program, "clear"), {10}, {}, flags);
    for (size_t i = 0; i < 10; i += 2)
      all[i] = 0;
    CHECK(taken() == all);
  }
}

TEST_CASE("the last work-group sees what all others have written", "[c11_atomics]") {
  const Session cl;
  constexpr size_t groups = 200, local = 64;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global const int *in, global int *partial, global atomic_uint *done, global int *out) {
  local int sum; local uint before;
  size_t l = get_local_id(0), groups = get_num_groups(0);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    partial[get_group_id(0)] = sum;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    before = atomic_fetch_add_explicit(done, 1u, memory_order_acq_rel, memory_scope_device);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (before + 1 < groups) return;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
  for (size_t g = l; g < groups; g += get_local_size(0)) atomic_add(out, partial[g]);
})",
                                          width);
    const std::vector<int> input = mixedInput(groups * local);
    Memory in = cl.buffer(input);
    for (int run = 0; run < 10; ++run) {
      Memory partial = cl.buffer(std::vector<int>(groups, -1)), done = cl.buffer(std::vector<int>(1));
      Memory out = cl.buffer(std::vector<int>(1));
      cl.run(cl.kernel(program, "k"), {groups * local}, {local}, in, partial, done, out);
      CHECK(cl.read<int>(out)[0] == std::accumulate(input.begin(), input.end(), 0));
    }
  }
}

TEST_CASE("64-bit atomics of OpenCL C 1.2", "[c11_atomics]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = cl.build(kPragmas + std::string(R"(
__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global const int *in, global ulong *c) {
  local long own[2];
  size_t l = get_local_id(0);
  int x = in[get_global_id(0)];
  if (l < 2) own[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x % 3 != 0) {
    atom_add(&c[0], (ulong)x << 32); atom_sub(&c[1], (ulong)x << 32); atom_max(&c[2], (ulong)x << 32);
    atom_min(&c[3], (ulong)x << 32); atom_xor(&c[4], (ulong)x << 32); atom_or(&c[5], (ulong)x << 32);
    atom_and(&c[6], ~((ulong)(x % 4) << 32)); atom_inc(&c[7]); atom_dec(&c[8]);
    atom_add(&own[0], (long)x); atom_min(&own[1], -(long)x);
    ulong expected = c[9];
    while (true) {
      ulong seen = atom_cmpxchg(&c[9], expected, expected + x);
      if (seen == expected) break;
      expected = seen;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) { atom_add(&c[10], (ulong)own[0]); atom_add(&c[11], (ulong)own[1]); }
})"),
                                     "-DWIDTH=" + std::to_string(width));
    const std::vector<uint64_t> start{5, 5, 0, ~uint64_t(0), 0, 0, ~uint64_t(0), 0, 1000, 0, 0, 0};
    std::vector<uint64_t> want = start;
    const std::vector<int> input = mixedInput(kItems);
    for (size_t group = 0; group < kItems; group += 100) {
      uint64_t lowest = 0;
      for (size_t i = group; i < group + 100; ++i)
        if (const uint64_t x = uint64_t(input[i]); x % 3 != 0) {
          want[0] += x << 32;
          want[1] -= x << 32;
          want[2] = std::max(want[2], x << 32);
          want[3] = std::min(want[3], x << 32);
          want[4] ^= x << 32;
          want[5] |= x << 32;
          want[6] &= ~((x % 4) << 32);
          ++want[7];
          --want[8];
          want[9] += x;
          want[10] += x;
          lowest = std::max(lowest, x);
        }
      want[11] -= lowest;
    }
    Memory in = cl.buffer(input), cells = cl.buffer(start);
    cl.run(cl.kernel(program, "k"), {kItems}, {100}, in, cells);
    CHECK(cl.read<uint64_t>(cells) == want);
  }
}

TEST_CASE("the device says which orders and scopes it has", "[c11_atomics]") {
  cl_device_atomic_capabilities memory = 0, fence = 0;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof memory, &memory, nullptr),
        "clGetDeviceInfo");
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof fence, &fence, nullptr),
        "clGetDeviceInfo");
  CHECK(memory ==
        (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
         CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES));
  CHECK(fence == (memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM));
}
