// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels for a processor that LANECL_CPU names, which may or may not be that of this machine. CTest runs this once for
// each of several processors.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace lanecl::test;

namespace {

bool runsHere(const std::string &cpu) {
  if (cpu == "x86-64-v4")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  return cpu == "bdver4" ? __builtin_cpu_supports("xop") && __builtin_cpu_supports("fma4") : cpu == "x86-64-v2";
}

void CL_CALLBACK remember(const char *text, const void *, size_t, void *messages) {
  static_cast<std::string *>(messages)->append(text);
}

constexpr const char *kSource = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";

} // namespace

TEST_CASE("kernels for a named processor run if they can, and are refused elsewhere", "[.processor]") {
  const char *cpu = std::getenv("LANECL_CPU");
  REQUIRE(cpu);
  std::string messages;
  Session cl;
  cl_int code = CL_SUCCESS;
  cl.context = Context(clCreateContext(nullptr, 1, &cl.device, remember, &messages, &code));
  check(code, "clCreateContext");
  cl.queue = makeQueue(cl.context);
  const Kernel kernel = cl.kernel(cl.build(kSource), "twice");
  const Memory data = cl.buffer(std::vector<int>{1, 2, 3, 4});
  cl.setArguments(kernel, data);
  const size_t global = 4, nothing = 0;
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &nothing, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  if (runsHere(cpu)) {
    CHECK(code == CL_SUCCESS);
    CHECK(cl.read<int>(data) == std::vector<int>{2, 4, 6, 8});
    CHECK(messages.empty());
    return;
  }
  CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(clEnqueueTask(cl.queue, kernel, 0, nullptr, nullptr) == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(cl.read<int>(data) == std::vector<int>{1, 2, 3, 4});
  CHECK_THAT(messages, Catch::Contains("kernel 'twice' is not launched") && Catch::Contains("LANECL_CPU") &&
                           Catch::Contains(cpu) && Catch::Contains("unset"));
}
