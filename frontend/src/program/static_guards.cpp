// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers the guards of static variables. A guarded construction
//
//   if (__cxa_guard_acquire(guard)) { construct; __cxa_guard_release(guard); }
//
// becomes, with `done` and `owner` in the two halves of the guard,
//
//   while (!atomic_load(&done))
//     if (atomic_cmpxchg(&owner, 0, 1)) { construct; atomic_store(&done, 1); }
#include "program/static_guards.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <vector>

namespace lanecl::frontend {
namespace {

constexpr const char *kAcquire = "__cxa_guard_acquire", *kRelease = "__cxa_guard_release";
// The owner's place in the 8 bytes of a guard. The ABI uses the first byte for "done" and leaves the upper half free.
constexpr uint64_t kOwnerOffset = 4;

std::vector<llvm::CallInst *> callsOf(llvm::Module &program, const char *name) {
  std::vector<llvm::CallInst *> calls;
  if (llvm::Function *function = program.getFunction(name))
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == function)
        calls.push_back(call);
  return calls;
}

// Makes the loop in place of the call of __cxa_guard_acquire(). The call's result becomes whether this work-item
// constructs the variable. Returns the start of the loop.
llvm::BasicBlock *lowerAcquire(llvm::CallInst &call) {
  llvm::LLVMContext &context = call.getContext();
  llvm::Value *guard = call.getArgOperand(0);
  llvm::BasicBlock *before = call.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(&call, "static.chosen");
  auto *wait = llvm::BasicBlock::Create(context, "static.wait", before->getParent(), after);
  auto *attempt = llvm::BasicBlock::Create(context, "static.try", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, wait);
  llvm::IRBuilder<> builder(wait);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::LoadInst *made = builder.CreateAlignedLoad(builder.getInt8Ty(), guard, llvm::Align(8));
  made->setAtomic(llvm::AtomicOrdering::Acquire);
  builder.CreateCondBr(builder.CreateICmpNE(made, builder.getInt8(0)), after, attempt);
  builder.SetInsertPoint(attempt);
  llvm::Value *owner = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), guard, kOwnerOffset);
  llvm::Value *pair = builder.CreateAtomicCmpXchg(owner, builder.getInt32(0), builder.getInt32(1), llvm::Align(4),
                                                  llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), after, wait);
  builder.SetInsertPoint(&call);
  llvm::PHINode *chosen = builder.CreatePHI(call.getType(), 2);
  chosen->addIncoming(llvm::ConstantInt::get(call.getType(), 0), wait);
  chosen->addIncoming(llvm::ConstantInt::get(call.getType(), 1), attempt);
  call.replaceAllUsesWith(chosen);
  call.eraseFromParent();
  return wait;
}

// Sends the constructing work-item round the loop once more. Otherwise the construction would be outside the loop, and
// the vectorizer would run it only after all lanes have left: but lanes that wait leave only after the construction.
void lowerRelease(llvm::CallInst &call, llvm::BasicBlock *wait) {
  llvm::IRBuilder<> builder(&call);
  llvm::StoreInst *store = builder.CreateAlignedStore(builder.getInt8(1), call.getArgOperand(0), llvm::Align(8));
  store->setAtomic(llvm::AtomicOrdering::Release);
  llvm::BasicBlock *block = call.getParent();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()); branch && branch->isUnconditional()) {
    branch->getSuccessor(0)->removePredecessor(block);
    branch->setSuccessor(0, wait);
  }
  call.eraseFromParent();
}

// Returns the release that belongs to `acquire`: the one for the same guard, in the same function.
llvm::CallInst *releaseOf(const llvm::CallInst &acquire, const std::vector<llvm::CallInst *> &releases) {
  for (llvm::CallInst *release : releases)
    if (release->getFunction() == acquire.getFunction() && release->getArgOperand(0) == acquire.getArgOperand(0))
      return release;
  return nullptr;
}

} // namespace

void lowerStaticGuards(llvm::Module &program) {
  std::vector<llvm::CallInst *> releases = callsOf(program, kRelease);
  for (llvm::CallInst *acquire : callsOf(program, kAcquire))
    if (llvm::CallInst *release = releaseOf(*acquire, releases)) {
      std::erase(releases, release);
      lowerRelease(*release, lowerAcquire(*acquire));
    }
  for (const char *name : {kAcquire, kRelease})
    if (llvm::Function *function = program.getFunction(name); function && function->use_empty())
      function->eraseFromParent();
}

} // namespace lanecl::frontend
