// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/restrict.h"

#include "analysis/functions/primitives.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns whether other work-items may access memory while the instruction waits.
static bool isBarrier(const Instruction &instruction) {
  const std::optional<Primitive> primitive = primitiveOf(static_cast<const Value &>(instruction));
  return primitive == Primitive::WorkGroupBarrier || primitive == Primitive::SubGroupBarrier ||
         primitive == Primitive::PartnerBarrier;
}

// Removes the scopes from the instruction's `noalias`, so that it may alias the accesses in them.
static void forgetScopes(Instruction &instruction, const SmallPtrSetImpl<const Metadata *> &scopes) {
  const MDNode *apart = instruction.getMetadata(LLVMContext::MD_noalias);
  if (apart == nullptr)
    return;
  SmallVector<Metadata *> kept;
  copy_if(apart->operands(), std::back_inserter(kept), [&](const Metadata *scope) { return !scopes.contains(scope); });
  instruction.setMetadata(LLVMContext::MD_noalias,
                          kept.empty() ? nullptr : MDNode::get(instruction.getContext(), kept));
}

void forgetRestrictOfTurns(Function &function) {
  SmallPtrSet<const Metadata *, 8> repeated;
  // A declaration of scopes in a cycle is a declaration in a loop, reducible or not.
  for (auto blocks = scc_begin(&function); !blocks.isAtEnd(); ++blocks)
    for (BasicBlock *block : blocks.hasCycle() ? *blocks : std::vector<BasicBlock *>())
      for (Instruction &instruction : make_early_inc_range(*block))
        if (auto *scopes = dyn_cast<NoAliasScopeDeclInst>(&instruction)) {
          repeated.insert_range(scopes->getScopeList()->operands());
          scopes->eraseFromParent();
        }
  if (repeated.empty())
    return;
  for (Instruction &instruction : instructions(function))
    forgetScopes(instruction, repeated);
}

// Drops all alias scopes of an instruction.
static void forget(Instruction &instruction) {
  instruction.setMetadata(LLVMContext::MD_noalias, nullptr);
  instruction.setMetadata(LLVMContext::MD_alias_scope, nullptr);
}

void forgetRestrictOfBarriers(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isBarrier(instruction))
      forget(instruction);
}

void forgetRestrict(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    forget(instruction);
    if (isa<NoAliasScopeDeclInst>(instruction))
      instruction.eraseFromParent();
  }
}

} // namespace lanecl::vectorizer
