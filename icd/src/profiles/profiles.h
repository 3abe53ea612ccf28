// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The profiles. Each is defined in the file of its name: kGen9 in gen9.cpp.
#pragma once

#include "icd/profile.h"

namespace lanecl::icd {

extern const DeviceProfile kCpu, kGen9, kGen11, kTgl, kDg2, kMtl, kBmg, kPvc, kGpu;

} // namespace lanecl::icd
