// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A profile holds everything in which the device can differ for a host program: the answers to info queries (section
// 4.2 of the OpenCL specification), the limits and the refusals. LANECL_DEVICE chooses between the processor's own
// profile and those of Intel GPUs with their drivers. Queries and checks both read the profile, so they cannot
// disagree. Each profile has a file in icd/src/profiles/; the default of each member is the processor's value.
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

// The answers to cl_intel_device_attribute_query, and the GPU's PCI address for cl_khr_pci_bus_info.
struct GpuAttributes {
  uint32_t ip_version, device_id, slices, sub_slices_per_slice, eus_per_sub_slice, threads_per_eu;
  bool has_dp4a, has_dpas;
  uint32_t pci_domain, pci_bus, pci_device, pci_function;
  constexpr uint32_t eus() const { return slices * sub_slices_per_slice * eus_per_sub_slice; }
};

// How kernels may use each kind of unified shared memory. The bits are those of
// cl_device_unified_shared_memory_capabilities_intel; kUsmConcurrent includes concurrent atomic access.
inline constexpr uint64_t kUsmAccess = 1, kUsmAtomic = 2, kUsmConcurrent = 4 | 8;
struct UsmCapabilities {
  uint64_t host, device, single_shared, cross_shared, system_shared;
};

// The answers to CL_DEVICE_PREFERRED_VECTOR_WIDTH_… and CL_DEVICE_NATIVE_VECTOR_WIDTH_…, in elements.
struct VectorWidths {
  uint32_t of_char, of_short, of_int, of_long, of_float, of_double, of_half;
};

// The names that a driver lists, as the union of several lists: drivers share most of them. Unused entries are empty.
using NameLists = std::array<std::span<const std::string_view>, 12>;

struct DeviceProfile {
  std::string_view name;    // as in LANECL_DEVICE
  std::string_view summary; // one line for `lanecl devices`
  bool is_gpu = false;      // CL_DEVICE_TYPE_GPU instead of CPU

  // Names
  uint32_t vendor_id = 0x4c434c; // "LCL": no PCI vendor
  std::string_view vendor;       // both the device's and the platform's
  std::string_view device_name;  // empty: LaneCL with the processor's name
  std::string_view platform_name, icd_suffix, language_version, driver_version;
  unsigned opencl_minor = 0;                                 // the version is OpenCL 3.x
  std::string_view platform_version_end, device_version_end; // what follows "OpenCL 3.x "

  // Which of LaneCL's extensions and features the profile offers. If all lists are empty it offers everything except
  // what is specific to Intel GPUs.
  NameLists extensions{}, features{};
  std::span<const std::string_view> unlisted{};  // extensions that work although no query lists them
  std::span<const std::string_view> versioned{}; // extensions listed with LaneCL's version, others as 1.0.0; empty: all
  unsigned last_spirv_minor = std::numeric_limits<unsigned>::max(); // SPIR-V 1.x is listed up to this x
  std::span<const std::string_view> spirv{}; // the SPIR-V extensions, capabilities and instruction sets that are listed
  GpuAttributes gpu{};                       // read only where the profile offers the extensions that query it

  // Work
  uint32_t compute_units = 0; // 0: as many as threads
  unsigned narrowest_sub_group = 8;
  unsigned matrix_sub_group = 0; // the only sub-group size with matrix functions; 0: every size for which they exist
  size_t max_work_group_size = 1024; // in work-items, for any kernel
  size_t preferred_work_group_multiple = 16;
  size_t max_parameter_bytes = 4096;
  uint32_t megahertz = 0;       // 0: the processor's clock frequency
  size_t timer_nanoseconds = 1; // CL_DEVICE_PROFILING_TIMER_RESOLUTION; the clock is finer
  size_t printf_bytes = size_t{1} << 20;
  bool has_native_kernels = true, has_sub_devices = true;
  bool checks_item_sizes = true;    // true: launches fail with CL_INVALID_WORK_ITEM_SIZE; false: _WORK_GROUP_SIZE
  bool accepts_long_values = false; // clSetKernelArg accepts more bytes than the argument's type has
  // Whether SPIR-V may use extensions that are not listed, and sub-group instructions without declaring their extension
  // or capability.
  bool accepts_undeclared_spirv = false;
  // Exceptions from accepts_undeclared_spirv: SPIR-V may use these extensions and features only if they are listed.
  NameLists bound_to_hardware{};

