// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "widen/widen.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/primitives.h"
#include "analysis/memory/call_order.h"
#include "analysis/shapes/private_layout.h"
#include "kernel/launch/launch_abi.h"
#include "kernel/rows/row_loops.h"
#include "lanes/target_features.h"
#include "widen/lanes_signature.h"
#include "widen/widener.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Makes the body of `lanes`. The debug information of `scalar` moves there, because a subprogram belongs to one
// function.
void fill(Function &lanes, Function &scalar, WidenOptions options, PassContext &context) {
  assert(lanes.empty() && !scalar.empty() && "the body is made once, of the scalar one");
  lanes.setCallingConv(CallingConv::C);
  lanes.setLinkage(GlobalValue::InternalLinkage);
  lanes.setSubprogram(scalar.getSubprogram());
  options.width = context.launch.width;
  options.one_lane = context.hasOneLane();
  options.target = lanes::featuresOf(context.target);
  // If gathers were single loads, LLVM would turn loads from a constant table into values, and a debugger would not
  // find the table.
  options.target.fast_gather |= context.debug;
  Widener(scalar, lanes, options, context).run();
}

// Makes a lanes function of a kernel. Consumes `scalar`.
void widen(Function &scalar, const Twine &name, WidenOptions options, PassContext &context) {
  Function *lanes = Function::Create(scalar.getFunctionType(), GlobalValue::InternalLinkage, name, scalar.getParent());
  lanes->copyAttributesFrom(&scalar);
  fill(*lanes, scalar, options, context);
  assert(scalar.use_empty() && "nothing calls a kernel");
  scalar.deleteBody();
  scalar.eraseFromParent();
}

// Replaces the calls of the lanes function for all lanes by calls of the masked one, with a mask of all lanes.
void callMasked(Function &all, Function &masked) {
  const Value *mask = masked.getArg(kLanesParameterCount);
  for (User *user : make_early_inc_range(all.users())) {
    auto &call = *cast<CallInst>(user);
    SmallVector<Value *> arguments(call.args());
    arguments.insert(arguments.begin() + kLanesParameterCount, Constant::getAllOnesValue(mask->getType()));
    CallInst *made = CallInst::Create(&masked, arguments, "", call.getIterator());
    made->setTailCallKind(call.getTailCallKind());
    made->copyMetadata(call);
    made->takeName(&call);
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }
  all.eraseFromParent();
}

// A kernel with more instructions and more blocks than this is compiled once, for full and incomplete sub-groups. In
// code with so many branches most values have masks anyway, so that those of full sub-groups cost little.
constexpr unsigned kMostInstructionsOfBothKinds = 10000;
constexpr size_t kMostBlocksOfBothKinds = 500;

// A kept function with more instructions than this is compiled once instead of twice where masks cost little.
constexpr unsigned kMostInstructionsOfTwoVersions = 1000;

// Whether the calls for all lanes call the masked function too. AVX-512 has registers for masks, and a masked access
// takes no longer than another one. With AVX2, arithmetic in a tower of fields was 18 % slower.
bool isOnlyMasked(const Function &kept, const PassContext &context) {
  return kept.getInstructionCount() > kMostInstructionsOfTwoVersions &&
         lanes::featuresOf(context.target).level == lanes::IsaLevel::Avx512;
}

// Makes those lanes functions of a kept function that calls have declared by now. Consumes `scalar`.
void widenKept(Function &scalar, PassContext &context) {
  Function *all = scalar.getParent()->getFunction(lanesName(scalar, false));
  Function *masked = scalar.getParent()->getFunction(lanesName(scalar, true));
  if (all != nullptr && masked != nullptr && isOnlyMasked(scalar, context)) {
    callMasked(*all, *masked);
    all = nullptr;
  }
  if (all != nullptr && masked != nullptr) {
    ValueToValueMapTy values;
    Function *copy = CloneFunction(&scalar, values);
    fill(*all, *copy, {}, context);
    copy->eraseFromParent();
  } else if (all != nullptr) {
    fill(*all, scalar, {}, context);
  }
  if (masked != nullptr)
    fill(*masked, scalar, {.masked = true}, context);
  assert(scalar.use_empty() && "callers are widened first, and call lanes functions");
  scalar.eraseFromParent();
}

// More private memory for one sub-group than any machine has. Below this limit, sums and products of sizes do not wrap
// around.
constexpr uint64_t kTooManyPrivateBytes = uint64_t{1} << 40;

// Returns false, after an error, if the kernel's private variables are too large.
bool checkPrivateVariables(const Function &kernel, PassContext &context) {
  const uint64_t bytes = privateBytesOf(kernel);
  if (bytes < kTooManyPrivateBytes / context.launch.width)
    return true;
  context.diagnostics.error(kernel, DebugLoc(),
                            "kernel '" + kernel.getName() + "' needs " + Twine(bytes) +
                                " bytes of private memory for each work-item, which is more than this device has");
  return false;
}

// Whether the kernel's full sub-groups run the function for incomplete ones too. Kernels whose sub-groups work together
// (at barriers, by yielding to each other, in loops over whole rows) get both, because that code treats full sub-groups
// differently.
bool isOnlyPartial(const Function &kernel) {
  const auto meets_others = [](const Instruction &instruction) {
    return isPrimitive(instruction, Primitive::WorkGroupBarrier) ||
           isPrimitive(instruction, Primitive::SubGroupBarrier) ||
           isPrimitive(instruction, Primitive::PartnerBarrier) || isPrimitive(instruction, Primitive::Yield);
  };
  return kernel.size() > kMostBlocksOfBothKinds && kernel.getInstructionCount() > kMostInstructionsOfBothKinds &&
         !takesWholeRow(kernel) && none_of(instructions(kernel), meets_others);
}

} // namespace

SubGroupKinds subGroupKinds(const LaunchClass &launch) {
  assert(isPowerOf2_32(launch.width) && "a sub-group has 1, 4, 8 … 64 lanes");
  uint64_t items = 1;
  for (const uint32_t size : launch.local_size)
    items *= size;
  if (items == 0)
    return {true, launch.width != 1};
  return {items >= launch.width, items % launch.width != 0};
}

PreservedAnalyses WidenPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<Function *, 4> kernels, kept;
  for (Function &function : module)
    if (!function.isDeclaration() && !isKept(function) &&
        (context.kernel.empty() || function.getName() == context.kernel))
      kernels.push_back(&function);
  for (Function *function : callersFirst(module))
    if (isKept(*function))
      kept.push_back(function);
  const SubGroupKinds kinds = subGroupKinds(context.launch);
  for (Function *kernel : kernels) {
    if (!checkPrivateVariables(*kernel, context))
      return PreservedAnalyses::none();
    const std::string name = kernel->getName().str();
    if (kinds.partial && (!kinds.full || isOnlyPartial(*kernel))) {
      widen(*kernel, name + kPartialSuffix, {.partial = true}, context);
      continue;
    }
    if (kinds.partial) {
      ValueToValueMapTy values;
      Function *copy = CloneFunction(kernel, values);
      widen(*copy, name + kPartialSuffix, {.partial = true, .beside_full = true}, context);
    }
    widen(*kernel, name + kLanesSuffix, {}, context);
  }
  for (Function *function : kept)
    widenKept(*function, context);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
