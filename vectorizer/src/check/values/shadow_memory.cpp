// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/shadow_memory.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "check/memory/accesses.h"
#include "check/values/unwritten_values.h"
#include "vectorizer/check.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Whether a variable is only accessed by its own address or steps from it, so that all its accesses are known.
static bool isAccessedDirectly(const Value &pointer) {
  return all_of(pointer.uses(), [&](const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst, LifetimeIntrinsic, MemIntrinsic>(user))
      return true;
    if (const auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &pointer;
    return isa<GetElementPtrInst>(user) && isAccessedDirectly(*user);
  });
}

ShadowMemory::ShadowMemory(Function &function, LoopInfo &loops, Reach reach)
    : function(function), loops(loops), reach(reach) {
  IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  b.SetCurrentDebugLocation({});
  base = createShadowBase(b);
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca() && isAccessedDirectly(*variable))
      variables.push_back(variable);
  for (AllocaInst *variable : variables)
    addVariable(*variable);
}

// Adds the shadow of a variable. It starts as initialized (zero); mark-initialization stores an unwritten value where
// the program's variable starts uninitialized, whose shadow is then stored here.
void ShadowMemory::addVariable(AllocaInst &variable) {
  IRBuilder<> b(&variable);
  b.SetCurrentDebugLocation({});
  AllocaInst *beside =
      b.CreateAlloca(variable.getAllocatedType(), variable.getAddressSpace(), variable.getArraySize(), "unwritten");
  beside->setAlignment(variable.getAlign());
  b.SetInsertPoint(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  b.SetCurrentDebugLocation({});
  assert(variable.getAllocationSize(function.getDataLayout()) && "a static variable has a constant size");
  const uint64_t bytes = variable.getAllocationSize(function.getDataLayout())->getFixedValue();
  b.CreateMemSet(beside, b.getInt8(0), bytes, variable.getAlign());
  pointers[&variable] = beside;
}

// Returns the pointer into the shadow variable that corresponds to a pointer into the variable.
Value *ShadowMemory::inVariable(Value *pointer) {
  if (const auto known = pointers.find(pointer); known != pointers.end())
    return known->second;
  auto *step = cast<GetElementPtrInst>(pointer);
  Value *from = inVariable(step->getPointerOperand());
  Instruction *made = step->clone();
  made->setOperand(0, from);
  made->setDebugLoc({});
  made->insertAfter(step->getIterator());
  return pointers[pointer] = made;
}

// Returns the distance from an object to its shadow. It is the same for all pointers into the object, so shadow
// addresses have the same shape (uniform, strided) as the addresses themselves. Only the upper bits change.
Value *ShadowMemory::distanceOf(Value *object) {
  if (const auto known = distances.find(object); known != distances.end())
    return known->second;
  BasicBlock::iterator place = std::next(cast<Instruction>(base)->getIterator());
  if (auto *instruction = dyn_cast<Instruction>(object))
    place = *instruction->getInsertionPointAfterDef();
  IRBuilder<> b(place->getParent(), place);
  b.SetCurrentDebugLocation({});
  Value *upper = b.CreateAnd(b.CreatePtrToInt(object, b.getInt64Ty()), ~uint64_t(0) << kShadowBits);
  return distances[object] = b.CreateSub(base, upper);
}

Value *ShadowMemory::of(Instruction &access, Value *pointer) {
  if (isAlwaysWritten(access, *pointer, reach))
    return nullptr;
  Value *object = objectOf(pointer, loops);
  return pointers.contains(object) ? inVariable(pointer) : dynamic(access, pointer, object);
}

Value *ShadowMemory::ofUnknown(Instruction &access, Value *pointer) {
  const bool is_unknown = pointer->getType()->getPointerAddressSpace() == kGeneric && !pointsToOwnMemory(*pointer) &&
                          !isAlwaysWritten(access, *pointer, Reach::Everything);
  return is_unknown && reach == Reach::OwnMemory ? dynamic(access, pointer, objectOf(pointer, loops)) : nullptr;
}

// Returns the address of the shadow in the shadow memory of the process.
Value *ShadowMemory::dynamic(Instruction &access, Value *pointer, Value *object) {
  IRBuilder<> b(&access);
  b.SetCurrentDebugLocation({});
  Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  Value *shadow = isa<AllocaInst>(object) ? b.CreateAdd(b.CreateAnd(address, (uint64_t(1) << kShadowBits) - 1), base)
                                          : b.CreateAdd(address, distanceOf(object));
  return b.CreateIntToPtr(shadow, pointer->getType());
}

} // namespace lanecl::vectorizer
