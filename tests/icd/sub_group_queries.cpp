// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clGetKernelSubGroupInfo: the host's answers must agree with the kernel's.
#include "support/session.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr const char *kSource = R"(
#ifdef REQUIRED
__attribute__((intel_reqd_sub_group_size(REQUIRED)))
#endif
#ifdef ROW
__attribute__((reqd_work_group_size(ROW, 1, 1)))
#endif
kernel void k(global uint *out) {
  if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0) {
    out[0] = get_max_sub_group_size();
    out[1] = get_num_sub_groups();
  }
}
// As if each work-group were one sub-group.
kernel void unnumbered(global uint *out) { out[get_local_id(0)] = sub_group_reduce_add(1u); }
// Numbers them in a function that it calls.
uint number(void) { return get_sub_group_id(); }
kernel void numbered(global uint *out) { out[number()] = sub_group_reduce_add(1u); }
)";

size_t query(const Session &cl, const Kernel &kernel, cl_kernel_sub_group_info name,
             const std::vector<size_t> &input = {}) {
  size_t value = 0;
  check(clGetKernelSubGroupInfo(kernel, cl.device, name, input.size() * sizeof(size_t),
                                input.empty() ? nullptr : input.data(), sizeof value, &value, nullptr),
        "clGetKernelSubGroupInfo");
  return value;
}

// Checks what host and device say about a local size.
void checkAgreement(const Session &cl, const Kernel &kernel, const std::vector<size_t> &local, size_t width) {
  CAPTURE(local);
  Memory out = cl.buffer(std::vector<cl_uint>(2, 0));
  cl.run(kernel, local, local, out);
  const auto device = cl.read<cl_uint>(out);
  size_t total = 1;
  for (size_t size : local)
    total *= size;
  CHECK(device[0] == width);
  CHECK(device[1] == (total + width - 1) / width);
  CHECK(query(cl, kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local) == device[0]);
  CHECK(query(cl, kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local) == device[1]);
}

} // namespace

TEST_CASE("without a required size the local size decides", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "k");
  for (size_t row : {1, 8, 16, 20, 32, 33, 256})
    checkAgreement(cl, kernel, {row}, 16);
  checkAgreement(cl, kernel, {8, 4}, 8);
  checkAgreement(cl, kernel, {16, 4}, 16);
  checkAgreement(cl, kernel, {5, 3, 2}, 16);
  checkAgreement(cl, kernel, {16, 2, 3}, 16);
  CHECK(query(cl, kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL) == 0);
  CHECK(query(cl, kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS) == 0);
  CHECK(query(cl, kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS) == 128);
}

TEST_CASE("a short row is one sub-group if the kernel does not number its sub-groups", "[sub_group_queries]") {
  Session cl;
  const Program program = cl.build(kSource);
  Kernel kernel = cl.kernel(program, "unnumbered"), numbered = cl.kernel(program, "numbered");
  const std::vector<std::pair<size_t, size_t>> widths{{1, 8}, {8, 8}, {9, 16}, {16, 16}, {17, 32}, {32, 32}, {33, 16}};
  for (const auto &[row, width] : widths) {
    CAPTURE(row);
    CHECK(query(cl, kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {row}) == width);
    CHECK(query(cl, kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {row}) == (row + width - 1) / width);
    Memory out = cl.buffer(std::vector<cl_uint>(row, 0));
    cl.run(kernel, {row}, {row}, out);
    CHECK(cl.read<cl_uint>(out)[0] == std::min(row, width));
    CHECK(query(cl, numbered, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {row}) == 16);
    cl.run(numbered, {row}, {row}, out);
    CHECK(cl.read<cl_uint>(out)[(row - 1) / 16] == (row - 1) % 16 + 1);
  }
}

TEST_CASE("a required work-group size determines the number of sub-groups", "[sub_group_queries]") {
  Session cl;
  const auto kernelOf = [&](size_t row) { return cl.kernel(cl.build(kSource, "-DROW=" + std::to_string(row)), "k"); };
  const Kernel full = kernelOf(48), partial = kernelOf(40);
  CHECK(query(cl, full, CL_KERNEL_MAX_NUM_SUB_GROUPS) == 3);
  CHECK(query(cl, full, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {3}) == 48);
  CHECK(query(cl, full, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {2}) == 0);
  CHECK(query(cl, partial, CL_KERNEL_MAX_NUM_SUB_GROUPS) == 3);
  CHECK(query(cl, partial, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {3}) == 0);
}

TEST_CASE("a required sub-group size holds for every local size", "[sub_group_queries]") {
  Session cl;
  for (size_t required : {8, 16, 32}) {
    Kernel kernel = cl.kernel(cl.build(kSource, "-DREQUIRED=" + std::to_string(required)), "k");
    checkAgreement(cl, kernel, {1}, required);
    checkAgreement(cl, kernel, {100}, required);
    checkAgreement(cl, kernel, {8, 4}, required);
    CHECK(query(cl, kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL) == required);
    CHECK(query(cl, kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS) == 1024 / required);
    CHECK(query(cl, kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {3}) == 3 * required);
  }
}

