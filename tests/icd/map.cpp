// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mapping buffers.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

int *map(const Session &cl, const Memory &memory, cl_map_flags flags, size_t offset, size_t size, cl_int &code) {
  return static_cast<int *>(
      clEnqueueMapBuffer(cl.queue, memory, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &code));
}

cl_uint mapCount(const Memory &memory) {
  cl_uint count = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), "clGetMemObjectInfo");
  return count;
}

cl_int unmap(const Session &cl, const Memory &memory, void *pointer) {
  return clEnqueueUnmapMemObject(cl.queue, memory, pointer, 0, nullptr, nullptr);
}

} // namespace

TEST_CASE("what is written to a mapping is in the buffer", "[map]") {
  Session cl;
  Memory memory = cl.buffer(std::vector<int>(64, 1));
  cl_int code = 1;
  int *mapped = map(cl, memory, CL_MAP_READ | CL_MAP_WRITE, 16, 32, code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(mapped[0] == 1);
  mapped[0] = 9;
  CHECK(mapCount(memory) == 1);
  REQUIRE(unmap(cl, memory, mapped) == CL_SUCCESS);
  CHECK(mapCount(memory) == 0);
  CHECK(cl.read<int>(memory)[4] == 9);
}

TEST_CASE("with CL_MEM_USE_HOST_PTR the mapped pointer is the host pointer plus the offset", "[map]") {
  Session cl;
  std::vector<int> host(64, 3);
  Memory memory = cl.bytes(256, CL_MEM_USE_HOST_PTR, host.data());
  cl_int code = 1;
  int *mapped = map(cl, memory, CL_MAP_READ, 32, 64, code);
  CHECK(mapped == host.data() + 8);
  CHECK(unmap(cl, memory, mapped) == CL_SUCCESS);
}

TEST_CASE("maps refuse what the specification refuses", "[map]") {
  Session cl;
  Memory memory = cl.bytes(256);
  cl_int code = 1;
  CHECK(map(cl, memory, CL_MAP_READ, 0, 0, code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(map(cl, memory, CL_MAP_READ, 200, 64, code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(map(cl, memory, 1 << 7, 0, 64, code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(map(cl, memory, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, 0, 64, code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(map(cl, cl.bytes(64, CL_MEM_HOST_WRITE_ONLY), CL_MAP_READ, 0, 64, code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(map(cl, cl.bytes(64, CL_MEM_HOST_READ_ONLY), CL_MAP_WRITE, 0, 64, code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(map(cl, cl.bytes(64, CL_MEM_HOST_NO_ACCESS), CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
}

TEST_CASE("overlapping mappings may read but not write", "[map]") {
  Session cl;
  Memory memory = cl.bytes(256);
  cl_int code = 1;
  int *first = map(cl, memory, CL_MAP_READ, 0, 128, code);
  int *second = map(cl, memory, CL_MAP_READ, 64, 128, code);
  CHECK(code == CL_SUCCESS);
  CHECK(mapCount(memory) == 2);
  CHECK(map(cl, memory, CL_MAP_WRITE, 64, 4, code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  int *third = map(cl, memory, CL_MAP_WRITE, 192, 64, code);
  CHECK(code == CL_SUCCESS);
  CHECK(unmap(cl, memory, first) == CL_SUCCESS);
  CHECK(unmap(cl, memory, second) == CL_SUCCESS);
  CHECK(unmap(cl, memory, third) == CL_SUCCESS);
}

TEST_CASE("a pointer that was not mapped is not unmapped", "[map]") {
  Session cl;
  Memory memory = cl.bytes(256);
  int other = 0;
  cl_int code = 1;
  CHECK(unmap(cl, memory, &other) == CL_INVALID_VALUE);
  int *mapped = map(cl, memory, CL_MAP_READ, 0, 64, code);
  CHECK(unmap(cl, memory, mapped) == CL_SUCCESS);
  CHECK(unmap(cl, memory, mapped) == CL_INVALID_VALUE);
  CHECK(unmap(cl, Memory(), mapped) == CL_INVALID_MEM_OBJECT);
}
