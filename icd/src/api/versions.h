// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Formats versions as the info queries of platform and device return them.
#pragma once

#include "icd/capabilities.h"

#include <CL/cl.h>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::icd {

// Return the version OpenCL 3.x for this x: as a number, for CL_DEVICE_NUMERIC_VERSION, and as a text that ends in
// `end`.
inline cl_version numericVersion(unsigned minor) {
  return CL_MAKE_VERSION(3, minor, 0);
}
inline std::string versionText(unsigned minor, std::string_view end) {
  return "OpenCL 3." + std::to_string(minor) + " " + std::string(end);
}

// Returns the list in the form of CL_DEVICE_EXTENSIONS_WITH_VERSION.
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
