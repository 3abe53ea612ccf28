// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/recipe.h"

#include "vectorizer/check.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

bool always(const Situation &) {
  return true;
}

bool onlyToFindErrors(const Situation &situation) {
  return situation.steps == Steps::Checks;
}

bool withDebugInformation(const Situation &situation) {
  return situation.context.debug && situation.steps != Steps::Checks;
}

bool optimized(const Situation &situation) {
  return situation.optimizes();
}

bool optimizedWithoutDebugging(const Situation &situation) {
  return situation.optimizes() && !situation.context.debug;
}

bool optimizedFreely(const Situation &situation) {
  return situation.optimizesFreely();
}

bool optimizedLanes(const Situation &situation) {
  return situation.optimizesLanes();
}

bool optimizedLanesWithoutDebugging(const Situation &situation) {
  return situation.optimizesLanes() && !situation.context.debug;
}

bool optimizedLanesFreely(const Situation &situation) {
  return situation.optimizesLanes() && situation.optimizesFreely();
}

bool withChecks(const Situation &situation) {
  return situation.checks;
}

bool withoutMemoryChecks(const Situation &situation) {
  return !situation.checks || !situation.checks->memory;
}

bool withMemoryChecks(const Situation &situation) {
  return !withoutMemoryChecks(situation);
}

bool withInitializationChecks(const Situation &situation) {
  return situation.checks && situation.checks->initialization != Reach::Nothing;
}

bool withRaceChecks(const Situation &situation) {
  return situation.checks && situation.checks->races != Reach::Nothing;
}

bool withObjectChecks(const Situation &situation) {
  return withMemoryChecks(situation) || withInitializationChecks(situation) || withRaceChecks(situation);
}

bool withSubGroupChecks(const Situation &situation) {
  return situation.checks && situation.checks->sub_groups;
}

bool withWorkGroupChecks(const Situation &situation) {
  return situation.checks && situation.checks->work_groups;
}

bool withArithmeticChecks(const Situation &situation) {
  return situation.checks && situation.checks->arithmetic;
}

bool withChoiceOfAxis(const Situation &situation) {
  return situation.context.launch.row_axes != 0;
}

bool withLimitedSize(const Situation &situation) {
  return situation.context.most_instructions != 0;
}

constexpr Step kToFindErrors[] = {
    {"lower-printf", always,
     "Calls of printf pack their arguments. The pass runs first, before any other treats OpenCL C's printf as the C "
     "library's."},
    {"debug-statements", withDebugInformation, "The statements of a kernel built with -g stay apart from here on."},
    {"debug-variables", withDebugInformation, "The variables of a kernel built with -g stay apart from here on."},
    {"element-alignment", withoutMemoryChecks,
     "Accesses of vectors promise the alignment of their elements only, because programs often have vectors that are "
     "less aligned than their type. Check mode reports such accesses; there the pass runs after check-accesses."},
    {"mark-initialization", withInitializationChecks,
     "Uninitialized variables are marked before an optimization can exploit that they are undefined."},
    {"check-sub-groups", withSubGroupChecks, "Sub-group functions report broken rules."},
    {"check-blocks", withSubGroupChecks, "Block reads and writes report broken rules."},
    {"check-work-groups", withWorkGroupChecks,
     "Barriers and work-group functions report work-items that do not reach them."},
    {"check-images", withMemoryChecks, "Image reads and writes report coordinates outside the image."},
    {"mark-orders", withRaceChecks,
     "Compare-exchanges keep the memory orders that the program gives them, for check-races."},
    {"check-arithmetic", withArithmeticChecks,
     "Operations report undefined results, for example of a division by zero."},
    {"replace-undef", always,
     "Undefined values become some value before an optimization can exploit that they are undefined."},
    {"defined-results", always, "Results that OpenCL leaves open become some value, for the same reason."},
    {"safe-division", always, "Divisions by zero and quotients that overflow become defined, for the same reason."},
    {"inline-calls", always,
     "Helpers and built-ins are inlined into the kernel, because the analyses know most about the values of a single "
     "function. A function that would make the kernel too large stays a function."},
    {"quotients-by-zero", always, "The results of divisions by zero are chosen."},
    {"named-barriers", always, "SPIR-V's named barriers get memory in the work-group's local memory."},
    {"check-objects", withObjectChecks,
     "Accesses of variables report if they are out of bounds. The pass runs before an optimization can exploit the "
     "size of a variable."},
    {"image-handles", always, "Images and pipes become addresses; samplers and reservations become numbers."},
    {"kernel-arguments", always,
     "Arguments become loads from the packed argument block, and __local variables become places in the worker's local "
     "memory."},
    {"function-parameters", always, "Kept functions get what the kernel knows of the launch as parameters."},
    {"row-axis", withChoiceOfAxis,
     "If the launch leaves the choice open, lanes lie along the dimension whose neighbors are neighbors in memory."},
    {"specialize-launch", always,
     "Sizes that the launch class knows become constants, and ids become arithmetic on the lane's number."},
    {"find-waits", onlyToFindErrors,
     "Finds out whether sub-groups wait for each other in loops. It runs only where a program is checked for errors, "
     "and nothing is compiled."},
};

