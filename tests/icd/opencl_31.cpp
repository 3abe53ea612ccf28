// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What OpenCL 3.1 requires of a platform and a device, and what it has changed. The distribution's headers are older,
// so its names appear as numbers here.
#include "support/extension.hpp"
#include "support/session.hpp"

#include <CL/cl_icd.h>
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>

using namespace lanecl::test;

namespace {

using Suggest = cl_int(CL_API_CALL *)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);

template <class T> T answer(cl_device_info name) {
  T value{};
  size_t size = 0;
  check(clGetDeviceInfo(laneclDevice(), name, sizeof value, &value, &size), "clGetDeviceInfo");
  CHECK(size == sizeof value);
  return value;
}

bool isNamed(const std::vector<cl_name_version> &list, const std::string &name, cl_version version) {
  return std::ranges::any_of(
      list, [&](const cl_name_version &entry) { return entry.name == name && entry.version == version; });
}

// Kernels with __local arguments that may have size 0. They access such an argument only if it has bytes.
constexpr const char *kLocal = R"(
kernel void ends(local int *first, global int *out, local int *last, local uchar *none) {
  size_t i = get_local_id(0);
  if (first) first[i] = 3;
  last[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = last[get_local_size(0) - 1 - i];
}
kernel void optional(int count, local int *tile, global int *out) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { tile[i] = i; sum += tile[i]; }
  out[get_global_id(0)] = sum;
}
)";

} // namespace

TEST_CASE("platform, device and language have version 3.1", "[opencl_31]") {
  CHECK(answer<cl_version>(CL_DEVICE_NUMERIC_VERSION) == CL_MAKE_VERSION(3, 1, 0));
  CHECK(isNamed(deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS), "OpenCL C", CL_MAKE_VERSION(3, 1, 0)));
  CHECK(answer<cl_version>(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR) == CL_MAKE_VERSION(1, 2, 0)); // without -cl-std
}

