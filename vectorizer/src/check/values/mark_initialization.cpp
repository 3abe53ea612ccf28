// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/mark_initialization.h"

#include "check/check_calls.h"
#include "check/values/unwritten_values.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Whether a variable is ever read. Some are not, for example the result of a function that returns nothing.
bool isRead(const AllocaInst &variable) {
  return any_of(variable.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return !(store && store->getPointerOperand() == &variable) && !isa<LifetimeIntrinsic>(user);
  });
}

bool isNumber(const Type &type) {
  return type.isIntOrIntVectorTy() || type.isFPOrFPVectorTy();
}

// Returns the first instruction after the variable and those that follow it. The SPIR-V translator declares variables
// in the middle of a block, too.
Instruction &behindVariables(AllocaInst &variable) {
  Instruction *next = &variable;
  while (isa<AllocaInst>(next))
    next = next->getNextNode();
  return *next;
}

class Marker {
public:
  Marker(Function &function, bool is_kernel, Reach reach)
      : function(function), is_kernel(is_kernel), reach(reach), layout(function.getDataLayout()) {}

  void markVariables();
  void tellDecisions();

private:
  void fill(AllocaInst &variable, Instruction &before);
  void tellCall(CallBase &call, StringRef name);

  Function &function;
  const bool is_kernel;
  const Reach reach;
  const DataLayout &layout;
  uint64_t number = 0; // the number of unwritten values so far; each value has its own number
};

// Fills a variable with an unwritten value: a number or a pointer as a whole, other types byte by byte.
void Marker::fill(AllocaInst &variable, Instruction &before) {
  IRBuilder<> b(&before);
  b.SetCurrentDebugLocation({});
  Type *type = variable.getAllocatedType();
  if (!variable.isArrayAllocation() && (isNumber(*type) || type->isPointerTy())) {
    b.CreateAlignedStore(createUnwritten(b, type, ++number, variable.getName()), &variable, variable.getAlign());
  } else if (const auto size = variable.getAllocationSize(layout);
             size && !size->isScalable() && size->getFixedValue() != 0 && !type->isTargetExtTy()) {
    b.CreateMemSet(&variable, createUnwritten(b, b.getInt8Ty(), ++number, variable.getName()), size->getFixedValue(),
                   variable.getAlign());
  }
}

void Marker::markVariables() {
  SmallVector<std::pair<AllocaInst *, Instruction *>> begins;
  for (Instruction &instruction : instructions(function)) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isRead(*variable))
      begins.emplace_back(variable, nullptr);
    else if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(&instruction);
             lifetime && lifetime->getIntrinsicID() == Intrinsic::lifetime_start)
      if (auto *begun = dyn_cast<AllocaInst>(lifetime->getArgOperand(lifetime->arg_size() - 1));
          begun && isRead(*begun))
        begins.emplace_back(begun, lifetime);
  }
  for (const auto &[variable, at] : begins)
    fill(*variable, at ? *at->getNextNode() : behindVariables(*variable));
}

// Marks the arguments that sub-group and work-group functions decide by. For a shuffle that is only the number of the
// lane, because the program may ignore the value that it gets.
void Marker::tellCall(CallBase &call, StringRef name) {
  if (call.arg_empty())
    return;
  if (name.contains("shuffle") || name.contains("rotate") || name.contains("broadcast")) {
    for (unsigned i = 1; i < call.arg_size(); ++i)
      if (Value *argument = call.getArgOperand(i);
          !isa<Constant>(argument) && argument->getType()->isIntegerTy(32) && i + 1 == call.arg_size())
        tellDecision(call, argument, "a lane number");
    return;
  }
  if (beginsWithAny(name, {"sub_group_", "work_group_"}))
    for (Value *argument : call.args())
      if (!isa<Constant>(argument) && isNumber(*argument->getType()))
        tellDecision(call, argument, ("the argument of " + name).str());
}

void Marker::tellDecisions() {
  const UnwrittenValues unwritten(function, is_kernel, reach);
  for (BasicBlock &block : function) {
    Instruction *end = block.getTerminator();
    const auto *branch = dyn_cast<BranchInst>(end);
    const auto *choice = dyn_cast<SwitchInst>(end);
    Value *condition = branch && branch->isConditional() ? branch->getCondition()
                       : choice                          ? choice->getCondition()
                                                         : nullptr;
    if (condition && end->getDebugLoc() && unwritten.mayBe(condition))
      tellDecision(*end, condition, "branch");
  }
  for (const auto &[call, name] : findCalls(function, [](StringRef name) {
         return beginsWithAny(name, {"sub_group_", "work_group_", "intel_sub_group_"});
       }))
    tellCall(*call, name);
}

} // namespace

PreservedAnalyses MarkInitializationPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (function.isDeclaration() || !function.getSubprogram()) // the built-in library initializes its own variables
    return PreservedAnalyses::all();
  Marker marker(function, function.getName() == context.kernel,
                context.checks ? context.checks->initialization : Reach::Everything);
  marker.markVariables();
  if (context.optimize)
    PromotePass().run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
  marker.tellDecisions();
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
