// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/smaller_frames.h"

#include "kernel/launch_abi.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// The offset in the frame of an access that splitting added; nothing for others. The kernel's own accesses, which may
// be to its private variables in the frame, have the scope that FrameScope gave them.
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

// The companion with all parameters of both functions.
Function *withParametersOf(Function &enter, Function &resume) {
  SmallVector<Type *> types(enter.getFunctionType()->params());
  types[kScratchParameter] = resume.getArg(0)->getType(); // the frame
  auto *type = FunctionType::get(resume.getReturnType(), types, false);
  Function *result = Function::Create(type, resume.getLinkage(), "", resume.getParent());
  result->takeName(&resume);
  result->setCallingConv(resume.getCallingConv());
  result->setAttributes(AttributeList().addFnAttributes(
      resume.getContext(), AttrBuilder(resume.getContext(), resume.getAttributes().getFnAttrs())));
  result->copyMetadata(&resume, 0);
  result->splice(result->end(), &resume);
  resume.getArg(0)->replaceAllUsesWith(result->getArg(kScratchParameter));
  for (auto [from, to] : zip(enter.args(), result->args()))
    to.setName(from.getName());
  resume.replaceAllUsesWith(result);
  resume.eraseFromParent();
  return result;
}

// Arguments by their numbers, and where `enter` keeps them. The stores go.
SmallVector<std::pair<unsigned, uint64_t>, 8> keptArguments(Function &enter, uint64_t frame_offset) {
  SmallVector<std::pair<unsigned, uint64_t>, 8> kept;
  const Argument &scratch = *enter.getArg(kScratchParameter);
  for (Instruction &instruction : make_early_inc_range(instructions(enter))) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const auto *argument = store != nullptr ? dyn_cast<Argument>(store->getValueOperand()) : nullptr;
    if (argument == nullptr || argument == &scratch)
      continue;
    if (const std::optional<uint64_t> place = placeInFrame(instruction, scratch, frame_offset)) {
      kept.emplace_back(argument->getArgNo(), *place);
      instruction.eraseFromParent();
    }
  }
  return kept;
}

// What was loaded from there is the argument now.
void replaceLoads(Function &function, uint64_t frame_offset, uint64_t place, Argument &argument) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<LoadInst>(instruction) && instruction.getType() == argument.getType() &&
        placeInFrame(instruction, *function.getArg(kScratchParameter), frame_offset) == place) {
      instruction.replaceAllUsesWith(&argument);
      instruction.eraseFromParent();
    }
}

} // namespace

Function *passArguments(Function &enter, Function &resume, uint64_t frame_offset) {
  for (BasicBlock &block : enter)
    ConstantFoldTerminator(&block); // behind the first suspension there is a copy of the rest that never runs
  removeUnreachableBlocks(enter);
  Function *result = withParametersOf(enter, resume);
  for (const auto &[argument, place] : keptArguments(enter, frame_offset)) {
    replaceLoads(enter, frame_offset, place, *enter.getArg(argument));
    replaceLoads(*result, 0, place, *result->getArg(argument));
  }
  return result;
}

void forgetState(Function &enter, Function &resume, uint64_t frame_offset) {
  constexpr uint64_t kFunctions = 2 * sizeof(void *); // of resuming and destroying, the frame's first words
  for (auto [function, offset] : {std::pair{&enter, frame_offset}, std::pair{&resume, uint64_t{0}}})
    for (Instruction &instruction : make_early_inc_range(instructions(*function)))
      if (isa<StoreInst>(instruction))
        if (const auto place = placeInFrame(instruction, *function->getArg(kScratchParameter), offset);
            place && *place < kFunctions)
          instruction.eraseFromParent();
}

} // namespace lanecl::vectorizer
