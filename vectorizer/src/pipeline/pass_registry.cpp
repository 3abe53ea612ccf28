// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs passes by name. Every list of passes here is made from passes.def.

#include "pipeline/pass_registry.h"

#include "analysis/address_space_alias.h"
#include "analysis/lane_target.h"
#include "pipeline/passes.h"
#include "vectorizer/crash_guard.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace lanecl::vectorizer {

// LLVM's analysis managers. The order of the members matters: the managers refer to each other and are destroyed in
// reverse order.
struct PassRunner::Managers {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  explicit Managers(PassContext &context) : builder(context.target) {
    // The first registration of an analysis wins, so ours comes before LLVM's: with LLVM's own description of the host
    // every value would be uniform.
    functions.registerPass([&] { return laneTargetAnalysis(context.hasOneLane()); });
#define FUNCTION_ANALYSIS(create) functions.registerPass([&] { return create; });
#include "pipeline/passes.def"
    registerAliasAnalyses(functions, builder);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  void clear() {
    loops.clear();
    functions.clear();
    components.clear();
    modules.clear();
  }
};

std::vector<StringRef> passNames() {
  return {
#define MODULE_PASS(name, create) name,
#define FUNCTION_PASS(name, create) name,
#include "pipeline/passes.def"
  };
}

SmallVector<StringRef> splitPipeline(StringRef pipeline) {
  SmallVector<StringRef> steps;
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at <= pipeline.size(); ++at) {
    const char c = at < pipeline.size() ? pipeline[at] : ',';
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c != ',' || (depth != 0 && at < pipeline.size()))
      continue;
    if (StringRef step = pipeline.slice(begin, at).trim(); !step.empty())
      steps.push_back(step);
    begin = at + 1;
  }
  return steps;
}

static const char *failing_step = nullptr; // the name given to failInStep(), or null

void failInStep(const char *step) {
  failing_step = step;
}

// Adds one of our passes to the manager. Returns false if no pass of ours has this name.
static bool addOurPass(ModulePassManager &manager, StringRef step, PassContext &context) {
#define MODULE_PASS(name, create)                                                                                      \
  if (step == name) {                                                                                                  \
    manager.addPass(create);                                                                                           \
    return true;                                                                                                       \
  }
#define FUNCTION_PASS(name, create)                                                                                    \
  if (step == name) {                                                                                                  \
    manager.addPass(createModuleToFunctionPassAdaptor(create));                                                        \
    return true;                                                                                                       \
  }
#include "pipeline/passes.def"
  return false;
}

PassRunner::PassRunner(PassContext &context, RunOptions options)
    : context(context), options(std::move(options)), managers(std::make_unique<Managers>(context)) {}

PassRunner::~PassRunner() = default;

bool PassRunner::run(Module &module, StringRef pipeline) {
  for (StringRef step : splitPipeline(pipeline))
    if (isAbandoned() || !runStep(module, step))
      return false;
  return options.verify != Verify::AfterLastStep ||
         verify(module, "some pass (LANECL_DUMP_DIR makes each of them verified)");
}

// Runs one step, takes its time, and dumps and verifies the IR if that is asked for. Returns false if the pipeline
// ends.
bool PassRunner::runStep(Module &module, StringRef step) {
  ModulePassManager manager;
  if (!addOurPass(manager, step, context))
    if (Error unknown = managers->builder.parsePassPipeline(manager, step)) {
      context.diagnostics.error("no pass '" + step + "': " + toString(std::move(unknown)));
      return false;
    }
  if (options.running)
    *options.running = "pass '" + step.str() + "'";
  if (failing_step && step == failing_step)
    report_fatal_error("made to fail");
  const auto start = std::chrono::steady_clock::now();
  manager.run(module, managers->modules);
  times.push_back({step.str(), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  if (options.instructions && step == "inline-calls")
    *options.instructions = module.getInstructionCount();
  if (options.optimized_instructions && step == "kernel-size")
    *options.optimized_instructions = module.getInstructionCount();
  if (!options.dump_directory.empty())
    dump(module, step);
  if (context.diagnostics.hasErrors() || context.abandoned)
    return false;
  return options.verify != Verify::AfterEachStep || verify(module, "pass '" + step + "'");
}

// Writes the IR to the next numbered file.
void PassRunner::dump(const Module &module, StringRef step) {
  std::string name = formatv("{0,0+3}-{1}.ll", ++dumped, step);
  for (char &c : name)
    if (!isAlnum(c) && c != '-' && c != '.')
      c = '_';
  SmallString<256> path(options.dump_directory);
  sys::path::append(path, name);
  std::error_code failed = sys::fs::create_directories(options.dump_directory);
  if (!failed) {
    raw_fd_ostream out(path, failed);
    if (!failed)
      module.print(out, nullptr);
  }
  if (failed)
    context.diagnostics.error("cannot write the dump '" + path + "': " + failed.message());
}

// Verifies the IR. Invalid IR is reported as an internal error, and all analyses are dropped, because they refer to it.
bool PassRunner::verify(Module &module, const Twine &when) {
  std::string complaint;
  raw_string_ostream out(complaint);
  if (!verifyModule(module, &out))
    return true;
  context.diagnostics.error("internal error: invalid IR after " + when + ": " + complaint);
  managers->clear();
  return false;
}

} // namespace lanecl::vectorizer
