#include "partner_exchange.h"

#include "analysis/primitives.h"
#include "launch_abi.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kOwn = "lanecl.exchange.own", kPartner = "lanecl.exchange.partner",
                        kSlotBytes = "lanecl.slot.bytes", kFlagOffset = "lanecl-partner-flag";
constexpr uint64_t kDataOffset = 64; // behind the flag, as aligned as any lane vector

SmallVector<CallInst *> callsOf(Function &function, StringRef name) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
      if (call->getCalledFunction()->getName() == name)
        calls.push_back(call);
  return calls;
}

void replace(CallInst *call, Value *value) {
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

} // namespace

SmallVector<Value *, 4> emitPartnerExchange(IRBuilderBase &b, ArrayRef<Value *> values) {
  Module &module = *b.GetInsertBlock()->getModule();
  FunctionCallee own = module.getOrInsertFunction(kOwn, b.getPtrTy(), b.getInt64Ty()),
                 partner = module.getOrInsertFunction(kPartner, b.getPtrTy()),
                 barrier = module.getOrInsertFunction("__lanecl_partner_barrier", b.getVoidTy());
  const DataLayout &layout = module.getDataLayout();
  SmallVector<uint64_t, 4> offsets;
  uint64_t bytes = 0;
  for (Value *value : values) {
    offsets.push_back(bytes);
    bytes += alignTo(layout.getTypeStoreSize(value->getType()).getFixedValue(), kDataOffset);
  }
  Value *mine = b.CreateCall(own, {b.getInt64(bytes)});
  for (const auto &[value, offset] : zip(values, offsets))
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), mine, offset));
  b.CreateCall(barrier);
  Value *theirs = b.CreateCall(partner);
  SmallVector<Value *, 4> results;
  for (const auto &[value, offset] : zip(values, offsets))
    results.push_back(b.CreateLoad(value->getType(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), theirs, offset)));
  b.CreateCall(barrier); // the partner has read, too, before the next exchange writes
  return results;
}

void lowerPartnerExchange(Function &lanes) {
  uint64_t bytes = 0;
  const SmallVector<CallInst *> own = callsOf(lanes, kOwn);
  if (own.empty())
    return;
  for (CallInst *call : own)
    bytes = std::max(bytes, cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
  const uint64_t flag = alignTo(privateBytes(lanes), kScratchAlignment);
  setPrivateBytes(lanes, flag + kDataOffset + bytes);
  lanes.addFnAttr(kFlagOffset, std::to_string(flag));

  IRBuilder<> b(lanes.getContext());
  Value *scratch = lanes.getArg(kScratchParameter);
  const auto place = [&](uint64_t offset) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, offset); };
  for (CallInst *call : own) {
    b.SetInsertPoint(call);
    replace(call, place(flag + kDataOffset));
  }
  FunctionCallee slot_bytes = lanes.getParent()->getOrInsertFunction(kSlotBytes, b.getInt64Ty());
  for (CallInst *call : callsOf(lanes, kPartner)) {
    b.SetInsertPoint(call);
    Value *is_second = b.CreateTrunc(lanes.getArg(kSubGroupIdParameter), b.getInt1Ty());
    Value *slot = b.CreateCall(slot_bytes);
    replace(call, b.CreatePtrAdd(place(flag + kDataOffset), b.CreateSelect(is_second, b.CreateNeg(slot), slot)));
  }
  for (Instruction &instruction : make_early_inc_range(instructions(lanes)))
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

void resolveSlotBytes(Module &module, uint64_t bytes) {
  Function *query = module.getFunction(kSlotBytes);
  if (query == nullptr)
    return;
  for (User *user : make_early_inc_range(query->users()))
    replace(cast<CallInst>(user), ConstantInt::get(query->getReturnType(), bytes));
  query->eraseFromParent();
}

} // namespace lanecl::vectorizer
