// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The values that the processor's own profile and the profile `gpu` share. All others are the defaults of
// DeviceProfile.
#pragma once

#include "profiles/profiles.h"

namespace lanecl::icd {

constexpr DeviceProfile processorProfile() {
  DeviceProfile profile;
  profile.vendor = "LaneCL project";
  profile.platform_name = "LaneCL";
  profile.opencl_minor = 1;
  // The text does not contain LaneCL's own version: programs look for "1.0" anywhere in it to recognize OpenCL 1.0.
  profile.platform_version_end = profile.device_version_end = "LaneCL";
  profile.icd_suffix = "LANECL";
  // This is the highest version below 2.0 that CL_DEVICE_OPENCL_C_ALL_VERSIONS lists.
  profile.language_version = "OpenCL C 1.2 LaneCL";
  profile.driver_version = LANECL_VERSION;
  return profile;
}

} // namespace lanecl::icd
