// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Attributes of kernels as a program sees them, and kernels that call kernels.
#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace lanecl::test;

namespace {

cl_int launchCode(const Session &cl, const Kernel &kernel, const std::vector<size_t> &global,
                  const std::vector<size_t> &local) {
  const cl_int code = clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(global.size()), nullptr, global.data(),
                                             local.data(), 0, nullptr, nullptr);
  check(clFinish(cl.queue), "clFinish");
  return code;
}

Kernel kernelWith(const Session &cl, const std::string &attributes) {
  return cl.kernel(cl.build("kernel __attribute__((" + attributes + ")) void k(global int *out) {\n" +
                            "  atomic_add(out, (int)(get_local_size(0) * get_local_size(1) * get_local_size(2))); }"),
                   "k");
}

std::vector<size_t> compiledSize(const Session &cl, const Kernel &kernel) {
  std::vector<size_t> size(3, 99);
  check(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 3 * sizeof(size_t), size.data(),
                                 nullptr),
        "clGetKernelWorkGroupInfo");
  return size;
}

std::string attributesOf(const Kernel &kernel) {
  char text[256] = {};
  check(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr), "clGetKernelInfo");
  return text;
}

} // namespace

TEST_CASE("a required size may be launched with every number of dimensions that can express it", "[qualifiers]") {
  Session cl;
  const Kernel row = kernelWith(cl, "reqd_work_group_size(8, 1, 1)"),
               plane = kernelWith(cl, "reqd_work_group_size(4, 2, 1)"),
               box = kernelWith(cl, "reqd_work_group_size(2, 2, 2)");
  Memory out = cl.buffer(std::vector<int>{0});
  for (const Kernel *kernel : {&row, &plane, &box})
    cl.setArguments(*kernel, out);
  CHECK(compiledSize(cl, plane) == std::vector<size_t>{4, 2, 1});
  CHECK(launchCode(cl, row, {8}, {8}) == CL_SUCCESS);
  CHECK(launchCode(cl, row, {8, 1}, {8, 1}) == CL_SUCCESS);
  CHECK(launchCode(cl, row, {8, 1, 1}, {8, 1, 1}) == CL_SUCCESS);
  CHECK(launchCode(cl, plane, {4, 2}, {4, 2}) == CL_SUCCESS);
  CHECK(launchCode(cl, plane, {4, 2, 1}, {4, 2, 1}) == CL_SUCCESS);
  CHECK(launchCode(cl, box, {2, 2, 2}, {2, 2, 2}) == CL_SUCCESS);
  CHECK(cl.read<int>(out)[0] == 6 * 64);
  CHECK(launchCode(cl, row, {16}, {16}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, plane, {8}, {8}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, box, {4, 2}, {4, 2}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, box, {2, 2, 4}, {2, 2, 4}) == CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("a task needs a required size of one", "[qualifiers]") {
  Session cl;
  const Kernel one = kernelWith(cl, "reqd_work_group_size(1, 1, 1)"),
               many = kernelWith(cl, "reqd_work_group_size(8, 1, 1)");
  Memory out = cl.buffer(std::vector<int>{0});
  cl.setArguments(one, out);
  cl.setArguments(many, out);
  CHECK(clEnqueueTask(cl.queue, one, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueTask(cl.queue, many, 0, nullptr, nullptr) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(cl.read<int>(out)[0] == 1);
}

TEST_CASE("hints are reported and have no effect", "[qualifiers]") {
  Session cl;
  for (const std::string hint : {"work_group_size_hint(16, 1, 1)", "vec_type_hint(float4)", "vec_type_hint(int)",
                                 "vec_type_hint(uchar16)", "vec_type_hint(double)"}) {
    INFO(hint);
    const Kernel kernel = kernelWith(cl, hint);
    CHECK(attributesOf(kernel) == hint);
    CHECK(compiledSize(cl, kernel) == std::vector<size_t>{0, 0, 0});
    Memory out = cl.buffer(std::vector<int>{0});
    cl.setArguments(kernel, out);
    CHECK(launchCode(cl, kernel, {21}, {7}) == CL_SUCCESS);
    CHECK(cl.read<int>(out)[0] == 21 * 7);
  }
}

TEST_CASE("a kernel that another kernel calls is a function", "[qualifiers]") {
  Session cl;
  const Program program = cl.build(R"(
kernel __attribute__((reqd_work_group_size(4, 1, 1), intel_reqd_sub_group_size(8))) void twice(global int *p) {
  p[get_global_id(0)] *= 2;
}
kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }
kernel void both(global int *p) { twice(p); add(p, get_max_sub_group_size()); twice(p); }
kernel __attribute__((intel_reqd_sub_group_size(32))) void around(global int *p) {
  if (p[get_global_id(0)] % 2) both(p); else add(p, 1000);
}
)");
  std::vector<int> input(40), want(40);
  std::iota(input.begin(), input.end(), 0);
  // The size of the launched kernel counts, not that of the kernel that it calls.
  for (int i = 0; i < 40; ++i)
    want[i] = i % 2 ? (i * 2 + 32) * 2 : i + 1000;
  Memory data = cl.buffer(input);
  cl.run(cl.kernel(program, "around"), {40}, {40}, data);
  CHECK(cl.read<int>(data) == want);
  // Each of them can still be launched as a kernel.
  cl.write(data, input);
  cl.run(cl.kernel(program, "twice"), {40}, {4}, data);
  for (int i = 0; i < 40; ++i)
    want[i] = i * 2;
  CHECK(cl.read<int>(data) == want);
}

TEST_CASE("a kernel with local variables is called from kernels", "[qualifiers]") {
  Session cl;
  const Program program = cl.build(R"(
kernel void reverse(global int *p) {
  local int tile[64];
  size_t l = get_local_id(0), n = get_local_size(0);
  tile[l] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[n - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void around(global int *p) {
  local int own[64];
  size_t l = get_local_id(0);
  own[l] = p[get_global_id(0)];
  reverse(p);
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] += 100 * own[(l + 1) % get_local_size(0)];
  reverse(p);
}
)");
  std::vector<int> input(96), want(96);
  std::iota(input.begin(), input.end(), 0);
  for (int i = 0; i < 96; ++i) {
    const int group = i / 48 * 48, l = 47 - i % 48;
    want[i] = group + i % 48 + 100 * (group + (l + 1) % 48);
  }
  Memory data = cl.buffer(input);
  const Kernel kernel = cl.kernel(program, "around");
  cl.run(kernel, {96}, {48}, data);
  CHECK(cl.read<int>(data) == want);
  cl_ulong bytes = 0;
  check(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr),
        "clGetKernelWorkGroupInfo");
  CHECK(bytes == 2 * 64 * sizeof(int));
}
