// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs: source, build, compile, link, binaries, and their failures.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

using namespace lanecl::test;

namespace {

constexpr const char *kSource = "kernel void one(global int *out) { out[0] = VALUE; }\n"
                                "kernel void two(global int *out) { out[0] = 2; }\n";

int result(const Session &cl, const Program &program, const char *name = "one") {
  Memory out = cl.buffer(std::vector<int>{0});
  cl.run(cl.kernel(program, name), {1}, {}, out);
  return cl.read<int>(out)[0];
}

cl_build_status status(const Session &cl, const Program &program) {
  cl_build_status value = 0;
  check(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof value, &value, nullptr), "status");
  return value;
}

cl_program_binary_type binaryType(const Session &cl, const Program &program) {
  cl_program_binary_type value = 99;
  check(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BINARY_TYPE, sizeof value, &value, nullptr), "type");
  return value;
}

std::vector<unsigned char> binary(const Program &program) {
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
  std::vector<unsigned char> bytes(size);
  unsigned char *pointers[] = {bytes.data()};
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointers, pointers, nullptr), "binaries");
  return bytes;
}

Program load(const Session &cl, const std::vector<unsigned char> &bytes, cl_int &code, cl_int *status = nullptr) {
  const unsigned char *pointer = bytes.data();
  const size_t size = bytes.size();
  return Program(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &pointer, status, &code));
}

Program compiled(const Session &cl, const std::string &text, const std::string &options = "") {
  Program program = cl.source(text);
  check(clCompileProgram(program, 0, nullptr, options.c_str(), 0, nullptr, nullptr, nullptr, nullptr),
        "clCompileProgram");
  return program;
}

Program linked(const Session &cl, const std::vector<cl_program> &inputs, const char *options, cl_int &code) {
  return Program(
      clLinkProgram(cl.context, 0, nullptr, options, cl_uint(inputs.size()), inputs.data(), nullptr, nullptr, &code));
}

} // namespace

TEST_CASE("a program is built and runs", "[program]") {
  Session cl;
  Program program = cl.build(kSource, "-D VALUE=41+1");
  CHECK(result(cl, program) == 42);
  CHECK(status(cl, program) == CL_BUILD_SUCCESS);
  CHECK(binaryType(cl, program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  size_t kernels = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr) == CL_SUCCESS);
  CHECK(kernels == 2);
  char names[32] = {};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr) == CL_SUCCESS);
  CHECK(std::string(names) == "one;two");
  char options[32] = {};
  CHECK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, nullptr) ==
        CL_SUCCESS);
  CHECK(std::string(options) == "-D VALUE=41+1");
}

