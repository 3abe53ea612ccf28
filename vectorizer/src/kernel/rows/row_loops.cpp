// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/rows/row_loops.h"

#include "analysis/functions/kept_functions.h"
#include "kernel/launch/launch_queries.h"
#include "kernel/rows/strided_loop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr const char *kTakesWholeRow = "lanecl.takes.whole.row";
constexpr unsigned kShortStep = 1024; // bytes or more: the next turn is on another page or nearly so

// Returns whether the kernel consists of the loop, its guard and the blocks around it. The entry block has no side
// effects, so it does not matter how many sub-groups execute it.
bool hasNothingElse(const Function &function, const StridedLoop &row) {
  return row.guard->getParent() == &function.getEntryBlock() && function.size() == row.loop->getNumBlocks() + 4 &&
         isa<ReturnInst>(*row.end->getFirstNonPHIOrDbg()) &&
         none_of(function.getEntryBlock(),
                 [](const Instruction &i) { return hasSideEffects(i) || isa<AllocaInst>(i); });
}

// Returns whether the loop starts at the work-item's position in the launch and takes long steps.
bool isRowLoop(const Function &function, const StridedLoop &row, const LaunchClass &launch) {
  const auto is_argument = [](const LoadInst &load) { return load.hasMetadata(LLVMContext::MD_invariant_load); };
  assert(launch.isRow() && "the work-group is one row");
  LinearForms forms(*launch.rowAxis(), is_argument);
  const MaybeLinear form = forms.of(*row.first);
  const auto *known_step = dyn_cast<ConstantInt>(row.step);
  return hasNothingElse(function, row) && row.number->getType()->getIntegerBitWidth() >= 32 && form &&
         form->lane == 1 && form->sub_group == int64_t{launch.width} && form->rows == 1 &&
         !(known_step && known_step->getValue().ult(kShortStep)) && sharesAllButNumber(row, forms);
}

} // namespace

bool takesWholeRow(const Function &function) {
  return function.hasFnAttribute(kTakesWholeRow);
}

PreservedAnalyses RowLoopsPass::run(Function &function, FunctionAnalysisManager &manager) {
  const LaunchClass &launch = context.launch;
  if (!launch.isRow() || !function.getReturnType()->isVoidTy() || launch.isOneLane() || hasKeptCalls(function))
    return PreservedAnalyses::all();
  manager.invalidate(function, LoopSimplifyPass().run(function, manager));
  const LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  if (loops.getTopLevelLoops().size() != 1)
    return PreservedAnalyses::none();
  const std::optional<StridedLoop> row = asStridedLoop(*loops.getTopLevelLoops()[0]);
  if (!row || !isRowLoop(function, *row, launch))
    return PreservedAnalyses::none();
  IRBuilder<> b(row->guard);
  LaunchQueries queries(function, launch);
  Type *type = row->number->getType();
  Value *count = b.CreateZExtOrTrunc(queries.fullSubGroupsOfRow(), type, "row.count");
  takeTogether(*row, launch.width, count, b.CreateZExtOrTrunc(queries.query(Primitive::LaneId, std::nullopt), type));
  function.addFnAttr(kTakesWholeRow);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
