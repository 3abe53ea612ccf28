// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The queries of a GPU's profile. CTest runs this once for each profile, with LANECL_DEVICE.
#include "expected.hpp"
#include "support/images.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

std::string platformWords(cl_platform_info name) {
  char text[64] = {};
  check(clGetPlatformInfo(laneclPlatform(), name, sizeof text - 1, text, nullptr), "clGetPlatformInfo");
  return text;
}

bool hasMediaBlocks() {
  const std::string name = expected().profile;
  return name != "bmg" && name != "pvc";
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
  CHECK(answer<cl_version>(CL_DEVICE_NUMERIC_VERSION) == CL_MAKE_VERSION(3, 0, 0));
  CHECK(deviceList<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS).back().version == CL_MAKE_VERSION(3, 0, 0));
  cl_uint count = 1;
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_CPU, 0, nullptr, &count) == CL_DEVICE_NOT_FOUND);
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_GPU, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 1);
}

TEST_CASE("a profile answers the queries of its extensions", "[.profile]") {
  REQUIRE(isListed("cl_intel_device_attribute_query"));
  CHECK(answer<cl_version>(CL_DEVICE_IP_VERSION_INTEL) == expected().ip_version);
  CHECK(answer<cl_uint>(CL_DEVICE_ID_INTEL) == expected().device_id);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_SLICES_INTEL) == expected().slices);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL) == expected().sub_slices);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL) == expected().eus);
  CHECK(answer<cl_uint>(CL_DEVICE_NUM_THREADS_PER_EU_INTEL) == expected().threads);
  CHECK(answer<cl_device_feature_capabilities_intel>(CL_DEVICE_FEATURE_CAPABILITIES_INTEL) == expected().features);
  using Usm = cl_device_unified_shared_memory_capabilities_intel;
  CHECK(answer<Usm>(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) == expected().host_usm);
  CHECK(answer<Usm>(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) == kAtomic);
  CHECK(answer<Usm>(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) == kAtomic);
  CHECK(answer<Usm>(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) == expected().cross_device_usm);
  CHECK(answer<Usm>(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL) == expected().system_usm);
}

TEST_CASE("a profile reports the bus address of its GPU", "[.profile]") {
  REQUIRE(isListed("cl_khr_pci_bus_info"));
  const auto address = answer<cl_device_pci_bus_info_khr>(CL_DEVICE_PCI_BUS_INFO_KHR);
  CHECK(address.pci_domain == expected().address.pci_domain);
  CHECK(address.pci_bus == expected().address.pci_bus);
  CHECK(address.pci_device == expected().address.pci_device);
  CHECK(address.pci_function == expected().address.pci_function);
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

TEST_CASE("a profile lists what its GPU supports", "[.profile]") {
  CHECK(isListed("cl_khr_fp64") == expected().has_double);
  CHECK((answer<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0) == expected().has_double);
  CHECK(answer<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) == expected().has_double);
  CHECK(answer<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == expected().has_images);
  CHECK((answer<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH) != 0) == expected().has_images);
  for (const char *extension : {"cl_khr_3d_image_writes", "cl_intel_packed_yuv", "cl_intel_planar_yuv"})
    CHECK(isListed(extension) == expected().has_images);
  CHECK(answer<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == expected().has_pipes);
  CHECK(isListed("cl_intel_subgroup_matrix_multiply_accumulate") == (expected().matrix_size != 0));
  CHECK(isListed("cl_intel_subgroup_2d_block_io") == expected().has_blocks_2d);
  // Supported by the same GPUs, according to shared/source/helpers/compiler_product_helper_xe_hpc_and_later.inl.
  CHECK(isListed("cl_khr_subgroup_named_barrier") == expected().has_blocks_2d);
  CHECK(isListed("cl_khr_throttle_hints"));
  const std::string name = expected().profile;
  CHECK(isListed("cl_intel_media_block_io") == hasMediaBlocks());
  CHECK(isListed("cl_intel_spirv_media_block_io") == hasMediaBlocks());
  const bool progresses = name == "gen9" || name == "gen11" || name == "bmg" || name == "pvc";
  CHECK(isListed("cl_khr_subgroups") == progresses);
  CHECK((answer<cl_bool>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) == CL_TRUE) == progresses);
  const auto svm = answer<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  CHECK(((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0) == expected().has_fine_grain_svm);
  CHECK((svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) == 0);
}

TEST_CASE("a profile has the planar images of its GPU", "[.profile]") {
  const std::string name = expected().profile;
  const bool is_older = name == "gen9" || name == "gen11" || name == "tgl";
  const size_t height = answer<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH) == 0 ? 0 : is_older ? 16352 : 16128;
  size_t width = 0;
  const cl_int code =
      clGetDeviceInfo(laneclDevice(), CL_DEVICE_PLANAR_YUV_MAX_WIDTH_INTEL, sizeof width, &width, nullptr);
  CHECK(code == (height != 0 ? CL_SUCCESS : CL_INVALID_VALUE));
  if (height == 0)
    return;
  CHECK(width == 16384);
  CHECK(answer<size_t>(CL_DEVICE_PLANAR_YUV_MAX_HEIGHT_INTEL) == height);
  // They are listed although they cannot be created with this flag alone.
  const std::vector<cl_image_format> formats = supportedFormats(Session(), CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY);
  CHECK(std::any_of(formats.begin(), formats.end(),
                    [](const cl_image_format &format) { return format.image_channel_order == CL_NV12_INTEL; }));
}

