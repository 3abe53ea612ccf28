// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/frame_scope.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace lanecl::vectorizer {

FrameScope::FrameScope(LLVMContext &context) {
  // By name: nodes without one are copied when the coroutine is split.
  MDBuilder metadata(context);
  scope = MDNode::get(context, {metadata.createAliasScope("frame", metadata.createAliasScopeDomain("coroutine"))});
}

void FrameScope::excludeAccesses(Function &lanes) const {
  for (Instruction &instruction : instructions(lanes))
    if (instruction.mayReadOrWriteMemory())
      instruction.setMetadata(LLVMContext::MD_noalias,
                              MDNode::concatenate(instruction.getMetadata(LLVMContext::MD_noalias), scope));
}

void FrameScope::markOthers(Function &part) const {
  for (Instruction &instruction : instructions(part))
    if (isa<LoadInst, StoreInst>(instruction) && !instruction.hasMetadata(LLVMContext::MD_noalias))
      instruction.setMetadata(LLVMContext::MD_alias_scope, scope);
}

} // namespace lanecl::vectorizer
