// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clGetDeviceIDs and clGetDeviceInfo.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>
#include <set>

using namespace lanecl::test;

namespace {

template <class T> T value(cl_device_info name) {
  T result{};
  size_t size = 0;
  REQUIRE(clGetDeviceInfo(laneclDevice(), name, sizeof result, &result, &size) == CL_SUCCESS);
  REQUIRE(size == sizeof result);
  return result;
}

std::string text(cl_device_info name) {
  size_t size = 0;
  REQUIRE(clGetDeviceInfo(laneclDevice(), name, 0, nullptr, &size) == CL_SUCCESS);
  std::string result(size, '\0');
  REQUIRE(clGetDeviceInfo(laneclDevice(), name, size, result.data(), nullptr) == CL_SUCCESS);
  return result.c_str();
}

} // namespace

TEST_CASE("the device describes itself correctly", "[device]") {
  CHECK(text(CL_DEVICE_NAME).rfind("LaneCL (", 0) == 0);
  CHECK(value<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU);
  CHECK(text(CL_DEVICE_VERSION) == "OpenCL 3.1 LaneCL");
  // The driver version contains the format of program binaries, so that programs that keep binaries notice another
  // format.
  CHECK(std::regex_match(text(CL_DRIVER_VERSION), std::regex(R"(\d+\.\d+\.\d+\+\d+\.\d+)")));
  CHECK(text(CL_DEVICE_OPENCL_C_VERSION).rfind("OpenCL C 1.2", 0) == 0);
  CHECK(value<cl_bool>(CL_DEVICE_AVAILABLE) == CL_TRUE);
}

TEST_CASE("the limits of images are at least those of the full profile", "[device]") {
  CHECK(value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS) >= 128);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS) >= 64);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS) >= 64);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_SAMPLERS) >= 16);
  CHECK(value<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH) >= 16384);
  CHECK(value<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT) >= 16384);
  for (cl_device_info name : {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH,
                              CL_DEVICE_IMAGE_MAX_ARRAY_SIZE})
    CHECK(value<size_t>(name) >= 2048);
  CHECK(value<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) >= 65536);
  CHECK(value<cl_uint>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT) > 0);
  CHECK(value<cl_uint>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT) > 0);
}

TEST_CASE("OpenCL C versions are those an OpenCL 3.1 device must have", "[device]") {
  std::vector<cl_version> versions;
  for (const cl_name_version &entry : deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    CHECK(std::string(entry.name) == "OpenCL C");
    versions.push_back(entry.version);
  }
  for (cl_version version : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                             CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)})
    CHECK(std::count(versions.begin(), versions.end(), version) == 1);
}

TEST_CASE("the two forms of the extension list agree", "[device]") {
  std::string joined;
  for (const cl_name_version &entry : deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    joined += (joined.empty() ? "" : " ") + std::string(entry.name);
  CHECK(joined == text(CL_DEVICE_EXTENSIONS));
}

TEST_CASE("the platform lists its device's extensions and cl_khr_icd, in both forms", "[device]") {
  size_t bytes = 0;
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes) == CL_SUCCESS);
  std::vector<cl_name_version> entries(bytes / sizeof(cl_name_version));
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, bytes, entries.data(), nullptr) ==
          CL_SUCCESS);
  std::string joined;
  for (const cl_name_version &entry : entries)
    joined += (joined.empty() ? "" : " ") + std::string(entry.name);
  CHECK(joined == "cl_khr_icd " + text(CL_DEVICE_EXTENSIONS));
  char names[4096];
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_EXTENSIONS, sizeof names, names, nullptr) == CL_SUCCESS);
  CHECK(joined == names);
}

// Programs do that, for example ViennaCL 1.7.
TEST_CASE("the list of extensions fits in the arrays of programs", "[device][.profile][.profile-gpu]") {
  char extensions[2048], of_platform[2048];
  CHECK(clGetDeviceInfo(laneclDevice(), CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, nullptr) == CL_SUCCESS);
  CHECK(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_EXTENSIONS, sizeof of_platform, of_platform, nullptr) ==
        CL_SUCCESS);
}

