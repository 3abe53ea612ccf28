// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/interleave_groups.h"

#include "analysis/lane_target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <algorithm>
#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// The numbers of two arguments of a work-group function: a row's work-groups are those from `kBegin` to before `kEnd`.
constexpr unsigned kBegin = 3, kEnd = 4;

// Shorter bodies overlap in the processor's out-of-order window by themselves; longer ones take long to compile.
constexpr size_t kFewestInstructions = 100, kMostInstructions = 1500;

// The loop over work-groups, if it consists of one block.
struct GroupLoop {
  BasicBlock *block;
  PHINode *group;
  Instruction *next;
  Value *end;
  SmallVector<Instruction *, 0> body; // all instructions but the loop's own counting and branch
};

// Returns whether the work-groups that a thread runs have different memory in this address space. Their local and
// private memory is the same place.
bool isShared(unsigned address_space) {
  return address_space == kGlobal || address_space == kConstant;
}

// Returns whether the instruction of one work-group may change places with those of another one.
bool mayInterleave(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && isShared(load->getPointerAddressSpace());
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return store->isSimple() && isShared(store->getPointerAddressSpace());
  if (isa<NoAliasScopeDeclInst>(instruction))
    return true;
  return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() && !isa<PHINode>(instruction);
}

// Returns the loop over work-groups if the block is one that can be interleaved.
std::optional<GroupLoop> groupLoop(BasicBlock &block) {
  const Function &function = *block.getParent();
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto *group = dyn_cast<PHINode>(&block.front());
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != &block || !group ||
      group->getNumIncomingValues() != 2 || function.arg_size() <= kEnd || !branch->getSuccessor(0)->phis().empty())
    return std::nullopt;
  Value *begin = group->getIncomingValue(group->getIncomingBlock(0) == &block ? 1 : 0), *next = nullptr;
  auto *done = dyn_cast<ICmpInst>(branch->getCondition());
  if (begin != function.getArg(kBegin) || !done || !done->hasOneUse() ||
      !match(done, m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(next), m_Specific(function.getArg(kEnd)))) ||
      !match(next, m_Add(m_Specific(group), m_One())) || group->getIncomingValueForBlock(&block) != next)
    return std::nullopt;
  GroupLoop loop{&block, group, cast<Instruction>(next), function.getArg(kEnd), {}};
  for (Instruction &instruction : drop_begin(block)) {
    const bool is_own = &instruction == next || &instruction == done || &instruction == branch;
    if (!is_own && (!mayInterleave(instruction) || instruction.isUsedOutsideOfBlock(&block)))
      return std::nullopt;
    if (!is_own && !isa<NoAliasScopeDeclInst>(instruction))
      loop.body.push_back(&instruction);
  }
  if (!next->hasNUses(2) || loop.body.size() < kFewestInstructions || loop.body.size() > kMostInstructions)
    return std::nullopt;
  return loop;
}

// When each instruction has to be done, in cycles counted back from the end of the body: an instruction's height is its
// latency plus the greatest height among the instructions that depend on it.
class Deadlines {
public:
  Deadlines(const GroupLoop &loop, const TargetTransformInfo &costs);

  uint64_t operator[](const Instruction *instruction) const { return heights.lookup(instruction); }
  // Returns whether the longest dependency chain takes more than one and a half times as long as the work would take
  // the processor's execution units.
  bool isChain() const { return 2 * longest > 3 * (work / kPerCycle); }

private:
  static constexpr uint64_t kPerCycle = 2; // instructions that the processor starts

  DenseMap<const Instruction *, uint64_t> heights; // cycles
  uint64_t longest = 0, work = 0;
};

Deadlines::Deadlines(const GroupLoop &loop, const TargetTransformInfo &costs) {
  const auto cost = [&](const Instruction &instruction, TargetTransformInfo::TargetCostKind kind) {
    const InstructionCost value = costs.getInstructionCost(&instruction, kind);
    return value.isValid() ? uint64_t(value.getValue()) : uint64_t{1};
  };
  uint64_t stores = 0, accesses = 0; // the greatest heights among the later ones
  for (const Instruction *instruction : reverse(loop.body)) {
    uint64_t behind = 0;
    for (const User *user : instruction->users())
      behind = std::max(behind, heights.lookup(cast<Instruction>(user)));
    if (instruction->mayWriteToMemory())
      behind = std::max(behind, accesses);
    else if (instruction->mayReadFromMemory())
      behind = std::max(behind, stores);
    const uint64_t height = behind + std::max<uint64_t>(1, cost(*instruction, TargetTransformInfo::TCK_Latency));
    heights[instruction] = height;
    longest = std::max(longest, height);
    work += cost(*instruction, TargetTransformInfo::TCK_RecipThroughput);
    if (instruction->mayReadOrWriteMemory())
      accesses = std::max(accesses, height);
    if (instruction->mayWriteToMemory())
      stores = std::max(stores, height);
  }
}

