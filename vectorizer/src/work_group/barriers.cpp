// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/barriers.h"

#include "analysis/primitives.h"
#include "kernel/launch_abi.h"
#include "kernel/restrict.h"
#include "work_group/calls.h"
#include "work_group/partner_exchange.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr uint64_t kWidestLaneVector = 512; // 64 lanes of 8 bytes

SmallVector<CallInst *> callsOf(Function &function, Primitive primitive) {
  return callsThat(function, [&](const CallInst &call) { return isPrimitive(call, primitive); });
}

// Lanes run in lock-step and their memory accesses are in program order: within one sub-group a barrier has nothing to
// wait for.
void erase(ArrayRef<CallInst *> barriers) {
  for (CallInst *barrier : barriers)
    barrier->eraseFromParent();
}

bool isSingleSubGroup(const LaunchClass &launch) {
  uint64_t items = 1;
  for (uint32_t size : launch.local_size)
    items *= size;
  return items != 0 && items <= launch.width;
}

class CoroutineMaker {
public:
  explicit CoroutineMaker(Function &lanes) : module(*lanes.getParent()), context(lanes.getContext()), builder(context) {
    moveBody(lanes);
  }

  Function *run(ArrayRef<CallInst *> barriers);

private:
  void moveBody(Function &lanes);
  void begin();
  void makeExits();
  void suspend(CallBase &barrier);
  void finish(ReturnInst &ret);
  void switchOn(Value *state, BasicBlock *resumed);

  Module &module;
  LLVMContext &context;
  IRBuilder<> builder;
  Function *coroutine = nullptr;
  Value *handle = nullptr;
  BasicBlock *leave = nullptr; // back to the caller
  BasicBlock *final_suspend = nullptr;
};

// The same function with another result type.
void CoroutineMaker::moveBody(Function &lanes) {
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(StructType::get(i64, i64), lanes.getFunctionType()->params(), false);
  coroutine = Function::Create(type, GlobalValue::InternalLinkage, "", module);
  coroutine->takeName(&lanes);
  coroutine->copyAttributesFrom(&lanes);
  coroutine->setCallingConv(CallingConv::C);
  coroutine->setLinkage(GlobalValue::ExternalLinkage); // the call graph skips internal functions without callers
  coroutine->splice(coroutine->end(), &lanes);
  coroutine->copyMetadata(&lanes, 0);
  for (auto [from, to] : zip(lanes.args(), coroutine->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  coroutine->addFnAttr(Attribute::PresplitCoroutine);
  coroutine->removeFnAttr(Attribute::Memory);
  lanes.eraseFromParent();
}

void CoroutineMaker::begin() {
  BasicBlock &entry = coroutine->getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  Value *id = builder.CreateIntrinsic(Intrinsic::coro_id, {}, {builder.getInt32(0), null, null, null});
  Value *memory = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), coroutine->getArg(kScratchParameter),
                                                     frameOffset(privateBytes(*coroutine)));
  handle = builder.CreateIntrinsic(Intrinsic::coro_begin, {}, {id, memory});
}

void CoroutineMaker::makeExits() {
  leave = BasicBlock::Create(context, "leave", coroutine);
  final_suspend = BasicBlock::Create(context, "done", coroutine);

  builder.SetInsertPoint(leave);
  builder.CreateIntrinsic(Intrinsic::coro_end, {}, {handle, builder.getFalse(), ConstantTokenNone::get(context)});
  Type *i64 = builder.getInt64Ty();
  Value *frame = PoisonValue::get(coroutine->getReturnType());
  frame = builder.CreateInsertValue(frame, builder.CreateIntrinsic(Intrinsic::coro_size, {i64}, {}), 0);
  frame = builder.CreateInsertValue(frame, builder.CreateIntrinsic(Intrinsic::coro_align, {i64}, {}), 1);
  builder.CreateRet(frame);

  builder.SetInsertPoint(final_suspend);
  Value *state =
      builder.CreateIntrinsic(Intrinsic::coro_suspend, {}, {ConstantTokenNone::get(context), builder.getTrue()});
  BasicBlock *never = BasicBlock::Create(context, "never", coroutine);
  switchOn(state, never);
  builder.SetInsertPoint(never);
  builder.CreateUnreachable();
}

