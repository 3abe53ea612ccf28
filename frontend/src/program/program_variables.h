// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program scope variables in the global address space. The kernels of a program are compiled one by one and share the
// variables. So each variable has its place in one block of memory, which belongs to the built program.
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Gives every variable its place in the block, as metadata (vectorizer/contract/variable_metadata.h). Returns false
// with the reason in `log` when a variable is larger than kMaxVariableBytes.
bool placeVariables(llvm::Module &program, std::string &log);

// Describes the block of a program whose variables have their places. Returns false with the reason in `error` when an
// initializer is not known at compile time.
bool readVariables(const llvm::Module &program, ProgramVariables &result, std::string &error);

} // namespace lanecl::frontend
