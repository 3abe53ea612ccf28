// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/lower_queries.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "kernel/launch/launch_abi.h"
#include "pass_support/preserved.h"
#include "vectorizer/contract/abi.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Replaces one call of a primitive.
class QueryLowering {
public:
  QueryLowering(CallBase &call, unsigned width)
      : call(call), function(*call.getFunction()), builder(&call), width(width) {}

  Value *run(Primitive primitive); // returns null if the primitive is no query

private:
  Value *argument(LanesParameter parameter) { return function.getArg(parameter); }
  unsigned dimension() {
    assert(dimensionOf(call) && "specialize-launch refuses other dimensions");
    return dimensionOf(call).value_or(0);
  }
  Value *size(LanesParameter base, uint64_t offset);
  Value *subGroups(LanesParameter base, uint64_t offset);
  Value *printf();

  CallBase &call;
  Function &function;
  IRBuilder<> builder;
  unsigned width;
};

// Loads one of three sizes. The load gets the query's range.
Value *QueryLowering::size(LanesParameter base, uint64_t offset) {
  LoadInst *load = loadLaunchField(builder, builder.getInt64Ty(), argument(base), offset + 8 * dimension(), "");
  load->takeName(&call);
  if (Attribute range = call.getRetAttr(Attribute::Range); range.isValid()) {
    const ConstantRange &values = range.getRange();
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(function.getContext()).createRange(values.getLower(), values.getUpper()));
  }
  return load;
}

// Computes the number of sub-groups in a work-group whose sizes are at this place.
Value *QueryLowering::subGroups(LanesParameter base, uint64_t offset) {
  Value *items = nullptr;
  for (unsigned dim = 0; dim < 3; ++dim) {
    Value *extent = loadLaunchField(builder, builder.getInt64Ty(), argument(base), offset + 8 * dim, "");
    items = items ? builder.CreateMul(items, extent, "", true, true) : extent;
  }
  Value *rounded = builder.CreateAdd(items, builder.getInt64(width - 1), "", true, true);
  return builder.CreateTrunc(builder.CreateUDiv(rounded, builder.getInt64(width)), builder.getInt32Ty());
}

// Calls printf through the launch's services.
Value *QueryLowering::printf() {
  Type *ptr = builder.getPtrTy();
  Value *services =
      loadLaunchField(builder, ptr, argument(kLaunchParameter), offsetof(abi::LaunchInfo, services), "services");
  Value *target = loadLaunchField(builder, ptr, services, offsetof(abi::Services, printf), "printf");
  auto *type = FunctionType::get(builder.getInt32Ty(), {ptr, ptr, builder.getInt32Ty()}, false);
  SmallVector<Value *, 3> arguments;
  for (unsigned i = 0; i < 2; ++i)
    arguments.push_back(builder.CreateAddrSpaceCast(call.getArgOperand(i), ptr));
  arguments.push_back(builder.CreateZExtOrTrunc(call.getArgOperand(2), builder.getInt32Ty()));
  CallInst *made = builder.CreateCall(type, target, arguments);
  made->setDoesNotThrow();
  return made;
}

Value *QueryLowering::run(Primitive primitive) {
  constexpr LanesParameter kGroup[3] = {kGroupXParameter, kGroupYParameter, kGroupZParameter};
  switch (primitive) {
  case Primitive::SubGroupId: return argument(kSubGroupIdParameter);
  case Primitive::SubGroupSize: return argument(kActiveLanesParameter);
  case Primitive::Width: return builder.getInt32(width);
  case Primitive::GroupId: return argument(kGroup[dimension()]);
  case Primitive::LocalSize: return size(kLocalSizeParameter, 0);
  case Primitive::NumGroups: return size(kLaunchParameter, offsetof(abi::LaunchInfo, num_groups));
  case Primitive::GlobalSize: return size(kLaunchParameter, offsetof(abi::LaunchInfo, global_size));
  case Primitive::GlobalOffset: return size(kLaunchParameter, offsetof(abi::LaunchInfo, global_offset));
  case Primitive::EnqueuedLocalSize: return size(kLaunchParameter, offsetof(abi::LaunchInfo, enqueued_local_size));
  case Primitive::NumSubGroups: return subGroups(kLocalSizeParameter, 0);
  case Primitive::EnqueuedNumSubGroups:
    return subGroups(kLaunchParameter, offsetof(abi::LaunchInfo, enqueued_local_size));
  case Primitive::WorkDim:
    return loadLaunchField(builder, builder.getInt32Ty(), argument(kLaunchParameter),
                           offsetof(abi::LaunchInfo, work_dim), "work_dim");
  case Primitive::LocalMemory:
    return loadLaunchField(builder, builder.getInt64Ty(), argument(kWorkerParameter),
                           offsetof(abi::WorkerMemory, local), "local_memory");
  case Primitive::LocalBytes:
    return loadLaunchField(builder, builder.getInt64Ty(), argument(kWorkerParameter),
                           offsetof(abi::WorkerMemory, local_bytes), "local_bytes");
  case Primitive::Printf: return printf();
  default: return nullptr;
  }
}

} // namespace

PreservedAnalyses LowerQueriesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!hasLanesParameters(function))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const std::optional<Primitive> primitive = call ? primitiveOf(*call) : std::nullopt;
    if (!primitive)
      continue;
    if (Value *value = QueryLowering(*call, context.launch.width).run(*primitive)) {
      assert(value->getType() == call->getType() && "the query's declaration is that of the list of primitives");
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
      changed = true;
    }
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