TEST_CASE("every reported extension and feature is a macro in the kernel language", "[device]") {
  Session cl;
  std::string source;
  const std::set<std::string> without_macro{"cl_khr_create_command_queue",
                                            "cl_khr_il_program",
                                            "cl_khr_device_uuid",
                                            "cl_khr_priority_hints",
                                            "cl_khr_throttle_hints",
                                            "cl_khr_suggested_local_work_size",
                                            "cl_khr_spirv_queries",
                                            "cl_khr_command_buffer",
                                            "cl_khr_command_buffer_mutable_dispatch",
                                            "cl_khr_command_buffer_multi_device",
                                            "cl_intel_unified_shared_memory",
                                            "cl_intel_mem_force_host_memory",
                                            "cl_intel_create_buffer_with_properties",
                                            "cl_khr_unified_svm",
                                            "cl_ext_buffer_device_address",
                                            "cl_ext_immutable_memory_objects",
                                            "cl_ext_image_requirements_info",
                                            "cl_ext_image_from_buffer",
                                            "cl_khr_external_memory",
                                            "cl_khr_external_memory_opaque_fd",
                                            "cl_khr_semaphore",
                                            "cl_khr_external_semaphore",
                                            "cl_khr_external_semaphore_opaque_fd",
                                            "cl_ext_cxx_for_opencl"}; // this one is a language of its own
  for (const cl_name_version &entry : deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION)) {
    const std::string name = entry.name;
    if (!without_macro.contains(name))
      source += "#ifndef " + name + "\n#error " + name + "\n#endif\n";
  }
  CHECK_NOTHROW(cl.build(source + "kernel void empty() {}"));
  for (const cl_name_version &entry : deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES))
    source += "#ifndef " + std::string(entry.name) + "\n#error " + entry.name + "\n#endif\n";
  for (const char *standard : {"-cl-std=CL3.0", "-cl-std=CL3.1"})
    CHECK_NOTHROW(cl.build(source + "kernel void empty() {}", standard));
}

TEST_CASE("limits are at least the minima of the specification", "[device]") {
  CHECK(value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) == 3);
  CHECK(deviceList<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES).size() == 3);
  CHECK(value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 * 1024);
  CHECK(value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
  CHECK(value<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 * 1024);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
  CHECK(value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
  CHECK(value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
  CHECK(value<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1024 * 1024);
  CHECK(value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION) >= 1);
}

TEST_CASE("sub-group sizes are 8, 16 and 32", "[device]") {
  CHECK(deviceList<size_t>(CL_DEVICE_SUB_GROUP_SIZES_INTEL) == std::vector<size_t>{8, 16, 32});
  CHECK(value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) == value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE) / 8);
  CHECK(value<cl_bool>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) == CL_TRUE);
}

TEST_CASE("devices are found by type", "[device]") {
  cl_uint count = 7;
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_CPU, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_GPU, 0, nullptr, &count) == CL_DEVICE_NOT_FOUND);
  CHECK(clGetDeviceIDs(laneclPlatform(), 0, 0, nullptr, &count) == CL_INVALID_DEVICE_TYPE);
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  cl_device_id device;
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_ALL, 0, &device, &count) == CL_INVALID_VALUE);
}

