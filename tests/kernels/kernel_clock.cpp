// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_kernel_clock: the clock that a kernel reads advances, in any control flow.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

// The distribution's headers are older than the extension.
constexpr cl_device_info kCapabilities = 0x1076;

} // namespace

TEST_CASE("clocks advance while a work-item runs", "[kernel_clock]") {
  for (const char *scope : {"device", "work_group", "sub_group"})
    checkEachItem(std::string("#define READ clock_read_") + scope + "\n#define READ_HILO clock_read_hilo_" + scope + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  ulong first = READ();
  ulong last = first, steps = 0;
  // Lanes leave the loop at different times, and keep what they read last.
  for (int n = 0; n < in[i]; ++n) {
    ulong now = READ();
    if (now >= last) ++steps;
    last = now;
  }
  uint2 parts = READ_HILO();
  ulong after = upsample(parts.hi, parts.lo);
  out[i] = (int)steps + 1000 * (last >= first) + 10000 * (after > first) + 100000 * (in[i] < 50 || last > first);
})",
                  [](const Item &item) { return item.x() + 111000; });
}

TEST_CASE("a clock is read again after a barrier", "[kernel_clock]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  local ulong latest;
  size_t i = get_global_id(0);
  ulong mine = clock_read_work_group();
  if (get_local_id(0) == get_local_size(0) - 1) latest = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong after = clock_read_work_group();
  out[i] = (after > mine) + 2 * (after > latest);
})",
                [](const Item &) { return 3; });
}

TEST_CASE("lanes that read the clock in different iterations get different times", "[kernel_clock]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global ulong *out) {
  size_t i = get_global_id(0);
  ulong now = 0;
  for (size_t n = 0; n <= i; ++n) now = clock_read_device();
  out[i] = now;
})",
                                          width);
    Memory out = cl.bytes(width * sizeof(uint64_t));
    cl.run(cl.kernel(program, "k"), {width}, {width}, out);
    const std::vector<uint64_t> times = cl.read<uint64_t>(out);
    for (size_t i = 1; i < width; ++i)
      CHECK(times[i - 1] < times[i]);
  }
}

TEST_CASE("the device and the compiler agree about the clocks", "[kernel_clock]") {
  cl_bitfield capabilities = 0;
  check(clGetDeviceInfo(laneclDevice(), kCapabilities, sizeof capabilities, &capabilities, nullptr), "clGetDeviceInfo");
  CHECK(capabilities == 7);
  std::string source = "#ifndef cl_khr_kernel_clock\n#error cl_khr_kernel_clock\n#endif\n";
  for (const char *scope : {"device", "work_group", "sub_group"}) {
    const std::string macro = std::string("__opencl_c_kernel_clock_scope_") + scope;
    source += "#ifndef " + macro + "\n#error " + macro + "\n#endif\n";
  }
  for (const char *standard : {"-cl-std=CL2.0", "-cl-std=CL3.0"})
    CHECK_NOTHROW(Session().build(source, standard));
}
