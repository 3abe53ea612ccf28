// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls: intrinsics in their vector form, marker calls, and everything else lane by lane.
#include "widen/widener.h"

#include "analysis/debug/debug_markers.h"
#include "analysis/functions/markers.h"
#include "analysis/values/lane_instructions.h"
#include "lanes/arithmetic/math_instructions.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/lane_loop.h"
#include "lanes/memory/memory.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <bit>
#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Whether the call only annotates the scalar program, so that it is dropped.
bool isAnnotation(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::fake_use: return true;
  default: return false;
  }
}

bool allOperandsUniform(const CallBase &call, const ShapeInfo &shapes) {
  return all_of(call.args(), [&](const Use &argument) { return shapes.isUniform(argument); });
}

} // namespace

void Widener::visitCallBase(CallBase &call) {
  if (const std::optional<Marker> marker = markerOf(call)) {
    assert(*marker != Marker::Leave && *marker != Marker::Effects && "linearize has removed these markers");
    if (*marker == Marker::BlockMask)
      mask = laneOf(call.getArgOperand(0));
    else if (*marker == Marker::EntryMask)
      setLanes(call, {lanes::materializeMask(c, entry_mask)});
    else if (*marker == Marker::Whole)
      setScalar(call, allPass(call.getArgOperand(0)));
    else
      setScalar(call, isUniform(call.getArgOperand(0)) ? scalarOf(call.getArgOperand(0))
                                                       : lanes::emitAny(c, laneOf(call.getArgOperand(0))));
    return;
  }
  if (const std::optional<Primitive> primitive = primitiveOf(call)) {
    widenPrimitive(call, *primitive);
    return;
  }
  if (const std::optional<LaneInstruction> instruction = laneInstructionOf(call)) {
    widenInstruction(call, *instruction);
    return;
  }
  if (isAnnotation(call) || widenDebugMarker(call) || widenCheck(call) || widenKeptCall(call))
    return;
  if (isUniform(&call) && !call.getType()->isVoidTy()) {
    cloneLinear(call);
    return;
  }
  const Intrinsic::ID id = call.getIntrinsicID();
  if (isTriviallyVectorizable(id) || isTriviallyScalarizable(id, nullptr)) {
    widenIntrinsic(call, id);
    return;
  }
  // A memory copy between uniform addresses is one copy, however many lanes are active, and so is a prefetch.
  if ((isa<MemIntrinsic>(call) || id == Intrinsic::prefetch) && allOperandsUniform(call, shapes)) {
    cloneScalar(call);
    return;
  }
  if (id == Intrinsic::prefetch && shapes.shapeOf(call.getArgOperand(0)).isStrided()) {
    prefetchLines(call);
    return;
  }
  callLaneByLane(call);
}

// Prefetches each cache line once. Lines of inactive lanes do no harm: a prefetch is not an access.
void Widener::prefetchLines(CallBase &call) {
  constexpr int64_t kLineBytes = 64;
  Value *pointer = call.getArgOperand(0), *lane_zero = scalarOf(pointer);
  const int64_t stride = shapes.shapeOf(pointer).stride(), distance = std::abs(stride);
  for (int64_t at = 0; at < distance * int64_t(options.width); at += std::max(distance, kLineBytes)) {
    auto *prefetch = cast<CallBase>(call.clone());
    prefetch->setArgOperand(0, b.CreatePtrAdd(lane_zero, b.getInt64(stride < 0 ? -at : at)));
    b.Insert(prefetch);
  }
}

// Widens a marker of debug information (analysis/debug/debug_markers.h). Returns false for other calls.
bool Widener::widenDebugMarker(CallBase &call) {
  if (isDebugMarker(call, DebugMarker::Statement)) {
    debug.statement(c, call, mask);
    return true;
  }
  if (!isDebugMarker(call, DebugMarker::Variable))
    return false;
  if (Value *place = debug.pointerPlace(b, call)) {
    const Align align(std::min<uint64_t>(sizeof(void *) * options.width, 64));
    lanes::emitStoreConsecutive(c, laneOf(call.getArgOperand(0)), place, mask, align);
  }
  debug.variable(b, call);
  return true;
}

