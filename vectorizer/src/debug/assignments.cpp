// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/assignments.h"

#include "analysis/debug/debug_types.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Finds the elements of a vector that are written. Optimizers leave out elements that nothing reads.
class WrittenElements {
public:
  explicit WrittenElements(unsigned count) : count(count) {}

  APInt of(const Value &vector) {
    // A phi that is reached again through a loop counts as written, so that the values that enter the loop decide.
    const auto [known, added] = written_elements.try_emplace(&vector, all());
    if (!added)
      return known->second;
    const APInt written = find(vector);
    written_elements.insert_or_assign(&vector, written);
    return written;
  }

private:
  APInt all() const { return APInt::getAllOnes(count); }

  APInt find(const Value &vector) {
    if (const auto *constant = dyn_cast<Constant>(&vector))
      return ofConstant(*constant);
    if (const auto *insert = dyn_cast<InsertElementInst>(&vector))
      return ofInsertion(*insert);
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&vector))
      return ofShuffle(*shuffle);
    if (const auto *select = dyn_cast<SelectInst>(&vector))
      return of(*select->getTrueValue()) & of(*select->getFalseValue());
    APInt written = all();
    if (const auto *phi = dyn_cast<PHINode>(&vector))
      for (const Value *incoming : phi->incoming_values())
        written &= of(*incoming);
    return written;
  }

  APInt ofConstant(const Constant &constant) const {
    APInt written = all();
    for (unsigned i = 0; i < count; ++i)
      if (const Constant *element = constant.getAggregateElement(i); isa_and_nonnull<UndefValue>(element))
        written.clearBit(i);
    return written;
  }

  APInt ofInsertion(const InsertElementInst &insert) {
    APInt written = of(*insert.getOperand(0));
    const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
    if (index && index->getZExtValue() < count)
      written.setBitVal(index->getZExtValue(), !isa<UndefValue>(insert.getOperand(1)));
    return written;
  }

  APInt ofShuffle(const ShuffleVectorInst &shuffle) {
    const unsigned length = cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements();
    WrittenElements operands(length);
    const APInt first = operands.of(*shuffle.getOperand(0)), second = operands.of(*shuffle.getOperand(1));
    APInt written = all();
    for (unsigned i = 0; i < count; ++i) {
      const int from = shuffle.getMaskValue(i);
      const bool is_written = from >= 0 && (unsigned(from) < length ? first[from] : second[from - length]);
      written.setBitVal(i, is_written);
    }
    return written;
  }

  const unsigned count;
  DenseMap<const Value *, APInt> written_elements;
};

// Whether all elements of the value are written.
bool isWritten(const Value &value) {
  if (isa<UndefValue>(value))
    return false;
  const auto *type = dyn_cast<FixedVectorType>(value.getType());
  if (!type)
    return true;
  WrittenElements elements(type->getNumElements());
  return elements.of(value).isAllOnes();
}

// Returns how many bits of the variable the record assigns.
uint64_t bitsOf(const DbgVariableRecord &record) {
  const auto fragment = record.getExpression()->getFragmentInfo();
  return fragment ? fragment->SizeInBits : record.getVariable()->getSizeInBits().value_or(0);
}

// Whether the value of the record is the assigned part of the variable as it is, without further computation.
bool isComplete(const DbgVariableRecord &record) {
  if (record.isKillLocation() || record.hasArgList())
    return false;
  const DIExpression *expression = withoutAddressSpace(record.getExpression());
  const unsigned fragment_words = expression->isFragment() ? 3 : 0;
  const Value &value = *record.getVariableLocationOp(0);
  if (expression->getNumElements() != fragment_words || !isWritten(value))
    return false;
  const uint64_t bits = record.getModule()->getDataLayout().getTypeStoreSizeInBits(value.getType());
  return value.getType()->isVectorTy() ? bits <= bitsOf(record) // a vector of 3 has the size of one of 4
                                       : bits == bitsOf(record);
}

Type *typeOf(const Assignments &assignments) {
  Type *type = assignments.front()->getVariableLocationOp(0)->getType();
  const bool is_one_value = all_of(assignments, [&](const DbgVariableRecord *record) {
    return !record->getExpression()->isFragment() && record->getVariableLocationOp(0)->getType() == type;
  });
  const uint64_t bits = assignments.front()->getVariable()->getSizeInBits().value_or(0);
  return is_one_value ? type : ArrayType::get(Type::getInt8Ty(type->getContext()), divideCeil(bits, 8));
}

} // namespace

bool areComplete(const Assignments &assignments) {
  return all_of(assignments, [](const DbgVariableRecord *record) { return isComplete(*record); });
}

AllocaInst *makeMemory(Function &function, const Assignments &assignments) {
  assert(!assignments.empty() && areComplete(assignments) && "the memory holds all that the source assigns");
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *memory =
      builder.CreateAlloca(typeOf(assignments), nullptr, assignments.front()->getVariable()->getName() + ".values");
  memory->setAlignment(Align(16));
  for (DbgVariableRecord *record : assignments) {
    const auto fragment = record->getExpression()->getFragmentInfo();
    builder.SetInsertPoint(record->getMarker()->MarkedInstr);
    builder.SetCurrentDebugLocation(DebugLoc()); // the store belongs to no statement
    Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, fragment ? fragment->OffsetInBits / 8 : 0);
    builder.CreateAlignedStore(record->getVariableLocationOp(0), place, Align(1));
  }
  return memory;
}

} // namespace lanecl::vectorizer
