// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/variables.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/debug/debug_types.h"
#include "debug/assignments.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Whether all uses of the pointer are loads, stores, copies and steps to members, so that stores can be repeated for a
// twin.
bool canMirror(const Value &pointer) {
  return all_of(pointer.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (const auto *load = dyn_cast<LoadInst>(user))
      return load->isSimple();
    if (const auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() && store->isSimple();
    if (isa<GetElementPtrInst>(user))
      return canMirror(*user);
    if (const auto *copy = dyn_cast<MemIntrinsic>(user))
      return !copy->isVolatile();
    const auto *call = dyn_cast<IntrinsicInst>(user);
    return call && call->isLifetimeStartOrEnd();
  });
}

// Repeats every store through `pointer` for `twin`.
void mirror(Value &pointer, Value &twin) {
  for (Use &use : make_early_inc_range(pointer.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    const bool writes = isa<StoreInst>(user) || (isa<MemIntrinsic>(user) && use.getOperandNo() == 0);
    if (!writes && !isa<GetElementPtrInst>(user))
      continue;
    Instruction *copy = user->clone();
    copy->insertAfter(user->getIterator());
    copy->setOperand(use.getOperandNo(), &twin);
    if (writes)
      continue;
    mirror(*user, *copy);
    if (copy->use_empty())
      copy->eraseFromParent();
  }
}

// Lets a variable that debuggers see live as long as its function.
void eraseLifetimes(AllocaInst &variable) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
      call->eraseFromParent();
}

class VariableKeeper {
public:
  VariableKeeper(Function &function, bool optimize) : function(function), optimize(optimize) {}
  bool run();

private:
  void keepDeclared(ArrayRef<DbgVariableRecord *> records);
  void keepAssigned(ArrayRef<DbgVariableRecord *> records);
  Value *placeOf(Value &address);
  AllocaInst *makeTwin(AllocaInst &variable);
  void mark(Value &place, const DbgVariableRecord &record, DIExpression &expression);

  Function &function;
  const bool optimize;
  DenseMap<Value *, Value *> places;
};

AllocaInst *VariableKeeper::makeTwin(AllocaInst &variable) {
  IRBuilder<> builder(variable.getParent(), std::next(variable.getIterator()));
  AllocaInst *twin = builder.CreateAlloca(variable.getAllocatedType(), variable.getAddressSpace(),
                                          variable.getArraySize(), variable.getName() + ".twin");
  twin->setAlignment(variable.getAlign());
  mirror(variable, *twin);
  return twin;
}

// Returns where the variable at this address can be seen. All records that name the address share the result.
Value *VariableKeeper::placeOf(Value &address) {
  Value *&place = places[&address];
  if (place)
    return place;
  place = &address;
  auto *variable = dyn_cast<AllocaInst>(&address);
  if (variable && optimize && canMirror(*variable))
    place = makeTwin(*variable);
  else if (variable)
    eraseLifetimes(*variable);
  return place;
}

// Creates the marker of a variable at the function's entry, from which `widen` makes its description.
void VariableKeeper::mark(Value &place, const DbgVariableRecord &record, DIExpression &expression) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(record.getDebugLoc());
  createVariable(builder, &place, MDNode::get(function.getContext(), {record.getVariable(), &expression}));
}

void VariableKeeper::keepDeclared(ArrayRef<DbgVariableRecord *> records) {
  for (const DbgVariableRecord *record : records)
    if (Value *address = record->getAddress(); address && isa<AllocaInst, Argument>(address))
      mark(*placeOf(*address), *record, *withoutAddressSpace(record->getExpression()));
}

// Keeps variables without memory. A variable that was optimized away in some places is not shown at all, because
// debuggers would show an old value there.
void VariableKeeper::keepAssigned(ArrayRef<DbgVariableRecord *> records) {
  MapVector<DebugVariableAggregate, Assignments> variables;
  for (DbgVariableRecord *record : records)
    variables[DebugVariableAggregate(record)].push_back(record);
  for (const auto &[variable, assignments] : variables)
    if (areComplete(assignments))
      mark(*makeMemory(function, assignments), *assignments.front(), *DIExpression::get(function.getContext(), {}));
}

bool VariableKeeper::run() {
  SmallVector<DbgVariableRecord *> declared, assigned;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      (record.isDbgDeclare() ? declared : assigned).push_back(&record);
  keepDeclared(declared);
  keepAssigned(assigned);
  for (DbgVariableRecord *record : concat<DbgVariableRecord *>(declared, assigned))
    record->eraseFromParent();
  return !declared.empty() || !assigned.empty();
}

} // namespace

PreservedAnalyses DebugVariablesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.debug || !function.getSubprogram())
    return PreservedAnalyses::all();
  return preservedWithCfg(VariableKeeper(function, context.optimize).run());
}

} // namespace lanecl::vectorizer