// CTest also runs this with a forced sub-group size.
TEST_CASE("host and device agree on every local size", "[sub_group_queries][sub_group_agreement]") {
  Session cl;
  for (size_t required : {0, 8, 16, 32}) {
    const std::string define = required != 0 ? "-DREQUIRED=" + std::to_string(required) : "";
    Kernel kernel = cl.kernel(cl.build(kSource, define), "k");
    const size_t most = query(cl, kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS);
    for (const std::vector<size_t> &local : std::vector<std::vector<size_t>>{
             {1}, {7}, {17}, {33}, {1000}, {4, 4}, {24, 3}, {1, 32}, {8, 128}, {3, 3, 3}, {16, 1, 4}, {32, 2, 2}}) {
      const size_t width = query(cl, kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local);
      checkAgreement(cl, kernel, local, width);
      CHECK((required == 0 || required == width));
      CHECK(query(cl, kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local) <= most);
    }
    for (size_t count : {1, 3, 32}) {
      const size_t local = query(cl, kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count});
      REQUIRE(local != 0);
      checkAgreement(cl, kernel, {local}, local / count);
    }
  }
}

TEST_CASE("the local size for a sub-group count gives that count, or is zero", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "k");
  for (size_t count = 1; count <= 200; ++count) {
    size_t local[3] = {9, 9, 9};
    REQUIRE(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                    sizeof local, local, nullptr) == CL_SUCCESS);
    CAPTURE(count);
    const bool possible = count <= 1024 / 16;
    CHECK(local[0] == (possible ? 16 * count : 0));
    CHECK(local[1] == possible);
    CHECK(local[2] == possible);
    if (possible)
      checkAgreement(cl, kernel, {local[0]}, 16);
  }
}

TEST_CASE("a required work-group size of several rows", "[sub_group_queries]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build("kernel __attribute__((reqd_work_group_size(8, 6, 1))) void k(\n"
                                           "    global uint *out) { out[0] = get_max_sub_group_size();\n"
                                           "  out[1] = get_num_sub_groups(); }"),
                                  "k");
  const size_t width = query(cl, kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {8, 6});
  checkAgreement(cl, kernel, {8, 6}, width);
  CHECK(query(cl, kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS) == (48 + width - 1) / width);
  // The answer has one dimension, and no one-dimensional size may be launched.
  CHECK(query(cl, kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {48 / width}) == 0);
  CHECK(query(cl, kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {0}) == 0);
}

TEST_CASE("no local size has more sub-groups than the reported maximum", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "k");
  const size_t most = query(cl, kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS);
  size_t reached = 0;
  for (size_t x = 1; x <= 1024; ++x)
    for (size_t y : {size_t(1), size_t(2), 1024 / x}) {
      if (y == 0 || x * y > 1024)
        continue;
      const size_t count = query(cl, kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {x, y});
      reached = std::max(reached, count);
    }
  CHECK(reached == most);
}

TEST_CASE("every work-group of a launch has sub-groups of one size", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(R"(
kernel void k(global uint4 *out) {
  out[get_global_linear_id()] =
      (uint4)(get_max_sub_group_size(), get_num_sub_groups(), get_enqueued_num_sub_groups(), get_local_size(0));
})",
                                     "-cl-std=CL3.0"),
                            "k");
  for (const std::vector<size_t> &sizes : {std::vector<size_t>{256, 600}, {32, 70}, {8, 21}, {16, 17}}) {
    const size_t local = sizes[0], global = sizes[1];
    Memory out = cl.bytes(global * 4 * sizeof(cl_uint));
    cl.run(kernel, {global}, {local}, out);
    const auto got = cl.read<cl_uint>(out);
    const size_t width = query(cl, kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {local});
    for (size_t i = 0; i < global; ++i) {
      const size_t size = std::min(local, global - i / local * local);
      const std::vector<cl_uint> want{cl_uint(width), cl_uint((size + width - 1) / width),
                                      cl_uint((local + width - 1) / width), cl_uint(size)};
      REQUIRE(std::vector<cl_uint>(&got[4 * i], &got[4 * i] + 4) == want);
    }
  }
}

TEST_CASE("sub-group queries refuse what the specification refuses", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource), "k");
  size_t value = 0;
  const size_t local[4] = {16, 1, 1, 1};
  const auto ask = [&](cl_kernel_sub_group_info name, size_t input_size, const void *input, size_t size) {
    return clGetKernelSubGroupInfo(kernel, cl.device, name, input_size, input, size, &value, nullptr);
  };
  CHECK(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, nullptr, 8) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 5, local, 8) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 32, local, 8) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 8, local, 4) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, local, 8) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, nullptr, 8) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, local, 4) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 4) == CL_INVALID_VALUE);
  CHECK(ask(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, 4) == CL_INVALID_VALUE);
  CHECK(ask(0x1, 0, nullptr, 8) == CL_INVALID_VALUE);
  CHECK(clGetKernelSubGroupInfo(nullptr, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 8, &value, nullptr) ==
        CL_INVALID_KERNEL);
  const auto not_a_device = reinterpret_cast<cl_device_id>(cl.context.get());
  CHECK(clGetKernelSubGroupInfo(kernel, not_a_device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 8, &value, nullptr) ==
        CL_INVALID_DEVICE);
  CHECK(clGetKernelSubGroupInfo(kernel, nullptr, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 8, &value, nullptr) ==
        CL_SUCCESS);
}

TEST_CASE("the extension's function is the same", "[sub_group_queries]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kSource, "-DREQUIRED=8"), "k");
  const auto function = reinterpret_cast<clGetKernelSubGroupInfoKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clGetKernelSubGroupInfoKHR"));
  REQUIRE(function);
  size_t value = 0;
  CHECK(function(kernel, cl.device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, sizeof value, &value,
                 nullptr) == CL_SUCCESS);
  CHECK(value == 8);
}
