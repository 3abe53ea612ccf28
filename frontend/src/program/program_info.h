// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The description of an executable: its kernels, its variables, and whether it has constructors.
#pragma once

#include "frontend/frontend.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Of a program that is just being linked. False with the reason in `log`.
bool describeProgram(const llvm::Module &program, ProgramInfo &info, std::string &log);

// Of one that comes from a binary.
std::shared_ptr<const ProgramInfo> readProgramInfo(const Module &module, std::string &error);

} // namespace lanecl::frontend
