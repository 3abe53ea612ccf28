// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/private_memory.h"

#include "analysis/functions/primitives.h"
#include "kernel/launch/launch_abi.h"
#include "pass_support/preserved.h"
#include "vectorizer/contract/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr uint64_t kStackBytes = 16 * 1024; // the limit for one sub-group's private variables

static uint64_t bytesOf(const AllocaInst &variable) {
  assert(variable.getAllocationSize(variable.getDataLayout()) && "a static variable has a constant size");
  return variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
}

// Returns the queries of the address and size of private memory.
static SmallVector<CallBase *> queriesIn(Function &function) {
  SmallVector<CallBase *> queries;
  for (Instruction &instruction : instructions(function))
    if (isPrimitive(instruction, Primitive::PrivateMemory) || isPrimitive(instruction, Primitive::PrivateBytes))
      queries.push_back(cast<CallBase>(&instruction));
  return queries;
}

// Answers these queries by loads of the worker's scratch memory.
static void answer(ArrayRef<CallBase *> queries) {
  for (CallBase *query : queries) {
    const bool address = isPrimitive(*query, Primitive::PrivateMemory);
    IRBuilder<> builder(query);
    LoadInst *load = loadLaunchField(
        builder, builder.getInt64Ty(), query->getFunction()->getArg(kWorkerParameter),
        address ? offsetof(abi::WorkerMemory, scratch) : offsetof(abi::WorkerMemory, scratch_bytes), "");
    load->takeName(query);
    query->replaceAllUsesWith(load);
    query->eraseFromParent();
  }
}

// Returns the variables that move to scratch memory, the largest first: those that exceed the limit for the stack, or
// all if the kernel tests whether a pointer is private. In the latter case the stack will not do, because it may belong
// to a thread of the host program, which may have placed buffers on it.
static SmallVector<AllocaInst *> choose(Function &function, bool all) {
  SmallVector<AllocaInst *> variables;
  uint64_t total = 0;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->isStaticAlloca()) {
      variables.push_back(variable);
      total += bytesOf(*variable);
    }
  sort(variables, [](AllocaInst *a, AllocaInst *b) {
    return bytesOf(*a) != bytesOf(*b) ? bytesOf(*a) > bytesOf(*b) : a->comesBefore(b);
  });
  size_t count = 0;
  for (; count < variables.size() && (all || total > kStackBytes); ++count)
    total -= bytesOf(*variables[count]);
  variables.truncate(count);
  return variables;
}

// Lifetime markers are for stack variables only.
static void eraseLifetimeMarkers(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
      marker->eraseFromParent();
}

// Places the variables in scratch memory after the private bytes assigned so far.
static void moveToScratch(Function &function, ArrayRef<AllocaInst *> variables) {
  if (variables.empty())
    return;
  Align alignment(abi::kMemoryAlignment);
  for (const AllocaInst *variable : variables)
    alignment = std::max(alignment, variable->getAlign());
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  // Scratch memory may be less aligned than the widest lane vectors, so padding is reserved to align it.
  uint64_t slack = alignment.value() - abi::kMemoryAlignment;
  const uint64_t begin = alignTo(privateBytes(function), abi::kMemoryAlignment);
  Value *base = function.getArg(kScratchParameter);
  if (begin != 0)
    base = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, begin);
  if (slack != 0) {
    base = builder.CreateConstGEP1_64(builder.getInt8Ty(), base, slack);
    base = builder.CreateIntrinsic(Intrinsic::ptrmask, {base->getType(), builder.getInt64Ty()},
                                   {base, builder.getInt64(-alignment.value())});
  }
  uint64_t offset = 0;
  for (AllocaInst *variable : variables) {
    offset = alignTo(offset, variable->getAlign());
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    address->takeName(variable);
    offset += bytesOf(*variable);
    eraseLifetimeMarkers(*variable);
    variable->replaceAllUsesWith(address);
    variable->eraseFromParent();
  }
  setPrivateBytes(function, begin + offset + slack);
}

PreservedAnalyses PrivateMemoryPass::run(Function &function, FunctionAnalysisManager &) {
  if (!isLanesFunction(function))
    return PreservedAnalyses::all();
  const SmallVector<CallBase *> queries = queriesIn(function);
  const SmallVector<AllocaInst *> moved = choose(function, !queries.empty());
  if (queries.empty() && moved.empty())
    return PreservedAnalyses::all();
  answer(queries);
  moveToScratch(function, moved);
  return preservedWithCfg(true);
}

} // namespace lanecl::vectorizer
