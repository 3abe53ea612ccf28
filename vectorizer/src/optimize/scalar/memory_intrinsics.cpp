// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/memory_intrinsics.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr uint64_t kUnrolledElements = 64; // more elements become a loop

// Returns the common size in bytes of all scalars in a type, or 0 if they differ.
uint64_t scalarBytes(Type *type, const DataLayout &layout) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return scalarBytes(array->getElementType(), layout);
  if (auto *structure = dyn_cast<StructType>(type)) {
    uint64_t bytes = structure->getNumElements() == 0 ? 0 : scalarBytes(structure->getElementType(0), layout);
    for (Type *element : structure->elements())
      if (scalarBytes(element, layout) != bytes)
        return 0;
    return bytes;
  }
  return layout.getTypeStoreSize(type->getScalarType());
}

constexpr uint64_t kWord = 4; // bytes copied at a time where no private variable is involved

// Returns the size of the elements to copy by. It is the element size of the private variable that the intrinsic
// accesses, if there is one, so that the variable can be laid out lane-innermost. It is halved until it divides the
// length.
uint64_t elementBytes(const MemIntrinsic &intrinsic, const DataLayout &layout) {
  uint64_t alignment = intrinsic.getDestAlign().valueOrOne().value();
  SmallVector<const Value *, 2> pointers{intrinsic.getRawDest()};
  if (auto *copy = dyn_cast<MemTransferInst>(&intrinsic)) {
    alignment = std::min(alignment, copy->getSourceAlign().valueOrOne().value());
    pointers.push_back(copy->getRawSource());
  }
  uint64_t bytes = kWord;
  for (const Value *pointer : pointers)
    if (auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer))) {
      if (uint64_t element = scalarBytes(variable->getAllocatedType(), layout); isPowerOf2_64(element) && element <= 8)
        bytes = element;
      bytes = std::min(bytes, alignment);
    }
  auto *length = dyn_cast<ConstantInt>(intrinsic.getLength());
  while (bytes > 1 && (!length || length->getZExtValue() % bytes != 0))
    bytes /= 2;
  assert(isPowerOf2_64(bytes) && bytes <= 8 && "elements are as far apart as an array's");
  return bytes;
}

// Replaces one intrinsic.
class Expansion {
public:
  Expansion(MemIntrinsic &intrinsic, const DataLayout &layout)
      : intrinsic(intrinsic), builder(&intrinsic), bytes(elementBytes(intrinsic, layout)),
        element(builder.getIntNTy(bytes * 8)) {}

  void run();

private:
  Value *address(Value *base, Value *index) { return builder.CreateInBoundsGEP(element, base, index); }
  Value *load(Value *index);
  void store(Value *value, Value *index);
  void keepAliasScopes(Instruction &access) {
    access.copyMetadata(intrinsic, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  }
  void unroll(uint64_t count);
  void loop(Value *count, bool backwards);
  void moveByDirection(Value *count);

  MemIntrinsic &intrinsic;
  IRBuilder<> builder;
  uint64_t bytes;
  Type *element;
};

// Returns element `index` of the source, or the repeated byte of a memset.
Value *Expansion::load(Value *index) {
  if (auto *copy = dyn_cast<MemTransferInst>(&intrinsic)) {
    const Align alignment = commonAlignment(copy->getSourceAlign().valueOrOne(), bytes);
    LoadInst *value =
        builder.CreateAlignedLoad(element, address(copy->getRawSource(), index), alignment, intrinsic.isVolatile());
    keepAliasScopes(*value);
    return value;
  }
  Value *byte = cast<MemSetInst>(intrinsic).getValue();
  if (bytes == 1)
    return byte;
  APInt ones = APInt::getSplat(bytes * 8, APInt(8, 1));
  return builder.CreateMul(builder.CreateZExt(byte, element), ConstantInt::get(element, ones));
}

// Stores an element of the destination.
void Expansion::store(Value *value, Value *index) {
  const Align alignment = commonAlignment(intrinsic.getDestAlign().valueOrOne(), bytes);
  StoreInst *made =
      builder.CreateAlignedStore(value, address(intrinsic.getRawDest(), index), alignment, intrinsic.isVolatile());
  keepAliasScopes(*made);
}

// Emits all loads before all stores, which is correct for memmove, too.
void Expansion::unroll(uint64_t count) {
  SmallVector<Value *> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(load(builder.getInt64(i)));
  for (uint64_t i = 0; i < count; ++i)
    store(values[i], builder.getInt64(i));
}

// Emits a loop over `count` elements, from the last to the first if `backwards`; none if the count is 0.
void Expansion::loop(Value *count, bool backwards) {
  Value *empty = builder.CreateICmpEQ(count, builder.getInt64(0));
  Instruction *here = &*builder.GetInsertPoint();
  Instruction *in_loop = SplitBlockAndInsertIfThen(builder.CreateNot(empty), here, false);
  BasicBlock *before = in_loop->getParent()->getSinglePredecessor();
  BasicBlock *body = in_loop->getParent(), *after = here->getParent();
  body->setName("copy");
  in_loop->eraseFromParent();
  builder.SetInsertPoint(body);
  builder.SetCurrentDebugLocation(intrinsic.getDebugLoc());
  PHINode *step = builder.CreatePHI(builder.getInt64Ty(), 2);
  Value *next = builder.CreateAdd(step, builder.getInt64(1), "", true, true);
  Value *index = backwards ? builder.CreateSub(count, next) : step;
  store(load(index), index);
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), after, body);
  step->addIncoming(builder.getInt64(0), before);
  step->addIncoming(next, body);
  builder.SetInsertPoint(here);
}

// Copies memory that may overlap: from the last element if the destination is above the source, else from the first.
void Expansion::moveByDirection(Value *count) {
  Value *from = builder.CreatePtrToInt(cast<MemTransferInst>(intrinsic).getRawSource(), builder.getInt64Ty());
  Value *to = builder.CreatePtrToInt(intrinsic.getRawDest(), builder.getInt64Ty());
  Instruction *forwards, *backwards;
  SplitBlockAndInsertIfThenElse(builder.CreateICmpULT(from, to), &intrinsic, &backwards, &forwards);
  builder.SetInsertPoint(backwards);
  loop(count, true);
  builder.SetInsertPoint(forwards);
  loop(count, false);
}

// Copies unrolled, in a loop from the first element on, or for memmove in the direction that overlapping memory allows.
void Expansion::run() {
  Value *length = builder.CreateZExtOrTrunc(intrinsic.getLength(), builder.getInt64Ty());
  Value *count = builder.CreateUDiv(length, builder.getInt64(bytes));
  auto *known = dyn_cast<ConstantInt>(count);
  if (known && known->getZExtValue() <= kUnrolledElements)
    unroll(known->getZExtValue());
  else if (isa<MemMoveInst>(intrinsic))
    moveByDirection(count);
  else {
    assert(!isa<MemMoveInst>(intrinsic) && "memory that may overlap has a direction");
    loop(count, false);
  }
  intrinsic.eraseFromParent();
}

} // namespace

PreservedAnalyses MemoryIntrinsicsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<MemIntrinsic *> work;
  for (Instruction &instruction : instructions(function))
    if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
      work.push_back(intrinsic);
  for (MemIntrinsic *intrinsic : work)
    Expansion(*intrinsic, function.getDataLayout()).run();
  return work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
