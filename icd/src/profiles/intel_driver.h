// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The answers that Intel's open driver for Linux (github.com/intel/compute-runtime) gives for every GPU, in two of its
// releases: 26.31.39395.13, and 24.35.30872.45, which belongs to the last line of releases with Gen9 and Gen11.
//
// The comment of each value names the driver's file that it comes from, and often the function or the constant there.
// "The kernel's answer" marks values that the driver asks the Linux kernel for. The lists contain only extensions and
// features that LaneCL has, too.
#pragma once

#include "profiles/profiles.h"

namespace lanecl::icd {

inline constexpr uint64_t kKilobyte = 1024, kMegabyte = 1024 * kKilobyte, kGigabyte = 1024 * kMegabyte;

// shared/source/helpers/compiler_product_helper_base.inl: getDeviceExtensions()
inline constexpr std::string_view kDriverExtensions[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_device_uuid",
    "cl_khr_fp16",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_icd",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_intel_subgroups",
    "cl_intel_required_subgroup_size",
    "cl_intel_subgroups_short",
    "cl_khr_priority_hints",
    "cl_khr_throttle_hints",
    "cl_khr_create_command_queue",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_long",
    "cl_khr_il_program",
    "cl_intel_mem_force_host_memory",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce",
    "cl_intel_device_attribute_query",
    "cl_khr_extended_bit_ops",
    "cl_khr_suggested_local_work_size",
    "cl_intel_split_work_group_barrier",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_intel_spirv_subgroups",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_intel_unified_shared_memory",
    "cl_intel_create_buffer_with_properties",
    "cl_ext_float_atomics",
    "cl_khr_pci_bus_info", // opencl/source/cl_device/cl_device_caps.cpp
};
// The extensions that the newer release adds for every GPU.
inline constexpr std::string_view kNewerExtensions[] = {"cl_khr_expect_assume", "cl_khr_integer_dot_product",
                                                        "cl_khr_spirv_queries", "cl_intel_bfloat16_conversions"};
// getDeviceExtensions() adds the following extensions depending on the GPU: these if it has images.
inline constexpr std::string_view kImageExtensions[] = {"cl_intel_planar_yuv", "cl_intel_packed_yuv",
                                                        "cl_khr_image2d_from_buffer", "cl_khr_depth_images",
                                                        "cl_khr_3d_image_writes"};
// These are added if supportsMediaBlock is set in hw_info_*.cpp.
inline constexpr std::string_view kMediaBlockExtensions[] = {"cl_intel_media_block_io",
                                                             "cl_intel_spirv_media_block_io"};
// These are added if supportsIndependentForwardProgress is set in hw_info_*.cpp.
inline constexpr std::string_view kProgressExtensions[] = {"cl_khr_subgroups"};
inline constexpr std::string_view kDoubleExtensions[] = {"cl_khr_fp64"};
inline constexpr std::string_view kLocalBlockExtensions[] = {"cl_intel_subgroup_local_block_io"};
inline constexpr std::string_view kMatrixExtensions[] = {"cl_intel_subgroup_matrix_multiply_accumulate"};
inline constexpr std::string_view kSplitMatrixExtensions[] = {"cl_intel_subgroup_split_matrix_multiply_accumulate"};
inline constexpr std::string_view kTf32Extensions[] = {"cl_intel_subgroup_matrix_multiply_accumulate_tf32"};
inline constexpr std::string_view kNamedBarrierExtensions[] = {"cl_khr_subgroup_named_barrier"};
inline constexpr std::string_view kBlockExtensions[] = {"cl_intel_subgroup_2d_block_io",
                                                        "cl_intel_subgroup_buffer_prefetch"};

// The extensions whose version the driver knows; it lists all others as 1.0.0.
// shared/source/compiler_interface/oclc_extensions.cpp: getOclCExtensionVersion()
inline constexpr std::string_view kVersionedExtensions[] = {"cl_khr_integer_dot_product",
                                                            "cl_intel_unified_shared_memory"};
// The features of every GPU: getOpenclCFeaturesList() in the same file.
inline constexpr std::string_view kDriverFeatures[] = {
    "__opencl_c_int64",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_generic_address_space",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_subgroups",
};
inline constexpr std::string_view kNewerFeatures[] = {
    "__opencl_c_ext_fp32_global_atomic_add",        "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",    "__opencl_c_ext_fp32_local_atomic_min_max",
    "__opencl_c_ext_fp16_global_atomic_load_store", "__opencl_c_ext_fp16_local_atomic_load_store",
    "__opencl_c_ext_fp16_global_atomic_min_max",    "__opencl_c_ext_fp16_local_atomic_min_max",
    "__opencl_c_integer_dot_product_input_4x8bit",  "__opencl_c_integer_dot_product_input_4x8bit_packed",
};
inline constexpr std::string_view kImageFeatures[] = {"__opencl_c_3d_image_writes", "__opencl_c_images",
                                                      "__opencl_c_read_write_images"};
inline constexpr std::string_view kDoubleFeatures[] = {"__opencl_c_fp64"};
inline constexpr std::string_view kDoubleAtomicFeatures[] = {
    "__opencl_c_ext_fp64_global_atomic_add", "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max", "__opencl_c_ext_fp64_local_atomic_min_max"};
inline constexpr std::string_view kPipeFeatures[] = {"__opencl_c_pipes"};

// The answers to cl_khr_spirv_queries: instruction sets, capabilities and extensions. Those that belong to an extension
// which a GPU does not have are removed for that GPU. opencl/source/cl_device/cl_device_caps.cpp:
// initializeSpirvQueries()
inline constexpr std::string_view kDriverSpirv[] = {
    "OpenCL.std",
    "Addresses",
    "Float16Buffer",
    "Int16",
    "Int8",
    "Kernel",
    "Linkage",
    "Vector16",
    "Int64",
    "Image1D",
    "ImageBasic",
    "ImageBuffer",
    "LiteralSampler",
    "Sampled1D",
    "SampledBuffer",
    "ImageReadWrite",
    "GenericPointer",
    "Groups",
    "Pipes",
    "SubgroupDispatch",
    "SPV_KHR_expect_assume",
    "ExpectAssumeKHR",
    "SPV_KHR_bit_instructions",
    "BitInstructions",
    "Float16",
    "Float64",
    "Int64Atomics",
    "SPV_KHR_integer_dot_product",
    "DotProduct",
    "DotProductInput4x8BitPacked",
    "DotProductInput4x8Bit",
    "SPV_KHR_linkonce_odr",
    "SPV_KHR_no_integer_wrap_decoration",
    "GroupNonUniformBallot",
    "GroupNonUniformClustered",
    "NamedBarrier",
    "GroupNonUniformArithmetic",
    "GroupNonUniform",
    "GroupNonUniformVote",
    "GroupNonUniformShuffle",
    "GroupNonUniformShuffleRelative",
    "AtomicFloat32AddEXT",
    "AtomicFloat32MinMaxEXT",
    "AtomicFloat16MinMaxEXT",
    "AtomicFloat64AddEXT",
    "AtomicFloat64MinMaxEXT",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_INTEL_bfloat16_conversion",
    "BFloat16ConversionINTEL",
    "SPV_INTEL_subgroups",
    "SubgroupBufferBlockIOINTEL",
    "SubgroupImageBlockIOINTEL",
    "SubgroupShuffleINTEL",
    "SPV_INTEL_media_block_io",
    "SubgroupImageMediaBlockIOINTEL",
    "SPV_INTEL_split_barrier",
    "SplitBarrierINTEL",
    "SPV_INTEL_subgroup_buffer_prefetch",
    "SubgroupBufferPrefetchINTEL",
};

// Returns the values that both releases have in common.
constexpr DeviceProfile intelDriver() {
  DeviceProfile gpu;
  gpu.is_gpu = true;      // opencl/source/cl_device/cl_device_caps.cpp
  gpu.vendor_id = 0x8086; // shared/source/device/device_caps.cpp
  gpu.vendor =
      "Intel(R) Corporation"; // opencl/source/cl_device/cl_device_caps.cpp, opencl/source/platform/platform_info.h
  gpu.platform_name = "Intel(R) OpenCL Graphics"; // opencl/source/platform/platform_info.h
  gpu.icd_suffix = "INTEL";                       // opencl/source/platform/platform_info.h
  gpu.opencl_minor = 0;                           // opencl/source/platform/platform.cpp
  gpu.device_version_end = "NEO ";                // opencl/source/cl_device/cl_device_caps.cpp
  gpu.versioned = kVersionedExtensions;
  gpu.language_version = "OpenCL C 1.2 "; // opencl/source/cl_device/cl_device_caps.cpp

  // The driver reads the PCI address from the kernel; this is the usual one of a GPU in the processor.
  gpu.gpu.pci_device = 2;

  gpu.preferred_work_group_multiple = 32; // opencl/source/cl_device/cl_device_caps.cpp: the widest sub-group
  gpu.max_parameter_bytes = 2048;         // shared/source/device/device_caps.cpp
  gpu.printf_bytes = 4 * kMegabyte;       // shared/source/device/device_caps.cpp
  gpu.timer_nanoseconds = 83;             // shared/source/helpers/constants.h: defaultProfilingTimerResolution
  gpu.has_native_kernels = false;         // opencl/source/cl_device/cl_device_caps.cpp: CL_EXEC_KERNEL
  gpu.has_sub_devices = false;            // opencl/source/cl_device/cl_device_caps.cpp: GPUs of one tile
  gpu.checks_item_sizes = false;          // opencl/source/command_queue/enqueue_kernel.h
  gpu.accepts_long_values = true;         // opencl/source/kernel/kernel.cpp: setArgImmediate()
  // Intel's graphics compiler accepts all extensions that its reader of SPIR-V knows:
  // IGC/AdaptorOCL/dllInterfaceCompute.cpp
  gpu.accepts_undeclared_spirv = true;
  gpu.bound_to_hardware = {kImageExtensions, kDoubleExtensions,      kLocalBlockExtensions, kMatrixExtensions,
                           kTf32Extensions,  kSplitMatrixExtensions, kBlockExtensions,      kImageFeatures,
                           kDoubleFeatures,  kPipeFeatures,          kMediaBlockExtensions, kNamedBarrierExtensions};

  gpu.memory_percent = 94;     // shared/source/os_interface/linux/drm_memory_manager.cpp: memory that the host shares
  gpu.allocation_percent = 50; // opencl/source/helpers/api_specific_config_ocl.cpp: getReducedMaxAllocSize()
  // shared/source/helpers/gfx_core_helper_base.inl: getMaxMemAllocSize()
  gpu.max_allocation_bytes = 4 * kGigabyte - 8 * kKilobyte;
  // opencl/source/cl_device/cl_device_caps.cpp has, in this order: one allocation, 8, 64 KiB, one allocation, and a
  // cache line of 64 bytes. The largest number stands for one allocation.
  gpu.max_constant_bytes = std::numeric_limits<size_t>::max();
  gpu.max_constant_arguments = 8;
  gpu.max_variable_bytes = 64 * kKilobyte;
  gpu.preferred_variable_bytes = std::numeric_limits<size_t>::max();
  gpu.atomic_alignment = 64;
  gpu.has_own_local_memory = true;       // opencl/source/cl_device/cl_device_caps.cpp
  gpu.checks_forced_host_memory = false; // opencl/source/mem_obj/buffer.cpp: validateInputAndCreateBuffer()
  gpu.local_argument_unit = kKilobyte;   // opencl/source/kernel/kernel.cpp: setArgLocal()
  // opencl/source/program/process_device_binary.cpp: processProgramInfo()
  gpu.checks_local_in_build = true;
  gpu.has_fine_grain_buffers = gpu.has_fine_grain_system = false; // opencl/source/cl_device/cl_device_caps.cpp
  // shared/source/os_interface/product_helper.inl and product_helper_before_xe_hpg.inl: get…MemCapabilities()
  gpu.usm = {kUsmAccess | kUsmAtomic, kUsmAccess | kUsmAtomic, kUsmAccess | kUsmAtomic, 0, 0};
  gpu.cache_line_bytes = 64; // shared/source/gen12lp/hw_cmds_base.h: cacheLineSize

  gpu.has_directed_rounding = gpu.lists_half_fma = true; // opencl/source/cl_device/cl_device_caps.cpp: defaultFpFlags
  gpu.vector_widths = {16, 8, 4, 1, 1, 0, 8};            // shared/source/helpers/gfx_core_helper_base.inl, without fp64

  gpu.max_image3d_width = 16384;     // shared/source/helpers/gfx_core_helper_base.inl: getMax3dImageWidthOrHeight()
  gpu.max_planar_yuv_height = 16128; // shared/source/helpers/gfx_core_helper_xehp_and_later.inl: planarYuvMaxHeight
  gpu.max_image_buffer_elements = 0; // shared/source/device/device_caps.cpp: maxMemAllocSize / maxPixelSize
  gpu.lists_planar_always = true;    // opencl/source/context/context.cpp: getSupportedImageFormats()
  return gpu;
}

// Returns the values for GPUs that the newer release supports.
constexpr DeviceProfile currentDriver() {
  DeviceProfile gpu = intelDriver();
  gpu.driver_version = "26.31.39395.13"; // the release; opencl/source/cl_device/cl_device_caps.cpp
  gpu.last_spirv_minor = 5;              // shared/source/device/device_caps.cpp: spirvWithVersion
  gpu.spirv = kDriverSpirv;
  gpu.has_fast_dot_products = true; // opencl/source/cl_device/cl_device_caps.cpp
  gpu.gpu.has_dp4a = true;          // opencl/source/gen12lp/cl_gfx_core_helper_gen12lp.cpp and xehp_and_later
  gpu.timer_nanoseconds = 52;       // the kernel's answer, a clock of 19.2 MHz
  return gpu;
}

// Returns the values for Gen9 and Gen11, which only the older release supports.
constexpr DeviceProfile legacyDriver() {
  DeviceProfile gpu = intelDriver();
  gpu.driver_version = "24.35.30872.45";
  gpu.max_planar_yuv_height = 16352; // shared/source/helpers/gfx_core_helper_bdw_and_later.inl: planarYuvMaxHeight
  gpu.last_spirv_minor = 3;          // shared/source/device/device_caps.cpp: spirvWithVersion
  gpu.max_pipe_reservations = 1;     // opencl/source/cl_device/cl_device_caps.cpp: pipeMaxActiveReservations
  return gpu;
}

// Changes the values that are different for a card with memory of its own.
// shared/source/os_interface/product_helper_xe_hpg_and_later.inl and drm_memory_manager.cpp
constexpr void makeCard(DeviceProfile &gpu, uint64_t memory_bytes) {
  gpu.shares_host_memory = false; // opencl/source/cl_device/cl_device_caps.cpp
  gpu.memory_bytes = memory_bytes;
  gpu.memory_percent = 95;
}

} // namespace lanecl::icd
