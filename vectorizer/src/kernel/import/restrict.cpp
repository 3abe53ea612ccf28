// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/restrict.h"

#include "analysis/primitives.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

static bool isBarrier(const Instruction &instruction) {
  const std::optional<Primitive> primitive = primitiveOf(static_cast<const Value &>(instruction));
  return primitive == Primitive::WorkGroupBarrier || primitive == Primitive::SubGroupBarrier ||
         primitive == Primitive::PartnerBarrier;
}

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
