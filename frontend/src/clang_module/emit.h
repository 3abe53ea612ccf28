// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One source text to LLVM's IR.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

EmittedProgram emitProgram(const ProgramJob &job, llvm::LLVMContext &context);

} // namespace lanecl::frontend
