// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/barriers.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/memory/effects.h"
#include "kernel/import/debug_info.h"
#include "kernel/import/restrict.h"
#include "kernel/launch/launch_abi.h"
#include "pass_support/remarks.h"
#include "vectorizer/contract/debug_frame.h"
#include "widen/widen.h"
#include "work_group/calls.h"
#include "work_group/frame_scope.h"
#include "work_group/kept_values.h"
#include "work_group/partner_exchange.h"
#include "work_group/smaller_frames.h"
#include "work_group/suspensions.h"
#include "work_group/turns.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/Coroutines/MaterializationUtils.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>
#include <map>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

SmallVector<CallInst *> callsOf(Function &function, Primitive primitive) {
  return callsThat(function, [&](const CallInst &call) { return isPrimitive(call, primitive); });
}

// Erases barriers of one sub-group. Its lanes run in lock-step and their memory accesses are in program order, so there
// is nothing to wait for.
void erase(ArrayRef<CallInst *> barriers) {
  for (CallInst *barrier : barriers)
    barrier->eraseFromParent();
}

// Keeps the order of global memory accesses at barriers that name global memory, as these are fences, too: programs
// write data, pass the barrier, and notify another work-group by a relaxed atomic. The processor keeps stores in order,
// so a fence for the compiler suffices.
void keepGlobalOrder(ArrayRef<CallInst *> barriers) {
  for (CallInst *barrier : barriers)
    if (ordersGlobalMemory(*barrier))
      IRBuilder<>(barrier).CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
}

// Returns whether a work-group is known to be at most one sub-group.
bool isSingleSubGroup(const LaunchClass &launch) {
  uint64_t items = 1;
  for (uint32_t size : launch.local_size)
    items *= size;
  return items != 0 && items <= launch.width;
}

// Turns one lanes function into a coroutine by LLVM's coroutine intrinsics, ready to be split by CoroSplitPass.
class CoroutineMaker {
public:
  explicit CoroutineMaker(Function &lanes) : module(*lanes.getParent()), context(lanes.getContext()), builder(context) {
    moveBody(lanes);
  }

  Function *run(ArrayRef<CallInst *> barriers, ArrayRef<CallInst *> begins);

private:
  void moveBody(Function &lanes);
  void begin();
  void makeExits();
  void waitToBegin(CallBase &marker);
  void tellPlace(const CallBase &barrier);
  void tellRuns(bool runs);
  void suspend(CallBase &barrier);
  void finish(ReturnInst &ret);
  void switchOn(Value *state, BasicBlock *resumed);

  Module &module;
  LLVMContext &context;
  IRBuilder<> builder;
  bool is_debugged = false; // built with -g
  Function *coroutine = nullptr;
  Value *handle = nullptr;
  BasicBlock *leave = nullptr; // returns to the caller
  BasicBlock *final_suspend = nullptr;
};

// Moves the body to a function with the coroutine's result type.
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
  assert(lanes.use_empty() && lanes.empty() && "the work-group function, which calls it, is made later");
  lanes.eraseFromParent();
}

// Emits the coroutine's start: its frame is in the scratch memory after the private bytes.
void CoroutineMaker::begin() {
  BasicBlock &entry = coroutine->getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  Value *id = builder.CreateIntrinsic(Intrinsic::coro_id, {}, {builder.getInt32(0), null, null, null});
  Value *memory = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), coroutine->getArg(kScratchParameter),
                                                     frameOffset(privateBytes(*coroutine)));
  handle = builder.CreateIntrinsic(Intrinsic::coro_begin, {}, {id, memory});
}

// Emits the blocks that suspend for the last time and that return to the caller.
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

// Emits the branch after a suspension. Suspended sub-groups are never destroyed: their memory belongs to the worker,
// and there is nothing to clean up.
void CoroutineMaker::switchOn(Value *state, BasicBlock *resumed) {
  SwitchInst *branch = builder.CreateSwitch(state, leave, 2);
  branch->addCase(builder.getInt8(0), resumed);
  branch->addCase(builder.getInt8(1), leave);
}

