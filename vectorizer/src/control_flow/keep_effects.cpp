// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/keep_effects.h"

#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/memory/effects.h"
#include "analysis/waiting/turn_progress.h"
#include "analysis/waiting/waiting_loops.h"
#include "control_flow/keep_in_loops.h"
#include "vectorizer/contract/source_order.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns all `lanecl.effects` markers of the function.
static SmallVector<CallBase *> effectsIn(Function &function) {
  SmallVector<CallBase *> found;
  for (Instruction &instruction : instructions(function))
    if (markerOf(instruction) == Marker::Effects)
      found.push_back(cast<CallBase>(&instruction));
  return found;
}

// Returns all loops that wait, including those that give up after a number of iterations.
static SmallVector<WaitingLoop, 2> allWaits(Function &function, FunctionAnalysisManager &analyses) {
  return findWaitingLoops(analyses.getResult<LoopAnalysis>(function),
                          analyses.getResult<ScalarEvolutionAnalysis>(function),
                          analyses.getResult<AAManager>(function), /*or_limited=*/true);
}

// Returns the numbers of the loops that wait and of all loops around them.
static DenseSet<unsigned> numbersOf(ArrayRef<WaitingLoop> waits) {
  DenseSet<unsigned> numbers;
  for (const WaitingLoop &waiting : waits)
    for (const Loop *loop = waiting.loop; loop != nullptr; loop = loop->getParentLoop())
      if (const std::optional<unsigned> number = numberOf(*loop))
        numbers.insert(*number);
  return numbers;
}

// Whether the instruction may write an address that the loop's deciding reads read. Programs compute an address anew
// for each access, so alias analysis compares the addresses.
static bool mayWriteWhatIsRead(const WaitingLoop &waiting, const Instruction &instruction, AAResults &aliases) {
  if (!hasEffect(instruction) || isa<FenceInst, LoadInst, CallBase>(instruction))
    return false;
  const Value *written = addressOf(instruction);
  assert(written != nullptr && "stores and atomic operations are what is left");
  return any_of(waiting.reads, [&](const Instruction *read) {
    const Value *place = addressReadBy(*read);
    return !areDifferentArguments(*place, *written, aliases) &&
           !aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(place), MemoryLocation::getBeforeOrAfter(written));
  });
}

// Returns the innermost loop that a lane leaves on its own to reach the instruction: the waiting loop or one around it.
static const Loop *loopLeftFor(const Instruction &instruction, const WaitingLoop &waiting,
                               const DominatorTree &dominators) {
  const auto exchanges = [](const Instruction &other) {
    const std::optional<Primitive> primitive = primitiveOf(other);
    return primitive && exchangesLanes(*primitive);
  };
  for (const Loop *loop = waiting.loop; loop != nullptr; loop = loop->getParentLoop())
    if (!loop->contains(&instruction) && isReachedAlone(instruction, *loop, dominators, exchanges))
      return loop;
  return nullptr;
}

// Marks the writes after a loop of the value that the loop waits for, such as the release of a lock.
static void keepReleases(Function &function, const WaitingLoop &waiting, const DominatorTree &dominators,
                         AAResults &aliases) {
  SmallVector<std::pair<Instruction *, unsigned>> releases;
  for (Instruction &instruction : instructions(function))
    if (!waiting.loop->contains(&instruction) && mayWriteWhatIsRead(waiting, instruction, aliases))
      if (const Loop *left = loopLeftFor(instruction, waiting, dominators))
        if (const std::optional<unsigned> number = numberOf(*left))
          releases.emplace_back(&instruction, *number);
  for (const auto &[release, number] : releases) {
    assert(!release->isTerminator() && "a write is followed by something");
    IRBuilder<> builder(release->getParent(), std::next(release->getIterator()));
    builder.SetCurrentDebugLocation(release->getDebugLoc());
    setLoopsAround(*createEffects(builder), number);
  }
}

// Removes the numbers of loops in which no lane may wait. A marker without numbers is erased.
static void onlyOf(const DenseSet<unsigned> &waits, ArrayRef<CallBase *> all) {
  for (CallBase *effects : all) {
    SmallVector<unsigned> around = loopsAround(*effects);
    erase_if(around, [&](unsigned number) { return !waits.contains(number); });
    if (around.empty())
      effects->eraseFromParent();
    else
      setLoopsAround(*effects, around);
  }
}

// Writes the number of each loop to all of its latches, so that the loop keeps it when the never-taken edges that carry
// it are removed. Returns the loops by number.
static DenseMap<unsigned, const Loop *> fixNumbers(const LoopInfo &loops) {
  DenseMap<unsigned, const Loop *> numbered;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (const std::optional<unsigned> number = numberOf(*loop)) {
      setNumber(*loop, *number);
      numbered[*number] = loop;
    }
  return numbered;
}

PreservedAnalyses KeepEffectsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const SmallVector<CallBase *> all = effectsIn(function);
  if (all.empty())
    return PreservedAnalyses::all();
  const SmallVector<WaitingLoop, 2> loops_that_wait = allWaits(function, analyses);
  if (!function.hasFnAttribute(kSourceOrder))
    for (const WaitingLoop &waiting : loops_that_wait)
      keepReleases(function, waiting, analyses.getResult<DominatorTreeAnalysis>(function),
                   analyses.getResult<AAManager>(function));
  const DenseSet<unsigned> waits = numbersOf(loops_that_wait);
  onlyOf(waits, all);
  fixNumbers(analyses.getResult<LoopAnalysis>(function));
  // All other loops lose the edges that kept effects in them.
  resolveLeaves(function);
  analyses.invalidate(function, PreservedAnalyses::none());
  const auto numbered = fixNumbers(analyses.getResult<LoopAnalysis>(function));
  const DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (CallBase *effects : effectsIn(function))
    if (all_of(loopsAround(*effects), [&](unsigned number) {
          const Loop *loop = numbered.lookup(number);
          return loop && isInEachTurn(*effects->getParent(), *loop, dominators);
        }))
      effects->setOnlyAccessesInaccessibleMemory();
  KeepInLoopsPass().run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
