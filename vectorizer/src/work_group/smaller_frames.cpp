// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/smaller_frames.h"

#include "kernel/launch/launch_abi.h"
#include "work_group/frame_scope.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>
#include <map>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Returns the companion with all parameters of the coroutine; the frame takes the place of the scratch memory.
Function *withParametersOf(Function &enter, Function &resume) {
  assert(enter.arg_size() == kLanesParameterCount && resume.arg_size() == 1 && "a coroutine, and what splitting makes");
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

// The stores to the frame, by the place stored to, of both functions.
using StoresByPlace = std::map<uint64_t, SmallVector<StoreInst *, 2>>;

// Adds one function's stores to its frame.
void addStores(StoresByPlace &stores, Function &function, uint64_t frame_offset) {
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (const std::optional<uint64_t> place = placeInFrame(*store, *function.getArg(kScratchParameter), frame_offset))
        stores[*place].push_back(store);
}

// Returns the arguments of `enter` that are kept in the frame, by their numbers and places, and erases the stores. A
// place that another value is stored to as well belongs to a variable that only starts with the argument.
SmallVector<std::pair<unsigned, uint64_t>, 8> keptArguments(Function &enter, Function &resume, uint64_t frame_offset) {
  StoresByPlace stores;
  addStores(stores, enter, frame_offset);
  addStores(stores, resume, 0);
  SmallVector<std::pair<unsigned, uint64_t>, 8> kept;
  for (const auto &[place, all] : stores) {
    const auto *argument = dyn_cast<Argument>(all.front()->getValueOperand());
    if (argument == nullptr || argument->getParent() != &enter || argument->getArgNo() == kScratchParameter ||
        any_of(all, [&](const StoreInst *store) { return store->getValueOperand() != argument; }))
      continue;
    assert(argument->getArgNo() < resume.arg_size() && "the companion gets the argument");
    kept.emplace_back(argument->getArgNo(), place);
    for (StoreInst *store : all)
      store->eraseFromParent();
  }
  return kept;
}

// Replaces loads from the place in the frame by the argument.
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
      ConstantFoldTerminator(&block); // after the first suspension there is a copy of the rest that never runs
    removeUnreachableBlocks(*function);
  }
  Function *result = withParametersOf(enter, resume);
  for (const auto &[argument, place] : keptArguments(enter, *result, frame_offset)) {
    replaceLoads(enter, frame_offset, place, *enter.getArg(argument));
    replaceLoads(*result, 0, place, *result->getArg(argument));
  }
  return result;
}

} // namespace lanecl::vectorizer