// Replaces the barrier by a suspension; the code after it becomes a block of its own, at which the sub-group resumes.
void CoroutineMaker::suspend(CallBase &barrier) {
  assert(barrier.getFunction() == coroutine && barrier.use_empty() &&
         "a barrier of the coroutine, which returns nothing");
  BasicBlock *before = barrier.getParent();
  BasicBlock *after = SplitBlock(before, &barrier);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(barrier.getDebugLoc());
  tellRuns(false);
  Value *state =
      builder.CreateIntrinsic(Intrinsic::coro_suspend, {}, {ConstantTokenNone::get(context), builder.getFalse()});
  switchOn(state, after);
  builder.SetInsertPoint(&barrier);
  tellRuns(true);
  barrier.eraseFromParent();
}

// Notes whether the sub-group runs. The report of a fault needs that, as another sub-group of the work-group may cause
// the fault while this one waits.
void CoroutineMaker::tellRuns(bool runs) {
  if (!is_debugged)
    return;
  Value *field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), coroutine->getArg(kScratchParameter),
                                                    offsetof(abi::DebugFrame, runs));
  builder.CreateStore(builder.getInt32(runs), field, /*isVolatile=*/true);
}

// Suspends before the first statement, in kernels built with -g. All statements are then in one function, the one that
// resumes, and every line has one place there.
void CoroutineMaker::waitToBegin(CallBase &marker) {
  builder.SetInsertPoint(&marker);
  builder.SetCurrentDebugLocation(marker.getDebugLoc());
  Value *field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), marker.getArgOperand(0),
                                                    offsetof(abi::DebugFrame, slot_bytes));
  builder.CreateStore(createSlotBytes(builder), field);
  suspend(marker);
}

// Describes the functions that the code at the location was inlined from, in the format of abi::DebugFrame.
static std::string describeCalls(const DILocation *location) {
  std::string text;
  for (; location; location = location->getInlinedAt())
    text += (location->getScope()->getSubprogram()->getName() + " " + location->getFilename() + ":" +
             Twine(location->getLine()) + "\n")
                .str();
  return text;
}

// Stores where the sub-group waits, for debuggers.
void CoroutineMaker::tellPlace(const CallBase &barrier) {
  const DILocation *location = barrier.getDebugLoc().get();
  const auto store = [&](Value *value, uint64_t offset) {
    builder.CreateStore(
        value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), coroutine->getArg(kScratchParameter), offset));
  };
  store(builder.getInt32(location ? location->getLine() : 0), offsetof(abi::DebugFrame, line));
  store(builder.CreateGlobalString(describeCalls(location), "waited_at"), offsetof(abi::DebugFrame, waited_at));
}

void CoroutineMaker::finish(ReturnInst &ret) {
  BranchInst::Create(final_suspend, ret.getIterator());
  ret.eraseFromParent();
}

Function *CoroutineMaker::run(ArrayRef<CallInst *> barriers, ArrayRef<CallInst *> begins) {
  SmallVector<ReturnInst *> returns;
  for (Instruction &instruction : instructions(*coroutine))
    if (auto *ret = dyn_cast<ReturnInst>(&instruction))
      returns.push_back(ret);
  if (DISubprogram *subprogram = coroutine->getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, subprogram->getLine(), 0, subprogram));
  is_debugged = !begins.empty();
  begin();
  makeExits();
  for (ReturnInst *ret : returns)
    finish(*ret);
  for (CallInst *barrier : barriers) {
    if (is_debugged) {
      builder.SetInsertPoint(barrier);
      tellPlace(*barrier);
    }
    suspend(*barrier);
  }
  for (CallInst *begin : begins)
    waitToBegin(*begin);
  return coroutine;
}

// Erases two of the three functions that splitting makes: frames are never destroyed.
void eraseDestroyers(Module &module, StringRef coroutine) {
  for (StringRef suffix : {".destroy", ".cleanup"})
    if (Function *function = module.getFunction((coroutine + suffix).str())) {
      function->replaceAllUsesWith(ConstantPointerNull::get(function->getType()));
      function->eraseFromParent();
    }
  if (GlobalVariable *table = module.getGlobalVariable((coroutine + ".resumers").str(), /*AllowInternal=*/true);
      table != nullptr && table->use_empty())
    table->eraseFromParent();
}

