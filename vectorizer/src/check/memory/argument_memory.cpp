// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/argument_memory.h"

#include "analysis/functions/extended_functions.h"
#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "check/memory/known_memory.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// The number of parameters for each pointer: start, size and object.
static constexpr unsigned kPerPointer = 3;
// The size of memory that is not checked: nothing is outside.
static constexpr uint64_t kEndless = ~uint64_t(0);

MemoryOfPointers::MemoryOfPointers(Function &function) : function(function) {}

ConstantInt *MemoryOfPointers::number(uint64_t value) const {
  return ConstantInt::get(Type::getInt64Ty(function.getContext()), value);
}

// Returns the address of a pointer, computed after its definition, and after all variables if it is one.
Value *MemoryOfPointers::addressOf(Value &pointer) {
  BasicBlock::iterator place = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto *instruction = dyn_cast<Instruction>(&pointer)) {
    place = *instruction->getInsertionPointAfterDef();
    while (isa<AllocaInst>(*place))
      ++place;
  }
  IRBuilder<> b(place->getParent(), place);
  b.SetCurrentDebugLocation({});
  return b.CreatePtrToInt(&pointer, b.getInt64Ty());
}

// Describes memory whose bounds are found at run time, by an address in it.
ArgumentMemory MemoryOfPointers::asked(Value &pointer) {
  return {addressOf(pointer), number(0), number(0)};
}

// Returns the memory of an object, by the same rules as the checks of an inlined function: private memory is checked
// only if LLVM knows it.
ArgumentMemory MemoryOfPointers::ofObject(Value &object) {
  Module &module = *function.getParent();
  if (const std::optional<ArgumentMemory> passed = argumentMemory(object))
    return *passed;
  std::optional<NamedMemory> memory = knownMemory(object, module.getDataLayout());
  if (!memory)
    memory = marked(object);
  if (memory)
    return {addressOf(object), number(memory->bytes), createObject(module, *memory)};
  const bool is_unknown = isa<UndefValue>(object) || object.getType()->getPointerAddressSpace() == kPrivate;
  return is_unknown ? ArgumentMemory{number(0), number(kEndless), number(0)} : asked(object);
}

ArgumentMemory MemoryOfPointers::merge(PHINode &phi) {
  IRBuilder<> b(&phi);
  b.SetCurrentDebugLocation({});
  const auto make = [&] { return b.CreatePHI(b.getInt64Ty(), phi.getNumIncomingValues()); };
  PHINode *begin = make(), *bytes = make(), *object = make();
  known[&phi] = {begin, bytes, object}; // a phi of a loop refers to itself through its operands
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const ArgumentMemory incoming = of(phi.getIncomingValue(i));
    begin->addIncoming(incoming.begin, phi.getIncomingBlock(i));
    bytes->addIncoming(incoming.bytes, phi.getIncomingBlock(i));
    object->addIncoming(incoming.object, phi.getIncomingBlock(i));
  }
  return {begin, bytes, object};
}

ArgumentMemory MemoryOfPointers::choose(SelectInst &select) {
  const ArgumentMemory yes = of(select.getTrueValue()), no = of(select.getFalseValue());
  IRBuilder<> b(&select);
  b.SetCurrentDebugLocation({});
  const auto either = [&](Value *a, Value *other) { return b.CreateSelect(select.getCondition(), a, other); };
  return {either(yes.begin, no.begin), either(yes.bytes, no.bytes), either(yes.object, no.object)};
}

ArgumentMemory MemoryOfPointers::of(Value *pointer) {
  if (const auto found = known.find(pointer); found != known.end())
    return found->second;
  ArgumentMemory memory;
  if (auto *phi = dyn_cast<PHINode>(pointer))
    return merge(*phi);
  if (auto *select = dyn_cast<SelectInst>(pointer); select && !select->getCondition()->getType()->isVectorTy())
    memory = choose(*select);
  else if (auto *step = dyn_cast<GEPOperator>(pointer))
    memory = of(step->getPointerOperand());
  else if (isa<BitCastOperator, AddrSpaceCastOperator, FreezeInst>(pointer))
    memory = of(cast<User>(pointer)->getOperand(0));
  else
    memory = ofObject(*pointer);
  known.insert({pointer, memory});
  return memory;
}

static unsigned pointersOf(const FunctionType &type) {
  return static_cast<unsigned>(count_if(type.params(), [](const Type *type) { return type->isPointerTy(); }));
}

// Replaces the pointers among the first `own` parameters by marked copies. The parameters after these describe their
// memory.
static void markPointers(Function &function, unsigned own) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  b.SetCurrentDebugLocation({});
  unsigned next = own;
  for (Argument &pointer : function.args()) {
    if (pointer.getArgNo() >= own || !pointer.getType()->isPointerTy())
      continue;
    const StringRef name = pointer.getName();
    const ArgumentMemory memory{function.getArg(next), function.getArg(next + 1), function.getArg(next + 2)};
    memory.begin->setName(name + ".begin");
    memory.bytes->setName(name + ".bytes");
    memory.object->setName(name + ".object");
    next += kPerPointer;
    Value *mark = createArgumentMark(b, &pointer, memory);
    pointer.replaceUsesWithIf(mark, [&](const Use &use) { return use.getUser() != mark; });
  }
}

static void addParameters(Function &old) {
  Type *i64 = Type::getInt64Ty(old.getContext());
  const unsigned own = static_cast<unsigned>(old.arg_size()), more = pointersOf(*old.getFunctionType()) * kPerPointer;
  Function *extended = extendFunction(old, {.behind = SmallVector<Type *>(more, i64)});
  markPointers(*extended, own);
  const SmallVector<Value *> unknown(more, ConstantInt::get(i64, 0));
  for (User *user : make_early_inc_range(old.users())) {
    auto *call = cast<CallBase>(user);
    call->replaceAllUsesWith(extendCall(*call, *extended, {}, unknown));
    call->eraseFromParent();
  }
  old.eraseFromParent();
}

void addMemoryParameters(Module &module, FunctionAnalysisManager &analyses) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (isKept(function) && pointersOf(*function.getFunctionType()) != 0)
      functions.push_back(&function);
  for (Function *function : functions) {
    analyses.clear(*function, function->getName());
    addParameters(*function);
  }
}

void passMemory(Function &caller) {
  MemoryOfPointers memory(caller);
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(caller))
    if (keptCallee(instruction) != nullptr)
      calls.push_back(cast<CallBase>(&instruction));
  for (CallBase *call : calls) {
    // A function with n own parameters, p of them pointers, has n + 3 p parameters now. The added ones are no pointers,
    // so p is still the number of pointers.
    const unsigned pointers = pointersOf(*call->getFunctionType());
    assert(call->arg_size() >= pointers * (kPerPointer + 1) && "addMemoryParameters() has extended the call");
    unsigned next = static_cast<unsigned>(call->arg_size()) - pointers * kPerPointer;
    for (unsigned i = 0, own = next; i < own; ++i)
      if (call->getArgOperand(i)->getType()->isPointerTy()) {
        const ArgumentMemory passed = memory.of(call->getArgOperand(i));
        call->setArgOperand(next++, passed.begin);
        call->setArgOperand(next++, passed.bytes);
        call->setArgOperand(next++, passed.object);
      }
    assert(next == call->arg_size() && "three arguments for each pointer");
  }
}

} // namespace lanecl::vectorizer
