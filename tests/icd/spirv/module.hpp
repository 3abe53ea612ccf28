// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the modules of this folder by name.
#pragma once

#include "support/spirv.hpp"

namespace lanecl::test {

inline std::string textOf(const std::string &name) {
  return textOfFile(LANECL_SPIRV_DIRECTORY "/" + name + ".spvasm");
}

inline SpirvModule moduleOf(const std::string &name, unsigned minor = 3) {
  return assemble(textOf(name), minor);
}

inline Program buildIl(const Session &cl, const std::string &name, const std::string &options = "") {
  return buildIl(cl, createWithIl(cl, moduleOf(name)), options);
}

} // namespace lanecl::test
