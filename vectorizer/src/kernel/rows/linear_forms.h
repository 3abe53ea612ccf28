// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a number of a scalar kernel depends on the lane and the sub-group. Example: i = get_local_id(0) of a row with W
// lanes is sub_group_id * W + lane, in this form {lane = 1, sub_group = W}.
#pragma once

#include "analysis/functions/primitives.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// A number that is lane * (lane's number) + sub_group * (sub-group's number) + rows * (work-items of the preceding
// rows) + a value that all work-items share.
struct Linear {
  int64_t lane = 0, sub_group = 0, rows = 0;
  bool isShared() const { return lane == 0 && sub_group == 0 && rows == 0; }
};
using MaybeLinear = std::optional<Linear>;

// Computes linear forms. "Shared" means: by the work-items of all rows along `axis`, or without an axis by those of a
// work-group. Every one of them computes the value, so what its flags promise holds for all of them.
class LinearForms {
public:
  // Says whether a load gives all work-items the same value if its address is the same for them.
  using IsSharedLoad = llvm::function_ref<bool(const llvm::LoadInst &)>;

  LinearForms(std::optional<unsigned> axis, IsSharedLoad is_shared_load) : axis(axis), is_shared_load(is_shared_load) {}
  // Returns the value's form, or nothing if it has none or is too complex.
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
