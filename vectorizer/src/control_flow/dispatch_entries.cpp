// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/dispatch_entries.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cassert>
#include <vector>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// A loop with up to this many entries is left to FixIrreducible.
constexpr size_t kManyEntries = 4;

// Counts the entries of all irreducible cycles in this one, itself included.
size_t entriesWithin(const Cycle &cycle) {
  size_t count = cycle.isReducible() ? 0 : cycle.getEntries().size();
  for (const Cycle *inner : cycle.children())
    count += entriesWithin(*inner);
  return count;
}

// Finds the outermost irreducible cycles that contain more than kManyEntries entries.
void findMany(const Cycle &cycle, SmallVectorImpl<const Cycle *> &found) {
  if (!cycle.isReducible() && entriesWithin(cycle) > kManyEntries) {
    found.push_back(&cycle);
    return;
  }
  for (const Cycle *inner : cycle.children())
    findMany(*inner, found);
}

// A way into the loop or back: an edge of the control flow graph that will go to the switch.
struct Edge {
  Instruction *branch;
  unsigned successor;
};

// The transformation of one cycle. The constructor finds the edges, and run() redirects them. All cycles are found
// before the first one is changed.
class Dispatch {
public:
  explicit Dispatch(const Cycle &cycle) : function(*cycle.getHeader()->getParent()) {
    blocks.insert_range(cycle.blocks());
    findWaysIn();
    for (BasicBlock *entry : cycle.getEntries())
      findWaysBack(*entry);
  }

  void run();

private:
  void findWaysIn();
  void findWaysBack(BasicBlock &from);
  void add(BasicBlock &from, unsigned successor) { edges.push_back({from.getTerminator(), successor}); }
  PHINode &argument(const PHINode &phi);
  void redirect(const Edge &edge);
  unsigned numberOf(BasicBlock &target) { return numbers.try_emplace(&target, numbers.size()).first->second; }

  Function &function;
  SmallSetVector<BasicBlock *, 32> blocks;
  // The blocks that the depth-first search has visited, and those on its path.
  SmallPtrSet<const BasicBlock *, 32> visited, open;
  SmallVector<Edge> edges;                   // that will lead to the switch
  MapVector<BasicBlock *, unsigned> numbers; // the numbers of their targets
  // The phis of the switch's block, by type. They carry the values for the phis of all targets.
  MapVector<Type *, SmallVector<PHINode *, 2>> arguments;
  BasicBlock *dispatch = nullptr; // the block of the switch
  PHINode *next = nullptr;        // the number of the target
};

// Finds the edges that enter the cycle from outside.
void Dispatch::findWaysIn() {
  for (BasicBlock *block : blocks)
    for (BasicBlock *before : SmallSetVector<BasicBlock *, 4>(pred_begin(block), pred_end(block)))
      if (!blocks.contains(before))
        for (unsigned i = 0; i < before->getTerminator()->getNumSuccessors(); ++i)
          if (before->getTerminator()->getSuccessor(i) == block)
            add(*before, i);
}

// Finds the edges that lead back to a block on the path of a depth-first search. Without these edges the blocks are
// acyclic.
void Dispatch::findWaysBack(BasicBlock &from) {
  struct Visit {
    BasicBlock *block;
    unsigned next;
  };
  SmallVector<Visit> path;
  const auto enter = [&](BasicBlock &block) {
    if (!visited.insert(&block).second)
      return;
    open.insert(&block);
    path.push_back({&block, 0});
  };
  enter(from);
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getTerminator()->getNumSuccessors()) {
      open.erase(block);
      path.pop_back();
      continue;
    }
    BasicBlock *successor = block->getTerminator()->getSuccessor(next++);
    if (!blocks.contains(successor))
      continue;
    if (open.contains(successor))
      add(*block, next - 1);
    else
      enter(*successor);
  }
}

// Returns the phi of the switch's block that carries the value for the k-th phi of this type in each target.
PHINode &Dispatch::argument(const PHINode &phi) {
  unsigned k = 0;
  for (const PHINode &before : phi.getParent()->phis()) {
    if (&before == &phi)
      break;
    k += before.getType() == phi.getType();
  }
  SmallVector<PHINode *, 2> &known = arguments[phi.getType()];
  while (known.size() <= k)
    known.push_back(PHINode::Create(phi.getType(), edges.size(), "argument", dispatch));
  return *known[k];
}

// Sends an edge to the switch, and with it the values for its target's phis.
void Dispatch::redirect(const Edge &edge) {
  BasicBlock *from = edge.branch->getParent(), *target = edge.branch->getSuccessor(edge.successor);
  assert(isa<BranchInst>(edge.branch) && blocks.contains(target) && "a branch into the loop; switches are lowered");
  BasicBlock *way = BasicBlock::Create(function.getContext(), "to." + target->getName(), &function, dispatch);
  BranchInst::Create(dispatch, way)->setDebugLoc(edge.branch->getDebugLoc());
  edge.branch->setSuccessor(edge.successor, way);
  next->addIncoming(ConstantInt::get(next->getType(), numberOf(*target)), way);
  for (PHINode &phi : target->phis())
    argument(phi).addIncoming(phi.removeIncomingValue(from, /*DeletePHIIfEmpty=*/false), way);
}

void Dispatch::run() {
  assert(edges.size() > 1 && "an irreducible loop is entered in several ways");
  LLVMContext &context = function.getContext();
  dispatch = BasicBlock::Create(context, "dispatch", &function, blocks[0]);
  next = PHINode::Create(Type::getInt32Ty(context), edges.size(), "next", dispatch);
  for (const Edge &edge : edges)
    redirect(edge);
  for (auto &[type, phis] : arguments)
    for (PHINode *phi : phis)
      for (BasicBlock *way : predecessors(dispatch))
        if (phi->getBasicBlockIndex(way) < 0)
          phi->addIncoming(PoisonValue::get(type), way);
  SwitchInst *choice = SwitchInst::Create(next, numbers.front().first, numbers.size() - 1, dispatch);
  choice->setDebugLoc(edges[0].branch->getDebugLoc());
  for (const auto &[target, number] : drop_begin(numbers))
    choice->addCase(ConstantInt::get(Type::getInt32Ty(context), number), target);
  for (const auto &[target, number] : numbers)
    for (PHINode &phi : target->phis())
      phi.addIncoming(&argument(phi), dispatch);
}

// Repairs SSA form. A definition may no longer dominate its uses, because the switch leads past it to later blocks.
void restoreDominance(Function &function) {
  DominatorTree dominators(function);
  SmallVector<Instruction *> lost;
  for (Instruction &instruction : instructions(function))
    if (any_of(instruction.uses(), [&](const Use &use) { return !dominators.dominates(&instruction, use); }))
      lost.push_back(&instruction);
  SmallVector<AllocaInst *> variables;
  for (Instruction *instruction : lost)
    variables.push_back(DemoteRegToStack(*instruction));
  PromoteMemToReg(variables, dominators);
}

} // namespace

bool dispatchEntries(Function &function, const CycleInfo &cycles) {
  SmallVector<const Cycle *> found;
  for (const Cycle *cycle : cycles.toplevel_cycles())
    findMany(*cycle, found);
  std::vector<Dispatch> all;
  for (const Cycle *cycle : found)
    all.emplace_back(*cycle);
  for (Dispatch &dispatch : all)
    dispatch.run();
  if (!all.empty())
    restoreDominance(function);
  return !all.empty();
}

} // namespace lanecl::vectorizer
