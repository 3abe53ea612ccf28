// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creating, cloning and querying kernels.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace lanecl::test;

namespace {

constexpr const char *kSource = R"(
kernel void first(global int *out) { out[0] = 1; }
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void second(global int *out, local int *tile) {
  local int own[16];
  own[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = own[1];
}
)";

template <class T> T workGroupInfo(const Session &cl, const Kernel &kernel, cl_kernel_work_group_info name) {
  T value{};
  check(clGetKernelWorkGroupInfo(kernel, cl.device, name, sizeof value, &value, nullptr), "clGetKernelWorkGroupInfo");
  return value;
}

} // namespace

TEST_CASE("kernels are created by name and all at once", "[kernel]") {
  Session cl;
  Program program = cl.build(kSource);
  Kernel kernel = cl.kernel(program, "second");
  char name[32] = {};
  CHECK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr) == CL_SUCCESS);
  CHECK(std::string(name) == "second");
  cl_uint arguments = 0, count = 0;
  CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr) == CL_SUCCESS);
  CHECK(arguments == 2);
  cl_kernel kernels[2] = {};
  CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 2);
  CHECK(clCreateKernelsInProgram(program, 1, kernels, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clCreateKernelsInProgram(program, 2, kernels, nullptr) == CL_SUCCESS);
  for (cl_kernel each : kernels)
    CHECK(clReleaseKernel(each) == CL_SUCCESS);
}

TEST_CASE("kernels refuse what the specification refuses", "[kernel]") {
  Session cl;
  cl_int code = 1;
  CHECK(clCreateKernel(cl.source(kSource), "first", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
  Program program = cl.build(kSource);
  CHECK(clCreateKernel(program, "third", &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL_NAME);
  CHECK(clCreateKernel(program, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateKernel(nullptr, "first", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM);
  CHECK(clGetKernelInfo(cl.kernel(program, "first"), 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a clone has the arguments of its original and is independent of it", "[kernel]") {
  Session cl;
  Kernel original = cl.kernel(cl.build("kernel void k(global int *out, int v) { out[0] = v; }"), "k");
  Memory a = cl.buffer(std::vector<int>{0}), b = cl.buffer(std::vector<int>{0});
  cl.setArguments(original, a, 7);
  cl_int code = 1;
  Kernel clone(clCloneKernel(original, &code));
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(clSetKernelArg(clone, 0, sizeof(cl_mem), b.address()) == CL_SUCCESS);
  const size_t one = 1;
  for (const Kernel *kernel : {&original, &clone})
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, *kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl.read<int>(a)[0] == 7);
  CHECK(cl.read<int>(b)[0] == 7);
  CHECK(clCloneKernel(nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL);
}

TEST_CASE("work-group queries", "[kernel]") {
  Session cl;
  Program program = cl.build(kSource);
  Kernel first = cl.kernel(program, "first"), second = cl.kernel(program, "second");
  CHECK(workGroupInfo<size_t>(cl, first, CL_KERNEL_WORK_GROUP_SIZE) >= 256);
  struct Size {
    size_t x, y, z;
  };
  const Size none = workGroupInfo<Size>(cl, first, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  CHECK((none.x == 0 && none.y == 0 && none.z == 0));
  const Size required = workGroupInfo<Size>(cl, second, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  CHECK((required.x == 8 && required.y == 4 && required.z == 1));
  CHECK(workGroupInfo<cl_ulong>(cl, second, CL_KERNEL_LOCAL_MEM_SIZE) == 64);
  REQUIRE(clSetKernelArg(second, 1, 100, nullptr) == CL_SUCCESS);
  CHECK(workGroupInfo<cl_ulong>(cl, second, CL_KERNEL_LOCAL_MEM_SIZE) == 164);
  CHECK_NOTHROW(workGroupInfo<cl_ulong>(cl, second, CL_KERNEL_SPILL_MEM_SIZE_INTEL));
  CHECK(clGetKernelWorkGroupInfo(first, cl.device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  const auto not_a_device = reinterpret_cast<cl_device_id>(cl.context.get());
  CHECK(clGetKernelWorkGroupInfo(first, not_a_device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr) ==
        CL_INVALID_DEVICE);
  CHECK(clGetKernelWorkGroupInfo(first, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr) == CL_SUCCESS);
}

TEST_CASE("attributes are reported", "[kernel]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "second");
  char text[128] = {};
  REQUIRE(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr) == CL_SUCCESS);
  std::string attributes = text;
  attributes.erase(std::remove(attributes.begin(), attributes.end(), ' '), attributes.end());
  CHECK(attributes.find("reqd_work_group_size(8,4,1)") != std::string::npos);
}

TEST_CASE("a kernel keeps its program alive", "[kernel]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "first");
  Memory out = cl.buffer(std::vector<int>{0});
  cl.run(kernel, {1}, {}, out);
  CHECK(cl.read<int>(out)[0] == 1);
}
