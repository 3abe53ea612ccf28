// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/check_objects.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "check/memory/accesses.h"
#include "check/memory/argument_memory.h"
#include "check/memory/known_memory.h"
#include "check/memory/known_spaces.h"
#include "defined/replace_undef.h"
#include "vectorizer/check.h"
#include "vectorizer/contract/variable_metadata.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckMemory;
using abi::CheckRule;

// Checks the accesses of one function against memory whose size LLVM knows. The checks compute with offsets instead of
// addresses, because a variable whose address is taken could not become an SSA value any more.
class ObjectChecks {
public:
  explicit ObjectChecks(Function &function) : function(function), layout(function.getDataLayout()) {}

  void checkAll(unsigned width) {
    const SmallVector<Access> accesses = findAccesses(function, width);
    for (const Access &access : reverse(accesses))
      check(access);
  }

private:
  void check(const Access &access);

  // The offset of a pointer from the start of its memory, and the memory's size; both i64. For unknown memory both are
  // so large that no steps in either direction lead outside: the pointer is in the middle of a huge object.
  struct Place {
    Value *offset, *bytes;
  };
  static constexpr uint64_t kInMidst = uint64_t(1) << 62, kFar = uint64_t(1) << 63;

  bool isWithin(const Access &access) const;
  Place placeOf(Value *pointer);
  Place known(uint64_t bytes) { return {number(0), number(bytes)}; }
  Place passed(Value &mark, const ArgumentMemory &memory);
  bool isChecked(const Value &object) const;
  Place merge(PHINode &phi);
  Place choose(SelectInst &select);
  Place step(Value *pointer, GEPOperator &gep);
  ConstantInt *number(uint64_t value) const { return ConstantInt::get(Type::getInt64Ty(function.getContext()), value); }

  Function &function;
  const DataLayout &layout;
  DenseMap<Value *, Place> places;
};

// Whether an access is known to be within its variable, as most are.
bool ObjectChecks::isWithin(const Access &access) const {
  const auto *bytes = dyn_cast<ConstantInt>(access.bytes);
  if (!bytes)
    return false;
  APInt offset(layout.getIndexTypeSizeInBits(access.pointer->getType()), 0);
  const Value *object = access.pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const std::optional<NamedMemory> memory = knownMemory(*object, layout);
  return memory && bytes->getZExtValue() <= memory->bytes && offset.ule(memory->bytes - bytes->getZExtValue());
}

ObjectChecks::Place ObjectChecks::merge(PHINode &phi) {
  IRBuilder<> b(&phi);
  PHINode *offset = b.CreatePHI(b.getInt64Ty(), phi.getNumIncomingValues());
  PHINode *bytes = b.CreatePHI(b.getInt64Ty(), phi.getNumIncomingValues());
  const Place merged{offset, bytes};
  places.insert({&phi, merged}); // a phi of a loop refers to itself through its operands
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Place incoming = placeOf(phi.getIncomingValue(i));
    offset->addIncoming(incoming.offset, phi.getIncomingBlock(i));
    bytes->addIncoming(incoming.bytes, phi.getIncomingBlock(i));
  }
  return merged;
}

ObjectChecks::Place ObjectChecks::choose(SelectInst &select) {
  const Place yes = placeOf(select.getTrueValue()), no = placeOf(select.getFalseValue());
  IRBuilder<> b(&select);
  return {b.CreateSelect(select.getCondition(), yes.offset, no.offset),
          b.CreateSelect(select.getCondition(), yes.bytes, no.bytes)};
}

ObjectChecks::Place ObjectChecks::step(Value *pointer, GEPOperator &gep) {
  const Place base = placeOf(gep.getPointerOperand());
  auto *instruction = dyn_cast<Instruction>(pointer);
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> b(instruction ? instruction->getParent() : &entry,
                instruction ? instruction->getIterator() : entry.getFirstNonPHIOrDbgOrAlloca());
  // Computes the offset without the promises of the gep (inbounds, no overflow), because they are just what is checked.
  Value *steps = emitGEPOffset(&b, layout, &gep, /*NoAssumptions=*/true);
  return {b.CreateAdd(base.offset, b.CreateSExtOrTrunc(steps, b.getInt64Ty())), base.bytes};
}

// Returns the place of a pointer that was passed to a kept function. If its memory has no known size, check-accesses
// asks for the size at run time, so the pointer is treated as unknown here.
ObjectChecks::Place ObjectChecks::passed(Value &mark, const ArgumentMemory &memory) {
  auto &call = cast<CallInst>(mark);
  IRBuilder<> b(call.getNextNode());
  Value *offset = b.CreateSub(b.CreatePtrToInt(&mark, b.getInt64Ty()), memory.begin);
  Value *is_known = b.CreateIsNotNull(memory.bytes);
  return {b.CreateSelect(is_known, offset, number(kInMidst)), b.CreateSelect(is_known, memory.bytes, number(kFar))};
}

ObjectChecks::Place ObjectChecks::placeOf(Value *pointer) {
  if (const auto found = places.find(pointer); found != places.end())
    return found->second;
  Place place{number(kInMidst), number(kFar)};
  if (const std::optional<NamedMemory> memory = knownMemory(*pointer, layout))
    place = known(memory->bytes);
  else if (const std::optional<ArgumentMemory> memory = argumentMemory(*pointer))
    place = passed(*pointer, *memory);
  else if (auto *phi = dyn_cast<PHINode>(pointer))
    return merge(*phi);
  else if (auto *select = dyn_cast<SelectInst>(pointer); select && !select->getType()->isVectorTy())
    place = choose(*select);
  else if (auto *gep = dyn_cast<GEPOperator>(pointer); gep && !gep->getType()->isVectorTy())
    place = step(pointer, *gep);
  else if (isa<BitCastOperator, AddrSpaceCastOperator>(pointer))
    place = placeOf(cast<Operator>(pointer)->getOperand(0));
  places.insert({pointer, place});
  return place;
}

