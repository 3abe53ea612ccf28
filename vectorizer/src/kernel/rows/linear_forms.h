// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a number of a kernel that is still scalar depends on lane and sub-group.
#pragma once

#include "analysis/primitives.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// A number that is a constant times the lane, plus one times the sub-group's number, plus one times the work-items of
// the rows before, plus what all share.
struct Linear {
  int64_t lane = 0, sub_group = 0, rows = 0;
  bool isShared() const { return lane == 0 && sub_group == 0 && rows == 0; }
};
using MaybeLinear = std::optional<Linear>;

// All share: the work-items of all rows along `axis`, or without an axis those of a work-group. Every one of them
// computes the value: what flags promise of it holds for all of them.
class LinearForms {
public:
  // Whether a load gives all the same if its address is the same.
  using IsSharedLoad = llvm::function_ref<bool(const llvm::LoadInst &)>;

  LinearForms(std::optional<unsigned> axis, IsSharedLoad is_shared_load) : axis(axis), is_shared_load(is_shared_load) {}
  MaybeLinear of(llvm::Value &value, unsigned depth = 0);
  bool isShared(llvm::Value &value) {
    const MaybeLinear form = of(value);
    return form && form->isShared();
  }

private:
  bool isOfAxis(llvm::Value &value, Primitive primitive) const;
  bool isRowsBefore(llvm::Instruction &op) const;
  MaybeLinear ofQuery(const llvm::CallBase &call) const;
  MaybeLinear ofCall(llvm::CallBase &call, unsigned depth);
  MaybeLinear ofExtension(llvm::CastInst &cast, unsigned depth);
  MaybeLinear ofOperation(llvm::Instruction &op, unsigned depth);

  std::optional<unsigned> axis;
  IsSharedLoad is_shared_load;
};

} // namespace lanecl::vectorizer
