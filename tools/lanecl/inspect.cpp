// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl info`, `lanecl devices` and `lanecl compile` run inside the device's library, which this file loads. The
// `lanecl` program therefore needs no compiler, which would be a second copy where LLVM is linked statically.
#include "commands.h"

#include <cstdlib>
#include <stdexcept>

#include <dlfcn.h>

namespace lanecl::tool {
namespace {

// Returns the function of that name in the device's library. The library is never unloaded.
template <typename Function> Function *inLibrary(const char *name) {
  const std::string path = ownLibrary();
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, name) : nullptr;
  if (function == nullptr) {
    const char *reason = dlerror();
    throw std::runtime_error(reason ? reason : path + " has no " + name);
  }
  return reinterpret_cast<Function *>(function);
}

} // namespace

int showInfo(const InfoOptions &options) {
  return inLibrary<int(const InfoOptions &)>(kShowInfo)(options);
}

int compileFile(const CompileOptions &options) {
  return inLibrary<int(const CompileOptions &)>(kCompileFile)(options);
}

int showDevices() {
  return inLibrary<int()>(kShowDevices)();
}

void useDevice(const std::string &name) {
  inLibrary<void(const std::string &)>(kCheckDevice)(name);
  setenv("LANECL_DEVICE", name.c_str(), /*overwrite=*/1);
}

} // namespace lanecl::tool
