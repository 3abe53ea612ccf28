// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/lane_origin.h"

#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

std::string ofItsLine(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  return location && location->getLine() != 0 ? " on line " + std::to_string(location->getLine()) : "";
}

// Returns a noun with its article: "the load of line 7", or "a load" where the line is unknown.
static std::string namedByLine(const std::string &what, const Instruction &instruction) {
  const std::string line = ofItsLine(instruction);
  const bool vowel = StringRef("aeiou").contains(what.front());
  return (!line.empty() ? "the " : vowel ? "an " : "a ") + what + line;
}

// Names an id. All ids are computed from the lane number, so the lane number stands for those that the kernel asks for.
// If it has a place in the source, the program has asked for the lane number itself.
std::string LaneOrigin::idText(const Instruction &lane_id) const {
  const DILocation *location = lane_id.getDebugLoc().get();
  if (location && (location->getColumn() != 0 || location->getInlinedAt()))
    return "get_sub_group_local_id()";
  std::string text;
  for (const std::string &id : ids)
    text += (text.empty() ? "" : " or ") + id;
  return text.empty() ? "the work-item's id" : text;
}

// Returns the text for a value at which the search ends, or an empty string if it goes on with the operands.
std::string LaneOrigin::rootText(const Instruction &instruction) const {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return namedByLine(isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand())) ? "private variable" : "load",
                       instruction);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return namedByLine("atomic operation", instruction);
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || markerOf(*call))
    return "";
  if (const std::optional<Primitive> primitive = primitiveOf(*call)) {
    const bool is_id =
        *primitive == Primitive::LaneId || *primitive == Primitive::LocalId || *primitive == Primitive::GlobalId;
    return is_id ? idText(instruction) : namedByLine("sub-group function", instruction);
  }
  return call->doesNotAccessMemory() ? "" : namedByLine("call", instruction);
}

// Adds the conditions of the branches on the way from `until` to `from` in the dominator tree: they decide whether
// `from` is reached.
void LaneOrigin::addConditions(const BasicBlock *from, const BasicBlock *until,
                               std::vector<const Value *> &sources) const {
  for (const DomTreeNode *node = tree->getNode(from); node; node = node->getIDom()) {
    if (const auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator()); branch && branch->isConditional())
      sources.push_back(branch->getCondition());
    if (node->getBlock() == until)
      return;
  }
  assert(tree->getNode(from) == nullptr && "`until` dominates `from`, if that is reached at all");
}

// Returns the values by which the instruction's value may differ between lanes: its operands or, if all of these are
// uniform, the conditions that decide which of them a lane gets.
std::vector<const Value *> LaneOrigin::sourcesOf(const Instruction &instruction) const {
  std::vector<const Value *> sources(instruction.value_op_begin(), instruction.value_op_end());
  const auto differs = [&](const Value *value) { return varies(*value); };
  if (!tree || std::any_of(sources.begin(), sources.end(), differs))
    return sources;
  // The operands are uniform and the value is not: lanes get here on different paths, or in different iterations.
  if (const auto *phi = dyn_cast<PHINode>(&instruction)) {
    const DomTreeNode *node = tree->getNode(phi->getParent());
    if (node && node->getIDom())
      for (const BasicBlock *predecessor : phi->blocks())
        addConditions(predecessor, node->getIDom()->getBlock(), sources);
  } else if (const auto *operand = dyn_cast_or_null<Instruction>(sources.empty() ? nullptr : sources.front())) {
    addConditions(instruction.getParent(), operand->getParent(), sources);
  }
  return sources;
}

std::string LaneOrigin::of(const Value &value) const {
  constexpr size_t kMostRoots = 2;
  SmallVector<std::string, kMostRoots> roots;
  SetVector<const Value *> found;
  found.insert(&value);
  for (size_t i = 0; i < found.size() && roots.size() < kMostRoots; ++i) {
    const auto *instruction = dyn_cast<Instruction>(found[i]);
    if (!instruction || !varies(*instruction))
      continue;
    const std::string root = rootText(*instruction);
    if (root.empty()) {
      for (const Value *source : sourcesOf(*instruction))
        found.insert(source);
    } else if (!is_contained(roots, root)) {
      roots.push_back(root);
    }
  }
  std::string text;
  for (const std::string &root : roots)
    text += (text.empty() ? "" : " and ") + root;
  return text;
}

} // namespace lanecl::vectorizer
