// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names and versions that the queries of platform and device return.
#pragma once

#include "icd/capabilities.h"

#include <CL/cl.h>

#include <cstring>
#include <span>
#include <vector>

namespace lanecl::icd {

inline constexpr cl_version kNumericVersion = CL_MAKE_VERSION(3, 0, 0);

inline std::vector<cl_name_version> nameVersions(std::span<const NamedVersion> list) {
  std::vector<cl_name_version> result;
  for (const NamedVersion &entry : list) {
    cl_name_version &item = result.emplace_back();
    item.version = CL_MAKE_VERSION(entry.major, entry.minor, entry.patch);
    std::strncpy(item.name, entry.name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
  }
  return result;
}

} // namespace lanecl::icd