// Suspended sub-groups are never destroyed: their memory belongs to the worker and there is nothing to clean up.
void CoroutineMaker::switchOn(Value *state, BasicBlock *resumed) {
  SwitchInst *branch = builder.CreateSwitch(state, leave, 2);
  branch->addCase(builder.getInt8(0), resumed);
  branch->addCase(builder.getInt8(1), leave);
}

void CoroutineMaker::suspend(CallBase &barrier) {
  BasicBlock *before = barrier.getParent();
  BasicBlock *after = SplitBlock(before, &barrier);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(barrier.getDebugLoc());
  Value *state =
      builder.CreateIntrinsic(Intrinsic::coro_suspend, {}, {ConstantTokenNone::get(context), builder.getFalse()});
  switchOn(state, after);
  barrier.eraseFromParent();
}

void CoroutineMaker::finish(ReturnInst &ret) {
  BranchInst::Create(final_suspend, ret.getIterator());
  ret.eraseFromParent();
}

Function *CoroutineMaker::run(ArrayRef<CallInst *> barriers) {
  SmallVector<ReturnInst *> returns;
  for (Instruction &instruction : instructions(*coroutine))
    if (auto *ret = dyn_cast<ReturnInst>(&instruction))
      returns.push_back(ret);
  if (DISubprogram *subprogram = coroutine->getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, subprogram->getLine(), 0, subprogram));
  begin();
  makeExits();
  for (ReturnInst *ret : returns)
    finish(*ret);
  for (CallInst *barrier : barriers)
    suspend(*barrier);
  return coroutine;
}

// Frames are never destroyed, so two of the three functions that splitting makes are not needed.
void eraseDestroyers(Module &module, StringRef coroutine) {
  for (StringRef suffix : {".destroy", ".cleanup"})
    if (Function *function = module.getFunction((coroutine + suffix).str())) {
      function->replaceAllUsesWith(ConstantPointerNull::get(function->getType()));
      function->eraseFromParent();
    }
}

// Splitting renames the subprogram of the resume function; debuggers should show the kernel's name for both.
void restoreName(Module &module, StringRef coroutine) {
  Function *resume = module.getFunction((coroutine + ".resume").str());
  if (DISubprogram *subprogram = resume ? resume->getSubprogram() : nullptr) {
    subprogram->replaceOperandWith(2, module.getFunction(coroutine)->getSubprogram()->getRawName());
    subprogram->replaceLinkageName(nullptr);
  }
}

} // namespace

uint64_t frameOffset(uint64_t private_bytes) {
  return alignTo(private_bytes, kWidestLaneVector);
}

PreservedAnalyses BarriersPass::run(Module &module, ModuleAnalysisManager &analyses) {
  std::vector<std::string> coroutines;
  bool changed = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!isLanesFunction(function))
      continue;
    const SmallVector<CallInst *> inner = callsOf(function, Primitive::SubGroupBarrier);
    lowerPartnerExchange(function);
    SmallVector<CallInst *> barriers = callsOf(function, Primitive::WorkGroupBarrier);
    barriers.append(callsOf(function, Primitive::PartnerBarrier));
    if (inner.empty() && barriers.empty())
      continue;
    changed = true;
    forgetRestrict(function);
    erase(inner);
    if (isSingleSubGroup(context.launch))
      erase(barriers);
    else if (!barriers.empty())
      coroutines.push_back(CoroutineMaker(function).run(barriers)->getName().str());
  }
  if (!changed)
    return PreservedAnalyses::all();
  analyses.invalidate(module, PreservedAnalyses::none());
  if (coroutines.empty())
    return PreservedAnalyses::none();

  ModulePassManager split;
  split.addPass(CoroEarlyPass());
  split.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(/*OptimizeFrame=*/context.optimize)));
  split.addPass(CoroCleanupPass());
  split.addPass(createModuleToFunctionPassAdaptor(InstSimplifyPass()));
  split.run(module, analyses);
  analyses.invalidate(module, PreservedAnalyses::none());
  for (const std::string &name : coroutines) {
    module.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
    eraseDestroyers(module, name);
    restoreName(module, name);
  }
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