void Widener::widenInstruction(CallBase &call, LaneInstruction instruction) {
  const bool is_uniform = isUniform(&call);
  SmallVector<Value *, 2> operands;
  for (Value *argument : call.args())
    operands.push_back(is_uniform || argument->getType()->isPointerTy() ? scalarOf(argument) : laneOf(argument));
  Value *result = lanes::emitLaneInstruction(c, instruction, operands);
  if (is_uniform)
    setScalar(call, result);
  else
    setLanes(call, {result});
}

void Widener::widenIntrinsic(CallBase &call, Intrinsic::ID id) {
  const unsigned components =
      scalarTypes(call.getType()->isStructTy() ? call.getType()->getStructElementType(0) : call.getType()).size();
  const auto has_scalar_argument = [&](unsigned i) { return isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr); };
  const auto result_types = scalarTypes(call.getType());
  assert(!result_types.empty() && "an intrinsic in vector form has a result");
  SmallVector<Type *, 2> overloads;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
    overloads.push_back(c.vectorOf(result_types[0]));
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr)) {
      Type *type = call.getArgOperand(i)->getType();
      overloads.push_back(has_scalar_argument(i) ? type : c.vectorOf(type->getScalarType()));
    }
  Function *vector_form = Intrinsic::getOrInsertDeclaration(source.getParent(), id, overloads);
  Values per_member[4]; // of a struct result, one list for each member
  assert((!call.getType()->isStructTy() || call.getType()->getStructNumElements() <= std::size(per_member)) &&
         "results have up to four members");
  for (unsigned k = 0; k < components; ++k) {
    SmallVector<Value *, 4> arguments;
    for (const auto &[i, argument] : enumerate(call.args())) {
      if (has_scalar_argument(i))
        arguments.push_back(anyActiveLane(argument));
      else
        arguments.push_back(lanesOf(argument)[k]);
    }
    CallInst *widened = b.CreateCall(vector_form, arguments, call.getName());
    if (isa<FPMathOperator>(widened))
      widened->copyFastMathFlags(&call);
    const Values members = call.getType()->isStructTy() ? Values{} : Values{widened};
    if (members.empty())
      for (unsigned member = 0; member < call.getType()->getStructNumElements(); ++member)
        per_member[member].push_back(b.CreateExtractValue(widened, member));
    else
      per_member[0].push_back(widened);
  }
  Values result;
  for (const Values &member : per_member)
    result.append(member);
  setResult(call, std::move(result));
}

// The functions from here on emit one call (or atomic access) for each active lane, the lowest lane first, with that
// lane's operands. callLaneByLane() is the entry.
//
// Address arithmetic is cheaper when repeated for each lane than as a vector of 64-bit addresses.
static bool isAddressArithmetic(const Value *value) {
  return isa<GetElementPtrInst, ZExtInst, SExtInst>(value) && !value->getType()->isVectorTy();
}

// Puts the lanes of an operand into memory, so that a loop can load one lane. Operands that are uniform or strided are
// computed for each lane, and so is address arithmetic.
void Widener::prepareLanes(Value *value, LaneSource &source) {
  if (isa<Function>(value) || isa<MetadataAsValue>(value) || shapeOf(value).isLinear() || source.memory.contains(value))
    return;
  if (isAddressArithmetic(value)) {
    for (Value *operand : cast<Instruction>(value)->operands())
      prepareLanes(operand, source);
    return;
  }
  SmallVector<lanes::LanesInMemory, 1> components;
  for (Value *component : lanesOf(value))
    components.emplace_back(c, component);
  source.memory.insert({value, std::move(components)});
}

// Returns one lane of an operand.
Value *Widener::laneFrom(const LaneSource &source, Value *value, Value *lane) {
  if (isa<Function>(value) || isa<MetadataAsValue>(value))
    return value;
  if (shapeOf(value).isLinear())
    return oneLane(value, lane);
  const auto found = source.loaded.find(value);
  assert((found != source.loaded.end() || isAddressArithmetic(value)) && "prepareLanes() has stored other operands");
  return found == source.loaded.end() ? cloneForLane(*cast<Instruction>(value), lane, source)
                                      : rebuild(value->getType(), found->second);
}

