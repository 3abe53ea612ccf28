// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps exchanges between lanes in the loops whose statements contain them.
//
//   for (…) {
//     if (condition) {
//       sum = sub_group_non_uniform_reduce_add(x);
//       break;
//     }
//   }
//
// In the source the call is inside the loop, and lanes that reach it in different iterations execute it separately. In
// LLVM IR its block cannot get back to the loop's header, so it is not part of the loop: LLVM may let the lanes of all
// iterations execute it together, and so would linearize. An edge back to the header that is never taken makes the
// block part of the loop. Its condition, the marker `lanecl.leave`, is unknown to LLVM and is removed after linearize
// has made masks.
//
// A block may leave its loop whenever control flow is simplified. So loops and exchanges are numbered from inlining on
// (loop_statements.h): a loop in its `llvm.loop`, an exchange by an attribute of the call that names the loops around
// it. The marker that stands for effects (keep_effects.h) is treated like an exchange.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace lanecl::vectorizer {

// The numbers of the loops around an exchange, the innermost first.
llvm::SmallVector<unsigned> loopsAround(const llvm::CallBase &exchange);
void setLoopsAround(llvm::CallBase &exchange, llvm::ArrayRef<unsigned> numbers);

std::optional<unsigned> numberOf(const llvm::Loop &loop);
void setNumber(llvm::Loop &loop, unsigned number);

// Returns whether an edge was added.
bool keepInLoops(llvm::Function &function, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators);

// Whether the loop repeats by way of the block only, so that the block is in it as long as there is a loop.
bool isInEachTurn(const llvm::BasicBlock &block, const llvm::Loop &loop, const llvm::DominatorTree &dominators);

// Whether a lane can leave the loop for the instruction on its own: it comes from nowhere else and exchanges nothing
// until then.
bool isReachedAlone(const llvm::Instruction &instruction, const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                    llvm::function_ref<bool(const llvm::Instruction &)> exchanges);

// Before a pass that simplifies control flow: exchanges that are in their loops get their edges, if the loop's end may
// be decided on the way to it or from it, as in
//
//   while (!done) {
//     if (condition) {
//       sum = sub_group_non_uniform_reduce_add(x);
//       done = true;
//     }
//   }
//
// LLVM makes `done` an exit, and the loop's number is lost with the branch that is left out.
class TieToLoopsPass : public llvm::PassInfoMixin<TieToLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

// After a pass that simplifies control flow.
class KeepInLoopsPass : public llvm::PassInfoMixin<KeepInLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

// After loops have been copied and before control flow is simplified: each copy gets a number of its own.
class NumberLoopsPass : public llvm::PassInfoMixin<NumberLoopsPass> {
public:
  explicit NumberLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

// Removes the edges that are never taken.
void resolveLeaves(llvm::Function &function);
// And what keeps effects in their loops (keep_effects.h).
void forgetLoopStatements(llvm::Function &function);

} // namespace lanecl::vectorizer
