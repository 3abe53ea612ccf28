// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/level_graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

LevelGraph::LevelGraph(Function &function, LoopInfo &loops, Loop *loop, BasicBlock &return_block,
                       ArrayRef<BasicBlock *> topological, IsDivergent is_divergent)
    : loops(loops), loop(loop) {
  addNodes(topological, is_divergent);
  assert(!storage.empty() && start()->entry == (loop ? loop->getHeader() : &function.getEntryBlock()) &&
         "the first node");
  end_node.index = storage.size();
  dead_end_node.index = storage.size() + 1;
  addEdges(return_block);
  computeJoins();
}

void LevelGraph::addNodes(ArrayRef<BasicBlock *> topological, IsDivergent is_divergent) {
  for (BasicBlock *block : topological) {
    Loop *inner = loops.getLoopFor(block);
    const bool own = inner == loop;
    const bool collapsed = !own && inner && inner->getParentLoop() == loop && inner->getHeader() == block;
    if (!own && !collapsed)
      continue;
    auto node = std::make_unique<LevelNode>();
    node->entry = block;
    node->loop = collapsed ? inner : nullptr;
    node->divergent = own && is_divergent(*block);
    node->index = storage.size();
    by_entry[block] = node.get();
    storage.push_back(std::move(node));
  }
}

LevelNode *LevelGraph::nodeOf(BasicBlock *block) const {
  return by_entry.lookup(block);
}

void LevelGraph::addEdges(BasicBlock &return_block) {
  // Several edges may lead to the return. The last one in topological order is the function's end, and the others are
  // early returns.
  const bool is_function = loop == nullptr;
  LevelNode *last = nullptr;
  const auto targetsOf = [](LevelNode &node) {
    assert((!node.loop || node.loop->getUniqueExitBlock()) && "a loop is left to one block");
    if (node.loop)
      return SmallVector<BasicBlock *, 2>{node.loop->getUniqueExitBlock()};
    return SmallVector<BasicBlock *, 2>(successors(node.entry));
  };
  for (const auto &node : storage)
    if (is_function && is_contained(targetsOf(*node), &return_block))
      last = node.get();
  for (const auto &node : storage)
    for (BasicBlock *target : targetsOf(*node)) {
      const bool returns = is_function && target == &return_block;
      const bool leaves = loop && !loop->contains(target);
      if (leaves || (returns && node.get() != last)) {
        node->leaves_level = true;
        continue;
      }
      const bool to_end = returns || (loop && target == loop->getHeader());
      LevelNode *successor = to_end ? &end_node : nodeOf(target);
      assert(successor != nullptr && successor->index > node->index && "an edge within the level leads forward");
      node->successors.push_back(successor);
      successor->predecessors.push_back(node.get());
    }
}

// Returns the nearest common ancestor in the tree of joins.
static LevelNode *nearestCommon(LevelNode *a, LevelNode *b) {
  while (a != b) {
    LevelNode *&deeper = a->depth >= b->depth ? a : b;
    assert(deeper->join != nullptr && "both nodes are in one tree");
    deeper = deeper->join;
  }
  return a;
}

// Computes the immediate post-dominators. One pass in reverse topological order is exact, because there are no cycles.
// The nodes that reach the end form one tree, and the others form a second one; a node with successors in both belongs
// to the first.
void LevelGraph::computeJoins() {
  SmallPtrSet<LevelNode *, 32> reaches_end{&end_node};
  for (const auto &node : reverse(storage)) {
    const bool alive = any_of(node->successors, [&](LevelNode *s) { return reaches_end.contains(s); });
    LevelNode *join = nullptr;
    for (LevelNode *successor : node->successors) {
      if (reaches_end.contains(successor) != alive)
        continue;
      join = join ? nearestCommon(join, successor) : successor;
    }
    if (alive)
      reaches_end.insert(node.get());
    node->join = join ? join : &dead_end_node;
    node->depth = node->join->depth + 1;
  }
}

// Collects the nodes that paths from `node` pass before `join`.
LevelRegion LevelGraph::between(LevelNode *node, LevelNode *join) const {
  LevelRegion region;
  region.join = join;
  SmallPtrSet<LevelNode *, 16> seen{node, join};
  SmallVector<LevelNode *> work(node->successors.begin(), node->successors.end());
  while (!work.empty()) {
    LevelNode *next = work.pop_back_val();
    if (isEnd(next) || !seen.insert(next).second)
      continue;
    region.nodes.push_back(next);
    region.leaves_level |= next->leaves_level;
    append_range(work, next->successors);
  }
  sort(region.nodes, [](LevelNode *a, LevelNode *b) { return a->index < b->index; });
  seen.erase(join);
  for (LevelNode *inside : region.nodes)
    for (LevelNode *from : inside->predecessors)
      if (!seen.contains(from)) {
        region.closed = false;
        region.never_closed |= from->index < join->index;
      }
  return region;
}

LevelRegion LevelGraph::region(LevelNode *node, LevelNode *limit) const {
  const auto isLast = [&](LevelNode *join) { return join == limit || isEnd(join); };
  for (LevelNode *join = node->join;; join = join->join) {
    LevelRegion found = between(node, join);
    if (found.closed || isLast(join))
      return found;
    if (!found.never_closed)
      continue;
    while (!isLast(join))
      join = join->join;
    return between(node, join);
  }
}

LevelNode *LevelGraph::stopFor(LevelNode *node, LevelNode *join) {
  for (LevelNode *at = node; at; at = at->join)
    if (at == join)
      return join;
  return &dead_end_node;
}

bool LevelGraph::sidesAreDisjoint(LevelNode *node, const LevelRegion &region) const {
  SmallPtrSet<LevelNode *, 16> inside(region.nodes.begin(), region.nodes.end());
  DenseMap<LevelNode *, LevelNode *> side_of;
  for (LevelNode *side : node->successors) {
    SmallVector<LevelNode *> work{side};
    while (!work.empty()) {
      LevelNode *next = work.pop_back_val();
      if (!inside.contains(next))
        continue;
      auto [known, fresh] = side_of.try_emplace(next, side);
      if (!fresh && known->second != side)
        return false;
      if (fresh)
        append_range(work, next->successors);
    }
  }
  return true;
}

bool LevelGraph::mayKeepBranches(LevelNode *node, const LevelRegion &region) const {
  if (node->divergent || region.leaves_level)
    return false;
  SmallPtrSet<LevelNode *, 16> covered;
  for (LevelNode *inside : region.nodes) {
    if (!inside->divergent || covered.contains(inside))
      continue;
    LevelRegion own = this->region(inside, region.join);
    if (!own.closed)
      return false;
    covered.insert(own.nodes.begin(), own.nodes.end());
  }
  return true;
}

bool LevelGraph::ownsJoin(LevelNode *node, const LevelRegion &region) {
  return all_of(region.join->predecessors,
                [&](LevelNode *from) { return from == node || is_contained(region.nodes, from); });
}

} // namespace lanecl::vectorizer
