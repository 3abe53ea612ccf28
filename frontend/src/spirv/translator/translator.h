// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The SPIRV-LLVM translator, run as a process: there is none for the LLVM we are linked with, and one for an older LLVM
// in the same process would be a second LLVM.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace lanecl::frontend::spirv {

// Even big modules take only seconds; a translator that takes minutes hangs.
inline constexpr std::chrono::minutes kTranslatorLimit{2};

// SPIR-V to LLVM bitcode by running `program`, a path. False with a message.
bool translate(const std::string &program, std::string_view module, std::string &bitcode, std::string &error,
               std::chrono::milliseconds limit = kTranslatorLimit);

} // namespace lanecl::frontend::spirv