TEST_CASE("a profile lists nothing of LaneCL that its driver lacks", "[.profile]") {
  for (const char *name : {"cl_khr_command_buffer", "cl_khr_kernel_clock", "cl_khr_subgroup_rotate",
                           "cl_ext_cxx_for_opencl", "cl_khr_extended_async_copies", "cl_ext_image_requirements_info",
                           "cl_ext_image_from_buffer", "cl_khr_unified_svm"})
    CHECK_FALSE(isListed(name));
  for (const char *function :
       {"clCreateCommandBufferKHR", "clGetImageRequirementsInfoEXT", "clSVMAllocWithPropertiesKHR"})
    CHECK(clGetExtensionFunctionAddressForPlatform(laneclPlatform(), function) == nullptr);
  const auto listed = deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  std::string joined;
  for (const cl_name_version &extension : listed)
    joined += (joined.empty() ? "" : " ") + std::string(extension.name);
  CHECK(joined == words(CL_DEVICE_EXTENSIONS));
}

TEST_CASE("a profile's extensions have the driver's versions", "[.profile]") {
  for (const cl_name_version &extension : deviceList<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION)) {
    CAPTURE(extension.name);
    const std::string name = extension.name;
    CHECK(extension.version == (name == "cl_khr_integer_dot_product"       ? CL_MAKE_VERSION(2, 0, 0)
                                : name == "cl_intel_unified_shared_memory" ? CL_MAKE_VERSION(1, 2, 0)
                                                                           : CL_MAKE_VERSION(1, 0, 0)));
  }
}

TEST_CASE("a profile reports the same SPIR-V support as its driver", "[.profile]") {
  constexpr cl_device_info kSets = 0x12b9, kExtensions = 0x12ba, kCapabilities = 0x12bb; // the headers may be older
  const bool is_told = !expected().has_pipes;
  REQUIRE(isListed("cl_khr_spirv_queries") == is_told);
  size_t bytes = 0;
  CHECK(clGetDeviceInfo(laneclDevice(), kExtensions, 0, nullptr, &bytes) == (is_told ? CL_SUCCESS : CL_INVALID_VALUE));
  if (!is_told)
    return;
  const auto names = [](cl_device_info name) {
    std::vector<std::string> result;
    for (const char *one : deviceList<const char *>(name))
      result.emplace_back(one);
    std::sort(result.begin(), result.end());
    return result;
  };
  CHECK(names(kSets) == std::vector<std::string>{"OpenCL.std"});
  std::vector<std::string> extensions{"SPV_EXT_shader_atomic_float_add",
                                      "SPV_EXT_shader_atomic_float_min_max",
                                      "SPV_INTEL_bfloat16_conversion",
                                      "SPV_INTEL_split_barrier",
                                      "SPV_INTEL_subgroups",
                                      "SPV_KHR_bit_instructions",
                                      "SPV_KHR_expect_assume",
                                      "SPV_KHR_integer_dot_product",
                                      "SPV_KHR_linkonce_odr",
                                      "SPV_KHR_no_integer_wrap_decoration"};
  if (expected().has_blocks_2d)
    extensions.insert(extensions.begin() + 4, "SPV_INTEL_subgroup_buffer_prefetch");
  if (hasMediaBlocks())
    extensions.insert(extensions.begin() + 3, "SPV_INTEL_media_block_io");
  CHECK(names(kExtensions) == extensions);
  const std::vector<cl_uint> capabilities = deviceList<cl_uint>(kCapabilities);
  const auto has = [&](cl_uint number) {
    return std::find(capabilities.begin(), capabilities.end(), number) != capabilities.end();
  };
  CHECK(capabilities.size() == size_t(33 + 7 * expected().has_images + 3 * expected().has_double +
                                      2 * expected().has_blocks_2d + hasMediaBlocks()));
  CHECK(has(59 /* NamedBarrier */) == expected().has_blocks_2d);
  CHECK(has(10 /* Float64 */) == expected().has_double);
  CHECK(has(6034 /* AtomicFloat64AddEXT */) == expected().has_double);
  CHECK(has(13 /* ImageBasic */) == expected().has_images);
  CHECK_FALSE(has(71 /* UniformDecoration, of SPIR-V 1.6 */));
}

TEST_CASE("a profile has the atomics of its GPU", "[.profile]") {
  // From cl_ext_float_atomics; the headers may be older.
  constexpr cl_device_info kSingle = 0x4231, kDouble = 0x4232, kHalf = 0x4233;
  constexpr cl_bitfield kStore = 0x10001, kSum = 0x20002, kOrder = 0x40004; // in global and local memory
  const bool is_old = expected().has_pipes;
  const cl_bitfield single = is_old ? kStore : kStore | kOrder | kSum;
  CHECK(answer<cl_bitfield>(kSingle) == single);
  CHECK(answer<cl_bitfield>(kHalf) == (is_old ? 0 : kStore | kOrder));
  CHECK(answer<cl_bitfield>(kDouble) == (expected().has_double ? single : 0));
}
