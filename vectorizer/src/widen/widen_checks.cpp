// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of check mode that are made once for all lanes of a sub-group.
#include "widen/widener.h"

#include "check/check_calls.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the active lanes as 64 bits.
Value *Widener::laneMaskBits() {
  return options.one_lane ? b.getInt64(1) : lanes::emitBallot(c, mask);
}

// Stores an i64 of each lane to memory, and returns the address.
Value *Widener::lanesInMemory(Value *value) {
  AllocaInst *memory = nullptr;
  {
    IRBuilder<>::InsertPointGuard guard(b);
    BasicBlock &entry = target.getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    memory = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), options.one_lane ? 1 : options.width), nullptr, "lanes");
    memory->setAlignment(Align(64));
  }
  b.CreateAlignedStore(options.one_lane ? scalarOf(value) : laneOf(value), memory, Align(64));
  return memory;
}

// Calls a function of the run-time library.
void Widener::callOnce(StringRef name, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 4> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = target.getParent()->getOrInsertFunction(name, FunctionType::get(b.getVoidTy(), types, false));
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  b.CreateCall(callee, arguments);
}

// Reports an access of all active lanes to the race check. The arguments go in registers and on the stack: a record in
// memory would need a dozen instructions for each access.
void Widener::tellAccesses(CallBase &call) {
  const auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  Value *address = operand(1), *kind = operand(4);
  const bool has_values = (cast<ConstantInt>(kind)->getZExtValue() & abi::kKnownValue) != 0;
  const Shape shape = shapeOf(address);
  const bool is_linear = options.one_lane || shape.isLinear();
  Constant *none = ConstantPointerNull::get(b.getPtrTy());
  const int64_t stride = is_linear && !options.one_lane && shape.isStrided() ? shape.stride() : 0;
  callOnce(kCheckAccessed, {operand(0), laneMaskBits(), is_linear ? scalarOf(address) : b.getInt64(0),
                            b.getInt64(static_cast<uint64_t>(stride)), is_linear ? none : lanesInMemory(address),
                            has_values ? lanesInMemory(operand(3)) : none,
                            options.one_lane ? scalarOf(operand(2)) : anyActiveLane(operand(2)), kind,
                            scalarOf(operand(5)), scalarOf(operand(6))});
}

bool Widener::widenCheck(CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const StringRef name = callee ? callee->getName() : "";
  if (name == kCheckAccess) {
    tellAccesses(call);
  } else if (name == kCheckPass) {
    callOnce(kCheckPassed, {laneMaskBits(), scalarOf(call.getArgOperand(0)), call.getArgOperand(1),
                            options.one_lane ? scalarOf(call.getArgOperand(2)) : anyActiveLane(call.getArgOperand(2))});
  } else if (name == kCheckSynchronize) {
    callOnce(kCheckSynchronized, {});
  } else {
    return false;
  }
  return true;
}

} // namespace lanecl::vectorizer
