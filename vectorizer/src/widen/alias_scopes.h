// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Gives the lanes' accesses the aliasing metadata of the scalar access.
class AliasScopes {
public:
  AliasScopes(llvm::IRBuilderBase &b, llvm::Instruction &access) : b(b), without(access.getParent()->getTerminator()) {
    copyFrom(&access);
  }
  ~AliasScopes() { copyFrom(without); }
  AliasScopes(const AliasScopes &) = delete;
  AliasScopes &operator=(const AliasScopes &) = delete;

private:
  void copyFrom(llvm::Instruction *access) {
    b.CollectMetadataToCopy(access, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
  }

  llvm::IRBuilderBase &b;
  llvm::Instruction *without; // a terminator, which has no such metadata
};

} // namespace lanecl::vectorizer
