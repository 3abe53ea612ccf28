// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a module from a program's bitcode that has one kernel with everything it calls, for this processor.
#pragma once

#include "pass_support/diagnostics.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace lanecl::vectorizer {

class BuiltinLibrary;

struct ImportRequest {
  llvm::MemoryBufferRef program;
  llvm::StringRef kernel;
  BuiltinLibrary *builtins = nullptr; // null: none is linked
  const llvm::TargetMachine *target = nullptr;
  bool join_calls = false; // functions of the library may be computed together
};

// Null on failure; the diagnostics say why. Address spaces are kept: on x86 all from 0 to 255 are ordinary memory.
std::unique_ptr<llvm::Module> importKernel(llvm::LLVMContext &context, const ImportRequest &request,
                                           Diagnostics &diagnostics);

} // namespace lanecl::vectorizer
