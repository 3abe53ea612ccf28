// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For programs that look for a GPU of any kind. It is none of Intel's, so it does not answer what they are asked.
#include "profiles/processor_profile.h"

namespace lanecl::icd {

// They keep the list short (capabilities.def). Programs do not look for them.
static constexpr std::string_view kUnlisted[] = {
    "cl_khr_icd", "cl_khr_extended_versioning", "cl_khr_spirv_no_integer_wrap_decoration", "cl_khr_spirv_linkonce_odr"};

constinit const Profile kGpu = [] {
  Profile gpu = processorProfile();
  gpu.name = "gpu";
  gpu.summary = "this processor, as a GPU";
  gpu.is_gpu = true;
  // Programs that keep binaries tell devices apart by names and versions, and these binaries are not the CPU's.
  gpu.driver_version = LANECL_VERSION " gpu";
  gpu.accepts_long_values = gpu.accepts_undeclared_spirv = true;
  gpu.checks_forced_host_memory = false;
  gpu.unlisted = kUnlisted;
  return gpu;
}();

} // namespace lanecl::icd
