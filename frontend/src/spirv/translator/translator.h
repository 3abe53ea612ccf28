// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the SPIRV-LLVM translator as a process. There is none for the LLVM that LaneCL is linked with, and one for an
// older LLVM in the same process would mean two LLVMs in one process.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace lanecl::frontend::spirv {

// The time after which a translator is killed. Large modules take seconds, so one that takes minutes hangs.
inline constexpr std::chrono::minutes kTranslatorLimit{2};

// Translates SPIR-V to LLVM bitcode by running `program`, the path of llvm-spirv. Returns false with a message if that
// fails.
bool translate(const std::string &program, std::string_view module, std::string &bitcode, std::string &error,
               std::chrono::milliseconds limit = kTranslatorLimit);

} // namespace lanecl::frontend::spirv
