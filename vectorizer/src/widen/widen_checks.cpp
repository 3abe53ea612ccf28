// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of check mode that are made once for all lanes of a sub-group.
#include "widen/widener.h"

#include "analysis/functions/kept_functions.h"
#include "check/check_calls.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the active lanes as 64 bits.
Value *Widener::laneMaskBits() {
  return options.one_lane ? b.getInt64(1) : lanes::emitBallot(c, mask);
}

// Stores an i64 of each lane to memory, and returns the address. A kept function has one place for all addresses and
// one for all values, because its stack is that of a large kernel with those of other functions below it.
Value *Widener::lanesInMemory(Value *value, AllocaInst *&place) {
  assert(value->getType()->isIntegerTy(64) && "the run time reads 64 bits for each lane");
  AllocaInst *memory = isKept(source) ? place : nullptr;
  if (memory == nullptr) {
    IRBuilder<>::InsertPointGuard guard(b);
    BasicBlock &entry = target.getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    memory = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), options.one_lane ? 1 : options.width), nullptr, "lanes");
    memory->setAlignment(Align(64));
    place = memory;
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
  assert(cast<Function>(callee.getCallee())->getFunctionType() == callee.getFunctionType() &&
         "all calls of a function of the run time have the same arguments");
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  b.CreateCall(callee, arguments);
}

// Reports an access of all active lanes to the race check. The arguments go in registers and on the stack: a record in
// memory would need a dozen instructions for each access.
void Widener::tellAccesses(CallBase &call) {
  assert((call.arg_size() == 7 || call.arg_size() == 9) && "as recordAccess() makes the call");
  const auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  Value *address = operand(1), *kind = operand(4);
  const bool has_values = (cast<ConstantInt>(kind)->getZExtValue() & abi::kKnownValue) != 0;
  const Shape shape = shapeOf(address);
  const bool is_linear = options.one_lane || shape.isLinear();
  Constant *none = ConstantPointerNull::get(b.getPtrTy());
  const int64_t stride = is_linear && !options.one_lane && shape.isStrided() ? shape.stride() : 0;
  SmallVector<Value *> arguments{operand(0),
                                 laneMaskBits(),
                                 is_linear ? scalarOf(address) : b.getInt64(0),
                                 b.getInt64(static_cast<uint64_t>(stride)),
                                 is_linear ? none : lanesInMemory(address, check_addresses),
                                 has_values ? lanesInMemory(operand(3), check_values) : none,
                                 options.one_lane ? scalarOf(operand(2)) : anyActiveLane(operand(2)),
                                 kind,
                                 scalarOf(operand(5)),
                                 scalarOf(operand(6))};
  if (call.arg_size() == 7)
    return callOnce(kLanesAccess, arguments);
  arguments.push_back(scalarOf(operand(8)));
  arguments.push_back(options.one_lane ? scalarOf(operand(7)) : anyActiveLane(operand(7)));
  callOnce(kLanesAccessInCall, arguments);
}

// One for all calls of the function, which do not overlap.
void Widener::placeCheckCall(CallBase &call) {
  Type *type = StructType::get(b.getContext(), {b.getPtrTy(), b.getPtrTy()});
  static_assert(offsetof(abi::CheckCall, caller) == 8 && sizeof(abi::CheckCall) == 16);
  if (check_call == nullptr) {
    IRBuilder<>::InsertPointGuard guard(b);
    BasicBlock &entry = target.getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    check_call = b.CreateAlloca(type, nullptr, "check.call");
  }
  b.CreateStore(scalarOf(call.getArgOperand(0)), check_call);
  b.CreateStore(b.CreateAddrSpaceCast(scalarOf(call.getArgOperand(1)), b.getPtrTy()),
                b.CreateStructGEP(type, check_call, 1));
  setScalar(call, b.CreateAddrSpaceCast(check_call, call.getType()));
}

bool Widener::widenCheck(CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const StringRef name = callee ? callee->getName() : "";
  if (name == kLaneAccess || name == kLaneAccessInCall) {
    tellAccesses(call);
  } else if (name == kLaneBarrier) {
    callOnce(kLanesBarrier,
             {laneMaskBits(), scalarOf(call.getArgOperand(0)), call.getArgOperand(1),
              options.one_lane ? scalarOf(call.getArgOperand(2)) : anyActiveLane(call.getArgOperand(2))});
  } else if (name == kLaneFence) {
    callOnce(kLanesFence, {});
  } else if (name == kCheckCall) {
    placeCheckCall(call);
  } else {
    return false;
  }
  return true;
}

} // namespace lanecl::vectorizer
