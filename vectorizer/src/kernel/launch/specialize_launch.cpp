// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/specialize_launch.h"

#include "kernel/launch/launch_queries.h"
#include "pass_support/preserved.h"

#include "llvm/IR/InstIterator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the value of the query, or null if the query stays.
static Value *replacement(LaunchQueries &queries, const LaunchClass &launch, Primitive primitive,
                          const CallBase &call) {
  LLVMContext &context = call.getContext();
  const auto int32 = [&](uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); };
  assert((!takesDimension(primitive) || dimensionOf(call)) && "run() refuses other dimensions");
  const std::optional<unsigned> items = queries.knownItems();
  switch (primitive) {
  case Primitive::LaneId: return launch.isOneLane() ? int32(0) : nullptr;
  case Primitive::LocalId: return queries.localId(*dimensionOf(call));
  case Primitive::GlobalId: return queries.globalId(*dimensionOf(call));
  case Primitive::Width: return int32(launch.width);
  case Primitive::NumSubGroups: return queries.numSubGroups(Primitive::LocalSize);
  case Primitive::EnqueuedNumSubGroups: return queries.numSubGroups(Primitive::EnqueuedLocalSize);
  case Primitive::SubGroupId: return queries.knownSubGroups() == 1u ? int32(0) : nullptr;
  case Primitive::SubGroupSize:
    if (items && *items % launch.width == 0)
      return int32(launch.width);
    return items && *items < launch.width ? int32(*items) : nullptr;
  // The edges of a non-uniform range run in the class of unknown sizes, so a known size is the enqueued one.
  case Primitive::LocalSize:
  case Primitive::EnqueuedLocalSize:
    return items ? ConstantInt::get(call.getType(), launch.local_size[*dimensionOf(call)]) : nullptr;
  case Primitive::GlobalOffset: return launch.no_offset ? ConstantInt::get(call.getType(), 0) : nullptr;
  default: return nullptr;
  }
}

// Notes the id's name for the report, which later sees only arithmetic on the lane's number.
static void rememberId(const LaunchQueries &queries, Primitive primitive, const CallBase &call, PassContext &context) {
  if (primitive != Primitive::LocalId && primitive != Primitive::GlobalId)
    return;
  const unsigned dim = *dimensionOf(call);
  const char *name = primitive == Primitive::LocalId ? "get_local_id(" : "get_global_id(";
  if (const std::string id = name + std::to_string(dim) + ")";
      queries.differs(dim) && !is_contained(context.lane_ids, id))
    context.lane_ids.push_back(id);
}

// Reports an error if a function of the built-in library needs another sub-group size.
static void requireWidth(const CallBase &call, PassContext &context) {
  const auto *wanted = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (wanted && wanted->equalsInt(context.launch.width))
    return;
  const std::string size = wanted ? std::to_string(wanted->getZExtValue()) : "a constant number of";
  context.diagnostics.error(call, "this function is for sub-groups of " + size + " work-items, but the kernel's have " +
                                      Twine(context.launch.width) +
                                      "; the kernel needs __attribute__((intel_reqd_sub_group_size(" + size + ")))");
}

PreservedAnalyses SpecializeLaunchPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (std::optional<Primitive> primitive = primitiveOf(*call);
          primitive && (queriesLaunch(*primitive) || *primitive == Primitive::RequireWidth))
        calls.push_back(call);
  if (calls.empty())
    return PreservedAnalyses::all();
  LaunchQueries queries(function, context.launch);
  SmallVector<CallBase *> answered; // erased at the end, because new queries may be inserted before one of them
  for (CallBase *call : calls) {
    const Primitive primitive = *primitiveOf(*call);
    if (primitive == Primitive::RequireWidth) {
      requireWidth(*call, context);
      answered.push_back(call);
      continue;
    }
    if (takesDimension(primitive) && !dimensionOf(*call)) {
      context.diagnostics.error(*call, "'__lanecl_" + nameOf(primitive) + "' needs a constant dimension 0, 1 or 2");
      return PreservedAnalyses::none();
    }
    if (Value *value = replacement(queries, context.launch, primitive, *call)) {
      rememberId(queries, primitive, *call, context);
      assert(value->getType() == call->getType() && "the answer has the query's type");
      call->replaceAllUsesWith(value);
      answered.push_back(call);
    } else {
      queries.describe(*call, primitive);
    }
  }
  for (CallBase *call : answered)
    call->eraseFromParent();
  return preservedWithCfg(true);
}

} // namespace lanecl::vectorizer
