// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The GPU profile without a particular GPU, and devices that do not exist. CTest sets LANECL_DEVICE.
#include "expected.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

TEST_CASE("the device gpu has the type GPU and supports everything", "[.profile-gpu]") {
  CHECK(answer<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU);
  CHECK(words(CL_DEVICE_NAME).rfind("LaneCL (", 0) == 0);
  CHECK(words(CL_DEVICE_VENDOR) == "LaneCL project");
  // Its binaries differ from the CPU's, and programs that keep binaries distinguish devices by such strings.
  CHECK(words(CL_DRIVER_VERSION).find("+") != std::string::npos);
  CHECK(words(CL_DRIVER_VERSION).ends_with(" gpu"));
  for (const char *name : {"cl_khr_fp64", "cl_khr_command_buffer", "cl_intel_subgroup_2d_block_io",
                           "cl_intel_subgroup_split_matrix_multiply_accumulate", "cl_khr_subgroup_rotate",
                           "cl_khr_work_group_uniform_arithmetic", "cl_khr_spirv_extended_debug_info"})
    CHECK(isListed(name));
  // It is not an Intel GPU.
  CHECK_FALSE(isListed("cl_intel_device_attribute_query"));
  cl_version version = 0;
  CHECK(clGetDeviceInfo(laneclDevice(), CL_DEVICE_IP_VERSION_INTEL, sizeof version, &version, nullptr) ==
        CL_INVALID_VALUE);
  // It is not on a bus, either.
  CHECK_FALSE(isListed("cl_khr_pci_bus_info"));
  cl_device_pci_bus_info_khr address{};
  CHECK(clGetDeviceInfo(laneclDevice(), CL_DEVICE_PCI_BUS_INFO_KHR, sizeof address, &address, nullptr) ==
        CL_INVALID_VALUE);
  Session cl;
  CHECK_NOTHROW(cl.build("__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global double *p) {}"));
  // Too much local memory is an error of the launch, as OpenCL specifies.
  CHECK_NOTHROW(cl.build("kernel void k(global int *p) { local int l[20000]; l[get_local_id(0)] = p[0];"
                         "  barrier(CLK_LOCAL_MEM_FENCE); p[0] = l[15 - get_local_id(0)]; }"));
}

TEST_CASE("a device that does not exist is refused", "[.profile-unknown]") {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  CHECK(count == 0);
}
