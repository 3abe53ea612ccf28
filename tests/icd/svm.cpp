// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shared virtual memory of every granularity that the device reports.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace lanecl::test;

namespace {

struct SvmArray {
  SvmArray(const Session &cl, size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE)
      : context(cl.context), data(static_cast<int *>(clSVMAlloc(cl.context, flags, count * sizeof(int), 0))) {}
  ~SvmArray() { clSVMFree(context, data); }
  Context context;
  int *data;
};

Kernel chase(const Session &cl) {
  return cl.kernel(cl.build("typedef struct { global int *target; } Link;\n"
                            "kernel void k(global Link *link, int v) { link->target[get_global_id(0)] = v; }"),
                   "k");
}

} // namespace

TEST_CASE("a kernel follows pointers in shared memory", "[svm]") {
  Session cl;
  SvmArray target(cl, 64, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER),
      link(cl, 16, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  std::vector<int> system(64, 0);
  Kernel kernel = chase(cl);
  const int value = 8;
  const size_t size = 64;
  for (int *pointer : {target.data, system.data()}) { // the second one is fine-grain system memory
    std::memcpy(link.data, &pointer, sizeof pointer);
    REQUIRE(clSetKernelArgSVMPointer(kernel, 0, link.data) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
    CHECK(std::vector<int>(pointer, pointer + 64) == std::vector<int>(64, 8));
  }
}

TEST_CASE("copies, fills and maps of shared memory", "[svm]") {
  Session cl;
  SvmArray a(cl, 64), b(cl, 64);
  const int seven = 7;
  REQUIRE(clEnqueueSVMMemFill(cl.queue, a.data, &seven, 4, 256, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, b.data, a.data, 256, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, b.data, 256, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(b.data[63] == 7);
  REQUIRE(clEnqueueSVMUnmap(cl.queue, b.data, 0, nullptr, nullptr) == CL_SUCCESS);
  const void *pointers[] = {b.data};
  const size_t sizes[] = {256}, too_large[] = {257};
  CHECK(clEnqueueSVMMigrateMem(cl.queue, 1, pointers, sizes, 0, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueSVMMigrateMem(cl.queue, 1, pointers, too_large, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clFinish(cl.queue) == CL_SUCCESS);
}

TEST_CASE("large copies and fills of shared memory are complete", "[svm]") {
  Session cl;
  constexpr size_t kCount = (size_t(6) << 20) / 4 + 100;
  SvmArray a(cl, kCount), b(cl, kCount);
  const int pattern[] = {3, 5};
  REQUIRE(clEnqueueSVMMemFill(cl.queue, a.data, pattern, 8, 4 * kCount, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, b.data, a.data, 4 * kCount, 0, nullptr, nullptr) == CL_SUCCESS);
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i)
    wrong += b.data[i] != pattern[i % 2];
  CHECK(wrong == 0);
}

TEST_CASE("shared memory is freed in queue order, by the device or by a callback", "[svm]") {
  Session cl;
  void *first = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
  REQUIRE(clEnqueueSVMFree(cl.queue, 1, &first, nullptr, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  void *second = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
  static int freed;
  freed = 0;
  REQUIRE(clEnqueueSVMFree(
              cl.queue, 1, &second,
              [](cl_command_queue, cl_uint count, void *pointers[], void *context) {
                clSVMFree(static_cast<cl_context>(context), pointers[0]);
                freed += int(count);
              },
              cl.context.get(), 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(freed == 1);
  int host = 0;
  clSVMFree(cl.context, &host); // not from clSVMAlloc, so nothing happens
  clSVMFree(cl.context, nullptr);
}

TEST_CASE("shared memory of every combination of flags", "[svm]") {
  Session cl;
  cl_device_svm_capabilities offered = 0;
  REQUIRE(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof offered, &offered, nullptr) == CL_SUCCESS);
  CHECK(offered == (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                    CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS));
  constexpr cl_svm_mem_flags kFine = CL_MEM_SVM_FINE_GRAIN_BUFFER, kAtomic = kFine | CL_MEM_SVM_ATOMICS;
  for (cl_svm_mem_flags grain : {cl_svm_mem_flags(0), kFine, kAtomic})
    for (cl_svm_mem_flags access : {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY})
      for (cl_uint alignment : {0u, 1u, 16u, 128u}) {
        void *memory = clSVMAlloc(cl.context, grain | access, 24, alignment);
        REQUIRE(memory != nullptr);
        CHECK(reinterpret_cast<uintptr_t>(memory) % (alignment ? alignment : 128) == 0);
        clSVMFree(cl.context, memory);
      }
}

TEST_CASE("host and kernels count with the same atomic counters", "[svm]") {
  Session cl;
  constexpr int kItems = 4096, kSteps = 200, kFields = 3;
  SvmArray shared(cl, kFields, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
  std::vector<int> system(kFields);
  Program program =
      cl.build("kernel void count(global atomic_int *p, int steps) {\n"
               "  for (int i = 0; i < steps; ++i) {\n"
               "    atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n"
               "    if (i % 2 == get_global_id(0) % 2) atomic_fetch_xor(p + 1, 3);\n"
               "    int seen = atomic_load(p + 2);\n"
               "    while (!atomic_compare_exchange_weak(p + 2, &seen, seen + 1)) ;\n"
               "  }\n"
               "}",
               "-cl-std=CL3.0");
  Kernel kernel = cl.kernel(program, "count");
  for (int *counters : {shared.data, system.data()}) {
    std::fill_n(counters, kFields, 0);
    REQUIRE(clSetKernelArgSVMPointer(kernel, 0, counters) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(kernel, 1, sizeof kSteps, &kSteps) == CL_SUCCESS);
    const size_t size = kItems, local = 64;
    Event done;
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &size, &local, 0, nullptr, done.out()) == CL_SUCCESS);
    REQUIRE(clFlush(cl.queue) == CL_SUCCESS);
    int added = 0;
    for (cl_int status = CL_QUEUED; status != CL_COMPLETE; ++added) {
      std::atomic_ref(counters[0]).fetch_add(1);
      std::atomic_ref(counters[1]).fetch_xor(4);
      std::atomic_ref(counters[2]).fetch_add(1);
      REQUIRE(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
      REQUIRE(status >= 0);
    }
    CHECK(counters[0] == kItems * kSteps + added);
    CHECK(counters[1] == (added % 2 ? 4 : 0)); // the kernels flip it an even number of times
    CHECK(counters[2] == kItems * kSteps + added);
  }
}

TEST_CASE("a kernel and the host pass a value back and forth while the kernel runs", "[svm]") {
  Session cl;
  SvmArray mail(cl, 2, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
  mail.data[0] = mail.data[1] = 0;
  Program program = cl.build("kernel void answer(global atomic_int *turn, global uint *value, int rounds) {\n"
                             "  for (int i = 0; i < rounds; ++i) {\n"
                             "    while (atomic_load_explicit(turn, memory_order_acquire,\n"
                             "                                memory_scope_all_svm_devices) != 2 * i + 1) ;\n"
                             "    *value = *value * 3 + 1;\n"
                             "    atomic_store_explicit(turn, 2 * i + 2, memory_order_release,\n"
                             "                          memory_scope_all_svm_devices);\n"
                             "  }\n"
                             "}",
                             "-cl-std=CL3.0");
  Kernel kernel = cl.kernel(program, "answer");
  const int rounds = 200;
  REQUIRE(clSetKernelArgSVMPointer(kernel, 0, mail.data) == CL_SUCCESS);
  REQUIRE(clSetKernelArgSVMPointer(kernel, 1, mail.data + 1) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(kernel, 2, sizeof rounds, &rounds) == CL_SUCCESS);
  const size_t one = 1;
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clFlush(cl.queue) == CL_SUCCESS);
  std::atomic_ref turn(mail.data[0]);
  unsigned expected = 0;
  for (int i = 0; i < rounds; ++i) {
    expected = (expected + 5) * 3 + 1;
    mail.data[1] = int(unsigned(mail.data[1]) + 5);
    turn.store(2 * i + 1, std::memory_order_release);
    while (turn.load(std::memory_order_acquire) != 2 * i + 2)
      std::this_thread::yield();
    REQUIRE(unsigned(mail.data[1]) == expected);
  }
  CHECK(clFinish(cl.queue) == CL_SUCCESS);
}

TEST_CASE("a buffer over shared memory", "[svm]") {
  Session cl;
  SvmArray array(cl, 64);
  Memory memory = cl.bytes(256, CL_MEM_USE_HOST_PTR, array.data);
  cl_bool uses = CL_FALSE;
  CHECK(clGetMemObjectInfo(memory, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr) == CL_SUCCESS);
  CHECK(uses == CL_TRUE);
  cl_int code = 1;
  const cl_buffer_region second_half{128, 128};
  Memory part(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &second_half, &code));
  REQUIRE(code == CL_SUCCESS);
  CHECK(clGetMemObjectInfo(part, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr) == CL_SUCCESS);
  CHECK(uses == CL_TRUE);
  std::vector<int> host(64);
  Memory of_the_host = cl.bytes(256, CL_MEM_USE_HOST_PTR, host.data());
  CHECK(clGetMemObjectInfo(of_the_host, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr) == CL_SUCCESS);
  CHECK(uses == CL_FALSE);
  // What is written through the buffer is in the shared memory, and the other way round.
  cl.write(memory, std::vector<int>(64, 5));
  CHECK(array.data[63] == 5);
  array.data[40] = 6;
  CHECK(cl.read<int>(part)[8] == 6);
  CHECK(clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, 257, array.data, &code) == nullptr);
  CHECK(code == CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("shared memory refuses what the specification refuses", "[svm]") {
  Session cl;
  CHECK(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 0, 0) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 3) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 4096) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_SVM_ATOMICS, 64, 0) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_USE_HOST_PTR, 64, 0) == nullptr);
  CHECK(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, SIZE_MAX / 2, 0) == nullptr);
  SvmArray array(cl, 64);
  const int value = 0;
  CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, array.data, array.data + 1, 64, 0, nullptr, nullptr) ==
        CL_MEM_COPY_OVERLAP);
  CHECK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, nullptr, array.data, 64, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMMemFill(cl.queue, array.data, &value, 3, 3, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, array.data, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMUnmap(cl.queue, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMFree(cl.queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  Kernel kernel = chase(cl);
  CHECK(clSetKernelArgSVMPointer(kernel, 1, array.data) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArgSVMPointer(kernel, 2, array.data) == CL_INVALID_ARG_INDEX);
  const void *pointers[] = {array.data};
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers) == CL_SUCCESS);
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, pointers) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_SUCCESS);
  const cl_bool yes = CL_TRUE;
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes) == CL_SUCCESS);
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(kernel, 0x1, 0, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_INVALID_KERNEL);
}
