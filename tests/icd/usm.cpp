// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_intel_unified_shared_memory.
#include "support/extension.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

using namespace lanecl::test;

namespace {

constexpr cl_unified_shared_memory_type_intel kTypes[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL,
                                                          CL_MEM_TYPE_SHARED_INTEL};

#define LANECL_LOAD(name) name##_fn name = extensionFunction<name##_fn>(#name)
// The signature is written out, because headers of some versions lack the type of this one function.
using MigrateFunction = cl_int(CL_API_CALL *)(cl_command_queue, const void *, size_t, cl_mem_migration_flags, cl_uint,
                                              const cl_event *, cl_event *);

struct Functions {
  LANECL_LOAD(clHostMemAllocINTEL);
  LANECL_LOAD(clDeviceMemAllocINTEL);
  LANECL_LOAD(clSharedMemAllocINTEL);
  LANECL_LOAD(clMemFreeINTEL);
  LANECL_LOAD(clMemBlockingFreeINTEL);
  LANECL_LOAD(clGetMemAllocInfoINTEL);
  LANECL_LOAD(clSetKernelArgMemPointerINTEL);
  LANECL_LOAD(clEnqueueMemFillINTEL);
  LANECL_LOAD(clEnqueueMemcpyINTEL);
  LANECL_LOAD(clEnqueueMemAdviseINTEL);
  MigrateFunction clEnqueueMigrateMemINTEL = extensionFunction<MigrateFunction>("clEnqueueMigrateMemINTEL");
};
#undef LANECL_LOAD

struct UsmSession : Session, Functions {
  using Session::Session;

  void *tryAllocate(cl_unified_shared_memory_type_intel type, size_t size, cl_int &code,
                    const cl_mem_properties_intel *properties = nullptr, cl_uint alignment = 0) const {
    switch (type) {
    case CL_MEM_TYPE_HOST_INTEL: return clHostMemAllocINTEL(context, properties, size, alignment, &code);
    case CL_MEM_TYPE_DEVICE_INTEL: return clDeviceMemAllocINTEL(context, device, properties, size, alignment, &code);
    default: return clSharedMemAllocINTEL(context, device, properties, size, alignment, &code);
    }
  }
  void *allocate(cl_unified_shared_memory_type_intel type, size_t size,
                 const cl_mem_properties_intel *properties = nullptr, cl_uint alignment = 0) const {
    cl_int code = 1;
    void *pointer = tryAllocate(type, size, code, properties, alignment);
    check(code, "USM allocation");
    return pointer;
  }
  // Returns the error of an allocation that must fail.
  cl_int refusal(cl_unified_shared_memory_type_intel type, size_t size,
                 const cl_mem_properties_intel *properties = nullptr, cl_uint alignment = 0) const {
    cl_int code = CL_SUCCESS;
    CHECK(tryAllocate(type, size, code, properties, alignment) == nullptr);
    return code;
  }
  template <class T> T info(const void *pointer, cl_mem_info_intel name) const {
    T value{};
    size_t size = 0;
    check(clGetMemAllocInfoINTEL(context, pointer, name, sizeof value, &value, &size), "clGetMemAllocInfoINTEL");
    CHECK(size == sizeof value);
    return value;
  }
};

// Returns the command type of an event.
cl_command_type typeOf(const Event &event) {
  cl_command_type type = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "clGetEventInfo");
  return type;
}

} // namespace

TEST_CASE("the device supports everything of unified shared memory", "[usm]") {
  Session cl;
  for (cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}) {
    cl_device_unified_shared_memory_capabilities_intel capabilities = 0;
    REQUIRE(clGetDeviceInfo(cl.device, name, sizeof capabilities, &capabilities, nullptr) == CL_SUCCESS);
    CHECK(capabilities ==
          (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
           CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL));
  }
}

