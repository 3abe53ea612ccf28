// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_accesses.h"

#include "analysis/lane_target.h"
#include "check/accesses.h"
#include "check/check_calls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

class AccessChecks {
public:
  explicit AccessChecks(Function &function) : function(function) {}

  void check(const Access &access, Value *object);

private:
  // Where the memory of a pointer begins and how long it is; both i64.
  struct Bounds {
    Value *begin, *bytes;
  };

  Bounds boundsOf(Value *object);

  Function &function;
  MapVector<Value *, Bounds> bounds; // by the object that a pointer is computed from
};

// The memory that a program sees, but not what launches keep there of themselves: that is in no address space.
bool isChecked(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == kGlobal || space == kConstant || space == kLocal || space == kGeneric;
}

// Computed where the pointer is: of an argument once for all work-groups of a row.
AccessChecks::Bounds AccessChecks::boundsOf(Value *object) {
  if (const auto known = bounds.find(object); known != bounds.end())
    return known->second;
  BasicBlock::iterator place = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto *instruction = dyn_cast<Instruction>(object))
    place = *instruction->getInsertionPointAfterDef();
  IRBuilder<> b(place->getParent(), place);
  Bounds made;
  if (const std::optional<NamedMemory> mark = marked(*object); mark && mark->bytes != 0) {
    made = {b.CreatePtrToInt(object, b.getInt64Ty()), b.getInt64(mark->bytes)};
  } else {
    made.begin = createMemoryBegin(b, object);
    made.bytes = b.CreateSub(createMemoryEnd(b, object), made.begin);
  }
  bounds.insert({object, made});
  return made;
}

void AccessChecks::check(const Access &access, Value *object) {
  const Bounds memory = boundsOf(object);
  const std::optional<NamedMemory> mark = marked(*object);
  const bool has_name = mark && mark->kind != abi::CheckMemory::Unknown;
  IRBuilder<> b(access.instruction);
  Value *address = b.CreatePtrToInt(access.pointer, b.getInt64Ty());
  Value *offset = b.CreateSub(address, memory.begin);
  Value *outside = createIsOutside(b, access, offset, memory.bytes);
  reportIf(outside, *access.instruction, access.writes ? CheckRule::WriteOutOfBounds : CheckRule::ReadOutOfBounds,
           access.writes ? "write" : "read", has_name ? offset : address, access.bytes, mark.value_or(NamedMemory()));
}

} // namespace

PreservedAnalyses CheckAccessesPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  // All objects before the first check splits a block, of which the loops know nothing.
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  SmallVector<std::pair<Access, Value *>> accesses;
  for (const Access &access : findAccesses(function, context.launch.width))
    if (Value *object = objectOf(access.pointer, loops);
        isChecked(*access.pointer) && isChecked(*object) && !isa<Constant>(object))
      accesses.emplace_back(access, object);
  AccessChecks checks(function);
  for (const auto &[access, object] : accesses)
    checks.check(access, object);
  return PreservedAnalyses::none();
}

PreservedAnalyses PlaceReportsPass::run(Function &function, FunctionAnalysisManager &) {
  removeMarks(function);
  placeReports(function);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
