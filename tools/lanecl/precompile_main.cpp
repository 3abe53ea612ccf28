// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-precompile LIBRARY: loads a device's library and has it make the precompiled headers beside it. Only LaneCL's
// build runs this program.
#include "commands.h"

#include <cstdio>

#include <dlfcn.h>

int main(int count, char **arguments) {
  void *const library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  void *const function = library ? dlsym(library, lanecl::tool::kPrecompile) : nullptr;
  if (!function) {
    std::fprintf(stderr, "error: %s\n", count == 2 ? dlerror() : "exactly one library must be named");
    return 1;
  }
  return reinterpret_cast<int (*)()>(function)();
}
