// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

// The pipeline. Each line is a step; `lanecl-opt --passes=` runs any of them alone.
std::string pipelineSteps(const PassContext &context, Steps which) {
  std::string steps;
  const auto add = [&](StringRef step) { steps += (steps.empty() ? "" : ",") + step.str(); };

  // Before any pass treats OpenCL C's printf as the C library's.
  add("lower-printf");
  // Built with -g, statements and variables are kept apart from here on.
  if (context.debug && which != Steps::Checks) {
    add("debug-statements");
    add("debug-variables");
  }
  const Instrumentation *checks = which != Steps::Checks ? context.checks : nullptr;
  // Accesses of vectors promise the alignment of their elements only. Check mode reports what is less aligned than its
  // type, so there the promises are kept until accesses are checked.
  const bool checks_alignment = checks && checks->memory;
  if (!checks_alignment)
    add("element-alignment");
  // What nobody has written is kept apart from what optimizations make of it.
  if (checks && checks->initialisation != Reach::Nothing)
    add("mark-initialisation");
  // Sub-group functions report where they break rules.
  if (checks && checks->sub_groups) {
    add("check-sub-groups");
    add("check-blocks");
  }
  // So do those of work-groups.
  if (checks && checks->work_groups)
    add("check-work-groups");
  // And accesses of images.
  if (checks && checks->memory)
    add("check-images");
  // Compare-exchanges keep the orders that the program gives them.
  if (checks && checks->races != Reach::Nothing)
    add("mark-orders");
  // Operations report where their result is undefined.
  if (checks && checks->arithmetic)
    add("check-arithmetic");
  // Values that nothing wrote, and results that OpenCL leaves open, become some value before an optimization can make
  // use of their being undefined.
  add("replace-undef");
  add("defined-results");
  add("safe-division");
  // Helpers and built-ins are inlined into the kernel, because most is known about the lanes of a single function's
  // values; what would make a kernel too large stays a function.
  add("inline-calls");
  // Results of divisions by zero are chosen.
  add("quotients-by-zero");
  // Named barriers get memory of the work-group.
  add("named-barriers");
  // Before optimizations make use of the size of a variable, accesses report where they leave it.
  if (checks && (checks->memory || checks->races != Reach::Nothing || checks->initialisation != Reach::Nothing))
    add("check-objects");
  // Images and pipes are addresses, samplers and reservations are numbers.
  add("image-handles");
  // Arguments become loads from the packed block, __local variables places in the worker's local memory.
  add("kernel-arguments");
  // Functions that stay functions get what the kernel knows of the launch.
  add("function-parameters");
  // Where the launch leaves it open, lanes lie along the dimension whose neighbours are neighbours in memory.
  if (context.launch.row_axes != 0)
    add("row-axis");
  // Sizes that the launch class knows become constants, ids become arithmetic on the lane's number.
  add("specialize-launch");
  // The steps so far find the errors in a program.
  if (which == Steps::Checks) {
    // Whether sub-groups wait for each other in loops.
    add("find-waits");
    return steps;
  }

  // LLVM's optimizations while the kernel is still scalar.
  add("scalar-optimize");
  // What two loops compute alike is kept where the second one stores.
  if (context.optimize && !context.debug && !checks)
    add("recomputed-values");
  // Where sub-groups wait in loops, others go on.
  add("yields");
  // Whether more lanes could pay.
  if (context.most_instructions != 0)
    add("kernel-size");

  // What decides reports where nobody has written it.
  if (checks && checks->initialisation != Reach::Nothing)
    add("check-initialisation");
  // Accesses report where they leave their memory, and all reports know where they stand.
  if (checks && checks->memory)
    add("check-accesses");
  if (checks_alignment)
    add("element-alignment");
  // Accesses and barriers are told, so that races are found.
  if (checks && checks->races != Reach::Nothing)
    add("check-races");
  if (checks)
    add("place-reports");

  // Functions that stay functions get a version for each kind of call.
  add("function-versions");
  // Sub-groups of a row go through memory together.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("row-loops");
  // So do those of a work-group.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("group-loops");
  // Sub-groups that share a row fetch for each other.
  if (context.optimize && !context.hasOneLane() && !context.debug && !checks)
    add("prefetch-neighbours");
  // As long as all lanes go on, a loop needs no mask.
  if (context.optimize && !context.hasOneLane())
    add("whole-loops");
  // Control flow gets the form that linearize expects.
  add("canonicalize");
  // What all lanes share in a condition needs no mask.
  if (context.optimize && !context.hasOneLane())
    add("split-conditions");
  // Where all lanes pass, accesses need no mask.
  if (context.optimize && !context.hasOneLane() && !context.debug)
    add("whole-branches");
  // Divergent branches become masks; the remaining branches are uniform.
  add("linearize");
  // Lanes count the turns until they leave.
  if (context.optimize && !context.debug)
    add("exit-counts");
  // Members of neighbouring structures are accessed together.
  if (context.optimize)
    add("join-accesses");
  // Every varying value becomes one vector of W lanes: k.lanes, and k.lanes.partial for incomplete sub-groups.
  add("widen");
  // Only one thread sees a work-group's local memory.
  add("local-atomics");

  // Remaining queries of the launch become parameters and loads.
  add("lower-queries");
  // Fewer values that are live across barriers mean smaller frames.
  if (context.optimize)
    add("function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)");
  // Big private arrays leave the stack.
  add("private-memory");
  // Work-group barriers become suspension points of a coroutine.
  add("barriers");
  // The loop over work-groups and their sub-groups, which the scheduler calls.
  add("work-group");
  // Vector code, for this processor.
  add("vector-optimize");
  // Halves are compared as floats, which is what they become, so that masks are as wide.
  if (context.optimize)
    add("half-comparisons");
  // Without mask registers, masks that live across blocks take the form that vector comparisons give.
  add("mask-registers");
  // The bits of masks in several registers are joined in a general one.
  if (context.optimize)
    add("mask-bits");
  // Blends test signs.
  if (context.optimize)
    add("bit-selects");
  // An access of neighbouring lanes that are known is a plain one.
  add("known-lanes");
  // A product of shorts has 32 bits, whatever the type.
  add("narrow-products");
  // Two shorts are multiplied by half an instruction.
  if (context.optimize)
    add("short-products");
  // Halves that are taken out of a vector one by one become floats together.
  if (context.optimize)
    add("wide-extensions");
  // The permute of a broadcast gives all lanes at once.
  if (context.optimize)
    add("splat-permutes");
  // A ballot goes to all lanes by one copy.
  if (context.optimize)
    add("splat-masks");
  // A running maximum is one instruction.
  if (context.optimize)
    add("running-extremes");
  // Few registers hold what is done lane by lane.
  if (context.optimize)
    add("sink-elements");
  // Two chains of instructions at once.
  if (context.optimize && !context.debug)
    add("interleave-groups");
  // A rotate stays correct where LLVM finds out that its amount is 0.
  add("vector-rotates");
  // lower-freezes: a frozen constant becomes 0, because LLVM's code generation would give each use another value.
  add("lower-freezes");
  // Debug information of the variables, places for breakpoints.
  if (context.debug)
    add("lower-debug");
  return steps;
}

static std::string dumpDirectory(const PassContext &context, const std::string &root) {
  if (root.empty())
    return root;
  SmallString<256> path(root);
  sys::path::append(path, workGroupName(context.kernel, context.launch));
  return path.str().str();
}

// Verifying after each step takes a twelfth of the time that a kernel takes. It tells developers which pass is wrong.
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