constexpr Step kToMakeCode[] = {
    {"scalar-optimize", always, "LLVM's optimizations run while the kernel is still scalar."},
    {"recomputed-values", optimizedFreely,
     "If two loops compute the same values, the first one keeps them where the second one stores."},
    {"yields", always, "If a sub-group waits for others in a loop, the others get to run."},
    {"kernel-size", withLimitedSize,
     "Gives up if the kernel has too many instructions for the number of lanes that is being tried."},
    {"check-initialization", withInitializationChecks,
     "Branches and other decisions report if they depend on uninitialized values."},
    {"check-accesses", withMemoryChecks, "Accesses report if they are out of bounds."},
    {"element-alignment", withMemoryChecks, "See above: in check mode the pass runs here."},
    {"check-races", withRaceChecks, "Accesses, barriers and fences are recorded, so that data races are found."},
    {"place-reports", withChecks, "Reports get the source locations that they name."},
    {"function-versions", always, "Kept functions get a version for each kind of call."},
    {"row-loops", optimizedLanesFreely, "The sub-groups of a row run a loop over memory together."},
    {"group-loops", optimizedLanesFreely,
     "The first sub-group runs a loop that writes memory for all sub-groups of its work-group."},
    {"prefetch-neighbors", optimizedLanesFreely, "Sub-groups that share a row of an array prefetch for each other."},
    {"whole-loops", optimizedLanes, "A loop runs without masks for as long as all lanes go on."},
    {"canonicalize", always, "Control flow gets the form that linearize expects."},
    {"split-conditions", optimizedLanes,
     "The part of a condition that is the same for all lanes becomes a branch of its own, without a mask."},
    {"whole-branches", optimizedLanesWithoutDebugging,
     "Where all lanes pass a condition, the accesses under it have no mask."},
    {"linearize", always, "Divergent branches become masks; the remaining branches are uniform."},
    {"exit-counts", optimizedWithoutDebugging, "Each lane counts the iterations of a loop until it leaves."},
    {"join-accesses", optimized, "Accesses of the members of one structure become one access of a vector."},
    {"widen", always,
     "Every varying value becomes a vector of W lanes, and kernel k becomes k.lanes and, for incomplete sub-groups, "
     "k.lanes.partial."},
    {"local-atomics", always,
     "Atomic updates of local memory become loads and stores, because one thread runs the whole work-group."},
    {"lower-queries", always, "The remaining queries of the launch become parameters and loads."},
    {"clean-up", optimized,
     "LLVM's passes drop values that nothing needs any more, because every value that is live across a barrier makes "
     "the frames larger."},
    {"private-memory", always, "Large private arrays move from the stack to the worker's scratch memory."},
    {"barriers", always, "Work-group barriers become suspension points of a coroutine."},
    {"work-group", always,
     "Makes the function that the scheduler calls, a loop over work-groups and their sub-groups."},
    {"vector-optimize", always, "LLVM's optimizations of the vector code, for this processor."},
    {"half-comparisons", optimized,
     "Without half arithmetic, vectors of halves are compared as floats, so that their masks have the width of "
     "floats."},
    {"mask-registers", always,
     "Without mask registers, a mask that is live across blocks gets the form that vector comparisons return."},
    {"mask-bits", optimized, "The bits of a mask that takes several registers are joined in a general register."},
    {"bit-selects", optimized,
     "On AVX2, vblendv selects by the sign bit, so a select on one bit becomes a shift of that bit to the sign."},
    {"known-lanes", always,
     "A masked access whose mask is a known run of lanes becomes a plain access. This also works around a defect of "
     "LLVM's x86 code generator."},
    {"narrow-products", always,
     "64-bit products of factors that fit into 16 bits are computed in 32 bits. This also works around a defect of "
     "LLVM's x86 code generator."},
    {"short-products", optimized,
     "Products of shorts are computed by pmaddwd, which takes half as long as a 32-bit product."},
    {"wide-extensions", optimized, "Halves that are taken out of a vector one by one become floats together."},
    {"splat-permutes", optimized,
     "The permute of a broadcast returns the element in all lanes, so that no second permute is needed."},
    {"splat-masks", optimized, "The bits of a ballot are copied to all lanes by one instruction."},
    {"running-extremes", optimized, "A running maximum or minimum that is never NaN takes one instruction."},
    {"sink-elements", optimized,
     "Code that works lane by lane takes each lane's element right before its use, which needs few registers."},
    {"interleave-groups", optimizedWithoutDebugging,
     "A work-group that is one dependency chain is interleaved with the next work-group."},
    {"vector-rotates", always,
     "Rotates become shifts by intrinsics, because LLVM treats a rotate as undefined when it finds out late that the "
     "amount is 0."},
    {"lower-freezes", always,
     "A frozen constant becomes 0, because LLVM's code generation would give each use another value."},
    {"lower-debug", withDebugInformation, "Makes the debug information of variables, and places for breakpoints."},
};

} // namespace

ArrayRef<Step> stepsToFindErrors() {
  return kToFindErrors;
}

ArrayRef<Step> stepsToMakeCode() {
  return kToMakeCode;
}

SmallVector<StringRef> passesFor(const PassContext &context, Steps steps) {
  const Situation situation{context, steps == Steps::Checks ? nullptr : context.checks, steps};
  SmallVector<StringRef> passes;
  const auto add = [&](ArrayRef<Step> part) {
    for (const Step &step : part)
      if (step.runs(situation))
        passes.push_back(step.pass);
  };
  add(kToFindErrors);
  if (steps == Steps::All)
    add(kToMakeCode);
  return passes;
}

} // namespace lanecl::vectorizer
