// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The recipe of the vectorizer: which passes run, in which order and when (pipelineSteps), and one run of them over an
// imported kernel (runPipeline).

#include "pipeline/pipeline.h"

#include "kernel/import/import.h"
#include "pipeline/pass_registry.h"
#include "vectorizer/check.h"
#include "work_group/work_group.h"

#include "llvm/Support/Path.h"

#include <chrono>
#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the steps in the order in which they run. `lanecl-opt --passes=` runs any of them alone; the header of each
// pass says what it does in detail.
std::string pipelineSteps(const PassContext &context, Steps which) {
  std::string steps;
  const auto add = [&](StringRef step) { steps += (steps.empty() ? "" : ",") + step.str(); };

  // lower-printf: calls of printf pack their arguments. It runs first, before any pass treats OpenCL C's printf as the
  // C library's.
  add("lower-printf");
  // debug-statements, debug-variables: kernels built with -g keep their statements and variables apart from here on.
  if (context.debug && which != Steps::Checks) {
    add("debug-statements");
    add("debug-variables");
  }
  const Instrumentation *checks = which != Steps::Checks ? context.checks : nullptr;
  // element-alignment: accesses of vectors promise the alignment of their elements only, because programs often have
  // vectors that are less aligned than their type. Check mode reports such accesses, so there the pass runs after
  // check-accesses.
  const bool checks_alignment = checks && checks->memory;
  if (!checks_alignment)
    add("element-alignment");
  // mark-initialisation: marks uninitialized variables before an optimization can exploit that they are undefined.
  if (checks && checks->initialisation != Reach::Nothing)
    add("mark-initialisation");
  // check-sub-groups, check-blocks: sub-group functions and block functions report broken rules.
  if (checks && checks->sub_groups) {
    add("check-sub-groups");
    add("check-blocks");
  }
  // check-work-groups: barriers and work-group functions report work-items that do not reach them.
  if (checks && checks->work_groups)
    add("check-work-groups");
  // check-images: image reads and writes report coordinates outside the image.
  if (checks && checks->memory)
    add("check-images");
  // mark-orders: compare-exchanges keep the memory orders that the program gives them, for check-races.
  if (checks && checks->races != Reach::Nothing)
    add("mark-orders");
  // check-arithmetic: operations report undefined results, for example of a division by zero.
  if (checks && checks->arithmetic)
    add("check-arithmetic");
  // replace-undef, defined-results, safe-division: undefined values, and results that OpenCL leaves open, become some
  // value before an optimization can exploit that they are undefined.
  add("replace-undef");
  add("defined-results");
  add("safe-division");
  // inline-calls: inlines helpers and built-ins into the kernel, because the analyses know most about the values of a
  // single function. A function that would make the kernel too large stays a function.
  add("inline-calls");
  // quotients-by-zero: chooses the results of divisions by zero.
  add("quotients-by-zero");
  // named-barriers: gives the named barriers of SPIR-V memory in the work-group's local memory.
  add("named-barriers");
  // check-objects: accesses of variables report if they are out of bounds. It runs before an optimization can exploit
  // the size of a variable.
  if (checks && (checks->memory || checks->races != Reach::Nothing || checks->initialisation != Reach::Nothing))
    add("check-objects");
  // image-handles: images and pipes become addresses; samplers and reservations become numbers.
  add("image-handles");
  // kernel-arguments: arguments become loads from the packed argument block, and __local variables become places in the
  // worker's local memory.
  add("kernel-arguments");
  // function-parameters: kept functions get what the kernel knows of the launch as parameters.
  add("function-parameters");
  // row-axis: if the launch leaves the choice open, lanes lie along the dimension whose neighbors are neighbors in
  // memory.
  if (context.launch.row_axes != 0)
    add("row-axis");
  // specialize-launch: sizes that the launch class knows become constants, and ids become arithmetic on the lane's
  // number.
  add("specialize-launch");
  // All errors in a program are found by the steps up to here, so a check of kernels ends here.
  if (which == Steps::Checks) {
    // find-waits: finds out whether sub-groups wait for each other in loops.
    add("find-waits");
    return steps;
  }

  // scalar-optimize: LLVM's optimizations, while the kernel is still scalar.
  add("scalar-optimize");
  // recomputed-values: if two loops compute the same values, the first one keeps them where the second one stores.
  if (context.optimize && !context.debug && !checks)
    add("recomputed-values");
  // yields: if a sub-group waits for others in a loop, the others get to run.
  add("yields");
  // kernel-size: gives up if the kernel has too many instructions for the number of lanes that is being tried.
  if (context.most_instructions != 0)
    add("kernel-size");

  // check-initialisation: branches and other decisions report if they depend on uninitialized values.
  if (checks && checks->initialisation != Reach::Nothing)
    add("check-initialisation");
  // check-accesses: accesses report if they are out of bounds.
  if (checks && checks->memory)
    add("check-accesses");
  if (checks_alignment)
    add("element-alignment");
  // check-races: accesses, barriers and fences are recorded, so that data races are found.
  if (checks && checks->races != Reach::Nothing)
    add("check-races");
  // place-reports: reports get the source locations that they name.
  if (checks)
    add("place-reports");

  // function-versions: kept functions get a version for each kind of call.
  add("function-versions");
  // row-loops: the sub-groups of a row run a loop over memory together.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("row-loops");
  // group-loops: the first sub-group runs a loop that writes memory for all sub-groups of its work-group.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("group-loops");
  // prefetch-neighbours: sub-groups that share a row of an array prefetch for each other.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("prefetch-neighbours");
  // whole-loops: a loop runs without masks for as long as all lanes go on.
  if (context.optimize && !context.hasOneLane())
    add("whole-loops");
  // canonicalize: control flow gets the form that linearize expects.
  add("canonicalize");
  // split-conditions: the part of a condition that is the same for all lanes becomes a branch of its own, without a
  // mask.
  if (context.optimize && !context.hasOneLane())
    add("split-conditions");
  // whole-branches: where all lanes pass a condition, the accesses under it have no mask.
  if (context.optimize && !context.hasOneLane() && !context.debug)
    add("whole-branches");
  // linearize: divergent branches become masks; the remaining branches are uniform.
  add("linearize");
  // exit-counts: each lane counts the iterations of a loop until it leaves.
  if (context.optimize && !context.debug)
    add("exit-counts");
  // join-accesses: accesses of the members of one structure become one access of a vector.
  if (context.optimize)
    add("join-accesses");
  // widen: every varying value becomes a vector of W lanes, and kernel k becomes k.lanes and, for incomplete
  // sub-groups, k.lanes.partial.
  add("widen");
  // local-atomics: atomic updates of local memory become loads and stores, because one thread runs the whole
  // work-group.
  add("local-atomics");

  // lower-queries: the remaining queries of the launch become parameters and loads.
  add("lower-queries");
  // Every value that is live across a barrier makes the frames larger, so a clean-up of LLVM's passes runs before
  // barriers.
  if (context.optimize)
    add("function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)");
  // private-memory: large private arrays move from the stack to the worker's scratch memory.
  add("private-memory");
  // barriers: work-group barriers become suspension points of a coroutine.
  add("barriers");
  // work-group: makes the function that the scheduler calls, a loop over work-groups and their sub-groups.
  add("work-group");
  // vector-optimize: LLVM's optimizations of the vector code, for this processor.
  add("vector-optimize");
  // half-comparisons: without half arithmetic, vectors of halves are compared as floats, so that their masks have the
  // width of floats.
  if (context.optimize)
    add("half-comparisons");
  // mask-registers: without mask registers, a mask that is live across blocks gets the form that vector comparisons
  // return.
  add("mask-registers");
  // mask-bits: the bits of a mask that takes several registers are joined in a general register.
  if (context.optimize)
    add("mask-bits");
  // bit-selects: on AVX2, vblendv selects by the sign bit, so a select on one bit becomes a shift of that bit to the
  // sign.
  if (context.optimize)
    add("bit-selects");
  // known-lanes: a masked access whose mask is a known run of lanes becomes a plain access.
  add("known-lanes");
  // narrow-products: 64-bit products of factors that fit into 16 bits are computed in 32 bits. This also works around a
  // defect of LLVM's x86 code generator, see the pass.
  add("narrow-products");
  // short-products: products of shorts are computed by pmaddwd, which takes half as long as a 32-bit product.
  if (context.optimize)
    add("short-products");
  // wide-extensions: halves that are taken out of a vector one by one become floats together.
  if (context.optimize)
    add("wide-extensions");
  // splat-permutes: the permute of a broadcast returns the element in all lanes, so that no second permute is needed.
  if (context.optimize)
    add("splat-permutes");
  // splat-masks: the bits of a ballot are copied to all lanes by one instruction.
  if (context.optimize)
    add("splat-masks");
  // running-extremes: a running maximum or minimum that is never NaN takes one instruction.
  if (context.optimize)
    add("running-extremes");
  // sink-elements: code that works lane by lane takes each lane's element right before its use, which needs few
  // registers.
  if (context.optimize)
    add("sink-elements");
  // interleave-groups: a work-group that is one dependency chain is interleaved with the next work-group.
  if (context.optimize && !context.debug)
    add("interleave-groups");
  // vector-rotates: rotates become shifts by intrinsics, because LLVM treats a rotate as undefined when it finds out
  // late that the amount is 0.
  add("vector-rotates");
  // lower-freezes: a frozen constant becomes 0, because LLVM's code generation would give each use another value.
  add("lower-freezes");
  // lower-debug: makes the debug information of variables, and places for breakpoints.
  if (context.debug)
    add("lower-debug");
  return steps;
}

