// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clEnqueueNDRangeKernel: which NDRanges run, what the work-items see, and what is refused.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <numeric>

using namespace lanecl::test;

namespace {

constexpr const char *kIds = R"(
kernel void ids(global int *out) {
  size_t i = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) * get_global_size(0) +
             (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  int consistent = 1;
  for (uint d = 0; d < 3; ++d)
    consistent &= get_global_id(d) ==
                  get_global_offset(d) + get_group_id(d) * ENQUEUED(d) + get_local_id(d) &&
                  get_local_id(d) < get_local_size(d) && get_group_id(d) < get_num_groups(d);
  out[i] += consistent ? (int)get_work_dim() : -1000;
}
)";

// Runs an NDRange and checks that every work-item ran once and saw consistent ids.
void checkRange(const Session &cl, const Kernel &kernel, const std::vector<size_t> &global,
                const std::vector<size_t> &local, const std::vector<size_t> &offset = {}) {
  const size_t total = std::accumulate(global.begin(), global.end(), size_t(1), std::multiplies<>());
  Memory out = cl.buffer(std::vector<int>(total, 0));
  cl.setArguments(kernel, out);
  CAPTURE(global, local, offset);
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(global.size()), offset.empty() ? nullptr : offset.data(),
                                 global.data(), local.empty() ? nullptr : local.data(), 0, nullptr,
                                 nullptr) == CL_SUCCESS);
  CHECK(cl.read<int>(out) == std::vector<int>(total, int(global.size())));
}

cl_int launchCode(const Session &cl, const Kernel &kernel, const std::vector<size_t> &global,
                  const std::vector<size_t> &local) {
  const cl_int code = clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(global.size()), nullptr, global.data(),
                                             local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  check(clFinish(cl.queue), "clFinish");
  return code;
}

} // namespace

TEST_CASE("uniform ranges in one, two and three dimensions", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kIds, "-DENQUEUED=get_local_size"), "ids");
  checkRange(cl, kernel, {1}, {1});
  checkRange(cl, kernel, {256}, {64});
  checkRange(cl, kernel, {1000}, {10});
  checkRange(cl, kernel, {24, 9}, {8, 3});
  checkRange(cl, kernel, {12, 6, 4}, {6, 2, 2});
  checkRange(cl, kernel, {7, 5, 3}, {7, 5, 3});
}

TEST_CASE("the device chooses a local size", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kIds, "-DENQUEUED=get_local_size"), "ids");
  for (size_t size : {1, 2, 17, 64, 509, 1000, 4096})
    checkRange(cl, kernel, {size}, {});
  checkRange(cl, kernel, {33, 7}, {});
  checkRange(cl, kernel, {5, 6, 7}, {});
}

TEST_CASE("global offsets", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kIds, "-DENQUEUED=get_local_size"), "ids");
  checkRange(cl, kernel, {64}, {16}, {1000});
  checkRange(cl, kernel, {16, 8}, {16, 2}, {3, 5});
  checkRange(cl, kernel, {64}, {16}, {size_t(1) << 33}); // ids that do not fit into an int
}

TEST_CASE("work-groups at the edges are smaller from OpenCL C 3.0 on", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kIds, "-cl-std=CL3.0 -DENQUEUED=get_enqueued_local_size"), "ids");
  checkRange(cl, kernel, {100}, {16});
  checkRange(cl, kernel, {33, 10}, {16, 4});
  checkRange(cl, kernel, {10, 7, 5}, {4, 3, 2});
  checkRange(cl, kernel, {3}, {16});
  checkRange(cl, kernel, {1021}, {});
}

TEST_CASE("an empty launch completes", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out) { out[0] = 1; }"), "k");
  Memory out = cl.buffer(std::vector<int>{0});
  cl.setArguments(kernel, out);
  const size_t zero = 0;
  Event event;
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &zero, nullptr, 0, nullptr, event.out()) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(cl.read<int>(out)[0] == 0);
}

