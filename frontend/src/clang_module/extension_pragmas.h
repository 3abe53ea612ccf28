// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accepts #pragma OPENCL EXTENSION for every extension of the device, in every language version.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

// Makes pragmas warn only about extensions that the device lacks. Clang itself warns about the pragma of an extension
// that it assigns to a later version of the language, and of one that it does not know, but existing programs enable
// these at OpenCL C 1.2.
//
// The preprocessor must have been created already.
void acceptExtensionPragmas(clang::CompilerInstance &compiler, const std::vector<std::string> &extensions);

} // namespace lanecl::frontend