// Returns the folder for the dumps of this kernel and launch class; empty if there is no `root`.
static std::string dumpDirectory(const PassContext &context, const std::string &root) {
  if (root.empty())
    return root;
  SmallString<256> path(root);
  sys::path::append(path, workGroupName(context.kernel, context.launch));
  return path.str().str();
}

// Chooses how often the IR is verified. Verifying after each step takes a twelfth of a kernel's compile time, so
// release builds do it only if IR is dumped. It tells developers which pass is wrong.
static Verify verificationFor(const RunOptions &options) {
#ifdef NDEBUG
  return options.dump_directory.empty() ? Verify::AfterLastStep : Verify::AfterEachStep;
#else
  return Verify::AfterEachStep;
#endif
}

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static void printTimes(const PassContext &context, double import_seconds, const PassRunner &runner) {
  std::string text = fmt::format("{:>9.3f} ms  import\n", import_seconds * 1e3);
  for (const PassRunner::Timing &timing : runner.timings())
    text += fmt::format("{:>9.3f} ms  {}\n", timing.seconds * 1e3, timing.step);
  fmt::print(stderr, "{}:\n{}", workGroupName(context.kernel, context.launch), text);
}

std::unique_ptr<Module> runPipeline(LLVMContext &llvm, PassContext &context, const PipelineRequest &request) {
  const auto start = std::chrono::steady_clock::now();
  const bool join_calls = context.optimize && !context.debug && !context.checks && request.steps != Steps::Checks;
  std::unique_ptr<Module> module = importKernel(
      llvm, {request.program, context.kernel, request.builtins, context.target, join_calls}, context.diagnostics);
  if (!module)
    return nullptr;
  const double import_seconds = secondsSince(start);
  RunOptions options;
  options.dump_directory = dumpDirectory(context, request.dump_directory);
  options.verify = verificationFor(options);
  options.running = request.running;
  options.instructions = request.instructions;
  options.optimized_instructions = request.optimized_instructions;
  PassRunner runner(context, options);
  const bool success = runner.run(*module, pipelineSteps(context, request.steps));
  if (request.time_passes)
    printTimes(context, import_seconds, runner);
  return success ? std::move(module) : nullptr;
}

} // namespace lanecl::vectorizer