// Returns the switch by which the function goes on where the sub-group has suspended; splitting leaves unconditional
// branches before it. Returns null if the sub-group suspends at one place only.
SwitchInst *dispatchOf(Function &resume) {
  const BasicBlock *block = &resume.getEntryBlock();
  while (const BasicBlock *next = block->getSingleSuccessor())
    block = next;
  return dyn_cast<SwitchInst>(const_cast<Instruction *>(block->getTerminator()));
}

// Gives the code at which a sub-group starts the first place in memory. Debuggers take the first line in memory for the
// function's first statement.
void layOutBeginFirst(Module &module, StringRef coroutine) {
  Function *resume = module.getFunction((coroutine + ".resume").str());
  SwitchInst *dispatch = resume ? dispatchOf(*resume) : nullptr;
  if (!dispatch)
    return;
  SmallVector<uint32_t> weights(dispatch->getNumSuccessors(), 1);
  for (const auto &state : dispatch->cases())
    if (state.getCaseValue()->isZero())
      weights[state.getSuccessorIndex()] = 1000;
  setBranchWeights(*dispatch, weights, /*IsExpected=*/false);
}

// Names the function that enters a sub-group `k.enter`. In kernels built with -g it contains none of the kernel's
// statements, and debuggers should not take it for the kernel.
void nameEntrance(Module &module, StringRef coroutine) {
  assert(module.getFunction(coroutine) != nullptr && "splitting keeps the coroutine's name");
  Function &function = *module.getFunction(coroutine);
  DISubprogram *own = makeArtificialSubprogram(function, (coroutine + ".enter").str());
  if (!own)
    return;
  function.setSubprogram(own);
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block); // the function always suspends at once
  removeUnreachableBlocks(function);
  const DebugLoc begin = DILocation::get(module.getContext(), own->getLine(), 0, own);
  for (Instruction &instruction : instructions(function)) {
    instruction.dropDbgRecords();
    instruction.setDebugLoc(begin);
  }
}

// Restores the name in the resume function's debug information, which splitting has changed. Debuggers should show the
// kernel's name for both functions.
void restoreName(Module &module, StringRef coroutine) {
  Function *resume = module.getFunction((coroutine + ".resume").str());
  if (DISubprogram *subprogram = resume ? resume->getSubprogram() : nullptr) {
    subprogram->replaceOperandWith(2, module.getFunction(coroutine)->getSubprogram()->getRawName());
    subprogram->replaceLinkageName(nullptr);
  }
}

void reportBarriers(PassContext &context, Function &lanes, ArrayRef<CallInst *> barriers) {
  for (const auto &[barrier, bytes] : zip_equal(barriers, bytesKept(lanes, barriers)))
    addRemark(context, Remark::Kind::Barrier, *barrier, "saves about " + Twine(bytes) + " bytes per sub-group");
}

// Returns whether it is cheaper to compute a value again after a barrier than to keep it. That is so for scalars, for
// loads of values that a launch never changes, and for vectors made of one scalar. For other vectors the operands would
// have to be kept instead, and these are no fewer.
bool isComputedAgain(Instruction &instruction) {
  const auto isSplat = [](const Value *value) { return isa<Constant>(value) || getSplatValue(value) != nullptr; };
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->getType()->isVectorTy() && load->hasMetadata(LLVMContext::MD_invariant_load);
  if (!instruction.getType()->isVectorTy())
    return coro::isTriviallyMaterializable(instruction);
  if (isa<InsertElementInst>(instruction))
    return isa<UndefValue>(instruction.getOperand(0));
  if (isa<ShuffleVectorInst>(instruction))
    return isSplat(&instruction);
  return coro::isTriviallyMaterializable(instruction) &&
         all_of(instruction.operands(), [&](const Use &operand) { return isSplat(operand); });
}

// Returns the kernel's name, given that of one of its lanes functions.
std::string kernelOf(StringRef lanes) {
  lanes.consume_back(kPartialSuffix) || lanes.consume_back(kLanesSuffix);
  return lanes.str();
}

} // namespace

