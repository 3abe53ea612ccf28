// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the device answers and refuses: as the processor that it is, or as a GPU with its driver (LANECL_DEVICE).
// Queries and checks ask here, so they cannot disagree. The values are in icd/src/profiles/, one file a profile; what a
// member holds when nothing is said is the processor's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::icd {

// cl_intel_device_attribute_query, and where the driver says that the GPU is (cl_khr_pci_bus_info).
struct GpuAttributes {
  uint32_t ip_version, device_id, slices, sub_slices_per_slice, eus_per_sub_slice, threads_per_eu;
  bool has_dp4a, has_dpas;
  uint32_t pci_domain, pci_bus, pci_device, pci_function;
  constexpr uint32_t eus() const { return slices * sub_slices_per_slice * eus_per_sub_slice; }
};

// How kernels may use the kinds of unified shared memory, as cl_device_unified_shared_memory_capabilities_intel.
inline constexpr uint64_t kUsmAccess = 1, kUsmAtomic = 2, kUsmConcurrent = 4 | 8;
struct UsmCapabilities {
  uint64_t host, device, single_shared, cross_shared, system_shared;
};

// As CL_DEVICE_PREFERRED_VECTOR_WIDTH_ and CL_DEVICE_NATIVE_VECTOR_WIDTH_ are answered.
struct VectorWidths {
  uint32_t of_char, of_short, of_int, of_long, of_float, of_double, of_half;
};

// What a driver lists is put together from lists.
using NameLists = std::array<std::span<const std::string_view>, 12>;

struct Profile {
  std::string_view name;    // as in LANECL_DEVICE
  std::string_view summary; // one line for `lanecl devices`
  bool is_gpu = false;      // CL_DEVICE_TYPE_GPU instead of CPU

  // Names
  uint32_t vendor_id = 0x4c434c; // "LCL": no PCI vendor
  std::string_view vendor;       // of device and platform
  std::string_view device_name;  // empty: LaneCL with the processor's name
  std::string_view platform_name, icd_suffix, language_version, driver_version;
  unsigned opencl_minor = 0;                                 // the version is OpenCL 3.x
  std::string_view platform_version_end, device_version_end; // what follows "OpenCL 3.x "

  // What is offered, of what LaneCL has. All lists empty: everything that is not an Intel GPU's own.
  NameLists extensions{}, features{};
  std::span<const std::string_view> unlisted{};  // extensions that work and are in no list of the device's
  std::span<const std::string_view> versioned{}; // extensions whose version is LaneCL's, the rest 1.0.0; empty: all
  unsigned last_spirv_minor = std::numeric_limits<unsigned>::max(); // of the versions that are listed
  std::span<const std::string_view> spirv{}; // what is listed of SPIR-V: extensions, capabilities and instruction sets
  GpuAttributes gpu{};                       // of profiles that offer to tell it

  // Work
  uint32_t compute_units = 0; // 0: one a thread
  unsigned narrowest_sub_group = 8;
  unsigned matrix_sub_group = 0;     // size of sub-groups that have matrix functions; 0: all for which these exist
  size_t max_work_group_size = 1024; // any kernel can run it
  size_t preferred_work_group_multiple = 16;
  size_t max_parameter_bytes = 4096;
  uint32_t megahertz = 0;       // 0: the processor's
  size_t timer_nanoseconds = 1; // CL_DEVICE_PROFILING_TIMER_RESOLUTION; the clock is finer
  size_t printf_bytes = size_t{1} << 20;
  bool has_native_kernels = true, has_sub_devices = true;
  bool checks_item_sizes = true;    // CL_INVALID_WORK_ITEM_SIZE exists; false: it is CL_INVALID_WORK_GROUP_SIZE
  bool accepts_long_values = false; // arguments of kernels that are given with more bytes than their types have
  // SPIR-V of extensions that are not listed, and sub-group instructions without their extension or capability.
  bool accepts_undeclared_spirv = false;
  // Extensions and features that SPIR-V may not use all the same, when they are not listed.
  NameLists bound_to_hardware{};

  // Memory
  uint64_t memory_bytes = std::numeric_limits<uint64_t>::max(); // of the card; the machine's limits it
  unsigned memory_percent = 100;                                // that programs get of it
  unsigned allocation_percent = 50;                             // that one allocation gets of what programs get
  uint64_t max_allocation_bytes = std::numeric_limits<uint64_t>::max();
  size_t max_constant_bytes = size_t{2} << 20; // CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, at most one allocation
  uint32_t max_constant_arguments = 64;
  size_t local_bytes = size_t{64} << 10;
  size_t local_argument_unit = 1;     // the __local arguments of a launch take a multiple of it
  bool checks_local_in_build = false; // kernels with more local memory than there is are no valid program
  bool has_own_local_memory = false;  // CL_LOCAL; false: local memory is ordinary memory
  bool shares_host_memory = true;
  bool checks_forced_host_memory = true; // alignment and size of the program's, for CL_MEM_FORCE_HOST_MEMORY_INTEL
  uint64_t cache_bytes = 0, cache_line_bytes = 0;                   // 0: the processor's
  size_t max_variable_bytes = size_t{64} << 20;                     // of a program scope variable
  size_t preferred_variable_bytes = size_t{64} << 20;               // of all; at most one allocation
  uint32_t atomic_alignment = 0;                                    // preferred; 0: the type's own
  bool has_fine_grain_buffers = true, has_fine_grain_system = true; // shared virtual memory
  UsmCapabilities usm{kUsmAccess | kUsmAtomic | kUsmConcurrent, kUsmAccess | kUsmAtomic | kUsmConcurrent,
                      kUsmAccess | kUsmAtomic | kUsmConcurrent, kUsmAccess | kUsmAtomic | kUsmConcurrent,
                      kUsmAccess | kUsmAtomic | kUsmConcurrent};

  // Arithmetic
  bool has_directed_rounding = false; // CL_FP_ROUND_TO_ZERO and _TO_INF are listed for float and half
  bool lists_half_fma = false;        // CL_FP_FMA for half
  bool divides_correctly = true;      // CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
  bool has_fast_dot_products = false; // they are listed as accelerated
  VectorWidths vector_widths{};       // zeros: by the registers

  // Images and pipes
  size_t max_image3d_width = 2048; // and height
  size_t max_planar_yuv_height = 16384;
  bool lists_planar_always = false;                   // CL_NV12_INTEL, in queries without CL_MEM_HOST_NO_ACCESS, too
  size_t max_image_buffer_elements = size_t{1} << 27; // 0: as many as one allocation of the largest elements has
  uint32_t max_pipe_reservations = 1024;
};

// All, the processor first.
std::span<const Profile *const> profiles();
// Null: there is none of that name.
const Profile *findProfile(std::string_view name);
// The names, separated by commas.
std::string profileNames();

// The one that LANECL_DEVICE names. When it names none, isKnownDevice() is false, the platform has no device, and the
// answer is the processor's.
const Profile &profile();
bool isKnownDevice();

// LANECL_SUB_GROUP_SIZE, or 0. A size that the profile lacks is ignored, and reported on stderr, once.
unsigned forcedSubGroupSize();

// Of a work-group.
inline size_t maxSubGroups(const Profile &profile) {
  return profile.max_work_group_size / profile.narrowest_sub_group;
}

// Whether a work-group of that size has more work-items than the device allows.
bool isTooLargeWorkGroup(const Profile &profile, const std::array<uint64_t, 3> &size);

// The sizes that sub-groups may have, in rising order.
std::vector<unsigned> subGroupSizes(const Profile &profile);

} // namespace lanecl::icd
