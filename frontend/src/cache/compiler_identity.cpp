#include "frontend/compiler_identity.h"

#include "cache/build_id.h"

#include "clang/Basic/Version.h"
#include "llvm/TargetParser/Host.h"

namespace lanecl::frontend {

// Any function of each library finds the file that was loaded for it, whatever others the process has.
const std::string &compilerIdentity() {
  static const std::string &identity =
      *new std::string("LaneCL " + identityOfLoaded(reinterpret_cast<const void *>(&compilerIdentity)) + ", Clang " +
                       identityOfLoaded(reinterpret_cast<const void *>(&clang::getClangFullVersion)) + ", LLVM " +
                       identityOfLoaded(reinterpret_cast<const void *>(&llvm::sys::getHostCPUName)));
  return identity;
}

} // namespace lanecl::frontend
