// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/partner_exchange.h"

#include "analysis/functions/primitives.h"
#include "kernel/launch/launch_abi.h"
#include "lanes/cross_lane/partner.h"
#include "vectorizer/contract/abi.h"
#include "work_group/calls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kFlagOffset = "lanecl-partner-flag";
constexpr uint64_t kDataOffset = lanes::kPartnerAlignment; // after the flag

SmallVector<CallInst *> callsOf(Function &function, StringRef name) {
  return callsThat(function, [&](const CallInst &call) {
    return call.getCalledFunction() && call.getCalledFunction()->getName() == name;
  });
}

void replace(CallInst *call, Value *value) {
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

} // namespace

// The scratch memory is laid out as: private bytes, flag, values to exchange.
void lowerPartnerExchange(Function &function) {
  uint64_t bytes = 0;
  const SmallVector<CallInst *> own = callsOf(function, lanes::kPartnerOwn);
  assert((!own.empty() || callsOf(function, lanes::kPartnerOther).empty()) &&
         "what is read from the partner is stored");
  if (own.empty())
    return;
  for (CallInst *call : own)
    bytes = std::max(bytes, cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
  assert(bytes % lanes::kPartnerAlignment == 0 && !function.hasFnAttribute(kFlagOffset) && "reserved once");
  const uint64_t flag = alignTo(privateBytes(function), abi::kMemoryAlignment);
  setPrivateBytes(function, flag + kDataOffset + bytes);
  function.addFnAttr(kFlagOffset, std::to_string(flag));

  IRBuilder<> b(function.getContext());
  Value *scratch = function.getArg(kScratchParameter);
  const auto place = [&](uint64_t offset) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, offset); };
  for (CallInst *call : own) {
    b.SetInsertPoint(call);
    replace(call, place(flag + kDataOffset));
  }
  for (CallInst *call : callsOf(function, lanes::kPartnerOther)) {
    b.SetInsertPoint(call);
    Value *is_second = b.CreateTrunc(function.getArg(kSubGroupIdParameter), b.getInt1Ty());
    Value *slot = createSlotBytes(b);
    replace(call, b.CreatePtrAdd(place(flag + kDataOffset), b.CreateSelect(is_second, b.CreateNeg(slot), slot)));
  }
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isPrimitive(instruction, Primitive::PartnerBarrier)) {
      b.SetInsertPoint(&instruction);
      b.CreateStore(b.getInt64(1), place(flag));
      b.SetInsertPoint(instruction.getNextNode());
      b.CreateStore(b.getInt64(0), place(flag));
    }
}

std::optional<uint64_t> partnerFlagOffset(const Function &lanes) {
  if (!lanes.hasFnAttribute(kFlagOffset))
    return std::nullopt;
  return lanes.getFnAttributeAsParsedInteger(kFlagOffset);
}

} // namespace lanecl::vectorizer