  // Memory
  uint64_t memory_bytes = std::numeric_limits<uint64_t>::max(); // the card's memory, at most this machine's
  unsigned memory_percent = 100;                                // share of it that programs can use
  unsigned allocation_percent = 50;                             // share of the usable memory for one allocation
  uint64_t max_allocation_bytes = std::numeric_limits<uint64_t>::max();
  size_t max_constant_bytes = size_t{2} << 20; // CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, at most one allocation
  uint32_t max_constant_arguments = 64;
  size_t local_bytes = size_t{64} << 10;
  size_t local_argument_unit = 1;     // the __local arguments of a launch together take a multiple of these bytes
  bool checks_local_in_build = false; // a build fails if a kernel declares more local memory than the device has
  bool has_own_local_memory = false;  // CL_LOCAL; false: local memory is ordinary memory
  bool shares_host_memory = true;
  bool checks_forced_host_memory = true; // CL_MEM_FORCE_HOST_MEMORY_INTEL checks the host pointer's alignment and size
  uint64_t cache_bytes = 0, cache_line_bytes = 0;                   // 0: the processor's
  size_t max_variable_bytes = size_t{64} << 20;                     // CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE
  size_t preferred_variable_bytes = size_t{64} << 20;               // for all variables; at most one allocation
  uint32_t atomic_alignment = 0;                                    // preferred, in bytes; 0: the type's own
  bool has_fine_grain_buffers = true, has_fine_grain_system = true; // shared virtual memory
  UsmCapabilities usm{kUsmAccess | kUsmAtomic | kUsmConcurrent, kUsmAccess | kUsmAtomic | kUsmConcurrent,
                      kUsmAccess | kUsmAtomic | kUsmConcurrent, kUsmAccess | kUsmAtomic | kUsmConcurrent,
                      kUsmAccess | kUsmAtomic | kUsmConcurrent};

  // Arithmetic
  bool has_directed_rounding = false; // CL_FP_ROUND_TO_ZERO and _TO_INF are listed for float and half
  bool lists_half_fma = false;        // CL_FP_FMA is listed for half
  bool divides_correctly = true;      // CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT is listed
  bool has_fast_dot_products = false; // integer dot products are listed as accelerated
  VectorWidths vector_widths{};       // all zero: as many elements as a register holds

  // Images and pipes
  size_t max_image3d_width = 2048; // in elements; the limit of the height, too
  size_t max_planar_yuv_height = 16384;
  bool lists_planar_always = false;                   // CL_NV12_INTEL is listed without CL_MEM_HOST_NO_ACCESS, too
  size_t max_image_buffer_elements = size_t{1} << 27; // 0: as many of the largest elements as one allocation holds
  uint32_t max_pipe_reservations = 1024;
};

// All profiles, the processor's first.
std::span<const DeviceProfile *const> profiles();
// Returns the profile of that name, or null.
const DeviceProfile *findProfile(std::string_view name);
// Returns the names of all profiles, separated by commas, for messages.
std::string profileNames();

// Returns the profile that LANECL_DEVICE names. If there is none of that name, isKnownDevice() is false, the platform
// has no device, and deviceProfile() returns the processor's.
const DeviceProfile &deviceProfile();
bool isKnownDevice();

// Returns LANECL_SUB_GROUP_SIZE, or 0 if it is unset. A size that the profile lacks is ignored, with one message on
// stderr.
unsigned forcedSubGroupSize();

// CL_DEVICE_MAX_NUM_SUB_GROUPS: how many of the narrowest sub-groups the largest work-group has.
inline size_t maxSubGroups(const DeviceProfile &profile) {
  return profile.max_work_group_size / profile.narrowest_sub_group;
}

// Whether a work-group of that size, in work-items for each dimension, has more work-items than the device allows.
bool isTooLargeWorkGroup(const DeviceProfile &profile, const std::array<uint64_t, 3> &size);

// Returns the sizes that sub-groups may have, in work-items, in rising order.
std::vector<unsigned> subGroupSizes(const DeviceProfile &profile);

} // namespace lanecl::icd
