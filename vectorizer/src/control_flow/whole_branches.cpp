// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/whole_branches.h"

#include "analysis/functions/markers.h"
#include "analysis/lane_target.h"
#include "analysis/shapes/uniformity.h"
#include "lanes/target_features.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kMostInstructions = 100; // of the code that is copied
constexpr unsigned kFewestAccesses = 2;     // accesses that need a mask, so that a copy pays

// The code between a divergent branch and its join:
//
// branch ─┬─> first ─> … ─┬─> join
//         └───────────────┘
struct Region {
  BranchInst *branch;
  BasicBlock *first, *join;
  // The blocks between the branch and `join`, `first` among them.
  SmallVector<BasicBlock *, 8> blocks;
};

// Finds the branches whose code is copied.
class Finder {
public:
  Finder(Function &function, FunctionAnalysisManager &manager)
      : uniformity(manager.getResult<UniformityInfoAnalysis>(function)),
        loops(manager.getResult<LoopAnalysis>(function)),
        dominators(manager.getResult<DominatorTreeAnalysis>(function)),
        post_dominators(manager.getResult<PostDominatorTreeAnalysis>(function)) {}
  SmallVector<Region> run();

private:
  bool hasMask(const BasicBlock &block) const;
  std::optional<Region> regionOf(BasicBlock &block) const;
  bool addBlocks(Region &region) const;
  bool pays(const Region &region) const;

  UniformityInfo &uniformity;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  const PostDominatorTree &post_dominators;
};

// Whether the block already runs under a mask: some lanes may be elsewhere while others are in it.
bool Finder::hasMask(const BasicBlock &block) const {
  assert(dominators.getNode(&block) != nullptr && "the block is reached");
  for (const Loop *loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](const BasicBlock *exit) { return uniformity.hasDivergentTerminator(*exit); }))
      return true;
  }
  for (const auto *node = dominators.getNode(&block)->getIDom(); node != nullptr; node = node->getIDom())
    if (uniformity.hasDivergentTerminator(*node->getBlock()) && !post_dominators.dominates(&block, node->getBlock()))
      return true;
  return false;
}

// Collects the blocks of the region. Returns false if they cannot be copied: they are too many, are entered from
// elsewhere, or contain an exchange between lanes. Two copies of an exchange would exchange values separately.
bool Finder::addBlocks(Region &region) const {
  if (region.first->getSinglePredecessor() == nullptr)
    return false;
  unsigned instructions = 0;
  SmallVector<BasicBlock *, 8> left{region.first};
  SmallPtrSet<const BasicBlock *, 8> seen{region.first};
  while (!left.empty()) {
    BasicBlock *block = left.pop_back_val();
    region.blocks.push_back(block);
    if (!dominators.dominates(region.first, block))
      return false;
    for (const Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if ((call != nullptr && (call->isConvergent() || call->cannotDuplicate())) ||
          instruction.getType()->isTokenTy() || isa<AllocaInst>(instruction) || ++instructions > kMostInstructions)
        return false;
    }
    for (BasicBlock *next : successors(block))
      if (next != region.join && seen.insert(next).second)
        left.push_back(next);
  }
  return true;
}

// Whether enough accesses lose their mask. An access of one address for all lanes needs no mask for each lane. Reads of
// tables in constant memory, as in the rare cases of mathematical functions, are gathers, which cost the same with a
// mask.
bool Finder::pays(const Region &region) const {
  unsigned accesses = 0;
  for (const BasicBlock *block : region.blocks)
    for (const Instruction &instruction : *block)
      if (const Value *address = getLoadStorePointerOperand(&instruction))
        accesses +=
            isUniform(uniformity, *address) || address->getType()->getPointerAddressSpace() == kConstant ? 0 : 1;
  return accesses >= kFewestAccesses;
}

// Returns the region after the block's branch, if it is divergent and its code can be copied with profit.
std::optional<Region> Finder::regionOf(BasicBlock &block) const {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch == nullptr || branch->isUnconditional() || !uniformity.hasDivergentTerminator(block))
    return std::nullopt;
  for (unsigned side : {0U, 1U}) {
    Region region{branch, branch->getSuccessor(side), branch->getSuccessor(1 - side), {}};
    if (region.first != region.join && post_dominators.dominates(region.join, &block) &&
        loops.getLoopFor(region.join) == loops.getLoopFor(&block) && addBlocks(region))
      return pays(region) && !hasMask(block) ? std::optional(std::move(region)) : std::nullopt;
  }
  return std::nullopt;
}

// Finds the outermost regions. Regions within them need no copies: a copy has no masks that could be saved there.
SmallVector<Region> Finder::run() {
  SmallVector<Region> found;
  SmallPtrSet<const BasicBlock *, 16> taken;
  for (const auto *node : depth_first(dominators.getRootNode())) {
    BasicBlock &block = *node->getBlock();
    if (taken.contains(&block))
      continue;
    if (std::optional<Region> region = regionOf(block)) {
      taken.insert_range(region->blocks);
      found.push_back(std::move(*region));
    }
  }
  return found;
}

// Copies the region, and makes sub-groups branch to the copy if all lanes pass:
//
// branch ─┬─> copy ───────────────────┬─> join
//         └─> lanes ─┬─> first ─> … ──┤
//                    └────────────────┘
void copyForWholeSubGroups(const Region &region) {
  BranchInst &branch = *region.branch;
  BasicBlock &block = *branch.getParent();
  assert(region.blocks.front() == region.first && region.first->getSinglePredecessor() == &block && "one entry");
  Function &function = *block.getParent();
  assert(all_of(region.blocks,
                [&](BasicBlock *inside) {
                  return (inside == region.first ||
                          all_of(predecessors(inside),
                                 [&](BasicBlock *from) { return is_contained(region.blocks, from); })) &&
                         none_of(*inside, [](const Instruction &instruction) {
                           return isa<CallBase>(instruction) && cast<CallBase>(instruction).isConvergent();
                         });
                }) &&
         "code with one entry, in which lanes exchange nothing");
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> copied;
  for (BasicBlock *original : region.blocks) {
    copied.push_back(CloneBasicBlock(original, copies, ".whole", &function));
    copies[original] = copied.back();
  }
  remapInstructionsInBlocks(copied, copies);
  BasicBlock *lanes = BasicBlock::Create(function.getContext(), block.getName() + ".lanes", &function, region.first);
  for (PHINode &phi : region.join->phis()) {
    phi.replaceIncomingBlockWith(&block, lanes);
    for (const auto &[original, copy] : zip(region.blocks, copied))
      if (is_contained(successors(original), region.join)) {
        Value *value = phi.getIncomingValueForBlock(original), *mapped = copies.lookup(value);
        phi.addIncoming(mapped != nullptr ? mapped : value, copy);
      }
  }
  IRBuilder<> b(&branch);
  Value *condition = branch.getCondition();
  const bool enters_if = branch.getSuccessor(0) == region.first;
  Value *whole = createWhole(b, enters_if ? condition : b.CreateNot(condition));
  b.CreateCondBr(whole, copied.front(), lanes);
  region.first->replacePhiUsesWith(&block, lanes);
  branch.moveBefore(*lanes, lanes->end());
}

} // namespace

PreservedAnalyses WholeBranchesPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (lanes::featuresOf(context.target).level == lanes::IsaLevel::Avx512)
    return PreservedAnalyses::all();
  const SmallVector<Region> regions = Finder(function, manager).run();
  for (const Region &region : regions)
    copyForWholeSubGroups(region);
  return regions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
