// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_accesses.h"

#include "analysis/lane_target.h"
#include "analysis/primitives.h"
#include "analysis/uniformity.h"
#include "check/accesses.h"
#include "check/check_calls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

class AccessChecks {
public:
  explicit AccessChecks(Function &function) : function(function) {}

  struct Checked {
    Access access;
    Value *object;
    bool goes_by_first; // lane, whatever the pointers of the others are
  };

  void check(const Checked &checked);

private:
  // Where the memory of a pointer begins and how long it is; both i64.
  struct Bounds {
    Value *begin, *bytes;
  };

  static Bounds askedBounds(IRBuilderBase &b, Value *pointer, bool of_writes);
  Bounds boundsOf(Value *object, bool of_writes);
  void checkAlignment(const Access &access);

  Function &function;
  MapVector<PointerIntPair<Value *, 1, bool>, Bounds>
      bounds; // by the object that a pointer is computed from, of writes
};

// The memory that a program sees, but not what launches keep there of themselves: that is in no address space.
bool isChecked(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == kGlobal || space == kConstant || space == kLocal || space == kGeneric;
}

// Whether the components of `vector` that are in the result stay where they are, beside others.
bool keepsPlaces(const User &user, const Value &vector) {
  if (isa<InsertElementInst>(user))
    return user.getOperand(0) == &vector;
  const auto *shuffle = dyn_cast<ShuffleVectorInst>(&user);
  if (!shuffle || shuffle->getType() != vector.getType() || shuffle->getOperand(0) == shuffle->getOperand(1))
    return false;
  const ArrayRef<int> from = shuffle->getShuffleMask();
  const int count = static_cast<int>(from.size()), first = shuffle->getOperand(0) == &vector ? 0 : count;
  return all_of(seq(count), [&](int i) { return from[i] < first || from[i] >= first + count || from[i] == first + i; });
}

// To write one component of a vector the compiler reads all of them and writes them back: the program does not read.
bool isPartOfWrite(const Instruction &access) {
  const auto *load = dyn_cast<LoadInst>(&access);
  if (!load || !load->getType()->isVectorTy() || load->use_empty())
    return false;
  SmallVector<const Instruction *, 4> values{load}; // of which the components that nobody sets are what was read
  while (!values.empty()) {
    const Instruction *value = values.pop_back_val();
    for (const User *user : value->users()) {
      const auto *store = dyn_cast<StoreInst>(user);
      if (keepsPlaces(*user, *value))
        values.push_back(cast<Instruction>(user));
      else if (!store || store->getPointerOperand() != load->getPointerOperand() || store->getValueOperand() != value)
        return false;
    }
  }
  return true;
}

// What the program has promised; 1: nothing.
uint64_t alignOf(const Instruction &access) {
  if (isa<LoadInst, StoreInst>(access))
    return getLoadStoreAlignment(&access).value();
  if (const auto *update = dyn_cast<AtomicRMWInst>(&access))
    return update->getAlign().value();
  const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access);
  return exchange ? exchange->getAlign().value() : 1;
}

AccessChecks::Bounds AccessChecks::askedBounds(IRBuilderBase &b, Value *pointer, bool of_writes) {
  Value *begin = createMemoryBegin(b, pointer);
  return {begin, b.CreateSub(createMemoryEnd(b, pointer, of_writes), begin)};
}

// Computed where the pointer is: of an argument once for all work-groups of a row.
AccessChecks::Bounds AccessChecks::boundsOf(Value *object, bool of_writes) {
  if (const auto known = bounds.find({object, of_writes}); known != bounds.end())
    return known->second;
  BasicBlock::iterator place = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto *instruction = dyn_cast<Instruction>(object))
    place = *instruction->getInsertionPointAfterDef();
  IRBuilder<> b(place->getParent(), place);
  Bounds made;
  if (const std::optional<NamedMemory> mark = marked(*object); mark && mark->bytes != 0) {
    made = {b.CreatePtrToInt(object, b.getInt64Ty()), b.getInt64(mark->bytes)};
  } else if (const std::optional<PassedMemory> passed = passedMemory(*object)) {
    const Bounds found = askedBounds(b, b.CreateIntToPtr(passed->begin, b.getPtrTy()), of_writes);
    Value *is_known = b.CreateIsNotNull(passed->bytes);
    made = {b.CreateSelect(is_known, passed->begin, found.begin), b.CreateSelect(is_known, passed->bytes, found.bytes)};
  } else {
    made = askedBounds(b, object, of_writes);
  }
  bounds.insert({{object, of_writes}, made});
  return made;
}

// Of most pointers it is known: the host hands over aligned ones, and so do their elements lie.
void AccessChecks::checkAlignment(const Access &access) {
  const uint64_t align = alignOf(*access.instruction);
  const KnownBits known = computeKnownBits(access.pointer, function.getDataLayout());
  if (known.countMinTrailingZeros() >= Log2_64(align))
    return;
  IRBuilder<> b(access.instruction);
  Value *address = b.CreatePtrToInt(access.pointer, b.getInt64Ty());
  reportIf(b.CreateIsNotNull(b.CreateAnd(address, align - 1)), *access.instruction, CheckRule::Misaligned,
           access.writes ? "write" : "read", address, b.getInt64(align));
}

void AccessChecks::check(const Checked &checked) {
  const Access &access = checked.access;
  checkAlignment(access);
  const Bounds memory = boundsOf(checked.object, access.writes);
  const std::optional<NamedMemory> mark = marked(*checked.object);
  const bool has_name = mark && mark->kind != abi::CheckMemory::Unknown;
  IRBuilder<> b(access.instruction);
  Value *address = b.CreatePtrToInt(access.pointer, b.getInt64Ty());
  if (checked.goes_by_first)
    address = createFirstLanes(b, address);
  Value *offset = b.CreateSub(address, memory.begin);
  Value *outside = createIsOutside(b, access, offset, memory.bytes);
  const std::optional<PassedMemory> passed = passedMemory(*checked.object);
  Value *place = has_name ? offset
                 : passed ? b.CreateSelect(b.CreateIsNotNull(passed->object), offset, address)
                          : address;
  reportIf(outside, *access.instruction, access.writes ? CheckRule::WriteOutOfBounds : CheckRule::ReadOutOfBounds,
           access.writes ? "write" : "read", place, access.bytes, mark.value_or(NamedMemory()), {},
           passed ? passed->object : nullptr);
}

bool isBlock(const Instruction &access) {
  return isPrimitive(access, Primitive::BlockRead) || isPrimitive(access, Primitive::BlockWrite);
}

// Whether it is found at run time which memory it is, if any. Variables of the program have their size in the module.
bool isFoundAtRunTime(const Value &object) {
  return !isa<Constant>(object) || isa<ConstantPointerNull>(object);
}

} // namespace

PreservedAnalyses CheckAccessesPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  // All objects before the first check splits a block, of which the loops know nothing.
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  SmallVector<AccessChecks::Checked> accesses;
  for (const Access &access : findAccesses(function, context.launch.width))
    if (Value *object = objectOf(access.pointer, loops); isChecked(*access.pointer) && isChecked(*object) &&
                                                         isFoundAtRunTime(*object) &&
                                                         !isPartOfWrite(*access.instruction))
      accesses.push_back({access, object,
                          isBlock(*access.instruction) &&
                              !isUniform(manager.getResult<UniformityInfoAnalysis>(function), *access.pointer)});
  AccessChecks checks(function);
  for (const AccessChecks::Checked &checked : reverse(accesses))
    checks.check(checked);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
