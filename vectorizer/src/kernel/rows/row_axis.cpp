// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/rows/row_axis.h"

#include "analysis/functions/primitives.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// How much a value grows from a work-item to its neighbor along one dimension, in bytes for pointers; nothing if that
// is not a constant. Overflow is ignored, which is good enough for a choice between correct programs.
using Step = std::optional<int64_t>;

// Computes the steps of all values that a value depends on, for one dimension.
class Steps : public InstVisitor<Steps, Step> {
public:
  Steps(const DataLayout &layout, unsigned axis) : layout(layout), axis(axis) {}

  Step of(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr)
      return 0;
    if (const auto found = steps.find(value); found != steps.end())
      return found->second;
    const Step step = visit(*instruction);
    steps[value] = step;
    return step;
  }

  // Any other instruction has step 0 if all its operands have.
  Step visitInstruction(Instruction &instruction) {
    for (Value *operand : instruction.operands())
      if (of(operand) != 0)
        return std::nullopt;
    return 0;
  }

  // Only the global id of the axis grows from a work-item to its neighbor.
  Step visitCallBase(CallBase &call) {
    const std::optional<Primitive> primitive = primitiveOf(call);
    if (primitive == Primitive::GlobalId)
      return dimensionOf(call) == axis ? 1 : 0;
    if (primitive)
      return hasUniformResult(*primitive) ? Step(0) : std::nullopt;
    return call.mayReadOrWriteMemory() ? std::nullopt : visitInstruction(call);
  }

  // Returns the step of the value that enters the loop, which every iteration is assumed to keep.
  Step visitPHINode(PHINode &phi) {
    Step common;
    steps[&phi] = std::nullopt;
    for (Value *incoming : phi.incoming_values()) {
      const auto *instruction = dyn_cast<Instruction>(incoming);
      if (instruction != nullptr && dependsOn(*instruction, phi))
        continue;
      const Step step = of(incoming);
      if (!step || (common && common != step))
        return std::nullopt;
      common = step;
    }
    return common;
  }

  // Both alternatives must grow alike.
  Step visitSelectInst(SelectInst &select) {
    const Step first = of(select.getTrueValue()), second = of(select.getFalseValue());
    return first == second ? first : std::nullopt;
  }

  Step visitCastInst(CastInst &cast) {
    const bool keeps = isa<TruncInst, ZExtInst, SExtInst, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst>(cast);
    return keeps ? of(cast.getOperand(0)) : visitInstruction(cast);
  }
  Step visitFreezeInst(FreezeInst &freeze) { return of(freeze.getOperand(0)); }

  Step visitBinaryOperator(BinaryOperator &op) {
    const Step a = of(op.getOperand(0)), b = of(op.getOperand(1));
    if (!a || !b || !op.getType()->isIntegerTy())
      return a == 0 && b == 0 ? a : std::nullopt;
    const APInt *constant = nullptr;
    const bool known = match(op.getOperand(1), m_APInt(constant)) && constant->getSignificantBits() <= 32;
    const int64_t number = known ? constant->getSExtValue() : 0;
    if (match(&op, m_AddLike(m_Value(), m_Value())))
      return checkedAdd(*a, *b);
    switch (op.getOpcode()) {
    case Instruction::Sub: return checkedSub(*a, *b);
    case Instruction::Mul:
      if (known)
        return checkedMul(*a, number);
      break;
    case Instruction::Shl:
      if (known && number < 48)
        return checkedMul(*a, int64_t{1} << number);
      break;
    case Instruction::AShr:
    case Instruction::LShr: // pairs of shl and shr make an extension
      if (known && number < 48 && *a % (int64_t{1} << number) == 0)
        return *a >> number;
      break;
    default: break;
    }
    return a == 0 && b == 0 ? a : std::nullopt;
  }

  // The step of an address is that of its base plus the scaled steps of its indices.
  Step visitGetElementPtrInst(GetElementPtrInst &gep) {
    const unsigned bits = layout.getIndexSizeInBits(gep.getPointerAddressSpace());
    SmallMapVector<Value *, APInt, 4> parts;
    APInt constant(bits, 0);
    Step step = of(gep.getPointerOperand());
    if (!step || gep.getType()->isVectorTy() || !gep.collectOffset(layout, bits, parts, constant))
      return visitInstruction(gep);
    for (const auto &[index, scale] : parts) {
      const Step part = of(index);
      step = part && step ? checkedMulAdd(*part, scale.getSExtValue(), *step) : std::nullopt;
    }
    return step;
  }

