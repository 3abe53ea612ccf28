// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_float_atomics: half, float and double in every memory, in divergent flow, with several work-groups at once.
#include "each_item.hpp"

#include <CL/cl_half.h>
#include <algorithm>
#include <bit>
#include <cmath>

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 10 * 100, kLocal = 100;

// The distribution's headers are older than the extension.
constexpr cl_device_info kSingle = 0x4231, kDouble = 0x4232, kHalf = 0x4233;
constexpr cl_bitfield kAll = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 16 | 1 << 17 | 1 << 18;

struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(double value) : bits(cl_half_from_float(float(value), CL_HALF_RTE)) {}
  operator double() const { return cl_half_to_float(bits); }
};

// The operations in three forms, which all mean the same here.
const char *const kForms[] = {
    "#define DO(name, p, x) name(p, x)\n#define GET(p) atomic_load(p)\n",
    "#define DO(name, p, x) name##_explicit(p, x, memory_order_relaxed)\n"
    "#define GET(p) atomic_load_explicit(p, memory_order_acquire)\n",
    "#define DO(name, p, x) name##_explicit(p, x, memory_order_acq_rel, memory_scope_device)\n"
    "#define GET(p) atomic_load_explicit(p, memory_order_seq_cst, memory_scope_device)\n"};

const char *const kModify = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
KERNEL void k(global const int *in, global A *cells, global T *seen, global int *spread) {
  local A own[8];
  size_t i = get_global_id(0), l = get_local_id(0);
  int x = in[i];
  volatile SPACE A *p = CELLS;
  if (l < 8) DO(atomic_store, &own[l], (T)0);
  barrier(CLK_LOCAL_MEM_FENCE);
  seen[i] = (T)-1;
  if (x % 4 == 1) p = 0;
  if (x % 4 != 1) {
    seen[i] = DO(atomic_fetch_add, p, (T)1);
    DO(atomic_fetch_sub, p + 1, (T)0.5f);
    DO(atomic_fetch_min, p + 2, (T)(x - 50) / 4);
    DO(atomic_fetch_max, p + 3, (T)(x - 50) / 4);
    // By lanes at several places, and with the old values.
    DO(atomic_fetch_add, p + 4 + x % 2, (T)0.25f);
    spread[i] = DO(atomic_fetch_max, p + 6, (T)x) <= GET(p + 6);
    DO(atomic_exchange, p + 7, (T)(x + 1000));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LOCAL && l < 8 && get_group_id(0) == 0) DO(atomic_store, &cells[l], GET(&own[l]));
})";

template <class T> void checkModifications(const char *type, const char *space) {
  const Session cl;
  const bool local = std::string(space) == "local";
  const std::vector<int> input = mixedInput(kItems);
  // These sums are exact in every order.
  double want[7] = {};
  for (size_t i = 0; i < (local ? kLocal : kItems); ++i)
    if (const int x = input[i]; x % 4 != 1) {
      want[0] += 1;
      want[1] -= 0.5;
      want[2] = std::min(want[2], (x - 50) / 4.0);
      want[3] = std::max(want[3], (x - 50) / 4.0);
      want[4 + x % 2] += 0.25;
      want[6] = std::max<double>(want[6], x);
    }
  for (size_t form = 0; form < std::size(kForms); ++form) {
    const size_t width = 8 << form;
    INFO("atomic_" << type << " in " << space << " memory, form " << form);
    const Program program =
        buildForWidth(cl,
                      std::string("#define T ") + type + "\n#define A atomic_" + type + "\n#define SPACE " + space +
                          "\n#define LOCAL " + (local ? "1\n#define CELLS own\n" : "0\n#define CELLS cells\n") +
                          kForms[form] + kModify,
                      width);
    Memory in = cl.buffer(input), cells = cl.buffer(std::vector<T>(8)), seen = cl.bytes(kItems * sizeof(T));
    Memory spread = cl.buffer(std::vector<int>(kItems, 1));
    cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, in, cells, seen, spread);
    const std::vector<T> got = cl.read<T>(cells);
    for (size_t cell = 0; cell < std::size(want); ++cell)
      CHECK(double(got[cell]) == want[cell]);
    const auto written = [&](int x) { return x % 4 != 1 && double(got[7]) == x + 1000; };
    CHECK(std::any_of(input.begin(), input.end(), written));
    CHECK(cl.read<int>(spread) == std::vector<int>(kItems, 1));
    // Each value that the counter had is seen once, in each memory that has a counter.
    const std::vector<T> values = cl.read<T>(seen);
    for (size_t first = 0; first < kItems; first += local ? kLocal : kItems) {
      std::vector<double> order, expected;
      for (size_t i = first; i < first + (local ? kLocal : kItems); ++i) {
        if (input[i] % 4 != 1)
          expected.push_back(double(expected.size()));
        if (double(values[i]) != -1)
          order.push_back(double(values[i]));
      }
      std::sort(order.begin(), order.end());
      CHECK(order == expected);
    }
  }
}

