// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/suspensions.h"

#include "analysis/functions/primitives.h"
#include "control_flow/yields.h"
#include "kernel/launch/launch_abi.h"
#include "vectorizer/contract/abi.h"
#include "work_group/calls.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kStateOffset = "lanecl-sub-group-state";

// Returns the calls at which the function will suspend.
SmallVector<CallInst *> suspensionsOf(Function &function) {
  return callsThat(function, [](const CallInst &call) {
    return isPrimitive(call, Primitive::Yield) || isPrimitive(call, Primitive::WorkGroupBarrier) ||
           isPrimitive(call, Primitive::PartnerBarrier);
  });
}

// Returns the yield's place in the program's text as "file:line", or an empty string if it is unknown.
std::string placeOf(const CallInst &yield) {
  const DILocation *location = yield.getDebugLoc().get();
  if (location == nullptr)
    return "";
  while (location->getInlinedAt() != nullptr && location->getLine() == 0)
    location = location->getInlinedAt();
  return (location->getFilename() + ":" + Twine(location->getLine())).str();
}

// Returns kYielded for the turn that enters the loop and kYieldedMore for later turns. A loop that most likely makes
// progress always has kYielded, so that its sub-group does not count as waiting.
Value *turnOf(const CallInst &yield, const LoopInfo &loops) {
  Type *type = Type::getInt64Ty(yield.getContext());
  const Loop *loop = loops.getLoopFor(yield.getParent());
  if (loop == nullptr || yield.hasFnAttr(kGetsOn))
    return ConstantInt::get(type, SubGroupState::kYielded);
  BasicBlock *header = loop->getHeader();
  assert(any_of(predecessors(header), [&](const BasicBlock *from) { return !loop->contains(from); }) && "a way in");
  PHINode *turn = PHINode::Create(type, 2, "turn", header->begin());
  for (BasicBlock *from : predecessors(header))
    turn->addIncoming(
        ConstantInt::get(type, loop->contains(from) ? SubGroupState::kYieldedMore : SubGroupState::kYielded), from);
  return turn;
}

} // namespace

bool yields(const Function &lanes) {
  return any_of(instructions(lanes), [](const Instruction &i) { return isPrimitive(i, Primitive::Yield); });
}

void noteSuspensions(Function &lanes) {
  const DominatorTree dominators(lanes);
  const LoopInfo loops(dominators);
  assert(!lanes.hasFnAttribute(kStateOffset) && "a function gets its two words once");
  // The two words follow the private bytes and count as such from now on.
  const uint64_t at = alignTo(privateBytes(lanes), abi::kMemoryAlignment);
  setPrivateBytes(lanes, at + 2 * sizeof(uint64_t));
  lanes.addFnAttr(kStateOffset, std::to_string(at));
  IRBuilder<> b(lanes.getContext());
  const auto store = [&](Value *value, uint64_t offset) {
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), lanes.getArg(kScratchParameter), offset));
  };
  for (CallInst *suspension : suspensionsOf(lanes)) {
    b.SetInsertPoint(suspension);
    if (isPrimitive(*suspension, Primitive::Yield)) {
      store(turnOf(*suspension, loops), at);
      store(b.CreateGlobalString(placeOf(*suspension), "yields_at"), at + sizeof(uint64_t));
    } else {
      const bool all = isPrimitive(*suspension, Primitive::WorkGroupBarrier);
      store(b.getInt64(all ? SubGroupState::kAtBarrier : SubGroupState::kAtPartner), at);
    }
  }
}

std::optional<SubGroupState> subGroupState(const Function &lanes) {
  if (!lanes.hasFnAttribute(kStateOffset))
    return std::nullopt;
  const uint64_t at = lanes.getFnAttributeAsParsedInteger(kStateOffset);
  return SubGroupState{at, at + sizeof(uint64_t)};
}

} // namespace lanecl::vectorizer