TEST_CASE("everything that OpenCL 3.1 requires is listed", "[opencl_31]") {
  const auto extensions = deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  for (const char *name : {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_spirv_queries",
                           "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
                           "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"}) {
    CAPTURE(name);
    CHECK(isNamed(extensions, name, CL_MAKE_VERSION(1, 0, 0)));
  }
  CHECK(isNamed(extensions, "cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)));
  const auto languages = deviceList<cl_name_version>(CL_DEVICE_ILS_WITH_VERSION);
  for (unsigned minor = 0; minor <= 4; ++minor)
    CHECK(isNamed(languages, "SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
  const auto features = deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES);
  for (const char *name : {"__opencl_c_subgroups", "__opencl_c_integer_dot_product_input_4x8bit",
                           "__opencl_c_integer_dot_product_input_4x8bit_packed", "__opencl_c_int64"})
    CHECK(isNamed(features, name, CL_MAKE_VERSION(3, 0, 0)));
  CHECK(answer<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) >= 1);
}

TEST_CASE("queries that became core are answered", "[opencl_31]") {
  constexpr cl_device_info kMaxWorkGroupSizes = 0x1005, kDeviceUuid = 0x106A, kDriverUuid = 0x106B, kLuidValid = 0x106C,
                           kLuid = 0x106D, kNodeMask = 0x106E, kDotProducts = 0x1073, kAcceleration = 0x1074,
                           kPackedAcceleration = 0x1075, kInstructionSets = 0x12B9, kSpirvExtensions = 0x12BA,
                           kCapabilities = 0x12BB;
  using Uuid = std::array<cl_uchar, 16>;
  CHECK(deviceList<size_t>(kMaxWorkGroupSizes) == std::vector<size_t>{1024, 1024, 1024});
  CHECK(answer<Uuid>(kDeviceUuid) != Uuid{});
  CHECK(answer<Uuid>(kDriverUuid) != Uuid{});
  CHECK(answer<cl_bool>(kLuidValid) == CL_FALSE);
  CHECK_NOTHROW(answer<std::array<cl_uchar, 8>>(kLuid));
  CHECK_NOTHROW(answer<cl_uint>(kNodeMask));
  CHECK(answer<cl_bitfield>(kDotProducts) == 3);
  for (cl_device_info name : {kAcceleration, kPackedAcceleration})
    CHECK_NOTHROW(answer<std::array<cl_bool, 6>>(name));
  const auto has = [](cl_device_info list, const char *name) {
    return std::ranges::any_of(deviceList<const char *>(list), [&](auto text) { return !std::strcmp(text, name); });
  };
  CHECK(has(kInstructionSets, "OpenCL.std"));
  for (const char *name : {"SPV_KHR_bit_instructions", "SPV_KHR_integer_dot_product", "SPV_KHR_subgroup_rotate"})
    CHECK(has(kSpirvExtensions, name));
  const std::vector<cl_uint> capabilities = deviceList<cl_uint>(kCapabilities);
  // GroupNonUniformShuffle, …ShuffleRelative, BitInstructions, GroupNonUniformRotateKHR, DotProduct and its inputs,
  // Groups, SubgroupDispatch.
  for (cl_uint capability : {65u, 66u, 6025u, 6026u, 6019u, 6017u, 6018u, 18u, 58u})
    CHECK(std::ranges::count(capabilities, capability) == 1);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize is found by name and in the dispatch table", "[opencl_31]") {
  const Session cl;
  const auto suggest = extensionFunction<Suggest>("clGetKernelSuggestedLocalWorkSize");
  const auto older = extensionFunction<Suggest>("clGetKernelSuggestedLocalWorkSizeKHR");
  // It comes after the last function of OpenCL 3.0, where loaders of OpenCL 3.1 look for it.
  const auto &table = **reinterpret_cast<cl_icd_dispatch *const *>(laneclPlatform());
  CHECK(reinterpret_cast<const Suggest *>(&table.clSetContextDestructorCallback)[1] == suggest);

  const Program program = cl.build("kernel void k(global int *p) { p[get_global_id(0)] = 1; }");
  const Kernel kernel = cl.kernel(program, "k");
  const size_t global[] = {1000, 4}, zero[] = {4, 0}, huge[] = {SIZE_MAX, 1}, offset[] = {1, 0};
  size_t local[] = {0, 0}, other[] = {1, 1};
  CHECK(suggest(cl.queue, kernel, 2, nullptr, global, local) == CL_INVALID_KERNEL_ARGS);
  const Memory out = cl.bytes(4000);
  cl.setArguments(kernel, out);
  CHECK(suggest(cl.queue, kernel, 2, nullptr, global, local) == CL_SUCCESS);
  CHECK(older(cl.queue, kernel, 2, nullptr, global, other) == CL_SUCCESS);
  CHECK((local[0] == other[0] && local[1] == other[1] && global[0] % local[0] == 0));
  CHECK(suggest(nullptr, kernel, 1, nullptr, global, local) == CL_INVALID_COMMAND_QUEUE);
  CHECK(suggest(cl.queue, nullptr, 1, nullptr, global, local) == CL_INVALID_KERNEL);
  CHECK(suggest(Session().queue, kernel, 1, nullptr, global, local) == CL_INVALID_CONTEXT);
  CHECK(suggest(cl.queue, kernel, 0, nullptr, global, local) == CL_INVALID_WORK_DIMENSION);
  CHECK(suggest(cl.queue, kernel, 4, nullptr, global, local) == CL_INVALID_WORK_DIMENSION);
  CHECK(suggest(cl.queue, kernel, 2, nullptr, zero, local) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(suggest(cl.queue, kernel, 2, nullptr, nullptr, local) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(suggest(cl.queue, kernel, 2, offset, huge, local) == CL_INVALID_GLOBAL_OFFSET);
  CHECK(suggest(cl.queue, kernel, 2, nullptr, global, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a __local argument may have size 0", "[opencl_31]") {
  const Session cl;
  for (const char *standard : {"", "-cl-std=CL3.1"}) {
    const Program program = cl.build(kLocal, standard);
    const Kernel ends = cl.kernel(program, "ends"), optional = cl.kernel(program, "optional");
    const Memory out = cl.buffer(std::vector<int>(32, -1));
    std::vector<int> reversed(32);
    for (int i = 0; i < 32; ++i)
      reversed[size_t(i)] = 15 - i % 16;
    cl.run(ends, {32}, {16}, Local{64}, out, Local{64}, Local{0});
    CHECK(cl.read<int>(out) == reversed);
    cl.run(optional, {8}, {8}, 0, Local{0}, out);
    CHECK(cl.read<int>(out)[7] == 0);
    // The size may change from launch to launch, and a clone of the kernel keeps it.
    cl.run(optional, {8}, {1}, 5, Local{20}, out);
    CHECK(cl.read<int>(out)[7] == 10);
    REQUIRE(clSetKernelArg(optional, 1, 0, nullptr) == CL_SUCCESS);
    const int none = 0;
    REQUIRE(clSetKernelArg(optional, 0, sizeof none, &none) == CL_SUCCESS);
    cl_int code = 1;
    const Kernel copy(clCloneKernel(optional, &code));
    REQUIRE(code == CL_SUCCESS);
    const size_t global = 8;
    REQUIRE(clEnqueueNDRangeKernel(cl.queue, copy, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(cl.read<int>(out)[7] == 0);
    cl_ulong bytes = 1;
    CHECK(clGetKernelWorkGroupInfo(optional, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr) ==
          CL_SUCCESS);
    CHECK(bytes == 0);
  }
}

TEST_CASE("OpenCL C 3.1 is compiled, linked and kept in binaries", "[opencl_31]") {
  const Session cl;
  const char *source = "#if __OPENCL_C_VERSION__ != CL_VERSION_3_1\n#error no\n#endif\n"
                       "kernel void k(global uint *p) { p[get_global_id(0)] = bit_reverse(p[get_global_id(0)]); }";
  CHECK_THROWS_AS(cl.build(source, "-cl-std=CL3.0"), BuildError);
  const Program program = cl.build(source, "-cl-std=CL3.1 -Werror");
  const Memory data = cl.buffer(std::vector<cl_uint>{1, 2, 0x80000001, 0xf0});
  cl.run(cl.kernel(program, "k"), {4}, {4}, data);
  CHECK(cl.read<cl_uint>(data) == std::vector<cl_uint>{0x80000000, 0x40000000, 0x80000001, 0x0f000000});
  // Work-groups may be non-uniform, as in OpenCL C 3.0.
  const size_t global = 3, local = 2;
  CHECK(clEnqueueNDRangeKernel(cl.queue, cl.kernel(program, "k"), 1, nullptr, &global, &local, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL_ARGS);
  const Kernel kernel = cl.kernel(program, "k");
  cl.setArguments(kernel, data);
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr) == CL_SUCCESS);
}
