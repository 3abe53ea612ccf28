// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/half_chains.h"

#include "analysis/values/excess_precision.h"
#include "lanes/target_features.h"
#include "optimize/scalar/half_arrays.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Returns float for half, and a vector of floats for a vector of halves.
Type *floatLike(Type *half) {
  return half->getWithNewType(Type::getFloatTy(half->getContext()));
}

// Returns whether the instruction is an operator or function that float has, too.
bool isArithmetic(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv: return true;
  case Instruction::Call: break;
  default: return false;
  }
  switch (cast<CallInst>(instruction).getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::sqrt: return true;
  default: return false;
  }
}

// Returns whether the value is a phi or select of halves, which can choose among floats instead.
bool isChoice(const Value &value) {
  return (isa<PHINode>(value) || isa<SelectInst>(value)) && isHalf(value.getType());
}

// Returns the operands that a phi or select chooses among.
auto choicesOf(Instruction &choice) {
  auto *select = dyn_cast<SelectInst>(&choice);
  return make_range(choice.op_begin() + (select ? 1 : 0), choice.op_end());
}

// Changes the chains of one function in steps: operations to float, arrays to float, webs of phis and selects to float;
// then extensions of values that were rounded from float are dropped.
class Chains {
public:
  Chains(Function &function, bool is_debugged)
      : function(function), b(function.getContext()), is_debugged(is_debugged) {}

  // Returns whether the function changed.
  bool run() {
    bool changed = computeInFloat();
    changed |= !is_debugged && carryArraysInFloat(function);
    changed |= carryInFloat();
    changed |= forwardExcess();
    if (changed)
      eraseUnused();
    return changed;
  }

private:
  using Choices = SmallVector<Instruction *, 8>;

  // Rounds to half and notes that the rounding may be left out.
  Value *round(Value *value, Type *type) {
    assert(isHalf(type) && value->getType() == floatLike(type) && "a float becomes a half");
    Value *half = b.CreateFPTrunc(value, type);
    permitExcess(*half);
    return half;
  }

  // Turns each relaxed operation into extensions, the operation in float, and a rounding that may be left out.
  bool computeInFloat() {
    bool changed = false;
    for (Instruction &operation : make_early_inc_range(instructions(function)))
      if (isHalf(operation.getType()) && isArithmetic(operation) && isRelaxed(operation)) {
        computeInFloat(operation);
        changed = true;
      }
    return changed;
  }

  // Replaces the operation by the same one of float, with extended operands and a rounded result.
  void computeInFloat(Instruction &operation) {
    b.SetInsertPoint(&operation);
    Type *type = operation.getType();
    SmallVector<Value *, 3> operands;
    auto *call = dyn_cast<CallInst>(&operation);
    for (Value *operand : make_range(operation.op_begin(), call ? call->arg_end() : operation.op_end()))
      operands.push_back(b.CreateFPExt(operand, floatLike(type)));
    Value *result = call ? b.CreateIntrinsic(call->getIntrinsicID(), {floatLike(type)}, operands)
                         : b.CreateNAryOp(operation.getOpcode(), operands);
    if (auto *math = dyn_cast<Instruction>(result))
      math->copyFastMathFlags(&operation);
    Value *half = round(result, type);
    half->takeName(&operation);
    operation.replaceAllUsesWith(half);
    operation.eraseFromParent();
  }

  // Carries webs of phis and selects in float. A web is a set of phis and selects that choose among each other's
  // results. It is carried in float if it takes results with excess precision and feeds such operations.
  bool carryInFloat() {
    EquivalenceClasses<Instruction *> webs;
    for (Instruction &choice : instructions(function)) {
      if (!isChoice(choice))
        continue;
      webs.insert(&choice);
      for (Value *source : choicesOf(choice))
        if (isChoice(*source))
          webs.unionSets(&choice, cast<Instruction>(source));
    }
    MapVector<Instruction *, Choices> by_leader;
    for (Instruction &choice : instructions(function))
      if (isChoice(choice))
        by_leader[webs.getLeaderValue(&choice)].push_back(&choice);
    bool changed = false;
    for (auto &[leader, web] : by_leader)
      if (isWorthwhile(web)) {
        carryInFloat(web);
        changed = true;
      }
    return changed;
  }

