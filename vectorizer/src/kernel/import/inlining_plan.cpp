// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/inlining_plan.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "analysis/shapes/private_layout.h"
#include "analysis/values/lane_instructions.h"
#include "analysis/values/safe_divisor.h"
#include "check/check_calls.h"
#include "vectorizer/check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lanecl::vectorizer {

// A kernel keeps functions if it would have more instructions than this with everything inlined, before optimization.
static constexpr uint64_t kMostInlined = 40000;
// A kernel with more instructions than kMostInlinedOfCopies also keeps functions if it is kManyCopies times as large as
// its source: it is only large because it contains many copies of the same functions.
static constexpr uint64_t kMostInlinedOfCopies = 15000, kManyCopies = 8;
// In a kernel that keeps functions, a function of up to kMostOfSmall instructions is still inlined at every call, and
// one of up to kMostOfOnlyCall if it is called only once.
static constexpr uint64_t kMostOfSmall = 300, kMostOfOnlyCall = 2000;
// If calls are nested deeper than this, functions with one call are inlined from the outermost caller inwards, so that
// a chain of n functions is copied once instead of n times.
static constexpr unsigned kMostDepth = 30;
// The most bytes of private variables on the stack, for all lanes: of one kept function, and of all kept functions
// together.
static constexpr uint64_t kMostPrivateBytes = 128 * 1024, kMostPrivateBytesOfAll = 1024 * 1024;

InliningPlan::InliningPlan(ArrayRef<Function *> kernels, const PassContext &context) : context(context) {
  Extent most;
  for (const Function *kernel : kernels) {
    const Extent extent = extentOf(*kernel);
    most = {std::max(most.instructions, extent.instructions), std::max(most.depth, extent.depth)};
  }
  is_deep = most.depth > kMostDepth;
  if (context.keep_functions)
    most_inlined = 1;
  else if (most.instructions > kMostInlined ||
           (most.instructions > kMostInlinedOfCopies && most.instructions > kManyCopies * sourceInstructions()))
    most_inlined = kMostOfSmall;
}

// Returns the number of instructions of all functions that were counted, each function once.
uint64_t InliningPlan::sourceInstructions() const {
  uint64_t sum = 0;
  for (const auto &[function, extent] : extents)
    sum += function->getInstructionCount();
  return sum;
}

// Counts a function with everything that it calls. Exponentially many calls saturate the sum. Recursion ends here
// because a function is counted when it is first seen; an error for it is reported elsewhere.
InliningPlan::Extent InliningPlan::extentOf(const Function &function) {
  const auto [known, is_new] = extents.try_emplace(&function, Extent{function.getInstructionCount(), 0});
  Extent extent = known->second;
  if (!is_new || function.isDeclaration())
    return extent;
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction()) {
        const Extent inner = extentOf(*callee);
        extent.instructions = SaturatingAdd(extent.instructions, inner.instructions);
        extent.depth = std::max(extent.depth, inner.depth + 1);
      }
  return extents[&function] = extent;
}

// Returns whether the constant is a variable in local memory or is computed from one.
static bool isOfLocalVariable(const Constant &constant) {
  if (const auto *variable = dyn_cast<GlobalVariable>(&constant))
    return variable->getAddressSpace() == kLocal;
  return isa<ConstantExpr>(constant) &&
         any_of(constant.operands(), [](const Use &operand) { return isOfLocalVariable(*cast<Constant>(operand)); });
}

// Whether a kept function may contain the instruction.
static bool canStayInLanes(const Instruction &instruction) {
  // Local variables get their place in the kernel (kernel/launch/local_variables.h). A function has some if it is a
  // kernel that another kernel calls.
  for (const Value *operand : instruction.operands())
    if (const auto *constant = dyn_cast<Constant>(operand); constant && isOfLocalVariable(*constant))
      return false;
  if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
    return variable->isStaticAlloca();
  // The analysis of waiting loops (analysis/waiting/) has to see the accesses by which work-items wait and release.
  if (instruction.isAtomic() || instruction.isVolatile())
    return false;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr)
    return true;
  if (const std::optional<Primitive> primitive = primitiveOf(*call))
    return isOfOneItem(*primitive);
  if (isDebugMarker(*call, DebugMarker::Statement) || isDebugMarker(*call, DebugMarker::Variable))
    return true;
  const Function *callee = call->getCalledFunction();
  return callee != nullptr && !markerOf(*call) &&
         (callee->isIntrinsic() || laneInstructionOf(*call) || isQuotientByZero(*call) || isKept(*callee) ||
          isCheckCall(*callee));
}

// Whether checks can follow all values into the function and out of it, as they do if it is inlined. They know neither
// what a structure holds nor to which memory a returned pointer belongs. A function of the built-in library that gets a
// pointer is inlined, because its accesses are then reported as the program's.
static bool canBeChecked(const Function &function) {
  const auto isHandle = [](const Argument &argument) {
    return argument.getType()->isPointerTy() || argument.getType()->isTargetExtTy();
  };
  if (function.getSubprogram() == nullptr && any_of(function.args(), isHandle))
    return false;
  const auto isFollowed = [](const Type *type) {
    return !type->isAggregateType() && !(type->isVectorTy() && type->getScalarType()->isPointerTy());
  };
  return isFollowed(function.getReturnType()) && !function.getReturnType()->isPtrOrPtrVectorTy() &&
         all_of(function.getFunctionType()->params(), isFollowed);
}

// Estimates how many instructions lanes need for the instruction: a copy becomes a load and a store for each element,
// and a call passes its arguments.
static uint64_t costOf(const Instruction &instruction) {
  constexpr uint64_t kElementBytes = 4, kMostElements = 64, kCall = 8;
  if (const auto *copy = dyn_cast<AnyMemIntrinsic>(&instruction)) {
    const auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
    return bytes != nullptr ? 1 + std::min(bytes->getZExtValue() / kElementBytes, kMostElements) : kMostElements;
  }
  if (keptCallee(instruction) != nullptr)
    return kCall + cast<CallBase>(instruction).arg_size();
  return 1;
}

// Returns the estimated size of a function in lanes.
static uint64_t sizeOf(const Function &function) {
  uint64_t size = 0;
  for (const Instruction &instruction : instructions(function))
    size += costOf(instruction);
  return size;
}

bool InliningPlan::isLarge(uint64_t instructions) const {
  return keepsSome() && (context.keep_functions || instructions > kMostOfOnlyCall);
}

// A function stays if it is large enough, if lanes can call it, and if the stack has room for its private variables.
bool InliningPlan::stays(const Function &function) {
  if (!keepsSome())
    return false;
  const uint64_t size = sizeOf(function);
  if (size <= most_inlined || function.isVarArg() || (function.hasOneUse() && !isLarge(size)))
    return false;
  if (context.checks != nullptr && !canBeChecked(function))
    return false;
  const bool has_shadows = context.checks != nullptr && context.checks->initialization != Reach::Nothing;
  const uint64_t bytes =
      SaturatingMultiply(privateBytesOf(function), uint64_t{context.launch.width} * (has_shadows ? 2 : 1));
  if (!all_of(instructions(function), canStayInLanes) || bytes > kMostPrivateBytes ||
      private_bytes + bytes > kMostPrivateBytesOfAll)
    return false;
  private_bytes += bytes;
  return true;
}

} // namespace lanecl::vectorizer
