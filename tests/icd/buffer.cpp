// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Buffers, sub-buffers, and the commands that read, write, copy and fill them.
#include "support/extension.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace lanecl::test;

namespace {

std::vector<int> counting(size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

cl_int creationCode(const Session &cl, cl_mem_flags flags, size_t size, void *host) {
  cl_int code = 1;
  Memory memory(clCreateBuffer(cl.context, flags, size, host, &code));
  CHECK((memory.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

Memory subBuffer(const Memory &buffer, cl_mem_flags flags, size_t origin, size_t size, cl_int &code) {
  const cl_buffer_region region{origin, size};
  return Memory(clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
}

cl_int subBufferCode(const Memory &buffer, cl_mem_flags flags, size_t origin, size_t size) {
  cl_int code = 1;
  subBuffer(buffer, flags, origin, size, code);
  return code;
}

} // namespace

TEST_CASE("what is written is read", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(4096);
  cl.write(memory, counting(1024));
  CHECK(cl.read<int>(memory) == counting(1024));
  int some[4];
  REQUIRE(clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, 40, sizeof some, some, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(some[0] == 10);
  CHECK(some[3] == 13);
}

// Sizes that are allocated in different ways, after allocations whose bytes were not zero.
TEST_CASE("new memory holds zeros", "[buffer]") {
  Session cl;
  const auto zeros = [](const void *memory, size_t size) {
    const auto *bytes = static_cast<const unsigned char *>(memory);
    return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; });
  };
  for (size_t size : {size_t(1), size_t(100), size_t(4096), size_t(70000), size_t(3) << 20, (size_t(9) << 20) + 5})
    for (int round = 0; round < 3; ++round) {
      INFO(size << " bytes");
      Memory memory = cl.bytes(size);
      CHECK(zeros(cl.read<unsigned char>(memory).data(), size));
      cl.write(memory, std::vector<unsigned char>(size, 0xa5));
      void *shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, size, 0);
      REQUIRE(shared);
      CHECK(zeros(shared, size));
      std::memset(shared, 0xa5, size);
      clSVMFree(cl.context, shared);
      std::vector<unsigned char> given(size, 0x5a);
      cl_int code = 1;
      Memory copied(clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, size, given.data(), &code));
      check(code, "clCreateBuffer");
      CHECK(cl.read<unsigned char>(copied) == given);
    }
}

TEST_CASE("host pointers are copied or used", "[buffer]") {
  Session cl;
  std::vector<int> host = counting(64);
  Memory used = cl.bytes(256, CL_MEM_USE_HOST_PTR, host.data());
  Memory copied = cl.bytes(256, CL_MEM_COPY_HOST_PTR, host.data());
  const int seven = 7;
  REQUIRE(clEnqueueFillBuffer(cl.queue, used, &seven, 4, 0, 256, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.read<int>(used) == std::vector<int>(64, 7));
  CHECK(cl.read<int>(copied) == counting(64));
  void *pointer = nullptr;
  CHECK(clGetMemObjectInfo(used, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr) == CL_SUCCESS);
  CHECK(pointer == host.data());
  CHECK(clGetMemObjectInfo(copied, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr) == CL_SUCCESS);
  CHECK(pointer == nullptr);
}

TEST_CASE("buffer creation refuses what the specification refuses", "[buffer]") {
  Session cl;
  int host = 0;
  CHECK(creationCode(cl, 0, 4, nullptr) == CL_SUCCESS);
  CHECK(creationCode(cl, 0, 0, nullptr) == CL_INVALID_BUFFER_SIZE);
  CHECK(creationCode(cl, 0, SIZE_MAX, nullptr) == CL_INVALID_BUFFER_SIZE);
  CHECK(creationCode(cl, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, nullptr) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, nullptr) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, &host) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, &host) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, 1 << 30, 4, nullptr) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, CL_MEM_USE_HOST_PTR, 4, nullptr) == CL_INVALID_HOST_PTR);
  CHECK(creationCode(cl, 0, 4, &host) == CL_INVALID_HOST_PTR);
  cl_int code = 1;
  const cl_mem_properties unknown[] = {0x1234, 1, 0};
  CHECK(clCreateBufferWithProperties(cl.context, unknown, 0, 4, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_PROPERTY);
}