private:
  static bool dependsOn(const Instruction &value, const PHINode &phi) {
    return is_contained(value.operands(), &phi) || &value == &phi;
  }

  const DataLayout &layout;
  const unsigned axis;
  DenseMap<const Value *, Step> steps;
};

// Returns the weight of an access in a loop of this depth: each loop counts 16 times.
uint64_t weightAt(unsigned depth) {
  constexpr unsigned kIterationsLog2 = 4, kMostLoops = 4;
  return uint64_t{1} << (kIterationsLog2 * std::min(depth, kMostLoops));
}

// Returns about the time that one access of all lanes takes, in loads of one register.
uint64_t accessCost(const Instruction &access, Step step, uint64_t lanes) {
  if (!step)
    return lanes;
  if (*step == 0) // lanes that write one place: the kernel does not mean these work-items to be neighbors
    return isa<LoadInst>(access) ? 1 : 2 * lanes;
  const uint64_t bytes = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return std::clamp<uint64_t>(AbsoluteValue(*step) / bytes, 1, lanes);
}

// Returns the estimated time of all memory accesses if the lanes lie along `axis`.
uint64_t memoryCost(Function &function, const LoopInfo &loops, unsigned axis, uint64_t lanes) {
  Steps steps(function.getDataLayout(), axis);
  uint64_t cost = 0;
  for (Instruction &instruction : instructions(function)) {
    Value *address = getLoadStorePointerOperand(&instruction);
    if (address != nullptr && !isa<AllocaInst>(getUnderlyingObject(address)))
      cost += accessCost(instruction, steps.of(address), lanes) * weightAt(loops.getLoopDepth(instruction.getParent()));
  }
  return cost;
}

// Returns whether the kernel asks for the id of this dimension. If it does not, all lanes along the dimension would do
// the same.
bool asksForId(Function &function, unsigned axis) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call != nullptr && isPrimitive(*call, Primitive::GlobalId) && dimensionOf(*call) == axis;
  });
}

// Returns the free dimension with the cheapest accesses; if several cost the same, the present one stays.
unsigned bestAxis(Function &function, const LoopInfo &loops, const LaunchClass &launch) {
  assert(launch.isRow() && "only a row can lie along another dimension");
  unsigned best = *launch.rowAxis();
  uint64_t least = memoryCost(function, loops, best, launch.width);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if ((launch.row_axes >> axis & 1) == 0 || !asksForId(function, axis))
      continue;
    const uint64_t cost = memoryCost(function, loops, axis, launch.width);
    if (cost < least)
      best = axis, least = cost;
  }
  return best;
}

Function *findKernel(Module &module, StringRef name) {
  for (Function &function : module)
    if (!function.isDeclaration() && (name.empty() || function.getName() == name))
      return &function;
  return nullptr;
}

} // namespace

PreservedAnalyses RowAxisPass::run(Module &module, ModuleAnalysisManager &analyses) {
  Function *kernel = findKernel(module, context.kernel);
  if (!context.launch.isRow() || context.launch.row_axes == 0 || kernel == nullptr)
    return PreservedAnalyses::all();
  // Addresses can be analyzed once variables are SSA values. Only a copy is promoted here: in the kernel itself ids are
  // simplified better after they have become arithmetic on the lane's number.
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  ValueToValueMapTy values;
  Function *copy = CloneFunction(kernel, values);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  functions.invalidate(*copy, passes.run(*copy, functions));
  const unsigned axis = bestAxis(*copy, functions.getResult<LoopAnalysis>(*copy), context.launch);
  functions.clear(*copy, copy->getName());
  copy->eraseFromParent();
  context.launch.local_size = LaunchClass::rowAlong(axis);
  context.facts.row_axis = axis;
  return PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