TEST_CASE("ranges refuse what the specification refuses", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out) {}"), "k");
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_INVALID_KERNEL_ARGS);
  Memory out = cl.bytes(64);
  cl.setArguments(kernel, out);
  const size_t size = 16, huge = SIZE_MAX;
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 0, nullptr, &size, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_DIMENSION);
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 4, nullptr, &size, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_DIMENSION);
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &huge, &size, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_GLOBAL_OFFSET);
  CHECK(launchCode(cl, kernel, {16}, {5}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, kernel, {16}, {0}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, kernel, {2048}, {2048}) == CL_INVALID_WORK_ITEM_SIZE);
  CHECK(launchCode(cl, kernel, {64, 64}, {64, 64}) == CL_INVALID_WORK_GROUP_SIZE);
  Session other;
  CHECK(launchCode(other, kernel, {16}, {16}) == CL_INVALID_CONTEXT);
  CHECK(launchCode(cl, Kernel(), {16}, {16}) == CL_INVALID_KERNEL);
}

TEST_CASE("with -cl-uniform-work-group-size, ranges without uniform work-groups are refused", "[ndrange]") {
  Session cl;
  Kernel kernel =
      cl.kernel(cl.build("kernel void k(global int *out) {}", "-cl-std=CL3.0 -cl-uniform-work-group-size"), "k");
  Memory out = cl.bytes(64);
  cl.setArguments(kernel, out);
  CHECK(launchCode(cl, kernel, {16}, {5}) == CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("a required work-group size is required", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global int *out) {"
                                     "  atomic_add(out, get_local_size(0) * 10 + get_local_size(1)); }"),
                            "k");
  Memory out = cl.buffer(std::vector<int>{0});
  cl.setArguments(kernel, out);
  CHECK(launchCode(cl, kernel, {16, 2}, {16, 1}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launchCode(cl, kernel, {8, 2}, {8, 2}) == CL_SUCCESS);
  CHECK(cl.read<int>(out)[0] == 82 * 16);
  CHECK(launchCode(cl, kernel, {8, 2}, {}) == CL_SUCCESS); // without a local size, the device uses the required one
  CHECK(cl.read<int>(out)[0] == 82 * 32);
}

TEST_CASE("too much local memory is refused at the enqueue", "[ndrange]") {
  Session cl;
  Kernel kernel =
      cl.kernel(cl.build("kernel void k(global int *out, local int *tile) { tile[0] = 1; out[0] = 1; }"), "k");
  Memory out = cl.bytes(64);
  cl.setArguments(kernel, out, Local{1 << 20});
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_OUT_OF_RESOURCES);
  // The sum of the sizes overflows.
  kernel = cl.kernel(
      cl.build("kernel void k(global int *out, local int *a, local int *b) { a[0] = b[0] = 1; out[0] = a[0]; }"), "k");
  cl.setArguments(kernel, out, Local{size_t{1} << 63}, Local{size_t{1} << 63});
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_OUT_OF_RESOURCES);
  // This holds for local variables, too. The program itself is valid.
  kernel = cl.kernel(cl.build("kernel void k(global int *out) { local int l[20000]; l[get_local_id(0)] = out[0];"
                              "  barrier(CLK_LOCAL_MEM_FENCE); out[0] = l[15 - get_local_id(0)]; }"),
                     "k");
  cl.setArguments(kernel, out);
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_OUT_OF_RESOURCES);
}

TEST_CASE("local memory is large enough for the sum of all arguments", "[ndrange]") {
  Session cl;
  const Kernel kernel =
      cl.kernel(cl.build("kernel void k(global int *out, local char *a, local char *b, local int *c) {"
                         "  a[0] = 1; b[0] = 2; c[get_local_id(0)] = 3;"
                         "  out[get_local_id(0)] = a[0] + b[0] + c[get_local_id(0)]; }"),
                "k");
  Memory out = cl.bytes(64);
  const size_t limit = deviceList<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE)[0];
  cl.setArguments(kernel, out, Local{1}, Local{1}, Local{limit - 2});
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_SUCCESS);
  CHECK(cl.read<int>(out) == std::vector<int>(16, 6));
  cl.setArguments(kernel, out, Local{1}, Local{1}, Local{limit - 1});
  CHECK(launchCode(cl, kernel, {16}, {16}) == CL_OUT_OF_RESOURCES);
}

