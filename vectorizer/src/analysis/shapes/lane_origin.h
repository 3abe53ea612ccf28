// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Explains, for the vectorization report, why a value differs between lanes: which loads, ids, atomic operations and
// the like it was computed from.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instruction.h"

#include <functional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// Searches the operands of a value back to the places where the difference between lanes arises.
class LaneOrigin {
public:
  // Returns whether a value differs between lanes.
  using Varies = std::function<bool(const llvm::Value &)>;

  // `ids` are the functions by which the kernel asks for a work-item's id, such as "get_global_id(0)". With a dominator
  // tree, branches are followed as well: a divergent branch makes lanes differ by choosing between uniform values.
  LaneOrigin(Varies varies, const std::vector<std::string> &ids, const llvm::DominatorTree *tree = nullptr)
      : varies(std::move(varies)), ids(ids), tree(tree) {}

  // Returns at most two origins, such as "get_global_id(0)" or "the load of line 7 and get_local_id(0)". Returns an
  // empty string if none is found.
  std::string of(const llvm::Value &value) const;

private:
  std::string rootText(const llvm::Instruction &instruction) const;
  std::string idText(const llvm::Instruction &lane_id) const;
  std::vector<const llvm::Value *> sourcesOf(const llvm::Instruction &instruction) const;
  void addConditions(const llvm::BasicBlock *from, const llvm::BasicBlock *until,
                     std::vector<const llvm::Value *> &sources) const;

  Varies varies;
  const std::vector<std::string> &ids;
  const llvm::DominatorTree *tree;
};

// Returns the instruction's place as " of line 7", or an empty string if it has none, such as after it was moved out of
// a loop.
std::string ofItsLine(const llvm::Instruction &instruction);

} // namespace lanecl::vectorizer
