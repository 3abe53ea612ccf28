// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/loop.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Moves the builder and keeps its source location, that of the lane operation. SetInsertPoint alone would take the
// location of the instruction found there.
void moveTo(IRBuilderBase &b, BasicBlock *block, BasicBlock::iterator where) {
  const DebugLoc location = b.getCurrentDebugLocation();
  b.SetInsertPoint(block, where);
  b.SetCurrentDebugLocation(location);
}

} // namespace

BasicBlock *splitForContinuation(IRBuilderBase &b, const Twine &name) {
  BasicBlock *block = b.GetInsertBlock();
  // There is nothing to split off a block that is still being built.
  if (b.GetInsertPoint() == block->end() && !block->getTerminator()) {
    BasicBlock *after = BasicBlock::Create(b.getContext(), name, block->getParent(), block->getNextNode());
    return after;
  }
  BasicBlock *after = block->splitBasicBlock(b.GetInsertPoint(), name);
  block->getTerminator()->eraseFromParent();
  moveTo(b, block, block->end());
  assert(!block->getTerminator() && after->getParent() == block->getParent() && "the caller ends the block");
  return after;
}

Instruction *emitLoop(IRBuilderBase &b, const Twine &name, Value *enter, SmallVectorImpl<Value *> &carried,
                      LoopBody body) {
  BasicBlock *after = splitForContinuation(b, name + ".done");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(b.getContext(), name, before->getParent(), after);
  if (enter)
    b.CreateCondBr(enter, loop, after);
  else
    b.CreateBr(loop);

  moveTo(b, loop, loop->end());
  SmallVector<PHINode *, 16> phis;
  for (Value *value : carried) {
    phis.push_back(b.CreatePHI(value->getType(), 2));
    phis.back()->addIncoming(value, before);
  }
  // In the loop the carried values are phis.
  const SmallVector<Value *, 16> start(carried.begin(), carried.end());
  carried.assign(phis.begin(), phis.end());
  Value *again = body(carried);
  assert(carried.size() == phis.size() && again->getType()->isIntegerTy(1) && "the body replaces the carried values");

  BasicBlock *latch = b.GetInsertBlock();
  for (auto [phi, value] : zip_equal(phis, carried)) {
    assert(value->getType() == phi->getType() && "a carried value keeps its type");
    phi->addIncoming(value, latch);
  }
  Instruction *repeat = b.CreateCondBr(again, loop, after);

  moveTo(b, after, after->begin());
  // After the loop they are phis again: of the last iteration, or of the start where the loop is not entered.
  for (auto [value, first] : zip(carried, start)) {
    PHINode *result = b.CreatePHI(value->getType(), 2);
    result->addIncoming(value, latch);
    if (enter)
      result->addIncoming(first, before);
    value = result;
  }
  return repeat;
}

Instruction *emitCountedLoop(IRBuilderBase &b, const Twine &name, Value *enter, unsigned count,
                             SmallVectorImpl<Value *> &carried,
                             function_ref<void(Value *index, SmallVectorImpl<Value *> &carried)> body) {
  assert(count != 0 && "the loop runs at least once");
  carried.push_back(b.getInt32(0));
  Instruction *repeat = emitLoop(b, name, enter, carried, [&](SmallVectorImpl<Value *> &values) {
    Value *index = values.pop_back_val();
    body(index, values);
    values.push_back(b.CreateAdd(index, b.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true));
    return b.CreateICmpULT(values.back(), b.getInt32(count));
  });
  carried.pop_back();
  return repeat;
}

} // namespace lanecl::vectorizer::lanes
