// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/inline_calls.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/memory/effects.h"
#include "analysis/values/excess_precision.h"
#include "analysis/values/lane_instructions.h"
#include "analysis/waiting/waiting_loops.h"
#include "control_flow/keep_in_loops.h"
#include "control_flow/loop_statements.h"
#include "control_flow/reducible.h"
#include "defined/freeze_casts.h"
#include "defined/replace_undef.h"
#include "kernel/import/inlining_plan.h"
#include "kernel/import/lane_instructions.h"
#include "kernel/import/restrict.h"
#include "vectorizer/check.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Inlines calls bottom-up: a function is done before it is copied into its callers.
class Inliner {
public:
  Inliner(PassContext &context, FunctionAnalysisManager &analyses, ArrayRef<Function *> kernels)
      : context(context), analyses(analyses), plan(kernels, context) {}

  bool flatten(Function &function, bool is_kernel);

private:
  enum class State { Unvisited, Visiting, Done };

  bool mayStay(const CallBase &call);
  SmallVector<CallBase *> callsToInline(Function &function);
  bool exchanges(const Instruction &instruction) const;
  void number(Function &function);
  void note(const Function &function);
  bool flattenCallee(CallBase &call, const Function &caller);
  bool inlineCall(CallBase &call, const Function &caller, SmallVectorImpl<CallBase *> &inlined);
  bool inlineAll(Function &function);
  bool isForCaller(const Function &function) const;
  bool inlineShared(Function &function);
  void simplify(Function &function, bool is_kernel);
  void unroll(FunctionPassManager &passes);

  PassContext &context;
  FunctionAnalysisManager &analyses;
  InliningPlan plan;
  DenseMap<Function *, State> states;
  // Functions that do one of these things or call a function that does: lanes exchange values, there are side effects,
  // work-items may wait, effects are marked (control_flow/keep_effects.h).
  DenseSet<const Function *> exchanging, with_effects, waiting, marked;
  // Functions with one call that are left as they are until their caller is inlined into its own caller. Thus a chain
  // of functions is copied once and not once for each link.
  DenseMap<const Function *, uint64_t> for_caller; // with their sizes in instructions
};

// Returns the function's name as the program writes it.
std::string readableName(const Function &function) {
  return demangle(function.getName());
}

// Returns whether the call stays: calls of intrinsics, primitives, lane instructions and functions that the plan keeps.
bool Inliner::mayStay(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return call.isInlineAsm();
  // A built-in library may hold intrinsics of a GPU, which are not supported here.
  if (callee->isIntrinsic())
    return !callee->getName().starts_with("llvm.nvvm.") && !callee->getName().starts_with("llvm.amdgcn.");
  return primitiveOf(call) || laneInstructionOf(call) || isKept(*callee) || callee->getName().starts_with("lanecl.");
}

// Returns whether lanes exchange values at the instruction, or in the function that it calls.
bool Inliner::exchanges(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  const std::optional<Primitive> primitive = primitiveOf(*call);
  return primitive ? exchangesLanes(*primitive) : exchanging.contains(call->getCalledFunction());
}

// Returns whether the instruction calls one of the functions.
static bool calls(const Instruction &instruction, const DenseSet<const Function *> &functions) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call != nullptr && functions.contains(call->getCalledFunction());
}

// Numbers the function's loops and the exchanges in them, before inlining changes the control flow.
void Inliner::number(Function &function) {
  const auto waits = [&](const Instruction &i) { return mayWaitAt(i) || calls(i, waiting); };
  if (any_of(instructions(function), waits))
    makeReducible(function, analyses);
  numberLoopStatements(function, analyses, context,
                       {.exchanges = [&](const Instruction &i) { return exchanges(i); },
                        .has_effects = [&](const Instruction &i) { return hasEffect(i) || calls(i, with_effects); },
                        .waits = waits,
                        .is_marked = [&](const Instruction &i) { return calls(i, marked); }});
  KeepInLoopsPass().run(function, analyses);
}

