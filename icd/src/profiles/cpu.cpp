// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profiles/processor_profile.h"

namespace lanecl::icd {

// The first two, whose functions OpenCL 3.0 has or the platform lists, keep the list short (capabilities.def). For the
// others Khronos's conformance tests fail a device, since they do not know the names, as yet.
static constexpr std::string_view kUnlisted[] = {"cl_khr_icd", "cl_khr_extended_versioning",
                                                 "cl_khr_work_group_uniform_arithmetic",
                                                 "cl_khr_spirv_extended_debug_info"};

constinit const Profile kCpu = [] {
  Profile cpu = processorProfile();
  cpu.name = "cpu";
  cpu.summary = "this processor (default)";
  cpu.unlisted = kUnlisted;
  return cpu;
}();

} // namespace lanecl::icd
