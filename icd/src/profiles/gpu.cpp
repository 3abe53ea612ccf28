// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The profile for programs that look for a GPU of any kind. It does not pretend to be one of Intel's GPUs, so it does
// not answer the queries of their extensions.
#include "profiles/processor_profile.h"

namespace lanecl::icd {

// These are left out so that the list of extensions fits the 2048 bytes that programs reserve for it, see
// capabilities.def. No program looks for them.
static constexpr std::string_view kUnlisted[] = {
    "cl_khr_icd", "cl_khr_extended_versioning", "cl_khr_spirv_no_integer_wrap_decoration", "cl_khr_spirv_linkonce_odr"};

constinit const DeviceProfile kGpu = [] {
  DeviceProfile gpu = processorProfile();
  gpu.name = "gpu";
  gpu.summary = "this processor, as a GPU";
  gpu.is_gpu = true;
  // Programs that keep binaries tell devices apart by names and versions. Binaries of this profile differ from those of
  // the processor's, so the version does, too.
  gpu.driver_version = LANECL_VERSION " gpu";
  gpu.accepts_long_values = gpu.accepts_undeclared_spirv = true;
  gpu.checks_forced_host_memory = false;
  gpu.unlisted = kUnlisted;
  return gpu;
}();

} // namespace lanecl::icd
