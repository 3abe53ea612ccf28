// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lifetime of program scope variables: each built program has its own set of them.
#include "program_forms.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

const char *const kCounter = "global int counter = 40; global int *global last = &counter; global int none[300];\n"
                             "kernel void count(global int *out) { ++*last; out[0] = counter; none[299] = 1; }\n";
constexpr size_t kCounterBytes = 4 + 8 + 1200; // at least

int countOnce(const Session &cl, const Program &program) {
  Memory out = cl.bytes(sizeof(int));
  cl.run(cl.kernel(program, "count"), {1}, {}, out);
  return cl.read<int>(out)[0];
}

size_t variableBytes(const Program &program) {
  size_t bytes = 1;
  check(clGetProgramBuildInfo(program, laneclDevice(), CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes,
                              &bytes, nullptr),
        "clGetProgramBuildInfo");
  return bytes;
}

} // namespace

TEST_CASE("variables belong to one build of a program", "[program_variables]") {
  const Session cl;
  const Program one = cl.build(kCounter, "-cl-std=CL3.0"), two = cl.build(kCounter, "-cl-std=CL3.0");
  CHECK(countOnce(cl, one) == 41);
  CHECK(countOnce(cl, one) == 42);
  CHECK(countOnce(cl, two) == 41);
  check(clBuildProgram(one, 1, &cl.device, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
  CHECK(countOnce(cl, one) == 41);
  CHECK(countOnce(cl, two) == 42);
}

TEST_CASE("a program from a binary starts with the initial values", "[program_variables]") {
  const Session cl;
  const Program program = cl.build(kCounter, "-cl-std=CL3.0");
  CHECK(countOnce(cl, program) == 41);
  const Program loaded = fromBinary(cl, program);
  CHECK(countOnce(cl, loaded) == 41);
  CHECK(countOnce(cl, loaded) == 42);
  CHECK(countOnce(cl, program) == 42);
  CHECK(variableBytes(loaded) == variableBytes(program));
}

TEST_CASE("a kernel keeps the variables of its program alive", "[program_variables]") {
  const Session cl;
  Memory out = cl.bytes(sizeof(int));
  Kernel kernel;
  {
    const Program program = cl.build(kCounter, "-cl-std=CL3.0");
    kernel = cl.kernel(program, "count");
    cl.run(kernel, {1}, {}, out);
  }
  cl.run(kernel, {1}, {}, out);
  CHECK(cl.read<int>(out)[0] == 42);
}

TEST_CASE("linked programs share variables", "[program_variables]") {
  const Session cl;
  const Program program = linked(cl,
                                 {"global int value = 5; static global int own = 1;\n"
                                  "int *address() { return &own; }\n"
                                  "kernel void set(int x) { value = x; own += 10; }\n",
                                  "extern global int value; static global int own = 2; int *address();\n"
                                  "kernel void get(global int *out) {\n"
                                  "  out[0] = value; out[1] = *address(); out[2] = own; }\n"},
                                 "-cl-std=CL3.0");
  Memory out = cl.bytes(3 * sizeof(int));
  cl.run(cl.kernel(program, "get"), {1}, {}, out);
  CHECK(cl.read<int>(out) == std::vector<int>{5, 1, 2});
  cl.run(cl.kernel(program, "set"), {1}, {}, 7);
  cl.run(cl.kernel(program, "get"), {1}, {}, out);
  CHECK(cl.read<int>(out) == std::vector<int>{7, 11, 2});
}

TEST_CASE("sizes of variables are reported and limited", "[program_variables]") {
  const Session cl;
  size_t most = 0, preferred = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr), "clGetDeviceInfo");
  check(
      clGetDeviceInfo(cl.device, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof preferred, &preferred, nullptr),
      "clGetDeviceInfo");
  CHECK(most >= 65536);
  CHECK(preferred > 0);
  CHECK(variableBytes(cl.build(kCounter, "-cl-std=CL3.0")) >= kCounterBytes);
  CHECK(variableBytes(cl.build("kernel void k() {}", "-cl-std=CL3.0")) == 0);
  CHECK(variableBytes(cl.build("constant int c[4] = {1}; kernel void k(global int *p) { *p = c[*p]; }")) == 0);
  const auto sized = [](size_t bytes) {
    return "#ifndef __opencl_c_program_scope_global_variables\n#error missing\n#endif\n"
           "uchar data[" +
           std::to_string(bytes) +
           "];\n"
           "kernel void k(global uchar *out, ulong i) { out[0] = ++data[i]; }\n";
  };
  const Program largest = cl.build(sized(most), "-cl-std=CL3.0");
  CHECK(variableBytes(largest) >= most);
  Memory out = cl.bytes(1);
  cl.run(cl.kernel(largest, "k"), {1}, {}, out, cl_ulong(most - 1));
  cl.run(cl.kernel(largest, "k"), {1}, {}, out, cl_ulong(most - 1));
  CHECK(cl.read<uint8_t>(out)[0] == 2);
  try {
    cl.build(sized(most + 1), "-cl-std=CL3.0");
    FAIL("a variable that is too large was accepted");
  } catch (const BuildError &error) {
    CHECK(error.code == CL_BUILD_PROGRAM_FAILURE);
    CHECK(error.log.find("CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE") != std::string::npos);
  }
}

TEST_CASE("OpenCL C 2.0 has program scope variables, 1.2 does not", "[program_variables]") {
  const Session cl;
  CHECK(countOnce(cl, cl.build(kCounter, "-cl-std=CL2.0")) == 41);
  CHECK_THROWS_AS(cl.build(kCounter, "-cl-std=CL1.2"), BuildError);
}

namespace {

// Two variables, the second of which is computed from the first, so that the order of construction matters.
const char *kConstructed =
    "struct S { int x, y; S(int a, int b) : x(a * 2), y(b) {} };\n"
    "__global S s(get_work_dim() + 20, get_global_size(0));\n"
    "__global S t(s.x + 1, 7);\n"
    "kernel void k(global int *out) { out[0] = s.x++; out[1] = s.y; out[2] = t.x; out[3] = t.y; }\n";

void checkConstructed(const Session &cl, const Program &program, int times = 0) {
  Memory out = cl.bytes(16);
  cl.run(cl.kernel(program, "k"), {1}, {}, out);
  CHECK(cl.read<int>(out) == std::vector<int>{42 + times, 1, 86, 7});
}

} // namespace

TEST_CASE("constructors run once, before the first kernel", "[program_variables]") {
  const Session cl;
  const std::string debugging = GENERATE("", " -g", " -g -cl-opt-disable");
  const Program program = cl.build(kConstructed, "-cl-std=CLC++2021" + debugging);
  size_t kernels = 0; // the code that runs the constructors does not count
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), "clGetProgramInfo");
  CHECK(kernels == 1);
  checkConstructed(cl, program);
  checkConstructed(cl, program, 1);
}

TEST_CASE("constructors of several sources, and of a binary", "[program_variables]") {
  const Session cl;
  const Program program =
      linked(cl,
             {kConstructed, "struct T { int z; T(int a) : z(a) {} }; __global T u(get_global_size(0) + 4);\n"
                            "kernel void other(global int *out) { out[0] = u.z; }\n"},
             "-cl-std=CLC++2021");
  checkConstructed(cl, program);
  Memory out = cl.bytes(4);
  cl.run(cl.kernel(program, "other"), {1}, {}, out);
  CHECK(cl.read<int>(out) == std::vector<int>{5});
  checkConstructed(cl, fromBinary(cl, program));
}
