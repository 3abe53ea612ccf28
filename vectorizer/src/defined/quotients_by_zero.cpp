// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/quotients_by_zero.h"

#include "analysis/debug_markers.h"
#include "analysis/safe_divisor.h"
#include "pass_support/preserved.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Which values are 0 whenever they are computed.
class Zeros {
public:
  bool isZero(const Value &value, unsigned depth = 0);

private:
  bool isZeroResult(const Instruction &instruction, unsigned depth);
  bool isZeroVariable(const AllocaInst &variable, unsigned depth);
  bool keepsZero(const User &user, const AllocaInst &variable, unsigned depth);

  DenseMap<const AllocaInst *, bool> variables;
};

bool Zeros::isZero(const Value &value, unsigned depth) {
  constexpr unsigned kDeep = 12;
  if (const auto *constant = dyn_cast<Constant>(&value))
    return constant->isNullValue();
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction != nullptr && depth < kDeep && isZeroResult(*instruction, depth + 1);
}

bool Zeros::isZeroResult(const Instruction &instruction, unsigned depth) {
  const auto isZeroOperand = [&](unsigned i) { return isZero(*instruction.getOperand(i), depth); };
  switch (instruction.getOpcode()) {
  case Instruction::Load: {
    const auto *variable = dyn_cast<AllocaInst>(instruction.getOperand(0)->stripPointerCasts());
    return variable != nullptr && isZeroVariable(*variable, depth);
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
  case Instruction::UDiv: // by what safe-division has made
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: return isZeroOperand(0);
  case Instruction::Mul:
  case Instruction::And: return isZeroOperand(0) || isZeroOperand(1);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
  case Instruction::Xor: return isZeroOperand(0) && isZeroOperand(1);
  case Instruction::Select: return isZeroOperand(1) && isZeroOperand(2);
  case Instruction::Call: return isQuotientByZero(instruction) && isZeroOperand(0);
  default: return false;
  }
}

// Whether nothing else is ever stored in a variable whose address is not handed over.
bool Zeros::isZeroVariable(const AllocaInst &variable, unsigned depth) {
  const auto [known, is_new] = variables.try_emplace(&variable, false); // meanwhile, for one that depends on itself
  if (!is_new)
    return known->second;
  const bool is_zero = all_of(variable.users(), [&](const User *user) { return keepsZero(*user, variable, depth); });
  return variables[&variable] = is_zero;
}

bool Zeros::keepsZero(const User &user, const AllocaInst &variable, unsigned depth) {
  if (const auto *store = dyn_cast<StoreInst>(&user))
    return store->getValueOperand() != &variable && isZero(*store->getValueOperand(), depth);
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
  return isa<LoadInst>(user) || (intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd()) ||
         isDebugMarker(user, DebugMarker::Variable);
}

} // namespace

PreservedAnalyses QuotientsByZeroPass::run(Function &function, FunctionAnalysisManager &) {
  Zeros zeros;
  SmallVector<std::pair<CallInst *, Constant *>> chosen;
  for (Instruction &instruction : instructions(function))
    if (isQuotientByZero(instruction)) {
      auto &call = cast<CallInst>(instruction);
      Type *type = call.getType();
      chosen.emplace_back(&call, zeros.isZero(*call.getArgOperand(0)) ? Constant::getNullValue(type)
                                                                      : Constant::getAllOnesValue(type));
    }
  for (auto [call, quotient] : chosen) {
    call->replaceAllUsesWith(quotient);
    call->eraseFromParent();
  }
  return preservedWithCfg(!chosen.empty());
}

} // namespace lanecl::vectorizer
