// The SPIRV-LLVM translator, a program of its own: there is none for the LLVM we are linked with, and one for an older
// LLVM in the same process would be a second LLVM.
#pragma once

#include <string>
#include <string_view>

namespace lanecl::frontend::spirv {

// SPIR-V to LLVM bitcode by running `program`, a path or a name that is searched in PATH. False with a message.
bool translate(const std::string &program, std::string_view module, std::string &bitcode, std::string &error);

} // namespace lanecl::frontend::spirv
