// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Native kernels.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

struct Arguments {
  int *values;
  int count;
};

void CL_CALLBACK fill(void *block) {
  const auto *arguments = static_cast<const Arguments *>(block);
  for (int i = 0; i < arguments->count; ++i)
    arguments->values[i] = i * i;
}

} // namespace

TEST_CASE("a native kernel gets the buffer's address", "[native_kernel]") {
  Session cl;
  cl_device_exec_capabilities capabilities = 0;
  REQUIRE(clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities, nullptr) ==
          CL_SUCCESS);
  CHECK((capabilities & CL_EXEC_NATIVE_KERNEL) != 0);
  Memory memory = cl.buffer(std::vector<int>(10, -1));
  Arguments arguments{nullptr, 10};
  cl_mem buffers[] = {memory};
  const void *locations[] = {&arguments.values};
  Event event;
  REQUIRE(clEnqueueNativeKernel(cl.queue, fill, &arguments, sizeof arguments, 1, buffers, locations, 0, nullptr,
                                event.out()) == CL_SUCCESS);
  arguments.count = 0; // the argument block was copied
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(cl.read<int>(memory)[9] == 81);
}

TEST_CASE("native kernels refuse what the specification refuses", "[native_kernel]") {
  Session cl;
  Memory memory = cl.bytes(64);
  Arguments arguments{};
  cl_mem buffers[] = {memory}, none[] = {nullptr};
  const void *locations[] = {&arguments.values};
  const auto enqueue = [&](void(CL_CALLBACK * function)(void *), void *block, size_t size, cl_uint count,
                           const cl_mem *list, const void **where) {
    return clEnqueueNativeKernel(cl.queue, function, block, size, count, list, where, 0, nullptr, nullptr);
  };
  CHECK(enqueue(nullptr, &arguments, sizeof arguments, 1, buffers, locations) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, nullptr, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, nullptr, 0, 1, buffers, locations) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, &arguments, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, &arguments, sizeof arguments, 1, nullptr, locations) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, &arguments, sizeof arguments, 1, buffers, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, &arguments, sizeof arguments, 0, buffers, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(fill, &arguments, sizeof arguments, 1, none, locations) == CL_INVALID_MEM_OBJECT);
}
