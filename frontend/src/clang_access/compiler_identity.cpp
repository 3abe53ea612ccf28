// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/compiler_identity.h"

#include "cache/build_id.h"
#include "clang_access/clang_loader.h"

#include "llvm/TargetParser/Host.h"

#include <mutex>

namespace lanecl::frontend {

// The address of a function leads to the file that was loaded with it, even if the process has several such libraries.
const std::string &compilerIdentity(const std::string &clang_module) {
  // A process that is forked while another thread makes it makes its own, unlike with a static initialization.
  static constinit std::once_flag once;
  static const std::string *identity; // never destroyed, as commands may still run while the process exits
  std::call_once(once, [&] {
    identity = new std::string("LaneCL " + identityOfLoaded(reinterpret_cast<const void *>(&compilerIdentity)) + ", " +
                               clangIdentity(clang_module));
  });
  return *identity;
}

std::string clangIdentity(const std::string &clang_module) {
  return "Clang " + identityOfClang(clang_module) + ", LLVM " +
         identityOfLoaded(reinterpret_cast<const void *>(&llvm::sys::getHostCPUName));
}

} // namespace lanecl::frontend
