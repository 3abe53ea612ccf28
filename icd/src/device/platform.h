// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The platform. There is one in a process.
#pragma once

#include "api/object.h"

namespace lanecl::icd {

class Platform final : public Object<Platform, cl_platform_id, Tag::Platform> {
public:
  // Returns the platform, which is made at first use and never destroyed.
  static Platform &get();

private:
  Platform() = default;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_platform_id, Platform, CL_INVALID_PLATFORM)