// Clones the instruction with the operands of one lane.
Instruction *Widener::cloneForLane(Instruction &instruction, Value *lane, const LaneSource &source) {
  Instruction *clone = instruction.clone();
  for (Use &operand : clone->operands())
    operand.set(laneFrom(source, operand, lane));
  b.Insert(clone);
  clone->dropDbgRecords();
  return clone;
}

Instruction *Widener::emitOneLane(Instruction &instruction, Value *lane, LaneSource &source) {
  for (const auto &[value, components] : source.memory) {
    Values &loaded = source.loaded[value];
    loaded.clear();
    for (const lanes::LanesInMemory &component : components)
      loaded.push_back(component.load(c, lane));
  }
  return cloneForLane(instruction, lane, source);
}

// Emits the operation for `count` lanes. All of their operands are loaded before the first lane's operation.
void Widener::emitChunkOfLanes(Instruction &instruction, Value *first, unsigned count, LaneSource &source) {
  assert((instruction.getType()->isVoidTy() || instruction.use_empty()) && "results of a chunk are not collected");
  SmallVector<SmallDenseMap<Value *, Values>, 8> lanes(count);
  for (const auto &[value, components] : source.memory)
    for (const lanes::LanesInMemory &component : components)
      for (const auto &[lane, loaded] : enumerate(component.loadChunk(c, first, count)))
        lanes[lane][value].push_back(loaded);
  for (const auto &[lane, loaded] : enumerate(lanes)) {
    source.loaded = loaded;
    cloneForLane(instruction, b.CreateAdd(first, b.getInt32(static_cast<uint32_t>(lane))), source);
  }
}

// Returns how many lanes' operands fit into the scalar registers. If no operand is in memory, it is some fixed number.
static unsigned lanesTogether(const auto &in_memory, unsigned width) {
  constexpr unsigned kBytes = 64, kMost = 32;
  unsigned bytes = 0;
  for (const auto &[value, components] : in_memory)
    for (const lanes::LanesInMemory &component : components)
      bytes += component.bytesPerLane();
  return std::min({width, kMost, std::bit_floor(std::max(kBytes / (bytes == 0 ? 8 : bytes), 1U))});
}

void Widener::callLaneByLane(Instruction &call) {
  if (options.one_lane)
    return setScalar(call, cloneScalar(call));
  remark(Remark::Kind::LaneLoop, call,
         isa<CallBase>(call) && cast<CallBase>(call).getCalledFunction() != nullptr
             ? "call of '" + cast<CallBase>(call).getCalledFunction()->getName() + "' runs lane by lane"
             : Twine("'") + call.getOpcodeName() + "' runs lane by lane");
  runLaneByLane(call);
}

// Emits the loop over the active lanes. Lane operands come from memory, and a result is collected into vectors.
void Widener::runLaneByLane(Instruction &call) {
  assert(!options.one_lane && "an operation of one lane needs no loop");
  LaneSource source;
  for (Value *operand : call.operands())
    prepareLanes(operand, source);
  const auto emit_one = [&](IRBuilderBase &, Value *lane) { return emitOneLane(call, lane, source); };
  if (!call.getType()->isVoidTy() && !call.use_empty()) {
    const SmallVector<Type *, 4> types = scalarTypes(call.getType());
    setResult(call, lanes::emitLaneLoopCollect(c, mask, types, [&](IRBuilderBase &builder, Value *lane) {
                return split(emit_one(builder, lane));
              }));
  } else if (isa<AtomicRMWInst>(call)) {
    const unsigned count = lanesTogether(source.memory, options.width);
    const auto chunk = [&](Value *first) { emitChunkOfLanes(call, first, count, source); };
    lanes::emitShortLaneLoop(c, mask, count, chunk, emit_one);
  } else {
    lanes::emitLaneLoop(c, mask, emit_one);
  }
  for (const auto &[value, components] : source.memory)
    for (const lanes::LanesInMemory &component : components)
      component.end(c);
}

} // namespace lanecl::vectorizer
