// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/check_initialization.h"

#include "analysis/functions/primitives.h"
#include "check/check_calls.h"
#include "check/memory/accesses.h"
#include "check/values/argument_shadows.h"
#include "check/values/shadow_values.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Where an uninitialized value comes from: the place that the report names, an i64, and the memory.
struct Origin {
  Value *place;
  NamedMemory memory;
  Value *object = nullptr; // ArgumentMemory::object, if the memory was passed to a kept function
};

// Finds the origin of the value that a decision depends on. Only a value that is computed without phis is followed back
// to its read. So the read dominates the decision, and its pointer can be used there.
class Origins {
public:
  Origins(LoopInfo &loops, const UnwrittenValues &unwritten) : loops(loops), unwritten(unwritten) {}

  Origin of(const Decision &decision) const {
    IRBuilder<> b(decision.at);
    b.SetCurrentDebugLocation({});
    if (decision.use == kAtomicUse)
      return ofPointer(b, decision.value);
    const Instruction *source = sourceOf(decision.value);
    if (source)
      return ofPointer(b, source->getOperand(0));
    if (const std::optional<std::string> variable = variableIn(decision.value))
      return {b.getInt64(0), {abi::CheckMemory::PrivateVariable, *variable, 0}};
    return {b.getInt64(0), {}};
  }

private:
  Origin ofPointer(IRBuilderBase &b, Value *pointer) const {
    Value *object = objectOf(pointer, loops);
    if (const auto *variable = dyn_cast<AllocaInst>(object))
      return {b.getInt64(0), {abi::CheckMemory::PrivateVariable, variable->getName().split('.').first.str(), 0}};
    Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
    if (const std::optional<ArgumentMemory> passed = argumentMemory(*object)) {
      Value *offset = b.CreateSub(address, passed->begin);
      return {b.CreateSelect(b.CreateIsNotNull(passed->object), offset, address), {}, passed->object};
    }
    const std::optional<NamedMemory> mark = marked(*object);
    if (!mark || mark->kind == abi::CheckMemory::Unknown)
      return {address, {}};
    return {b.CreateSub(address, b.CreatePtrToInt(object, b.getInt64Ty())), *mark};
  }

  // Returns the name of the private variable that a value depends on; nothing if it depends on several, or on memory.
  std::optional<std::string> variableIn(const Value *value) const {
    constexpr size_t kMostValues = 256;
    SmallSetVector<const Value *, 16> values;
    values.insert(value);
    std::optional<std::string> name;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto *instruction = dyn_cast<Instruction>(values[i]);
      if (!instruction || isa<LoadInst>(instruction) || values.size() > kMostValues)
        return std::nullopt;
      if (isUnwritten(*instruction)) {
        const std::string own = variableOf(*cast<CallInst>(instruction));
        if (name && name != own)
          return std::nullopt;
        name = own;
        continue;
      }
      for (const Use &operand : instruction->operands())
        if (unwritten.mayBe(operand))
          values.insert(operand);
    }
    return name;
  }

  // Returns the only read that a value depends on; null if there are several.
  const Instruction *sourceOf(const Value *value) const {
    constexpr unsigned kMostSteps = 64;
    for (unsigned step = 0; step < kMostSteps; ++step) {
      const auto *instruction = dyn_cast<Instruction>(value);
      if (!instruction || isa<PHINode>(instruction))
        return nullptr;
      if (isa<LoadInst>(instruction) || isPrimitive(*instruction, Primitive::BlockRead))
        return instruction;
      const Value *next = nullptr;
      for (const Use &operand : instruction->operands())
        if (unwritten.mayBe(operand)) {
          if (next && next != operand)
            return nullptr;
          next = operand;
        }
      if (!next)
        return nullptr;
      value = next;
    }
    return nullptr;
  }

  LoopInfo &loops;
  const UnwrittenValues &unwritten;
};

// Removes the marks of mark-initialization, which have done their work. An uninitialized value becomes 0.
void removeMarkedValues(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (decisionOf(instruction)) {
      instruction.eraseFromParent();
    } else if (isUnwritten(instruction)) {
      instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
      instruction.eraseFromParent();
    }
}

void check(Function &function, LoopInfo &loops, Reach reach, const ArgumentShadows &passed) {
  ShadowValues values(function, loops, reach, passed);
  const SmallVector<Decision> decisions = values.run();
  const Origins origins(loops, values.unwrittenValues());
  // Finds all origins first: each report splits a block, and LoopInfo does not know the new blocks.
  SmallVector<Origin> found;
  for (const Decision &decision : decisions)
    found.push_back(origins.of(decision));
  for (const auto &[decision, origin] : reverse(zip_equal(decisions, found))) {
    IRBuilder<> b(decision.at);
    b.SetCurrentDebugLocation({});
    Value *broken = createIsAnySet(b, decision.shadow);
    reportIf(broken, *decision.at, abi::CheckRule::UninitializedRead, decision.use, origin.place, b.getInt64(0),
             origin.memory, {}, origin.object);
  }
  removeMarkedValues(function);
}

} // namespace

PreservedAnalyses CheckInitializationPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  const Reach reach = context.checks ? context.checks->initialization : Reach::Everything;
  const ArgumentShadows passed = addShadowParameters(module, reach, manager);
  for (Function &function : module)
    if (!function.isDeclaration())
      check(function, manager.getResult<LoopAnalysis>(function), reach, passed);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
