// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles one source text to LLVM IR.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// Runs Clang on the job. `context` must outlive the module of the result.
EmittedProgram emitProgram(const ProgramJob &job, llvm::LLVMContext &context);

} // namespace lanecl::frontend
