// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The base of the checks of one call of a sub-group function. Each check is inserted before the call.
#pragma once

#include "check/check_calls.h"

#include "llvm/IR/DerivedTypes.h"

namespace lanecl::vectorizer {

class CallChecks {
public:
  CallChecks(llvm::CallBase &call, llvm::StringRef name) : call(call), name(name), b(&call) {}

protected:
  // Reports a broken rule. The report splits the block, so the builder is then moved before the call again.
  void reportIf(llvm::Value *broken, abi::CheckRule rule, llvm::Value *value, llvm::Value *other) {
    vectorizer::reportIf(broken, call, rule, name, value, other);
    b.SetInsertPoint(&call);
  }

  // Reports if an i32 or i64 differs between lanes.
  void uniform(llvm::Value *value) {
    llvm::Value *first = createFirstLanes(b, value);
    reportIf(b.CreateICmpNE(value, first), abi::CheckRule::UniformArgument, value, first);
  }
  void uniformPointer(llvm::Value *pointer) { uniform(b.CreatePtrToInt(pointer, b.getInt64Ty())); }
  void uniformVector(llvm::Value *vector) { // a vector of i32
    const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
    for (uint64_t i = 0; type && i < type->getNumElements(); ++i)
      uniform(b.CreateExtractElement(vector, i));
  }

  llvm::CallBase &call;
  const llvm::StringRef name;
  llvm::IRBuilder<> b;
};

} // namespace lanecl::vectorizer
