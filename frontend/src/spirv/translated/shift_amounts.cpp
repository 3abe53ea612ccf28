// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translated/shift_amounts.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <bit>

namespace lanecl::frontend::spirv {
namespace {

// The mask has the location of the shift, which tells checks that it is not one of the program's own.
void maskAmount(llvm::BinaryOperator &shift) {
  const unsigned width = shift.getType()->getScalarSizeInBits();
  llvm::Value *amount = shift.getOperand(1);
  if (!std::has_single_bit(width) || llvm::computeKnownBits(amount, shift.getDataLayout()).getMaxValue().ult(width))
    return;
  llvm::Constant *most = llvm::ConstantInt::get(amount->getType(), width - 1);
  auto *mask = llvm::BinaryOperator::CreateAnd(amount, most, "", shift.getIterator());
  mask->setDebugLoc(shift.getDebugLoc());
  shift.setOperand(1, mask);
}

} // namespace

void maskShiftAmounts(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isShift())
        maskAmount(llvm::cast<llvm::BinaryOperator>(instruction));
}

} // namespace lanecl::frontend::spirv
