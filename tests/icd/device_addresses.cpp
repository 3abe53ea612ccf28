// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_buffer_device_address: buffers whose address a kernel gets as a number, or finds in memory.
#include "support/extension.hpp"
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

// The distribution's headers are older than the extension.
constexpr cl_mem_properties kPrivateAddress = 0x5000;
constexpr cl_mem_info kAddress = 0x5001;
constexpr cl_kernel_exec_info kDevicePointers = 0x5002;
using SetPointer = cl_int(CL_API_CALL *)(cl_kernel, cl_uint, cl_ulong);

Memory addressed(const Session &cl, size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
  const cl_mem_properties properties[] = {kPrivateAddress, CL_TRUE, 0};
  cl_int code = 1;
  Memory memory(clCreateBufferWithProperties(cl.context, properties, flags, bytes, host, &code));
  check(code, "clCreateBufferWithProperties");
  return memory;
}

cl_ulong addressOf(const Memory &memory) {
  cl_ulong address = 0;
  size_t size = 0;
  check(clGetMemObjectInfo(memory, kAddress, sizeof address, &address, &size), "clGetMemObjectInfo");
  CHECK(size == sizeof address); // there is one device
  return address;
}

cl_int creationCode(const Session &cl, const std::vector<cl_mem_properties> &properties) {
  cl_int code = 1;
  const Memory memory(clCreateBufferWithProperties(cl.context, properties.data(), 0, 4, nullptr, &code));
  return code;
}

} // namespace

TEST_CASE("a kernel and the host see the same address of a buffer", "[device_addresses]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void own(global int *p, global ulong *out) { *out = (ulong)p; }
kernel void follow(global ulong *place, global int *out) { *out = *(global int *)*place; }
kernel void before(global int *p, global int *out) { *out = p[-2]; p[1] = 9; }
)");
  const Memory numbers = addressed(cl, 8 * sizeof(int)), out = cl.bytes(8);
  cl.write(numbers, std::vector<int>{10, 11, 12, 13, 14, 15, 16, 17});
  const cl_ulong address = addressOf(numbers);
  cl.run(cl.kernel(program, "own"), {1}, {1}, numbers, out);
  CHECK(cl.read<cl_ulong>(out) == std::vector<cl_ulong>{address});

  const Memory place = cl.buffer(std::vector<cl_ulong>{address + 4});
  const Kernel follow = cl.kernel(program, "follow");
  CHECK(clSetKernelExecInfo(follow, kDevicePointers, sizeof address, &address) == CL_SUCCESS);
  cl.run(follow, {1}, {1}, place, out);
  CHECK(cl.read<int>(out)[0] == 11);

  const auto set = extensionFunction<SetPointer>("clSetKernelArgDevicePointerEXT");
  const Kernel before = cl.kernel(program, "before");
  cl.setArguments(before, Memory(), out);
  CHECK(set(before, 0, address + 5 * sizeof(int)) == CL_SUCCESS);
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(cl.queue, before, 1, nullptr, &one, &one, 0, nullptr, nullptr), "launch");
  CHECK(cl.read<int>(out)[0] == 13);
  CHECK(cl.read<int>(numbers)[6] == 9);
}

TEST_CASE("a buffer in host memory has the host's address", "[device_addresses]") {
  const Session cl;
  void *const shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
  {
    const Memory memory = addressed(cl, 64, CL_MEM_USE_HOST_PTR, shared);
    CHECK(addressOf(memory) == cl_ulong(reinterpret_cast<uintptr_t>(shared)));
  }
  clSVMFree(cl.context, shared);
}

TEST_CASE("device addresses refuse what the specification refuses", "[device_addresses]") {
  const Session cl;
  CHECK(creationCode(cl, {kPrivateAddress, CL_TRUE, 0}) == CL_SUCCESS);
  CHECK(creationCode(cl, {kPrivateAddress, CL_FALSE, 0}) == CL_SUCCESS);
  CHECK(creationCode(cl, {kPrivateAddress, 2, 0}) == CL_INVALID_PROPERTY);
  CHECK(creationCode(cl, {kPrivateAddress, CL_TRUE, kPrivateAddress, CL_TRUE, 0}) == CL_INVALID_PROPERTY);
  CHECK(creationCode(cl, {kPrivateAddress, CL_TRUE, 0x1234, 1, 0}) == CL_INVALID_PROPERTY);

  cl_ulong address = 0;
  const Memory plain = cl.bytes(4), memory = addressed(cl, 4);
  CHECK(clGetMemObjectInfo(plain, kAddress, sizeof address, &address, nullptr) == CL_INVALID_OPERATION);
  CHECK(clGetMemObjectInfo(memory, kAddress, 4, &address, nullptr) == CL_INVALID_VALUE);
  cl_mem_properties properties[4] = {};
  size_t size = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_PROPERTIES, sizeof properties, properties, &size), "clGetMemObjectInfo");
  CHECK(size == 3 * sizeof(cl_mem_properties));
  CHECK((properties[0] == kPrivateAddress && properties[1] == CL_TRUE && properties[2] == 0));

  const Program program =
      cl.build("kernel void k(global int *p, constant int *c, local int *l, int x) { *p = *c + x; }");
  const Kernel kernel = cl.kernel(program, "k");
  const auto set = extensionFunction<SetPointer>("clSetKernelArgDevicePointerEXT");
  CHECK(set(kernel, 0, addressOf(memory)) == CL_SUCCESS);
  CHECK(set(kernel, 0, 4) == CL_SUCCESS); // valid as long as no kernel accesses it
  for (const cl_uint other : {1, 2, 3, 4})
    CHECK(set(kernel, other, addressOf(memory)) == CL_INVALID_ARG_INDEX);
  CHECK(set(nullptr, 0, 4) == CL_INVALID_KERNEL);
  CHECK(clSetKernelExecInfo(kernel, kDevicePointers, 3, &address) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, kDevicePointers, sizeof address, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, kDevicePointers, 0, nullptr) == CL_SUCCESS);
}