TEST_CASE("queries about every byte of an allocation, and about no other", "[usm]") {
  UsmSession cl;
  constexpr size_t kSize = 1000;
  for (cl_unified_shared_memory_type_intel type : kTypes) {
    CAPTURE(type);
    auto *bytes = static_cast<std::byte *>(cl.allocate(type, kSize));
    for (size_t offset : {size_t(0), size_t(1), kSize / 2, kSize - 1}) {
      const void *inside = bytes + offset;
      CHECK(cl.info<cl_unified_shared_memory_type_intel>(inside, CL_MEM_ALLOC_TYPE_INTEL) == type);
      CHECK(cl.info<void *>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL) == bytes);
      CHECK(cl.info<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL) == kSize);
      CHECK(cl.info<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL) ==
            (type == CL_MEM_TYPE_HOST_INTEL ? nullptr : cl.device));
      CHECK(cl.info<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL) == 0);
    }
    int on_stack = 0;
    for (const void *outside : {static_cast<const void *>(bytes + kSize), static_cast<const void *>(bytes - 1),
                                static_cast<const void *>(&on_stack), static_cast<const void *>(nullptr)}) {
      CHECK(cl.info<cl_unified_shared_memory_type_intel>(outside, CL_MEM_ALLOC_TYPE_INTEL) ==
            CL_MEM_TYPE_UNKNOWN_INTEL);
      CHECK(cl.info<void *>(outside, CL_MEM_ALLOC_BASE_PTR_INTEL) == nullptr);
      CHECK(cl.info<size_t>(outside, CL_MEM_ALLOC_SIZE_INTEL) == 0);
      CHECK(cl.info<cl_device_id>(outside, CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
      CHECK(cl.info<cl_mem_alloc_flags_intel>(outside, CL_MEM_ALLOC_FLAGS_INTEL) == 0);
    }
    CHECK(cl.clMemFreeINTEL(cl.context, bytes) == CL_SUCCESS);
    CHECK(cl.info<cl_unified_shared_memory_type_intel>(bytes, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
  }
  void *pointer = cl.allocate(CL_MEM_TYPE_SHARED_INTEL, kSize);
  UsmSession other;
  CHECK(other.info<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL) == 0); // the allocation belongs to another context
  size_t size = 0;
  CHECK(cl.clGetMemAllocInfoINTEL(nullptr, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, nullptr) ==
        CL_INVALID_CONTEXT);
  CHECK(cl.clGetMemAllocInfoINTEL(cl.context, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof size - 1, &size, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(cl.clGetMemAllocInfoINTEL(cl.context, pointer, CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == sizeof(size_t));
  CHECK(cl.clGetMemAllocInfoINTEL(cl.context, pointer, CL_MEM_TYPE_HOST_INTEL, sizeof size, &size, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(cl.clMemFreeINTEL(cl.context, pointer) == CL_SUCCESS);
}

TEST_CASE("allocations keep their flags and alignments", "[usm]") {
  UsmSession cl;
  for (cl_mem_alloc_flags_intel flags : {CL_MEM_ALLOC_WRITE_COMBINED_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                         CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL}) {
    const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
    void *pointer = cl.allocate(CL_MEM_TYPE_SHARED_INTEL, 64, properties);
    CHECK(cl.info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL) == flags);
    CHECK(cl.clMemFreeINTEL(cl.context, pointer) == CL_SUCCESS);
  }
  for (cl_unified_shared_memory_type_intel type : kTypes)
    for (cl_uint alignment : {0, 1, 2, 64, 128}) {
      void *pointer = cl.allocate(type, 3, nullptr, alignment);
      CHECK(reinterpret_cast<uintptr_t>(pointer) % (alignment == 0 ? 128 : alignment) == 0);
      CHECK(cl.clMemFreeINTEL(cl.context, pointer) == CL_SUCCESS);
    }
  cl_int code = 1;
  void *of_no_device = cl.clSharedMemAllocINTEL(cl.context, nullptr, nullptr, 64, 0, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(cl.info<cl_device_id>(of_no_device, CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
  CHECK(cl.clMemFreeINTEL(cl.context, of_no_device) == CL_SUCCESS);
  CHECK(cl.clMemFreeINTEL(cl.context, nullptr) == CL_SUCCESS);
  CHECK(cl.clMemBlockingFreeINTEL(cl.context, nullptr) == CL_SUCCESS);
  void *never_freed = cl.clHostMemAllocINTEL(cl.context, nullptr, 64, 0, nullptr); // freed with the context
  CHECK(never_freed != nullptr);
}

TEST_CASE("allocations are refused as the extension specifies", "[usm]") {
  UsmSession cl;
  cl_ulong most = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr), "clGetDeviceInfo");
  const cl_mem_properties_intel unknown_name[] = {CL_MEM_ALLOC_TYPE_INTEL, 0, 0};
  const cl_mem_properties_intel unknown_flag[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 3, 0};
  const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
  const cl_mem_properties_intel on_device[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                               0};
  const cl_mem_properties_intel on_host[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  const cl_mem_properties_intel on_both[] = {
      CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
      0};
  for (cl_unified_shared_memory_type_intel type : kTypes) {
    CAPTURE(type);
    CHECK(cl.refusal(type, 0) == CL_INVALID_BUFFER_SIZE);
    CHECK(cl.refusal(type, size_t(most) + 1) == CL_INVALID_BUFFER_SIZE);
    CHECK(cl.refusal(type, 64, nullptr, 3) == CL_INVALID_VALUE);
    CHECK(cl.refusal(type, 64, nullptr, 256) == CL_INVALID_VALUE);
    CHECK(cl.refusal(type, 64, unknown_name) == CL_INVALID_PROPERTY);
    CHECK(cl.refusal(type, 64, unknown_flag) == CL_INVALID_PROPERTY);
    CHECK(cl.refusal(type, 64, twice) == CL_INVALID_PROPERTY);
    CHECK(cl.refusal(type, 64, on_both) == CL_INVALID_PROPERTY);
    if (type == CL_MEM_TYPE_SHARED_INTEL)
      continue;
    CHECK(cl.refusal(type, 64, on_device) == CL_INVALID_PROPERTY);
    CHECK(cl.refusal(type, 64, on_host) == CL_INVALID_PROPERTY);
  }
  cl_int code = CL_SUCCESS;
  CHECK(cl.clHostMemAllocINTEL(nullptr, nullptr, 64, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(cl.clDeviceMemAllocINTEL(nullptr, cl.device, nullptr, 64, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(cl.clSharedMemAllocINTEL(nullptr, cl.device, nullptr, 64, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(cl.clDeviceMemAllocINTEL(cl.context, nullptr, nullptr, 64, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE);
  const auto no_device = reinterpret_cast<cl_device_id>(cl.queue.get());
  CHECK(cl.clSharedMemAllocINTEL(cl.context, no_device, nullptr, 64, 0, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE);
}

TEST_CASE("only allocations are freed, and only once", "[usm]") {
  UsmSession cl;
  int on_stack = 0;
  for (auto release : {cl.clMemFreeINTEL, cl.clMemBlockingFreeINTEL}) {
    auto *pointer = static_cast<std::byte *>(cl.allocate(CL_MEM_TYPE_HOST_INTEL, 64));
    CHECK(release(nullptr, pointer) == CL_INVALID_CONTEXT);
    CHECK(release(cl.context, pointer + 1) == CL_INVALID_VALUE);
    CHECK(release(cl.context, &on_stack) == CL_INVALID_VALUE);
    CHECK(release(UsmSession().context, pointer) == CL_INVALID_VALUE);
    CHECK(release(cl.context, pointer) == CL_SUCCESS);
    CHECK(release(cl.context, pointer) == CL_INVALID_VALUE);
  }
}

TEST_CASE("a kernel follows pointers into unified shared memory", "[usm]") {
  UsmSession cl;
  Kernel kernel = cl.kernel(cl.build("typedef struct { global int *from, *to; } Link;\n"
                                     "kernel void k(global Link *link, constant int *v) {\n"
                                     "  size_t i = get_global_id(0);\n"
                                     "  link->to[i] = link->from[i] + v[0];\n"
                                     "}"),
                            "k");
  constexpr size_t kCount = 100;
  struct Link {
    int *from, *to;
  };
  const cl_bool yes = CL_TRUE;
  for (cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    CHECK(clSetKernelExecInfo(kernel, name, sizeof yes, &yes) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, name, 1, &yes) == CL_INVALID_VALUE);
    CHECK(clSetKernelExecInfo(kernel, name, sizeof yes, nullptr) == CL_INVALID_VALUE);
  }
  for (cl_unified_shared_memory_type_intel from : kTypes)
    for (cl_unified_shared_memory_type_intel to : kTypes) {
      CAPTURE(from, to);
      auto *link = static_cast<Link *>(cl.allocate(CL_MEM_TYPE_SHARED_INTEL, sizeof(Link)));
      link->from = static_cast<int *>(cl.allocate(from, kCount * sizeof(int)));
      link->to = static_cast<int *>(cl.allocate(to, kCount * sizeof(int)));
      std::vector<int> values(kCount), result(kCount);
      for (size_t i = 0; i < kCount; ++i)
        values[i] = int(i * i);
      const int five = 5;
      const void *used[] = {link->from, link->to};
      REQUIRE(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof used, used) == CL_SUCCESS);
      // A device allocation belongs to the device; the host accesses it by copies.
      REQUIRE(cl.clEnqueueMemcpyINTEL(cl.queue, CL_FALSE, link->from, values.data(), kCount * sizeof(int), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
      REQUIRE(cl.clSetKernelArgMemPointerINTEL(kernel, 0, link) == CL_SUCCESS);
      REQUIRE(cl.clSetKernelArgMemPointerINTEL(kernel, 1, &five) == CL_SUCCESS); // shared system memory
      REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr) ==
              CL_SUCCESS);
      REQUIRE(cl.clEnqueueMemcpyINTEL(cl.queue, CL_TRUE, result.data(), link->to, kCount * sizeof(int), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
      size_t wrong = 0;
      for (size_t i = 0; i < kCount; ++i)
        wrong += result[i] != values[i] + five;
      CHECK(wrong == 0);
      for (void *pointer : {static_cast<void *>(link->from), static_cast<void *>(link->to), static_cast<void *>(link)})
        CHECK(cl.clMemFreeINTEL(cl.context, pointer) == CL_SUCCESS);
    }
}

TEST_CASE("pointer arguments into allocations", "[usm]") {
  UsmSession cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *p, int v, local int *l) { if (p) p[0] = v; }"), "k");
  auto *data = static_cast<int *>(cl.allocate(CL_MEM_TYPE_SHARED_INTEL, 4 * sizeof(int)));
  std::fill_n(data, 4, 0);
  const int seven = 7;
  const size_t one = 1;
  REQUIRE(clSetKernelArg(kernel, 1, sizeof seven, &seven) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(kernel, 2, 4, nullptr) == CL_SUCCESS);
  for (int *pointer : {data + 2, static_cast<int *>(nullptr)}) {
    REQUIRE(cl.clSetKernelArgMemPointerINTEL(kernel, 0, pointer) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  }
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(std::vector<int>(data, data + 4) == std::vector<int>{0, 0, 7, 0});
  CHECK(cl.clSetKernelArgMemPointerINTEL(nullptr, 0, data) == CL_INVALID_KERNEL);
  CHECK(cl.clSetKernelArgMemPointerINTEL(kernel, 3, data) == CL_INVALID_ARG_INDEX);
  CHECK(cl.clSetKernelArgMemPointerINTEL(kernel, 1, data) == CL_INVALID_ARG_VALUE);
  CHECK(cl.clSetKernelArgMemPointerINTEL(kernel, 2, data) == CL_INVALID_ARG_VALUE);
  CHECK(cl.clMemFreeINTEL(cl.context, data) == CL_SUCCESS);
}

TEST_CASE("fills with every pattern size, and copies between all kinds of memory", "[usm]") {
  UsmSession cl;
  constexpr size_t kSize = 1024;
  std::array<unsigned char, 128> pattern;
  for (size_t i = 0; i < pattern.size(); ++i)
    pattern[i] = static_cast<unsigned char>(3 * i + 1);
  for (cl_unified_shared_memory_type_intel type : kTypes)
    for (size_t pattern_size = 1; pattern_size <= pattern.size(); pattern_size *= 2) {
      CAPTURE(type, pattern_size);
      auto *data = static_cast<unsigned char *>(cl.allocate(type, kSize));
      auto *copy = static_cast<unsigned char *>(cl.allocate(CL_MEM_TYPE_HOST_INTEL, kSize));
      std::fill_n(copy, kSize, 0);
      REQUIRE(cl.clEnqueueMemFillINTEL(cl.queue, data, pattern.data(), pattern_size, kSize, 0, nullptr, nullptr) ==
              CL_SUCCESS);
      REQUIRE(cl.clEnqueueMemcpyINTEL(cl.queue, CL_TRUE, copy, data + 128, kSize - 128, 0, nullptr, nullptr) ==
              CL_SUCCESS);
      size_t wrong = 0;
      for (size_t i = 0; i < kSize; ++i)
        wrong += copy[i] != (i < kSize - 128 ? pattern[i % pattern_size] : 0);
      CHECK(wrong == 0);
      CHECK(cl.clMemFreeINTEL(cl.context, data) == CL_SUCCESS);
      CHECK(cl.clMemFreeINTEL(cl.context, copy) == CL_SUCCESS);
    }
}

TEST_CASE("copies and fills wait for their events and return events", "[usm]") {
  UsmSession cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  auto *data = static_cast<int *>(cl.allocate(CL_MEM_TYPE_SHARED_INTEL, 2 * sizeof(int)));
  std::fill_n(data, 2, 0);
  const int nine = 9;
  Event gate = userEvent(cl.context), filled, copied, migrated, advised;
  REQUIRE(cl.clEnqueueMemFillINTEL(cl.queue, data, &nine, 4, 4, 1, gate.address(), filled.out()) == CL_SUCCESS);
  REQUIRE(cl.clEnqueueMemcpyINTEL(cl.queue, CL_FALSE, data + 1, data, 4, 1, filled.address(), copied.out()) ==
          CL_SUCCESS);
  REQUIRE(cl.clEnqueueMigrateMemINTEL(cl.queue, data, 8, 0, 1, copied.address(), migrated.out()) == CL_SUCCESS);
  REQUIRE(cl.clEnqueueMemAdviseINTEL(cl.queue, data, 8, 0, 1, migrated.address(), advised.out()) == CL_SUCCESS);
  CHECK(typeOf(filled) == CL_COMMAND_MEMFILL_INTEL);
  CHECK(typeOf(copied) == CL_COMMAND_MEMCPY_INTEL);
  CHECK(typeOf(migrated) == CL_COMMAND_MIGRATEMEM_INTEL);
  CHECK(typeOf(advised) == CL_COMMAND_MEMADVISE_INTEL);
  CHECK(data[1] == 0);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, advised.address()) == CL_SUCCESS);
  CHECK(data[1] == 9);

  Event failed = userEvent(cl.context);
  REQUIRE(clSetUserEventStatus(failed, -1) == CL_SUCCESS);
  CHECK(cl.clEnqueueMemcpyINTEL(cl.queue, CL_TRUE, data + 1, data, 4, 1, failed.address(), nullptr) ==
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(cl.clMemFreeINTEL(cl.context, data) == CL_SUCCESS);
}

TEST_CASE("copies, fills and hints are refused as the extension specifies", "[usm]") {
  UsmSession cl, other;
  auto *data = static_cast<std::byte *>(cl.allocate(CL_MEM_TYPE_SHARED_INTEL, 1024));
  const std::array<std::byte, 256> pattern{};
  Event foreign = userEvent(other.context);
  const auto fill = [&](cl_command_queue queue, void *target, const void *with, size_t pattern_size, size_t size,
                        cl_uint count = 0, const cl_event *events = nullptr) {
    return cl.clEnqueueMemFillINTEL(queue, target, with, pattern_size, size, count, events, nullptr);
  };
  CHECK(fill(nullptr, data, pattern.data(), 4, 64) == CL_INVALID_COMMAND_QUEUE);
  CHECK(fill(cl.queue, nullptr, pattern.data(), 4, 64) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data + 2, pattern.data(), 4, 64) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, nullptr, 4, 64) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, pattern.data(), 0, 64) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, pattern.data(), 12, 144) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, pattern.data(), 256, 256) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, pattern.data(), 4, 66) == CL_INVALID_VALUE);
  CHECK(fill(cl.queue, data, pattern.data(), 4, 64, 1, foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(fill(cl.queue, data, pattern.data(), 4, 64, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(fill(cl.queue, data, pattern.data(), 4, 64, 0, foreign.address()) == CL_INVALID_EVENT_WAIT_LIST);
  const auto copy = [&](cl_command_queue queue, void *target, const void *source, size_t size, cl_uint count = 0,
                        const cl_event *events = nullptr) {
    return cl.clEnqueueMemcpyINTEL(queue, CL_TRUE, target, source, size, count, events, nullptr);
  };
  CHECK(copy(nullptr, data, data + 512, 64) == CL_INVALID_COMMAND_QUEUE);
  CHECK(copy(cl.queue, nullptr, data, 64) == CL_INVALID_VALUE);
  CHECK(copy(cl.queue, data, nullptr, 64) == CL_INVALID_VALUE);
  CHECK(copy(cl.queue, data, data + 63, 64) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(cl.queue, data + 63, data, 64) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(cl.queue, data + 64, data, 64) == CL_SUCCESS);
  CHECK(copy(cl.queue, data, data + 512, 64, 1, foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(copy(cl.queue, data, data + 512, 64, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  const auto migrate = [&](cl_command_queue queue, cl_mem_migration_flags flags, cl_uint count = 0,
                           const cl_event *events = nullptr) {
    return cl.clEnqueueMigrateMemINTEL(queue, data, 1024, flags, count, events, nullptr);
  };
  CHECK(migrate(nullptr, 0) == CL_INVALID_COMMAND_QUEUE);
  CHECK(migrate(cl.queue, 0) == CL_SUCCESS);
  CHECK(migrate(cl.queue, CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == CL_SUCCESS);
  CHECK(migrate(cl.queue, 1 << 2) == CL_INVALID_VALUE);
  CHECK(migrate(cl.queue, 0, 1, foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(migrate(cl.queue, 0, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  const auto advise = [&](cl_command_queue queue, cl_mem_advice_intel advice, cl_uint count = 0,
                          const cl_event *events = nullptr) {
    return cl.clEnqueueMemAdviseINTEL(queue, data, 1024, advice, count, events, nullptr);
  };
  CHECK(advise(nullptr, 0) == CL_INVALID_COMMAND_QUEUE);
  CHECK(advise(cl.queue, 0x4208) == CL_SUCCESS);
  CHECK(advise(cl.queue, 0x4210) == CL_INVALID_VALUE);
  CHECK(advise(cl.queue, 0, 1, foreign.address()) == CL_INVALID_CONTEXT);
  CHECK(advise(cl.queue, 0, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.clMemFreeINTEL(cl.context, data) == CL_SUCCESS);
}

TEST_CASE("a blocking free waits for the commands of all queues, including released ones", "[usm]") {
  UsmSession cl;
  for (cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    for (bool released : {false, true}) {
      CAPTURE(order, released);
      auto *data = static_cast<int *>(cl.allocate(CL_MEM_TYPE_SHARED_INTEL, sizeof(int)));
      int result = 0;
      const int three = 3;
      CommandQueue queue = makeQueue(cl.context, order, cl.device);
      Event gate = userEvent(cl.context), filled, copied;
      REQUIRE(cl.clEnqueueMemFillINTEL(queue, data, &three, 4, 4, 1, gate.address(), filled.out()) == CL_SUCCESS);
      REQUIRE(cl.clEnqueueMemcpyINTEL(queue, CL_FALSE, &result, data, 4, 1, filled.address(), copied.out()) ==
              CL_SUCCESS);
      if (released) {
        filled.reset();
        copied.reset();
        queue.reset();
      }
      std::atomic<bool> opened{false};
      std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        opened = true;
        clSetUserEventStatus(gate, CL_COMPLETE);
      });
      CHECK(cl.clMemBlockingFreeINTEL(cl.context, data) == CL_SUCCESS);
      CHECK(opened);
      CHECK(result == 3);
      CHECK(cl.info<size_t>(data, CL_MEM_ALLOC_SIZE_INTEL) == 0);
      opener.join();
    }
}

TEST_CASE("host and kernel add to the same words at the same time", "[usm]") {
  UsmSession cl;
  constexpr size_t kItems = 4096;
  constexpr int kRounds = 64, kHostRounds = 200000;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global atomic_int *sum, global atomic_int *started, int rounds) {\n"
                                     "  atomic_store(started, 1);\n"
                                     "  for (int i = 0; i < rounds; ++i)\n"
                                     "    atomic_fetch_add(sum, 1);\n"
                                     "}",
                                     "-cl-std=CL3.0"),
                            "k");
  for (cl_unified_shared_memory_type_intel type : {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_SHARED_INTEL}) {
    auto *words = static_cast<int *>(cl.allocate(type, 2 * sizeof(int)));
    words[0] = words[1] = 0;
    REQUIRE(cl.clSetKernelArgMemPointerINTEL(kernel, 0, words) == CL_SUCCESS);
    REQUIRE(cl.clSetKernelArgMemPointerINTEL(kernel, 1, words + 1) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(kernel, 2, sizeof kRounds, &kRounds) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFlush(cl.queue) == CL_SUCCESS);
    while (std::atomic_ref(words[1]).load() == 0)
      std::this_thread::yield();
    for (int i = 0; i < kHostRounds; ++i)
      std::atomic_ref(words[0]).fetch_add(1);
    REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
    CHECK(words[0] == int(kItems) * kRounds + kHostRounds);
    CHECK(cl.clMemBlockingFreeINTEL(cl.context, words) == CL_SUCCESS);
  }
}
