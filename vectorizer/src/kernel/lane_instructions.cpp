// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/lane_instructions.h"

#include "analysis/lane_instructions.h"
#include "lanes/target_features.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

static void answerQuery(Function &function) {
  for (User *user : make_early_inc_range(function.users()))
    if (auto *call = dyn_cast<CallInst>(user)) {
      call->replaceAllUsesWith(ConstantInt::get(call->getType(), 1));
      call->eraseFromParent();
    }
}

// Whatever the body's attributes, a plain function of its arguments.
static void makeInstruction(Function &function) {
  function.deleteBody();
  function.setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
                                   Attribute::Speculatable, Attribute::NoCallback})
    function.addFnAttr(kind);
  function.removeFnAttr(Attribute::Convergent);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::Convergent);
}

void selectLaneInstructions(Module &module, const PassContext &context) {
  if (lanes::featuresOf(context.target).level != lanes::IsaLevel::Avx512)
    return;
  for (Function &function : module) {
    const std::optional<LaneInstruction> instruction = laneInstructionNamed(function.getName());
    if (!instruction || function.isDeclaration())
      continue;
    if (*instruction == LaneInstruction::Available)
      answerQuery(function);
    else
      makeInstruction(function);
  }
}

} // namespace lanecl::vectorizer
