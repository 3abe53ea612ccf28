// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/rows/group_loops.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "kernel/launch/launch_queries.h"
#include "kernel/rows/linear_forms.h"
#include "kernel/rows/strided_loop.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr uint64_t kShortStep = 512; // bytes; the processor's prefetchers recognize shorter steps

// Finds the loops of a function that the first sub-group may run for all of them.
class GroupLoops {
public:
  GroupLoops(const LaunchClass &launch, Function &function, FunctionAnalysisManager &manager)
      : launch(launch), loops(manager.getResult<LoopAnalysis>(function)),
        behind(manager.getResult<PostDominatorTreeAnalysis>(function)),
        aliases(manager.getResult<AAManager>(function)) {}

  SmallVector<StridedLoop, 2> find();

private:
  bool isTakenByAll(const StridedLoop &strided) const;
  bool hasNumbersOfGroup(const StridedLoop &strided, LinearForms &forms) const;
  bool mayBeOvertaken(const Instruction &earlier, ArrayRef<Instruction *> writes) const;
  bool comesFirst(const StridedLoop &strided, ArrayRef<Instruction *> writes) const;
  SmallVector<Instruction *, 4> writesOf(const Loop &loop) const;
  bool isFar(const StridedLoop &strided, ArrayRef<Instruction *> writes) const;

  const LaunchClass &launch;
  const LoopInfo &loops;
  const PostDominatorTree &behind;
  AAResults &aliases;
};

// Returns whether every work-item reaches the guard exactly once.
bool GroupLoops::isTakenByAll(const StridedLoop &strided) const {
  const BasicBlock *guard = strided.guard->getParent();
  return loops.getLoopFor(guard) == nullptr && behind.dominates(guard, &guard->getParent()->getEntryBlock());
}

// Returns whether the first numbers are the local ids plus a value that all work-items share.
bool GroupLoops::hasNumbersOfGroup(const StridedLoop &strided, LinearForms &forms) const {
  const MaybeLinear form = forms.of(*strided.first);
  return form && form->lane == 1 && form->sub_group == int64_t{launch.width} &&
         strided.number->getType()->getIntegerBitWidth() >= 32;
}

// Returns the loop's stores and free updates; nothing if the loop has other side effects.
SmallVector<Instruction *, 4> GroupLoops::writesOf(const Loop &loop) const {
  SmallVector<Instruction *, 4> writes;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (isa<StoreInst>(instruction) || isFreeUpdate(instruction))
        writes.push_back(&instruction);
      else if (hasSideEffects(instruction))
        return {};
  return writes;
}

// Returns whether a sub-group leaves a page after a few turns. A step that is not constant is usually the size of the
// whole NDRange.
bool GroupLoops::isFar(const StridedLoop &strided, ArrayRef<Instruction *> writes) const {
  const auto *step = dyn_cast<ConstantInt>(strided.step);
  if (!step)
    return true;
  return step->getValue() == launch.local_size[0] && any_of(writes, [&](const Instruction *write) {
           const auto *store = dyn_cast<StoreInst>(write);
           return store && store->getPointerAddressSpace() != kLocal &&
                  store->getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()) * launch.local_size[0] >=
                      kShortStep;
         });
}

// Returns the location of everything computed from the access's pointer.
MemoryLocation objectOf(const Instruction &access) {
  const Value *pointer = isa<AtomicRMWInst>(access) ? access.getOperand(AtomicRMWInst::getPointerOperandIndex())
                                                    : getLoadStorePointerOperand(&access);
  return MemoryLocation::getBeforeOrAfter(pointer, access.getAAMetadata());
}