TEST_CASE("local arguments do not overlap", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(R"(
kernel void k(global int *out, local char *a, local double2 *b) {
  local int own[4];
  int id = get_local_id(0);
  if (id < 3) a[id] = 1;
  if (id < 4) own[id] = 2;
  b[id] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = a[id % 3] + own[id % 4] + (int)b[(id + 1) % 16].x + (int)b[id].y;
}
)"),
                            "k");
  Memory out = cl.buffer(std::vector<int>(16, 0));
  cl.run(kernel, {16}, {16}, out, Local{3}, Local{16 * 16});
  CHECK(cl.read<int>(out) == std::vector<int>(16, 9));
}

TEST_CASE("many local sizes of one kernel", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build(kIds, "-DENQUEUED=get_local_size"), "ids");
  for (size_t local = 1; local <= 20; ++local) // more than specialized code is made for
    checkRange(cl, kernel, {local * 6}, {local});
}

// The device combines the work-items into work-groups, and most of these shapes share their code.
TEST_CASE("short ranges of many shapes", "[ndrange]") {
  Session cl;
  const Kernel kernel =
      cl.kernel(cl.build("kernel void shapes(global int *out) {"
                         "  const size_t row = get_global_id(2) * get_global_size(1) + get_global_id(1);"
                         "  out[row * get_global_size(0) + get_global_id(0)] +="
                         "      (int)(get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2));"
                         "}"),
                "shapes");
  for (const size_t z : {1, 3, 5})
    for (const size_t y : {1, 2, 3, 7, 11})
      for (const size_t x : {1, 2, 3, 5, 8, 9, 13, 16, 31, 63}) {
        Memory out = cl.buffer(std::vector<int>(x * y * z, 7));
        cl.setArguments(kernel, out);
        CAPTURE(x, y, z);
        REQUIRE(launchCode(cl, kernel, {x, y, z}, {}) == CL_SUCCESS);
        std::vector<int> expected;
        for (size_t k = 0; k < z; ++k)
          for (size_t j = 0; j < y; ++j)
            for (size_t i = 0; i < x; ++i)
              expected.push_back(int(7 + i + 100 * j + 10000 * k));
        REQUIRE(cl.read<int>(out) == expected);
      }
}

TEST_CASE("a task is one work-item", "[ndrange]") {
  Session cl;
  Kernel kernel =
      cl.kernel(cl.build("kernel void k(global int *out) { out[get_global_id(0)] = get_global_size(0); }"), "k");
  Memory out = cl.buffer(std::vector<int>{0, 0});
  cl.setArguments(kernel, out);
  REQUIRE(clEnqueueTask(cl.queue, kernel, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl.read<int>(out) == std::vector<int>{1, 0});
}

// A size that is used for long enough gets code of its own. The result must be the same before and after.
TEST_CASE("local sizes that are used rarely and often", "[ndrange]") {
  Session cl;
  Kernel often = cl.kernel(cl.build("kernel void spin(global uint *out, uint rounds) {"
                                    "  uint v = out[get_global_id(0)];"
                                    "  for (uint i = 0; i < rounds; ++i) v = v * 1664525u + get_local_size(0);"
                                    "  out[get_global_id(0)] = v;"
                                    "}"),
                           "spin");
  constexpr cl_uint kRounds = 2000;
  for (size_t local = 1; local <= 9; ++local) {
    const size_t global = 4096 / local * local;
    Memory out = cl.buffer(std::vector<cl_uint>(global, 1));
    cl.setArguments(often, out, kRounds);
    const int launches = local < 9 ? 1 : 100;
    for (int i = 0; i < launches; ++i)
      REQUIRE(clEnqueueNDRangeKernel(cl.queue, often, 1, nullptr, &global, &local, 0, nullptr, nullptr) == CL_SUCCESS);
    cl_uint expected = 1;
    for (cl_uint i = 0; i < kRounds * cl_uint(launches); ++i)
      expected = expected * 1664525u + cl_uint(local);
    CAPTURE(local);
    REQUIRE(cl.read<cl_uint>(out) == std::vector<cl_uint>(global, expected));
  }
}

TEST_CASE("short launches run without a wait or a flush", "[ndrange]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void up(global int *out) { ++*out; }"), "up");
  Memory out = cl.buffer(std::vector<int>(1, 0));
  cl.setArguments(kernel, out);
  const size_t one = 1;
  for (int i = 0; i < 200; ++i) {
    cl_event raw = nullptr;
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &raw) == CL_SUCCESS);
    Event event(raw);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    cl_int status = CL_QUEUED;
    while (status != CL_COMPLETE && std::chrono::steady_clock::now() < end)
      REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
    REQUIRE(status == CL_COMPLETE);
  }
  CHECK(cl.read<int>(out)[0] == 200);
}

