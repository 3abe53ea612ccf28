// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Aliasing metadata for the accesses that replace a scalar one.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// While an object of this class lives, all instructions that the builder creates get the aliasing metadata (alias.scope
// and noalias) of the scalar access.
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
  llvm::Instruction *without; // a terminator: it has no such metadata, so copying from it clears the builder's
};

} // namespace lanecl::vectorizer
