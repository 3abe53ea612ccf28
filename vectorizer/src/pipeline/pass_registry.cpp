// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs passes by name. Every list of passes here is made from passes.def.

#include "pipeline/pass_registry.h"

#include "analysis/lane_target.h"
#include "analysis/memory/address_space_alias.h"
#include "pipeline/passes.h"
#include "vectorizer/crash_guard.h"
#include "vectorizer/left_out_passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <type_traits>

using namespace llvm;

namespace lanecl::vectorizer {

// Lets LLVM know our passes by their names: in pipelines, and where it tells what runs.
static void registerPasses(PassBuilder &builder, PassInstrumentationCallbacks &callbacks, PassContext &context) {
  builder.registerPipelineParsingCallback(
      [&context](StringRef pass, ModulePassManager &manager, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS(name, create)                                                                                      \
  if (pass == name) {                                                                                                  \
    manager.addPass(create);                                                                                           \
    return true;                                                                                                       \
  }
#define FUNCTION_PASS(name, create)                                                                                    \
  if (pass == name) {                                                                                                  \
    manager.addPass(createModuleToFunctionPassAdaptor(create));                                                        \
    return true;                                                                                                       \
  }
#include "pipeline/passes.def"
        return false;
      });
#define MODULE_PASS(text, create) callbacks.addClassToPassName(decltype(create)::name(), text);
#define FUNCTION_PASS(text, create) callbacks.addClassToPassName(decltype(create)::name(), text);
#include "pipeline/passes.def"
}

// LLVM's analysis managers. The order of the members matters: the managers refer to each other and are destroyed in
// reverse order.
struct PassRunner::Managers {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder;
  OptPassGateInstrumentation gate;

  Managers(LLVMContext &llvm, PassContext &context)
      : builder(context.target, PipelineTuningOptions(), std::nullopt, &callbacks), gate(llvm) {
    gate.registerCallbacks(callbacks);
    registerPasses(builder, callbacks, context);
    // The first registration of an analysis wins, so ours comes before LLVM's: with LLVM's own description of the host
    // every value would be uniform.
    functions.registerPass([&] { return laneTargetAnalysis(context.hasOneLane()); });
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

template <class Pass> static constexpr bool isRequired() {
  if constexpr (requires { Pass::isRequired(); })
    return Pass::isRequired();
  else
    return false;
}

// Returns whether the pass of ours is required; nothing if there is no such pass of ours. The context is only named.
static std::optional<bool> isRequired(StringRef pass, [[maybe_unused]] PassContext &context) {
#define MODULE_PASS(name, create)                                                                                      \
  if (pass == name)                                                                                                    \
    return isRequired<decltype(create)>();
#define FUNCTION_PASS(name, create)                                                                                    \
  if (pass == name)                                                                                                    \
    return isRequired<decltype(create)>();
#include "pipeline/passes.def"
  return std::nullopt;
}

// LLVM's code generator registers its passes elsewhere, some of them when a target is initialized.
static bool isOfCodeGenerator(StringRef pass) {
  PassRegistry &registry = *PassRegistry::getPassRegistry();
  initializeCodeGen(registry);
  InitializeNativeTarget();
  return registry.getPassInfo(pass) != nullptr;
}

bool canBeLeftOut(const std::string &pass) {
  PassContext context;
  if (const std::optional<bool> required = isRequired(pass, context))
    return !*required;
  ModulePassManager ignored;
  Error unknown = PassBuilder().parsePassPipeline(ignored, pass);
  const bool is_known = !unknown;
  consumeError(std::move(unknown));
  return is_known || isOfCodeGenerator(pass);
}

static const char *failing_step = nullptr; // the name given to failInStep(), or null

void failInStep(const char *step) {
  failing_step = step;
}

PassRunner::PassRunner(PassContext &context, RunOptions options) : context(context), options(std::move(options)) {}

PassRunner::~PassRunner() = default;

bool PassRunner::run(Module &module, ArrayRef<StringRef> steps) {
  if (!managers) {
    managers = std::make_unique<Managers>(module.getContext(), context);
    if (options.running)
      managers->callbacks.registerBeforeNonSkippedPassCallback([this](StringRef pass, Any) { nameRunning(pass); });
  }
  for (StringRef step : steps)
    if (isAbandoned() || !runStep(module, step))
      return false;
  return options.verify != Verify::AfterLastStep ||
         verify(module, "some pass (set LANECL_DUMP_DIR to verify after each one)");
}

// Reveals the observer which pass is about to run: the step itself, or one of LLVM's that it consists of.
void PassRunner::nameRunning(StringRef pass_class) {
  const StringRef pass = managers->callbacks.getPassNameForClassName(pass_class);
  *options.running = "pass '" + step.str() + "'";
  if (!pass.empty() && pass != step)
    *options.running += " (" + pass.str() + ")";
}

// Runs one step, takes its time, and dumps and verifies the IR if that is asked for. Returns false if the pipeline
// ends.
bool PassRunner::runStep(Module &module, StringRef name) {
  step = name;
  ModulePassManager manager;
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