TEST_CASE("the suggested local size is the one that a launch uses", "[ndrange]") {
  Session cl;
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
  REQUIRE(suggest != nullptr);
  const char *source = "void tell(global uint *out) {\n"
                       "  if (get_global_linear_id() == 0)\n"
                       "    for (uint d = 0; d < 3; ++d) out[d] = get_enqueued_local_size(d);\n"
                       "}\n"
                       "kernel void any(global uint *out) { tell(out); }\n"
                       "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(global uint *out) {"
                       " tell(out); }\n";
  for (const char *options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-uniform-work-group-size"}) {
    Program program = cl.build(source, options);
    Memory out = cl.bytes(12);
    for (const char *name : {"any", "required"}) {
      Kernel kernel = cl.kernel(program, name);
      cl.setArguments(kernel, out);
      for (const std::array<size_t, 3> &global :
           {std::array<size_t, 3>{1, 2, 1}, {8, 2, 1}, {1000, 4, 1}, {1024, 1024, 1}, {24, 6, 5}, {104, 22, 3}})
        for (size_t offset : {0, 40}) {
          if (std::string(name) == "required" && global[0] % 8 != 0)
            continue; // only uniform work-groups of that size are valid everywhere
          const size_t offsets[] = {offset, offset, offset};
          size_t local[] = {1, 1, 1};
          for (cl_uint dimensions : {3u, 2u, 1u}) {
            if (dimensions == 1 && std::string(name) == "required")
              continue;
            std::fill_n(local, 3, 1);
            REQUIRE(suggest(cl.queue, kernel, dimensions, offsets, global.data(), local) == CL_SUCCESS);
            REQUIRE(clEnqueueNDRangeKernel(cl.queue, kernel, dimensions, offsets, global.data(), nullptr, 0, nullptr,
                                           nullptr) == CL_SUCCESS);
            CHECK(cl.read<cl_uint>(out) ==
                  std::vector<cl_uint>{cl_uint(local[0]), cl_uint(local[1]), cl_uint(local[2])});
          }
        }
    }
  }
  Program program = cl.build(source, "-cl-std=CL3.0");
  Kernel kernel = cl.kernel(program, "any");
  const size_t global[] = {16, 0, 16}, huge[] = {SIZE_MAX, 1, 1}, one[] = {1, 1, 1};
  size_t local[3] = {};
  CHECK(suggest(cl.queue, kernel, 1, nullptr, global, local) == CL_INVALID_KERNEL_ARGS);
  cl.setArguments(kernel, cl.bytes(12));
  CHECK(suggest(cl.queue, kernel, 1, nullptr, global, local) == CL_SUCCESS);
  CHECK(suggest(nullptr, kernel, 1, nullptr, global, local) == CL_INVALID_COMMAND_QUEUE);
  CHECK(suggest(cl.queue, nullptr, 1, nullptr, global, local) == CL_INVALID_KERNEL);
  CHECK(suggest(Session().queue, kernel, 1, nullptr, global, local) == CL_INVALID_CONTEXT);
  CHECK(suggest(cl.queue, kernel, 0, nullptr, global, local) == CL_INVALID_WORK_DIMENSION);
  CHECK(suggest(cl.queue, kernel, 4, nullptr, global, local) == CL_INVALID_WORK_DIMENSION);
  CHECK(suggest(cl.queue, kernel, 1, one, huge, local) == CL_INVALID_GLOBAL_OFFSET);
  CHECK(suggest(cl.queue, kernel, 1, nullptr, nullptr, local) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(suggest(cl.queue, kernel, 3, nullptr, global, local) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(suggest(cl.queue, kernel, 1, nullptr, global, nullptr) == CL_INVALID_VALUE);
}