// Whether the function is for incomplete sub-groups, and there is another one for full ones.
static bool isBesideFull(const Function &function) {
  StringRef kernel = function.getName();
  return kernel.consume_back(kPartialSuffix) && function.getParent()->getFunction((kernel + kLanesSuffix).str());
}

PreservedAnalyses BarriersPass::run(Module &module, ModuleAnalysisManager &analyses) {
  std::vector<std::string> coroutines;
  const FrameScope frame(module.getContext());
  bool changed = false;
  const bool yielding = any_of(module, [](const Function &f) { return isLanesFunction(f) && yields(f); });
  for (Function &function : make_early_inc_range(module)) {
    if (!isLanesFunction(function))
      continue;
    const SmallVector<CallInst *> inner = callsOf(function, Primitive::SubGroupBarrier);
    const SmallVector<CallInst *> begins =
        callsThat(function, [](const CallInst &call) { return isDebugMarker(call, DebugMarker::Begin); });
    lowerPartnerExchange(function);
    SmallVector<CallInst *> barriers = callsOf(function, Primitive::WorkGroupBarrier);
    keepGlobalOrder(barriers);
    barriers.append(callsOf(function, Primitive::PartnerBarrier));
    // From here on accesses of different work-items are in one function.
    forgetRestrict(function);
    changed = true;
    if (inner.empty() && barriers.empty() && begins.empty() && !yielding)
      continue;
    erase(inner);
    if (isSingleSubGroup(context.launch)) {
      erase(barriers);
      barriers.clear();
    }
    if (!barriers.empty() || yielding) {
      context.facts.waits |= !barriers.empty();
      if (yielding)
        noteSuspensions(function);
      barriers.append(callsOf(function, Primitive::Yield));
      frame.excludeAccesses(function);
      // Incomplete sub-groups keep the same values, and there are few of them.
      if (context.remarks && !isBesideFull(function))
        reportBarriers(context, function, barriers);
      coroutines.push_back(CoroutineMaker(function).run(barriers, begins)->getName().str());
      continue;
    }
    erase(begins);
  }
  if (!changed)
    return PreservedAnalyses::all();
  analyses.invalidate(module, PreservedAnalyses::none());
  if (coroutines.empty())
    return PreservedAnalyses::none();

  // LLVM splits the coroutines into the functions that enter and resume.
  ModulePassManager split;
  split.addPass(CoroEarlyPass());
  split.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(isComputedAgain, /*OptimizeFrame=*/context.optimize)));
  split.addPass(CoroCleanupPass());
  split.addPass(createModuleToFunctionPassAdaptor(Required(InstSimplifyPass())));
  split.run(module, analyses);
  analyses.invalidate(module, PreservedAnalyses::none());
  std::map<std::string, SmallVector<Coroutine, 2>> by_kernel; // the coroutines of full and of incomplete sub-groups
  for (const std::string &name : coroutines) {
    assert(module.getFunction(name) != nullptr && "splitting keeps the coroutine's name");
    module.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
    eraseDestroyers(module, name);
    restoreName(module, name);
    frame.markOthers(*module.getFunction(name));
    if (Function *resume = module.getFunction(name + ".resume"))
      frame.markOthers(*resume);
    if (context.debug) {
      nameEntrance(module, name);
      layOutBeginFirst(module, name);
    } else if (Function *resume = module.getFunction(name + ".resume")) {
      Function &enter = *module.getFunction(name);
      const uint64_t offset = frameOffset(privateBytes(enter));
      by_kernel[kernelOf(name)].push_back({&enter, passArguments(enter, *resume, offset), offset});
    }
  }
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  assert(all_of(by_kernel, [](const auto &entry) { return entry.second.size() <= 2; }) && "full and incomplete ones");
  for (const auto &[kernel, coroutines_of_kernel] : by_kernel)
    if (!partnerFlagOffset(*coroutines_of_kernel[0].enter) && !yielding)
      splitIntoTurns(coroutines_of_kernel, functions);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
