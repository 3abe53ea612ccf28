// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/values/excess_precision.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kExcess = "lanecl.excess";

// Whether the function has one return and returns the result of an `fptrunc`.
static bool endsWithRounding(const Function &function) {
  const auto returns =
      make_filter_range(function, [](const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); });
  return hasSingleElement(returns) &&
         isa_and_nonnull<FPTruncInst>(cast<ReturnInst>((*returns.begin()).getTerminator())->getReturnValue());
}

bool isRelaxed(const Value &operation) {
  const auto *math = dyn_cast<FPMathOperator>(&operation);
  return math && math->hasAllowReassoc() && math->hasAllowContract();
}

bool endsWithExcess(const CallBase &call) {
  assert(call.getCalledFunction() != nullptr && "a call that is about to be inlined");
  return isHalf(call.getType()) && isRelaxed(call) &&
         any_of(call.args(), [](const Use &argument) { return isHalf(argument->getType()); }) &&
         endsWithRounding(*call.getCalledFunction());
}

void permitExcess(Value &rounding) {
  if (auto *instruction = dyn_cast<FPTruncInst>(&rounding))
    instruction->setMetadata(kExcess, MDNode::get(instruction->getContext(), {}));
}

Value *excessBehind(Value &half) {
  auto *rounding = dyn_cast<FPTruncInst>(&half);
  return rounding && rounding->hasMetadata(kExcess) && isHalf(rounding->getType()) &&
                 rounding->getSrcTy()->getScalarType()->isFloatTy()
             ? rounding->getOperand(0)
             : nullptr;
}

} // namespace lanecl::vectorizer
