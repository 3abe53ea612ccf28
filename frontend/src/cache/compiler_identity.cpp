// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/compiler_identity.h"

#include "cache/build_id.h"

#include "clang/Basic/Version.h"
#include "llvm/TargetParser/Host.h"

namespace lanecl::frontend {

// The address of a function leads to the file that was loaded with it, even if the process has several such libraries.
const std::string &compilerIdentity() {
  static const std::string &identity = *new std::string(
      "LaneCL " + identityOfLoaded(reinterpret_cast<const void *>(&compilerIdentity)) + ", " + clangIdentity());
  return identity;
}

std::string clangIdentity() {
  return "Clang " + identityOfLoaded(reinterpret_cast<const void *>(&clang::getClangFullVersion)) + ", LLVM " +
         identityOfLoaded(reinterpret_cast<const void *>(&llvm::sys::getHostCPUName));
}

} // namespace lanecl::frontend
