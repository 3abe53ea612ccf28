// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clGetDeviceInfo (section 4.2 of the OpenCL specification). Each function answers the queries of one table or facts.
#include "api/entry.h"
#include "api/info.h"
#include "api/recent_names.h"
#include "api/versions.h"
#include "device/device.h"
#include "device/device_limits.h"
#include "device/extension_info.h"
#include "device/memory_limits.h"
#include "device/platform.h"
#include "device/processor.h"
#include "device/uuid.h"
#include "settings/made_once.h"

#include "frontend/frontend.h"
#include "frontend/spirv.h"
#include "icd/configuration.h"
#include "icd/profile.h"
#include "icd/resources.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanecl::icd {
namespace {

// Returns CL_DRIVER_VERSION. Programs that keep binaries between runs discard those of another driver version, so the
// version must change whenever old binaries are of no use: for a debugger, for check mode, and for a build of LaneCL
// that writes binaries in another form. Profiles of GPUs have their drivers' versions.
std::string driverVersion() {
  constexpr std::string_view kOwn = LANECL_VERSION;
  const std::string &debug = settings().debug;
  std::string version(deviceProfile().driver_version);
  if (version.starts_with(kOwn))
    version.insert(kOwn.size(), "+" + frontend::Frontend::binaryVersion());
  return version + (debug.empty() ? "" : " debug " + debug) + (settings().check.empty() ? "" : " check");
}

// The error code of an answered query, or nothing if the query does not belong to the function.
using Answer = std::optional<cl_int>;

// Returns the x of the highest SPIR-V version 1.x that is listed.
unsigned lastSpirvMinor() {
  return std::min(frontend::kLastSpirvMinor, deviceProfile().last_spirv_minor);
}

std::string deviceName() {
  const std::string_view name = deviceProfile().device_name;
  return name.empty() ? "LaneCL (" + processor().brand + ")" : std::string(name);
}

// Returns CL_DEVICE_IL_VERSION. By the specification the first version in the list is the one that is supported best.
std::string spirvVersionString() {
  if (!readsSpirv())
    return {};
  std::string text;
  for (unsigned minor = lastSpirvMinor() + 1; minor-- > 0;)
    text += (text.empty() ? "SPIR-V_1." : " SPIR-V_1.") + std::to_string(minor);
  return text;
}

std::vector<cl_name_version> spirvVersions() {
  if (!readsSpirv())
    return {};
  std::vector<NamedVersion> versions;
  for (unsigned minor = 0; minor <= lastSpirvMinor(); ++minor)
    versions.push_back({"SPIR-V", 1, minor, 0});
  return nameVersions(versions);
}

// Answers the queries about names, versions and identifiers.
Answer identity(Device &device, cl_device_info name, const InfoWriter &info) {
  switch (name) {
  case CL_DEVICE_TYPE:
    return info.value<cl_device_type>(deviceProfile().is_gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU);
  case CL_DEVICE_VENDOR_ID: return info.value<cl_uint>(deviceProfile().vendor_id);
  case CL_DEVICE_NAME: return info.text(deviceName());
  case CL_DEVICE_VENDOR: return info.text(deviceProfile().vendor);
  case CL_DRIVER_VERSION: return info.text(driverVersion());
  case CL_DEVICE_PROFILE: return info.text("FULL_PROFILE");
  case CL_DEVICE_VERSION: return info.text(versionText(deviceMinor(), deviceProfile().device_version_end));
  case CL_DEVICE_NUMERIC_VERSION: return info.value<cl_version>(numericVersion(deviceMinor()));
  case CL_DEVICE_OPENCL_C_VERSION: return info.text(deviceProfile().language_version);
  case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: return info.value<cl_version>(CL_MAKE_VERSION(1, 2, 0));
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS: return info.list<cl_name_version>(nameVersions(openclCVersions()));
  case CL_DEVICE_OPENCL_C_FEATURES: return info.list<cl_name_version>(nameVersions(openclCFeatures()));
  // This is the version of the language that -cl-std=CLC++ selects. -cl-std=CLC++2021 selects the newer one.
  case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
    return hasExtension("cl_ext_cxx_for_opencl") ? info.value<cl_version>(CL_MAKE_VERSION(1, 0, 0)) : CL_INVALID_VALUE;
  case CL_DEVICE_EXTENSIONS: return info.text(joinNames(deviceExtensions()));
  case CL_DEVICE_EXTENSIONS_WITH_VERSION: return info.list<cl_name_version>(nameVersions(deviceExtensions()));
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: return info.text("v0000-01-01-00"); // none
  case CL_DEVICE_PLATFORM: return info.value<cl_platform_id>(Platform::get().handle());
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
  case CL_DEVICE_ENDIAN_LITTLE: return info.value<cl_bool>(CL_TRUE);
  case CL_DEVICE_BUILT_IN_KERNELS: return info.text("");
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: return info.list<cl_name_version>({});
  case CL_DEVICE_IL_VERSION: return info.text(spirvVersionString());
  case CL_DEVICE_ILS_WITH_VERSION: return info.list<cl_name_version>(spirvVersions());
  case CL_DEVICE_REFERENCE_COUNT: return info.value<cl_uint>(device.applicationReferences()); // the root's stays 1
  case CL_DEVICE_UUID: return info.list<cl_uchar>(deviceUuid());
  case CL_DRIVER_UUID: return info.list<cl_uchar>(driverUuid());
  // LUIDs exist on Windows only.
  case CL_DEVICE_LUID_VALID: return info.value<cl_bool>(CL_FALSE);
  case CL_DEVICE_LUID: return info.list<cl_uchar>(std::array<cl_uchar, CL_LUID_SIZE>{});
  case CL_DEVICE_NODE_MASK: return info.value<cl_uint>(0);
  default: return std::nullopt;
  }
}

// Answers the queries about work-groups, sub-groups and queues.
Answer execution(Device &device, cl_device_info name, const InfoWriter &info) {
  switch (name) {
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return info.value<cl_uint>(deviceProfile().compute_units != 0 ? deviceProfile().compute_units
                                                                  : device.units().count);
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return info.value<cl_uint>(kMaxDimensions);
  case CL_DEVICE_MAX_WORK_GROUP_SIZES: {
    const size_t size = deviceProfile().max_work_group_size;
    return info.list<size_t>(std::array{size, size, size});
  }
  case CL_DEVICE_MAX_WORK_GROUP_SIZE: return info.value<size_t>(deviceProfile().max_work_group_size);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return info.value<size_t>(deviceProfile().preferred_work_group_multiple);
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return info.value<cl_uint>(deviceProfile().megahertz != 0 ? deviceProfile().megahertz : processor().megahertz);
  case CL_DEVICE_ADDRESS_BITS: return info.value<cl_uint>(8 * sizeof(void *));
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    return info.value<cl_device_exec_capabilities>(CL_EXEC_KERNEL |
                                                   (deviceProfile().has_native_kernels ? CL_EXEC_NATIVE_KERNEL : 0));
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT: return info.value<cl_bool>(CL_FALSE);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return info.value<size_t>(deviceProfile().timer_nanoseconds);
  case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: return info.value<cl_bool>(CL_TRUE);
  case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    return info.value<cl_uint>(hasFeature("__opencl_c_subgroups") ? cl_uint(maxSubGroups(deviceProfile())) : 0);
  case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: return info.value<cl_bool>(hasExtension("cl_khr_subgroups"));
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL: {
    if (!hasExtension("cl_intel_required_subgroup_size"))
      return CL_INVALID_VALUE;
    const std::vector<unsigned> sizes = subGroupSizes(deviceProfile());
    return info.list<size_t>(std::vector<size_t>(sizes.begin(), sizes.end()));
  }
  case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
    return info.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: return info.value<cl_bool>(CL_TRUE);
  case CL_DEVICE_PRINTF_BUFFER_SIZE: return info.value<size_t>(deviceProfile().printf_bytes);
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    return info.value<cl_bool>(hasFeature("__opencl_c_work_group_collective_functions"));
  default: return std::nullopt;
  }
}

// The scopes up to all devices are offered if their features are: the processor's atomics work between all threads,
// whatever these run.
cl_device_atomic_capabilities atomicCapabilities() {
  const auto if_offered = [](std::string_view feature, cl_device_atomic_capabilities bit) {
    return hasFeature(feature) ? bit : 0;
  };
  return CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
         if_offered("__opencl_c_atomic_order_acq_rel", CL_DEVICE_ATOMIC_ORDER_ACQ_REL) |
         if_offered("__opencl_c_atomic_order_seq_cst", CL_DEVICE_ATOMIC_ORDER_SEQ_CST) |
         if_offered("__opencl_c_atomic_scope_device", CL_DEVICE_ATOMIC_SCOPE_DEVICE) |
         if_offered("__opencl_c_atomic_scope_all_devices", CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
}

// Answers the queries about memory, shared virtual memory and atomics.
Answer memory(Device &, cl_device_info name, const InfoWriter &info) {
  const bool has_variables = hasFeature("__opencl_c_program_scope_global_variables");
  const auto up_to_allocation = [](size_t bytes) { return std::min<size_t>(bytes, maxAllocationBytes()); };
  switch (name) {
  case CL_DEVICE_GLOBAL_MEM_SIZE: return info.value<cl_ulong>(globalMemoryBytes());
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return info.value<cl_ulong>(maxAllocationBytes());
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: return info.value<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return info.value<cl_uint>(cl_uint(cacheLineBytes()));
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return info.value<cl_ulong>(deviceProfile().cache_bytes != 0 ? deviceProfile().cache_bytes
                                                                 : processor().cache_bytes);
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return info.value<cl_ulong>(up_to_allocation(deviceProfile().max_constant_bytes));
  case CL_DEVICE_MAX_CONSTANT_ARGS: return info.value<cl_uint>(deviceProfile().max_constant_arguments);
  // The processor's local memory is ordinary memory, which the caches make fast.
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return info.value<cl_device_local_mem_type>(deviceProfile().has_own_local_memory ? CL_LOCAL : CL_GLOBAL);
  case CL_DEVICE_LOCAL_MEM_SIZE: return info.value<cl_ulong>(deviceProfile().local_bytes);
  case CL_DEVICE_HOST_UNIFIED_MEMORY: return info.value<cl_bool>(deviceProfile().shares_host_memory);
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return info.value<cl_uint>(8 * kBaseAlignment);
  case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return info.value<cl_uint>(kBaseAlignment);
  case CL_DEVICE_MAX_PARAMETER_SIZE: return info.value<size_t>(deviceProfile().max_parameter_bytes);
  // The processor's own profile supports everything: its memory is the host's, caches are coherent, and atomics are the
  // processor's instructions.
  case CL_DEVICE_SVM_CAPABILITIES:
    return info.value<cl_device_svm_capabilities>(
        CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
        (deviceProfile().has_fine_grain_buffers ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS : 0) |
        (deviceProfile().has_fine_grain_system ? CL_DEVICE_SVM_FINE_GRAIN_SYSTEM : 0));
  case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT: return info.value<cl_uint>(deviceProfile().atomic_alignment);
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: return info.value<cl_device_atomic_capabilities>(atomicCapabilities());
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    // The scope of a work-item is listed for fences: ordering a work-item's own accesses needs no instruction.
    return info.value<cl_device_atomic_capabilities>(atomicCapabilities() | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                     CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    return info.value<cl_bool>(hasFeature("__opencl_c_generic_address_space"));
  case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    return info.value<size_t>(has_variables ? deviceProfile().max_variable_bytes : 0);
  case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    return info.value<size_t>(has_variables ? up_to_allocation(deviceProfile().preferred_variable_bytes) : 0);
  default: return std::nullopt;
  }
}

unsigned registerBits() {
  static constinit MadeOnce<unsigned> bits;
  return bits.get([] { return describe(vectorizerConfig().target).vector_bits; });
}

Answer arithmetic(Device &, cl_device_info name, const InfoWriter &info) {
  constexpr cl_device_fp_config kDouble =
      CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
  const cl_device_fp_config directed =
      deviceProfile().has_directed_rounding ? CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF : 0;
  switch (name) {
  case CL_DEVICE_SINGLE_FP_CONFIG:
    return info.value<cl_device_fp_config>(
        CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_FMA | CL_FP_DENORM | directed |
        (deviceProfile().divides_correctly ? CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT : 0));
  case CL_DEVICE_DOUBLE_FP_CONFIG: return info.value<cl_device_fp_config>(hasExtension("cl_khr_fp64") ? kDouble : 0);
  case CL_DEVICE_HALF_FP_CONFIG:
    // Only a device with cl_khr_fp16 knows this query.
    return hasExtension("cl_khr_fp16")
               ? info.value<cl_device_fp_config>(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | directed |
                                                 (deviceProfile().lists_half_fma ? CL_FP_FMA : 0))
               : CL_INVALID_VALUE;
  default: return std::nullopt;
  }
}

// Returns the preferred vector widths. They are 1 on the processor: work-items are lanes already, so vector types do
// not make a kernel faster.
VectorWidths preferredWidths() {
  if (deviceProfile().vector_widths.of_char != 0)
    return deviceProfile().vector_widths;
  return {1, 1, 1, 1, 1, hasExtension("cl_khr_fp64") ? 1u : 0, hasExtension("cl_khr_fp16") ? 1u : 0};
}

// Returns the native vector widths: the number of elements in a register, from which a host program can choose the size
// of a register tile.
VectorWidths nativeWidths() {
  if (deviceProfile().vector_widths.of_char != 0)
    return deviceProfile().vector_widths;
  const unsigned bits = registerBits();
  return {bits / 8,
          bits / 16,
          bits / 32,
          bits / 64,
          bits / 32,
          hasExtension("cl_khr_fp64") ? bits / 64 : 0,
          hasExtension("cl_khr_fp16") ? bits / 16 : 0};
}

Answer vectorWidths(Device &, cl_device_info name, const InfoWriter &info) {
  switch (name) {
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR: return info.value<cl_uint>(preferredWidths().of_char);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT: return info.value<cl_uint>(preferredWidths().of_short);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT: return info.value<cl_uint>(preferredWidths().of_int);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG: return info.value<cl_uint>(preferredWidths().of_long);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT: return info.value<cl_uint>(preferredWidths().of_float);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE: return info.value<cl_uint>(preferredWidths().of_double);
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF: return info.value<cl_uint>(preferredWidths().of_half);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR: return info.value<cl_uint>(nativeWidths().of_char);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT: return info.value<cl_uint>(nativeWidths().of_short);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT: return info.value<cl_uint>(nativeWidths().of_int);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG: return info.value<cl_uint>(nativeWidths().of_long);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: return info.value<cl_uint>(nativeWidths().of_float);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: return info.value<cl_uint>(nativeWidths().of_double);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return info.value<cl_uint>(nativeWidths().of_half);
  default: return std::nullopt;
  }
}

// Answers the queries about images. All limits are 0 if the profile has no images.
Answer images(Device &, cl_device_info name, const InfoWriter &info) {
  const bool has_images = hasFeature("__opencl_c_images");
  const auto number = [&](cl_uint value) { return info.value<cl_uint>(has_images ? value : 0); };
  const auto size = [&](size_t value) { return info.value<size_t>(has_images ? value : 0); };
  switch (name) {
  case CL_DEVICE_IMAGE_SUPPORT: return info.value<cl_bool>(has_images);
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS: return number(kMaxImageArguments);
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
    return number(hasFeature("__opencl_c_read_write_images") ? kMaxImageArguments : 0);
  case CL_DEVICE_MAX_SAMPLERS: return number(kMaxSamplers);
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT: return number(kImagePitchAlignment);
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT: return number(kImageBaseAlignment);
  case CL_DEVICE_IMAGE2D_MAX_WIDTH: return size(kMaxImageWidth);
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT: return size(kMaxImageHeight);
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT: return size(deviceProfile().max_image3d_width);
  case CL_DEVICE_IMAGE3D_MAX_DEPTH: return size(kMaxImageDepth);
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: return size(maxImageBufferElements());
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return size(kMaxImageLayers);
  default: return std::nullopt;
  }
}

Answer planarImages(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_intel_planar_yuv"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_PLANAR_YUV_MAX_WIDTH_INTEL: return info.value<size_t>(kMaxImageWidth);
  case CL_DEVICE_PLANAR_YUV_MAX_HEIGHT_INTEL: return info.value<size_t>(deviceProfile().max_planar_yuv_height);
  default: return std::nullopt;
  }
}

Answer dotProducts(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_khr_integer_dot_product"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES:
    return info.value<cl_device_integer_dot_product_capabilities>(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED |
                                                                  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT);
  // The processor's dot products are not listed as accelerated: a program that writes out the products and sums gets
  // the same instructions.
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT:
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED: {
    const cl_bool fast = deviceProfile().has_fast_dot_products;
    return info.value<cl_device_integer_dot_product_acceleration_properties>({fast, fast, fast, fast, fast, fast});
  }
  default: return std::nullopt;
  }
}

// Answers the queries about sub-devices. A profile without sub-devices answers as for a device of one unit.
Answer partitioning(Device &device, cl_device_info name, const InfoWriter &info) {
  const Topology &topology = Topology::ofMachine();
  static const ComputeUnits whole{1, {}}; // cannot be divided
  const ComputeUnits &units = deviceProfile().has_sub_devices ? device.units() : whole;
  switch (name) {
  case CL_DEVICE_PARENT_DEVICE: return info.value<cl_device_id>(device.parent() ? device.parent()->handle() : nullptr);
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return info.value<cl_uint>(maxSubDevices(units));
  case CL_DEVICE_PARTITION_PROPERTIES:
    return info.list<cl_device_partition_property>(partitionSchemes(units, topology));
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    return info.value<cl_device_affinity_domain>(affinityDomains(units, topology));
  case CL_DEVICE_PARTITION_TYPE:
    // The root device was not partitioned, for which the specification allows one property of value 0.
    return device.parent() ? info.list<cl_device_partition_property>(device.partitionType())
                           : info.value<cl_device_partition_property>(0);
  default: return std::nullopt;
  }
}

Answer kernelClock(Device &, cl_device_info name, const InfoWriter &info) {
  if (name != CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR || !hasExtension("cl_khr_kernel_clock"))
    return std::nullopt;
  const auto if_offered = [](const char *scope, cl_device_kernel_clock_capabilities_khr bit) {
    return hasFeature(std::string("__opencl_c_kernel_clock_scope_") + scope) ? bit : 0;
  };
  return info.value<cl_device_kernel_clock_capabilities_khr>(
      if_offered("device", CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR) |
      if_offered("work_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR) |
      if_offered("sub_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR));
}

// Returns the capabilities of atomics on one floating-point type. Atomic loads, stores and exchanges of float and
// double need no extension and work in every memory; the other operations depend on the features that the profile
// offers.
cl_device_fp_atomic_capabilities_ext floatAtomicCapabilities(const std::string &type) {
  if (type == "fp64" && !hasExtension("cl_khr_fp64"))
    return 0;
  const auto if_offered = [&](const char *what, cl_device_fp_atomic_capabilities_ext bit) {
    const bool is_core = type != "fp16" && std::string_view(what).ends_with("load_store");
    return is_core || hasFeature("__opencl_c_ext_" + type + what) ? bit : 0;
  };
  return if_offered("_global_atomic_load_store", CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT) |
         if_offered("_global_atomic_add", CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT) |
         if_offered("_global_atomic_min_max", CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT) |
         if_offered("_local_atomic_load_store", CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT) |
         if_offered("_local_atomic_add", CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT) |
         if_offered("_local_atomic_min_max", CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT);
}

Answer floatAtomics(Device &, cl_device_info name, const InfoWriter &info) {
  if (!hasExtension("cl_ext_float_atomics"))
    return std::nullopt;
  switch (name) {
  case CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT:
    return info.value<cl_device_fp_atomic_capabilities_ext>(floatAtomicCapabilities("fp32"));
  case CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT:
    return info.value<cl_device_fp_atomic_capabilities_ext>(floatAtomicCapabilities("fp64"));
  case CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT:
    return info.value<cl_device_fp_atomic_capabilities_ext>(floatAtomicCapabilities("fp16"));
  default: return std::nullopt;
  }
}

// Answers the queries about pipes. All limits are 0 if the profile has no pipes.
Answer pipes(Device &, cl_device_info name, const InfoWriter &info) {
  const bool has_pipes = hasFeature("__opencl_c_pipes");
  switch (name) {
  case CL_DEVICE_PIPE_SUPPORT: return info.value<cl_bool>(has_pipes);
  case CL_DEVICE_MAX_PIPE_ARGS: return info.value<cl_uint>(has_pipes ? kMaxPipeArguments : 0);
  case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    return info.value<cl_uint>(has_pipes ? deviceProfile().max_pipe_reservations : 0);
  case CL_DEVICE_PIPE_MAX_PACKET_SIZE: return info.value<cl_uint>(has_pipes ? kMaxPipePacketBytes : 0);
  default: return std::nullopt;
  }
}

// Answers the queries about features that the device does not have, with the values that the specification demands.
Answer absent(Device &, cl_device_info name, const InfoWriter &info) {
  switch (name) {
  case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
  case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
  case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
  case CL_DEVICE_MAX_ON_DEVICE_EVENTS: return info.value<cl_uint>(0);
  case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES: return info.value<cl_command_queue_properties>(0);
  case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: return info.value<cl_device_device_enqueue_capabilities>(0);
  default: return std::nullopt;
  }
}

// Asks each group in turn for the answer.
cl_int deviceInfo(cl_device_id handle, cl_device_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  for (auto group : {identity,       execution,
                     memory,         arithmetic,
                     vectorWidths,   gpuAttributes,
                     dotProducts,    kernelClock,
                     floatAtomics,   images,
                     planarImages,   pipes,
                     partitioning,   commandBufferInfo,
                     spirvInfo,      unifiedSharedMemoryInfo,
                     unifiedSvmInfo, externalMemoryInfo,
                     semaphoreInfo,  absent})
    if (const Answer answer = group(objectOf(handle), name, info))
      return *answer;
  // CL_INVALID_VALUE if param_name is not one of the supported values.
  return CL_INVALID_VALUE;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t size,
                                                void *value, size_t *size_ret) {
  return entry([&] { return deviceInfo(device, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}
