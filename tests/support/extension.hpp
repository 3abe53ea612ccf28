// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of extensions, which programs look up by name.
#pragma once

#include "support/session.hpp"

namespace lanecl::test {

// Returns the function with that name. Throws std::runtime_error if the platform has none.
template <class Function> Function extensionFunction(const char *name) {
  void *const function = clGetExtensionFunctionAddressForPlatform(laneclPlatform(), name);
  if (!function)
    throw std::runtime_error(std::string("the platform has no function ") + name);
  return reinterpret_cast<Function>(function);
}

} // namespace lanecl::test
