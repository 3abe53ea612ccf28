// Shared virtual memory of every grain that the device reports.
#include "support/session.hpp"

#include <catch2/catch.hpp>

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
  SvmArray target(cl, 64, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER), link(cl, 16);
  std::vector<int> system(64, 0);
  Kernel kernel = chase(cl);
  const int value = 8;
  const size_t size = 64;
  for (int *pointer : {target.data, system.data()}) { // the second is fine-grain system memory
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
  clSVMFree(cl.context, &host); // not ours: nothing happens
  clSVMFree(cl.context, nullptr);
}

TEST_CASE("a buffer over shared memory", "[svm]") {
  Session cl;
  SvmArray array(cl, 64);
  Memory memory = cl.bytes(256, CL_MEM_USE_HOST_PTR, array.data);
  cl_bool uses = CL_FALSE;
  CHECK(clGetMemObjectInfo(memory, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr) == CL_SUCCESS);
  CHECK(uses == CL_TRUE);
  cl_int code = 1;
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
  CHECK(clSVMAlloc(cl.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 0) == nullptr);
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
  CHECK(clSetKernelExecInfo(kernel, 0x1, 0, nullptr) == CL_INVALID_VALUE);
}