// Returns whether turns of the loop of other work-items may run before `earlier`.
bool GroupLoops::mayBeOvertaken(const Instruction &earlier, ArrayRef<Instruction *> writes) const {
  if (hasSideEffects(earlier))
    return false;
  if (!earlier.mayReadFromMemory() || isa<NoAliasScopeDeclInst>(earlier) ||
      earlier.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  return isa<LoadInst>(earlier) && all_of(writes, [&](const Instruction *write) {
           return aliases.isNoAlias(objectOf(earlier), objectOf(*write));
         });
}

// Returns whether the loop may be run before everything between it and the preceding barriers or the kernel's start.
bool GroupLoops::comesFirst(const StridedLoop &strided, ArrayRef<Instruction *> writes) const {
  SmallVector<BasicBlock *, 8> blocks{strided.guard->getParent()};
  SmallPtrSet<BasicBlock *, 8> seen{blocks.front()};
  while (!blocks.empty()) {
    BasicBlock *block = blocks.pop_back_val();
    bool is_open = true;
    for (const Instruction &instruction : reverse(*block)) {
      if (isPrimitive(instruction, Primitive::WorkGroupBarrier)) {
        is_open = false;
        break;
      }
      if (!mayBeOvertaken(instruction, writes))
        return false;
    }
    if (is_open)
      for (BasicBlock *before : predecessors(block))
        if (seen.insert(before).second)
          blocks.push_back(before);
  }
  return true;
}

// Returns the loops that satisfy all conditions.
SmallVector<StridedLoop, 2> GroupLoops::find() {
  // A load that all work-items execute is shared: if another value were stored between two of these loads, that would
  // be a data race.
  const auto is_shared = [&](const LoadInst &load) { return load.isSimple() && !loops.getLoopFor(load.getParent()); };
  LinearForms forms(std::nullopt, is_shared);
  SmallVector<StridedLoop, 2> found;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const std::optional<StridedLoop> strided = asStridedLoop(*loop);
    if (!strided || !isTakenByAll(*strided) || !hasNumbersOfGroup(*strided, forms) ||
        !sharesAllButNumber(*strided, forms))
      continue;
    const SmallVector<Instruction *, 4> writes = writesOf(*loop);
    if (!writes.empty() && isFar(*strided, writes) && comesFirst(*strided, writes))
      found.push_back(*strided);
  }
  return found;
}

// Ends the guard's block with a branch past the loop for all sub-groups but the first one.
void leaveToFirst(const StridedLoop &strided, const LaunchClass &launch) {
  Function &function = *strided.guard->getFunction();
  LaunchQueries queries(function, launch);
  assert(queries.knownSubGroups() && *queries.knownSubGroups() > 1 && "the first sub-group works for others");
  Value *sub_group = queries.query(Primitive::SubGroupId, std::nullopt);
  Value *lane = queries.query(Primitive::LaneId, std::nullopt);
  BasicBlock *head = strided.guard->getParent();
  // The block `head` branches to the guard for the first sub-group, and past the loop for all others.
  BasicBlock *first = head->splitBasicBlock(strided.guard, "group.first");
  IRBuilder<> b(head->getTerminator());
  b.CreateCondBr(b.CreateICmpEQ(sub_group, b.getInt32(0)), first, strided.end);
  head->getTerminator()->eraseFromParent();
  b.SetInsertPoint(strided.guard);
  Type *type = strided.number->getType();
  takeTogether(strided, launch.width, ConstantInt::get(type, *queries.knownSubGroups()),
               b.CreateZExtOrTrunc(lane, type));
}

} // namespace

PreservedAnalyses GroupLoopsPass::run(Function &function, FunctionAnalysisManager &manager) {
  const LaunchClass &launch = context.launch;
  const auto [x, y, z] = launch.local_size;
  if (x <= launch.width || x % launch.width != 0 || y != 1 || z != 1 || function.isDeclaration() ||
      hasKeptCalls(function))
    return PreservedAnalyses::all();
  manager.invalidate(function, LoopSimplifyPass().run(function, manager));
  for (const StridedLoop &strided : GroupLoops(launch, function, manager).find())
    leaveToFirst(strided, launch);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
