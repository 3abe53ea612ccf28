// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profiles/processor_profile.h"

namespace lanecl::icd {

// Extensions that work without being listed. The first two are left out so that the list fits the 2048 bytes that
// programs reserve for it (see capabilities.def): the platform lists the one, and the other is part of OpenCL 3.0. The
// others are left out because Khronos's conformance tests do not know their names yet, and fail a device that lists
// them.
static constexpr std::string_view kUnlisted[] = {"cl_khr_icd", "cl_khr_extended_versioning",
                                                 "cl_khr_work_group_uniform_arithmetic",
                                                 "cl_khr_spirv_extended_debug_info"};

constinit const DeviceProfile kCpu = [] {
  DeviceProfile cpu = processorProfile();
  cpu.name = "cpu";
  cpu.summary = "this processor (default)";
  cpu.unlisted = kUnlisted;
  return cpu;
}();

} // namespace lanecl::icd
