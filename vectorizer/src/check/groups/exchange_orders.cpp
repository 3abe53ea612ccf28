// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/groups/exchange_orders.h"

#include "check/check_calls.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kMark = "lanecl.check.orders"; // type (i32 success, i32 failure)
constexpr unsigned kSuccess = 3, kFailure = 4;         // indices of the orders among the arguments
constexpr uint64_t kRelaxed = 0;                       // OpenCL C's memory_order_relaxed

// Whether this is a call with orders. findCalls() would not find the calls that the SPIR-V translator makes, because
// they have no source location.
bool givesOrders(const CallBase &call) {
  const StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
  return beginsWithAny(name,
                       {"_Z39atomic_compare_exchange_strong_explicit", "_Z37atomic_compare_exchange_weak_explicit"});
}

CallInst *asMark(Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kMark ? call : nullptr;
}

void mark(CallBase &call) {
  IRBuilder<> b(&call);
  Type *i32 = b.getInt32Ty();
  FunctionCallee callee =
      call.getModule()->getOrInsertFunction(kMark, FunctionType::get(b.getVoidTy(), {i32, i32}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesInaccessibleMemory();
  const auto order = [&](unsigned i) { return b.CreateZExtOrTrunc(call.getArgOperand(i), i32); };
  b.CreateCall(callee, {order(kSuccess), order(kFailure)})->addFnAttr(Attribute::NoMerge);
}

// Whether an order is stronger than relaxed. An order that is known only at run time counts as one, so that nothing
// correct is reported.
bool orders(const Value *order) {
  const auto *known = dyn_cast<ConstantInt>(order);
  return !known || known->getZExtValue() != kRelaxed;
}

// Returns the mark that belongs to an exchange: the closest one before it, with no other exchange between them. Returns
// null if the program gives no orders. Other checks may have put branches to their reports between the two, so the
// search goes up the dominator tree.
CallInst *markBefore(AtomicCmpXchgInst &exchange, const DominatorTree &tree) {
  Instruction *at = &exchange;
  for (const DomTreeNode *node = tree.getNode(exchange.getParent()); node; node = node->getIDom()) {
    if (node->getBlock() != exchange.getParent())
      at = node->getBlock()->getTerminator();
    while ((at = at->getPrevNode())) {
      if (isa<AtomicCmpXchgInst>(at))
        return nullptr;
      if (CallInst *found = asMark(*at))
        return found;
    }
  }
  return nullptr;
}

ExchangeOrders ordersOf(AtomicCmpXchgInst &exchange, const DominatorTree &tree) {
  if (const CallInst *mark = markBefore(exchange, tree))
    return {orders(mark->getArgOperand(0)), orders(mark->getArgOperand(1))};
  return {exchange.getSuccessOrdering() != AtomicOrdering::Monotonic,
          exchange.getFailureOrdering() != AtomicOrdering::Monotonic};
}

} // namespace

PreservedAnalyses MarkOrdersPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && givesOrders(*call))
      calls.push_back(call);
  for (CallBase *call : calls)
    mark(*call);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

MapVector<AtomicCmpXchgInst *, ExchangeOrders> takeExchangeOrders(Function &function) {
  const DominatorTree tree(function);
  MapVector<AtomicCmpXchgInst *, ExchangeOrders> result;
  SmallVector<CallInst *> marks;
  for (Instruction &instruction : instructions(function)) {
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      result.insert({exchange, ordersOf(*exchange, tree)});
    if (CallInst *mark = asMark(instruction))
      marks.push_back(mark);
  }
  for (CallInst *mark : marks)
    mark->eraseFromParent();
  return result;
}

} // namespace lanecl::vectorizer
