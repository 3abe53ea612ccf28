// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the processor itself answers; all other values are the defaults of Profile.
#pragma once

#include "profiles/profiles.h"

namespace lanecl::icd {

constexpr Profile processorProfile() {
  Profile profile;
  profile.vendor = "LaneCL project";
  profile.platform_name = "LaneCL";
  profile.opencl_minor = 1;
  // Programs look for "1.0" anywhere in the text to find devices of OpenCL 1.0, so our own version is not part of it.
  profile.platform_version_end = profile.device_version_end = "LaneCL";
  profile.icd_suffix = "LANECL";
  // The highest version below 2.0 that is listed in CL_DEVICE_OPENCL_C_ALL_VERSIONS.
  profile.language_version = "OpenCL C 1.2 LaneCL";
  profile.driver_version = LANECL_VERSION;
  return profile;
}

} // namespace lanecl::icd
