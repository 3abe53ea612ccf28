// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/constant_recursion.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <map>

namespace lanecl::frontend {
namespace {

using namespace llvm;

bool isKnown(const Value &value) {
  const auto *constant = dyn_cast<Constant>(&value);
  return constant != nullptr && !constant->containsUndefOrPoisonElement() && !isa<UndefValue>(constant);
}

// Folds what is constant in a copy, and removes the branches that are not taken. Nothing is concluded from a value that
// nothing has written.
class Folder {
public:
  explicit Folder(Function &function) : function(function) {}
  void run();

private:
  void promote();
  bool foldInstructions();
  bool foldBranches();
  Constant *valueOf(Instruction &instruction) const;

  Function &function;
};

// Whether a store comes before each load, whatever way is taken.
bool isWritten(const AllocaInst &variable, const DominatorTree &tree) {
  return any_of(variable.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store != nullptr && all_of(variable.users(), [&](const User *other) {
             return !isa<LoadInst>(other) || tree.dominates(store, cast<Instruction>(other));
           });
  });
}

void Folder::promote() {
  DominatorTree tree(function);
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && isAllocaPromotable(variable) && isWritten(*variable, tree))
      variables.push_back(variable);
  PromoteMemToReg(variables, tree);
}

Constant *Folder::valueOf(Instruction &instruction) const {
  if (auto *choice = dyn_cast<SelectInst>(&instruction))
    if (const auto *condition = dyn_cast<ConstantInt>(choice->getCondition()))
      return dyn_cast<Constant>(condition->isOne() ? choice->getTrueValue() : choice->getFalseValue());
  if (!all_of(instruction.operands(), [](const Use &operand) { return isKnown(*operand); }))
    return nullptr;
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return dyn_cast_or_null<Constant>(phi->hasConstantValue());
  return ConstantFoldInstruction(&instruction, function.getDataLayout());
}

bool Folder::foldInstructions() {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Constant *value = instruction.getType()->isVoidTy() ? nullptr : valueOf(instruction);
    if (value == nullptr || !isKnown(*value))
      continue;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

bool Folder::foldBranches() {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  changed |= removeUnreachableBlocks(function);
  for (BasicBlock &block : make_early_inc_range(function)) {
    changed |= FoldSingleEntryPHINodes(&block);
    changed |= MergeBlockIntoPredecessor(&block);
  }
  return changed;
}

void Folder::run() {
  for (bool changed = true; changed;) {
    promote();
    changed = foldInstructions();
    changed |= foldBranches();
  }
}

// What a function returns that does nothing but return it.
Constant *onlyResult(const Function &function) {
  if (function.size() != 1)
    return nullptr;
  const auto *end = dyn_cast<ReturnInst>(&*function.getEntryBlock().getFirstNonPHIOrDbg());
  return end && end->getReturnValue() && isKnown(*end->getReturnValue()) ? cast<Constant>(end->getReturnValue())
                                                                         : nullptr;
}

class Ender {
public:
  Ender(Module &module, const DenseSet<Function *> &recursive) : module(module), recursive(recursive) { findLeading(); }
  DenseSet<Function *> run();

private:
  // A function and what is known of its arguments; null: nothing.
  using Key = std::pair<Function *, std::vector<Constant *>>;

  void findLeading();
  CallBase *nextCall(Function &function, const DenseSet<CallBase *> &done) const;
  bool end(Function &function, bool is_copy);
  bool endCall(CallBase &call, bool &is_folded);
  Function *makeCopy(const Key &key);
  Function *copyFor(const CallBase &call, bool &ends);

  static constexpr size_t kMostCopies = 1000;

  Module &module;
  const DenseSet<Function *> &recursive;
  DenseSet<Function *> leading;     // the functions from which calls lead to a recursive one
  DenseSet<Function *> visited;     // of those that need no copy
  std::map<Key, Function *> copies; // null while one is being made
};

void Ender::findLeading() {
  SmallVector<Function *> work(recursive.begin(), recursive.end());
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    if (!leading.insert(function).second)
      continue;
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == function)
        work.push_back(call->getFunction());
  }
}

// Null where the recursion does not end.
Function *Ender::makeCopy(const Key &key) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(key.first, values);
  copy->setName(key.first->getName() + ".constant");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  for (const auto &[parameter, value] : zip(copy->args(), key.second))
    if (value != nullptr)
      parameter.replaceAllUsesWith(value);
  Folder(*copy).run();
  return end(*copy, /*is_copy=*/true) ? copy : nullptr;
}

// Null without constant arguments, or where the recursion does not end: because there are none, because the function
// calls itself with the same ones, or after very many copies.
Function *Ender::copyFor(const CallBase &call, bool &ends) {
  Function &callee = *call.getCalledFunction();
  Key key{&callee, {}};
  for (const Use &argument : call.args())
    key.second.push_back(isKnown(*argument) ? cast<Constant>(argument) : nullptr);
  if (all_of(key.second, [](const Constant *value) { return value == nullptr; })) {
    ends = !recursive.contains(&callee) && (!visited.insert(&callee).second || end(callee, /*is_copy=*/false));
    return nullptr;
  }
  const auto [place, is_new] = copies.try_emplace(key, nullptr);
  if (is_new && copies.size() <= kMostCopies)
    place->second = makeCopy(key);
  ends = place->second != nullptr;
  return place->second;
}

// False where the recursion does not end.
bool Ender::endCall(CallBase &call, bool &is_folded) {
  bool ends = false;
  Function *copy = copyFor(call, ends);
  if (copy == nullptr)
    return ends;
  Constant *result = onlyResult(*copy);
  if (result == nullptr) {
    call.setCalledFunction(copy);
    return true;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  is_folded = true;
  return true;
}

CallBase *Ender::nextCall(Function &function, const DenseSet<CallBase *> &done) const {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && leading.contains(call->getCalledFunction()) && !done.contains(call))
      return call;
  return nullptr;
}

// Ends what the function calls. A copy is folded again as results become known, since they may decide which other calls
// are left.
bool Ender::end(Function &function, bool is_copy) {
  DenseSet<CallBase *> done;
  while (CallBase *call = nextCall(function, done)) {
    bool is_folded = false;
    done.insert(call);
    if (!endCall(*call, is_folded))
      return false;
    if (is_folded)
      done.erase(call);
    if (is_folded && is_copy)
      Folder(function).run();
  }
  return true;
}

DenseSet<Function *> Ender::run() {
  for (Function &kernel : make_early_inc_range(module))
    if (kernel.getCallingConv() == CallingConv::SPIR_KERNEL && leading.contains(&kernel) &&
        visited.insert(&kernel).second)
      end(kernel, /*is_copy=*/false);
  DenseSet<Function *> copied;
  for (const auto &[key, copy] : copies)
    if (recursive.contains(key.first))
      copied.insert(key.first);
  return copied;
}

} // namespace

DenseSet<Function *> endConstantRecursion(Module &module, const DenseSet<Function *> &recursive) {
  return Ender(module, recursive).run();
}

} // namespace lanecl::frontend
