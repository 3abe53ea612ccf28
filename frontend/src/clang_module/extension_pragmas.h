// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// #pragma OPENCL EXTENSION for what the device has, at every language version.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

// Clang warns about the pragma of an extension that it assigns to a later version of the language, and of one that it
// does not know. Existing programs enable them at 1.2, so only extensions that the device lacks cause a warning.
// To be called after the preprocessor is created.
void acceptExtensionPragmas(clang::CompilerInstance &compiler, const std::vector<std::string> &extensions);

} // namespace lanecl::frontend