TEST_CASE("a sub-buffer is a window into its buffer", "[buffer]") {
  Session cl;
  Memory memory = cl.buffer(counting(256));
  cl_int code = 1;
  Memory part = subBuffer(memory, 0, 512, 128, code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(cl.read<int>(part)[0] == 128);
  const int minus = -1;
  REQUIRE(clEnqueueFillBuffer(cl.queue, part, &minus, 4, 0, 128, 0, nullptr, nullptr) == CL_SUCCESS);
  const std::vector<int> all = cl.read<int>(memory);
  CHECK(all[127] == 127);
  CHECK(all[128] == -1);
  CHECK(all[160] == 160);
  size_t offset = 0;
  cl_mem parent = nullptr;
  CHECK(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, nullptr) == CL_SUCCESS);
  CHECK(offset == 512);
  CHECK(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr) == CL_SUCCESS);
  CHECK(parent == memory.get());
}

TEST_CASE("sub-buffers refuse what the specification refuses", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(1024);
  Memory read_only = cl.bytes(1024, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
  cl_int code = 1;
  Memory part = subBuffer(memory, 0, 0, 256, code);
  CHECK(subBufferCode(part, 0, 0, 128) == CL_INVALID_MEM_OBJECT);
  CHECK(subBufferCode(memory, 0, 4, 128) == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  CHECK(subBufferCode(memory, 0, 0, 0) == CL_INVALID_BUFFER_SIZE);
  CHECK(subBufferCode(memory, 0, 1024, 4) == CL_INVALID_VALUE);
  CHECK(subBufferCode(memory, CL_MEM_ALLOC_HOST_PTR, 0, 128) == CL_INVALID_VALUE);
  CHECK(subBufferCode(read_only, CL_MEM_READ_WRITE, 0, 128) == CL_INVALID_VALUE);
  CHECK(subBufferCode(read_only, CL_MEM_WRITE_ONLY, 0, 128) == CL_INVALID_VALUE);
  CHECK(subBufferCode(read_only, CL_MEM_HOST_READ_ONLY, 0, 128) == CL_INVALID_VALUE);
  CHECK(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  const cl_buffer_region region{0, 4};
  CHECK(clCreateSubBuffer(memory, 0, 0x99, &region, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("a sub-buffer inherits what its flags leave open", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(1024, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  cl_int code = 1;
  Memory part = subBuffer(memory, 0, 0, 128, code);
  cl_mem_flags flags = 0;
  CHECK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, nullptr) == CL_SUCCESS);
  CHECK(flags == (CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY));
}

TEST_CASE("copies", "[buffer]") {
  Session cl;
  Memory from = cl.buffer(counting(64)), to = cl.buffer(std::vector<int>(64, -1));
  REQUIRE(clEnqueueCopyBuffer(cl.queue, from, to, 16, 32, 64, 0, nullptr, nullptr) == CL_SUCCESS);
  const std::vector<int> result = cl.read<int>(to);
  CHECK(result[7] == -1);
  CHECK(result[8] == 4);
  CHECK(result[23] == 19);
  CHECK(result[24] == -1);
  CHECK(clEnqueueCopyBuffer(cl.queue, from, from, 0, 32, 64, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  CHECK(clEnqueueCopyBuffer(cl.queue, from, from, 0, 64, 64, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueCopyBuffer(cl.queue, from, to, 200, 0, 64, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueCopyBuffer(cl.queue, from, to, 0, 200, 64, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueCopyBuffer(cl.queue, from, nullptr, 0, 0, 64, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

// Several threads divide large copies into chunks. The size is not a multiple of any chunk size.
TEST_CASE("large transfers, copies and fills are complete", "[buffer]") {
  Session cl;
  constexpr size_t kCount = (size_t(9) << 20) / 4 + 321, kOffset = 12;
  const std::vector<int> values = counting(kCount);
  Memory from = cl.bytes(4 * (kCount + 2 * kOffset)), to = cl.bytes(4 * (kCount + 2 * kOffset));
  const cl_uint pattern[] = {1, 2, 3, 4};
  REQUIRE(clEnqueueFillBuffer(cl.queue, to, pattern, 16, 0, 4 * (kCount + 2 * kOffset) / 16 * 16, 0, nullptr,
                              nullptr) == CL_SUCCESS);
  for (cl_bool blocking : {CL_TRUE, CL_FALSE}) {
    REQUIRE(clEnqueueWriteBuffer(cl.queue, from, blocking, 4 * kOffset, 4 * kCount, values.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
    REQUIRE(clEnqueueCopyBuffer(cl.queue, from, to, 4 * kOffset, 4 * kOffset, 4 * kCount, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    std::vector<int> back(kCount, -1);
    REQUIRE(clEnqueueReadBuffer(cl.queue, to, blocking, 4 * kOffset, 4 * kCount, back.data(), 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
    REQUIRE(back == values);
  }
  std::vector<int> all = cl.read<int>(to);
  CHECK(std::vector<int>(all.begin(), all.begin() + kOffset) == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  REQUIRE(clEnqueueFillBuffer(cl.queue, to, pattern, 16, 16, 8 << 20, 0, nullptr, nullptr) == CL_SUCCESS);
  all = cl.read<int>(to);
  size_t wrong = 0;
  for (size_t i = 4; i < 4 + (size_t(8) << 20) / 4; ++i)
    wrong += all[i] != int(i % 4 + 1);
  CHECK(wrong == 0);
  CHECK(all[4 + (size_t(8) << 20) / 4] == int(4 + (size_t(8) << 20) / 4 - kOffset));
}

TEST_CASE("a large read from a buffer into the memory it uses changes nothing", "[buffer]") {
  Session cl;
  std::vector<int> host = counting(size_t(2) << 20);
  Memory used = cl.bytes(4 * host.size(), CL_MEM_USE_HOST_PTR, host.data());
  REQUIRE(clEnqueueReadBuffer(cl.queue, used, CL_TRUE, 0, 4 * host.size(), host.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
  CHECK(host == counting(host.size()));
}

TEST_CASE("overlapping sub-buffers of one buffer are not copied", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(1024);
  cl_int code = 1;
  Memory a = subBuffer(memory, 0, 0, 512, code), b = subBuffer(memory, 0, 256, 512, code);
  CHECK(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, 512, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  CHECK(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, 256, 0, nullptr, nullptr) == CL_SUCCESS);
}

TEST_CASE("fills of every pattern size", "[buffer]") {
  Session cl;
  std::vector<unsigned char> pattern(128);
  std::iota(pattern.begin(), pattern.end(), 1);
  for (size_t size : {1, 2, 4, 8, 16, 32, 64, 128}) {
    Memory memory = cl.buffer(std::vector<unsigned char>(1024, 0));
    REQUIRE(clEnqueueFillBuffer(cl.queue, memory, pattern.data(), size, size, 512, 0, nullptr, nullptr) == CL_SUCCESS);
    const auto bytes = cl.read<unsigned char>(memory);
    for (size_t i = 0; i < bytes.size(); ++i)
      REQUIRE(bytes[i] == (i >= size && i < size + 512 ? pattern[i % size] : 0));
  }
}

TEST_CASE("fills refuse what the specification refuses", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(1024);
  const char pattern[256] = {};
  const auto fill = [&](const void *data, size_t pattern_size, size_t offset, size_t size) {
    return clEnqueueFillBuffer(cl.queue, memory, data, pattern_size, offset, size, 0, nullptr, nullptr);
  };
  CHECK(fill(nullptr, 4, 0, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 0, 0, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 3, 0, 3) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 256, 0, 256) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, 2, 4) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, 0, 6) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 4, 1020, 8) == CL_INVALID_VALUE);
  CHECK(fill(pattern, 128, 0, 1024) == CL_SUCCESS);
}

TEST_CASE("transfers refuse what the specification refuses", "[buffer]") {
  Session cl, other;
  Memory memory = cl.bytes(64);
  char host[64];
  const auto read = [&](cl_mem object, size_t offset, size_t size, void *pointer) {
    return clEnqueueReadBuffer(cl.queue, object, CL_TRUE, offset, size, pointer, 0, nullptr, nullptr);
  };
  CHECK(read(memory, 0, 64, host) == CL_SUCCESS);
  CHECK(read(memory, 1, 64, host) == CL_INVALID_VALUE);
  CHECK(read(memory, 65, 0, host) == CL_INVALID_VALUE);
  CHECK(read(memory, 1, SIZE_MAX, host) == CL_INVALID_VALUE);
  CHECK(read(memory, 0, 64, nullptr) == CL_INVALID_VALUE);
  CHECK(read(nullptr, 0, 64, host) == CL_INVALID_MEM_OBJECT);
  CHECK(read(other.bytes(64), 0, 64, host) == CL_INVALID_CONTEXT);
}

TEST_CASE("host access flags are respected", "[buffer]") {
  Session cl;
  char host[64] = {};
  const auto read = [&](const Memory &memory) {
    return clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, 0, 64, host, 0, nullptr, nullptr);
  };
  const auto write = [&](const Memory &memory) {
    return clEnqueueWriteBuffer(cl.queue, memory, CL_TRUE, 0, 64, host, 0, nullptr, nullptr);
  };
  Memory write_only = cl.bytes(64, CL_MEM_HOST_WRITE_ONLY), read_only = cl.bytes(64, CL_MEM_HOST_READ_ONLY);
  Memory none = cl.bytes(64, CL_MEM_HOST_NO_ACCESS);
  CHECK(read(write_only) == CL_INVALID_OPERATION);
  CHECK(write(write_only) == CL_SUCCESS);
  CHECK(read(read_only) == CL_SUCCESS);
  CHECK(write(read_only) == CL_INVALID_OPERATION);
  CHECK(read(none) == CL_INVALID_OPERATION);
  CHECK(write(none) == CL_INVALID_OPERATION);
}

TEST_CASE("destructor callbacks of memory run when it is gone", "[buffer]") {
  static std::vector<int> order;
  order.clear();
  Session cl;
  std::vector<int> host(16);
  {
    Memory memory = cl.bytes(64, CL_MEM_USE_HOST_PTR, host.data());
    REQUIRE(clSetMemObjectDestructorCallback(memory, [](cl_mem, void *) { order.push_back(1); }, nullptr) == 0);
    REQUIRE(clSetMemObjectDestructorCallback(memory, [](cl_mem, void *) { order.push_back(2); }, nullptr) == 0);
    CHECK(clSetMemObjectDestructorCallback(memory, nullptr, nullptr) == CL_INVALID_VALUE);
  }
  CHECK(order == std::vector<int>{2, 1});
}

TEST_CASE("a released buffer is refused while something else keeps it alive", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(1024);
  cl_int code = 1;
  Memory part = subBuffer(memory, 0, 0, 128, code);
  cl_mem raw = memory.get();
  memory.reset();
  CHECK(clReleaseMemObject(raw) == CL_INVALID_MEM_OBJECT);
  cl.write(part, std::vector<int>(32, 5));
  CHECK(cl.read<int>(part) == std::vector<int>(32, 5));
}

TEST_CASE("migration is accepted and checked", "[buffer]") {
  Session cl;
  Memory memory = cl.bytes(64);
  cl_mem object = memory;
  Event event;
  CHECK(clEnqueueMigrateMemObjects(cl.queue, 1, &object, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, event.out()) ==
        CL_SUCCESS);
  CHECK(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(clEnqueueMigrateMemObjects(cl.queue, 0, &object, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueMigrateMemObjects(cl.queue, 1, nullptr, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueMigrateMemObjects(cl.queue, 1, &object, 1 << 9, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  object = nullptr;
  CHECK(clEnqueueMigrateMemObjects(cl.queue, 1, &object, 0, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("buffers are forced into the host's memory", "[buffer]") {
  const Session cl;
  cl_uint line = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof line, &line, nullptr), "cache line");
  std::vector<char> memory(8 * line);
  char *const aligned = memory.data() + (line - reinterpret_cast<uintptr_t>(memory.data()) % line);
  constexpr cl_mem_flags kForced = CL_MEM_FORCE_HOST_MEMORY_INTEL, kOwn = kForced | CL_MEM_USE_HOST_PTR;
  CHECK(creationCode(cl, kForced, 3, nullptr) == CL_SUCCESS);
  CHECK(creationCode(cl, kForced | CL_MEM_ALLOC_HOST_PTR, 3, nullptr) == CL_SUCCESS);
  CHECK(creationCode(cl, kForced | CL_MEM_COPY_HOST_PTR, 3, aligned + 1) == CL_SUCCESS);
  CHECK(creationCode(cl, kOwn, 2 * line, aligned) == CL_SUCCESS);
  CHECK(creationCode(cl, kOwn, 2 * line, aligned + line / 2) == CL_INVALID_HOST_PTR);
  CHECK(creationCode(cl, kOwn, 2 * line, nullptr) == CL_INVALID_HOST_PTR);
  CHECK(creationCode(cl, kOwn, 2 * line - 1, aligned) == CL_INVALID_BUFFER_SIZE);
  CHECK(creationCode(cl, kForced | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr) == CL_INVALID_VALUE);

  const Memory buffer = cl.bytes(1024, kForced | CL_MEM_READ_WRITE);
  cl_mem_flags flags = 0;
  check(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "clGetMemObjectInfo");
  CHECK(flags == (kForced | CL_MEM_READ_WRITE));
  cl.write(buffer, counting(256));
  CHECK(cl.read<int>(buffer) == counting(256));
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc row{};
  row.image_type = CL_MEM_OBJECT_IMAGE1D;
  row.image_width = 16;
  cl_int code = 1;
  // Only buffers may have this flag.
  CHECK(clCreateImage(cl.context, kForced, &format, &row, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(subBufferCode(buffer, kForced, 0, 256) == CL_INVALID_VALUE);
  CHECK(subBufferCode(buffer, 0, 0, 256) == CL_SUCCESS);
}

TEST_CASE("clCreateBufferWithPropertiesINTEL makes buffers", "[buffer][.profile]") {
  const Session cl;
  const auto make = extensionFunction<clCreateBufferWithPropertiesINTEL_fn>("clCreateBufferWithPropertiesINTEL");
  const cl_mem_properties none[] = {0}, unknown[] = {CL_MEM_SIZE, 1, 0};
  int value = 3;
  const auto code = [&](cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
                        void *host) {
    cl_int result = 1;
    const Memory buffer(make(context, properties, flags, size, host, &result));
    CHECK((buffer.get() != nullptr) == (result == CL_SUCCESS));
    return result;
  };
  CHECK(code(cl.context, nullptr, 0, 64, nullptr) == CL_SUCCESS);
  CHECK(code(cl.context, none, CL_MEM_COPY_HOST_PTR, 4, &value) == CL_SUCCESS);
  CHECK(code(nullptr, nullptr, 0, 64, nullptr) == CL_INVALID_CONTEXT);
  CHECK(code(cl.context, unknown, 0, 64, nullptr) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr) == CL_INVALID_VALUE);
  CHECK(code(cl.context, nullptr, 0, 0, nullptr) == CL_INVALID_BUFFER_SIZE);
  CHECK(code(cl.context, nullptr, CL_MEM_USE_HOST_PTR, 64, nullptr) == CL_INVALID_HOST_PTR);
  CHECK(code(cl.context, nullptr, 0, 4, &value) == CL_INVALID_HOST_PTR);
  cl_int result = 1;
  const Memory buffer(make(cl.context, none, CL_MEM_COPY_HOST_PTR, 4, &value, &result));
  CHECK(cl.read<int>(buffer) == std::vector<int>{3});
  size_t bytes = 0;
  check(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, nullptr, &bytes), "clGetMemObjectInfo");
  CHECK(bytes == sizeof(cl_mem_properties));
}
