// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/running_extremes.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Returns the call if the value is a maxnum or minnum, whose result is NaN only if both operands are.
IntrinsicInst *asExtreme(Value &value) {
  auto *call = dyn_cast<IntrinsicInst>(&value);
  const bool is_extreme =
      call && (call->getIntrinsicID() == Intrinsic::maxnum || call->getIntrinsicID() == Intrinsic::minnum);
  return is_extreme ? call : nullptr;
}

// Returns whether the instruction's result is a number whenever its operands are numbers.
bool dependsOnOperands(Instruction &instruction) {
  return instruction.getType()->isFPOrFPVectorTy() &&
         (isa<PHINode, SelectInst, FPExtInst, FPTruncInst>(instruction) || asExtreme(instruction));
}

// The values that are not NaN in any lane.
class Numbers {
public:
  explicit Numbers(Function &function) : query(function.getDataLayout()) {
    for (Instruction &instruction : instructions(function))
      if (dependsOnOperands(instruction))
        dependent.insert(&instruction);
    found.insert_range(dependent);
    removeOthers();
  }

  bool contains(Value &value) const {
    auto *instruction = dyn_cast<Instruction>(&value);
    return instruction && dependent.contains(instruction) ? found.contains(instruction)
                                                          : isKnownNeverNaN(&value, query);
  }

private:
  // Returns whether the instruction's result is a number, by what is known of its operands.
  bool followsFromOperands(Instruction &instruction) const {
    const auto is_number = [&](Value *operand) { return contains(*operand); };
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return all_of(phi->incoming_values(), is_number);
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return is_number(select->getTrueValue()) && is_number(select->getFalseValue());
    if (IntrinsicInst *extreme = asExtreme(instruction))
      return any_of(extreme->args(), is_number);
    return is_number(instruction.getOperand(0));
  }

  // Removes those that are not numbers. All are assumed to be numbers until an operand is not known to be one, so that
  // a phi may depend on itself.
  void removeOthers() {
    while (found.remove_if([&](Instruction *instruction) { return !followsFromOperands(*instruction); }))
      ;
  }

  SimplifyQuery query;
  SmallSetVector<Instruction *, 16> dependent, found;
};

// An extreme that can be replaced.
struct Found {
  IntrinsicInst *extreme;
  unsigned number; // which operand is known to be a number
};

// Finds the extremes with an operand that is known to be a number.
SmallVector<Found> find(Function &function) {
  const Numbers numbers(function);
  SmallVector<Found> result;
  for (Instruction &instruction : instructions(function))
    if (IntrinsicInst *extreme = asExtreme(instruction))
      for (unsigned operand : {0U, 1U})
        if (numbers.contains(*extreme->getArgOperand(operand))) {
          result.push_back({extreme, operand});
          break;
        }
  return result;
}

// Selects the other operand if it is beyond the number. The comparison is false if the other operand is NaN.
void replace(IntrinsicInst &extreme, Value &number, Value &other) {
  IRBuilder<> b(&extreme);
  const bool is_maximum = extreme.getIntrinsicID() == Intrinsic::maxnum;
  Value *is_beyond = b.CreateFCmp(is_maximum ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT, &other, &number);
  Value *result = b.CreateSelect(is_beyond, &other, &number);
  result->takeName(&extreme);
  extreme.replaceAllUsesWith(result);
  extreme.eraseFromParent();
}

} // namespace

PreservedAnalyses RunningExtremesPass::run(Function &function, FunctionAnalysisManager &) {
  const SmallVector<Found> found = find(function);
  for (const auto &[extreme, number] : found)
    replace(*extreme, *extreme->getArgOperand(number), *extreme->getArgOperand(1 - number));
  return preservedWithCfg(!found.empty());
}

} // namespace lanecl::vectorizer
