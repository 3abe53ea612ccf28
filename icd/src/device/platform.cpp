// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clGetPlatformIDs, clGetPlatformInfo, and the functions by which the loader finds the others.
#include "device/platform.h"

#include "api/entry.h"
#include "api/info.h"
#include "api/versions.h"
#include "device/external_types.h"
#include "device/svm_types.h"
#include "icd/capabilities.h"
#include "icd/command_buffer_api.h"
#include "settings/made_once.h"

#include <CL/cl_icd.h>

namespace lanecl::icd {

Platform &Platform::get() {
  static constinit MadeOnce<Platform *> instance;
  return *instance.get([] { return new Platform; });
}

namespace {

cl_int platformIds(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  // CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL.
  if (num_entries == 0 && platforms)
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if both num_platforms and platforms are NULL.
  if (!num_platforms && !platforms)
    return CL_INVALID_VALUE;
  // CL_PLATFORM_NOT_FOUND_KHR if zero platforms are available: the settings ask for a device that does not exist.
  if (num_platforms)
    *num_platforms = isKnownDevice() ? 1 : 0;
  if (!isKnownDevice())
    return CL_PLATFORM_NOT_FOUND_KHR;
  if (platforms)
    platforms[0] = Platform::get().handle();
  return CL_SUCCESS;
}

// The body of clGetPlatformInfo.
cl_int platformInfo(cl_platform_id platform, cl_platform_info name, const InfoWriter &info) {
  // A NULL platform is implementation-defined: there is only this one.
  if (platform)
    if (cl_int code = validate(platform))
      return code;
  switch (name) {
  case CL_PLATFORM_PROFILE: return info.text("FULL_PROFILE");
  case CL_PLATFORM_VERSION: return info.text(versionText(platformMinor(), deviceProfile().platform_version_end));
  case CL_PLATFORM_NUMERIC_VERSION: return info.value<cl_version>(numericVersion(platformMinor()));
  case CL_PLATFORM_NAME: return info.text(deviceProfile().platform_name);
  case CL_PLATFORM_VENDOR: return info.text(deviceProfile().vendor);
  case CL_PLATFORM_EXTENSIONS: return info.text(joinNames(platformExtensions()));
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION: return info.list<cl_name_version>(nameVersions(platformExtensions()));
  case CL_PLATFORM_HOST_TIMER_RESOLUTION: return info.value<cl_ulong>(1);
  case CL_PLATFORM_ICD_SUFFIX_KHR: return info.text(deviceProfile().icd_suffix);
  case CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR:
    return hasExtension("cl_khr_unified_svm") ? info.list<cl_svm_capabilities_khr>(kSvmTypes) : CL_INVALID_VALUE;
  case CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
    return hasExtension("cl_khr_external_memory") ? info.list<cl_external_memory_handle_type_khr>(kExternalMemoryTypes)
                                                  : CL_INVALID_VALUE;
  case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
    return hasExtension("cl_khr_semaphore") ? info.list<cl_semaphore_type_khr>(kSemaphoreTypes) : CL_INVALID_VALUE;
  case CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
  case CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return hasExtension("cl_khr_external_semaphore")
               ? info.list<cl_external_semaphore_handle_type_khr>(kExternalSemaphoreTypes)
               : CL_INVALID_VALUE;
  case CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR:
    return hasExtension("cl_khr_command_buffer_multi_device")
               ? info.value<command_buffer::PlatformCapabilities>(CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                                                                  CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                                                                  CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR)
               : CL_INVALID_VALUE;
  // CL_INVALID_VALUE if param_name is not one of the supported values.
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

// Only functions with this attribute are visible outside of the library; liblanecl.map lists them.
#define LANECL_EXPORT __attribute__((visibility("default")))

CL_API_ENTRY LANECL_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                                     cl_uint *num_platforms) {
  return entry([&] { return platformIds(num_entries, platforms, num_platforms); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                                 cl_uint *num_platforms) {
  return entry([&] { return platformIds(num_entries, platforms, num_platforms); });
}

CL_API_ENTRY LANECL_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                                                size_t size, void *value, size_t *size_ret) {
  return entry([&] { return platformInfo(platform, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY LANECL_EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  return functionByName(name);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  // Returns NULL if the function does not exist or platform is not valid.
  return Platform::cast(platform) ? functionByName(name) : nullptr;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  // This call allows an implementation to release the compiler's resources. LaneCL keeps them for the next build.
  return entry([&] { return validate(platform); });
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void) {
  return CL_SUCCESS;
}
