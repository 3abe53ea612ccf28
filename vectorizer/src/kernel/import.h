// From a program's bitcode to a module that holds one kernel with everything it calls, for this processor.
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
};

// Null on failure; the diagnostics say why. Address spaces are kept: on x86 0 to 255 are all plain memory.
std::unique_ptr<llvm::Module> importKernel(llvm::LLVMContext &context, const ImportRequest &request,
                                           Diagnostics &diagnostics);

} // namespace lanecl::vectorizer