// Notes what the function does. All functions that it calls must have been noted.
void Inliner::note(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    if (exchanges(instruction))
      exchanging.insert(&function);
    if (hasEffect(instruction) || calls(instruction, with_effects))
      with_effects.insert(&function);
    if (mayWaitAt(instruction) || calls(instruction, waiting))
      waiting.insert(&function);
    if (markerOf(instruction) == Marker::Effects || calls(instruction, marked))
      marked.insert(&function);
  }
}

// Returns the calls that have to be inlined.
SmallVector<CallBase *> Inliner::callsToInline(Function &function) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && !mayStay(*call))
      calls.push_back(call);
  return calls;
}

// Finishes the callee, after checking that it can be inlined.
bool Inliner::flattenCallee(CallBase &call, const Function &caller) {
  Function *callee = call.getCalledFunction();
  const std::string kernel = context.kernel.empty() ? caller.getName().str() : context.kernel;
  if (!callee) {
    context.diagnostics.error(call, "indirect call in kernel '" + kernel + "': OpenCL C has no function pointers");
    return false;
  }
  if (callee->isDeclaration()) {
    context.diagnostics.error(call,
                              "undefined function '" + readableName(*callee) + "' called in kernel '" + kernel + "'");
    return false;
  }
  if (states.lookup(callee) == State::Visiting) {
    context.diagnostics.error(call, "recursion in kernel '" + kernel + "': '" + readableName(*callee) +
                                        "' calls itself; OpenCL C has no recursion");
    return false;
  }
  return flatten(*callee, false);
}

// Inlines one call. `inlined` receives the calls in the callee's copy.
bool Inliner::inlineCall(CallBase &call, const Function &caller, SmallVectorImpl<CallBase *> &inlined) {
  const std::string kernel = context.kernel.empty() ? caller.getName().str() : context.kernel;
  assert(call.getCalledFunction() && !call.getCalledFunction()->isDeclaration() && "flattenCallee() has looked at it");
  const std::string name = readableName(*call.getCalledFunction());
  const SmallVector<unsigned> loops = loopsAround(call);
  const bool has_excess = endsWithExcess(call);
  WeakTrackingVH value(&call);
  InlineFunctionInfo info;
  const InlineResult result = InlineFunction(call, info);
  if (!result.isSuccess()) {
    context.diagnostics.error(call,
                              "cannot inline '" + name + "' in kernel '" + kernel + "': " + result.getFailureReason());
    return false;
  }
  // A relaxed function's last rounding may be left out, which only its call said.
  if (has_excess && value)
    permitExcess(*value);
  // The exchanges of the callee's copy are in the loops around the call, too.
  for (CallBase *site : info.InlinedCallSites)
    if (exchanges(*site) || markerOf(*site) == Marker::Effects || calls(*site, marked)) {
      SmallVector<unsigned> around = loopsAround(*site);
      around.append(loops);
      setLoopsAround(*site, around);
    }
  inlined.append(info.InlinedCallSites.begin(), info.InlinedCallSites.end());
  return true;
}

// Returns whether the function is left as it is until its caller is inlined.
bool Inliner::isForCaller(const Function &function) const {
  return for_caller.contains(&function);
}

// Inlines all calls except those of functions that are left for the caller.
bool Inliner::inlineShared(Function &function) {
  SmallVector<CallBase *> ignored;
  for (CallBase *call : callsToInline(function))
    if (!isForCaller(*call->getCalledFunction()) && !inlineCall(*call, function, ignored))
      return false;
  return true;
}

// Inlines all calls, and those that come with them, until none is left that must be inlined.
bool Inliner::inlineAll(Function &function) {
  SmallVector<CallBase *> left = callsToInline(function);
  while (!left.empty()) {
    SmallVector<CallBase *> inlined;
    if (!inlineCall(*left.pop_back_val(), function, inlined))
      return false;
    copy_if(inlined, std::back_inserter(left), [&](const CallBase *call) { return !mayStay(*call); });
  }
  return true;
}

