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

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// The attribute of a function that enters a coroutine: the number of its turns.
constexpr const char *kTurns = "lanecl.turns";
// If there are more turns than this, a coroutine is not split. The work-group function has a loop over the sub-groups
// for each turn, and LLVM's passes take quadratic time for so many loops.
constexpr unsigned kMostTurns = 256;
// The bytes at the start of a frame that hold the pointers of the functions that resume and destroy the coroutine.
constexpr uint64_t kFunctions = 2 * sizeof(void *);

// The stores to the frame that splitting added for its own purposes, in one of a coroutine's functions.
class FrameStores {
public:
  FrameStores(Function &function, uint64_t frame_offset) : function(function), frame_offset(frame_offset) {}

  // ofState() returns the store of the state, ofEnd() the store of null in place of the resuming function, which marks
  // the end. Both return null if there are several such stores, or if some way through the function passes none.
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
  // Erases the stores of the functions' pointers and of the state at `place`.
  void erase(std::optional<uint64_t> place) const;

private:
  SmallVector<StoreInst *, 4> stores(uint64_t place) const;
  StoreInst *theOne(ArrayRef<StoreInst *> stores) const;

  Function &function;
  const uint64_t frame_offset;
};

// Returns the stores to a place in the frame.
SmallVector<StoreInst *, 4> FrameStores::stores(uint64_t place) const {
  SmallVector<StoreInst *, 4> result;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (placeInFrame(*store, *function.getArg(kScratchParameter), frame_offset) == place)
        result.push_back(store);
  return result;
}

// Returns the store if there is only one and every way to a return passes it.
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

// Returns the load by which the companion reads the state, that is, where the sub-group waits; null if there is only
// one place to wait.
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

// A coroutine's turns, before it is decided whether they replace the companion.
struct Plan {
  Coroutine coroutine;
  std::optional<uint64_t> state; // where the frame holds the state
  SmallVector<Function *, 8> turns;
};

// A block that contains only a phi of constants and a branch on that phi.
struct Landing {
  PHINode *phi;
  Instruction *branch;
  ICmpInst *compared; // the branch's condition; null for a switch, which tests the phi itself
  const APInt *limit = nullptr;

  bool isPossible() const {
    return phi != nullptr && phi->hasOneUse() && (compared == nullptr || compared->hasOneUse()) &&
           phi->getNextNode() == (compared ? compared : branch) &&
           all_of(phi->incoming_values(), [](const Use &value) { return isa<ConstantInt>(value); });
  }
  // Returns where the branch leads if the phi has this value.
  BasicBlock *nextOf(const ConstantInt &value) const {
    if (auto *choice = dyn_cast<SwitchInst>(branch))
      return choice->findCaseValue(&value)->getCaseSuccessor();
    assert(limit != nullptr && limit->getBitWidth() == value.getBitWidth() && "landingIn() has matched the comparison");
    return branch->getSuccessor(ICmpInst::compare(value.getValue(), *limit, compared->getPredicate()) ? 0 : 1);
  }
};

// Returns the description of the block; nothing if it is not of this form.
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

// Splitting leaves a phi at each suspension that tells whether a turn starts or ends there, and a branch on it.
// Redirects each predecessor of the phi to where the branch would lead, so that the code after a suspension is
// reachable only from the companion's start.
void separateTurns(Function &resume, FunctionAnalysisManager &manager) {
  SimplifyCFGPass().run(resume, manager);
  for (BasicBlock &block : resume) {
    const std::optional<Landing> landing = landingIn(block);
    if (!landing)
      continue;
    for (BasicBlock *before : SmallVector<BasicBlock *>(predecessors(&block))) {
      // A switch may lead from that block to this one twice. Then the first visit has redirected both edges.
      if (landing->phi->getBasicBlockIndex(before) < 0)
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

// Gives the copy a subprogram of its own, because functions cannot share one.
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

// Returns a copy of the companion for sub-groups that wait in this state. Only the code that runs in this state is
// copied, because there are as many turns as barriers.
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

// Makes the turns of a coroutine and adds them to the plan. Returns false if one turn is not always followed by the
// same other one; the turns made until then are in the plan.
bool makeTurns(Plan &plan, FunctionAnalysisManager &manager) {
  assert(plan.turns.empty() && !plan.state && "a coroutine is planned once");
  Function &enter = *plan.coroutine.enter, &resume = *plan.coroutine.resume;
  // The function that enters a sub-group must always leave it suspended.
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
  SmallPtrSet<Constant *, 8> states; // each state may come once only
  StoreInst *store = entering.ofState(*plan.state);
  // Each turn stores the state of the next one, and the last turn ends the coroutine. Follows this sequence of states.
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

// Replaces the companion by the turns and erases the stores that are not needed any more.
void commit(Plan &plan) {
  Function &enter = *plan.coroutine.enter, &resume = *plan.coroutine.resume;
  // The turns are called by name now, so the states and the pointers of functions are never read.
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

// Either all coroutines are split or none: first makes all turns, and then replaces the companions if all have the same
// number of turns. Otherwise erases the turns again.
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
  assert(!is_contained(result, nullptr) && "commit() has named all turns");
  return result;
}

} // namespace lanecl::vectorizer
