// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kept functions with more parameters, or another result: how passes hand over what a call has to bring along.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

struct Extension {
  llvm::SmallVector<llvm::Type *> before{}, behind{}; // parameters before and behind those that there are
  llvm::Type *result = nullptr;                       // null: as before
};

// Returns a function of the same name with the body of `old`, which stays as a declaration that its calls still name.
// With another result the caller of this rewrites the returns.
llvm::Function *extendFunction(llvm::Function &old, const Extension &extension);

// Makes a call of the extended function before `call`, which stays.
llvm::CallInst *extendCall(llvm::CallBase &call, llvm::Function &extended, llvm::ArrayRef<llvm::Value *> before,
                           llvm::ArrayRef<llvm::Value *> behind);

} // namespace lanecl::vectorizer