// Whether this pass checks accesses of the object. check-accesses checks other memory that was passed.
bool ObjectChecks::isChecked(const Value &object) const {
  return knownMemory(object, layout) ||
         (object.getType()->getPointerAddressSpace() == kPrivate && argumentMemory(object));
}

void ObjectChecks::check(const Access &access) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(access.pointer, objects, nullptr, /*MaxLookup=*/0);
  if (none_of(objects, [&](const Value *object) { return isChecked(*object); }) || isWithin(access))
    return;
  const Place place = placeOf(access.pointer);
  IRBuilder<> b(access.instruction);
  Value *outside = createIsOutside(b, access, place.offset, place.bytes);
  const std::optional<NamedMemory> memory =
      objects.size() == 1 ? knownMemory(*objects[0], layout) : std::optional<NamedMemory>();
  const std::optional<ArgumentMemory> passed =
      objects.size() == 1 ? argumentMemory(*objects[0]) : std::optional<ArgumentMemory>();
  if (const auto *holds = dyn_cast<ConstantInt>(outside); holds && holds->isZero())
    return;
  reportIf(outside, *access.instruction, access.writes ? CheckRule::WriteOutOfBounds : CheckRule::ReadOutOfBounds,
           access.writes ? "write" : "read", place.offset, access.bytes,
           memory.value_or(NamedMemory{CheckMemory::PrivateVariable, "", 0}), {}, passed ? passed->object : nullptr);
}

bool usedIn(const GlobalVariable &variable, const Function &function) {
  return any_of(variable.users(), [&](const User *user) {
    const auto *instruction = dyn_cast<Instruction>(user);
    return instruction && instruction->getFunction() == &function;
  });
}

// Returns the memory of a variable that the launch places: a program scope variable, or one in local memory.
std::optional<NamedMemory> placedMemory(const GlobalVariable &variable, const DataLayout &layout) {
  const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
  if (bytes == 0)
    return std::nullopt;
  if (variable.getName().starts_with("__lanecl")) // the built-in library's own variable
    return NamedMemory{CheckMemory::Unknown, "", bytes};
  if (variable.hasMetadata(kVariableOffset))
    return NamedMemory{CheckMemory::ProgramVariable, nameInSource(variable.getName(), variable.hasLocalLinkage()),
                       bytes};
  if (variable.getAddressSpace() == kLocal)
    return NamedMemory{CheckMemory::LocalVariable, nameInSource(variable.getName(), true), bytes};
  return std::nullopt;
}

// Replaces the uses of the object in this function by a marked copy.
void markUses(Function &function, Value &object, const NamedMemory &memory) {
  IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *mark = createMark(b, &object, memory);
  object.replaceUsesWithIf(mark, [&](const Use &use) {
    const auto *instruction = dyn_cast<Instruction>(use.getUser());
    return instruction && instruction != mark && instruction->getFunction() == &function;
  });
}

void markObjects(Function &function) {
  Module &module = *function.getParent();
  const DataLayout &layout = module.getDataLayout();
  SmallVector<std::pair<GlobalVariable *, NamedMemory>> variables;
  SmallVector<Constant *> constants;
  for (GlobalVariable &variable : module.globals())
    if (const std::optional<NamedMemory> memory = placedMemory(variable, layout)) {
      variables.emplace_back(&variable, *memory);
      constants.push_back(&variable);
    }
  convertUsersOfConstantsToInstructions(constants);
  for (const auto &[variable, memory] : variables)
    if (usedIn(*variable, function))
      markUses(function, *variable, memory);
  if (isKept(function)) // a kept function's callers pass the memory of its pointers
    return;
  for (Argument &argument : function.args())
    if (auto *pointer = dyn_cast<PointerType>(argument.getType()); pointer && pointer->getAddressSpace() == kLocal)
      markUses(function, argument, {CheckMemory::LocalArgument, argument.getName().str(), 0});
}

} // namespace

// Makes SSA values of variables whose address is not used otherwise.
static void promote(Function &function, FunctionAnalysisManager &functions) {
  PromotePass().run(function, functions);
  ReplaceUndefPass().run(function, functions);
}

SmallVector<Function *> CheckObjectsPass::checkedFunctions(Module &module) const {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (context.kernel.empty() || function.getName() == context.kernel || isKept(function)))
      functions.push_back(&function);
  return functions;
}

PreservedAnalyses CheckObjectsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  const bool has_kept = any_of(module, isKept);
  // Promotes variables first, so that pointers are SSA values and not themselves in variables. mem2reg removes only
  // accesses at a variable's own address, so no faulty access is lost.
  if (context.optimize || has_kept)
    for (Function *function : checkedFunctions(module))
      promote(*function, functions);
  if (has_kept) {
    specializeSpaces(module, functions);
    addMemoryParameters(module, functions);
  }
  for (Function *function : checkedFunctions(module)) {
    if (!context.checks || context.checks->memory) // null: only in tests of the pass
      ObjectChecks(*function).checkAll(context.launch.width);
    markObjects(*function);
    passMemory(*function);
    functions.invalidate(*function, PreservedAnalyses::none());
  }
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
