// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/turns.h"

#include "kernel/launch/launch_abi.h"
#include "work_group/frame_scope.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr const char *kTurns = "lanecl.turns";
// With more the loops over sub-groups from barrier to barrier are so many that LLVM takes the square of their number.
constexpr unsigned kMostTurns = 256;
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

// A block of nothing but a phi of constants and a branch that asks it.
struct Landing {
  PHINode *phi;
  Instruction *branch;
  ICmpInst *compared; // what the branch asks; null for a switch, which asks the phi
  const APInt *limit = nullptr;

  bool isPossible() const {
    return phi != nullptr && phi->hasOneUse() && (compared == nullptr || compared->hasOneUse()) &&
           phi->getNextNode() == (compared ? compared : branch) &&
           all_of(phi->incoming_values(), [](const Use &value) { return isa<ConstantInt>(value); });
  }
  BasicBlock *nextOf(const ConstantInt &value) const {
    if (auto *choice = dyn_cast<SwitchInst>(branch))
      return choice->findCaseValue(&value)->getCaseSuccessor();
    return branch->getSuccessor(ICmpInst::compare(value.getValue(), *limit, compared->getPredicate()) ? 0 : 1);
  }
};

std::optional<Landing> landingIn(BasicBlock &block) {
  Landing landing{dyn_cast<PHINode>(&block.front()), block.getTerminator(), nullptr};
  if (auto *branch = dyn_cast<BranchInst>(landing.branch)) {
    if (branch->isUnconditional() ||
        !match(branch->getCondition(), m_ICmp(m_Specific(landing.phi), m_APInt(landing.limit))))
      return std::nullopt;
    landing.compared = cast<ICmpInst>(branch->getCondition());
  } else if (auto *choice = dyn_cast<SwitchInst>(landing.branch); !choice || choice->getCondition() != landing.phi) {
    return std::nullopt;
  }
  return landing.isPossible() ? std::optional(landing) : std::nullopt;
}

// At each suspension a phi tells whether it is the beginning of a turn or the end, and a branch asks it. Lets each
// block before the phi go where the branch leads, so that what follows a suspension is reached from the companion's
// beginning only.
void separateTurns(Function &resume, FunctionAnalysisManager &manager) {
  SimplifyCFGPass().run(resume, manager);
  for (BasicBlock &block : resume) {
    const std::optional<Landing> landing = landingIn(block);
    if (!landing)
      continue;
    for (BasicBlock *before : SmallVector<BasicBlock *>(predecessors(&block))) {
      if (landing->phi->getBasicBlockIndex(before) < 0) // it comes from there twice
        continue;
      BasicBlock *next = landing->nextOf(*cast<ConstantInt>(landing->phi->getIncomingValueForBlock(before)));
      before->getTerminator()->replaceSuccessorWith(&block, next);
      for (PHINode &merged : next->phis())
        merged.addIncoming(merged.getIncomingValueForBlock(&block), before);
      landing->phi->removeIncomingValue(before, /*DeletePHIIfEmpty=*/false);
    }
  }
  removeUnreachableBlocks(resume);
  manager.clear(resume, resume.getName());
}

// Functions cannot share a subprogram.
void giveOwnSubprogram(Function &copy, DISubprogram *of) {
  if (of == nullptr)
    return;
  DISubprogram *own = MDNode::replaceWithDistinct(of->clone());
  copy.setSubprogram(own);
  ValueToValueMapTy values;
  values.MD()[of].reset(own);
  const MetadataPredicate stays = [&](const Metadata *node) {
    return isa<DINode>(node) && node != of && !isa<DILexicalBlockBase>(node);
  };
  for (Instruction &instruction : instructions(copy))
    RemapInstruction(&instruction, values, RF_IgnoreMissingLocals, nullptr, nullptr, &stays);
}

// The companion of sub-groups that wait in this state. Copies no more than runs then, since there are as many turns as
// barriers.
Function *companionIn(LoadInst &load, Constant &state, FunctionAnalysisManager &manager) {
  Function &resume = *load.getFunction();
  Function *turn =
      Function::Create(resume.getFunctionType(), resume.getLinkage(), resume.getName(), resume.getParent());
  turn->copyAttributesFrom(&resume);
  ValueToValueMapTy copies;
  for (auto [from, to] : zip(resume.args(), turn->args()))
    copies[&from] = &to;
  SmallVector<Use *, 2> uses(make_pointer_range(load.uses()));
  for (Use *use : uses)
    use->set(&state);
  SmallVector<ReturnInst *, 2> returns;
  CloneAndPruneFunctionInto(turn, &resume, copies, /*ModuleLevelChanges=*/false, returns);
  for (Use *use : uses)
    use->set(&load);
  giveOwnSubprogram(*turn, resume.getSubprogram());
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
  if (load->getType()->getIntegerBitWidth() > Log2_32(kMostTurns))
    return false;
  plan.state = placeInFrame(*load, *resume.getArg(kScratchParameter), 0);
  separateTurns(resume, manager);
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
