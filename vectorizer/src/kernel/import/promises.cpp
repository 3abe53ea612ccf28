// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/promises.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Drops `noundef` from the result and the parameters of a function or a call.
template <class Callable> void dropNoUndef(Callable &callable, unsigned parameters) {
  callable.removeRetAttr(Attribute::NoUndef);
  for (unsigned i = 0; i < parameters; ++i)
    callable.removeParamAttr(i, Attribute::NoUndef);
}

// Drops the promises of one call or load.
void drop(Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    dropNoUndef(*call, call->arg_size());
  if (isa<LoadInst>(instruction)) {
    instruction.setMetadata(LLVMContext::MD_noundef, nullptr);
    instruction.setMetadata(LLVMContext::MD_range, nullptr);
  }
}

} // namespace

void dropPromises(Module &module) {
  for (Function &function : module) {
    dropNoUndef(function, function.arg_size());
    for (Instruction &instruction : instructions(function))
      drop(instruction);
  }
}

} // namespace lanecl::vectorizer
