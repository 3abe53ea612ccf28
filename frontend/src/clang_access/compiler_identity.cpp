// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/compiler_identity.h"

#include "cache/build_id.h"
#include "clang_access/clang_loader.h"

#include "llvm/TargetParser/Host.h"

#include <mutex>

namespace lanecl::frontend {

// The identity consists of those of the files that hold the code. A function's address leads to the file that was
// really loaded, even if the process has loaded several libraries of that name.
const std::string &compilerIdentity(const std::string &clang_module) {
  // This is not a static initialization, because a child that is forked while another thread computes the identity
  // would wait for that thread forever. With a once_flag the child computes it again.
  static constinit std::once_flag once;
  // The text is never destroyed, because commands may still run while the process exits.
  static const std::string *identity;
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
