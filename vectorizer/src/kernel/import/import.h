// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a module for this processor from a program's bitcode. It contains one kernel and everything that the kernel
// calls.
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

// What to import and for which processor.
struct ImportRequest {
  llvm::MemoryBufferRef program;
  llvm::StringRef kernel;
  BuiltinLibrary *builtins = nullptr; // null: the module is not linked with the library
  const llvm::TargetMachine *target = nullptr;
  bool join_calls = false; // calls of the library may be joined, such as a sine and a cosine of one angle
};

// Returns null on failure, after reporting the reason. Address spaces are kept; on x86 all from 0 to 255 are ordinary
// memory.
std::unique_ptr<llvm::Module> importKernel(llvm::LLVMContext &context, const ImportRequest &request,
                                           Diagnostics &diagnostics);

} // namespace lanecl::vectorizer
