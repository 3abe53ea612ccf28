// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Why a value differs between the lanes, as text for the report: what it was computed from, back to loads, ids, atomic
// operations and the like.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instruction.h"

#include <functional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

class LaneOrigin {
public:
  // Whether a value differs between lanes.
  using Varies = std::function<bool(const llvm::Value &)>;

  // `ids` are the functions by which the kernel asks for a work-item's place, as "get_global_id(0)". With a tree also
  // branches are followed, by which lanes get different ones of uniform values.
  LaneOrigin(Varies varies, const std::vector<std::string> &ids, const llvm::DominatorTree *tree = nullptr)
      : varies(std::move(varies)), ids(ids), tree(tree) {}

  // "get_global_id(0)", "the load of line 7 and get_local_id(0)"; empty: nothing is found.
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

// " of line 7"; empty: the place is not known, as of what was moved out of a loop.
std::string ofItsLine(const llvm::Instruction &instruction);

} // namespace lanecl::vectorizer