TEST_CASE("device queries refuse wrong names and small buffers", "[device]") {
  cl_uchar byte;
  CHECK(clGetDeviceInfo(laneclDevice(), CL_DEVICE_MAX_COMPUTE_UNITS, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetDeviceInfo(laneclDevice(), 0x7777, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("device and driver have identifiers", "[device]") {
  const auto device = deviceList<cl_uchar>(CL_DEVICE_UUID_KHR), driver = deviceList<cl_uchar>(CL_DRIVER_UUID_KHR);
  CHECK(device.size() == CL_UUID_SIZE_KHR);
  CHECK(driver.size() == CL_UUID_SIZE_KHR);
  CHECK(device != driver);
  CHECK(device == deviceList<cl_uchar>(CL_DEVICE_UUID_KHR));
  CHECK(value<cl_bool>(CL_DEVICE_LUID_VALID_KHR) == CL_FALSE);
  CHECK(deviceList<cl_uchar>(CL_DEVICE_LUID_KHR).size() == CL_LUID_SIZE_KHR);
  CHECK(value<cl_uint>(CL_DEVICE_NODE_MASK_KHR) == 0);
}

TEST_CASE("numeric versions agree with the texts", "[device]") {
  CHECK(value<cl_version>(CL_DEVICE_NUMERIC_VERSION) == CL_MAKE_VERSION(3, 1, 0));
  CHECK(value<cl_version>(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR) == CL_MAKE_VERSION(1, 2, 0));
  CHECK(deviceList<cl_name_version>(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION).empty());
  std::string languages;
  const auto versions = deviceList<cl_name_version>(CL_DEVICE_ILS_WITH_VERSION);
  for (auto entry = versions.rbegin(); entry != versions.rend(); ++entry)
    languages += (languages.empty() ? "" : " ") + std::string(entry->name) + "_" +
                 std::to_string(CL_VERSION_MAJOR(entry->version)) + "." +
                 std::to_string(CL_VERSION_MINOR(entry->version));
  CHECK(languages == text(CL_DEVICE_IL_VERSION));
  std::set<std::string> names;
  for (const cl_name_version &entry : deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    CHECK(names.insert(entry.name).second);
  cl_version platform = 0;
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_NUMERIC_VERSION, sizeof platform, &platform, nullptr) ==
          CL_SUCCESS);
  CHECK(platform == CL_MAKE_VERSION(3, 1, 0));
}

TEST_CASE("host and device timers advance and correspond to each other", "[device]") {
  cl_ulong device = 0, host = 0, later = 0;
  REQUIRE(clGetDeviceAndHostTimer(laneclDevice(), &device, &host) == CL_SUCCESS);
  REQUIRE(clGetHostTimer(laneclDevice(), &later) == CL_SUCCESS);
  CHECK(device != 0);
  CHECK(later >= host);
  CHECK(clGetDeviceAndHostTimer(laneclDevice(), nullptr, &host) == CL_INVALID_VALUE);
  CHECK(clGetDeviceAndHostTimer(laneclDevice(), &device, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetHostTimer(laneclDevice(), nullptr) == CL_INVALID_VALUE);
  CHECK(clGetDeviceAndHostTimer(nullptr, &device, &host) == CL_INVALID_DEVICE);
  CHECK(clGetHostTimer(nullptr, &host) == CL_INVALID_DEVICE);
  // A resolution of 0 would mean that there are no such timers.
  cl_ulong resolution = 0;
  CHECK(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution, &resolution,
                          nullptr) == CL_SUCCESS);
  CHECK(resolution >= 1);
}

TEST_CASE("the times of a command lie between the device's timer before and after it", "[device]") {
  Session cl(CL_QUEUE_PROFILING_ENABLE);
  Memory memory = cl.bytes(4096);
  const int pattern = 3;
  cl_ulong before = 0, after = 0, host_before = 0, host_after = 0;
  REQUIRE(clGetDeviceAndHostTimer(cl.device, &before, &host_before) == CL_SUCCESS);
  Event event;
  REQUIRE(clEnqueueFillBuffer(cl.queue, memory, &pattern, sizeof pattern, 0, 4096, 0, nullptr, event.out()) ==
          CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  REQUIRE(clGetDeviceAndHostTimer(cl.device, &after, &host_after) == CL_SUCCESS);
  cl_ulong last = before;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    REQUIRE(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr) == CL_SUCCESS);
    CHECK(time >= last);
    last = time;
  }
  CHECK(after >= last);
  CHECK(after - before == host_after - host_before);
}