TEST_CASE("source strings are joined, with and without lengths", "[program]") {
  Session cl;
  const char *strings[] = {"kernel void one(global int *out) not this", " { out[0] = 8; }"};
  const size_t lengths[] = {32, 0};
  cl_int code = 1;
  Program program(clCreateProgramWithSource(cl.context, 2, strings, lengths, &code));
  REQUIRE(code == CL_SUCCESS);
  char source[128] = {};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, nullptr) == CL_SUCCESS);
  CHECK(std::string(source) == "kernel void one(global int *out) { out[0] = 8; }");
  const char *holed[] = {"", nullptr};
  CHECK(clCreateProgramWithSource(cl.context, 2, holed, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(cl.context, 0, strings, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(cl.context, 1, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("a syntax error is in the log, and can be repaired", "[program]") {
  Session cl;
  Program program = cl.source(kSource);
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(status(cl, program) == CL_BUILD_ERROR);
  CHECK(buildLog(program).find("error: use of undeclared identifier 'VALUE'") != std::string::npos);
  size_t kernels = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr) ==
        CL_INVALID_PROGRAM_EXECUTABLE);
  REQUIRE(clBuildProgram(program, 0, nullptr, "-DVALUE=3", nullptr, nullptr) == CL_SUCCESS);
  CHECK(result(cl, program) == 3);
}

TEST_CASE("options that do not exist are refused", "[program]") {
  Session cl;
  CHECK(clBuildProgram(cl.source(kSource), 0, nullptr, "-no-such-option", nullptr, nullptr) ==
        CL_INVALID_BUILD_OPTIONS);
  CHECK(clCompileProgram(cl.source(kSource), 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr, nullptr) ==
        CL_INVALID_COMPILER_OPTIONS);
}

TEST_CASE("a required sub-group size that the device lacks fails the build, and the log names the sizes it has",
          "[program]") {
  Session cl;
  try {
    cl.build("kernel __attribute__((intel_reqd_sub_group_size(7))) void k(global int *p) { p[0] = 1; }");
    FAIL("was built");
  } catch (const BuildError &error) {
    CHECK(error.code == CL_BUILD_PROGRAM_FAILURE);
    CHECK(error.log.find("8, 16") != std::string::npos);
    CHECK(error.log.find("32") != std::string::npos);
  }
}

TEST_CASE("builds refuse what the specification refuses", "[program]") {
  Session cl;
  Program program = cl.source(kSource);
  const auto not_a_device = reinterpret_cast<cl_device_id>(cl.context.get());
  CHECK(clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_PROGRAM);
  CHECK(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clBuildProgram(program, 0, &cl.device, "", nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, &cl) == CL_INVALID_VALUE);
  CHECK(clBuildProgram(program, 1, &not_a_device, "", nullptr, nullptr) == CL_INVALID_DEVICE);
  CHECK(clGetProgramInfo(program, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramBuildInfo(program, cl.device, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramBuildInfo(program, not_a_device, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr) == CL_INVALID_DEVICE);
}

TEST_CASE("a program with kernels is not rebuilt", "[program]") {
  Session cl;
  Program program = cl.build(kSource, "-DVALUE=1");
  {
    Kernel kernel = cl.kernel(program, "one");
    CHECK(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clCompileProgram(program, 0, nullptr, "-DVALUE=2", 0, nullptr, nullptr, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
  }
  CHECK(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr) == CL_SUCCESS);
  CHECK(result(cl, program) == 2);
}

TEST_CASE("a build with a callback reports when it is done", "[program]") {
  Session cl;
  for (const char *options : {"-DVALUE=5", ""}) {
    Program program = cl.source(kSource);
    static std::atomic<int> calls;
    static std::atomic<cl_program> built;
    calls = 0;
    REQUIRE(clBuildProgram(
                program, 0, nullptr, options,
                [](cl_program which, void *) {
                  built = which;
                  ++calls;
                },
                nullptr) == CL_SUCCESS);
    for (int i = 0; i < 30000 && calls == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(calls == 1);
    CHECK(built == program.get());
    CHECK(status(cl, program) == (*options ? CL_BUILD_SUCCESS : CL_BUILD_ERROR));
  }
}

// Programs ask for kernels without checking the state of the build.
TEST_CASE("kernels are requested while a build with a callback is running", "[program]") {
  Session cl;
  static std::atomic<int> calls;
  const auto notify = [](cl_program, void *) { ++calls; };
  const auto kernelCount = [](cl_program program, size_t &count) {
    return clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr);
  };
  for (const bool succeeds : {true, false}) {
    INFO((succeeds ? "a build that succeeds" : "a build that fails"));
    calls = 0;
    std::array<Program, 3> programs{cl.source(kSource), cl.source(kSource), cl.source(kSource)};
    const auto begin = [&](cl_program program) {
      REQUIRE(clBuildProgram(program, 0, nullptr, succeeds ? "-DVALUE=5" : "", notify, nullptr) == CL_SUCCESS);
    };
    const cl_int want = succeeds ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int code = 1;
    begin(programs[0]);
    const Kernel one(clCreateKernel(programs[0], "one", &code));
    CHECK(code == want);
    begin(programs[1]);
    cl_uint made = 0;
    CHECK(clCreateKernelsInProgram(programs[1], 0, nullptr, &made) == want);
    CHECK(made == (succeeds ? 2 : 0));
    begin(programs[2]);
    size_t count = 0;
    CHECK(kernelCount(programs[2], count) == want);
    CHECK(count == (succeeds ? 2 : 0));
    for (int i = 0; i < 30000 && calls != 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(calls == 3);
  }
}

TEST_CASE("binaries are stored and loaded", "[program]") {
  Session cl;
  const std::vector<unsigned char> bytes = binary(cl.build(kSource, "-DVALUE=17"));
  REQUIRE_FALSE(bytes.empty());
  cl_int code = 1, binary_status = 1;
  Program program = load(cl, bytes, code, &binary_status);
  REQUIRE(code == CL_SUCCESS);
  CHECK(binary_status == CL_SUCCESS);
  CHECK(binaryType(cl, program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  CHECK(result(cl, program) == 17);
  CHECK(binary(program) == bytes);
  CHECK(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_OPERATION);
}

TEST_CASE("damaged binaries are refused", "[program]") {
  Session cl;
  std::vector<unsigned char> bytes = binary(cl.build(kSource, "-DVALUE=17"));
  cl_int code = 1, binary_status = 1;
  for (size_t position : {size_t(0), bytes.size() / 2, bytes.size() - 1}) {
    std::vector<unsigned char> damaged = bytes;
    damaged[position] ^= 0x55;
    CHECK_FALSE(load(cl, damaged, code, &binary_status));
    CHECK(code == CL_INVALID_BINARY);
    CHECK(binary_status == CL_INVALID_BINARY);
  }
  bytes.resize(bytes.size() / 3);
  CHECK_FALSE(load(cl, bytes, code));
  CHECK(code == CL_INVALID_BINARY);
  const size_t zero = 0;
  const unsigned char *none = nullptr;
  CHECK(clCreateProgramWithBinary(cl.context, 1, &cl.device, &zero, &none, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithBinary(cl.context, 0, nullptr, &zero, &none, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("objects are compiled with headers and linked", "[program]") {
  Session cl;
  Program header = cl.source("int twice(int x);\n#define FACTOR 3\n");
  Program user = cl.source("#include \"lib/twice.h\"\nkernel void one(global int *out) { out[0] = twice(FACTOR); }");
  const cl_program headers[] = {header};
  const char *names[] = {"lib/twice.h"};
  REQUIRE(clCompileProgram(user, 0, nullptr, "", 1, headers, names, nullptr, nullptr) == CL_SUCCESS);
  CHECK(binaryType(cl, user) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  Program library = compiled(cl, "int twice(int x) { return 2 * x; }");
  cl_int code = 1;
  Program program = linked(cl, {user, library}, "", code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(binaryType(cl, program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  CHECK(result(cl, program) == 6);
  CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION);

  Program archive = linked(cl, {library}, "-create-library", code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(binaryType(cl, archive) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  Program again = linked(cl, {user, archive}, "", code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(result(cl, again) == 6);
}

TEST_CASE("links fail with a log", "[program]") {
  Session cl;
  Program user = compiled(cl, "int missing(int);\nkernel void one(global int *out) { out[0] = missing(3); }");
  cl_int code = 1;
  Program program = linked(cl, {user}, "", code);
  CHECK(code == CL_LINK_PROGRAM_FAILURE);
  REQUIRE(program); // so that the log can be read
  CHECK(buildLog(program).find("missing") != std::string::npos);
}

TEST_CASE("compiles and links refuse what the specification refuses", "[program]") {
  Session cl;
  Program user = cl.source("kernel void one(global int *out) {}");
  const cl_program headers[] = {user};
  const char *names[] = {"x.h"};
  CHECK(clCompileProgram(user, 0, nullptr, "", 1, nullptr, names, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(user, 0, nullptr, "", 1, headers, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(user, 0, nullptr, "", 0, headers, names, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(cl.source("kernel void broken("), 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
        CL_COMPILE_PROGRAM_FAILURE);
  cl_int code = 1;
  CHECK_FALSE(linked(cl, {}, "", code));
  CHECK(code == CL_INVALID_VALUE);
  CHECK_FALSE(linked(cl, {nullptr}, "", code));
  CHECK(code == CL_INVALID_PROGRAM);
  CHECK_FALSE(linked(cl, {user}, "", code)); // it was not compiled
  CHECK(code == CL_INVALID_OPERATION);
  CHECK_FALSE(linked(cl, {compiled(cl, "int f(void) { return 1; }")}, "-no-such-option", code));
  CHECK(code == CL_INVALID_LINKER_OPTIONS);
}

TEST_CASE("programs of kinds that the device lacks are refused", "[program]") {
  Session cl;
  cl_int code = 1;
  CHECK(clCreateProgramWithBuiltInKernels(cl.context, 1, &cl.device, "k", &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clUnloadPlatformCompiler(laneclPlatform()) == CL_SUCCESS);
  CHECK(result(cl, cl.build(kSource, "-DVALUE=1")) == 1);
}

TEST_CASE("threads that launch the same kernel first share one compilation", "[program]") {
  Session cl;
  Program program = cl.build("kernel void one(global int *out) { out[get_global_id(0)] = get_local_size(0); }");
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, queue = makeQueue(cl.context), kernel = cl.kernel(program, "one"),
                          // Without Catch2, whose macros are for one thread only.
                          out = cl.bytes(64 * sizeof(int))]() mutable {
      const size_t global = 64, local = 32;
      std::vector<int> result(64);
      clSetKernelArg(kernel, 0, sizeof(cl_mem), out.address());
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
      clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 256, result.data(), 0, nullptr, nullptr);
      right += result == std::vector<int>(64, 32);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(right == 8);
}
