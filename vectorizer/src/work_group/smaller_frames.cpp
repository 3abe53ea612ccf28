// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/smaller_frames.h"

#include "kernel/launch_abi.h"
#include "work_group/frame_scope.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

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
  for (Function *function : {&enter, &resume}) {
    for (BasicBlock &block : *function)
      ConstantFoldTerminator(&block); // behind the first suspension there is a copy of the rest that never runs
    removeUnreachableBlocks(*function);
  }
  Function *result = withParametersOf(enter, resume);
  for (const auto &[argument, place] : keptArguments(enter, frame_offset)) {
    replaceLoads(enter, frame_offset, place, *enter.getArg(argument));
    replaceLoads(*result, 0, place, *result->getArg(argument));
  }
  return result;
}

} // namespace lanecl::vectorizer
