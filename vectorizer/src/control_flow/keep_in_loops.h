// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps exchanges between lanes in the loops whose statements contain them. In
//
//   for (…) {
//     if (condition) {
//       sum = sub_group_non_uniform_reduce_add(x);
//       break;
//     }
//   }
//
// the call is inside the loop, and lanes that reach it in different iterations execute it separately. In LLVM IR the
// call's block cannot get back to the loop's header, so it is not part of the loop. LLVM may let the lanes of all
// iterations execute it together, and linearize would, too. An edge back to the header makes the block part of the
// loop:
//
//   call …                                  call …
//   br %exit                          ->    %leave = call i1 @lanecl.leave()
//                                           br i1 %leave, %exit, %header
//
// The edge is never taken. Its condition, the marker `lanecl.leave`, is unknown to LLVM, and it is resolved to true
// after linearize has made masks.
//
// A block may drop out of its loop whenever a pass simplifies control flow. So loops and exchanges are numbered before
// calls are inlined (loop_statements.h): a loop in its `llvm.loop` metadata, and an exchange by an attribute of the
// call that lists the loops around it. The marker that stands for effects (keep_effects.h) is treated like an exchange.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace lanecl::vectorizer {

// Returns the numbers of the loops around an exchange, the innermost first.
llvm::SmallVector<unsigned> loopsAround(const llvm::CallBase &exchange);
void setLoopsAround(llvm::CallBase &exchange, llvm::ArrayRef<unsigned> numbers);

// Returns the number of a loop, or nothing if it has none.
std::optional<unsigned> numberOf(const llvm::Loop &loop);
void setNumber(llvm::Loop &loop, unsigned number);

// Adds the edges for all exchanges that are outside of their loops. Returns whether there were any.
bool keepInLoops(llvm::Function &function, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators);

// Whether every path around the loop passes the block, so that the block stays in the loop as long as there is a loop.
bool isInEachTurn(const llvm::BasicBlock &block, const llvm::Loop &loop, const llvm::DominatorTree &dominators);

// Whether a lane can leave the loop on its own and reach the instruction: all paths to it come from the loop, and no
// instruction on the way is one of `exchanges`.
bool isReachedAlone(const llvm::Instruction &instruction, const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                    llvm::function_ref<bool(const llvm::Instruction &)> exchanges);

// Runs before a pass that simplifies control flow. Exchanges that are still in their loops get their edges, if the end
// of the loop may be decided on the way to the exchange or from it, as in
//
//   while (!done) {
//     if (condition) {
//       sum = sub_group_non_uniform_reduce_add(x);
//       done = true;
//     }
//   }
//
// SimplifyCFG turns `done` into an exit, and the loop's number is lost with the branch that it leaves out. Loops whose
// number of iterations is known need no edges.
class TieToLoopsPass : public RequiredPass<TieToLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// Runs after a pass that simplifies control flow: exchanges that have dropped out of their loops get their edges.
class KeepInLoopsPass : public RequiredPass<KeepInLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// Runs after loops have been copied and before control flow is simplified: each copy of a loop gets a number of its
// own.
class NumberLoopsPass : public RequiredPass<NumberLoopsPass> {
public:
  explicit NumberLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  PassContext &context;
};

// Removes the edges that are never taken.
void resolveLeaves(llvm::Function &function);
// Removes these edges and the markers that keep effects in their loops (keep_effects.h).
void forgetLoopStatements(llvm::Function &function);

} // namespace lanecl::vectorizer