// Simplifies a function once, before it is copied into each caller.
void Inliner::simplify(Function &function, bool is_kernel) {
  FunctionPassManager passes;
  passes.addPass(NumberLoopsPass(context)); // a callee's loops were copied for each call
  if (!is_kernel && context.optimize) {
    // Check mode reports accesses outside their variable, so SROA must not remove them.
    if (context.checks && context.checks->memory)
      passes.addPass(PromotePass());
    else
      passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(ReplaceUndefPass());
    passes.addPass(EarlyCSEPass());
    passes.addPass(TieToLoopsPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(KeepInLoopsPass());
    // `restrict` says nothing across a barrier, and where barriers are is known only once everything is inlined.
    const bool meets_others = waiting.contains(&function) || exchanging.contains(&function);
    // Unrolling shows which accesses leave a variable, and they would be gone.
    const bool looks_at_variables = context.checks && context.checks->memory;
    if (plan.keepsSome() && !context.only_finds_errors && !isForCaller(function) && !meets_others &&
        !looks_at_variables)
      unroll(passes);
  }
  passes.run(function, analyses);
}

// Unrolls loops, so that the function's real size is known, and so that its copies need not be unrolled one by one.
void Inliner::unroll(FunctionPassManager &passes) {
  passes.addPass(FreezeCastsPass());
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(IndVarSimplifyPass(/*WidenIndVars=*/false));
  loops.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(NumberLoopsPass(context));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(ReplaceUndefPass());
  passes.addPass(FreezeCastsPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(TieToLoopsPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(KeepInLoopsPass());
}

// Inlines the calls of a function and simplifies it. Returns false after reporting an error.
bool Inliner::flatten(Function &function, bool is_kernel) {
  State &state = states[&function];
  if (state == State::Done)
    return true;
  state = State::Visiting;
  for (CallBase *call : callsToInline(function))
    if (!flattenCallee(*call, function))
      return false;
  number(function); // may erase unreachable calls
  if (!inlineShared(function))
    return false;
  note(function);
  // A function with one call may wait until its caller is inlined. Its size includes the functions that wait for it.
  uint64_t size = function.getInstructionCount();
  for (const CallBase *call : callsToInline(function))
    size += for_caller.lookup(call->getCalledFunction());
  if (!is_kernel && plan.copiesChainsOnce() && function.hasOneUse() && !plan.isLarge(size))
    for_caller[&function] = size;
  else if (!inlineAll(function))
    return false;
  forgetRestrictOfTurns(function);
  analyses.invalidate(function, PreservedAnalyses::none());
  simplify(function, is_kernel);
  assert((!is_kernel || callsToInline(function).empty()) && "a kernel has no calls but those that may stay");
  if (!is_kernel && plan.stays(function))
    keepFunction(function);
  states[&function] = State::Done;
  return true;
}

// Erases functions and variables that nothing uses any more.
void eraseUnused(Module &module, FunctionAnalysisManager &analyses) {
  for (bool changed = true; std::exchange(changed, false);)
    for (Function &function : make_early_inc_range(reverse(module))) // callers usually come later
      if (function.use_empty() && (function.hasLocalLinkage() || function.isDeclaration())) {
        analyses.clear(function, function.getName());
        function.eraseFromParent();
        changed = true;
      }
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty() && variable.hasLocalLinkage())
      variable.eraseFromParent();
  }
}

} // namespace

PreservedAnalyses InlineCallsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  selectLaneInstructions(module, context);
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (context.kernel.empty() ? !function.hasLocalLinkage() : function.getName() == context.kernel))
      kernels.push_back(&function);
  // Kernels of one module share the functions that they call, so one inliner serves all.
  Inliner inliner(context, functions, kernels);
  for (Function *kernel : kernels) {
    if (!inliner.flatten(*kernel, true))
      return PreservedAnalyses::none();
    forgetRestrictOfBarriers(*kernel);
  }
  eraseUnused(module, functions);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
