// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes an executable: its kernels, its variables, and whether it has constructors and destructors.
#pragma once

#include "frontend/frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Describes a program that is just being linked. Returns false with the reason in `log` if that fails.
bool describeProgram(const llvm::Module &program, ProgramInfo &info, std::string &log);

// Describes a program that comes from a binary. Returns null with the reason in `error` if that fails.
std::shared_ptr<const ProgramInfo> readProgramInfo(const Module &module, std::string &error);

} // namespace lanecl::frontend
