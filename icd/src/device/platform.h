// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The one platform.
#pragma once

#include "api/object.h"

namespace lanecl::icd {

class Platform final : public Object<Platform, cl_platform_id, Tag::Platform> {
public:
  static Platform &get(); // made at first use, never destroyed

private:
  Platform() = default;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_platform_id, Platform, CL_INVALID_PLATFORM)
