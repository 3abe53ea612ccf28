// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/check_accesses.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "analysis/shapes/uniformity.h"
#include "check/check_calls.h"
#include "check/memory/accesses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

#include <cassert>

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
    bool goes_by_first; // for blocks: the pointer of the first lane counts for all lanes
  };

  void check(const Checked &checked);

private:
  // The start and the size of a pointer's memory; both i64.
  struct Bounds {
    Value *begin, *bytes;
  };

  static Bounds askedBounds(IRBuilderBase &b, Value *pointer, bool of_writes);
  Bounds boundsOf(Value *object, bool of_writes);
  void checkAlignment(const Access &access);

  Function &function;
  MapVector<PointerIntPair<Value *, 1, bool>, Bounds>
      // The bounds found so far, by object and by whether they are for writes.
      bounds;
};

// Whether the pointer is one of the program's. What launches keep for themselves is in no address space.
bool isChecked(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == kGlobal || space == kConstant || space == kLocal || space == kGeneric;
}

// Whether every component of `vector` that is in the result has the same place in it. The other components may come
// from elsewhere.
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

// Whether a load is only part of writing a component of a vector. For `v.x = 1` the compiler reads all components, sets
// one and writes all of them back; the program itself reads nothing.
bool isPartOfWrite(const Instruction &access) {
  const auto *load = dyn_cast<LoadInst>(&access);
  if (!load || !load->getType()->isVectorTy() || load->use_empty())
    return false;
  // The vectors that hold the components that were read, except for those that were set since then.
  SmallVector<const Instruction *, 4> values{load};
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

// Returns the alignment that the access promises; 1 if it promises none.
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

// Returns the bounds of an object, computed where the object is: for an argument they are computed once for all
// work-groups of a call.
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
  } else if (const std::optional<ArgumentMemory> passed = argumentMemory(*object)) {
    const Bounds found = askedBounds(b, b.CreateIntToPtr(passed->begin, b.getPtrTy()), of_writes);
    Value *is_known = b.CreateIsNotNull(passed->bytes);
    made = {b.CreateSelect(is_known, passed->begin, found.begin), b.CreateSelect(is_known, passed->bytes, found.bytes)};
  } else {
    made = askedBounds(b, object, of_writes);
  }
  bounds.insert({{object, of_writes}, made});
  return made;
}

// Most pointers are known to be aligned: the host passes aligned buffers, and the steps to their elements are multiples
// of the alignment. Only other accesses are tested.
void AccessChecks::checkAlignment(const Access &access) {
  const uint64_t align = alignOf(*access.instruction);
  assert(isPowerOf2_64(align) && "the low bits of an address are tested");
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
  const std::optional<ArgumentMemory> passed = argumentMemory(*checked.object);
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

// Whether the bounds have to be asked for at run time. Global variables are not: their size is in the module, and
// check-objects has checked them.
bool isFoundAtRunTime(const Value &object) {
  return !isa<Constant>(object) || isa<ConstantPointerNull>(object);
}

} // namespace

PreservedAnalyses CheckAccessesPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  // Finds the objects of all accesses first: each check splits a block, and LoopInfo does not know the new blocks.
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
