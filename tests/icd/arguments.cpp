// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clSetKernelArg and clGetKernelArgInfo.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr const char *kSource = R"(
typedef struct { int a; float b[3]; } Packet;
kernel void all(global int *out, constant float *c, local int *tile, int value, float3 three, Packet packet,
                const global volatile uchar *restrict bytes) {
  tile[0] = value;
  out[0] = tile[0];
  out[1] = (int)(three.x + three.y + three.z);
  out[2] = packet.a + (int)packet.b[2];
  out[3] = c ? (int)c[0] : -1;
  out[4] = bytes ? bytes[0] : -1;
}
)";

struct Packet {
  int a;
  float b[3];
};

} // namespace

TEST_CASE("arguments of every kind arrive", "[arguments]") {
  Session cl;
  Program program = cl.build(kSource);
  Kernel kernel = cl.kernel(program, "all");
  Memory out = cl.buffer(std::vector<int>(8, 0)), constant = cl.buffer(std::vector<float>{42.0f});
  const cl_float3 three = {{1.0f, 2.0f, 4.0f, 0.0f}};
  const Packet packet{100, {0, 0, 11}};
  cl.run(kernel, {1}, {1}, out, constant, Local{64}, 5, three, packet, Memory());
  const std::vector<int> result = cl.read<int>(out);
  CHECK(std::vector<int>(result.begin(), result.begin() + 5) == std::vector<int>{5, 7, 111, 42, -1});
}

TEST_CASE("arguments refuse what the specification refuses", "[arguments]") {
  Session cl, other;
  Program program = cl.build(kSource);
  Kernel kernel = cl.kernel(program, "all");
  Memory memory = cl.bytes(64), foreign = other.bytes(64);
  const int value = 1;
  const auto set = [&](cl_uint index, size_t size, const void *data) {
    return clSetKernelArg(kernel, index, size, data);
  };
  cl_mem not_memory = reinterpret_cast<cl_mem>(cl.queue.get());
  CHECK(set(7, sizeof value, &value) == CL_INVALID_ARG_INDEX);
  CHECK(set(0, 4, memory.address()) == CL_INVALID_ARG_SIZE);
  CHECK(set(0, sizeof(cl_mem), &not_memory) == CL_INVALID_MEM_OBJECT);
  CHECK(set(0, sizeof(cl_mem), foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(set(0, sizeof(cl_mem), nullptr) == CL_SUCCESS);
  CHECK(set(2, 0, &value) == CL_INVALID_ARG_VALUE);
  CHECK(set(2, 16, &value) == CL_INVALID_ARG_VALUE);
  CHECK(set(3, 8, &value) == CL_INVALID_ARG_SIZE);
  CHECK(set(3, 4, nullptr) == CL_INVALID_ARG_VALUE);
  CHECK(set(4, 12, &value) == CL_INVALID_ARG_SIZE); // a float3 has the size of a float4
  CHECK(set(5, 12, &value) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(nullptr, 0, 4, &value) == CL_INVALID_KERNEL);
}

TEST_CASE("a refused argument leaves the earlier one in place", "[arguments]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out, int v) { out[0] = v; }"), "k");
  Memory out = cl.buffer(std::vector<int>{0});
  cl.setArguments(kernel, out, 12);
  const long wrong = 99;
  CHECK(clSetKernelArg(kernel, 1, sizeof wrong, &wrong) == CL_INVALID_ARG_SIZE);
  const size_t one = 1;
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl.read<int>(out)[0] == 12);
}

TEST_CASE("arguments are copied when the kernel is enqueued", "[arguments]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out, int v) { out[v] = v; }"), "k");
  Memory out = cl.buffer(std::vector<int>(16, -1));
  Event gate(clCreateUserEvent(cl.context, nullptr));
  const size_t one = 1;
  for (int i = 0; i < 16; ++i) {
    cl.setArguments(kernel, out, i);
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 1, gate.address(), nullptr) ==
            CL_SUCCESS);
  }
  kernel.reset(); // a kernel in flight survives its release
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  const std::vector<int> result = cl.read<int>(out);
  for (int i = 0; i < 16; ++i)
    CHECK(result[i] == i);
}

TEST_CASE("a launch keeps its buffers alive", "[arguments]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *a, global int *b) { b[0] = a[0]; }"), "k");
  Memory in = cl.buffer(std::vector<int>{31}), out = cl.buffer(std::vector<int>{0});
  cl.setArguments(kernel, in, out);
  Event gate(clCreateUserEvent(cl.context, nullptr));
  const size_t one = 1;
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 1, gate.address(), nullptr) ==
          CL_SUCCESS);
  in.reset();
  kernel.reset();
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl.read<int>(out)[0] == 31);
}

TEST_CASE("argument information matches the source", "[arguments]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource, "-cl-kernel-arg-info"), "all");
  const auto text = [&](cl_uint index, cl_kernel_arg_info name) {
    char value[64] = {};
    check(clGetKernelArgInfo(kernel, index, name, sizeof value, value, nullptr), "clGetKernelArgInfo");
    return std::string(value);
  };
  const auto address = [&](cl_uint index) {
    cl_kernel_arg_address_qualifier value = 0;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof value, &value, nullptr),
          "clGetKernelArgInfo");
    return value;
  };
  CHECK(text(0, CL_KERNEL_ARG_NAME) == "out");
  CHECK(text(0, CL_KERNEL_ARG_TYPE_NAME) == "int*");
  CHECK(text(4, CL_KERNEL_ARG_TYPE_NAME) == "float3");
  CHECK(address(0) == CL_KERNEL_ARG_ADDRESS_GLOBAL);
  CHECK(address(1) == CL_KERNEL_ARG_ADDRESS_CONSTANT);
  CHECK(address(2) == CL_KERNEL_ARG_ADDRESS_LOCAL);
  CHECK(address(3) == CL_KERNEL_ARG_ADDRESS_PRIVATE);
  cl_kernel_arg_type_qualifier qualifiers = 0;
  CHECK(clGetKernelArgInfo(kernel, 6, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, nullptr) ==
        CL_SUCCESS);
  CHECK(qualifiers == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_VOLATILE));
  cl_kernel_arg_access_qualifier access = 0;
  CHECK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr) == CL_SUCCESS);
  CHECK(access == CL_KERNEL_ARG_ACCESS_NONE);
  CHECK(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
  CHECK(clGetKernelArgInfo(kernel, 0, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a kernel does not keep its arguments alive, and does not run if one of them is gone", "[arguments]") {
  static int destroyed;
  destroyed = 0;
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out) { out[0] = 1; }"), "k");
  Memory out = cl.bytes(64);
  REQUIRE(clSetMemObjectDestructorCallback(out, [](cl_mem, void *) { ++destroyed; }, nullptr) == CL_SUCCESS);
  cl.setArguments(kernel, out);
  out.reset();
  CHECK(destroyed == 1);
  const size_t one = 1;
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL_ARGS);
}