template <class T> void checkEverySpace(const char *type) {
  for (const char *space : {"global", "local", "generic"})
    checkModifications<T>(type, space);
}

} // namespace

TEST_CASE("atomic functions of floats", "[float_atomics]") {
  checkEverySpace<float>("float");
}
TEST_CASE("atomic functions of doubles", "[float_atomics]") {
  checkEverySpace<double>("double");
}
TEST_CASE("atomic functions of halves", "[float_atomics]") {
  checkEverySpace<Half>("half");
}

TEST_CASE("minimum and maximum with NaN, if all, some or no lanes take part", "[float_atomics]") {
  const Session cl;
  const float nan = std::nanf(""), inf = HUGE_VALF;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global atomic_float *cells, float x, int taken) {
  if ((int)get_global_id(0) % 7 < taken) {
    atomic_fetch_min(cells, x);
    atomic_fetch_max(cells + 1, x);
    atomic_fetch_min(cells + 2 + get_global_id(0) % 2, x);
  }
})",
                                          width);
    struct Case {
      float start, x;
      int taken;
      float min, max;
    };
    for (const Case &one :
         {Case{nan, nan, 7, nan, nan}, Case{nan, nan, 3, nan, nan}, Case{nan, 2, 3, 2, 2}, Case{2, nan, 3, 2, 2},
          Case{2, nan, 0, 2, 2}, Case{2, -inf, 3, -inf, 2}, Case{2, inf, 7, 2, inf}, Case{nan, 1, 0, nan, nan}}) {
      Memory cells = cl.buffer(std::vector<float>(4, one.start));
      cl.run(cl.kernel(program, "k"), {3 * 50}, {50}, cells, one.x, one.taken);
      const std::vector<float> got = cl.read<float>(cells);
      INFO(one.x << " to " << one.start << ", " << one.taken << " of 7 lanes");
      const float want[] = {one.min, one.max, one.min, one.min};
      for (size_t i = 0; i < 4; ++i)
        CHECK((got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))));
    }
  }
}

TEST_CASE("work-groups add floats to one place", "[float_atomics]") {
  const Session cl;
  constexpr size_t items = 1 << 17;
  for (const char *type : {"float", "double"}) {
    const Program program = cl.build(std::string("#define T ") + type + "\n#define A atomic_" + type + R"(
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void k(global A *sum) { atomic_fetch_add_explicit(sum, (T)1, memory_order_relaxed, memory_scope_device); })",
                                     "-cl-std=CL3.0");
    Memory sum = cl.buffer(std::vector<double>(1));
    cl.run(cl.kernel(program, "k"), {items}, {64}, sum);
    const double bits = cl.read<double>(sum)[0];
    const double got = *type == 'f' ? std::bit_cast<float>(uint32_t(std::bit_cast<uint64_t>(bits))) : bits;
    CHECK(got == items);
  }
}

TEST_CASE("the device and the compiler agree about the atomic functions of floats", "[float_atomics]") {
  for (cl_device_info name : {kSingle, kDouble, kHalf}) {
    cl_bitfield capabilities = 0;
    check(clGetDeviceInfo(laneclDevice(), name, sizeof capabilities, &capabilities, nullptr), "clGetDeviceInfo");
    CHECK(capabilities == kAll);
  }
  std::string source = "#ifndef cl_ext_float_atomics\n#error cl_ext_float_atomics\n#endif\n";
  for (const char *type : {"fp16", "fp32", "fp64"})
    for (const char *space : {"global", "local"})
      for (const char *what : {"load_store", "add", "min_max"})
        if (std::string(what) != "load_store" || std::string(type) == "fp16") {
          const std::string macro = std::string("__opencl_c_ext_") + type + "_" + space + "_atomic_" + what;
          source += "#ifndef " + macro + "\n#error " + macro + "\n#endif\n";
        }
  for (const char *standard : {"-cl-std=CL2.0", "-cl-std=CL3.0"})
    CHECK_NOTHROW(Session().build(source, standard));
}
