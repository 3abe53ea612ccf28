// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/pipeline.h"

#include "kernel/import/import.h"
#include "pipeline/pass_registry.h"
#include "work_group/work_group.h"

#include "llvm/Support/Path.h"

#include <chrono>
#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

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
#ifdef LANECL_VERIFY_EACH_STEP
  return Verify::AfterEachStep;
#else
  return options.dump_directory.empty() ? Verify::AfterLastStep : Verify::AfterEachStep;
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
  const bool success = runner.run(*module, passesFor(context, request.steps));
  if (request.time_passes)
    printTimes(context, import_seconds, runner);
  return success ? std::move(module) : nullptr;
}

} // namespace lanecl::vectorizer
