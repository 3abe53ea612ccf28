// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Specializes recursive functions for their constant arguments. The worker is Ender: it visits calls that lead to a
// recursive function, and replaces each by a call of a copy, or by the result if the copy does nothing but return it.
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

// Whether the value is a constant without undefined or poison parts.
bool isKnown(const Value &value) {
  const auto *constant = dyn_cast<Constant>(&value);
  return constant != nullptr && !constant->containsUndefOrPoisonElement() && !isa<UndefValue>(constant);
}

// Simplifies a copy whose arguments are known: folds constant instructions and removes branches that are not taken.
// Nothing is concluded from uninitialized variables.
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

// Whether one store to the variable comes before each load, whatever path is taken.
bool isWritten(const AllocaInst &variable, const DominatorTree &tree) {
  return any_of(variable.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store != nullptr && all_of(variable.users(), [&](const User *other) {
             return !isa<LoadInst>(other) || tree.dominates(store, cast<Instruction>(other));
           });
  });
}

// Turns variables into SSA values, unless some path reads them uninitialized.
void Folder::promote() {
  DominatorTree tree(function);
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && isAllocaPromotable(variable) && isWritten(*variable, tree))
      variables.push_back(variable);
  PromoteMemToReg(variables, tree);
}

// Returns the constant that the instruction computes, or null when it is not known.
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

// Replaces instructions with known results by these results. Calls are kept unless LLVM can fold them.
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

// Removes branches whose conditions are known, blocks that are not reached any more, and joins blocks with their only
// predecessor.
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

// Returns the result of a function that does nothing but return a constant, or null.
Constant *onlyResult(const Function &function) {
  if (function.size() != 1)
    return nullptr;
  const auto *end = dyn_cast<ReturnInst>(&*function.getEntryBlock().getFirstNonPHIOrDbg());
  return end && end->getReturnValue() && isKnown(*end->getReturnValue()) ? cast<Constant>(end->getReturnValue())
                                                                         : nullptr;
}

// Ends recursion in all functions that kernels call. Each combination of function and known arguments has one copy,
// which mutual recursion and repeated calls share.
class Ender {
public:
  Ender(Module &module, const DenseSet<Function *> &recursive) : module(module), recursive(recursive) { findLeading(); }
  DenseSet<Function *> run();

private:
  // A function and its known arguments; null for an argument that is not known.
  using Key = std::pair<Function *, std::vector<Constant *>>;

  void findLeading();
  CallBase *nextCall(Function &function, const DenseSet<CallBase *> &done) const;
  bool end(Function &function, bool is_copy);
  bool endCall(CallBase &call, bool &is_folded);
  Function *makeCopy(const Key &key);
  Function *copyFor(const CallBase &call, bool &ends);

  // More copies than this mean that the recursion does not end, or not soon.
  static constexpr size_t kMostCopies = 1000;

  Module &module;
  const DenseSet<Function *> &recursive;
  // The recursive functions, and all functions from which calls lead to them.
  DenseSet<Function *> leading;
  DenseSet<Function *> visited;     // the functions without copies that have been visited
  std::map<Key, Function *> copies; // by key; null while the copy is being made
};

// Walks from the recursive functions to their callers, the callers of those, and so on.
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

// Makes the copy of a function for its known arguments. Returns null if recursion in the copy does not end.
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

// Returns the copy to be called, or null if the call stays as it is. `ends` says whether the recursion ends.
//
// Without constant arguments there is no copy, and a recursive callee does not end. With constant arguments the
// recursion does not end if the function calls itself with the same ones (the copy is still null then), or after
// kMostCopies copies.
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

// Replaces the call by a call of a copy or by its result. Returns false if the recursion does not end.
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

// Returns a call that leads to a recursive function and has not been handled, or null.
CallBase *Ender::nextCall(Function &function, const DenseSet<CallBase *> &done) const {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && leading.contains(call->getCalledFunction()) && !done.contains(call))
      return call;
  return nullptr;
}

// Handles all calls in `function` that lead to recursive functions. A copy is folded again whenever a result has become
// known, since the result may decide which other calls are left.
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

// Visits all kernels. The copies of recursive functions tell which recursion had constant arguments.
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
