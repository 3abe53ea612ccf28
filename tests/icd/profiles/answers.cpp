// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The queries of a GPU's profile. CTest runs it once for each, with LANECL_DEVICE.
#include "expected.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

std::string platformWords(cl_platform_info name) {
  char text[64] = {};
  check(clGetPlatformInfo(laneclPlatform(), name, sizeof text - 1, text, nullptr), "clGetPlatformInfo");
  return text;
}

} // namespace

TEST_CASE("a profile has the names of its GPU and its driver", "[.profile]") {
  CHECK(answer<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU);
  CHECK(answer<cl_uint>(CL_DEVICE_VENDOR_ID) == 0x8086);
  CHECK(words(CL_DEVICE_NAME) == expected().name);
  CHECK(words(CL_DEVICE_VENDOR) == "Intel(R) Corporation");
  CHECK(words(CL_DRIVER_VERSION) == expected().driver);
  CHECK(words(CL_DEVICE_VERSION) == "OpenCL 3.0 NEO ");
  CHECK(words(CL_DEVICE_OPENCL_C_VERSION) == "OpenCL C 1.2 ");
  CHECK(platformWords(CL_PLATFORM_NAME) == "Intel(R) OpenCL Graphics");
  CHECK(platformWords(CL_PLATFORM_VENDOR) == "Intel(R) Corporation");
  CHECK(platformWords(CL_PLATFORM_VERSION) == "OpenCL 3.0 ");
  cl_uint count = 1;
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_CPU, 0, nullptr, &count) == CL_DEVICE_NOT_FOUND);
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_GPU, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 1);
}

TEST_CASE("a profile answers what its extensions promise", "[.profile]") {
  REQUIRE(isListed("cl_intel_device_attribute_query"));
  CHECK(answer<cl_version>(CL_DEVICE_IP_VERSION_INTEL) == expected().ip_version);
  CHECK(answer<cl_uint>(CL_DEVICE_ID_INTEL) == expected().device_id);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_SLICES_INTEL) == expected().slices);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL) == expected().sub_slices);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL) == expected().eus);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_THREADS_PER_EU_INTEL) == expected().threads);
  CHECK(answer<cl_device_feature_capabilities_intel>(CL_DEVICE_FEATURE_CAPABILITIES_INTEL) == expected().features);
  REQUIRE(isListed("cl_khr_pci_bus_info"));
  CHECK((answer<cl_device_pci_bus_info_khr>(CL_DEVICE_PCI_BUS_INFO_KHR).pci_bus != 0) == expected().is_card);
  const auto shared =
      answer<cl_device_unified_shared_memory_capabilities_intel>(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
  CHECK(shared == (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL));
}

TEST_CASE("a profile has the sizes of its GPU", "[.profile]") {
  CHECK(deviceList<size_t>(CL_DEVICE_SUB_GROUP_SIZES_INTEL) == expected().sub_group_sizes);
  CHECK(answer<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE) == expected().work_group_size);
  CHECK(answer<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) ==
        expected().work_group_size / expected().sub_group_sizes.front());
  CHECK(answer<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) == expected().slices * expected().sub_slices * expected().eus);
  CHECK(answer<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE) == expected().local_kibibytes << 10);
  CHECK(answer<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL);
  const auto memory = answer<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto most = answer<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  CHECK(most <= memory);
  CHECK((most < (4ull << 30) || expected().sub_group_sizes.front() == 16));
  CHECK(answer<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY) == !expected().is_card);
}

TEST_CASE("a profile lists what its GPU has", "[.profile]") {
  CHECK(isListed("cl_khr_fp64") == expected().has_double);
  CHECK((answer<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0) == expected().has_double);
  CHECK(answer<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) == expected().has_double);
  CHECK(answer<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == expected().has_images);
  CHECK((answer<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH) != 0) == expected().has_images);
  CHECK(isListed("cl_khr_3d_image_writes") == expected().has_images);
  CHECK(answer<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == expected().has_pipes);
  CHECK(isListed("cl_intel_subgroup_matrix_multiply_accumulate") == (expected().matrix_size != 0));
  CHECK(isListed("cl_intel_subgroup_2d_block_io") == expected().has_blocks_2d);
  CHECK(isListed("cl_khr_throttle_hints"));
  const auto svm = answer<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  CHECK(((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0) == expected().has_fine_grain_svm);
  CHECK((svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) == 0);
}

TEST_CASE("a profile lists nothing of LaneCL that its driver lacks", "[.profile]") {
  for (const char *name : {"cl_khr_command_buffer", "cl_khr_kernel_clock", "cl_khr_subgroup_rotate",
                           "cl_ext_cxx_for_opencl", "cl_khr_extended_async_copies", "cl_khr_subgroups"})
    CHECK_FALSE(isListed(name));
  CHECK(clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clCreateCommandBufferKHR") == nullptr);
  const auto listed = deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  std::string joined;
  for (const cl_name_version &extension : listed)
    joined += (joined.empty() ? "" : " ") + std::string(extension.name);
  CHECK(joined == words(CL_DEVICE_EXTENSIONS));
}
