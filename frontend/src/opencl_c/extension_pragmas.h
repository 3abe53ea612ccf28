// #pragma OPENCL EXTENSION for what the device has, at every language version.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace lanecl::frontend {

// Clang warns about the pragma of an extension that it assigns to a later version of the language, and of one that it
// does not know. Programs in the field enable them at 1.2: only what the device lacks deserves the warning.
// To be called once the preprocessor exists.
void acceptExtensionPragmas(clang::CompilerInstance &compiler, const std::vector<std::string> &extensions);

} // namespace lanecl::frontend
