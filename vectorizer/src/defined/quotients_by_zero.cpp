// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/quotients_by_zero.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/values/safe_divisor.h"
#include "pass_support/preserved.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Finds the values that are 0 whenever they are computed, and the variables that hold nothing else. The search is
// optimistic: at first all count as such. Each one for which holds() is false is taken out, and the rules are applied
// again to its users.
class Zeros {
public:
  explicit Zeros(Function &function);
  bool isZero(const Value &value) const;

private:
  bool holds(const Instruction &instruction) const;
  bool isFoldedToZero(const Instruction &instruction) const;
  bool keepsZero(const Value &pointer) const;
  void ask(const Instruction &instruction);
  void askUsers(const Instruction &instruction);

  const DataLayout &layout;
  // The values that are not always 0.
  DenseSet<const Value *> others;
  // The values among `others` whose users have not been asked again yet.
  SmallVector<const Instruction *> changed;
};

// Whether the pointer is a variable or is computed from one. Such a pointer counts as 0 as long as the variable holds
// only zeros.
bool isOfVariable(const Value &pointer) {
  return isa<AllocaInst, GetElementPtrInst, AddrSpaceCastInst>(pointer);
}

Zeros::Zeros(Function &function) : layout(function.getDataLayout()) {
  for (const Instruction &instruction : instructions(function))
    ask(instruction);
  while (!changed.empty())
    askUsers(*changed.pop_back_val());
}

bool Zeros::isZero(const Value &value) const {
  if (const auto *constant = dyn_cast<Constant>(&value))
    return constant->isNullValue();
  return isa<Instruction>(value) && !others.contains(&value);
}

// Takes an instruction out if the rules no longer hold for it.
void Zeros::ask(const Instruction &instruction) {
  if (!others.contains(&instruction) && !holds(instruction)) {
    others.insert(&instruction);
    changed.push_back(&instruction);
  }
}

// Applies the rules again to the users of a value that is not always 0. For a store, that is the pointer by which it
// writes. From a pointer that is written with something else, the rules go on to the pointer from which it is computed,
// and from there to all that are computed from that one.
void Zeros::askUsers(const Instruction &instruction) {
  const auto askPointer = [&](const Value *pointer) {
    if (const auto *computed = dyn_cast<Instruction>(pointer))
      ask(*computed);
  };
  for (const User *user : instruction.users()) {
    ask(*cast<Instruction>(user));
    if (const auto *store = dyn_cast<StoreInst>(user))
      askPointer(store->getPointerOperand());
  }
  if (isOfVariable(instruction) && !isa<AllocaInst>(instruction))
    askPointer(instruction.getOperand(0));
}

// The rules: whether the instruction is 0 if its operands that count as 0 are.
bool Zeros::holds(const Instruction &instruction) const {
  const auto isZeroOperand = [&](unsigned i) { return isZero(*instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
  case Instruction::Alloca: return keepsZero(instruction);
  case Instruction::GetElementPtr:
  case Instruction::AddrSpaceCast:
    return isOfVariable(*instruction.getOperand(0)) && isZeroOperand(0) && keepsZero(instruction);
  case Instruction::Load: return isOfVariable(*instruction.getOperand(0)) && isZeroOperand(0);
  // The divisor is never 0, as safe-division has made it.
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::Freeze: return isZeroOperand(0);
  case Instruction::Mul:
  case Instruction::And: return isZeroOperand(0) || isZeroOperand(1);
  case Instruction::Select: return isZeroOperand(1) && isZeroOperand(2);
  case Instruction::PHI:
    return all_of(cast<PHINode>(instruction).incoming_values(), [&](const Value *value) { return isZero(*value); });
  default: return isQuotientByZero(instruction) ? isZeroOperand(0) : isFoldedToZero(instruction);
  }
}

// Whether the result is 0 for operands of 0 and constants: max(x, 0) is, and so is x > 3.
bool Zeros::isFoldedToZero(const Instruction &instruction) const {
  if (!instruction.getType()->isIntOrIntVectorTy() || instruction.mayReadOrWriteMemory())
    return false;
  SmallVector<Constant *> operands;
  for (Value *operand : const_cast<Instruction &>(instruction).operands()) {
    auto *constant = dyn_cast<Constant>(operand);
    if (constant == nullptr && !isZero(*operand))
      return false;
    operands.push_back(constant != nullptr ? constant : Constant::getNullValue(operand->getType()));
  }
  const Constant *result = ConstantFoldInstOperands(const_cast<Instruction *>(&instruction), operands, layout);
  return result != nullptr && result->isNullValue();
}

// Whether only zeros are stored by the pointer, and nothing else gets hold of it.
bool Zeros::keepsZero(const Value &pointer) const {
  return all_of(pointer.users(), [&](const User *user) {
    if (const auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &pointer && isZero(*store->getValueOperand());
    if (const auto *fill = dyn_cast<MemSetInst>(user))
      return isZero(*fill->getValue());
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return isZero(*user);
    const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    return isa<LoadInst>(user) || (intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd()) ||
           isDebugMarker(*user, DebugMarker::Variable);
  });
}

} // namespace

PreservedAnalyses QuotientsByZeroPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (isQuotientByZero(instruction))
      calls.push_back(cast<CallInst>(&instruction));
  if (calls.empty())
    return PreservedAnalyses::all();
  const Zeros zeros(function);
  // All quotients are chosen before the first call is replaced.
  SmallVector<Constant *> quotients;
  for (CallInst *call : calls)
    quotients.push_back(zeros.isZero(*call->getArgOperand(0)) ? Constant::getNullValue(call->getType())
                                                              : Constant::getAllOnesValue(call->getType()));
  for (auto [call, quotient] : zip_equal(calls, quotients)) {
    call->replaceAllUsesWith(quotient);
    call->eraseFromParent();
  }
  return preservedWithCfg(true);
}

} // namespace lanecl::vectorizer
