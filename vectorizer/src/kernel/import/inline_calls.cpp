// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/inline_calls.h"

#include "analysis/effects.h"
#include "analysis/excess_precision.h"
#include "analysis/lane_instructions.h"
#include "analysis/markers.h"
#include "analysis/primitives.h"
#include "analysis/waiting/waiting_loops.h"
#include "control_flow/keep_in_loops.h"
#include "control_flow/loop_statements.h"
#include "control_flow/reducible.h"
#include "defined/replace_undef.h"
#include "kernel/import/lane_instructions.h"
#include "kernel/import/restrict.h"
#include "vectorizer/check.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

class Inliner {
public:
  Inliner(PassContext &context, FunctionAnalysisManager &analyses) : context(context), analyses(analyses) {}

  bool flatten(Function &function, bool is_kernel);

private:
  enum class State { Unvisited, Visiting, Done };

  bool mayStay(const CallBase &call);
  SmallVector<CallBase *> callsToInline(Function &function);
  bool exchanges(const Instruction &instruction) const;
  void number(Function &function);
  void note(const Function &function);
  bool flattenCallee(CallBase &call, const Function &caller);
  bool inlineCall(CallBase &call, const Function &caller);
  void simplify(Function &function, bool is_kernel);

  PassContext &context;
  FunctionAnalysisManager &analyses;
  DenseMap<Function *, State> states;
  // Simplified functions in which lanes exchange values, with effects, that may wait, with marked effects.
  DenseSet<const Function *> exchanging, with_effects, waiting, marked;
};

std::string readableName(const Function &function) {
  return demangle(function.getName());
}

// Intrinsics, primitives and instructions are not inlined.
bool Inliner::mayStay(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return call.isInlineAsm();
  // A built-in library may hold intrinsics of a GPU, which are not supported here.
  if (callee->isIntrinsic())
    return !callee->getName().starts_with("llvm.nvvm.") && !callee->getName().starts_with("llvm.amdgcn.");
  return primitiveOf(call) || laneInstructionOf(call) || callee->getName().starts_with("lanecl.");
}

bool Inliner::exchanges(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  const std::optional<Primitive> primitive = primitiveOf(*call);
  return primitive ? exchangesLanes(*primitive) : exchanging.contains(call->getCalledFunction());
}

// Whether the instruction calls one of the functions.
static bool calls(const Instruction &instruction, const DenseSet<const Function *> &functions) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call != nullptr && functions.contains(call->getCalledFunction());
}

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

// To be called when the function's calls are inlined.
void Inliner::note(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    if (exchanges(instruction))
      exchanging.insert(&function);
    if (hasEffect(instruction))
      with_effects.insert(&function);
    if (mayWaitAt(instruction))
      waiting.insert(&function);
    if (markerOf(instruction) == Marker::Effects)
      marked.insert(&function);
  }
}

SmallVector<CallBase *> Inliner::callsToInline(Function &function) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && !mayStay(*call))
      calls.push_back(call);
  return calls;
}

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

bool Inliner::inlineCall(CallBase &call, const Function &caller) {
  const std::string kernel = context.kernel.empty() ? caller.getName().str() : context.kernel;
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
  if (has_excess && value)
    permitExcess(*value);
  for (CallBase *site : info.InlinedCallSites)
    if (exchanges(*site) || markerOf(*site) == Marker::Effects) {
      SmallVector<unsigned> around = loopsAround(*site);
      around.append(loops);
      setLoopsAround(*site, around);
    }
  return true;
}

// Helpers are simplified once, before they are inlined into each caller.
void Inliner::simplify(Function &function, bool is_kernel) {
  FunctionPassManager passes;
  passes.addPass(NumberLoopsPass(context)); // a callee's loops were copied for each call
  if (!is_kernel && context.optimize) {
    // Accesses that leave a variable are to be reported, so they are kept.
    if (context.checks && context.checks->memory)
      passes.addPass(PromotePass());
    else
      passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(ReplaceUndefPass());
    passes.addPass(EarlyCSEPass());
    passes.addPass(TieToLoopsPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(KeepInLoopsPass());
  }
  passes.run(function, analyses);
}

bool Inliner::flatten(Function &function, bool is_kernel) {
  State &state = states[&function];
  if (state == State::Done)
    return true;
  state = State::Visiting;
  for (CallBase *call : callsToInline(function))
    if (!flattenCallee(*call, function))
      return false;
  number(function); // may erase unreachable calls
  for (CallBase *call : callsToInline(function))
    if (!inlineCall(*call, function))
      return false;
  forgetRestrictOfTurns(function);
  note(function);
  analyses.invalidate(function, PreservedAnalyses::none());
  simplify(function, is_kernel);
  states[&function] = State::Done;
  return true;
}

void eraseUnused(Module &module, FunctionAnalysisManager &analyses) {
  for (bool changed = true; std::exchange(changed, false);)
    for (Function &function : make_early_inc_range(module))
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
  Inliner inliner(context, functions);
  for (Function &function : module) {
    const bool is_kernel = context.kernel.empty() ? !function.hasLocalLinkage() : function.getName() == context.kernel;
    if (function.isDeclaration() || !is_kernel)
      continue;
    if (!inliner.flatten(function, true))
      return PreservedAnalyses::none();
    forgetRestrictOfBarriers(function);
  }
  eraseUnused(module, functions);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
