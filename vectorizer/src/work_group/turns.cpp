// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/turns.h"

#include "kernel/launch/launch_abi.h"
#include "work_group/frame_scope.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr const char *kTurns = "lanecl.turns";
constexpr uint64_t kFunctions = 2 * sizeof(void *); // of resuming and destroying, the frame's first words

// The accesses that splitting added for its own sake, in one of a coroutine's functions.
class FrameStores {
public:
  FrameStores(Function &function, uint64_t frame_offset) : function(function), frame_offset(frame_offset) {}

  // The store that every way through the function passes, if there is no other one: of a constant to the place of the
  // state, or of null to that of the function that resumes.
  StoreInst *ofState(uint64_t place) const { return theOne(stores(place)); }
  StoreInst *ofEnd() const {
    auto ends = stores(0);
    erase_if(ends, [](const StoreInst *store) { return !isa<ConstantPointerNull>(store->getValueOperand()); });
    return theOne(ends);
  }
  bool hasState(uint64_t place) const { return !stores(place).empty(); }
  bool mayEnd() const {
    return any_of(stores(0), [](const StoreInst *store) { return isa<ConstantPointerNull>(store->getValueOperand()); });
  }
  void erase(std::optional<uint64_t> place) const;

private:
  SmallVector<StoreInst *, 4> stores(uint64_t place) const;
  StoreInst *theOne(ArrayRef<StoreInst *> stores) const;

  Function &function;
  const uint64_t frame_offset;
};

SmallVector<StoreInst *, 4> FrameStores::stores(uint64_t place) const {
  SmallVector<StoreInst *, 4> result;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (placeInFrame(*store, *function.getArg(kScratchParameter), frame_offset) == place)
        result.push_back(store);
  return result;
}

StoreInst *FrameStores::theOne(ArrayRef<StoreInst *> stores) const {
  if (stores.size() != 1)
    return nullptr;
  const DominatorTree dominators(function);
  const bool always = all_of(function, [&](const BasicBlock &block) {
    return !isa<ReturnInst>(block.getTerminator()) || dominators.dominates(stores[0]->getParent(), &block);
  });
  return always ? stores[0] : nullptr;
}

void FrameStores::erase(std::optional<uint64_t> place) const {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<StoreInst>(instruction))
      if (const auto at = placeInFrame(instruction, *function.getArg(kScratchParameter), frame_offset);
          at && (*at < kFunctions || at == place))
        instruction.eraseFromParent();
}

// What the companion loads to find out where it waits; null where there is one place only.
LoadInst *stateOf(Function &resume) {
  BasicBlock *first = &resume.getEntryBlock();
  while (BasicBlock *next = first->getUniqueSuccessor())
    first = next;
  Instruction *branch = first->getTerminator();
  if (branch->getNumOperands() == 0 || branch->getNumSuccessors() < 2)
    return nullptr;
  auto *asked = dyn_cast<Instruction>(branch->getOperand(0));
  if (asked != nullptr && !isa<LoadInst>(asked) && asked->getNumOperands() != 0)
    asked = dyn_cast<Instruction>(asked->getOperand(0));
  auto *load = dyn_cast_or_null<LoadInst>(asked);
  const auto place = load ? placeInFrame(*load, *resume.getArg(kScratchParameter), 0) : std::nullopt;
  return place && *place >= kFunctions && load->getType()->isIntegerTy() ? load : nullptr;
}

// A coroutine's turns, until it is decided whether they replace the companion.
struct Plan {
  Coroutine coroutine;
  std::optional<uint64_t> state; // its place in the frame
  SmallVector<Function *, 8> turns;
};

// The companion of sub-groups that wait in this state.
Function *companionIn(const LoadInst &load, Constant &state, FunctionAnalysisManager &manager) {
  ValueToValueMapTy copies;
  Function *turn = CloneFunction(const_cast<Function *>(load.getFunction()), copies);
  auto *copy = cast<Instruction>(&*copies.lookup(&load));
  copy->replaceAllUsesWith(&state);
  // At each suspension a phi tells whether it is the beginning of a turn or the end: it has one operand now.
  SimplifyCFGPass().run(*turn, manager);
  InstSimplifyPass().run(*turn, manager);
  SimplifyCFGPass().run(*turn, manager);
  manager.clear(*turn, turn->getName());
  return turn;
}

// False when one does not always follow the other. The turns so far are in the plan.
bool makeTurns(Plan &plan, FunctionAnalysisManager &manager) {
  Function &enter = *plan.coroutine.enter, &resume = *plan.coroutine.resume;
  const FrameStores entering(enter, plan.coroutine.frame_offset);
  if (entering.mayEnd())
    return false;
  LoadInst *load = stateOf(resume);
  if (load == nullptr)
    return FrameStores(resume, 0).ofEnd() != nullptr; // the companion is the only turn
  plan.state = placeInFrame(*load, *resume.getArg(kScratchParameter), 0);
  SmallPtrSet<Constant *, 8> states; // each comes once
  StoreInst *store = entering.ofState(*plan.state);
  while (store != nullptr) {
    auto *state = dyn_cast<ConstantInt>(store->getValueOperand());
    if (state == nullptr || state->getType() != load->getType() || !states.insert(state).second)
      return false;
    Function *turn = plan.turns.emplace_back(companionIn(*load, *state, manager));
    const FrameStores stores(*turn, 0);
    if (!stores.hasState(*plan.state))
      return stores.ofEnd() != nullptr;
    store = stores.mayEnd() ? nullptr : stores.ofState(*plan.state);
  }
  return false;
}

void commit(Plan &plan) {
  Function &enter = *plan.coroutine.enter, &resume = *plan.coroutine.resume;
  FrameStores(enter, plan.coroutine.frame_offset).erase(plan.state);
  const std::string name = resume.getName().str();
  if (plan.turns.empty()) {
    plan.turns.push_back(&resume);
  } else {
    resume.replaceAllUsesWith(ConstantPointerNull::get(resume.getType()));
    resume.eraseFromParent();
  }
  for (const auto &[number, turn] : enumerate(plan.turns)) {
    turn->setName(name + "." + Twine(number));
    FrameStores(*turn, 0).erase(plan.state);
  }
  enter.addFnAttr(kTurns, std::to_string(plan.turns.size()));
}

} // namespace

void splitIntoTurns(ArrayRef<Coroutine> coroutines, FunctionAnalysisManager &manager) {
  SmallVector<Plan, 2> plans;
  bool possible = true;
  for (const Coroutine &coroutine : coroutines) {
    plans.push_back({coroutine, std::nullopt, {}});
    possible = possible && makeTurns(plans.back(), manager);
  }
  possible = possible && all_equal(map_range(plans, [](const Plan &plan) { return plan.turns.size(); }));
  for (Plan &plan : plans)
    if (possible)
      commit(plan);
    else
      for (Function *turn : plan.turns)
        turn->eraseFromParent();
}

SmallVector<Function *, 8> turnsOf(const Function &enter) {
  SmallVector<Function *, 8> result;
  const uint64_t count = enter.getFnAttributeAsParsedInteger(kTurns);
  for (uint64_t number = 0; number < count; ++number)
    result.push_back(enter.getParent()->getFunction((enter.getName() + ".resume." + Twine(number)).str()));
  return result;
}

} // namespace lanecl::vectorizer
