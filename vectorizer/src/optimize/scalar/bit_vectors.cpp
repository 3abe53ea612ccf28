// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/bit_vectors.h"

#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr uint64_t kWidestElement = 64; // bits

// Returns an integer or vector type of the same size to access memory with; null if the access can stay as it is.
Type *wholeBytes(Type *type, Align align) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || vector->getScalarSizeInBits() % 8 == 0) // a pointer has 0
    return nullptr;
  const uint64_t bits = uint64_t{vector->getNumElements()} * vector->getScalarSizeInBits();
  if (bits % 8 != 0)
    return nullptr; // such vectors do not come from loads of bytes
  assert(bits != 0 && "a vector has elements");
  uint64_t element = std::min(align.value() * 8, kWidestElement);
  while (bits % element != 0)
    element /= 2;
  Type *integer = IntegerType::get(type->getContext(), static_cast<unsigned>(element));
  return bits == element ? integer : FixedVectorType::get(integer, static_cast<unsigned>(bits / element));
}

// Copies the metadata that makes promises about aliasing and memory.
void keepPromises(Instruction &made, const Instruction &access) {
  made.copyMetadata(access, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                             LLVMContext::MD_invariant_load, LLVMContext::MD_nontemporal});
}

// Loads whole bytes and casts them to the vector.
bool changeLoad(LoadInst &load) {
  Type *type = wholeBytes(load.getType(), load.getAlign());
  if (!type)
    return false;
  IRBuilder<> b(&load);
  LoadInst *made = b.CreateAlignedLoad(type, load.getPointerOperand(), load.getAlign(), load.isVolatile());
  keepPromises(*made, load);
  load.replaceAllUsesWith(b.CreateBitCast(made, load.getType(), load.getName()));
  load.eraseFromParent();
  return true;
}

// Casts the vector to whole bytes and stores these.
bool changeStore(StoreInst &store) {
  Value *value = store.getValueOperand();
  Type *type = wholeBytes(value->getType(), store.getAlign());
  if (!type)
    return false;
  IRBuilder<> b(&store);
  Value *bits = b.CreateBitCast(b.CreateFreeze(value), type); // one poison bit must not spoil the others
  StoreInst *made = b.CreateAlignedStore(bits, store.getPointerOperand(), store.getAlign(), store.isVolatile());
  keepPromises(*made, store);
  store.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses BitVectorsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      changed |= changeLoad(*load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      changed |= changeStore(*store);
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
