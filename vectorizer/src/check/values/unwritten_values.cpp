// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/unwritten_values.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "check/check_calls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

bool pointsToOwnMemory(const Value &pointer) {
  unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == kGeneric)
    space = getUnderlyingObject(&pointer, /*MaxLookup=*/0)->getType()->getPointerAddressSpace();
  return space == kLocal || space == kPrivate;
}

bool isAlwaysWritten(const Instruction &access, const Value &pointer, Reach reach) {
  if (access.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  if (reach == Reach::OwnMemory && !pointsToOwnMemory(pointer))
    return true;
  const Value *object = getUnderlyingObject(&pointer, /*MaxLookup=*/0);
  if (isa<Constant>(object)) // a global variable; only those in local memory start uninitialized
    return !isa<GlobalVariable>(object) || object->getType()->getPointerAddressSpace() != kLocal;
  // Memory that launches keep for themselves is initialized. Accesses of it have no source location, and it is
  // constant, or it is in no address space and none of the program's variables.
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return !access.getDebugLoc() &&
         (space == kConstant || (space == kPrivate && !isa<AllocaInst>(object) && !argumentMemory(*object)));
}

static bool hasUnknownConstant(const Instruction &instruction) {
  return any_of(instruction.operands(), [](const Use &use) {
    const auto *constant = dyn_cast<Constant>(use.get());
    return constant && constant->containsUndefOrPoisonElement();
  });
}

// Whether an instruction is where an uninitialized value can first appear, before anything is computed from it.
bool UnwrittenValues::isSource(const Instruction &instruction, Reach reach) const {
  if (isUnwritten(instruction))
    return true;
  if (const Function *callee = passed ? keptCallee(instruction) : nullptr)
    return passed->results.contains(callee);
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return reach == Reach::Everything || pointsToOwnMemory(*update->getPointerOperand());
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return !isAlwaysWritten(*load, *load->getPointerOperand(), reach);
  if (isPrimitive(instruction, Primitive::BlockRead) || isPrimitive(instruction, Primitive::RowRead))
    return reach == Reach::Everything || pointsToOwnMemory(*instruction.getOperand(0));
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    // A call that is not inlined yet: a function of the program may return an uninitialized value, and so may a
    // built-in function that reads memory through a pointer.
    if (const Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
      return callee->getSubprogram() ||
             any_of(call->args(), [](const Use &argument) { return argument->getType()->isPointerTy(); });
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    if (is_contained(shuffle->getShuffleMask(), PoisonMaskElem))
      return true;
  return hasUnknownConstant(instruction);
}

// Whether the result is initialized whatever the operands are, or a report has already covered an operand that is not.
bool UnwrittenValues::isAlwaysKnown(const Instruction &instruction) const {
  if (isa<AllocaInst>(instruction) || instruction.getType()->isVoidTy() || instruction.getType()->isTokenTy())
    return true;
  if (instruction.getType()->isTargetExtTy())
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || isUnwritten(*call))
    return false;
  if (const Function *callee = passed ? keptCallee(*call) : nullptr)
    return !passed->results.contains(callee);
  const std::optional<Primitive> primitive = primitiveOf(*call);
  if (!primitive)
    return false;
  switch (*primitive) {
  case Primitive::Broadcast:
  case Primitive::BroadcastFirst:
  case Primitive::Shuffle:
  case Primitive::Shuffle2:
  case Primitive::Partner:
  case Primitive::BlockRead: return false;
  default: return true;
  }
}

// Adds a value and all values that are computed from it.
void UnwrittenValues::add(const Value &value) {
  SmallVector<const Value *> work{&value};
  while (!work.empty()) {
    const Value *next = work.pop_back_val();
    if (!values.insert(next).second)
      continue;
    for (const User *user : next->users())
      if (const auto *instruction = dyn_cast<Instruction>(user); instruction && !isAlwaysKnown(*instruction))
        work.push_back(instruction);
  }
}

UnwrittenValues::UnwrittenValues(Function &function, bool is_kernel, Reach reach, const ArgumentShadows *passed)
    : passed(passed) {
  for (const Argument &argument : function.args())
    if (passed ? passed->arguments.contains(&argument) : !is_kernel)
      add(argument);
  for (const Instruction &instruction : instructions(function))
    if (!isAlwaysKnown(instruction) && isSource(instruction, reach))
      add(instruction);
}

bool UnwrittenValues::mayBe(const Value *value) const {
  if (const auto *constant = dyn_cast<Constant>(value))
    return constant->containsUndefOrPoisonElement();
  return values.contains(value);
}

} // namespace lanecl::vectorizer
