// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/lane_instructions.h"

#include "analysis/values/lane_instructions.h"
#include "lanes/target_features.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Replaces the calls of a query function by 1: the processor has what is asked for.
static void answerQuery(Function &function) {
  for (User *user : make_early_inc_range(function.users()))
    if (auto *call = dyn_cast<CallInst>(user)) {
      call->replaceAllUsesWith(ConstantInt::get(call->getType(), 1));
      call->eraseFromParent();
    }
}

// Makes the function a declaration and a plain function of its arguments, whatever attributes its body had.
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

// Selects the function if this processor has the instruction; otherwise its body is used.
static void select(Function &function, LaneInstruction instruction, const lanes::TargetFeatures &target) {
  const bool is_avx512 = target.level == lanes::IsaLevel::Avx512;
  switch (instruction) {
  case LaneInstruction::HalfArithmetic:
    if (target.fp16)
      answerQuery(function);
    break;
  case LaneInstruction::Available:
    if (is_avx512)
      answerQuery(function);
    break;
  case LaneInstruction::RoughReciprocal:
  case LaneInstruction::RoughReciprocalRoot: makeInstruction(function); break;
  default:
    if (is_avx512)
      makeInstruction(function);
  }
}

void selectLaneInstructions(Module &module, const PassContext &context) {
  const lanes::TargetFeatures target = lanes::featuresOf(context.target);
  for (Function &function : module)
    if (const std::optional<LaneInstruction> instruction = laneInstructionNamed(function.getName());
        instruction && !function.isDeclaration())
      select(function, *instruction, target);
}

} // namespace lanecl::vectorizer
