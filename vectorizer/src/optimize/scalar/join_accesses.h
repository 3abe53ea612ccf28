// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `join-accesses`: the members of a structure that a work-item loads or stores one by one become one access of a
// vector. It looks for accesses of one block whose addresses are a few elements apart from lane to lane and which
// together cover a lane's whole structure. Example, lane l's %p at base + 8 * l:
//
//   %x = load float, ptr %p                           %v = load <2 x float>, ptr %p
//   %q = getelementptr i8, ptr %p, i64 4     ──>      %x = extractelement <2 x float> %v, i64 0
//   %y = load float, ptr %q                           %y = extractelement <2 x float> %v, i64 1
//
// The lanes' structures lie one after the other, so `widen` accesses them all by contiguous loads and permutes. The
// pass may assume that a block performs each access for all active lanes before it performs the next one, and keeps
// that order between accesses that may conflict in any two lanes.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Runs on linearized kernels, where an access in a block is the access of all lanes that are active there.
class JoinAccessesPass : public llvm::PassInfoMixin<JoinAccessesPass> {
public:
  explicit JoinAccessesPass(const PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  const PassContext &context;
};

} // namespace lanecl::vectorizer