  // Returns whether a web takes results with excess precision and some operation extends its result.
  static bool isWorthwhile(const Choices &web) {
    bool has_excess = false, is_extended = false;
    for (Instruction *choice : web) {
      has_excess |= any_of(choicesOf(*choice), [](Value *source) { return excessBehind(*source) != nullptr; });
      is_extended |= any_of(choice->users(), [](const User *user) { return isa<FPExtInst>(user); });
    }
    return has_excess && is_extended;
  }

  // Replaces a web by phis and selects of float. All of them are created before any gets its operands, because they may
  // refer to each other.
  void carryInFloat(const Choices &web) {
    MapVector<Value *, Value *> floats;
    for (Instruction *choice : web) {
      b.SetInsertPoint(choice);
      Type *type = floatLike(choice->getType());
      if (auto *phi = dyn_cast<PHINode>(choice)) {
        floats[choice] = b.CreatePHI(type, phi->getNumIncomingValues());
      } else {
        Value *any = PoisonValue::get(type);
        floats[choice] = SelectInst::Create(choice->getOperand(0), any, any, "", choice->getIterator());
        cast<Instruction>(floats[choice])->copyIRFlags(choice);
        cast<Instruction>(floats[choice])->setDebugLoc(choice->getDebugLoc());
      }
    }
    for (Instruction *choice : web)
      fill(*choice, *cast<Instruction>(floats[choice]), floats);
    for (Instruction *choice : web) {
      auto *carried = cast<Instruction>(floats[choice]);
      b.SetInsertPoint(*carried->getInsertionPointAfterDef());
      b.SetCurrentDebugLocation(choice->getDebugLoc());
      choice->replaceAllUsesWith(round(carried, choice->getType()));
    }
    for (Instruction *choice : web)
      choice->eraseFromParent();
  }

  // Gives the float phi or select its operands, once all of the web's members have a float form.
  void fill(Instruction &choice, Instruction &carried, MapVector<Value *, Value *> &floats) {
    if (auto *phi = dyn_cast<PHINode>(&choice)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(carried).addIncoming(floatOf(phi->getIncomingValue(i), floats), phi->getIncomingBlock(i));
      return;
    }
    carried.setOperand(1, floatOf(choice.getOperand(1), floats));
    carried.setOperand(2, floatOf(choice.getOperand(2), floats));
  }

  // Returns the float of a half: one of the web, the float that was rounded to it, or its extension.
  Value *floatOf(Value *half, MapVector<Value *, Value *> &floats) {
    Value *&known = floats[half];
    if (known)
      return known;
    if (Value *value = excessBehind(*half))
      return known = value;
    if (auto *definition = dyn_cast<Instruction>(half))
      b.SetInsertPoint(*definition->getInsertionPointAfterDef());
    else
      b.SetInsertPointPastAllocas(&function);
    return known = b.CreateFPExt(half, floatLike(half->getType()));
  }

  // Removes each pair of a rounding that may be left out and the extension of its result.
  bool forwardExcess() {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *extension = dyn_cast<FPExtInst>(&instruction);
      Value *value = extension ? excessBehind(*extension->getOperand(0)) : nullptr;
      if (!value)
        continue;
      b.SetInsertPoint(extension);
      extension->replaceAllUsesWith(b.CreateFPCast(value, extension->getType()));
      extension->eraseFromParent();
      changed = true;
    }
    return changed;
  }

  // Erases the roundings whose results only extensions used.
  void eraseUnused() {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isa<FPTruncInst>(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
  }

  Function &function;
  IRBuilder<> b;
  const bool is_debugged; // the debugger shows private arrays, so they keep their type
};

} // namespace

PreservedAnalyses HalfChainsPass::run(Function &function, FunctionAnalysisManager &) {
  if (lanes::featuresOf(context.target).fp16)
    return PreservedAnalyses::all();
  return preservedWithCfg(Chains(function, context.debug).run());
}

} // namespace lanecl::vectorizer
