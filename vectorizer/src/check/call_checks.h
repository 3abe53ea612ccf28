// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The checks of one call of a sub-group function, each inserted before it.
#pragma once

#include "check/check_calls.h"

#include "llvm/IR/DerivedTypes.h"

namespace lanecl::vectorizer {

class CallChecks {
public:
  CallChecks(llvm::CallBase &call, llvm::StringRef name) : call(call), name(name), b(&call) {}

protected:
  // The builder stands before the call again, after a report has split its block.
  void reportIf(llvm::Value *broken, abi::CheckRule rule, llvm::Value *value, llvm::Value *other) {
    vectorizer::reportIf(broken, call, rule, name, value, other);
    b.SetInsertPoint(&call);
  }

  // An i32 or i64 that is the same for all lanes.
  void uniform(llvm::Value *value) {
    llvm::Value *first = createFirstLanes(b, value);
    reportIf(b.CreateICmpNE(value, first), abi::CheckRule::UniformArgument, value, first);
  }
  void uniformPointer(llvm::Value *pointer) { uniform(b.CreatePtrToInt(pointer, b.getInt64Ty())); }
  void uniformVector(llvm::Value *vector) { // of i32
    const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
    for (uint64_t i = 0; type && i < type->getNumElements(); ++i)
      uniform(b.CreateExtractElement(vector, i));
  }

  llvm::CallBase &call;
  const llvm::StringRef name;
  llvm::IRBuilder<> b;
};

} // namespace lanecl::vectorizer
