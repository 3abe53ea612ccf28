// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Has a library make the precompiled headers beside it. Only the build runs it. Usage: lanecl-precompile LIBRARY
#include "commands.h"

#include <cstdio>

#include <dlfcn.h>

int main(int count, char **arguments) {
  void *const library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  void *const function = library ? dlsym(library, lanecl::tool::kPrecompile) : nullptr;
  if (!function) {
    std::fprintf(stderr, "error: %s\n", count == 2 ? dlerror() : "one library has to be named");
    return 1;
  }
  return reinterpret_cast<int (*)()>(function)();
}
