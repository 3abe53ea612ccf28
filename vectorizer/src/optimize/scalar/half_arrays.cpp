// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/half_arrays.h"

#include "analysis/values/excess_precision.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// One private array that may become an array of floats. All offsets and alignments double.
class HalfArray {
public:
  explicit HalfArray(AllocaInst &array) : array(array), b(array.getContext()) {}

  // Returns whether the array can be changed and some store to it has excess precision.
  bool isWorthwhile() {
    const auto *type = dyn_cast<ArrayType>(array.getAllocatedType());
    return type && type->getElementType()->isHalfTy() && array.isStaticAlloca() && collect(array) && has_excess;
  }

  // Creates the array of floats, and the counterpart of each user of the array of halves.
  void carryInFloat() {
    b.SetInsertPoint(&array);
    AllocaInst *floats = b.CreateAlloca(twiceAsLarge(array.getAllocatedType()));
    floats->takeName(&array);
    floats->setAlignment(std::max(twice(array.getAlign()), Align(sizeof(float))));
    moved[&array] = floats;
    for (Instruction *user : users) // pointers come before their users
      move(*user);
    for (Instruction *user : reverse(users))
      user->eraseFromParent();
    array.eraseFromParent();
  }

private:
  // Collects all users of a pointer into the array. Returns false if one of them is not understood.
  bool collect(Instruction &pointer) {
    return all_of(pointer.uses(), [&](const Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      if (!isSeen(*user, use))
        return false;
      users.push_back(user);
      return !isa<GetElementPtrInst>(user) || collect(*user);
    });
  }

  // Returns whether the user is address arithmetic or an access that has a counterpart of floats.
  bool isSeen(Instruction &user, const Use &use) {
    if (const auto *gep = dyn_cast<GetElementPtrInst>(&user))
      return &use == &gep->getOperandUse(0) && !gep->getType()->isVectorTy() &&
             twiceAsLarge(gep->getSourceElementType()) != nullptr;
    if (const auto *load = dyn_cast<LoadInst>(&user))
      return load->isSimple() && (isHalf(load->getType()) || isBitsOfHalves(load->getType()));
    if (auto *store = dyn_cast<StoreInst>(&user)) {
      Value *value = store->getValueOperand();
      has_excess |= excessBehind(*value) != nullptr;
      return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             (isHalf(value->getType()) || isZeroOfHalves(*value));
    }
    return user.isLifetimeStartOrEnd();
  }

  // Returns whether the value is the zero integer that an expanded memset stores.
  static bool isZeroOfHalves(const Value &value) {
    const auto *zero = dyn_cast<ConstantInt>(&value);
    return zero && zero->isZero() && zero->getBitWidth() % 16 == 0;
  }

  static bool isBitsOfHalves(const Type *type) {
    return type->isIntOrIntVectorTy() && type->getPrimitiveSizeInBits() % 16 == 0;
  }

  static Align twice(Align align) { return Align(2 * align.value()); }

  // Returns the type twice as large, by which address arithmetic steps; null for types that arrays of halves do not
  // have.
  static Type *twiceAsLarge(Type *type) {
    LLVMContext &llvm = type->getContext();
    if (type->isHalfTy())
      return Type::getFloatTy(llvm);
    if (type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32))
      return Type::getIntNTy(llvm, 2 * type->getIntegerBitWidth());
    const auto *several = dyn_cast<ArrayType>(type);
    Type *element = several ? twiceAsLarge(several->getElementType()) : nullptr;
    return element ? ArrayType::get(element, several->getNumElements()) : nullptr;
  }

  Type *floatLike(const Type *type) {
    if (isHalf(type))
      return type->getWithNewType(b.getFloatTy());
    return FixedVectorType::get(b.getFloatTy(), type->getPrimitiveSizeInBits().getFixedValue() / 16);
  }

  // Creates the counterpart of a user in the array of floats.
  void move(Instruction &user) {
    assert((isa<StoreInst>(user) ? moved.contains(cast<StoreInst>(user).getPointerOperand())
                                 : moved.contains(user.getOperand(0))) &&
           "pointers move before their users");
    b.SetInsertPoint(&user);
    if (auto *gep = dyn_cast<GetElementPtrInst>(&user)) {
      moved[gep] = b.CreateGEP(twiceAsLarge(gep->getSourceElementType()), moved.lookup(gep->getPointerOperand()),
                               SmallVector<Value *, 4>(gep->indices()), gep->getName(), gep->getNoWrapFlags());
    } else if (auto *load = dyn_cast<LoadInst>(&user)) {
      Value *value = b.CreateAlignedLoad(floatLike(load->getType()), moved.lookup(load->getPointerOperand()),
                                         twice(load->getAlign()));
      Value *half = b.CreateFPTrunc(value, value->getType()->getWithNewType(b.getHalfTy()), load->getName());
      permitExcess(*half);
      load->replaceAllUsesWith(b.CreateBitCast(half, load->getType()));
    } else if (auto *store = dyn_cast<StoreInst>(&user)) {
      b.CreateAlignedStore(floatOf(*store->getValueOperand()), moved.lookup(store->getPointerOperand()),
                           twice(store->getAlign()));
    } else if (user.isLifetimeStartOrEnd()) {
      Instruction *lifetime = user.clone();
      lifetime->setOperand(0, moved.lookup(user.getOperand(0)));
      b.Insert(lifetime);
    }
  }

  Value *floatOf(Value &half) {
    if (Value *value = excessBehind(half))
      return value;
    return isHalf(half.getType()) ? b.CreateFPExt(&half, floatLike(half.getType()))
                                  : Constant::getNullValue(floatLike(half.getType()));
  }

  AllocaInst &array;
  IRBuilder<> b;
  SmallVector<Instruction *, 32> users;
  DenseMap<Value *, Value *> moved;
  bool has_excess = false;
};

} // namespace

bool carryArraysInFloat(Function &function) {
  SmallVector<AllocaInst *, 4> arrays;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&instruction))
      arrays.push_back(array);
  bool changed = false;
  for (AllocaInst *array : arrays)
    if (HalfArray halves(*array); halves.isWorthwhile()) {
      halves.carryInFloat();
      changed = true;
    }
  return changed;
}

} // namespace lanecl::vectorizer