// Whether no write has changed places with another access of the block.
[[maybe_unused]] bool keepsOrder(ArrayRef<Instruction *> body) {
  const Instruction *last_write = nullptr, *last_access = nullptr; // the latest of those so far, in the block's order
  const auto isBehind = [](const Instruction *x, const Instruction *y) { return y == nullptr || y->comesBefore(x); };
  for (const Instruction *access : body) {
    if (!access->mayReadOrWriteMemory())
      continue;
    if (!isBehind(access, access->mayWriteToMemory() ? last_access : last_write))
      return false;
    last_access = isBehind(access, last_access) ? access : last_access;
    last_write = access->mayWriteToMemory() ? access : last_write;
  }
  return true;
}

// Inserts a loop over pairs of work-groups before the loop over single ones, which does what remains. Instructions are
// sorted by height, which keeps operands before their users and accesses that conflict in their order.
void interleave(GroupLoop &loop, const Deadlines &deadlines) {
  Function &function = *loop.block->getParent();
  const unsigned from = loop.group->getIncomingBlock(0) == loop.block ? 1 : 0;
  BasicBlock *before = loop.group->getIncomingBlock(from), *exit = loop.block->getTerminator()->getSuccessor(0);
  Value *begin = loop.group->getIncomingValue(from);
  Type *number = loop.group->getType();
  const DebugLoc &place = loop.block->getTerminator()->getDebugLoc();
  BasicBlock *check = BasicBlock::Create(function.getContext(), "pairs.check", &function, loop.block);
  BasicBlock *pairs = BasicBlock::Create(function.getContext(), "pairs", &function, loop.block);
  BasicBlock *rest = BasicBlock::Create(function.getContext(), "pairs.rest", &function, loop.block);
  before->getTerminator()->replaceSuccessorWith(loop.block, check);
  loop.group->setIncomingBlock(from, check);

  Constant *two = ConstantInt::get(number, 2);
  IRBuilder<> b(check);
  b.SetCurrentDebugLocation(place);
  b.CreateCondBr(b.CreateICmpUGE(b.CreateSub(loop.end, begin), two), pairs, loop.block);

  // The loop over pairs: each instruction is cloned for the first and then for the second work-group.
  b.SetInsertPoint(pairs);
  PHINode *first = b.CreatePHI(number, 2, "first");
  ValueToValueMapTy copies[2];
  copies[0][loop.group] = first;
  copies[1][loop.group] = b.CreateAdd(first, ConstantInt::get(number, 1), "second", /*HasNUW=*/true);
  stable_sort(loop.body, [&](const Instruction *x, const Instruction *y) { return deadlines[x] > deadlines[y]; });
  assert(keepsOrder(loop.body) && "a write and another access of one group stay in their order");
  for (Instruction *instruction : loop.body)
    for (ValueToValueMapTy &values : copies) {
      assert(all_of(instruction->operands(),
                    [&](const Value *operand) {
                      const auto *definition = dyn_cast<Instruction>(operand);
                      return definition == nullptr || definition->getParent() != loop.block ||
                             values.count(definition) != 0;
                    }) &&
             "operands come before their users");
      assert(!instruction->isVolatile() && !instruction->isAtomic() && "accesses of different groups have no order");
      Instruction *copy = instruction->clone();
      b.Insert(copy, instruction->getName());
      copy->setDebugLoc(instruction->getDebugLoc());
      RemapInstruction(copy, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      values[instruction] = copy;
    }
  Value *next = b.CreateAdd(first, two, "next", /*HasNUW=*/true);
  first->addIncoming(begin, check);
  first->addIncoming(next, pairs);
  b.CreateCondBr(b.CreateICmpUGE(b.CreateSub(loop.end, next), two), pairs, rest);

  // After it, at most one work-group is left for the loop over single ones.
  b.SetInsertPoint(rest);
  b.CreateCondBr(b.CreateICmpEQ(next, loop.end), exit, loop.block);
  loop.group->addIncoming(next, rest);
}

} // namespace

PreservedAnalyses InterleaveGroupsPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  const auto &costs = manager.getResult<TargetIRAnalysis>(function);
  SmallVector<GroupLoop, 1> loops;
  for (BasicBlock &block : function)
    if (std::optional<GroupLoop> loop = groupLoop(block))
      loops.push_back(std::move(*loop));
  bool changed = false;
  for (GroupLoop &loop : loops)
    if (const Deadlines deadlines(loop, costs); deadlines.isChain()) {
      interleave(loop, deadlines);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
