// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Control dependences follow from post-dominators. LLVM computes the post-dominators of a whole function, in which one
// turn is followed by the next, and it counts edges that are never taken. Those of a single turn are computed here.
#include "analysis/waiting/turn_controls.h"

#include "analysis/functions/markers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cassert>
#include <utility>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr unsigned kNowhere = ~0u;

TurnControls::TurnControls(const Loop &loop) {
  addNodes(loop);
  orderNodes();
  findPostDominators();
  controls.resize(successors.size());
  for (unsigned node = kFirstBlock; node < successors.size(); ++node)
    addControls(node);
  end_controls.append(controls[kAgain]);
  end_controls.append(controls[kOut]);
}

ArrayRef<const Instruction *> TurnControls::of(const BasicBlock &block) const {
  const auto node = node_of.find(&block);
  assert(node != node_of.end() && "a block of the loop");
  return controls[node->second];
}

ArrayRef<const Instruction *> TurnControls::ofEnd() const {
  return end_controls;
}

// Builds the graph of one turn: back edges lead to kAgain, exits to kOut.
void TurnControls::addNodes(const Loop &loop) {
  terminators.resize(kFirstBlock);
  for (const BasicBlock *block : loop.blocks()) {
    node_of[block] = terminators.size();
    terminators.push_back(block->getTerminator());
  }
  successors.resize(terminators.size());
  predecessors.resize(terminators.size());
  const auto connect = [&](unsigned from, unsigned to) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  };
  connect(kAgain, kEnd);
  connect(kOut, kEnd);
  for (unsigned node = kFirstBlock; node < terminators.size(); ++node)
    for (unsigned i = 0; i < terminators[node]->getNumSuccessors(); ++i) {
      const BasicBlock *to = terminators[node]->getSuccessor(i);
      if (!isNeverTaken(*terminators[node], i))
        connect(node, to == loop.getHeader() ? unsigned(kAgain) : loop.contains(to) ? node_of.lookup(to) : kOut);
    }
}

// Orders the nodes in reverse postorder of the reversed graph, by an iterative depth-first search from kEnd.
void TurnControls::orderNodes() {
  position.assign(successors.size(), kNowhere);
  SmallVector<std::pair<unsigned, unsigned>> path{{kEnd, 0}}; // nodes, and how many of their predecessors were followed
  position[kEnd] = 0;
  while (!path.empty()) {
    auto &[node, followed] = path.back();
    if (followed == predecessors[node].size()) {
      order.push_back(node);
      path.pop_back();
    } else if (const unsigned from = predecessors[node][followed++]; position[from] == kNowhere) {
      position[from] = 0;
      path.push_back({from, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  for (const auto [i, node] : enumerate(order))
    position[node] = unsigned(i);
  assert(order.front() == kEnd && "every node of the order reaches the end");
}

// Returns the first node, by position, that all paths from both nodes pass.
unsigned TurnControls::meet(unsigned one, unsigned other) const {
  assert(one < order.size() && other < order.size() && "positions of nodes that reach the end");
  while (one != other)
    (one > other ? one : other) = post_dominators[std::max(one, other)];
  return one;
}

// Computes immediate post-dominators as in Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
void TurnControls::findPostDominators() {
  post_dominators.assign(order.size(), kNowhere);
  post_dominators[0] = 0;
  for (bool changed = true; std::exchange(changed, false);)
    for (unsigned i = 1; i < order.size(); ++i) {
      unsigned found = kNowhere;
      for (const unsigned to : successors[order[i]]) {
        // A path that never ends passes no common node, so it counts as one straight to kEnd.
        const unsigned at = position[to] != kNowhere ? position[to] : 0;
        if (post_dominators[at] != kNowhere)
          found = found == kNowhere ? at : meet(found, at);
      }
      changed |= std::exchange(post_dominators[i], found) != found;
    }
  assert(!is_contained(post_dominators, kNowhere) && "kEnd is behind every node of the order");
}

// A node depends on a branch if all paths from one of the branch's successors pass the node, but not all paths from the
// branch itself.
void TurnControls::addControls(unsigned branch) {
  if (successors[branch].size() < 2)
    return;
  const bool has_end = position[branch] != kNowhere;
  const unsigned last = has_end ? post_dominators[position[branch]] : 0;
  for (const unsigned to : successors[branch]) {
    if (position[to] == kNowhere)
      controls[to].push_back(terminators[branch]);
    else
      for (unsigned at = position[to]; at != last && at != 0; at = post_dominators[at])
        controls[order[at]].push_back(terminators[branch]);
  }
}

bool isNeverTaken(const Instruction &terminator, unsigned successor) {
  const auto *branch = dyn_cast<BranchInst>(&terminator);
  return successor == 1 && branch && branch->isConditional() && markerOf(*branch->getCondition()) == Marker::Leave;
}

// Returns the constant that `value` is when `block` has been entered from `from`, or null if it is not constant then.
static const ConstantInt *valueFrom(const BasicBlock *from, const BasicBlock &block, const Value &value) {
  const auto *phi = dyn_cast<PHINode>(&value);
  return dyn_cast<ConstantInt>(from && phi && phi->getParent() == &block ? phi->getIncomingValueForBlock(from)
                                                                         : &value);
}

// Whether a lane that has entered the block from `from` may leave it by this edge. Clang writes `break` as a number
// that is chosen in one block and tested in a later one; this recognizes such a test.
static bool mayTake(const BasicBlock *from, const Instruction &end, unsigned successor) {
  const BasicBlock &block = *end.getParent();
  if (const auto *choice = dyn_cast<SwitchInst>(&end)) {
    const ConstantInt *number = valueFrom(from, block, *choice->getCondition());
    return number == nullptr || choice->findCaseValue(number)->getSuccessorIndex() == successor;
  }
  const auto *branch = dyn_cast<BranchInst>(&end);
  if (branch == nullptr || branch->isUnconditional())
    return true;
  const ConstantInt *is = valueFrom(from, block, *branch->getCondition());
  if (is != nullptr)
    return is->isOne() == (successor == 0);
  const auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->getParent() != &block)
    return true;
  const ConstantInt *x = valueFrom(from, block, *compare->getOperand(0));
  const ConstantInt *y = valueFrom(from, block, *compare->getOperand(1));
  return !x || !y || ICmpInst::compare(x->getValue(), y->getValue(), compare->getPredicate()) == (successor == 0);
}

bool mayRepeatWithout(const Loop &loop, function_ref<bool(const Instruction &terminator, unsigned successor)> edge) {
  // Edges as pairs of the block that is left and the block that is entered. The search goes over edges and not over
  // blocks, because a block's phis depend on where it was entered from.
  SmallSetVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> entered;
  entered.insert({nullptr, loop.getHeader()});
  for (size_t i = 0; i < entered.size(); ++i) {
    const auto [from, block] = entered[i];
    const Instruction &end = *block->getTerminator();
    for (unsigned k = 0; k < end.getNumSuccessors(); ++k) {
      if (isNeverTaken(end, k) || !mayTake(from, end, k) || edge(end, k))
        continue;
      if (end.getSuccessor(k) == loop.getHeader())
        return true;
      if (loop.contains(end.getSuccessor(k)))
        entered.insert({block, end.getSuccessor(k)});
    }
  }
  return false;
}

} // namespace lanecl::vectorizer
