// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/frame_scope.h"

#include "llvm/ADT/APInt.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace lanecl::vectorizer {

FrameScope::FrameScope(LLVMContext &context) {
  // The scope has a name, because nodes without one are copied when the coroutine is split.
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

// Accesses with `noalias` are the kernel's own, excluded above. They may access its private variables in the frame.
std::optional<uint64_t> placeInFrame(const Instruction &access, const Argument &base, uint64_t frame_offset) {
  if (access.hasMetadata(LLVMContext::MD_noalias))
    return std::nullopt;
  const Value *pointer = getLoadStorePointerOperand(&access);
  const DataLayout &layout = access.getDataLayout();
  if (pointer == nullptr || pointer->getType()->getPointerAddressSpace() != base.getType()->getPointerAddressSpace())
    return std::nullopt;
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true) != &base ||
      offset.ult(frame_offset))
    return std::nullopt;
  return offset.getZExtValue() - frame_offset;
}

} // namespace lanecl::vectorizer
